//! Names with control characters, on the command line.

use crate::cli::packscope;
use packscope::words::visible;

#[test]
fn no_control_in_a_name_is_printed() {
    let folder = std::env::temp_dir().join(format!("packscope-printed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("\u{1b}[31m\u{202e}red\r.csv");
    std::fs::write(&file, "length,count\n5,10\n9,3\n").unwrap();
    let file = file.to_str().unwrap();
    let column = "a\u{1b}\u{202e}\r'b";
    let runs: [&[&str]; 4] = [
        &[
            "export", "figures", file, "--limit", "16", "--format", "markdown",
        ],
        &[
            "export", "count", "--tool", "duckdb", "--path", file, "--ids", column,
        ],
        &["describe", file],
        &["describe", file, "--length-column", column],
    ];
    for args in runs {
        let out = packscope(args, "");
        for stream in [&out.stdout, &out.stderr] {
            let text = String::from_utf8(stream.clone()).unwrap();
            assert!(text.chars().all(|c| visible(c) == c), "{args:?}: {text:?}");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}
