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
    /// Lengths, short to long.
    pub lengths: [Rgb; 8],
}

/// Viridis at every tenth (van der Walt and Smith 2015, matplotlib, CC0).
const VIRIDIS: [Rgb; 11] = rgbs([
    0x44_0154, 0x48_2475, 0x41_4487, 0x35_5f8d, 0x2a_788e, 0x21_918c, 0x22_a884, 0x44_bf70, 0x7a_d151,
    0xbd_df26, 0xfd_e725,
]);

/// Returns the colour of a share in [0, 1]; brighter is more.
pub fn viridis(share: f64) -> Rgb {
    let at = if share.is_finite() { share.clamp(0.0, 1.0) * 10.0 } else { 0.0 };
    let low = (at as usize).min(9);
    mix(VIRIDIS[low + 1], VIRIDIS[low], at - low as f64)
}

/// The colours of the page; each line has those of the light and of the dark theme.
const STYLE: &[u8] = include_str!("../../static/style/colours.css").as_bytes();

impl Theme {
    /// Dark ink on white.
    pub const LIGHT: Self = Self {
        padding_wash: rgb(0xde_dede),
        on_wash: rgb(0x5e_5e5e),
        second_accent: rgb(0xdd_7742),
        marginal: rgb(0x4b_5173),
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
        if contrast(dark, ground) >= contrast(light, ground) { dark } else { light }
    }
}

/// Mixes two colours: `share` of the one, the rest of the other.
pub(super) fn mix(one: Rgb, other: Rgb, share: f64) -> Rgb {
    std::array::from_fn(|i| (f64::from(one[i]) * share + f64::from(other[i]) * (1.0 - share)).round() as u8)
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
        c if c <= 0.04045 => c / 12.92,
        c => ((c + 0.055) / 1.055).powf(2.4),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_steps_are_equal_and_the_limit_is_in_the_last() {
        let steps: Vec<usize> = (1..=512).map(|l| Hues::equal(512).step(l)).collect();
        assert!((0..8).all(|s| steps.iter().filter(|x| **x == s).count() == 64));
        let step = |length, limit| Hues::equal(limit).step(length);
        assert_eq!([step(64, 512), step(65, 512), step(u32::MAX, 512), step(3, 0)], [0, 1, 7, 7]);
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
                assert!(contrast(theme.on_length(length, 512), ground) >= 4.5, "{length}");
            }
        }
    }

    #[test]
    fn marks_are_seen_on_the_page() {
        for theme in [Theme::LIGHT, Theme::DARK] {
            let marks = [theme.accent, theme.second_accent, theme.padding, theme.marginal, theme.control];
            for mark in marks {
                assert!(contrast(mark, theme.background) >= 3.0, "{mark:x?}");
            }
        }
        // On the light page the short lengths are pale, and drawn within an outline of ink.
        assert!(Theme::DARK.lengths.iter().all(|c| contrast(*c, Theme::DARK.background) >= 3.0));
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

    /// Returns a colour as such eyes see it, in CIE L*a*b*.
    fn seen(colour: Rgb, eyes: &[[f64; 3]; 3]) -> [f64; 3] {
        let light = linear(colour);
        let dot = |row: &[f64; 3], v: [f64; 3]| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
        let [r, g, b] = eyes.each_ref().map(|row| dot(row, light).clamp(0.0, 1.0));
        let root = |t: f64| if t > 0.008_856 { t.cbrt() } else { (903.3 * t + 16.0) / 116.0 };
        let x = root(dot(&[0.4124, 0.3576, 0.1805], [r, g, b]) / 0.9505);
        let y = root(dot(&[0.2126, 0.7152, 0.0722], [r, g, b]));
        let z = root(dot(&[0.0193, 0.1192, 0.9505], [r, g, b]) / 1.0888);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn all_eyes_tell_lengths_from_each_other_and_from_padding() {
        for theme in [Theme::LIGHT, Theme::DARK] {
            for eyes in &EYES {
                let padding = seen(theme.padding, eyes);
                let steps = theme.lengths.map(|c| seen(c, eyes));
                assert!(steps.windows(2).all(|w| w[0][0] > w[1][0] + 1.0), "not falling: {steps:?}");
                assert!(steps.windows(2).all(|w| apart(w[0], w[1]) >= 8.0), "too near: {steps:?}");
                assert!(steps.iter().all(|step| apart(*step, padding) >= 13.0), "as grey: {steps:?}");
            }
        }
    }

    #[test]
    fn more_is_brighter_and_the_least_is_seen_on_the_page() {
        let shares = || (0..=100).map(|percent| f64::from(percent) / 100.0);
        let light: Vec<f64> = shares().map(|share| luminance(viridis(share))).collect();
        assert!(light.windows(2).all(|w| w[0] < w[1]), "{light:?}");
        assert_eq!([viridis(-1.0), viridis(f64::NAN), viridis(2.0)], [VIRIDIS[0], VIRIDIS[0], VIRIDIS[10]]);
        for theme in [Theme::LIGHT, Theme::DARK] {
            assert!(shares().all(|share| contrast(theme.heat(share), theme.background) > 1.4));
            assert!(contrast(theme.on_wash, theme.padding_wash) >= 4.5);
            assert!(contrast(theme.accent, theme.second_accent) >= 1.4);
        }
    }

    #[test]
    fn colours_are_mixed_by_shares() {
        assert_eq!(mix([200; 3], [100; 3], 0.25), [125; 3]);
    }
}
