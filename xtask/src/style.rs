//! Joins the style of the page from its parts.

use anyhow::{Context, Result, ensure};
use xshell::Shell;

/// The folder of the parts, and the file that `index.html` names.
const PARTS: &str = "static/style";
const JOINED: &str = "target/page/style.css";

pub fn join(sh: &Shell) -> Result<()> {
    let whole = whole(&sh.read_file(format!("{PARTS}/style.css"))?, |part| {
        Ok(sh.read_file(format!("{PARTS}/{part}"))?)
    })?;
    Ok(sh.write_file(JOINED, whole)?)
}

/// Returns the style with `@import`ed parts and the conditions of `@custom-media` inlined: browsers load imports one
/// after the other, and do not support the latter (Media Queries Level 5, "Custom Media Queries"). Libraries that do
/// would add a hundred crates.
fn whole(main: &str, read: impl Fn(&str) -> Result<String>) -> Result<String> {
    let (mut style, mut names) = (String::new(), Vec::new());
    for line in main.lines() {
        if let Some(part) = line.strip_prefix("@import \"") {
            style += &read(part.trim_end_matches("\";"))?;
        } else if let Some(named) = line.strip_prefix("@custom-media ") {
            let named = named
                .strip_suffix(';')
                .and_then(|named| named.split_once(' '));
            let (name, condition) =
                named.with_context(|| format!("{line}: a name, a condition and ;"))?;
            // A later condition may refer to earlier ones.
            names.insert(0, (format!("({name})"), condition.to_owned()));
        }
    }
    let style = names
        .iter()
        .fold(without_comments(&style)?, |style, (name, condition)| {
            style.replace(name, condition)
        });
    let unknown = style
        .lines()
        .find(|line| line.starts_with("@media") && line.contains("(--"));
    ensure!(
        unknown.is_none(),
        "no @custom-media has the name in {unknown:?}"
    );
    Ok(style)
}

/// The lines of a style that are more than comments.
fn without_comments(style: &str) -> Result<String> {
    let mut pieces = style.split("/*");
    let mut bare = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        bare += piece
            .split_once("*/")
            .with_context(|| format!("a comment without an end: {piece}"))?
            .1;
    }
    Ok(bare
        .lines()
        // Indents go too: the style is in the first download.
        .filter(|line| !line.trim().is_empty())
        .map(|line| format!("{}\n", line.trim()))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::whole;

    const MAIN: &str = "@custom-media --small (max-width: 9em);
@custom-media --low (not (--small)) and (max-height: 9em);
@import \"a.css\";
@import \"b.css\";
";

    #[test]
    fn parts_stand_in_order_and_names_are_conditions() {
        let whole = whole(MAIN, |part| {
            Ok(if part == "a.css" {
                "/* Of a laptop. */\n@media (--low) {\n}\n"
            } else {
                "@media (--small) {\n}\n"
            }
            .to_owned())
        });
        let style = "@media (not (max-width: 9em)) and (max-height: 9em) {\n}\n@media (max-width: 9em) {\n}\n";
        assert_eq!(whole.expect("a style"), style);
    }

    #[test]
    fn a_name_that_nothing_declares_is_refused() {
        let whole = whole(MAIN, |_| Ok("@media (--large) {\n}\n".to_owned()));
        assert!(whole.expect_err("a name").to_string().contains("(--large)"));
    }
}
