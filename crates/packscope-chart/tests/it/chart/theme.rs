//! Colours: contrast, what all eyes tell apart, and the colours of counts.

use packscope_chart::{Hues, Rgb, Theme, contrast, viridis};

#[test]
fn the_eight_steps_are_equal_and_the_limit_is_in_the_last() {
    let steps: Vec<usize> = (1..=512).map(|l| Hues::equal(512).step(l)).collect();
    assert!((0..8).all(|s| steps.iter().filter(|x| **x == s).count() == 64));
    let step = |length, limit| Hues::equal(limit).step(length);
    assert_eq!(
        [
            step(64, 512),
            step(65, 512),
            step(u32::MAX, 512),
            step(3, 0)
        ],
        [0, 1, 7, 7]
    );
}

#[test]
fn text_reads_on_the_page_and_on_padding() {
    for theme in [Theme::LIGHT, Theme::DARK] {
        for text in [theme.ink, theme.second_ink, theme.accent] {
            assert!(contrast(text, theme.background) >= 4.5);
        }
        assert!(contrast(theme.ink, theme.padding) >= 4.5);
        for length in (1..=512).step_by(64) {
            let ground = theme.length_colour(length, 512);
            assert!(
                contrast(theme.on_length(length, 512), ground) >= 4.5,
                "{length}"
            );
        }
    }
}

#[test]
fn marks_are_seen_on_the_page() {
    for theme in [Theme::LIGHT, Theme::DARK] {
        let marks = [
            theme.accent,
            theme.second_accent,
            theme.padding,
            theme.marginal,
            theme.control,
        ];
        for mark in marks {
            assert!(contrast(mark, theme.background) >= 3.0, "{mark:x?}");
        }
    }
    // On the light page the short lengths are pale, and drawn within an outline of ink.
    assert!(
        Theme::DARK
            .lengths
            .iter()
            .all(|c| contrast(*c, Theme::DARK.background) >= 3.0)
    );
}

/// Vision without one of the three cones (Machado, Oliveira and Fernandes 2009), and with all three.
const EYES: [[[f64; 3]; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
    [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ],
];

/// Linear light of a colour, as sRGB defines it.
fn linear(colour: Rgb) -> [f64; 3] {
    colour.map(|c| match f64::from(c) / 255.0 {
        c if c <= 0.04045 => c / 12.92,
        c => ((c + 0.055) / 1.055).powf(2.4),
    })
}

/// Returns a colour as such eyes see it, in CIE L*a*b*.
fn seen(colour: Rgb, eyes: &[[f64; 3]; 3]) -> [f64; 3] {
    let light = linear(colour);
    let dot = |row: &[f64; 3], v: [f64; 3]| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
    let [r, g, b] = eyes.each_ref().map(|row| dot(row, light).clamp(0.0, 1.0));
    let root = |t: f64| {
        if t > 0.008_856 {
            t.cbrt()
        } else {
            (903.3 * t + 16.0) / 116.0
        }
    };
    let x = root(dot(&[0.4124, 0.3576, 0.1805], [r, g, b]) / 0.9505);
    let y = root(dot(&[0.2126, 0.7152, 0.0722], [r, g, b]));
    let z = root(dot(&[0.0193, 0.1192, 0.9505], [r, g, b]) / 1.0888);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).powi(2))
        .sum::<f64>()
        .sqrt()
}

#[test]
fn all_eyes_tell_lengths_from_each_other_and_from_padding() {
    for theme in [Theme::LIGHT, Theme::DARK] {
        for eyes in &EYES {
            let padding = seen(theme.padding, eyes);
            let steps = theme.lengths.map(|c| seen(c, eyes));
            assert!(
                steps.windows(2).all(|w| w[0][0] > w[1][0] + 1.0),
                "not falling: {steps:?}"
            );
            assert!(
                steps.windows(2).all(|w| apart(w[0], w[1]) >= 8.0),
                "too near: {steps:?}"
            );
            assert!(
                steps.iter().all(|step| apart(*step, padding) >= 13.0),
                "as grey: {steps:?}"
            );
        }
    }
}

/// The first colour of viridis.
const DARKEST: Rgb = [0x44, 0x01, 0x54];

#[test]
fn more_is_brighter_and_the_least_is_seen_on_the_page() {
    let shares = || (0..=100).map(|percent| f64::from(percent) / 100.0);
    let light: Vec<f64> = shares()
        .map(|share| contrast(viridis(share), [0; 3]))
        .collect();
    assert!(light.windows(2).all(|w| w[0] < w[1]), "{light:?}");
    assert_eq!(
        [viridis(-1.0), viridis(f64::NAN), viridis(2.0)],
        [DARKEST, DARKEST, [0xfd, 0xe7, 0x25]]
    );
    for theme in [Theme::LIGHT, Theme::DARK] {
        assert!(shares().all(|share| contrast(theme.heat(share), theme.background) > 1.4));
        assert!(contrast(theme.on_wash, theme.padding_wash) >= 4.5);
        assert!(contrast(theme.accent, theme.second_accent) >= 1.4);
    }
}

#[test]
fn colours_are_mixed_by_shares() {
    // A quarter and a half of the way from the first colour of viridis to the next.
    let next = [0x48, 0x24, 0x75];
    assert_eq!([viridis(0.0), viridis(0.1)], [DARKEST, next]);
    assert_eq!(
        [viridis(0.025), viridis(0.05)],
        [[69, 10, 92], [70, 19, 101]]
    );
}
