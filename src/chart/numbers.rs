//! Numbers as labels write them.

/// With separators: `16,279,552`.
pub(super) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.char_indices() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Short: `20 k`, `1.2 M`, `3 G`.
pub(super) fn short(n: u64) -> String {
    let (unit, name) = match n {
        0..1000 => return count(n),
        1000..1_000_000 => (1e3, "k"),
        1_000_000..1_000_000_000 => (1e6, "M"),
        1_000_000_000.. => (1e9, "G"),
    };
    let tenths = (n as f64 / unit * 10.0).round() / 10.0;
    format!("{tenths} {name}")
}

/// A share in percent: `23.4 %`, `0.12 %`, `0 %`, `< 0.01 %`.
pub(super) fn share(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 {
        "0 %".to_owned()
    } else if percent < 0.005 {
        "< 0.01 %".to_owned()
    } else if percent < 9.995 {
        format!("{percent:.2} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// An efficiency in percent; as many digits as keep it apart from 100 %.
pub(super) fn efficiency(efficiency: f64) -> String {
    if efficiency >= 1.0 {
        return "100 %".to_owned();
    }
    let written = |digits: usize| format!("{:.digits$}", efficiency * 100.0);
    let digits = (2..7).find(|d| !written(*d).starts_with("100")).unwrap_or(7);
    format!("{} %", written(digits))
}

/// A tick of a percent axis: without needless zeros.
pub(super) fn tick_percent(share: f64) -> String {
    let rounded = (share * 1e9).round() / 1e7;
    format!("{rounded} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([count(0), count(999), count(16_279_552)], ["0", "999", "16,279,552"]);
        assert_eq!([short(5000), short(20_400), short(1_200_000)], ["5 k", "20.4 k", "1.2 M"]);
        assert_eq!(
            [share(0.2343), share(0.0012), share(1e-6), share(0.0)],
            ["23.4 %", "0.12 %", "< 0.01 %", "0 %"]
        );
        assert_eq!(
            [efficiency(0.8948), efficiency(0.999_999), efficiency(1.0)],
            ["89.48 %", "99.9999 %", "100 %"]
        );
        assert_eq!([tick_percent(0.9999), tick_percent(0.5)], ["99.99 %", "50 %"]);
    }
}
