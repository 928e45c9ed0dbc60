//! Options of the settings, on the command line.

use packscope::api::fields::{batches, graphs, ranks, sequences, shapes};
use packscope::packing::Algorithm;

#[test]
fn the_command_line_has_every_setting() {
    let help = |command| {
        String::from_utf8(crate::cli::packscope(&[command, "--help"], "").stdout).unwrap()
    };
    let (pack, batch) = (help("pack"), help("batch"));
    let options = sequences::ALL
        .iter()
        .map(|f| f.option)
        .chain(graphs::ALL.iter().map(|f| f.option));
    options.for_each(|option| assert!(pack.contains(&format!("--{option} <")), "{option}: {pack}"));
    let few = help("shapes");
    shapes::ALL
        .iter()
        .for_each(|f| assert!(few.contains(&format!("--{} <", f.option)), "{few}"));
    let options = batches::ALL.iter().map(|f| f.option);
    options.for_each(|option| {
        assert!(
            batch.contains(&format!("--{option} <")),
            "{option}: {batch}"
        )
    });
    let (ranks, options) = (help("ranks"), ranks::ALL.iter().map(|f| f.option));
    options.for_each(|option| {
        assert!(
            ranks.contains(&format!("--{option} <")),
            "{option}: {ranks}"
        )
    });
    for (name, about) in Algorithm::ALL.map(|a| (a.name(), a.about())) {
        assert!(pack.contains(&format!("{name}: {about}")), "{name}: {pack}");
    }
}
