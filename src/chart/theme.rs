//! Colours. Grey means padding, colour means length, the accent is the present setting; nothing else.

use plotters::style::RGBColor;

/// Steps of the length scale.
pub const STEPS: usize = 8;

/// Colours of a theme; the same values stand in `static/style.css`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// The page.
    pub background: RGBColor,
    /// Text and outlines.
    pub ink: RGBColor,
    /// Text of less weight.
    pub second: RGBColor,
    /// Rules and grids.
    pub hairline: RGBColor,
    /// The present setting.
    pub accent: RGBColor,
    /// Padding.
    pub padding: RGBColor,
    /// Lengths, short to long.
    pub lengths: [RGBColor; STEPS],
}

const fn rgb(hex: u32) -> RGBColor {
    RGBColor((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

impl Theme {
    /// On white.
    pub const LIGHT: Self = Self {
        background: rgb(0xff_ffff),
        ink: rgb(0x13_202b),
        second: rgb(0x4c_5d6b),
        hairline: rgb(0xd8_e1e8),
        accent: rgb(0xbf_360c),
        padding: rgb(0x94_9494),
        lengths: [
            rgb(0xec_c94f),
            rgb(0xc0_c15c),
            rgb(0x87_b46a),
            rgb(0x4c_a287),
            rgb(0x20_8190),
            rgb(0x26_6c9c),
            rgb(0x32_548f),
            rgb(0x2a_366f),
        ],
    };
    /// On dark blue.
    pub const DARK: Self = Self {
        background: rgb(0x0e_151b),
        ink: rgb(0xe6_edf2),
        second: rgb(0x9f_b0bd),
        hairline: rgb(0x25_323c),
        accent: rgb(0xff_7f50),
        padding: rgb(0x6e_6e6e),
        lengths: [
            rgb(0xf0_d06a),
            rgb(0xc3_cb68),
            rgb(0x8a_c57c),
            rgb(0x56_b898),
            rgb(0x40_a5b3),
            rgb(0x47_93c8),
            rgb(0x45_6fb5),
            rgb(0x54_5fae),
        ],
    };

    /// Step of a length on the scale of eight equal parts of the limit.
    pub fn step(length: u32, limit: u32) -> usize {
        let step = (u64::from(length.max(1)) - 1) * STEPS as u64 / u64::from(limit.max(1));
        (step as usize).min(STEPS - 1)
    }

    /// Colour of a length.
    pub fn length(&self, length: u32, limit: u32) -> RGBColor {
        self.lengths[Self::step(length, limit)]
    }
}
