//! Choosing limits.

use super::{Reader, figure, flat};
use packscope_page::learn::ChapterPart;
use packscope_page::query::Answer;

fn at(reader: &mut Reader, nodes: u32, edges: u32) {
    reader.moves("nodes", &[nodes]);
    reader.moves("edges", &[edges]);
}

#[test]
fn twelve_more_nodes_save_packs_and_more_edges_none() {
    let mut reader = Reader::opens("limits");
    let begins = reader.sees();
    // Best fit at the size of the largest molecule: at most 3,764 packs by the repaired best fit.
    assert_eq!(figure(&begins, "packs"), Some(3764.0));
    assert!(
        begins.finding.contains("~5.8 %~ of the edge slots"),
        "{}",
        begins.finding
    );
    at(&mut reader, 234, 502);
    let wider = reader.sees();
    let packs = figure(&wider, "packs").unwrap();
    assert_eq!(
        wider.finding,
        format!("12 more nodes per pack save {} packs", 3764.0 - packs)
    );
    // Real nodes and edges of ogbg-molhiv, counted from its histogram.
    assert_eq!(
        figure(&wider, "efficiency_nodes"),
        Some(830_936.0 / (packs * 234.0))
    );
    assert_eq!(
        figure(&wider, "efficiency_edges"),
        Some(1_779_606.0 / (packs * 502.0))
    );
    at(&mut reader, 222, 514);
    assert_eq!(reader.sees().finding, "12 more edges per pack save nothing");
}

#[test]
fn the_smallest_that_is_good_enough_is_noticed_and_no_other() {
    let mut reader = Reader::opens("limits");
    let state = &reader.state.learn;
    let here = reader.chapter.context(state);
    let Some(Answer::Sweep(tried)) = here.answer("sweep") else {
        panic!("no sweep")
    };
    assert_eq!(tried.len(), 256);
    let good = |t: &&packscope::sweep::SweepPoint<2>| {
        t.packs <= 3000 && t.efficiency.iter().all(|e| *e >= 0.975)
    };
    let all: Vec<[u32; 2]> = tried
        .iter()
        .filter_map(|(_, point)| point.as_ref().ok())
        .filter(good)
        .map(|t| t.limits)
        .collect();
    let smallest = *all.iter().min_by_key(|l| l[0] * l[1]).unwrap();
    // Several do, so that the smallest is a choice; it is not where the map is brightest.
    assert!(all.len() > 5 && smallest == [282, 610], "{all:?}");
    for limits in [[234, 502], [288, 610], [294, 634], [276, 598], smallest] {
        at(&mut reader, limits[0], limits[1]);
        assert_eq!(reader.sees().is_done(), limits == smallest, "{limits:?}");
    }
}

#[test]
fn presses_and_arrows_move_both_limits() {
    use packscope_chart::{Frame, Theme};
    let reader = Reader::opens("limits");
    let shown = reader.sees();
    let map = flat(&shown.parts).into_iter().find_map(|p| match p {
        ChapterPart::Figure(figure) if figure.press.is_some() => Some(figure),
        _ => None,
    });
    let map = map.expect("a map");
    let (press, also, step) = (map.press.as_ref(), map.also.as_ref(), map.step.as_ref());
    let frame = Frame::canvas(900.0, (map.tall)(900.0), 1.0, Theme::LIGHT);
    let (right, up) = (
        press.unwrap()(780.0, 40.0, &frame),
        also.unwrap()(780.0, 40.0, &frame),
    );
    let (Some(("nodes", nodes)), Some(("edges", edges))) = (right, up) else {
        panic!("not pressed")
    };
    assert!(nodes[0] > 290 && edges[0] > 650, "{nodes:?} {edges:?}");
    assert_eq!(step.unwrap()([1, 0]), Some(("nodes", vec![228])));
    assert_eq!(step.unwrap()([0, 1]), Some(("edges", vec![514])));
    assert_eq!(step.unwrap()([-1, 0]), Some(("nodes", vec![222])));
}

#[test]
fn other_cases_are_as_published() {
    let shown = Reader::opens("limits").sees();
    // The published code, by product, at both limits.
    assert_eq!(figure(&shown, "packs_tight"), Some(3917.0));
    assert_eq!(figure(&shown, "packs_loose"), Some(4008.0));
    // QM9 at 9 × 28: its largest molecules share a pack with nothing; 133,879 molecules.
    assert_eq!(figure(&shown, "packs_single"), Some(133_831.0));
    assert!(figure(&shown, "packs_pair").unwrap() < 133_879.0 / 2.0 + 1.0);
}

#[test]
fn addresses_between_the_lines_of_the_grid_are_on_it() {
    let reader = Reader::opens("limits&scene.nodes=236&scene.edges=503");
    assert_eq!(
        reader.sees().finding,
        "12 more nodes per pack save 159 packs"
    );
}
