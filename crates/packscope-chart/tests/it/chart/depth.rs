//! Efficiency against depth.

use super::{SETS, assert_placed, drawn, svg, texts};
use crate::common::built_in;
use packscope::api::{Settings, run_on};
use packscope::packing::Depth;
use packscope::packing::{Algorithm, go_on};
use packscope_chart::{Chart, Frame, Mark, Scale, Scene, Theme, depth};

/// The depths of the curve on the page.
const DEPTHS: [Depth; 9] = [
    Depth::AtMost(1),
    Depth::AtMost(2),
    Depth::AtMost(3),
    Depth::AtMost(4),
    Depth::AtMost(6),
    Depth::AtMost(8),
    Depth::AtMost(12),
    Depth::AtMost(16),
    Depth::Unlimited,
];

/// Efficiencies at [`DEPTHS`].
type Values = Vec<Option<f64>>;

/// Those of the algorithms, and the bound.
fn efficiencies(name: &str, limit: u32) -> (Vec<(Algorithm, Values)>, Values) {
    let algorithms = [
        Algorithm::Lpfhp,
        Algorithm::BestFitDecreasing,
        Algorithm::Spfhp,
        Algorithm::None,
    ];
    let histogram = built_in(name);
    let figures = |algorithm, depth| {
        let settings = Settings {
            limit,
            algorithm,
            depth,
            ..Settings::default()
        };
        run_on(&histogram, &settings, 0, &mut go_on)
            .unwrap()
            .figures
    };
    let curve = |a| {
        (
            a,
            DEPTHS.map(|d| Some(figures(a, d).efficiency[0])).to_vec(),
        )
    };
    let bound = DEPTHS.map(|d| {
        let f = figures(Algorithm::Lpfhp, d);
        Some(f.real_tokens[0] as f64 / (f.lower_bound.unwrap() as f64 * f64::from(limit)))
    });
    (algorithms.map(curve).to_vec(), bound.to_vec())
}

#[test]
fn depth_curves_that_coincide_share_a_name_and_names_never_touch() {
    for (name, limit) in SETS {
        let (values, bound) = efficiencies(name, limit);
        let curves: Vec<_> = values
            .into_iter()
            .map(|(a, values)| depth::AlgorithmCurve {
                name: a.short_name(),
                values,
            })
            .collect();
        for (scale, sizes) in [
            (
                Scale::Log,
                &[(330.0, 330.0), (430.0, 330.0), (700.0, 330.0)][..],
            ),
            (Scale::Linear, &[(430.0, 330.0)]),
        ] {
            let input = depth::Input {
                depths: DEPTHS.to_vec(),
                curves: curves.clone(),
                bound: bound.clone(),
                chosen: Some(0),
                depth: Some(2),
                scale,
                caption: "sequences per row at most (depth)",
            };
            let all = drawn(&format!("depth-{name}-{scale:?}"), &input, sizes);
            for (name, scene, frame) in all {
                let layout = input.plane(&frame).unwrap();
                assert!(texts(&scene).iter().any(|t| t.ends_with("% at depth 3")));
                let near = (layout.x(4.0) + 1.0, 0.0);
                assert_eq!(input.hit(near, &frame), Some([4, 0]));
                let said = texts(&scene).iter().any(|t| t.starts_with("no plan"));
                assert!(said || frame.width < 400.0, "{name}");
                names_apart(&scene, layout.plot.right);
            }
        }
    }
}

fn names_apart(scene: &Scene, right: f64) {
    let name = |mark: &Mark| match mark {
        Mark::Text { at, anchor: -1, .. } if at.0 > right => Some(at.1),
        _ => None,
    };
    let mut ys: Vec<f64> = scene.marks.iter().filter_map(name).collect();
    ys.sort_by(f64::total_cmp);
    assert!(
        ys.windows(2).all(|pair| pair[1] - pair[0] >= 14.9),
        "{ys:?}"
    );
}

#[test]
fn an_efficiency_of_one_and_missing_points_are_drawn() {
    let full = vec![Some(0.1), Some(0.7), None, Some(1.0), Some(1.0)];
    let alone = vec![None, None, Some(0.95), None, None];
    let curves = [
        depth::AlgorithmCurve {
            name: "full",
            values: full,
        },
        depth::AlgorithmCurve {
            name: "alone",
            values: alone,
        },
    ];
    let frame = Frame::svg(430.0, 330.0, Theme::LIGHT).pointing([1, 0]);
    for scale in [Scale::Log, Scale::Linear] {
        let input = depth::Input {
            depths: DEPTHS[..5].to_vec(),
            curves: curves.to_vec(),
            bound: vec![],
            chosen: Some(0),
            depth: Some(3),
            scale,
            caption: "",
        };
        let (scene, layout) = (input.scene(&frame), input.plane(&frame).unwrap());
        let text = svg(&format!("depth-full-{scale:?}"), &scene, &frame);
        assert!(texts(&scene).contains(&"100 % at depth 4"));
        assert!(texts(&scene).contains(&"100 %"));
        assert!(!text.contains("NaN") && layout.plot.width() > 200.0);
        assert_eq!(input.hit((layout.x(1.0) + 1.0, 0.0), &frame), Some([1, 0]));
        let steps = [[1, 0], [0, -2], [9, 0]].map(|by| input.step(None, by, &frame));
        assert_eq!(steps, [Some([4, 0]), Some([1, 0]), Some([4, 0])]);
        assert_eq!(
            input.table().unwrap().rows[1][..4],
            ["alone", "–", "–", "95.0 %"]
        );
    }
    let nothing = depth::Input {
        depths: vec![],
        curves: vec![],
        bound: vec![],
        chosen: None,
        depth: None,
        scale: Scale::Log,
        caption: "",
    };
    assert_placed("small-depth", &[&nothing], [1, 0]);
    assert_eq!(nothing.hit((3.0, 3.0), &frame), None);
    assert_eq!(nothing.step(None, [1, 0], &frame), None);
}
