//! Dense first: the cheapest way to show enough rows alike is taken, over and over.
//!
//! One level per axis says how every row could be shown; all choices of levels are a lattice. The rows that one choice
//! shows alike are a *cell*, with a loss. Cells are taken in ascending order of loss, each with all rows that are left in
//! it, if these keep the conditions. So rows with many like them are shown almost as they are, and the rest waits for
//! coarser cells: the other way round, with the rare rows first, every rare row drags near ones down with it.
//!
//! | age, sex | loss | rows left | taken with 2-anonymity |
//! |---|---|---|---|
//! | 31, F | 0 | 3 | yes |
//! | 34, M | 0 | 1 | not yet |
//! | [30, 40), M | 0.05 | 2 | yes |
//!
//! # Cost
//! It goes by rounds. In each, one pass over the distinct rows that are left for each choice of levels that can have cells
//! of such a loss; a choice without enough rows alike proves it of all finer ones, which are never looked at again. Then
//! one pass for each choice and each small stretch of losses in which it had such cells.

use std::ops::{Range, RangeInclusive};

use hashbrown::HashMap;
use rayon::prelude::*;
use scumble_level::Conditions;
use scumble_progress::{Counter, Work};

use crate::rungs::Level;
use crate::{Failure, Problem, Space};

/// The largest number of choices of levels. Beyond it, levels between the finest and the coarsest are passed over.
const CHOICES_AT_MOST: usize = 20_000;

/// Into how many stretches losses from 0 to 1 are parted. Within a stretch cells are taken in order, too, but what is
/// taken is only noticed from stretch to stretch.
const STRETCHES: usize = 256;

/// The stretches of each round. Most rows are taken early, and most choices cost more than these.
const ENDS: [usize; 13] = [0, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, STRETCHES];

/// How often it tells that the rows of a block have taken a round.
pub(super) const ROUNDS: usize = ENDS.len() - 1;

/// How many choices are looked at between two questions whether to go on.
const BATCH: usize = 256;

/// Groups of rows, cheap ones first; rows that are in no cell that keeps the conditions are in none.
pub(super) fn dense_first(
    problem: &Problem,
    conditions: &Conditions,
    lattice: &Lattice,
    rows: &[u32],
    done: &Counter,
) -> Result<Vec<Vec<u32>>, Failure> {
    let mut kinds = Kinds::new(problem.space, rows);
    let mut groups = Vec::new();
    let mut hopeless = vec![false; lattice.len()];
    for round in ENDS.windows(2) {
        let search = Search {
            lattice,
            kinds: &kinds,
            conditions,
            stretches: round[0]..round[1],
            work: problem.work,
        };
        let hot = search.hot(&mut hopeless)?;
        let taken = search.take(&hot, &mut groups)?;
        kinds.forget(&taken);
        done.add(rows.len());
    }
    Ok(groups)
}

/// Rows that are alike on every axis.
struct Kinds {
    rows: Vec<Vec<u32>>,
    /// What they are on each axis, kind by kind.
    codes: Vec<u32>,
    axes: usize,
}

impl Kinds {
    fn new(space: &Space, rows: &[u32]) -> Self {
        let mut sorted = rows.to_vec();
        sorted.sort_unstable_by(|&a, &b| space.cells(a).cmp(space.cells(b)).then(a.cmp(&b)));
        let alike = sorted.chunk_by(|&a, &b| space.cells(a) == space.cells(b));
        let rows: Vec<Vec<u32>> = alike.map(<[u32]>::to_vec).collect();
        Kinds {
            codes: rows.iter().flat_map(|rows| space.cells(rows[0])).copied().collect(),
            axes: space.axes(),
            rows,
        }
    }

    fn codes(&self, kind: u32) -> &[u32] {
        &self.codes[kind as usize * self.axes..][..self.axes]
    }

    fn forget(&mut self, gone: &[bool]) {
        let kinds = 0..self.rows.len() as u32;
        let kept = kinds.filter(|&kind| !gone[kind as usize]);
        self.codes = kept.flat_map(|kind| self.codes(kind).to_vec()).collect();
        let mut gone = gone.iter();
        self.rows.retain(|_| gone.next() == Some(&false));
    }
}

/// The choices of levels.
pub(super) struct Lattice {
    /// For each axis the levels to choose from, ascending.
    levels: Vec<Vec<Rung>>,
}

/// A level, with losses in whole numbers.
struct Rung {
    /// For each code its part, and the loss of that.
    parts: Vec<(u32, u32)>,
    /// The smallest loss of a part.
    least: u32,
    /// The largest loss of a part.
    most: u32,
}

/// What a loss of 1 on one axis is in whole numbers.
const WHOLE: f64 = (1 << 20) as f64;

impl Rung {
    fn new(level: &Level) -> Rung {
        let losses = level.losses.iter().map(|loss| (loss * WHOLE) as u32);
        Rung {
            least: losses.clone().min().unwrap_or(0),
            most: losses.clone().max().unwrap_or(0),
            parts: level.part_of.iter().copied().zip(losses).collect(),
        }
    }

    fn part(&self, code: u32) -> u32 {
        self.parts[code as usize].0
    }

    fn loss(&self, code: u32) -> u32 {
        self.parts[code as usize].1
    }
}

impl Lattice {
    pub fn new(space: &Space) -> Self {
        let mut levels: Vec<Vec<&Level>> = (0..space.axes())
            .map(|axis| space.rungs(axis).levels.iter().collect())
            .collect();
        let choices = |levels: &[Vec<&Level>]| levels.iter().map(Vec::len).fold(1, usize::saturating_mul);
        while choices(&levels) > CHOICES_AT_MOST {
            // The longest ladder loses a rung in the middle. Where all have two rungs left, it loses the lower one: the cells
            // then mix all values of that axis, and the improvement afterwards has to make up for it.
            let longest = (0..levels.len()).rev().max_by_key(|&axis| levels[axis].len());
            let Some(ladder) = longest.map(|axis| &mut levels[axis]).filter(|ladder| ladder.len() > 1) else {
                break;
            };
            ladder.remove((ladder.len() - 1) / 2);
        }
        let rungs = |levels: Vec<&Level>| levels.into_iter().map(Rung::new).collect();
        Lattice {
            levels: levels.into_iter().map(rungs).collect(),
        }
    }

    fn len(&self) -> usize {
        self.levels.iter().map(Vec::len).product()
    }

    /// The place of a choice on each axis; its number counts up the first axis fastest.
    fn digits(&self, mut number: usize) -> impl Iterator<Item = usize> {
        self.levels.iter().map(move |levels| {
            let digit = number % levels.len();
            number /= levels.len();
            digit
        })
    }

    fn choice(&self, number: usize) -> Vec<&Rung> {
        let digits = self.digits(number).zip(&self.levels);
        digits.map(|(digit, levels)| &levels[digit]).collect()
    }

    /// The stretches that cells of a choice can lie in.
    fn stretches(&self, number: usize) -> RangeInclusive<usize> {
        let choice = self.choice(number);
        let least = choice.iter().map(|rung| rung.least).sum();
        let most = choice.iter().map(|rung| rung.most).sum();
        stretch(least, choice.len())..=stretch(most, choice.len())
    }

    /// How many steps above the finest choice.
    fn height(&self, number: usize) -> usize {
        self.digits(number).sum()
    }

    /// The choices that are one step coarser.
    fn coarser(&self, number: usize) -> impl Iterator<Item = usize> {
        let mut weight = 1;
        self.digits(number)
            .zip(&self.levels)
            .filter_map(move |(digit, levels)| {
                let above = (digit + 1 < levels.len()).then_some(number + weight);
                weight *= levels.len();
                above
            })
    }
}

/// Which stretches of losses a choice has cells in that could keep the conditions.
type Hot = [u64; STRETCHES / 64];

/// The rows that a choice of levels shows alike.
struct Cell {
    loss: u32,
    kinds: Vec<u32>,
}

/// The search among the kinds that are left.
struct Search<'s, 't> {
    lattice: &'s Lattice,
    kinds: &'s Kinds,
    conditions: &'s Conditions<'t>,
    stretches: Range<usize>,
    work: Work<'s>,
}

impl Search<'_, '_> {
    fn check(&self) -> Result<(), Failure> {
        Ok(self.work.go_on()?)
    }

    /// Takes cells in ascending order of loss, and tells which kinds are gone.
    fn take(&self, hot: &[Hot], groups: &mut Vec<Vec<u32>>) -> Result<Vec<bool>, Failure> {
        let mut gone = vec![false; self.kinds.rows.len()];
        for now in self.stretches.clone() {
            let is_hot = |number: &usize| hot[*number][now / 64] >> (now % 64) & 1 == 1;
            let choices: Vec<usize> = (0..hot.len()).filter(is_hot).collect();
            let mut cells: Vec<Cell> = Vec::new();
            for batch in choices.chunks(BATCH) {
                self.check()?;
                let alive = batch.par_iter().filter(|_| !self.work.should_stop());
                let found = alive.map(|&number| self.cells_in(number, now, &gone));
                cells.extend(found.collect::<Vec<_>>().into_iter().flatten());
            }
            cells.sort_by_key(|cell| cell.loss);
            self.check()?;
            for mut cell in cells {
                cell.kinds.retain(|&kind| !gone[kind as usize]);
                let rows = cell.kinds.iter().flat_map(|&kind| &self.kinds.rows[kind as usize]);
                let rows: Vec<u32> = rows.copied().collect();
                if self.conditions.are_met_by(&rows) {
                    cell.kinds.iter().for_each(|&kind| gone[kind as usize] = true);
                    groups.push(rows);
                }
            }
        }
        Ok(gone)
    }

    /// Of each choice, where it has cells of enough rows. Coarse choices first: what they cannot, no finer one can, now or
    /// when fewer rows are left.
    fn hot(&self, hopeless: &mut [bool]) -> Result<Vec<Hot>, Failure> {
        let concerns = |&number: &usize| {
            let own = self.lattice.stretches(number);
            *own.start() < self.stretches.end && *own.end() >= self.stretches.start
        };
        let mut order: Vec<usize> = (0..self.lattice.len()).filter(concerns).collect();
        order.sort_by_cached_key(|&number| std::cmp::Reverse(self.lattice.height(number)));
        let mut hot: Vec<Hot> = vec![Hot::default(); self.lattice.len()];
        for layer in order.chunk_by(|&a, &b| self.lattice.height(a) == self.lattice.height(b)) {
            for &number in layer {
                hopeless[number] |= self.lattice.coarser(number).any(|above| hopeless[above]);
            }
            let alive: Vec<usize> = layer.iter().copied().filter(|&number| !hopeless[number]).collect();
            for batch in alive.chunks(BATCH) {
                self.check()?;
                let found = batch
                    .par_iter()
                    .filter(|_| !self.work.should_stop())
                    .map_init(HashMap::new, |counts, &number| self.hot_of(number, counts));
                let found: Vec<Hot> = found.collect();
                self.check()?;
                for (&number, found) in batch.iter().zip(found) {
                    hot[number] = found;
                    hopeless[number] = found == Hot::default();
                }
            }
        }
        Ok(hot)
    }

    fn hot_of(&self, number: usize, counts: &mut HashMap<u64, (usize, u32)>) -> Hot {
        let choice = self.lattice.choice(number);
        counts.clear();
        for (kind, rows) in self.kinds.rows.iter().enumerate() {
            let codes = self.kinds.codes(kind as u32);
            let entry = counts
                .entry(key(&choice, codes))
                .or_insert_with(|| (0, loss(&choice, codes)));
            entry.0 += rows.len();
        }
        let enough = counts
            .values()
            .filter(|(rows, _)| *rows >= self.conditions.fewest_rows());
        let mut hot = Hot::default();
        for stretch in enough.map(|&(_, loss)| stretch(loss, choice.len())) {
            hot[stretch / 64] |= 1 << (stretch % 64);
        }
        hot
    }

    /// The cells of a choice in a stretch of losses that have enough rows among those left.
    fn cells_in(&self, number: usize, now: usize, gone: &[bool]) -> Vec<Cell> {
        let choice = self.lattice.choice(number);
        let kinds = 0..self.kinds.rows.len() as u32;
        let left = kinds.filter(|&kind| !gone[kind as usize]);
        let in_stretch = left.filter(|&kind| stretch(loss(&choice, self.kinds.codes(kind)), choice.len()) == now);
        let mut shown: Vec<(u64, u32)> = in_stretch
            .map(|kind| (key(&choice, self.kinds.codes(kind)), kind))
            .collect();
        shown.sort_unstable();
        let cells = shown.chunk_by(|a, b| a.0 == b.0).filter_map(|cell| {
            let first = self.kinds.codes(cell[0].1);
            let alike = |kind: u32| {
                let mut axes = choice.iter().zip(self.kinds.codes(kind).iter().zip(first));
                axes.all(|(rung, (&a, &b))| rung.part(a) == rung.part(b))
            };
            // Keys are mixed, so two parts may share one; then the others wait for a coarser cell.
            let kinds: Vec<u32> = cell.iter().map(|&(_, kind)| kind).filter(|&kind| alike(kind)).collect();
            let rows: usize = kinds.iter().map(|&kind| self.kinds.rows[kind as usize].len()).sum();
            (rows >= self.conditions.fewest_rows()).then(|| Cell {
                loss: loss(&choice, first),
                kinds,
            })
        });
        cells.collect()
    }
}

/// What a choice shows as one, mixed into a number.
#[inline]
fn key(choice: &[&Rung], codes: &[u32]) -> u64 {
    let parts = choice.iter().zip(codes).map(|(rung, &code)| rung.part(code));
    parts.fold(0, |key: u64, part| {
        (key ^ u64::from(part))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    })
}

/// The loss of what a choice shows, summed over the axes.
#[inline]
fn loss(choice: &[&Rung], codes: &[u32]) -> u32 {
    choice.iter().zip(codes).map(|(rung, &code)| rung.loss(code)).sum()
}

/// The stretch that a loss lies in.
#[inline]
fn stretch(loss: u32, axes: usize) -> usize {
    let share = f64::from(loss) / (WHOLE * axes as f64);
    ((share * STRETCHES as f64) as usize).min(STRETCHES - 1)
}
