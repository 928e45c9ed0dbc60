//! The mouse on a canvas: where things are is found as people find them, by what is drawn and said there.

use crate::Page;
use anyhow::{Context, Result};
use fantoccini::Locator;
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use serde_json::{Value, json};
use std::time::Duration;

/// Time between two places of the mouse.
const PAUSE: Option<Duration> = Some(Duration::from_millis(20));

/// Where a canvas is in the window, CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Its left edge.
    pub left: f64,
    /// Its upper edge.
    pub top: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

impl Place {
    /// The place at these shares of width and height.
    pub fn at(&self, across: f64, down: f64) -> (f64, f64) {
        (
            self.left + across * self.width,
            self.top + down * self.height,
        )
    }
}

/// The selector of the canvas whose label begins so.
fn canvas_of(label: &str) -> String {
    format!("canvas[aria-label^=\"{label}\"]")
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect()
}

impl Page {
    /// Where the canvas is whose label begins so, scrolled into the window.
    pub async fn canvas(&self, label: &str) -> Result<Place> {
        self.place(&canvas_of(label)).await
    }

    /// Where something is in the window, scrolled into it, once it rests: words that come above it move it.
    pub async fn place(&self, selector: &str) -> Result<Place> {
        self.place_now(selector).await?;
        self.rests().await?;
        self.place_now(selector).await
    }

    async fn place_now(&self, selector: &str) -> Result<Place> {
        let script = "const there = document.querySelector(arguments[0]);
            there.scrollIntoView({ block: 'center' });
            const { left, top, width, height } = there.getBoundingClientRect();
            return [left, top, width, height];";
        let place = self.execute(script, vec![json!(selector)]).await?;
        match numbers(&place)[..] {
            [left, top, width, height] => Ok(Place {
                left,
                top,
                width,
                height,
            }),
            _ => anyhow::bail!("{selector:?}: {place}"),
        }
    }

    /// All that is said of the canvas whose label begins so.
    pub async fn said(&self, label: &str) -> Result<String> {
        let path = format!("canvas[role=img][aria-label^='{label}']");
        let canvas = self.find(Locator::Css(&path)).await?;
        canvas.attr("aria-label").await?.context("no label")
    }

    /// The middle of the handle drawn in that canvas, once it rests: words that come above a drawing move it.
    pub async fn handle(&self, label: &str) -> Result<(f64, f64)> {
        self.canvas(label).await?;
        self.handle_now(label).await
    }

    /// The largest patch of the colour of what can be moved.
    async fn handle_now(&self, label: &str) -> Result<(f64, f64)> {
        let place = self.place_now(&canvas_of(label)).await?;
        let script = "const canvas = document.querySelector(`canvas[aria-label^=\"${arguments[0]}\"]`);
            const { width, height } = canvas;
            // From a copy: the browser warns of canvases that are read more than once.
            const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
            copy.drawImage(canvas, 0, 0);
            const { data } = copy.getImageData(0, 0, width, height);
            const accent = (x, y) => [0xbf, 0x36, 0x0c].every((c, i) => data[4 * (y * width + x) + i] === c);
            const full = (x, y) => { for (let i = -4; i <= 4; i++) for (let j = -4; j <= 4; j++)
                if (!accent(x + i, y + j)) return false; return true; };
            const found = [];
            for (let y = 4; y < height - 4; y++) for (let x = 4; x < width - 4; x++) if (full(x, y)) found.push([x, y]);
            const mean = k => found.reduce((sum, at) => sum + at[k], 0) / found.length / devicePixelRatio;
            return found.length ? [mean(0), mean(1)] : [];";
        let handle = numbers(&self.execute(script, vec![json!(label)]).await?);
        let (x, y) = handle
            .first()
            .zip(handle.get(1))
            .context("no handle is drawn")?;
        Ok((place.left + x, place.top + y))
    }

    /// Moves the mouse through places, with the button held from the first to the last.
    pub async fn drag(&self, places: &[(f64, f64)]) -> Result<()> {
        let mut mouse = MouseActions::new("mouse".to_owned());
        for (i, (x, y)) in places.iter().enumerate() {
            mouse = mouse.then(PointerAction::MoveTo {
                duration: PAUSE,
                x: *x,
                y: *y,
            });
            if i == 0 {
                mouse = mouse.then(PointerAction::Down {
                    button: MOUSE_BUTTON_LEFT,
                });
            }
        }
        let mouse = mouse.then(PointerAction::Up {
            button: MOUSE_BUTTON_LEFT,
        });
        Ok(self.client.perform_actions(mouse).await?)
    }

    /// Moves the mouse to a place.
    pub async fn hover(&self, (x, y): (f64, f64)) -> Result<()> {
        let to = PointerAction::MoveTo {
            duration: PAUSE,
            x,
            y,
        };
        Ok(self
            .client
            .perform_actions(MouseActions::new("mouse".to_owned()).then(to))
            .await?)
    }
}
