//! The rooms of a view, the case above them, and parts that are folded until they are wanted.

use anyhow::{Context, Result, ensure};
use packscope_browser_tests::Page;
use serde_json::Value;

/// Opens a view with all its parts.
async fn whole(view: &str) -> Result<Page> {
    let page = Page::open(&format!("{view}&room=all"), 1440).await?;
    page.shown("#speedup[data-state=current]").await?;
    Ok(page)
}

async fn is_open(page: &Page, id: &str) -> Result<bool> {
    page.has(&format!("details#{id}[open]")).await
}

/// The part that each room of each view has alone.
const CONTENTS: [(&str, [&str; 3]); 4] = [
    ("data=glue_cola", [".lengths", "#algorithms", "#speedup"]),
    (
        "view=graphs&data=tu_mutag",
        [".tall-heat", "#algorithms", "#speedup"],
    ),
    (
        "view=batches&sampler=bucket&data=glue_sst2&limit=128",
        [".tall-batches", "#algorithms", "#speedup"],
    ),
    (
        "view=ranks&data=sharegpt_8k_llama2",
        [".tall-ranks", "#ways", "#cost"],
    ),
];
const ROOMS: [&str; 3] = ["answer", "compare", "cost"];

/// Figures in sight whose text is a number, or a share in percent, and those among them that are not the value beside them, to
/// the last digit that is shown.
const FIGURES: &str = r"(() => {
    const figures = [...document.querySelectorAll('[data-figure][data-value]')].flatMap(figure => {
        const [, below, digits, decimals, unit] = figure.innerText.trim().match(/^(<?)\s*([\d,]+(\.\d+)?)\s?(%|×)?$/u) ?? [];
        const value = Number(figure.dataset.value);
        if (digits === undefined || Number.isNaN(value)) return [];
        const of = unit === '%' ? 100 : 1, shown = Number(digits.replaceAll(',', '')) / of;
        const last = 10 ** -((decimals ?? '.').length - 1) / of;
        const isTrue = below ? value < shown : Math.abs(value - shown) <= 0.501 * last;
        return [isTrue ? null : `${figure.dataset.figure}: ${figure.innerText} for ${value}`];
    });
    return { all: figures.length, untrue: figures.filter(Boolean) };
})()";

/// Returns the figures of the room that are not shown as they are; fails if it has none.
async fn untrue_figures(page: &Page, about: &str) -> Result<Vec<String>> {
    let found = page.steady(FIGURES).await?;
    ensure!(found["all"].as_u64() > Some(2), "{about}: {found}");
    let untrue = found["untrue"].as_array().into_iter().flatten();
    Ok(untrue.map(|figure| format!("{about}: {figure}")).collect())
}

#[tokio::test]
async fn each_room_has_its_own_address_parts_and_figures() -> Result<()> {
    let mut untrue = Vec::new();
    for (view, contents) in CONTENTS {
        let page = Page::blank(1440).await?.as_it_is().await?;
        page.go(view).await?;
        page.rests().await?;
        for (room, own) in ROOMS.into_iter().zip(contents) {
            page.eval(&format!(
                "document.querySelector('.rooms [data-tab={room}]').click()"
            ))
            .await?;
            page.shown(&format!("main[data-room={room}]")).await?;
            page.shown(own).await?;
            page.rests().await?;
            untrue.extend(untrue_figures(&page, &format!("{view}, {room}")).await?);
            for other in contents.into_iter().filter(|other| *other != own) {
                page.gone(other).await?;
            }
            if room != "answer" {
                page.address(&format!("room={room}")).await?;
            }
        }
        // Back goes through them, and the answer needs no name.
        page.steady("history.back()").await?;
        page.shown("main[data-room=compare]").await?;
        page.steady("history.back()").await?;
        page.shown("main[data-room=answer]").await?;
        page.close().await?;
    }
    ensure!(untrue.is_empty(), "{untrue:#?}");
    Ok(())
}

/// The height of the page down to the end of the room, above the foot.
async fn height(page: &Page) -> Result<f64> {
    page.steady("document.querySelector('.foot').getBoundingClientRect().top + scrollY - 32")
        .await?
        .as_f64()
        .context("no height")
}

#[tokio::test]
#[ignore = "outer circle"]
async fn no_room_is_a_scroll() -> Result<()> {
    for (view, _) in CONTENTS {
        let page = Page::blank(1440).await?.as_it_is().await?;
        page.go(view).await?;
        for room in ROOMS {
            page.eval(&format!(
                "document.querySelector('.rooms [data-tab={room}]').click()"
            ))
            .await?;
            page.shown(&format!("main[data-room={room}]")).await?;
            for (width, most) in [(1440, 1100.0), (390, 3000.0)] {
                // Two limits have maps as high as they are wide, and a headline with two pairs of bars.
                let more = if view.starts_with("view=graphs") && width > 390 {
                    250.0
                } else {
                    0.0
                };
                page.resize(width, 900).await?;
                let height = height(&page).await?;
                ensure!(height <= most + more, "{view}, {room} at {width}: {height}");
            }
        }
        page.close().await?;
    }
    Ok(())
}

/// Words and controls in the window; the options of a list are none of them.
const FIRST: &str = "(() => {
    const seen = e => { const r = e.getBoundingClientRect(); return e.checkVisibility({ opacityProperty: true }) && r.width > 1 && r.top < innerHeight && r.bottom > 0; };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), words = [];
    while (texts.nextNode()) {
        const at = texts.currentNode.parentElement;
        if (seen(at) && !at.closest('select, script, style, .unseen')) words.push(...texts.currentNode.data.split(/[^\\p{L}]+/u).filter(w => w.length > 1));
    }
    const controls = [...document.querySelectorAll('a[href], button, input, select, summary')].filter(e => seen(e) && !e.closest('.unseen'));
    return [words.length, controls.length];
})()";

#[tokio::test]
async fn the_first_screen_is_short() -> Result<()> {
    let page = Page::blank(1440).await?.searching().as_it_is().await?;
    page.resize(1440, 900).await?;
    page.go("").await?;
    let found = page.steady(FIRST).await?;
    let [words, controls]: [u64; 2] = serde_json::from_value(found)?;
    ensure!(
        words <= 160 && controls <= 25,
        "{words} words, {controls} controls"
    );
    // To skip, the name, the views, four actions.
    let before = "(() => {
        const data = document.getElementById('data');
        return [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')]
            .filter(e => e.tabIndex >= 0 && e.checkVisibility() && e.compareDocumentPosition(data) & Node.DOCUMENT_POSITION_FOLLOWING).length;
    })()";
    let before = page.eval(before).await?.as_u64().unwrap_or(99);
    ensure!(before <= 8, "{before} stops before the data");
    page.close().await
}

#[tokio::test]
async fn the_case_is_one_piece() -> Result<()> {
    let page = Page::blank(1440).await?.as_it_is().await?;
    page.go("data=sharegpt_8k_llama2&limit=4096").await?;
    page.choose("library", "trl").await?;
    page.shown(".of-library[data-state=current]").await?;
    let headline = page.eval("document.querySelector('h1').innerText").await?;
    ensure!(
        headline.as_str().is_some_and(|words| words.contains("TRL")),
        "{headline}"
    );
    // One advice, one set of figures, and the code that is pasted is that of the library.
    ensure!(!page.has(".advice").await? && !page.has("[data-figure=padding_share]").await?);
    page.unfold("details.lines").await?;
    let own = page
        .eval("document.querySelector('details.lines .snippet').innerText")
        .await?;
    page.click("Code").await?;
    page.shown("#take [data-snippet=trl]").await?;
    let lines = page
        .eval("document.querySelector('#take [data-snippet=trl]').innerText")
        .await?;
    ensure!(lines == own && lines != Value::Null, "{lines}, {own}");
    page.key("\u{e00c}").await?;
    page.gone("#take[open]").await?;
    // The estimates go by the same model and the same way to keep sequences apart as the controls.
    page.choose("library", "").await?;
    page.choose("cost-model", "llama-3.2-1b").await?;
    page.eval("document.querySelector('.rooms [data-tab=cost]').click()")
        .await?;
    page.shown("#speedup[data-state=current]").await?;
    page.text("Llama 3.2 1B").await?;
    page.shown(
        ".of-methods tr.chosen[data-method=packed-blocks], .of-methods .chosen [data-method=packed-blocks]",
    )
    .await?;
    page.close().await
}

#[tokio::test]
async fn a_drawer_opens_where_one_is() -> Result<()> {
    for width in [360, 768, 1440] {
        let page = Page::blank(1440).await?.as_it_is().await?;
        page.resize(width, 800).await?;
        page.go("data=glue_cola").await?;
        page.rests().await?;
        let at = page.eval("scrollY").await?;
        for words in ["Code", "Export"] {
            page.eval("document.getElementById('take').open = false")
                .await?;
            page.click(words).await?;
            page.shown("#take[open] #lines").await?;
            let place = "(r => r.top < 80 && Math.abs(innerWidth - r.right) < 20)(document.getElementById('take').getBoundingClientRect())";
            ensure!(page.eval(place).await? == true, "{words} at {width}");
            ensure!(
                page.eval("scrollY").await? == at,
                "{words} at {width}: it has scrolled"
            );
        }
        page.key("\u{e00c}").await?;
        page.gone("#take[open]").await?;
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
#[ignore = "outer circle"]
async fn own_long_sequences_have_a_model_that_reads_them() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.drop_file("long.csv", "length,count\n700,10\n3000,20\n8000,10\n")
        .await?;
    page.text("40 sequences").await?;
    page.settled().await?;
    ensure!(
        page.eval("document.getElementById('cost-model').value")
            .await?
            == "llama-3.2-3b"
    );
    // It follows the data: the address need not name it.
    ensure!(page.eval("location.hash.includes('cost.model')").await? == false);
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn what_few_need_is_folded_and_stays_as_it_is_left() -> Result<()> {
    let page = whole("data=glue_cola").await?;
    let folded = [
        "strategies",
        "optimiser",
        "bill",
        "assumptions",
        "formulae",
        "measured",
        "take",
    ];
    for id in folded {
        ensure!(!is_open(&page, id).await?, "{id}");
    }
    // What they say is in their titles.
    page.text("row shapes carry half of all rows").await?;
    page.unfold("#bill").await?;
    page.shown("#bill[open] [data-figure=saved_money]").await?;
    page.unfold("#strategies").await?;
    page.eval("document.querySelector('#strategies > summary').click()")
        .await?;
    page.holds("!document.querySelector('#strategies').open")
        .await?;
    page.execute(
        "document.body.dataset.old = 1; location.reload()",
        Vec::new(),
    )
    .await?;
    page.holds("!document.body.dataset.old").await?;
    page.shown("#speedup[data-state=current]").await?;
    page.shown("#bill[open] [data-figure=saved_money]").await?;
    for id in folded.into_iter().filter(|id| *id != "bill") {
        ensure!(!is_open(&page, id).await?, "{id}");
    }
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn heuristics_that_come_to_the_same_are_one_row() -> Result<()> {
    let page = Page::open(
        "view=graphs&data=ogbg_molhiv&nodes=222&edges=502&room=all",
        1440,
    )
    .await?;
    page.known().await?;
    let shared = "tr.several[data-algorithm=best-fit-published][data-heuristic~=minimum][data-heuristic~=nodes]";
    page.shown(shared).await?;
    ensure!(page.of_row("best-fit-published/minimum", "packs").await? == 3789.0);
    page.choose_row("best-fit-published/nodes").await?;
    page.settled().await?;
    page.address("algorithm=best-fit-published&heuristic=nodes")
        .await?;
    page.shown(&format!("{shared} [data-by=nodes][aria-pressed=true]"))
        .await?;
    page.shown(&format!("{shared} [data-by=minimum][aria-pressed=false]"))
        .await?;
    // By name each has a row of its own.
    page.eval("document.querySelector('.of-graphs thead button').click()")
        .await?;
    page.gone("tr.several").await?;
    page.close().await
}

/// A link to what is hidden would lead nowhere.
#[tokio::test]
#[ignore = "outer circle"]
async fn what_is_hidden_has_no_link() -> Result<()> {
    let page = Page::open("data=glue_cola&hide=speedup&room=answer", 1440).await?;
    page.holds("!document.querySelector('.to-speedup')?.checkVisibility()")
        .await?;
    page.holds("!document.querySelector('.rooms [data-tab=cost]').checkVisibility()")
        .await?;
    page.close().await
}
