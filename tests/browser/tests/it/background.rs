//! Work that nobody has asked for: what is searched for while someone looks, and what where that is turned off.

use anyhow::{Result, ensure};
use fantoccini::Locator;
use packscope_browser_tests::Page;
use serde_json::json;

/// Runs before the page: notes every search that a worker is asked for, by the seconds it may take, with which the message
/// ends: 10 where the optimum was chosen, 5 where it was not, 1 at other depths. Also whether the tab was hidden then, and
/// whether the worker was ended since.
const SEARCHES: &str = r"
    window.searches = [];
    const QUESTIONS = 1, HELD = 0, PACKS = [0, 1], REPORT = 0, { postMessage, terminate } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...rest) {
        const bytes = message[0] ?? message, [kind, , data, query, question] = bytes;
        if (kind === QUESTIONS && data === HELD && PACKS.includes(query) && question !== REPORT) {
            const seconds = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 8).getFloat64(0, true);
            this.search = seconds > 0 ? { seconds, hidden: document.hidden, ended: false } : undefined;
            if (this.search) window.searches.push(this.search);
        }
        return postMessage.call(this, message, ...rest);
    };
    Worker.prototype.terminate = function () {
        if (this.search) this.search.ended = true;
        return terminate.call(this);
    };";

/// The seconds of all searches so far.
const SECONDS: &str = "window.searches.map(search => search.seconds)";

const SQUAD: &str = "data=squad_1_1_bert_384&limit=384&depth=3&algorithm=lpfhp";

/// Depths of these take as long as they may.
const LONG: &str = "data=sharegpt_8k_llama2&limit=8192&depth=1";

async fn open(hash: &str) -> Result<Page> {
    let page = Page::blank(1440).await?.searching();
    page.before_each_load(SEARCHES).await?;
    page.go(hash).await?;
    Ok(page)
}

/// The chart of depths in the middle of the window, or the top of the page.
async fn look_at_depths(page: &Page, look: bool) -> Result<()> {
    let to = if look {
        "document.querySelector('.depths').scrollIntoView({ block: 'center' })"
    } else {
        "scrollTo(0, 0)"
    };
    page.eval(to).await.map(drop)
}

#[tokio::test]
#[ignore = "outer circle"]
async fn turned_off_nothing_is_searched_for_until_the_optimum_is_chosen() -> Result<()> {
    let page = open(&format!("{SQUAD}&background=0&room=all")).await?;
    page.compared().await?;
    page.shown("#speedup[data-state=current]").await?;
    look_at_depths(&page, true).await?;
    page.rests().await?;
    assert_eq!(page.eval(SECONDS).await?, json!([]));
    assert_eq!(page.figure("packs").await?, 40_631.0);
    for left in ["optimal", "nnlshp", "greedy"] {
        assert!(
            !page
                .has(&format!("[data-algorithm={left}] [data-figure=packs]"))
                .await?,
            "{left}"
        );
        assert!(
            page.has(&format!("[data-algorithm={left}] [data-left-out]"))
                .await?,
            "{left}"
        );
    }
    page.text("not searched for").await?;
    page.address("background=0").await?;
    page.find(Locator::Css(
        "[data-algorithm=optimal] [data-left-out] button",
    ))
    .await?
    .click()
    .await?;
    page.settled().await?;
    page.text("can do better: this is proven.").await?;
    assert_eq!(
        (page.figure("packs").await?, page.figure("gap").await?),
        (40_195.0, 0.0)
    );
    page.rests().await?;
    assert_eq!(
        page.eval(SECONDS).await?,
        json!([10]),
        "other depths were not chosen"
    );
    page.client.refresh().await?;
    page.settled().await?;
    assert!(!page.is_ticked("background").await?);
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn turned_off_graphs_are_not_searched_either_also_within_another_page() -> Result<()> {
    let page = open("view=graphs&algorithm=best-fit&background=0&embed=1&room=all").await?;
    page.compared().await?;
    page.shown("#speedup[data-state=current]").await?;
    page.rests().await?;
    assert_eq!(page.eval(SECONDS).await?, json!([]));
    assert!(page.has("[data-sweep=none]").await?);
    for left in ["optimal", "search"] {
        assert!(
            page.has(&format!("[data-algorithm={left}] [data-left-out]"))
                .await?,
            "{left}"
        );
    }
    let hash = page.address("background=0").await?;
    ensure!(hash.ends_with("background=0&embed=1"), "{hash}");
    page.tick("background").await?;
    // The row shows better plans as they are found, until the search ends.
    page.known().await?;
    page.rests().await?;
    assert_eq!(page.of("optimal", "packs").await?, 3_744.0);
    assert_eq!(page.eval(SECONDS).await?, json!([5]));
    let hash = page.address("embed=1").await?;
    ensure!(!hash.contains("background"), "{hash}");
    page.tick("background").await?;
    // What is known stays.
    assert_eq!(page.of("optimal", "packs").await?, 3_744.0);
    page.address("background=0").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn other_depths_are_searched_when_their_chart_is_looked_at() -> Result<()> {
    let page = open(&format!("{SQUAD}&room=all")).await?;
    page.text("can do better than 40,195.").await?;
    page.rests().await?;
    assert_eq!(page.eval(SECONDS).await?, json!([5]));
    let bounds = "[...document.querySelectorAll('.depths table tr')]
        .find(row => row.cells[0].textContent === 'no plan is above').textContent";
    let before = page.eval(bounds).await?;
    look_at_depths(&page, true).await?;
    page.holds(&format!("{SECONDS}.join() === '5,1'")).await?;
    page.holds(&format!("{bounds} !== {before}")).await?;
    page.close().await
}

#[tokio::test]
async fn depths_that_are_looked_at_no_more_are_searched_no_more() -> Result<()> {
    let page = open(&format!("{LONG}&room=compare")).await?;
    // In a higher window they are in view from the top of the page.
    page.resize(1440, 500).await?;
    look_at_depths(&page, true).await?;
    let last = "window.searches.filter(search => search.seconds === 1)";
    page.holds(&format!("{last}.length === 1")).await?;
    look_at_depths(&page, false).await?;
    page.holds(&format!("{last}[0].ended")).await?;
    page.rests().await?;
    assert_eq!(page.eval(&format!("{last}.length")).await?, 1);
    look_at_depths(&page, true).await?;
    page.holds(&format!("{last}.length === 2 && !{last}[1].ended"))
        .await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn nothing_unasked_begins_in_a_hidden_tab() -> Result<()> {
    let page = open(&format!("{LONG}&room=compare")).await?;
    look_at_depths(&page, true).await?;
    // As soon as it is hidden, other settings are chosen: their optimum is not known.
    page.eval(
        "document.addEventListener('visibilitychange', () => {
            if (!document.hidden || window.hid) return;
            window.hid = window.searches.length;
            const depth = document.getElementById('depth');
            depth.value = 2;
            depth.dispatchEvent(new Event('input', { bubbles: true }));
        })",
    )
    .await?;
    page.holds("window.searches.some(search => search.seconds === 1)")
        .await?;
    page.out_of_sight().await?;
    page.holds("window.searches.length > window.hid").await?;
    assert_eq!(
        page.eval("window.searches.some(search => search.hidden)")
            .await?,
        false
    );
    // One that is under way ends, and goes on for who comes back.
    let depths = "window.searches.filter(search => search.seconds === 1 && !search.ended)";
    page.holds(&format!("{depths}.length === 1")).await?;
    page.eval(&format!("window.under_way = {depths}[0]"))
        .await?;
    page.out_of_sight().await?;
    page.holds("window.under_way.ended").await?;
    page.holds(&format!("{depths}.length === 1")).await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_search_that_found_no_proof_goes_on_for_who_gives_it_longer() -> Result<()> {
    let page = open(
        "data=sharegpt_8k_llama2&limit=8192&depth=3&algorithm=optimal&background=0&budget=0.2",
    )
    .await?;
    page.rests().await?;
    assert_eq!(page.eval(SECONDS).await?, json!([0.2]));
    let (packs, bound) = (
        page.figure("packs").await?,
        page.figure("lower_bound").await?,
    );
    ensure!(packs > bound, "{packs} {bound}");
    page.choose("budget", "1").await?;
    page.address("budget=1").await?;
    page.rests().await?;
    assert_eq!(page.eval(SECONDS).await?, json!([0.2, 1]));
    ensure!(page.figure("packs").await? <= packs, "worse than {packs}");
    page.close().await
}
