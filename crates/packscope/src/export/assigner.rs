//! Assigns items to packs, one by one.

use super::document::Document;
use super::shuffle::Permutation;
use crate::error::{Error, Result};
use crate::histogram::{FREE, Overlong, Size, fits};
use crate::plan::{Plan, Strategy, packs};
use crate::rng::Random;
use crate::words::plural;

/// A piece of an item in its pack; an item is one piece unless it is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssignedItem<const K: usize> {
    /// The pack, from 0: strategy by strategy, or shuffled.
    pub pack: u64,
    /// Items before it in the pack.
    pub place: u64,
    /// Slots before it in the pack, per component.
    pub offset: [u64; K],
    /// Tokens (nodes, edges) of the piece; in the pack it takes this size rounded up to the alignment.
    pub size: Size<K>,
}

/// Slots of one size in the packs of one strategy.
#[derive(Debug, Clone, Copy)]
struct Slots<const K: usize> {
    size: Size<K>,
    /// The first pack of the strategy, and how many packs it has.
    first: u64,
    packs: u64,
    /// Slots of the size in a pack, and the items and slots before the first of them.
    times: u32,
    place: u64,
    offset: [u64; K],
}

/// The slots of one size, and the number of them that are taken.
#[derive(Debug, Clone, Copy)]
struct FreeSlots<const K: usize> {
    size: Size<K>,
    /// The group of slots being filled, and the end of the groups.
    now: usize,
    end: usize,
    /// In this group: the pack being filled, and its slots taken so far.
    pack: u64,
    taken: u32,
}

/// The slots of one size in an order that was drawn.
#[derive(Debug, Clone)]
struct DrawnSlots {
    order: Permutation,
    /// Items of the size so far.
    items: u64,
    /// For each group of slots, those in it and in the groups before it.
    until: Vec<u64>,
}

/// Sizes whose first component is below this are found by a table.
const TABLE: u32 = 1 << 16;

/// Gives each item its place. Items of a size fill the slots for it in the order of the packs, so the place of an item
/// depends on the plan and on the number of items of its size before it. O(1) for each piece if all lengths of the plan
/// are below 65,536, else O(log sizes); memory grows with the strategies, never with the items.
#[derive(Debug, Clone)]
pub struct Assigner<const K: usize> {
    limits: Size<K>,
    overlong: Overlong,
    align: u32,
    slots: Vec<Slots<K>>,
    rooms: Vec<FreeSlots<K>>,
    /// For each first component, the rooms before it.
    before: Vec<u32>,
    order: Option<Permutation>,
    /// For each room, which slot the next item gets, where that is drawn.
    drawn_slots: Option<Vec<DrawnSlots>>,
    items: u64,
    dropped: u64,
    pieces: u64,
}

impl<const K: usize> Assigner<K> {
    /// Starts with nothing placed; with a seed, packs are numbered in a shuffled order.
    ///
    /// # Errors
    /// [`Error::Components`]; [`Error::Unsplittable`] where items of several components were to be split.
    pub fn new(plan: &Document<K>, seed: Option<u64>) -> Result<Self> {
        let about = &plan.about;
        Self::with(
            plan.limits()?,
            &plan.strategies,
            (about.overlong, about.align),
            seed,
        )
    }

    /// Starts likewise for a plan without a document, whose items were fitted to its limits by `overlong`
    /// ([`Histogram::fit`](crate::histogram::Histogram::fit)).
    ///
    /// # Errors
    /// [`Error::Unsplittable`] where items of several components were to be split.
    ///
    /// ```
    /// use packscope::export::Assigner;
    /// use packscope::{Algorithm, Depth, Histogram, Overlong};
    ///
    /// let lengths = [300, 12, 200, 512, 200];
    /// let histogram = Histogram::from_lengths(lengths.map(|length| (length, 1)))?;
    /// let plan = Algorithm::Lpfhp.pack(&histogram, 512, Depth::Unlimited)?;
    ///
    /// let mut assigner = Assigner::for_plan(&plan, Overlong::Reject, None)?;
    /// let mut rows = vec![Vec::new(); plan.packs() as usize];
    /// for (item, length) in lengths.into_iter().enumerate() {
    ///     if let Some(placed) = assigner.place_whole([length])? {
    ///         rows[placed.pack as usize].push(item);
    ///     }
    /// }
    /// assigner.finish()?;
    /// assert_eq!(rows, [vec![3], vec![0, 1, 2], vec![4]]);
    /// # Ok::<(), packscope::Error>(())
    /// ```
    pub fn for_plan(plan: &Plan<K>, overlong: Overlong, seed: Option<u64>) -> Result<Self> {
        Self::with(plan.limits(), plan.strategies(), (overlong, 1), seed)
    }

    fn with(
        limits: Size<K>,
        strategies: &[Strategy<K>],
        (overlong, align): (Overlong, u32),
        seed: Option<u64>,
    ) -> Result<Self> {
        if K > 1 && overlong == Overlong::Split {
            return Err(Error::Unsplittable);
        }
        let mut slots = slots(strategies);
        // A stable sort: slots of one size keep the order of the packs.
        slots.sort_by_key(|slots| slots.size);
        let mut rooms: Vec<FreeSlots<K>> = Vec::new();
        for (i, of) in slots.iter().enumerate() {
            match rooms.last_mut() {
                Some(room) if room.size == of.size => room.end = i + 1,
                _ => rooms.push(FreeSlots {
                    size: of.size,
                    now: i,
                    end: i + 1,
                    pack: 0,
                    taken: 0,
                }),
            }
        }
        Ok(Self {
            limits,
            overlong,
            align: align.max(1),
            before: table(&rooms),
            slots,
            rooms,
            // Only numbers of packs are shuffled: slots are filled in the order of the plan.
            order: seed.map(|seed| Permutation::new(packs(strategies), seed)),
            drawn_slots: None,
            items: 0,
            dropped: 0,
            pieces: 0,
        })
    }

    /// Draws by a seed which of the items of one size gets which slot: packs keep their sizes, and hold other items with
    /// another seed (Krell et al. 2022, *Tuple Packing*, §2.6). To be called before the first item.
    #[must_use]
    pub fn with_redraw(mut self, seed: u64) -> Self {
        let mut random = Random::seeded(seed);
        let drawn = |room: &FreeSlots<K>| {
            let slots = self.slots.get(room.now..room.end).unwrap_or_default();
            let until: Vec<u64> = slots
                .iter()
                .scan(0, |sum, s| {
                    *sum += s.packs * u64::from(s.times);
                    Some(*sum)
                })
                .collect();
            DrawnSlots {
                // Each size with a seed of its own, or sizes that are as many would move alike.
                order: Permutation::new(until.last().copied().unwrap_or(0), random.bits()),
                items: 0,
                until,
            }
        };
        self.drawn_slots = Some(self.rooms.iter().map(drawn).collect());
        self
    }

    /// Places the next item. Calls `each` for its pieces, in their order in the item: none if the item is dropped,
    /// several if it is split.
    ///
    /// # Errors
    /// [`Error::Input`] with the number of the item (from 0) when the plan has no slot left for it: the plan was made
    /// for other items. [`Error::Overlong`] under [`Overlong::Reject`].
    pub fn place(&mut self, size: Size<K>, each: &mut dyn FnMut(AssignedItem<K>)) -> Result<()> {
        if fits(&size, &self.limits) {
            each(self.piece(size)?);
        } else {
            match self.overlong {
                Overlong::Truncate => {
                    each(self.piece(std::array::from_fn(|k| size[k].min(self.limits[k])))?);
                }
                Overlong::Split => {
                    let mut left = size[0];
                    while left > 0 {
                        let now = left.min(self.limits[0]);
                        // K is 1: `with` refuses to split anything else.
                        each(self.piece([now; K])?);
                        left -= now;
                    }
                }
                Overlong::Drop => self.dropped += 1,
                Overlong::Reject => {
                    return Err(self.overlong(&size));
                }
            }
        }
        self.items += 1;
        Ok(())
    }

    /// Places the next item as one piece; returns `None` if it is dropped.
    ///
    /// # Errors
    /// As [`place`](Self::place); [`Error::Overlong`] under [`Overlong::Split`] too.
    pub fn place_whole(&mut self, size: Size<K>) -> Result<Option<AssignedItem<K>>> {
        if self.overlong == Overlong::Split && !fits(&size, &self.limits) {
            return Err(self.overlong(&size));
        }
        let mut placed = None;
        self.place(size, &mut |piece| placed = Some(piece))?;
        Ok(placed)
    }

    fn overlong(&self, size: &Size<K>) -> Error {
        let k = (0..K)
            .find(|k| size[*k] > self.limits[*k])
            .unwrap_or_default();
        Error::Overlong {
            items: 1,
            largest: size[k],
            limit: self.limits[k],
            component: k,
            components: K,
        }
    }

    /// Checks, after the last item, that all slots are filled.
    ///
    /// # Errors
    /// [`Error::Input`] when slots are left over: the plan was made for more items.
    pub fn finish(&self) -> Result<()> {
        let left = |room: &FreeSlots<K>| {
            let slots = self.slots.get(room.now..room.end).unwrap_or_default();
            let all: u64 = slots.iter().map(|s| s.packs * u64::from(s.times)).sum();
            // Of the group being filled, the packs that are full already.
            let first = slots.first().map_or(0, |s| room.pack * u64::from(s.times));
            all - first - u64::from(room.taken)
        };
        let open: Vec<(&FreeSlots<K>, u64)> = self
            .rooms
            .iter()
            .map(|room| (room, left(room)))
            .filter(|(_, left)| *left > 0)
            .collect();
        let Some((room, least)) = open.first() else {
            return Ok(());
        };
        let all: u64 = open.iter().map(|(_, left)| left).sum();
        Err(other_items(
            format!("the end, after {}", plural(self.items, "item")),
            format!(
                "{} of the plan stay empty, {} of them for a size of {}",
                plural(all, "slot"),
                least,
                words(&room.size)
            ),
        ))
    }

    /// Returns the number of items so far.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Returns the number of items that were left out.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Returns the number of pieces in packs.
    pub fn pieces(&self) -> u64 {
        self.pieces
    }

    fn piece(&mut self, size: Size<K>) -> Result<AssignedItem<K>> {
        let taken = slots_taken(&size, self.align, &self.limits);
        let Some((slots, pack, copy)) = self.room(&taken).and_then(|room| self.take(room)) else {
            return Err(other_items(
                format!("item {}", self.items),
                format!("no slot is left for a size of {}", words(&size)),
            ));
        };
        self.pieces += 1;
        let pack = slots.first + pack;
        Ok(AssignedItem {
            pack: self.order.as_ref().map_or(pack, |order| order.image(pack)),
            place: slots.place + u64::from(copy),
            offset: std::array::from_fn(|k| {
                slots.offset[k] + u64::from(copy) * u64::from(slots.size[k])
            }),
            size,
        })
    }

    fn room(&self, size: &Size<K>) -> Option<usize> {
        let first = size[0] as usize;
        let (from, to) = match (self.before.get(first), self.before.get(first + 1)) {
            (Some(from), Some(to)) => (*from as usize, *to as usize),
            // No table: lengths reach `TABLE`, and all rooms are searched.
            _ if self.before.is_empty() => (0, self.rooms.len()),
            // Longer than all that the plan holds.
            _ => return None,
        };
        let within = self
            .rooms
            .get(from..to)?
            .binary_search_by(|room| room.size.cmp(size))
            .ok()?;
        Some(from + within)
    }

    /// Takes the next slot of a room: its group, the pack in the group, and the slot among those of the size in it.
    fn take(&mut self, index: usize) -> Option<(Slots<K>, u64, u32)> {
        let room = self
            .rooms
            .get_mut(index)
            .filter(|room| room.now < room.end)?;
        let slots = *self.slots.get(room.now)?;
        let mut found = (slots, room.pack, room.taken);
        if let Some(drawn) = self
            .drawn_slots
            .as_mut()
            .and_then(|drawn| drawn.get_mut(index))
        {
            let slot = drawn.order.image(drawn.items);
            drawn.items += 1;
            let group = drawn.until.partition_point(|until| *until <= slot);
            let before = group.checked_sub(1).map_or(0, |g| drawn.until[g]);
            // The groups of a room end where it ends, whichever of them is being filled.
            let slots = *self.slots.get(room.end - drawn.until.len() + group)?;
            let (pack, copy) = (
                (slot - before) / u64::from(slots.times),
                (slot - before) % u64::from(slots.times),
            );
            found = (slots, pack, copy as u32);
        }
        // All slots of the size in one pack, then the next pack: the order that `docs/PLAN.md`
        // promises, and that the snippets in Python follow.
        room.taken += 1;
        if room.taken == slots.times {
            (room.taken, room.pack) = (0, room.pack + 1);
        }
        if room.pack == slots.packs {
            (room.pack, room.now) = (0, room.now + 1);
        }
        Some(found)
    }
}

/// Returns the slots that a piece takes in a pack, aligned as the engine aligns lengths.
pub(super) fn slots_taken<const K: usize>(size: &Size<K>, align: u32, limits: &Size<K>) -> Size<K> {
    if align == 1 {
        return *size;
    }
    std::array::from_fn(|k| {
        size[k]
            .checked_next_multiple_of(align)
            .unwrap_or(FREE)
            .min(limits[k])
    })
}

/// Returns the slots of all strategies, in the order of packs.
fn slots<const K: usize>(strategies: &[Strategy<K>]) -> Vec<Slots<K>> {
    let (mut all, mut first) = (Vec::new(), 0);
    for strategy in strategies.iter().filter(|s| s.count > 0) {
        let (mut place, mut offset) = (0, [0; K]);
        for &(size, times) in &strategy.runs {
            all.push(Slots {
                size,
                first,
                packs: strategy.count,
                times,
                place,
                offset,
            });
            place += u64::from(times);
            offset = std::array::from_fn(|k| offset[k] + u64::from(times) * u64::from(size[k]));
        }
        first += strategy.count;
    }
    all
}

fn table<const K: usize>(rooms: &[FreeSlots<K>]) -> Vec<u32> {
    let largest = rooms.last().map_or(0, |room| room.size[0]);
    if largest >= TABLE {
        return Vec::new();
    }
    let before = |length: u32| rooms.partition_point(|room| room.size[0] < length) as u32;
    // One entry beyond the largest length, where its rooms end.
    (0..largest + 2).map(before).collect()
}

fn words<const K: usize>(size: &Size<K>) -> String {
    size.map(|s| s.to_string()).join(" × ")
}

fn other_items(place: String, found: String) -> Error {
    let message = format!("{found}; expected the items that the plan was made for, each once");
    Error::Input { place, message }
}
