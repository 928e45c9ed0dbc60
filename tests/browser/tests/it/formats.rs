//! Files that are no text, and several at once: each is read by the part of the page that can, and said what it is.

use anyhow::Result;
use fantoccini::Locator;
use packscope_browser_tests::{Page, SAVED};
use serde_json::Value;
use std::path::Path;

/// A file of the corpus, and what is to be said of it: the same as in `tests/data/odd/outcomes.json`.
fn odd(name: &str) -> Result<(Vec<u8>, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/odd");
    let outcomes: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("outcomes.json"))?)?;
    let said = outcomes[name][0].as_str().unwrap_or_default().to_owned();
    Ok((std::fs::read(folder.join(name))?, said))
}

/// Drops a file of the corpus, and waits until the page says what was expected.
async fn dropped(page: &Page, name: &str) -> Result<()> {
    let (bytes, said) = odd(name)?;
    page.drop_files(&[(name, &bytes)]).await?;
    page.text(said.strip_prefix("error: ").unwrap_or(&said))
        .await
}

#[tokio::test]
async fn arrays_parquet_and_what_is_packed_are_read() -> Result<()> {
    let page = Page::open("", 1440).await?;
    for name in [
        "npy-be-f8.npy",
        "npz-several.npz",
        "gz-two-members.csv.gz",
        "parquet-snappy.parquet",
        "parquet-zstd.parquet",
    ] {
        dropped(&page, name).await?;
        page.settled().await?;
    }
    assert_eq!(page.figure("items").await?, 3.0);
    // What is wrong is told, and what was shown stays.
    for name in [
        "parquet-zstd-damaged.parquet",
        "gz-truncated.csv.gz",
        "npz-encrypted.npz",
        "7z.7z",
    ] {
        dropped(&page, name).await?;
        assert_eq!(page.figure("items").await?, 3.0, "{name}");
    }
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn what_is_refused_is_read_as_its_owner_says() -> Result<()> {
    let page = Page::open("data=glue_cola", 1440).await?;
    page.drop_file("mine.jsonl", "{\"duration\":1.5}\n{\"duration\":2.2}\n")
        .await?;
    page.shown("[data-another] [data-records='2']").await?;
    assert_eq!(page.figure("items").await?, 8551.0);
    page.unfold("[data-otherwise]").await?;
    page.press("another-length", "duration * 50").await?;
    // As exact as the reading is, which takes whole numbers alone.
    page.text("Of the first records: 75, 110.00000000000001; lengths are whole numbers from 1.")
        .await?;
    page.find(Locator::Id("another-length"))
        .await?
        .clear()
        .await?;
    page.press("another-length", "round(duration * 50)").await?;
    page.click("Read it this way").await?;
    page.text("2 sequences, 75–110 frames").await?;
    page.gone("[data-another]").await?;
    page.close().await
}

/// Returns what a list offers, of which the first is chosen.
async fn offered(page: &Page, list: &str) -> Result<String> {
    let script = format!(
        "(l => (l.selectedIndex === 0 ? '' : 'not first: ') + [...l.options].map(o => o.textContent).join(' | '))(document.getElementById('{list}'))"
    );
    Ok(page
        .eval(&script)
        .await?
        .as_str()
        .unwrap_or_default()
        .to_owned())
}

/// What may be the length, or the count, is on offer before anything else: of one file, of several, and of what is pasted.
#[tokio::test]
async fn a_question_is_answered_by_its_candidates() -> Result<()> {
    let page = Page::open("data=glue_cola", 1440).await?;
    let two = "id,duration,times\n7,12,2\n8,40,3\n9,25,2\n";
    page.drop_file("two.csv", two).await?;
    page.text("no name is known to be that of a length").await?;
    assert_eq!(page.figure("items").await?, 8551.0);
    page.unfold("[data-otherwise]").await?;
    page.choose("another-field", "2").await?;
    page.choose("another-count", "3").await?;
    page.click("Read it this way").await?;
    page.text("7 sequences, 12–40 tokens").await?;
    // The count of known lengths is asked for, and the length is kept.
    let zahl = [
        ("a.csv", "length,zahl\n5,1\n6,2\n7,9\n"),
        ("b.csv", "length,zahl\n5,4\n9,1\n7,3\n"),
    ];
    page.drop_files(&zahl.map(|(name, text)| (name, text.as_bytes())))
        .await?;
    page.text("\"zahl\" may be the count").await?;
    assert_eq!(page.figure("items").await?, 7.0);
    let lengths = offered(&page, "another-field").await?;
    assert_eq!(
        lengths,
        "length (numbers: 5, 6, 7) | zahl (numbers: 1, 2, 9)"
    );
    let counts = offered(&page, "another-count").await?;
    assert_eq!(
        counts,
        "zahl (numbers: 1, 2, 9) | none: each record is one item | length (numbers: 5, 6, 7)"
    );
    page.click("Read it this way").await?;
    page.text("20 sequences, 5–9 tokens").await?;
    page.drop_files(&zahl.map(|(name, text)| (name, text.as_bytes())))
        .await?;
    page.text("\"zahl\" may be the count").await?;
    page.choose("another-count", "0").await?;
    page.click("Read it this way").await?;
    page.text("6 sequences, 5–9 tokens").await?;
    // Lines of numbers ask first what they are.
    page.click("paste numbers").await?;
    page.press("pasted", "5 1000 2\n9 1 2\n7 12 3").await?;
    page.click("Read").await?;
    page.shown("[data-another] [data-records='3']").await?;
    page.text("6 sequences, 5–9 tokens").await?;
    page.click("Close").await?;
    page.gone("[data-another]").await?;
    page.close().await
}

#[tokio::test]
async fn folders_of_graphs_are_counted() -> Result<()> {
    let page = Page::open("", 1440).await?;
    dropped(&page, "zip-tu.zip").await?;
    page.shown("main[data-view=graphs][data-state=current]")
        .await?;
    page.unfold("[data-understood]").await?;
    page.text("where both directions are, an edge is two")
        .await?;
    // The same as loose files.
    let files = [
        ("T_A.txt", "1, 2\n2, 1\n3, 4\n4, 3\n"),
        ("T_graph_indicator.txt", "1\n1\n2\n2\n2\n"),
    ];
    page.drop_files(&files.map(|(name, text)| (name, text.as_bytes())))
        .await?;
    page.text("2 graphs, 2–3 nodes (mean 2.5), 2 edges each")
        .await?;
    page.close().await
}

#[tokio::test]
async fn several_files_become_one_and_stand_side_by_side() -> Result<()> {
    let page = Page::open("", 1440).await?;
    let files = [
        ("a.csv", "length,count\n8,2\n"),
        ("b.csv", "length,count\n4,1\n8,1\n"),
    ];
    page.drop_files(&files.map(|(name, text)| (name, text.as_bytes())))
        .await?;
    page.text("4 sequences, 4–8 tokens, mean 7.0").await?;
    page.unfold("[data-understood]").await?;
    page.text("2 files were read as one").await?;
    let share = |file: &str| {
        format!(
            "[aria-label='Files side by side'] [data-file='{file}'] [data-figure=padding_share]"
        )
    };
    page.shown(&share("b.csv")).await?;
    assert_eq!(page.value(&share("a.csv and 1 more")).await?, 0.125);
    assert_eq!(page.value(&share("b.csv")).await?, 0.25);
    // One by itself, and back to all.
    page.click("b.csv").await?;
    page.settled().await?;
    assert_eq!(page.figure("items").await?, 2.0);
    page.click("All of them").await?;
    page.settled().await?;
    assert_eq!(page.figure("items").await?, 4.0);
    // Files of different kinds cannot be one, and the one to blame is named.
    page.drop_files(&[("a.csv", b"length\n8\n"), ("g.csv", b"nodes,edges\n3,2\n")])
        .await?;
    page.text("g.csv").await?;
    assert_eq!(page.figure("items").await?, 4.0);
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn items_of_a_file_are_assigned_to_packs() -> Result<()> {
    let page = Page::open_after(&[SAVED], "").await?;
    // Not for built-in data: nobody has their items.
    page.eval("document.querySelector('#take > summary').click()")
        .await?;
    page.shown("#take h3").await?;
    assert!(!page.has("#take [data-file$='assignment.csv']").await?);
    page.drop_file(
        "items.csv",
        "id,length\nv,100\nw,200\nx,200\ny,100\nz,300\n",
    )
    .await?;
    page.text("5 sequences, 100–300 tokens").await?;
    page.settled().await?;
    page.shown("#take [data-file$='assignment.csv']").await?;
    page.eval("document.querySelector(`#take [data-file$='assignment.csv']`).click()")
        .await?;
    page.holds("Object.values(window.saved).length > 0").await?;
    let text: String = serde_json::from_value(page.eval("Object.values(window.saved)[0]").await?)?;
    let packs: Vec<_> = text
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(1))
        .collect();
    assert_eq!(packs, ["0", "0", "1", "1", "2"], "{text}");
    assert_eq!(page.figure("packs").await?, 3.0);
    page.close().await
}
