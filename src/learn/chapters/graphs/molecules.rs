//! Eight hydrocarbons without their hydrogen: three cages, two ring molecules, three chains.

use crate::learn::Figure;
use packscope_chart::{Area, Pen, Point};

/// A molecule as drawn; its size is counted from the drawing.
pub(super) struct Molecule {
    name: &'static str,
    /// Positions of the atoms, in units of a bond, from the upper left.
    atoms: &'static [Point],
    /// Bonds, as pairs of atoms.
    bonds: &'static [(u8, u8)],
}

/// The atoms of a chain, in zigzag.
const CHAIN: [Point; 10] = [
    (0.0, 0.5),
    (0.87, 0.0),
    (1.73, 0.5),
    (2.6, 0.0),
    (3.46, 0.5),
    (4.33, 0.0),
    (5.2, 0.5),
    (6.06, 0.0),
    (6.93, 0.5),
    (7.79, 0.0),
];
const LINKS: [(u8, u8); 9] = [
    (0, 1),
    (1, 2),
    (2, 3),
    (3, 4),
    (4, 5),
    (5, 6),
    (6, 7),
    (7, 8),
    (8, 9),
];

// Carbon alone, as datasets of molecules leave hydrogens out: cages have many bonds for their
// atoms, chains few.
/// The molecules, in an order that gives no hint.
pub(super) const MOLECULES: [Molecule; 8] = [
    Molecule {
        name: "decane",
        atoms: &CHAIN,
        bonds: &LINKS,
    },
    Molecule {
        name: "cubane",
        atoms: &[
            (0.0, 0.5),
            (1.0, 0.5),
            (1.0, 1.5),
            (0.0, 1.5),
            (0.5, 0.0),
            (1.5, 0.0),
            (1.5, 1.0),
            (0.5, 1.0),
        ],
        bonds: &[
            (0, 1),
            (1, 2),
            (2, 3),
            (3, 0),
            (4, 5),
            (5, 6),
            (6, 7),
            (7, 4),
            (0, 4),
            (1, 5),
            (2, 6),
            (3, 7),
        ],
    },
    Molecule {
        name: "hexane",
        atoms: CHAIN.split_at(6).0,
        bonds: LINKS.split_at(5).0,
    },
    Molecule {
        name: "naphthalene",
        atoms: &[
            (0.0, 0.5),
            (0.87, 0.0),
            (1.73, 0.5),
            (1.73, 1.5),
            (0.87, 2.0),
            (0.0, 1.5),
            (2.6, 0.0),
            (3.46, 0.5),
            (3.46, 1.5),
            (2.6, 2.0),
        ],
        bonds: &[
            (0, 1),
            (1, 2),
            (2, 3),
            (3, 4),
            (4, 5),
            (5, 0),
            (2, 6),
            (6, 7),
            (7, 8),
            (8, 9),
            (9, 3),
        ],
    },
    Molecule {
        name: "tetrahedrane",
        atoms: &[(0.75, 0.0), (0.0, 1.3), (1.5, 1.3), (0.75, 0.85)],
        bonds: &[(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)],
    },
    Molecule {
        name: "octane",
        atoms: CHAIN.split_at(8).0,
        bonds: LINKS.split_at(7).0,
    },
    Molecule {
        name: "prismane",
        atoms: &[
            (0.0, 0.0),
            (1.2, 0.0),
            (0.6, 0.55),
            (0.0, 1.2),
            (1.2, 1.2),
            (0.6, 1.75),
        ],
        bonds: &[
            (0, 1),
            (1, 2),
            (2, 0),
            (3, 4),
            (4, 5),
            (5, 3),
            (0, 3),
            (1, 4),
            (2, 5),
        ],
    },
    Molecule {
        name: "benzene",
        atoms: &[
            (0.0, 0.5),
            (0.87, 0.0),
            (1.73, 0.5),
            (1.73, 1.5),
            (0.87, 2.0),
            (0.0, 1.5),
        ],
        bonds: &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)],
    },
];

impl Molecule {
    /// Returns nodes and edges: each bond is two edges, one each way.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.atoms.len() as u32, 2 * self.bonds.len() as u32]
    }

    /// Returns the height of the drawing, in bonds.
    fn tall(&self) -> f64 {
        self.atoms.iter().map(|at| at.1).fold(0.0, f64::max)
    }

    fn draw(&self, pen: &mut Pen, area: Area, letter: char) {
        let theme = pen.theme;
        // The longest molecule, decane, is 7.79 bonds wide.
        let bond = ((area.width() - 12.0) / 7.8).min(26.0);
        let left = area.left + 5.0;
        // The tallest is 2 bonds high; others stand in the middle of that.
        let top = area.top + 8.0 + (2.0 * bond - self.tall() * bond) / 2.0;
        let place = |i: u8| {
            let (x, y) = self.atoms.get(usize::from(i)).copied().unwrap_or_default();
            (left + x * bond, top + y * bond)
        };
        for (from, to) in self.bonds {
            pen.path(vec![place(*from), place(*to)], 1.5, theme.second_ink);
        }
        for i in 0..self.atoms.len() as u8 {
            pen.disc(place(i), (bond * 0.17).clamp(2.2, 3.5), theme.accent);
        }
        let y = area.top + 2.0 * bond + 28.0;
        pen.label(
            format!("{letter} {}", self.name),
            (area.left, y),
            -1,
            theme.ink,
            true,
        );
        let [nodes, edges] = self.size();
        pen.note(
            format!("{nodes} nodes, {edges} edges"),
            (area.left, y + 16.0),
            -1,
        );
    }
}

fn columns(width: f64) -> usize {
    if width < 560.0 { 2 } else { 4 }
}

/// Returns the height of one molecule with its caption.
fn tall(width: f64) -> f64 {
    let bond = ((width / columns(width) as f64 - 24.0) / 7.8).min(26.0);
    2.0 * bond + 68.0
}

pub(super) fn drawing() -> Figure {
    let sizes = MOLECULES.iter().enumerate().map(|(i, m)| {
        let [nodes, edges] = m.size();
        format!("{} {}: {nodes} nodes and {edges} edges", letter(i), m.name)
    });
    let label = format!("Eight molecules: {}.", sizes.collect::<Vec<_>>().join("; "));
    let height = |width: f64| tall(width) * MOLECULES.len().div_ceil(columns(width)) as f64;
    Figure::new(label, height, |frame| {
        let mut pen = Pen::new(frame);
        let across = columns(frame.width);
        let (width, height) = (frame.width / across as f64, tall(frame.width));
        for (i, molecule) in MOLECULES.iter().enumerate() {
            let (left, top) = ((i % across) as f64 * width, (i / across) as f64 * height);
            let area = Area {
                left,
                top,
                right: left + width - 12.0,
                bottom: top + height,
            };
            molecule.draw(&mut pen, area, letter(i));
        }
        pen.scene
    })
}

fn letter(i: usize) -> char {
    char::from(b'A' + i as u8)
}
