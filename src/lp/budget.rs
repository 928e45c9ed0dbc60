//! How long a computation may take, counted in steps, because the engine has no clock.

/// Steps that may still be taken, and whom to ask for leave to take them.
pub(crate) struct Budget<'a> {
    left: u64,
    spent: u64,
    unasked: u64,
    ask: &'a mut dyn FnMut() -> bool,
}

/// Steps between two questions: about a millisecond.
pub(crate) const ASKED: u64 = 1 << 20;

impl<'a> Budget<'a> {
    /// So many steps; `ask` is asked about every millisecond whether to go on.
    pub fn new(steps: u64, ask: &'a mut dyn FnMut() -> bool) -> Self {
        Self { left: steps, spent: 0, unasked: 0, ask }
    }

    /// Whether these steps may be taken. Once refused, all are.
    pub fn spend(&mut self, steps: u64) -> bool {
        self.left = self.left.saturating_sub(steps);
        self.spent += steps;
        self.unasked += steps;
        if self.unasked >= ASKED && self.left > 0 {
            self.unasked = 0;
            if !(self.ask)() {
                self.left = 0;
            }
        }
        self.left > 0
    }

    /// Steps that were asked for so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}
