//! Tables read side by side, by as many hands as the program has.
//!
//! A chunk is cut behind line ends. The decoder reads the first piece, and copies of it read the others at the same time, each
//! on the guess that no record crosses the beginning of its piece. Once the piece before is read the guess is checked. Where it
//! was wrong, or where a copy met anything but rows and faults in rows, the piece is read again, behind those before it. So the
//! result is that of one reader to the byte.

use super::decoder::Decoder;
use super::tally::{Counted, Tally};

/// Hands that work at the same time, such as the threads of a program: this crate starts none.
pub trait Crew {
    /// Returns how many pieces can be read at the same time.
    fn hands(&self) -> usize;

    /// Returns the bytes that are read at once for each hand.
    fn share(&self) -> usize;

    /// Does `mine` here, and `others` here and elsewhere, in their order; returns when all are done.
    fn work<'a>(&self, mine: &mut dyn FnMut(), others: Vec<Box<dyn FnOnce() + Send + 'a>>);
}

/// A copy of a decoder with all that it counted in its piece.
type Done<const K: usize> = (Box<dyn Decoder<K>>, Counted<K>);

/// Counts the records that end in the next bytes, as `decoder.push` does; calls `meanwhile` while others read, if any do.
pub(super) fn push<const K: usize>(
    decoder: &mut Box<dyn Decoder<K>>,
    bytes: &[u8],
    tally: &mut Tally<K>,
    (crew, meanwhile): (&dyn Crew, &mut dyn FnMut()),
) {
    let (first, rest) = pieces(bytes, crew);
    let copies: Option<Vec<_>> = rest.iter().map(|_| decoder.copy()).collect();
    let Some(copies) = copies.filter(|all| !all.is_empty() && tally.is_divisible()) else {
        return decoder.push(bytes, tally);
    };
    let before = tally.uncounted();
    let mut done: Vec<Option<Done<K>>> = copies.iter().map(|_| None).collect();
    let others = copies.into_iter().zip(&rest).zip(&mut done);
    let others = others.map(|((mut copy, piece), done)| {
        let before = &before;
        let job = move || {
            let mut tally = Tally::with(before.clone());
            copy.push(piece, &mut tally);
            *done = Some((copy, tally.counted()));
        };
        Box::new(job) as Box<dyn FnOnce() + Send + '_>
    });
    let others = others.collect();
    let mut mine = || {
        meanwhile();
        decoder.push(first, tally);
    };
    crew.work(&mut mine, others);
    for (at, done) in done.into_iter().enumerate() {
        let joined = done.and_then(|(mut copy, counted)| {
            let passed = decoder.passed()?;
            let follows = copy.follows(passed) && tally.join(counted, &before, passed.lines);
            follows.then_some(copy)
        });
        match joined {
            Some(copy) => *decoder = copy,
            None => {
                rest[at..]
                    .iter()
                    .for_each(|piece| decoder.push(piece, tally));
                break;
            }
        }
    }
}

/// Pieces for each hand: with several, none waits long for one that is busy with other things.
const PIECES: usize = 4;

/// Cuts bytes behind line ends into pieces of about the same size: the first, and the others.
fn pieces<'b>(bytes: &'b [u8], crew: &dyn Crew) -> (&'b [u8], Vec<&'b [u8]>) {
    let size = crew.share() / PIECES + 1;
    let (mut all, mut left) = (Vec::new(), bytes);
    while crew.hands() > 1 && left.len() >= 2 * size {
        let Some(end) = memchr::memchr(b'\n', &left[size..]) else {
            break;
        };
        let (piece, behind) = left.split_at(size + end + 1);
        all.push(piece);
        left = behind;
    }
    all.push(left);
    (all.remove(0), all)
}
