//! Static shapes, on the command line.

use crate::cli::{json, packscope};

#[test]
fn the_command_line_judges_a_list_beside_the_best() {
    let args = [
        "shapes",
        "-",
        "--shapes",
        "2",
        "--lengths",
        "8,128",
        "--tokens",
        "1024",
        "--format",
        "json",
    ];
    let all = json(&args, "10\n10\n12\n100\n");
    let ways = all["ways"].as_array().unwrap();
    assert_eq!(ways[0]["lengths"], serde_json::json!([12, 100]));
    assert_eq!(
        (&ways[0]["padding_tokens"], &ways[0]["shapes"][0]["batch"]),
        (&4.into(), &85.into())
    );
    let given = &ways[ways.len() - 1];
    assert_eq!(
        (&given["method"], &given["padding_tokens"]),
        (&"given".into(), &(3 * 128 - 32 + 28).into())
    );
}

#[test]
fn the_command_line_writes_shapes_and_says_what_it_lacks() {
    let data = "10\n10\n12\n100\n";
    let text = |args: &[&str]| String::from_utf8(packscope(args, data).stdout).unwrap();
    let list = text(&["shapes", "-", "--shapes", "2", "--for", "list"]);
    assert_eq!(list, "12,100\n");
    let given = [
        "shapes",
        "-",
        "--lengths",
        "[16, 32]",
        "--method",
        "given",
        "--for",
        "list",
    ];
    assert_eq!(text(&given), "16,32,100\n");
    let nemo = text(&[
        "shapes",
        "-",
        "--shapes",
        "2",
        "--for",
        "nemo",
        "--tokens",
        "200",
        "--multiple",
        "8",
    ]);
    assert!(
        nemo.ends_with("bucket_duration_bins: [16, 104]\nbucket_batch_size: [12, 1]\n"),
        "{nemo}"
    );
    let table = text(&[
        "shapes",
        "-",
        "--shapes",
        "2",
        "--method",
        "powers-of-two",
        "--limit",
        "64",
    ]);
    assert!(
        table.contains("Powers of two, one by one:\n\nlength"),
        "{table}"
    );
    let refused = |args: &[&str]| {
        let done = packscope(args, data);
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        String::from_utf8(done.stderr).unwrap()
    };
    assert!(refused(&["shapes", "-", "--for", "lhotse"]).contains("--tokens"));
    assert!(refused(&["shapes", "-", "--method", "given"]).contains("--lengths 128,256,512"));
    assert!(refused(&["shapes", "-", "--lengths", "12.5"]).contains("128,256,512"));
    assert!(refused(&["shapes", "-", "--shapes", "0"]).contains("from 1 to 256"));
}
