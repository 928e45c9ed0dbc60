//! Several files, on the command line.

#[test]
fn the_command_line_reads_several_files_folders_and_samples() {
    use crate::cli::packscope;
    let described = |args: &[&str]| {
        let out = packscope(&[&["describe"], args].concat(), "");
        let text = String::from_utf8_lossy(if out.status.success() {
            &out.stdout
        } else {
            &out.stderr
        });
        (
            text.into_owned(),
            String::from_utf8_lossy(&out.stderr).into_owned(),
        )
    };
    let odd = |name: &str| format!("tests/data/odd/{name}");
    let (csv, npy, parquet) = (
        odd("csv-plain.csv"),
        odd("npy-le-i4.npy"),
        odd("parquet-zstd.parquet"),
    );
    let (text, notes) = described(&[&csv, &npy, &parquet]);
    assert!(
        text.contains("13 sequences, 12–100 tokens") && text.contains("read as      table"),
        "{text}"
    );
    assert!(notes.ends_with("3 files were read as one\n"), "{notes}");
    let (text, notes) = described(&[&npy, "--sample", "1"]);
    assert!(
        text.contains("1 sequence, 12 tokens each; a sample: the first 1 record"),
        "{text}"
    );
    assert!(
        notes.contains(&format!("{npy}: only the first 1 record was read")),
        "{notes}"
    );
    let (text, _) = described(&[&odd("tu"), "--components", "2"]);
    assert!(
        text.contains("items        2, 2 distinct sizes in all components"),
        "{text}"
    );
    let (error, _) = described(&[&csv, &odd("parquet-date.parquet")]);
    assert!(
        error.contains("parquet-date.parquet, the columns: no column is known to be a length"),
        "{error}"
    );
}
