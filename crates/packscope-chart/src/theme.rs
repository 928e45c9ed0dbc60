//! Colours of the page and of the drawings, light and dark.

use super::Hues;

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// The colours of a theme, shared by page and drawings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// The background of the page.
    pub background: Rgb,
    /// Text and outlines.
    pub ink: Rgb,
    /// Less prominent text, and curves that are not chosen.
    pub second_ink: Rgb,
    /// Grid lines and rules.
    pub hairline: Rgb,
    /// Borders of controls.
    pub control: Rgb,
    /// The needle, and all that is chosen: the current setting, or the limit.
    pub accent: Rgb,
    /// Padding, and nothing else.
    pub padding: Rgb,
    /// Padding that covers much of a drawing: pale enough for words and cells on top.
    pub padding_wash: Rgb,
    /// Words on the padding wash.
    pub on_wash: Rgb,
    /// A second tone of the accent, for neighbours of the first.
    pub second_accent: Rgb,
    /// Distributions along the edges of a heat map.
    pub marginal: Rgb,
    /// The part of viridis, in percent, that is visible on the page: counts from few to many.
    pub seen: [u8; 2],
    /// Lengths, short to long: each step is darker than the one before.
    pub lengths: [Rgb; 8],
}

/// Viridis at every tenth (van der Walt and Smith 2015, matplotlib, CC0).
const VIRIDIS: [Rgb; 11] = rgbs([
    0x44_0154, 0x48_2475, 0x41_4487, 0x35_5f8d, 0x2a_788e, 0x21_918c, 0x22_a884, 0x44_bf70,
    0x7a_d151, 0xbd_df26, 0xfd_e725,
]);

/// Returns the colour of a share in [0, 1]; brighter is more.
pub fn viridis(share: f64) -> Rgb {
    let at = if share.is_finite() {
        share.clamp(0.0, 1.0) * 10.0
    } else {
        0.0
    };
    let low = (at as usize).min(9);
    mix(VIRIDIS[low + 1], VIRIDIS[low], at - low as f64)
}

/// The colours of the page; each line has those of the light and of the dark theme.
const STYLE: &[u8] = include_str!("colours.css").as_bytes();

impl Theme {
    /// Dark ink on white.
    pub const LIGHT: Self = Self {
        // These are of drawings alone; all others come from the style of the page.
        padding_wash: rgb(0xde_dede),
        on_wash: rgb(0x5e_5e5e),
        second_accent: rgb(0xdd_7742),
        marginal: rgb(0x4b_5173),
        // Brightest viridis is invisible on white, and darkest on blue-black: what remains has a
        // contrast of at least 1.4 : 1, which the tests ask for.
        seen: [2, 92],
        ..Self::of_page(0)
    };

    /// Light ink on blue-black.
    pub const DARK: Self = Self {
        padding_wash: rgb(0x38_3838),
        on_wash: rgb(0xb4_b4b4),
        second_accent: rgb(0xc8_643a),
        marginal: rgb(0xaa_b1d2),
        seen: [42, 100],
        ..Self::of_page(1)
    };

    /// Returns the colours that drawings share with the page's light theme (0) or dark theme (1); the others are black.
    const fn of_page(theme: usize) -> Self {
        let (mut lengths, mut i) = ([[0; 3]; 8], 0);
        while i < 8 {
            // The tests ask that the eight are told apart by all eyes, also without one of the
            // three cones.
            lengths[i] = styled(&[b'l', b'0' + i as u8], theme);
            i += 1;
        }
        Self {
            background: styled(b"background", theme),
            ink: styled(b"ink", theme),
            second_ink: styled(b"second", theme),
            hairline: styled(b"hairline", theme),
            control: styled(b"border", theme),
            accent: styled(b"accent", theme),
            padding: styled(b"pad", theme),
            padding_wash: [0; 3],
            on_wash: [0; 3],
            second_accent: [0; 3],
            marginal: [0; 3],
            seen: [0, 100],
            lengths,
        }
    }

    /// Returns the colour of a count as a share of the largest: viridis without the end that is invisible on the page.
    pub fn heat(&self, share: f64) -> Rgb {
        let [low, high] = self.seen.map(|percent| f64::from(percent) / 100.0);
        viridis(low + (high - low) * share.clamp(0.0, 1.0))
    }

    /// Returns the colour of a length; a number for `hues` stands for equal steps up to it.
    pub fn length_colour(&self, length: u32, hues: impl Into<Hues>) -> Rgb {
        self.lengths[hues.into().step(length)]
    }

    /// Returns the colour for text on the colour of a length: black or white, whichever has more contrast.
    pub fn on_length(&self, length: u32, hues: impl Into<Hues>) -> Rgb {
        let [dark, light] = [Self::LIGHT.ink, Self::LIGHT.background];
        let ground = self.length_colour(length, hues);
        if contrast(dark, ground) >= contrast(light, ground) {
            dark
        } else {
            light
        }
    }
}

/// Mixes two colours: `share` of the one, the rest of the other.
pub(super) fn mix(one: Rgb, other: Rgb, share: f64) -> Rgb {
    std::array::from_fn(|i| {
        (f64::from(one[i]) * share + f64::from(other[i]) * (1.0 - share)).round() as u8
    })
}

const fn rgb(code: u32) -> Rgb {
    let [_, r, g, b] = code.to_be_bytes();
    [r, g, b]
}

const fn rgbs<const N: usize>(codes: [u32; N]) -> [Rgb; N] {
    let (mut colours, mut i) = ([[0; 3]; N], 0);
    while i < N {
        colours[i] = rgb(codes[i]);
        i += 1;
    }
    colours
}

/// Returns the colour of a variable of [`STYLE`]; an unknown name does not compile. The dark colour begins nine bytes
/// after the light one.
const fn styled(name: &[u8], theme: usize) -> Rgb {
    // The dark colour stands behind `rrggbb, #`: nine bytes.
    let (mut code, mut at) = (0, find(&[b"--", name, b": light-dark(#"]) + 9 * theme);
    let end = at + 6;
    while at < end {
        let digit = match STYLE[at] {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'a'..=b'f' => digit - b'a' + 10,
            _ => panic!("colours of the style are six digits in hexadecimal"),
        };
        code = code * 16 + digit as u32;
        at += 1;
    }
    rgb(code)
}

/// Returns the end of the text of these pieces in [`STYLE`].
const fn find(pieces: &[&[u8]; 3]) -> usize {
    let mut from = 0;
    // A `const fn` has neither `for` nor the searches of slices.
    while from < STYLE.len() {
        let (mut at, mut piece) = (from, 0);
        while piece < 3 && begins(at, pieces[piece]) {
            at += pieces[piece].len();
            piece += 1;
        }
        if piece == 3 {
            return at;
        }
        from += 1;
    }
    panic!("the style has a colour of each name");
}

/// Whether the style has this text at a position.
const fn begins(at: usize, text: &[u8]) -> bool {
    let mut i = 0;
    while i < text.len() && at + i < STYLE.len() && STYLE[at + i] == text[i] {
        i += 1;
    }
    i == text.len()
}

/// Returns the contrast ratio of WCAG 2, at least 1.
pub fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(colour: Rgb) -> f64 {
    let [r, g, b] = linear(colour);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Converts a colour to linear light.
fn linear(colour: Rgb) -> [f64; 3] {
    colour.map(|c| match f64::from(c) / 255.0 {
        // IEC 61966-2-1. WCAG 2 had 0.03928 here, which no colour of eight bits tells apart.
        c if c <= 0.04045 => c / 12.92,
        c => ((c + 0.055) / 1.055).powf(2.4),
    })
}
