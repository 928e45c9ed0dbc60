//! Scenes on canvases.

use packscope_chart::{Frame, Scene};
use plotters_canvas::CanvasBackend;
use web_sys::HtmlCanvasElement;

/// Paints a scene on a canvas, which is resized to the frame if needed; `None` if the canvas has no context.
pub fn paint(canvas: &HtmlCanvasElement, scene: &Scene, frame: &Frame) -> Option<()> {
    let (width, height) = frame.device_size();
    // Setting the size, even to the same value, clears the canvas and reallocates it.
    if (canvas.width(), canvas.height()) != (width, height) {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    scene
        .paint(
            &mut CanvasBackend::with_canvas_object(canvas.clone())?,
            frame,
        )
        .ok()
}
