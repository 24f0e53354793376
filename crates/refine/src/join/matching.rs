//! [`Matching`]: which records of this table match which kinds of the earlier releases.
//!
//! What a record of this table matches depends on what its join columns show. Each thing that one of them may show is a
//! [`Shown`], known by the labels of the earlier releases that it agrees with; what all of them show together is a
//! [`Combination`], known by the kinds that it matches. Both are found once and numbered, so that counting only looks up.

use hashbrown::{HashMap, HashSet};
use scumble_privacy::{Condition, History, Place, Rule, THIS};
use scumble_table::{ColumnId, Dictionary, Forms, FormsOf, Label, Meaning, SUPPRESSED, meeting, parse_number};

use super::bits::Bits;
use super::side::Side;

/// The number of what a join column shows.
pub(super) type Shown = u32;

/// The number of what all join columns show.
pub(super) type Combination = u32;

/// Which records of this table match which kinds of the earlier releases.
#[derive(Debug)]
pub(super) struct Matching<'t> {
    /// The join columns of this table.
    pub columns: Vec<JoinColumn<'t>>,
    /// What pairs of kinds of two earlier releases must keep.
    between: Vec<Between>,
    combinations: HashMap<Vec<Shown>, Combination>,
    shown_in: Vec<Vec<Shown>>,
    /// For each combination and each earlier release, the kinds that it matches, ascending.
    matched: Vec<Vec<Vec<u32>>>,
}

/// A join column of this table.
#[derive(Debug)]
pub(super) struct JoinColumn<'t> {
    pub id: ColumnId,
    rules: Vec<ThisRule<'t>>,
    by_label: HashMap<Option<String>, Shown>,
    /// For each thing shown and each rule, the labels that it agrees with.
    agrees: Vec<Vec<Bits>>,
}

/// What a column of this table and a column of an earlier release must keep.
#[derive(Debug)]
struct ThisRule<'t> {
    history: &'t History,
    side: usize,
    /// The place of the column among the join columns of the side.
    at: usize,
    labels: &'t Dictionary,
    kind: RuleKind<'t>,
}

#[derive(Debug)]
enum RuleKind<'t> {
    Agree {
        /// What the cells of this table can be, and those of the earlier release.
        forms: [FormsOf<'t>; 2],
        /// The labels, read.
        read: Vec<Label<'t>>,
        /// Where no value that is shown is behind `*`: the code of `*`, and what is shown.
        recoded: Option<(u32, ShownValues)>,
    },
    Never {
        this: &'t Condition,
        /// The labels that are within the condition on the earlier release.
        within: Bits,
    },
}

/// What the labels of two earlier releases must keep: for each label of the first, those of the second that go with it.
#[derive(Debug)]
struct Between {
    first: (usize, usize),
    second: (usize, usize),
    goes_with: Vec<Bits>,
}

impl<'t> Matching<'t> {
    /// The rules of a history, over its releases as sides.
    pub fn new(history: &'t History, sides: &[Side]) -> Self {
        let mut matching = Matching {
            columns: Vec::new(),
            between: Vec::new(),
            combinations: HashMap::new(),
            shown_in: Vec::new(),
            matched: Vec::new(),
        };
        for id in history.join_columns(THIS) {
            matching.columns.push(JoinColumn {
                id,
                rules: Vec::new(),
                by_label: HashMap::new(),
                agrees: Vec::new(),
            });
        }
        for rule in &history.rules {
            let [a, b] = rule.places();
            if a.release != THIS && b.release != THIS {
                matching.between.push(Between::new(rule, history, sides));
                continue;
            }
            let (this, other) = if a.release == THIS { (a, b) } else { (b, a) };
            let column = matching.columns.iter_mut().find(|column| column.id == this.column);
            let column = column.expect("the column of a rule is a join column");
            column.rules.push(ThisRule::new(rule, this, other, history, sides));
        }
        matching
    }

    /// The number of what a combination of things shown matches.
    pub fn combination(&mut self, shown: &[Shown], sides: &[Side]) -> Combination {
        if let Some(&known) = self.combinations.get(shown) {
            return known;
        }
        let new = self.matched.len() as Combination;
        let kinds = |side: usize| -> Vec<u32> {
            let rules: Vec<(usize, &Bits)> = self
                .columns
                .iter()
                .zip(shown)
                .flat_map(|(column, &shown)| column.rules.iter().zip(&column.agrees[shown as usize]))
                .filter(|(rule, _)| rule.side == side)
                .map(|(rule, agrees)| (rule.at, agrees))
                .collect();
            let agrees = |&kind: &u32| {
                rules
                    .iter()
                    .all(|(at, bits)| bits.contains(sides[side].label(kind, *at)))
            };
            (0..sides[side].kinds()).filter(agrees).collect()
        };
        self.matched.push((0..sides.len()).map(kinds).collect());
        self.combinations.insert(shown.to_vec(), new);
        self.shown_in.push(shown.to_vec());
        new
    }

    /// How many combinations are numbered.
    pub fn combinations(&self) -> usize {
        self.matched.len()
    }

    /// The combination after one column shows something else.
    pub fn with(&mut self, combination: Combination, at: usize, shown: Shown, sides: &[Side]) -> Combination {
        let mut all = self.shown_in[combination as usize].clone();
        all[at] = shown;
        self.combination(&all, sides)
    }

    /// For each earlier release, the kinds that a combination matches.
    pub fn matched(&self, combination: Combination) -> &[Vec<u32>] {
        &self.matched[combination as usize]
    }

    /// Whether a kind of one side goes with the kinds chosen of all sides before it.
    pub fn goes_with(&self, chosen: &[u32], kind: u32, sides: &[Side]) -> bool {
        let side = chosen.len();
        self.between.iter().filter(|rule| rule.second.0 == side).all(
            |Between {
                 first,
                 second,
                 goes_with,
             }| {
                let label = sides[first.0].label(chosen[first.0], first.1);
                goes_with[label as usize].contains(sides[side].label(kind, second.1))
            },
        )
    }

    /// Whether earlier releases are tied to each other, so that some of their kinds do not go together.
    pub fn ties_sides(&self) -> bool {
        !self.between.is_empty()
    }

    /// Forgets all combinations, and what the column at this place shows.
    pub fn forget(&mut self, at: usize) {
        self.columns[at].by_label.clear();
        self.columns[at].agrees.clear();
        self.combinations.clear();
        self.shown_in.clear();
        self.matched.clear();
    }
}

impl<'t> JoinColumn<'t> {
    /// The number of a label.
    pub fn shown(&mut self, label: Option<&str>) -> Shown {
        if let Some(&known) = self.by_label.get(&label.map(str::to_owned)) {
            return known;
        }
        let agrees = self.rules.iter().map(|rule| rule.agrees_with(label)).collect();
        let new = self.add(agrees);
        self.by_label.insert(label.map(str::to_owned), new);
        new
    }

    /// The numbers of all values of a column that is shown as it is.
    pub fn shown_as_they_are(&mut self, values: &Dictionary) -> Vec<Shown> {
        let by_rule: Vec<Vec<Bits>> = self.rules.iter().map(|rule| rule.agrees_with_all(values)).collect();
        let of_value = |code: usize| by_rule.iter().map(|agrees| agrees[code].clone()).collect();
        (0..values.len()).map(|code| self.add(of_value(code))).collect()
    }

    /// The number of `*` in a column that shows some values elsewhere, which are then not behind it.
    pub fn star(&mut self, elsewhere: &ShownValues) -> Shown {
        let agrees = self.rules.iter().map(|rule| rule.agrees_with_star(elsewhere)).collect();
        self.add(agrees)
    }

    fn add(&mut self, agrees: Vec<Bits>) -> Shown {
        self.agrees.push(agrees);
        self.agrees.len() as Shown - 1
    }
}

/// The values that a column shows by themselves.
#[derive(Clone, Debug, Default)]
pub(super) struct ShownValues {
    missing: bool,
    texts: HashSet<String>,
    numbers: HashSet<u64>,
}

impl ShownValues {
    /// These. A `*` among them hides, and tells of no value that it is shown.
    pub fn new<'v>(values: impl IntoIterator<Item = Option<&'v str>>) -> Self {
        let mut shown = ShownValues::default();
        for value in values {
            match value {
                None => shown.missing = true,
                Some(SUPPRESSED) => {}
                Some(text) => {
                    shown.texts.insert(text.to_owned());
                    shown.numbers.extend(parse_number(text).map(f64::to_bits));
                }
            }
        }
        shown
    }

    /// Whether a value is among them, where two texts of one number are one value or not.
    fn contain(&self, value: Option<&str>, are_numbers: bool) -> bool {
        let is_number = |number: f64| are_numbers && self.numbers.contains(&number.to_bits());
        value.map_or(self.missing, |text| {
            self.texts.contains(text) || parse_number(text).is_some_and(is_number)
        })
    }
}

impl<'t> ThisRule<'t> {
    fn new(rule: &'t Rule, this: Place, other: Place, history: &'t History, sides: &[Side]) -> Self {
        let side = other.release - 1;
        let labels = history.earlier[side].table.column(other.column).dictionary();
        let kind = match rule {
            Rule::Agree { .. } => {
                let star = codes(labels).find(|&code| history.hides(other, labels.value(code)));
                let shown = || ShownValues::new(codes(labels).map(|code| labels.value(code)));
                RuleKind::Agree {
                    forms: [this, other].map(|place| history.forms(place)),
                    read: read(labels, history.forms(other)),
                    recoded: star.filter(|_| history.is_recoded(other)).map(|star| (star, shown())),
                }
            }
            Rule::Never { a, b } => {
                let (this, that) = if a.place.release == THIS { (a, b) } else { (b, a) };
                RuleKind::Never {
                    this,
                    within: within(labels, that, history),
                }
            }
        };
        ThisRule {
            history,
            side,
            at: sides[side].place(other.column),
            labels,
            kind,
        }
    }

    fn agrees_with(&self, label: Option<&str>) -> Bits {
        let all = self.labels.len();
        match &self.kind {
            RuleKind::Agree { forms, read, recoded } => {
                let read_label = Label::parse(label, forms[0]);
                let mut agrees = Bits::collect(all, |other| read_label.meets(&read[other as usize]));
                if let Some((star, shown)) = recoded
                    && is_told_apart(&read_label, label, shown, are_numbers(forms))
                {
                    agrees.remove(*star);
                }
                agrees
            }
            RuleKind::Never { this, within } => {
                let holds = self.history.is_certain(this, label);
                Bits::collect(all, |other| !(holds && within.contains(other)))
            }
        }
    }

    /// For each value, the labels that it agrees with. A value is what it is, however its column will be masked.
    fn agrees_with_all(&self, values: &Dictionary) -> Vec<Bits> {
        let RuleKind::Agree { forms, recoded, .. } = &self.kind else {
            return codes(values).map(|code| self.agrees_with(values.value(code))).collect();
        };
        let these = scumble_table::Shown {
            labels: values,
            forms: Forms::exact(forms[0].domain),
            recoded: false,
        };
        let others = scumble_table::Shown {
            labels: self.labels,
            forms: forms[1],
            recoded: recoded.is_some(),
        };
        let met = meeting(these, others).into_iter();
        met.map(|met| {
            let mut bits = Bits::collect(self.labels.len(), |_| false);
            met.into_iter().for_each(|label| bits.insert(label));
            bits
        })
        .collect()
    }

    fn agrees_with_star(&self, elsewhere: &ShownValues) -> Bits {
        let mut agrees = self.agrees_with(Some(SUPPRESSED));
        if let RuleKind::Agree { forms, read, .. } = &self.kind {
            for (code, label) in (0..).zip(read) {
                if is_told_apart(label, self.labels.value(code), elsewhere, are_numbers(forms)) {
                    agrees.remove(code);
                }
            }
        }
        agrees
    }
}

/// Whether columns in these forms are compared as numbers.
fn are_numbers(forms: &[FormsOf; 2]) -> bool {
    forms.iter().any(Forms::are_numbers)
}

/// Whether all that a label stands for is shown by itself in a column, so that it is not behind `*` there.
fn is_told_apart(label: &Label, text: Option<&str>, shown: &ShownValues, are_numbers: bool) -> bool {
    match label.meaning() {
        Meaning::Itself => shown.contain(text, are_numbers),
        Meaning::Set(members) => members.iter().all(|&member| shown.contain(member, are_numbers)),
        Meaning::Node(..) | Meaning::Interval(_) | Meaning::Masked { .. } | Meaning::Everything => false,
    }
}

impl Between {
    fn new(rule: &Rule, history: &History, sides: &[Side]) -> Self {
        let [mut first, mut second] = rule.places();
        if first.release > second.release {
            (first, second) = (second, first);
        }
        let table = |place: Place| &history.earlier[place.release - 1].table;
        let labels = |place: Place| table(place).column(place.column).dictionary();
        let all = labels(second).len();
        let goes_with: Vec<Bits> = match rule {
            Rule::Agree { .. } => {
                let shown = |place: Place| scumble_table::Shown {
                    labels: labels(place),
                    forms: history.forms(place),
                    recoded: history.is_recoded(place),
                };
                let met = meeting(shown(first), shown(second)).into_iter();
                met.map(|met| Bits::collect(all, |label| met.binary_search(&label).is_ok()))
                    .collect()
            }
            Rule::Never { a, b } => {
                let (a, b) = if a.place == first { (a, b) } else { (b, a) };
                let (in_first, in_second) = (within(labels(first), a, history), within(labels(second), b, history));
                let goes =
                    |label: u32| Bits::collect(all, |other| !(in_first.contains(label) && in_second.contains(other)));
                (0..labels(first).len() as u32).map(goes).collect()
            }
        };
        let at = |place: Place| (place.release - 1, sides[place.release - 1].place(place.column));
        Between {
            first: at(first),
            second: at(second),
            goes_with,
        }
    }
}

fn codes(labels: &Dictionary) -> std::ops::Range<u32> {
    0..labels.len() as u32
}

fn read<'t>(labels: &'t Dictionary, forms: FormsOf<'t>) -> Vec<Label<'t>> {
    codes(labels)
        .map(|code| Label::parse(labels.value(code), forms))
        .collect()
}

/// The labels that are within a condition.
fn within(labels: &Dictionary, condition: &Condition, history: &History) -> Bits {
    Bits::collect(labels.len(), |label| history.is_certain(condition, labels.value(label)))
}
