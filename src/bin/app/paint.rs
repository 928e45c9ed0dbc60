//! Scenes on canvases.

use packscope::chart::{Frame, Scene};
use plotters_canvas::CanvasBackend;
use web_sys::HtmlCanvasElement;

/// Paints a scene on a canvas that is made as large as its frame; `None` where there is no drawing on it.
pub fn paint(canvas: &HtmlCanvasElement, scene: &Scene, frame: &Frame) -> Option<()> {
    let (width, height) = frame.device_size();
    canvas.set_width(width);
    canvas.set_height(height);
    scene.paint(&mut CanvasBackend::with_canvas_object(canvas.clone())?, frame).ok()
}
