//! A [`JoinGuard`] watches a template on the join with earlier releases.
//!
//! It counts on partitions and never makes the join (TDSSA, Fung 2007, chapter 6; there Tree1, Tree2 and CTree):
//!
//! - `side`: each earlier release, collapsed to what the template needs of it;
//! - `matching`: which records of this table match which of them;
//! - `counted`: what is counted of the records of each release;
//! - `count`: the level of one group of this table from all that.
//!
//! Groups are the records of this table that show the same on the columns of the template. Each keeps its level, and for
//! every candidate that touches it the level after it, so a refinement only counts in groups that show the refined value.
//!
//! Levels on the join can get better when a value is refined: a part of a group vanishes when its labels stop meeting
//! (the printed lemmas 6.2.1 and 6.2.2 overlook this). So nothing is dropped for good here. Where every join column is in
//! the template and no record of this table dangles, what the earlier releases show does not change who is counted of this
//! table; [`counts_this_table_alone`] tells, and a plain guard does it with all its pruning.
//!
//! A join column outside the quasi-identifier splits no group, but changes what its records match.

mod bits;
mod count;
mod counted;
mod dangling;
mod matching;
mod side;

use std::sync::Mutex;

use hashbrown::{HashMap, HashSet};
use scumble_privacy::{History, JoinDemand, Joined, Per, THIS, Template};
use scumble_table::{Codes, Column, ColumnId, Dictionary, collapse};

use scumble_progress::Work;

use crate::problem::{Operation, Problem};
use crate::projection::Rows;
use crate::values::{CandidateId, NO_SLOT, NO_VALUE, ROOT, Refinement, ValueId, Values};
use count::{Counter, Part};
use counted::Counted;
use matching::{Combination, Matching, Shown, ShownValues};
use side::Side;

pub use dangling::{Dangling, DanglingIn, dangling};

/// Whether the level of a template on the join is that of the same template on this table alone: every join column is in
/// it, so that all records of a group match the same, and what is counted are records of this table. The caller knows that
/// each of them has a match.
pub(crate) fn counts_this_table_alone(template: &Template, joined: &Joined, history: &History) -> bool {
    let counts_this = match &joined.demand {
        JoinDemand::Anonymity { per, .. } => *per == Per::Records { release: THIS },
        JoinDemand::Confidence { about, .. } => about.iter().all(|secrets| secrets.place.release == THIS),
    };
    counts_this && joined.has_all_join_columns(&template.of.columns, history)
}

/// Watches one template on the join.
#[derive(Debug)]
pub(crate) struct JoinGuard<'t> {
    /// The place of the template in the requirement.
    pub number: usize,
    pub template: &'t Template,
    columns: Vec<Moving<'t>>,
    /// For each quasi column its place among these.
    places: Vec<Option<usize>>,
    rows: Rows<'t>,
    sides: Vec<Side>,
    /// For each join column of this table, the place of its codes among those of the rows.
    codes_of_join: Vec<usize>,
    /// For each join column of this table, what each code shows now.
    shown: Vec<Vec<Shown>>,
    /// What each row matches now.
    combination_of: Vec<Combination>,
    groups: Vec<Group>,
    /// What grows as it is asked.
    lore: Mutex<Lore<'t>>,
    /// Once it should stop, nothing is counted any more.
    work: Work<'t>,
}

#[derive(Debug)]
struct Lore<'t> {
    matching: Matching<'t>,
    counter: Counter,
    /// For each column and candidate, what its children show, as far as it was asked for since it last changed.
    children: HashMap<(usize, CandidateId), Vec<Shown>>,
}

/// A column that the search refines.
#[derive(Debug)]
struct Moving<'t> {
    /// Its place among the quasi columns.
    column: usize,
    /// Whether it is in the quasi-identifier of the template.
    groups: bool,
    /// Its place among the join columns of this table.
    join: Option<usize>,
    /// Its values, where those that are shown are not behind `*`.
    values: Option<&'t Dictionary>,
    /// What each code shows now.
    value_of_code: Vec<ValueId>,
}

/// Records of this table that show the same on the columns of the template.
#[derive(Debug)]
struct Group {
    /// What they show on each column of the guard; [`NO_VALUE`] on those outside the template.
    values: Vec<ValueId>,
    rows: Vec<u32>,
    /// `None` if they have no match.
    level: Option<f64>,
    /// For each column of the guard, the level after each candidate that touches the group.
    after: Vec<HashMap<CandidateId, Option<f64>>>,
}

impl<'t> JoinGuard<'t> {
    /// The groups of the most masked table.
    pub fn new(problem: &'t Problem<'t>, number: usize, values: &[Values<'t>], work: Work<'t>) -> Self {
        let template = &problem.requirement.templates[number];
        let joined = template.joined().expect("a join guard is for a template on the join");
        let history = problem.history;
        let counted = Counted::new(problem.table, joined, history);
        let sides: Vec<Side> = (0..history.earlier.len())
            .map(|at| counted.side(at, joined, history))
            .collect();
        let matching = Matching::new(history, &sides);

        let masked = problem.masked();
        let of: HashSet<ColumnId> = template.of.columns.iter().copied().collect();
        let join_columns = matching.columns.iter().enumerate();
        let join_of: HashMap<ColumnId, usize> = join_columns.map(|(place, join)| (join.id, place)).collect();
        let moving = |column: usize| {
            let quasi = &problem.quasi[column];
            let groups = of.contains(&quasi.id);
            let join = join_of.get(&quasi.id).copied();
            let is_needed = groups || (join.is_some() && masked[column]);
            let table_column = problem.table.column(quasi.id);
            let recoded = matches!(quasi.operation, Operation::Suppress) && history.recoded.contains(&quasi.id);
            is_needed.then(|| Moving {
                column,
                groups,
                join,
                values: (recoded && join.is_some()).then(|| table_column.dictionary()),
                value_of_code: values[column].value_of_code().to_vec(),
            })
        };
        let columns: Vec<Moving<'t>> = (0..problem.quasi.len()).filter_map(moving).collect();
        let mut places = vec![None; problem.quasi.len()];
        for (place, moving) in columns.iter().enumerate() {
            places[moving.column] = Some(place);
        }
        let own = columns.iter().map(|moving| problem.quasi[moving.column].id);
        let mut ids: Vec<ColumnId> = own.collect();
        let is_own: HashSet<ColumnId> = ids.iter().copied().collect();
        let fixed: Vec<ColumnId> = matching
            .columns
            .iter()
            .map(|join| join.id)
            .filter(|id| !is_own.contains(id))
            .collect();
        ids.extend(&fixed);
        let code_of: HashMap<ColumnId, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        let (rows, _) = Rows::project(
            problem.table,
            &ids,
            counted.of_this.as_ref(),
            counted.of_this_count,
            &ids,
            counted.of_this.as_deref().as_slice(),
        );
        let mut guard = JoinGuard {
            number,
            template,
            shown: vec![Vec::new(); matching.columns.len()],
            codes_of_join: matching
                .columns
                .iter()
                .map(|join| *code_of.get(&join.id).expect("join columns are all kept"))
                .collect(),
            columns,
            places,
            combination_of: Vec::new(),
            rows,
            sides,
            groups: Vec::new(),
            lore: Mutex::new(Lore {
                matching,
                counter: Counter::new(counted.tally),
                children: HashMap::new(),
            }),
            work,
        };
        for &id in &fixed {
            guard.show_as_it_is(problem.table.column(id), id);
        }
        for place in 0..guard.columns.len() {
            guard.show(place, &values[guard.columns[place].column]);
        }
        guard.find_combinations();
        let all = (0..guard.rows.count as u32).collect();
        let root = |moving: &Moving| if moving.groups { ROOT } else { NO_VALUE };
        let shown = guard.columns.iter().map(root).collect();
        let group = guard.group(shown, all, values);
        guard.groups.push(group);
        guard
    }

    /// Notes what the codes of a column that nobody masks show.
    fn show_as_it_is(&mut self, column: &Column, id: ColumnId) {
        let matching = &mut self.lore.get_mut().expect(NO_PANIC).matching;
        for (join, shown) in matching.columns.iter_mut().zip(&mut self.shown) {
            if join.id == id {
                *shown = join.shown_as_they_are(column.dictionary());
            }
        }
    }

    /// Notes what the codes of a column show now.
    fn show(&mut self, place: usize, values: &Values) {
        let moving = &self.columns[place];
        let Some(at) = moving.join else { return };
        let matching = &mut self.lore.get_mut().expect(NO_PANIC).matching;
        let join = &mut matching.columns[at];
        let mut of_value: HashMap<ValueId, Shown> = HashMap::new();
        let mut shown = |&value: &ValueId| {
            *of_value.entry(value).or_insert_with(|| match &moving.values {
                Some(_) if value == ROOT => join.star(&moving.shown(None)),
                // No row of this table is there.
                _ if value == NO_VALUE => Shown::MAX,
                _ => join.shown(values.label(value).as_deref()),
            })
        };
        self.shown[at] = moving.value_of_code.iter().map(&mut shown).collect();
    }

    /// Finds what every row matches.
    fn find_combinations(&mut self) {
        let lore = self.lore.get_mut().expect(NO_PANIC);
        let codes: Vec<&Codes> = self
            .codes_of_join
            .iter()
            .map(|&place| &*self.rows.codes[place])
            .collect();
        // Few rows differ on the join columns alone.
        let alike = collapse(self.rows.count, &codes);
        let combination = |&row: &u32| {
            let columns = self.shown.iter().zip(&codes);
            let shown: Vec<Shown> = columns
                .map(|(shown, codes)| shown[codes.at(row as usize) as usize])
                .collect();
            lore.matching.combination(&shown, &self.sides)
        };
        let combinations: Vec<Combination> = alike.rows.iter().map(combination).collect();
        self.combination_of = alike.kind_of.iter().map(|&kind| combinations[kind as usize]).collect();
    }

    /// The level now.
    pub fn level(&self) -> f64 {
        self.worst(self.groups.iter().map(|group| group.level))
    }

    /// The worst of the levels of groups. Where nothing matches, the join tells nothing.
    fn worst(&self, levels: impl Iterator<Item = Option<f64>>) -> f64 {
        let sense = self.template.sense();
        levels.flatten().fold(sense.best().max(0.0), |a, b| sense.worse(a, b))
    }

    /// The place of a quasi column in this guard.
    pub fn place(&self, column: usize) -> Option<usize> {
        self.places[column]
    }

    /// Whether the template groups by the column at this place.
    pub fn is_grouped_by(&self, place: usize) -> bool {
        self.columns[place].groups
    }

    /// The level after a live candidate.
    pub fn level_after(&self, place: usize, candidate: CandidateId) -> f64 {
        let after = |group: &Group| group.after[place].get(&candidate).copied().unwrap_or(group.level);
        self.worst(self.groups.iter().map(after))
    }

    /// The level after a refinement that the column lacks, live or not.
    pub fn level_if_made(&self, place: usize, candidate: CandidateId, values: &Values) -> f64 {
        let mut lore = self.lore.lock().expect(NO_PANIC);
        let refined = values.refined_by(candidate);
        let after = |group: &Group| match self.shows(group, place, refined) {
            true => self.after(group, place, candidate, values, &mut lore),
            false => group.level,
        };
        self.worst(self.groups.iter().map(after))
    }

    /// Splits the groups that show the refined value, and counts anew where it is shown.
    pub fn apply(&mut self, column: usize, refinement: &Refinement, values: &[Values]) {
        let Some(place) = self.place(column) else { return };
        let all = std::mem::take(&mut self.groups).into_iter();
        let (touched, mut groups): (Vec<Group>, Vec<Group>) =
            all.partition(|group| self.shows(group, place, refinement.value));
        refinement.show(&mut self.columns[place].value_of_code);
        self.move_on(place, &values[column]);
        for mut group in touched {
            if !self.columns[place].groups {
                groups.push(self.group(group.values, group.rows, values));
                continue;
            }
            let first = refinement.codes.start;
            let mut rows = vec![Vec::new(); refinement.into.len() + 1];
            for row in group.rows {
                let code = self.rows.codes[place].at(row as usize);
                rows[refinement.child_of[(code - first) as usize] as usize].push(row);
            }
            for (rows, &value) in rows
                .into_iter()
                .zip(&refinement.into)
                .filter(|(rows, _)| !rows.is_empty())
            {
                group.values[place] = value;
                groups.push(self.group(group.values.clone(), rows, values));
            }
        }
        self.groups = groups;
    }

    /// Takes over what a column shows now.
    fn move_on(&mut self, place: usize, values: &Values) {
        let Some(at) = self.columns[place].join else { return };
        if self.columns[place].values.is_some() {
            // `*` is something else now, and with it whatever was known of it.
            let lore = self.lore.get_mut().expect(NO_PANIC);
            lore.matching.forget(at);
            lore.counter.forget();
            lore.children.retain(|&(column, _), _| column != place);
        }
        self.show(place, values);
        self.find_combinations();
    }

    /// A group with its levels.
    fn group(&self, shown: Vec<ValueId>, rows: Vec<u32>, values: &[Values]) -> Group {
        let mut lore = self.lore.lock().expect(NO_PANIC);
        let dealt: Vec<(u32, Combination)> = rows
            .iter()
            .map(|&row| (row, self.combination_of[row as usize]))
            .collect();
        let mut group = Group {
            values: shown,
            level: self.level_of(&dealt, &mut lore),
            rows,
            after: Vec::new(),
        };
        let after = |place: usize| {
            let of = &values[self.columns[place].column];
            let candidates = self.touching(&group, place, of).into_iter();
            candidates
                .take_while(|_| !self.work.should_stop())
                .map(|candidate| (candidate, self.after(&group, place, candidate, of, &mut lore)))
                .collect()
        };
        let after: Vec<_> = (0..self.columns.len()).map(after).collect();
        group.after = after;
        group
    }

    /// Whether a record of a group shows a value.
    fn shows(&self, group: &Group, place: usize, value: ValueId) -> bool {
        let Moving {
            groups, value_of_code, ..
        } = &self.columns[place];
        let shown = |row: &u32| value_of_code[self.rows.codes[place].at(*row as usize) as usize];
        match groups {
            true => group.values[place] == value,
            false => group.rows.iter().any(|row| shown(row) == value),
        }
    }

    /// The live candidates of a column that change what records of a group show or match.
    fn touching(&self, group: &Group, place: usize, values: &Values) -> Vec<CandidateId> {
        let moving = &self.columns[place];
        if values.one_by_one() {
            let is_live = |&code: &u32| values.slots()[code as usize] != NO_SLOT;
            let codes = match moving.values {
                _ if !self.shows(group, place, ROOT) => Vec::new(),
                // To disclose a value changes what `*` may stand for, with or without a record that has the value.
                Some(_) => (0..values.slots().len() as u32).collect(),
                None => self.codes_in(group, place),
            };
            return codes.into_iter().filter(is_live).map(CandidateId).collect();
        }
        let mut shown: Vec<ValueId> = match moving.groups {
            true => vec![group.values[place]],
            false => {
                let codes = self.codes_in(group, place).into_iter();
                codes.map(|code| moving.value_of_code[code as usize]).collect()
            }
        };
        shown.dedup();
        let live = shown.into_iter().filter(|&value| values.slots_of(value) > 0);
        live.map(|value| CandidateId(value.0)).collect()
    }

    /// The codes that records of a group have, ascending.
    fn codes_in(&self, group: &Group, place: usize) -> Vec<u32> {
        let mut has = vec![false; self.columns[place].value_of_code.len()];
        let codes = &self.rows.codes[place];
        group
            .rows
            .iter()
            .for_each(|&row| has[codes.at(row as usize) as usize] = true);
        (0..).zip(has).filter(|&(_, has)| has).map(|(code, _)| code).collect()
    }

    /// The level of what a candidate would make of a group.
    fn after(
        &self,
        group: &Group,
        place: usize,
        candidate: CandidateId,
        values: &Values,
        lore: &mut Lore<'t>,
    ) -> Option<f64> {
        let moving = &self.columns[place];
        let refined = values.refined_by(candidate);
        let children = moving
            .join
            .map(|join| (join, lore.children_of(place, moving, join, candidate, values)));
        let (codes, child_of) = values.children_of_codes(candidate);
        let mut made: HashMap<(Combination, u32), Combination> = HashMap::new();
        let mut dealt: Vec<Vec<(u32, Combination)>> = Vec::new();
        for &row in &group.rows {
            let code = self.rows.codes[place].at(row as usize);
            let before = self.combination_of[row as usize];
            let is_refined = moving.value_of_code[code as usize] == refined;
            let child = if is_refined {
                child_of[(code - codes.start) as usize]
            } else {
                0
            };
            let after = match &children {
                Some((join, shown)) if is_refined => *made
                    .entry((before, child))
                    .or_insert_with(|| lore.matching.with(before, *join, shown[child as usize], &self.sides)),
                _ => before,
            };
            let set = if moving.groups { child as usize } else { 0 };
            if dealt.len() <= set {
                dealt.resize(set + 1, Vec::new());
            }
            dealt[set].push((row, after));
        }
        let levels = dealt.iter().filter_map(|rows| self.level_of(rows, lore));
        levels.reduce(|a, b| self.template.sense().worse(a, b))
    }

    /// The level of rows, given with what they match.
    fn level_of(&self, rows: &[(u32, Combination)], lore: &mut Lore) -> Option<f64> {
        let parts = self.parts(rows, lore.matching.combinations());
        lore.counter.level(&parts, &lore.matching, &self.sides)
    }

    /// Rows as parts, ascending: how many records there are of each combination and category. `combinations` is how many
    /// combinations there are.
    fn parts(&self, rows: &[(u32, Combination)], combinations: usize) -> Vec<Part> {
        let categories = self.rows.category_count.max(1);
        let part = |combination: Combination, category: u32, records: u64| Part {
            combination,
            category,
            records,
        };
        if combinations.saturating_mul(categories) <= 4 * rows.len() + 64 {
            let mut records = vec![0u64; combinations * categories];
            for &(row, combination) in rows {
                let place = combination as usize * categories + self.rows.category(row) as usize;
                records[place] += u64::from(self.rows.weight(row));
            }
            let present = records.into_iter().enumerate().filter(|&(_, records)| records > 0);
            return present
                .map(|(place, records)| part((place / categories) as u32, (place % categories) as u32, records))
                .collect();
        }
        let all = rows.iter().map(|&(row, combination)| {
            let records = u64::from(self.rows.weight(row));
            part(combination, self.rows.category(row), records)
        });
        let mut all: Vec<Part> = all.collect();
        all.sort_unstable();
        all.dedup_by(|next, kept| {
            let same = (next.combination, next.category) == (kept.combination, kept.category);
            kept.records += if same { next.records } else { 0 };
            same
        });
        all
    }
}

/// Why a lock is never poisoned.
const NO_PANIC: &str = "counting does not panic";

impl<'t> Lore<'t> {
    /// What the children of a candidate show.
    fn children_of(
        &mut self,
        place: usize,
        moving: &Moving,
        at: usize,
        candidate: CandidateId,
        values: &Values,
    ) -> Vec<Shown> {
        let join = &mut self.matching.columns[at];
        let known = self.children.entry((place, candidate));
        let children = known.or_insert_with(|| {
            let (_, into) = values.describe(candidate);
            let shown = |label: Option<String>| join.shown(label.as_deref());
            if moving.values.is_none() || !values.one_by_one() {
                return into.into_iter().map(shown).collect();
            }
            let disclosed = join.shown(into[0].as_deref());
            vec![disclosed, join.star(&moving.shown(Some(candidate)))]
        });
        children.clone()
    }
}

impl Moving<'_> {
    /// The values that are shown by themselves somewhere, where one more may be disclosed.
    fn shown(&self, disclosed: Option<CandidateId>) -> ShownValues {
        let is_shown = |code: u32| {
            !matches!(self.value_of_code[code as usize], ROOT | NO_VALUE) || disclosed == Some(CandidateId(code))
        };
        let values = self.values.into_iter().flat_map(|values| {
            let codes = (0..values.len() as u32).filter(|&code| is_shown(code));
            codes.map(|code| values.value(code))
        });
        ShownValues::new(values)
    }
}
