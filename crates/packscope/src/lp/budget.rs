//! Budgets for computations, counted in steps because the engine has no clock.

/// The steps left, and a callback that may end the computation.
pub(crate) struct Budget<'a> {
    left: u64,
    spent: u64,
    unasked: u64,
    stopped: bool,
    ask: &'a mut dyn FnMut() -> bool,
}

/// Steps between two calls of the callback: about a millisecond.
pub(crate) const ASKED: u64 = 1 << 20;

impl<'a> Budget<'a> {
    /// Creates a budget of `steps`; `ask` returns, about every millisecond, whether to go on.
    pub fn new(steps: u64, ask: &'a mut dyn FnMut() -> bool) -> Self {
        Self {
            left: steps,
            spent: 0,
            unasked: 0,
            stopped: false,
            ask,
        }
    }

    /// Takes steps; returns false if they are refused, as are all later ones.
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

    /// Takes steps for work that has to be done however few are left; returns false only if the
    /// callback has ended everything.
    pub fn owes(&mut self, steps: u64) -> bool {
        self.left = self.left.saturating_sub(steps);
        self.spent += steps;
        self.unasked += steps;
        // Asked with nothing left too: these steps are taken all the same, and only the callback
        // can end them.
        if self.unasked >= ASKED && !self.stopped {
            self.unasked = 0;
            self.stopped = !(self.ask)();
        }
        if self.stopped {
            self.left = 0;
        }
        !self.stopped
    }

    /// Asks at once whether to go on, before or after what cannot be interrupted.
    pub fn asks(&mut self) -> bool {
        self.unasked = 0;
        if self.left > 0 && !(self.ask)() {
            self.left = 0;
        }
        self.left > 0
    }

    pub fn steps_left(&self) -> u64 {
        self.left
    }

    /// Returns the steps requested so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}
