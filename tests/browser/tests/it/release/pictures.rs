//! Pictures of the page that README and other sites show, each with its words beside it: the page of today must say the same.
//! `cargo xtask pictures` takes them anew.

use anyhow::{Context, Result, anyhow, ensure};
use base64::Engine;
use packscope_browser_tests::Page;
use serde_json::{Value, json};
use std::path::Path;

/// A picture, the window that it is of, what is left out of it, and where it ends.
struct Picture {
    file: &'static str,
    width: u32,
    without: &'static str,
    /// The element below it.
    end: &'static str,
}

const PICTURES: [Picture; 2] = [
    Picture { file: "docs/sequences.png", width: 1440, without: "", end: ".foot" },
    // For those who link to the page: 1200 by 630 pixels, as they are shown.
    Picture {
        file: "static/preview.png",
        width: 1200,
        without: "header, form, fieldset, dl, nav, footer, h1 ~ .small, .controls, .case, .advice, .pin, #shared-rows, #along-depths { display: none !important }
            main { display: block !important; padding: 0 24px !important }",
        end: "#shared-rows",
    },
];

/// The words in a picture: its titles, and names of controls and figures, in order.
const WORDS: &str = "(() => {
    const end = document.querySelector(arguments[0]);
    const above = e => end.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_PRECEDING;
    return [...document.querySelectorAll('header button, h1, h1 + p, dt, label, legend, nav button, h2')]
        .filter(e => above(e) && e.checkVisibility())
        .map(e => e.innerText.trim().replace(/\\s+/g, ' '))
        .filter(text => text);
})()";

impl Picture {
    async fn shown(&self) -> Result<Page> {
        let page =
            Page::open_searching("data=wikipedia_bert_512&limit=512&room=answer", self.width)
                .await?;
        page.prefer("light").await?;
        // So high that no part of it scrolls by itself.
        page.resize(self.width, 1400).await?;
        let style = "const own = new CSSStyleSheet();
            own.replaceSync(arguments[0]);
            document.adoptedStyleSheets.push(own);";
        page.execute(style, vec![json!(self.without)]).await?;
        page.settled().await?;
        page.rests().await?;
        Ok(page)
    }

    /// Takes the picture, and returns the words in it.
    async fn words(&self, page: &Page) -> Result<String> {
        let words = page
            .execute(&format!("return {WORDS}"), vec![json!(self.end)])
            .await?;
        let lines = words
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        Ok(lines.flat_map(|line| [line, "\n"]).collect())
    }

    async fn taken(&self, page: &Page) -> Result<Vec<u8>> {
        let height = match self.width {
            1200 => 630.0,
            _ => {
                let top = format!(
                    "Math.floor(document.querySelector('{}').getBoundingClientRect().top)",
                    self.end
                );
                page.eval(&top).await?.as_f64().context("no end")?
            }
        };
        let clip = json!({ "x": 0, "y": 0, "width": self.width, "height": height, "scale": 1 });
        let asked = json!({ "format": "png", "clip": clip, "captureBeyondViewport": true });
        let said = page.devtools("Page.captureScreenshot", asked).await?;
        let png = said["data"].as_str().context("no picture")?;
        base64::engine::general_purpose::STANDARD
            .decode(png)
            .map_err(|error| anyhow!("no picture: {error}"))
    }
}

#[tokio::test]
async fn pictures_show_the_page_of_today() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for picture in &PICTURES {
        let page = picture.shown().await?;
        let words = picture.words(&page).await?;
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures").join(
            Path::new(picture.file)
                .with_extension("txt")
                .file_name()
                .context("no name")?,
        );
        if std::env::var("PACKSCOPE_PICTURES").is_ok_and(|what| what == "write") {
            std::fs::write(root.join(picture.file), picture.taken(&page).await?)?;
            std::fs::write(&kept, &words)?;
        }
        let shown = std::fs::read_to_string(&kept).with_context(|| format!("{kept:?}"))?;
        ensure!(
            shown == words,
            "{}: {shown:?} is not {words:?}; see `cargo xtask pictures`",
            picture.file
        );
        page.close().await?;
    }
    Ok(())
}
