//! Figures on the page, found by the names that reports have for them, and the rows of its tables.

use crate::Page;
use anyhow::{Context, Result};
use fantoccini::Locator;
use serde_json::json;
use std::cell::Cell;

/// Every row of the table of samplers.
pub const SAMPLERS: [&str; 8] = [
    "random",
    "sorted",
    "length-grouped",
    "bucket-by-length",
    "token-budget",
    "bucket/on",
    "bucket/off",
    "packed",
];

/// Runs before the page: notes the kinds of all questions to workers, in `window.kinds`, and how many there were, in
/// `window.asked`, but for data, which have no answer, and questions about waiting and to the judge, which go by prices.
/// The kind is a message's first byte; of questions also the third, whose data they are about, and, about data that the
/// worker holds, the fourth, the first question.
pub const ASKED: &str = r"
    window.kinds = [];
    const QUESTIONS = 1, HELD = 0, { postMessage } = Worker.prototype;
    const APART = [0, '1.0.7', '1.0.13', '1.0.16'];
    Object.defineProperty(window, 'asked', { get: () => window.kinds.filter(kind => !APART.includes(kind)).length });
    Worker.prototype.postMessage = function (message, ...rest) {
        const [kind, , data, query] = message[0] ?? message;
        window.kinds.push(kind !== QUESTIONS ? kind : [kind, data, ...data === HELD ? [query] : []].join('.'));
        return postMessage.call(this, message, ...rest);
    };
    if (navigator.clipboard) navigator.clipboard.writeText = async text => { window.copied = text; };";

/// Runs before the page: keeps the files that are saved, by name, and what is copied.
pub const SAVED: &str = r"
    window.saved = {};
    const texts = new Map(), make = URL.createObjectURL, { click } = HTMLAnchorElement.prototype;
    URL.createObjectURL = blob => { const url = make.call(URL, blob); texts.set(url, blob.text()); return url; };
    HTMLAnchorElement.prototype.click = function () {
        if (this.download) texts.get(this.href).then(text => { window.saved[this.download] = text; });
        return click.call(this);
    };
    if (navigator.clipboard) navigator.clipboard.writeText = async text => { window.copied = text; };";

impl Page {
    /// The exact value of a figure of the answer.
    pub async fn figure(&self, name: &str) -> Result<f64> {
        self.value(&format!("[data-figure={name}]")).await
    }

    /// The exact value of a component's figure: of nodes, which are 0, or of edges.
    pub async fn component(&self, name: &str, component: usize) -> Result<f64> {
        self.value(&format!(
            "[data-figure={name}][data-component='{component}']"
        ))
        .await
    }

    /// The exact value of an algorithm's figure in the table.
    pub async fn of(&self, algorithm: &str, name: &str) -> Result<f64> {
        self.value(&format!(
            "[data-algorithm={algorithm}] [data-figure={name}]"
        ))
        .await
    }

    /// The exact value of a figure in a row of the table, once it is known. A row is an algorithm, an algorithm
    /// with a heuristic, or a sampler, with its merging where it has one: `best-fit/sum`, `bucket/off`.
    pub async fn of_row(&self, row: &str, name: &str) -> Result<f64> {
        self.in_row(row, &format!("[data-figure={name}]")).await
    }

    /// The same of a component.
    pub async fn of_row_component(&self, row: &str, name: &str, component: usize) -> Result<f64> {
        self.in_row(
            row,
            &format!("[data-figure={name}][data-component='{component}']"),
        )
        .await
    }

    async fn in_row(&self, row: &str, figure: &str) -> Result<f64> {
        self.value(&format!("{} {figure}", row_of(row))).await
    }

    /// Waits until all rows of the table are known that are to be: until then they change their places and their figures.
    pub async fn known(&self) -> Result<()> {
        self.gone(
            "tr[data-algorithm]:not(:has([data-figure=packs], [data-left-out], [data-refused]))",
        )
        .await?;
        self.gone("table[data-state=computing] tr:is([data-algorithm], [data-sampler])")
            .await
    }

    /// Returns how often a worker was asked, once the page rests. For pages before which [`ASKED`] ran.
    pub async fn asked(&self) -> Result<u64> {
        self.steady("window.asked")
            .await?
            .as_u64()
            .context("no number")
    }

    /// Waits until the sweep over limits on offer is over, which is asked for where it has not begun by itself.
    pub async fn swept(&self) -> Result<()> {
        self.known().await?;
        self.shown("[data-sweep]").await?;
        let start = "[...document.querySelectorAll('[data-sweep=none] button')]
            .filter(button => button.textContent === 'Start').forEach(button => button.click())";
        self.eval(start).await?;
        self.shown("[data-sweep=over]").await
    }

    /// Chooses a row of the table, once all are known.
    pub async fn choose_row(&self, row: &str) -> Result<()> {
        self.known().await?;
        // A row of several heuristics has a button for each.
        let of = row.split_once('/').map_or("", |(_, by)| by);
        let button = format!(
            "{} button:is([data-by='{of}'], :not([data-by]))",
            row_of(row)
        );
        // Rows may be drawn anew between the look and the press.
        let press = async || {
            let found = self.find(Locator::Css(&button)).await?;
            crate::pressed(found.click().await)
        };
        self.wait(press, || format!("no press on the row {row}"))
            .await
    }

    /// The exact value of the figure that a selector finds, once it is so.
    pub async fn becomes(&self, selector: &str, is: impl Fn(f64) -> bool) -> Result<f64> {
        let last = Cell::new(None);
        let so = async || {
            last.set(Some(self.value(selector).await?));
            Ok(last.get().filter(|value| is(*value)))
        };
        self.wait(so, || {
            format!("{selector} is {:?}, and did not change", last.get())
        })
        .await
    }

    /// The exact value of the figure that a selector finds.
    pub async fn value(&self, selector: &str) -> Result<f64> {
        let value = "document.querySelector(arguments[0])?.dataset.value ?? null";
        let what = || format!("{selector} did not come, or has no value");
        let value = self.found(value, vec![json!(selector)], what).await?;
        Ok(value.as_str().context("no text")?.parse()?)
    }
}

/// The selector of a row of the table.
fn row_of(row: &str) -> String {
    match row.split_once('/') {
        Some((name, by)) => format!(
            "tr:is([data-algorithm='{name}'][data-heuristic~='{by}'], [data-sampler='{name}'][data-merging='{by}'])"
        ),
        None => format!("tr:is([data-algorithm='{row}'], [data-sampler='{row}'])"),
    }
}
