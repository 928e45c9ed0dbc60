//! The built page as a visitor uses it, under a sub-path of a plain static host.

use anyhow::{Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};
use serde_json::json;

#[tokio::test]
async fn the_page_opens_with_the_answer() -> Result<()> {
    let page = Page::open("room=all", 1440).await?;
    page.text(
        "In random batches of 64, padded to their longest, half of the slots are padding. Packed: 0.05 %.",
    )
    .await?;
    page.text("23 % of the sequences fill the row").await?;
    assert_eq!(page.figure("packs").await?, 8_138_483.0);
    assert_eq!(page.figure("items").await?, 16_279_552.0);
    assert_eq!(page.figure("lower_bound").await?, 8_135_727.0);
    assert!((page.figure("baseline_padding_share").await? - 0.500_332).abs() < 1e-6);
    page.compared().await?;
    assert_eq!(page.of("spfhp", "packs").await?, 8_166_708.0);
    assert_eq!(page.of("first-fit-decreasing", "packs").await?, 8_138_483.0);
    page.shown("#speedup[data-state=current]").await?;
    let plots = page
        .find_all(Locator::Css("canvas[role=img][aria-label]"))
        .await?;
    assert_eq!(plots.len(), 6);
    page.close().await
}

/// Source: `tests/data/golden_lengths.json`, counts of the published code.
#[tokio::test]
#[ignore = "outer circle"]
async fn published_counts_are_read_from_the_screen() -> Result<()> {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../../../data/golden_lengths.json"))?;
    let page = Page::blank(1440).await?;
    for name in ["wikipedia_bert_512", "squad_1_1_bert_384"] {
        let set = &golden["lengths"][name];
        page.go(&format!("data={name}&limit={}", set["L"])).await?;
        for depth in ["1", "2", "3", "8", "max"] {
            let shown = depth.replace("max", "unlimited");
            for algorithm in ["lpfhp", "spfhp"] {
                page.follow(&format!(
                    "data={name}&limit={}&depth={shown}&algorithm={algorithm}",
                    set["L"]
                ))
                .await?;
                let packs = page.figure("packs").await?;
                let want = set[algorithm][depth]["packs"].as_f64();
                // At depth 1 every item has a row of its own.
                let want = want.or(if depth == "1" {
                    Some(page.figure("items").await?)
                } else {
                    None
                });
                assert_eq!(Some(packs), want, "{name} {algorithm} {depth}");
            }
        }
    }
    page.close().await
}

#[tokio::test]
async fn limit_and_depth_move_by_keyboard() -> Result<()> {
    let page = Page::open(
        "data=squad_1_1_bert_384&limit=384&depth=unlimited&algorithm=lpfhp",
        1440,
    )
    .await?;
    assert_eq!(page.figure("packs").await?, 40_631.0);
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.settled().await?;
    assert_eq!(page.figure("packs").await?, 88_641.0);
    page.press("depth", &keys(Key::Right, 1)).await?;
    page.settled().await?;
    assert_eq!(page.figure("packs").await?, 45_335.0);
    page.press("depth", &keys(Key::Right, 1)).await?;
    page.settled().await?;
    assert_eq!(page.figure("packs").await?, 40_631.0);
    // Three tokens less: what is longer is cut, and said to be waste.
    page.press("limit", &keys(Key::Left, 3)).await?;
    page.settled().await?;
    assert!(page.figure("waste_tokens").await? > 0.0);
    page.text("longer than the limit; waste:").await?;
    page.press("limit", &keys(Key::Right, 3)).await?;
    page.settled().await?;
    assert_eq!(
        (
            page.figure("packs").await?,
            page.figure("waste_tokens").await?
        ),
        (40_631.0, 0.0)
    );
    page.close().await
}

#[tokio::test]
async fn other_data_and_algorithms_are_chosen() -> Result<()> {
    let page = Page::open("room=all", 1440).await?;
    page.choose("data", "glue_cola").await?;
    page.text("8,551 sequences, 4–47 tokens").await?;
    page.settled().await?;
    page.text("91.2 %").await?;
    assert_eq!(page.figure("items").await?, 8551.0);
    page.choose("algorithm", "spfhp").await?;
    page.settled().await?;
    page.compared().await?;
    assert_eq!(
        page.figure("packs").await?,
        page.of("spfhp", "packs").await?
    );
    page.find(Locator::Css("[data-algorithm=greedy] button"))
        .await?
        .click()
        .await?;
    page.settled().await?;
    assert!(page.figure("packs").await? > page.of("lpfhp", "packs").await?);
    page.find(Locator::Css("[data-algorithm=sort] button"))
        .await?
        .click()
        .await?;
    page.settled().await?;
    page.text("shorter ones").await?;
    page.close().await
}

#[tokio::test]
async fn own_files_are_dropped_pasted_and_read_another_way() -> Result<()> {
    let page = Page::open("", 1440).await?;
    let before = page.figure("items").await?;
    page.drop_file("mine.csv", "a,b\n10,3\n20,1\nbad,1\n")
        .await?;
    // Nobody knows which column is the length, and a third of them is none: both are asked.
    page.text("no column is known to be a length").await?;
    page.shown("[data-another] [data-records='4']").await?;
    page.choose("another-field", "1").await?;
    page.click("Read it this way").await?;
    page.text("1 line of 3 (33.3 %) cannot be read").await?;
    assert_eq!(page.figure("items").await?, before);
    page.click("Read without 1 record that cannot be read")
        .await?;
    page.text("2 sequences, 10–20 tokens").await?;
    page.gone("[data-another]").await?;
    page.text("1 line skipped").await?;
    page.settled().await?;
    assert_eq!(page.figure("items").await?, 2.0);
    page.click("1 skipped (33.3 %): see why").await?;
    page.text("line 4, column 1: \"bad\" is not a length")
        .await?;
    page.unfold("[data-understood]").await?;
    page.choose("count-column", "b").await?;
    page.text("1 line of a table of counts cannot be read")
        .await?;
    page.click("Read without 1 record that cannot be read")
        .await?;
    page.text("4 sequences, 10–20 tokens").await?;
    page.settled().await?;
    assert_eq!(
        (page.figure("items").await?, page.figure("packs").await?),
        (4.0, 3.0)
    );
    page.click("paste numbers").await?;
    page.press("pasted", "3, 5, 8").await?;
    page.click("Read").await?;
    page.text("3 sequences, 3–8 tokens").await?;
    page.settled().await?;
    assert_eq!(page.figure("packs").await?, 2.0);
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn the_fields_of_json_are_a_list_to_choose_from() -> Result<()> {
    let page = Page::open("", 1440).await?;
    let records = "{\"instruction\":\"Say it.\",\"output\":\"So it is said now.\",\"meta\":{\"tokens\":300,\"ok\":true}}\n\
                   {\"instruction\":\"And again.\",\"output\":\"Again.\",\"meta\":{\"tokens\":200,\"ok\":true}}\n";
    page.drop_file("chat.jsonl", records).await?;
    // Nobody knows which field is meant: the page asks.
    page.text("no field is known to be a length").await?;
    page.shown("[data-another] [data-records='2']").await?;
    let offered = "[...document.querySelectorAll('#another-field option')].map(o => o.textContent).join(' | ')";
    assert_eq!(
        page.eval(offered).await?,
        "detect | instruction (text) | output (text) | meta.tokens (numbers: 300)"
    );
    page.choose("another-field", "output").await?;
    page.click("Read it this way").await?;
    page.text("2 sequences, 2–6 words").await?;
    page.gone("[data-another]").await?;
    // Words are no tokens, and the way to tokens is said.
    page.text("For exact lengths, drop the tokenizer.json of the model here too.")
        .await?;
    let listed = "[...document.querySelectorAll('#length-column option')].map(o => o.textContent).join(' | ')";
    assert_eq!(
        page.eval(listed).await?,
        "detect | instruction (text) | output (text) | meta.tokens (number)"
    );
    page.text("output of chat.jsonl, 2 records; not read: instruction, meta.tokens, meta.ok")
        .await?;
    page.unfold("[data-understood]").await?;
    page.text("Not read: instruction, meta.tokens, meta.ok.")
        .await?;
    page.choose("length-column", "meta.tokens").await?;
    page.text("2 sequences, 200–300 tokens").await?;
    page.settled().await?;
    assert_eq!(page.figure("real_tokens").await?, 500.0);
    // Each of them is one sequence, unless a field of numbers says how many.
    let counts =
        "[...document.querySelectorAll('#count-column option')].map(o => o.value).join(' | ')";
    assert_eq!(page.eval(counts).await?, " | meta.tokens");
    page.close().await
}

#[tokio::test]
async fn a_length_is_computed_from_columns() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.drop_file(
        "spans.csv",
        "id,length,start,end\na,3,2,12\nb,4,5,35\nc,5,1,6\n",
    )
    .await?;
    page.text("3 sequences, 3–5 tokens").await?;
    page.unfold("[data-understood]").await?;
    page.press(
        "length-column-computed",
        &format!("end - start{}", keys(Key::Enter, 1)),
    )
    .await?;
    page.text("3 sequences, 5–30 tokens").await?;
    page.text("Computed for the first records: 10; 30; 5.")
        .await?;
    page.text("Not read: id, length.").await?;
    page.settled().await?;
    assert_eq!(page.figure("real_tokens").await?, 45.0);
    // What is no formula is explained, and changes nothing.
    page.press(
        "length-column-computed",
        &format!(" +{}", keys(Key::Enter, 1)),
    )
    .await?;
    page.text("a formula was understood up to its end").await?;
    page.text("3 sequences, 5–30 tokens").await?;
    page.close().await
}

#[tokio::test]
async fn a_bad_file_and_a_refused_setting_are_explained_and_change_nothing() -> Result<()> {
    let page = Page::open("", 1440).await?;
    let before = page.figure("packs").await?;
    page.drop_file("bad.csv", "length,count\nabc,3\n").await?;
    page.text("bad.csv: line 2, column 1: \"abc\" is not a length")
        .await?;
    page.text("whole numbers from 1 to 4,294,967,295").await?;
    page.text("16,279,552 sequences").await?;
    assert_eq!(page.figure("packs").await?, before);
    page.click("Close").await?;
    assert!(!page.has("[data-notice=problem]").await?);
    // So is a setting that is refused: the last answer stays.
    page.choose("overlong", "reject").await?;
    page.press("limit", &keys(Key::Left, 1)).await?;
    page.text("3,815,044 items are larger than the limit of 511")
        .await?;
    assert_eq!(page.figure("packs").await?, 8_138_483.0);
    page.press("limit", &keys(Key::Right, 1)).await?;
    page.settled().await?;
    page.close().await
}

#[tokio::test]
async fn a_shared_link_gives_the_same_figures() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.choose("data", "gsm8k_train").await?;
    page.text("7,473 sequences").await?;
    page.press("depth", &keys(Key::Left, 4)).await?;
    page.choose("align", "8").await?;
    page.settled().await?;
    let (packs, padding) = (
        page.figure("packs").await?,
        page.figure("padding_tokens").await?,
    );
    let hash = page.address("align=8").await?;
    assert_eq!(
        hash,
        "data=gsm8k_train&limit=512&depth=6&algorithm=lpfhp&align=8"
    );
    page.go(&hash).await?;
    page.text("7,473 sequences").await?;
    page.settled().await?;
    assert_eq!(
        (
            page.figure("packs").await?,
            page.figure("padding_tokens").await?
        ),
        (packs, padding)
    );
    page.close().await
}

/// The address says what is on screen a moment after the hand rests. A link may be followed just before that.
#[tokio::test]
#[ignore = "outer circle"]
async fn a_link_followed_at_once_has_its_place_in_the_history() -> Result<()> {
    // The moment is 200 ms; the test says when they are over.
    let moment = "const later = window.setTimeout;
        window.setTimeout = (what, wait, ...given) => {
            if (wait !== 200) return later(what, wait, ...given);
            window.rested = () => { window.rested = undefined; what(); };
            return 0;
        };";
    let page = Page::open_after(&[moment], "data=glue_cola").await?;
    let follow =
        "addEventListener('hashchange', () => { window.followed = location.hash; }, { capture: true });
        location.hash = 'view=learn&chapter=skew';
        window.rested();";
    page.press("limit", &keys(Key::Left, 1)).await?;
    page.execute(follow, vec![]).await?;
    page.shown("article[data-chapter=skew]").await?;
    assert_eq!(
        page.eval("window.followed").await?,
        "#view=learn&chapter=skew"
    );
    page.eval("window.rested()").await?;
    page.address("sequences.limit=127&chapter=skew").await?;
    page.eval("history.back()").await?;
    page.shown("main[data-view=sequences]").await?;
    page.close().await
}

#[tokio::test]
async fn the_needle_in_the_histogram_is_dragged() -> Result<()> {
    let page = Page::open("", 1440).await?;
    let place = page.canvas("Histogram").await?;
    let (right, y) = (
        place.left + place.width - 14.0,
        place.top + place.height / 2.0,
    );
    page.drag(&[(right, y), (right - 100.0, y), (right - 200.0, y)])
        .await?;
    page.settled().await?;
    assert!(page.figure("waste_tokens").await? > 0.0);
    let limit = page.setting("limit").await?;
    assert!((300.0..400.0).contains(&limit), "{limit}");
    page.close().await
}

/// In every frame in which the list names other data than the answer is about, the answer is dimmed.
#[tokio::test]
#[ignore = "outer circle"]
async fn an_old_answer_never_stands_undimmed_under_the_name_of_new_data() -> Result<()> {
    let page = Page::open("data=glue_cola&room=compare", 1440).await?;
    page.compared().await?;
    assert_eq!(page.figure("items").await?, 8551.0);
    page.eval(
        "(window.frames_of = { dimmed: 0, not: 0 }, (function look() {
            const items = document.querySelector('.answer [data-figure=items]').dataset.value;
            if (document.querySelector('#data').value === 'wikipedia_bert_512' && items === '8551') {
                window.frames_of[document.querySelector('main.slow') ? 'dimmed' : 'not'] += 1;
            }
            requestAnimationFrame(look);
        })(), 1)",
    )
    .await?;
    page.choose("data", "wikipedia_bert_512").await?;
    page.text("16,279,552 sequences").await?;
    page.settled().await?;
    page.gone("main.slow").await?;
    assert_eq!(page.eval("window.frames_of.not").await?.as_u64(), Some(0));
    page.close().await
}

/// A number that a field does not accept is answered with those that it does.
#[tokio::test]
#[ignore = "outer circle"]
async fn a_field_says_what_it_accepts() -> Result<()> {
    let page = Page::open("data=glue_cola&limit=128", 1440).await?;
    page.eval("(window.told = '', addEventListener('invalid', e => window.told = e.target.validationMessage, true), 1)")
        .await?;
    let field = page
        .find(Locator::Css(".control:has(#limit) .exact"))
        .await?;
    let [control, released, enter] = [Key::Control, Key::Null, Key::Enter].map(char::from);
    field
        .send_keys(&format!("{control}a{released}0{enter}"))
        .await?;
    page.holds("window.told.includes('1')").await?;
    assert_eq!(page.setting("limit").await?, 128.0);
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_long_read_can_be_cancelled_and_the_data_stay() -> Result<()> {
    let page = Page::open("", 1440).await?;
    let script = "const data = new DataTransfer(); const piece = '123\\n'.repeat(1 << 20); \
        data.items.add(new File(Array(64).fill(piece), 'long.txt')); \
        document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));";
    page.execute(script, vec![]).await?;
    page.text("Reading long.txt").await?;
    page.press("data", &keys(Key::Escape, 1)).await?;
    page.rests().await?;
    page.text("16,279,552 sequences").await?;
    assert!(!page.is_waiting().await?);
    // The same file is read again at a press.
    page.text("Reading long.txt: cancelled.").await?;
    page.click("Start again").await?;
    page.shown("[data-notice=waiting]").await?;
    page.press("data", &keys(Key::Escape, 1)).await?;
    page.click("Close").await?;
    page.gone("[data-notice=stopped]").await?;
    page.rests().await?;
    assert_eq!(page.figure("packs").await?, 8_138_483.0);
    page.close().await
}

#[tokio::test]
async fn the_page_is_dark_for_those_who_prefer_it() -> Result<()> {
    let page = Page::open("room=compare", 1440).await?;
    let background = "getComputedStyle(document.body).backgroundColor";
    page.prefer("light").await?;
    page.compared().await?;
    page.screenshot("light").await?;
    let light = page.eval(background).await?;
    page.prefer("dark").await?;
    page.screenshot("dark").await?;
    assert_ne!(page.eval(background).await?, light);
    page.close().await
}

#[tokio::test]
async fn a_worker_that_fails_is_replaced() -> Result<()> {
    let watch = "window.workers = []; const Original = window.Worker; \
                 window.Worker = class extends Original { constructor(...a) { super(...a); window.workers.push(this); } };";
    let page = Page::open_after(&[watch], "room=compare").await?;
    page.compared().await?;
    let fail = "window.workers.forEach(w => w.dispatchEvent(new ErrorEvent('error')))";
    page.eval(fail).await?;
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.settled().await?;
    assert_eq!(page.figure("packs").await?, 16_279_552.0);
    page.compared().await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn the_keys_are_listed_and_a_file_dialog_reads_a_real_file() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.press("depth", "?").await?;
    page.text("cancels what takes long").await?;
    let open = page
        .eval("document.querySelector('dialog.keys').open")
        .await?;
    assert_eq!(open.as_bool(), Some(true));
    page.click("OK").await?;
    assert_eq!(
        page.eval("document.querySelector('dialog.keys').open")
            .await?
            .as_bool(),
        Some(false)
    );
    let path = std::env::temp_dir().join(format!("packscope-{}.jsonl", std::process::id()));
    std::fs::write(
        &path,
        "{\"n\":1,\"input_ids\":[1,2,3]}\n{\"n\":2,\"input_ids\":[1,2,3,4,5]}\n",
    )?;
    page.press("file", &path.display().to_string()).await?;
    page.text("2 sequences, 3–5 tokens").await?;
    page.settled().await?;
    std::fs::remove_file(path)?;
    assert_eq!(page.figure("packs").await?, 2.0);
    page.close().await
}

/// What moves between press and release is not pressed.
#[tokio::test]
#[ignore = "outer circle"]
async fn a_press_after_open_files_is_not_lost() -> Result<()> {
    let page = Page::open("", 1440).await?;
    // The window in which files are chosen would stay in front.
    page.devtools(
        "Page.setInterceptFileChooserDialog",
        json!({ "enabled": true }),
    )
    .await?;
    let paste = ".ways button";
    let place = page.place(paste).await?;
    let choose = page.place("label[for=file]").await?;
    page.drag(&[choose.at(0.5, 0.5)]).await?;
    page.holds("document.activeElement.id === 'file'").await?;
    ensure!(
        page.place(paste).await? == place,
        "it moves when files are chosen"
    );
    ensure!(
        page.eval("document.getElementById('file').offsetWidth")
            .await?
            == 1
    );
    page.drag(&[place.at(0.5, 0.5)]).await?;
    page.shown("dialog[open] #pasted").await?;
    page.key(&String::from(char::from(Key::Escape))).await?;
    page.gone("dialog[open]").await?;
    // Who comes by key sees where the focus is.
    let ring = "getComputedStyle(document.querySelector('label[for=file]')).outlineStyle";
    page.press("data", &String::from(char::from(Key::Tab)))
        .await?;
    page.holds(&format!(
        "document.activeElement.id !== 'file' || {ring} === 'solid'"
    ))
    .await?;
    while page.eval("document.activeElement.id !== 'file'").await? == true {
        let focused = page.find(Locator::Css(":focus")).await?;
        focused
            .send_keys(&String::from(char::from(Key::Tab)))
            .await?;
    }
    ensure!(page.eval(ring).await? == "solid" && page.place(paste).await? == place);
    page.close().await
}

#[tokio::test]
async fn strategies_are_listed_and_drawn_as_a_matrix() -> Result<()> {
    let page = Page::open("room=all", 1440).await?;
    page.text("16 of 670 row shapes carry half of all rows")
        .await?;
    page.unfold("#strategies").await?;
    page.shown("#strategies[open]").await?;
    // What rounding up costs: nothing at multiples of one, the padding of the plan at the limit.
    page.unfold("#rounding").await?;
    page.shown("#rounding tr[data-multiple='128'] [data-figure='pack_added']")
        .await?;
    page.text("The strategy matrix is drawn for limits up to 64.")
        .await?;
    let rows = "document.querySelectorAll('[data-figure=strategy_packs]').length";
    assert_eq!(page.eval(rows).await?.as_u64(), Some(10));
    // What comes into view above it is loaded then, and moves it: a press on its way would meet nothing.
    page.eval("document.querySelector('.strategies').scrollIntoView()")
        .await?;
    page.steady("document.querySelector('.strategies').getBoundingClientRect().top")
        .await?;
    page.click("Show 50 more").await?;
    page.text("610 more shapes have").await?;
    assert_eq!(page.eval(rows).await?.as_u64(), Some(60));
    page.click("paste numbers").await?;
    page.press("pasted", "3, 5, 3, 5, 3, 5, 2, 2, 2, 8").await?;
    page.click("Read").await?;
    page.text("10 sequences, 2–8 tokens").await?;
    page.text("One of 3 row shapes carries 60.0 % of all rows")
        .await?;
    page.settled().await?;
    assert_eq!(page.figure("strategy_packs").await?, 3.0);
    let row = "document.querySelector('tr:has([data-figure=strategy_packs])')";
    let first =
        format!("[...{row}.cells].filter((_, i) => i != 1).map(c => c.innerText).join('|')");
    assert_eq!(
        page.eval(&first).await?.as_str(),
        Some("5 + 3|2|8|0|3|60.0 %|60.0 %")
    );
    let label = "document.querySelector('canvas[aria-label^=\"Strategy matrix\"]').getAttribute('aria-label')";
    let label = page.eval(label).await?;
    let said = "Strategy matrix: how often each of 4 lengths is in a row, by 3 strategies. \
                Most used: 5 + 3, 3 of 5 rows. The table lists them all.";
    assert_eq!(label.as_str(), Some(said));
    page.close().await
}

/// What takes long.
mod long {
    use super::*;

    #[tokio::test]
    async fn many_changes_end_with_the_newest_answer() -> Result<()> {
        let page = Page::open("", 1440).await?;
        for _ in 0..20 {
            page.press("limit", &keys(Key::Left, 5)).await?;
            page.press("depth", &keys(Key::Left, 1)).await?;
            page.press("depth", &keys(Key::Right, 1)).await?;
        }
        page.settled().await?;
        let packs = page.figure("packs").await?;
        assert_eq!(page.setting("limit").await?, 412.0);
        page.go("data=wikipedia_bert_512&limit=412&depth=unlimited&algorithm=lpfhp")
            .await?;
        assert_eq!(page.figure("packs").await?, packs);
        page.close().await
    }
}
