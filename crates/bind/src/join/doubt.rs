//! Cells of earlier releases that may be values or labels, and nobody says which.
//!
//! A release of another tool shows `1-5` in a column of words. If that is a house number, it matches the house `1-5`; if it
//! is an interval, it matches the houses 1 to 5. To take one for the other counts matches that are not there or misses some,
//! and either may make a level look better than it is. So such a cell must be a value of this table, or be declared.

use std::collections::HashSet;

use scumble_privacy::{History, Place, Rule, THIS};
use scumble_table::{Column, Dictionary, Domain, Forms, Label, Meaning, SUPPRESSED, Table, Written};

use crate::check::rows_without;
use crate::plan::Plan;
use scumble_policy::Problems;
use scumble_policy::{Policy, quoted};

impl Plan {
    /// Reports cells that could be read in two ways, in columns that decide what matches. `table` is this one, before it is
    /// masked or after.
    pub fn check_doubts(&self, policy: &Policy, table: &Table, history: &History) -> Result<(), Problems> {
        let mut problems = Problems::new(policy.source());
        let places = self.history_rules.iter().flat_map(Rule::places);
        let mut places: Vec<Place> = places.filter(|place| place.release != THIS).collect();
        places.sort_unstable();
        places.dedup();
        for place in places {
            let values = self.copy_in(place, table, history);
            let doubt = self.value_or_label(place, values.as_ref(), history);
            let doubt = doubt.or_else(|| self.one_set_or_another(place, values.as_ref(), history));
            let Some((message, help)) = doubt else { continue };
            let file = policy.earlier[place.release - 1].file.get_ref();
            problems.in_file(file.display().to_string(), None, message, Some(help));
        }
        problems.none_or(())
    }

    /// The column of this table that a column of an earlier release must agree with.
    fn copy_in<'a>(&self, place: Place, table: &'a Table, history: &History) -> Option<OwnValues<'a>> {
        let copies = self.history_rules.iter().filter_map(|rule| match rule {
            Rule::Agree { a, b } if *b == place && a.release == THIS => Some(*a),
            Rule::Agree { .. } | Rule::Never { .. } => None,
        });
        let own = copies.into_iter().next()?;
        // The columns of a policy that a released file lacks come after those that it has.
        let column = table.columns().get(own.column.0)?;
        let values = column.dictionary();
        Some(OwnValues {
            values,
            hides: values.texts().iter().any(|text| text == SUPPRESSED) && history.hides(own, Some(SUPPRESSED)),
        })
    }

    fn value_or_label(&self, place: Place, copy: Option<&OwnValues>, history: &History) -> Option<(String, String)> {
        let column = self.earlier_column(place);
        if column.is_declared || !matches!(column.forms.domain, Domain::Words) {
            return None;
        }
        let values: HashSet<&str> = copy.into_iter().flat_map(|copy| copy.values.texts().iter()).collect();
        let hides = copy.is_some_and(|copy| copy.hides);
        let is_clear = |text: &str| !looks_like_a_label(text) || hides || values.contains(text);
        let doubtful = rows_without(self.column_of(place, history), is_clear);
        let (name, release) = (quoted(&column.name), quoted(&self.earlier[place.release - 1].name));
        let row = doubtful.first()? + 1;
        let message = format!("column {name} of release {release} holds what may be a value or a label (row {row})");
        let help = format!(
            "say which in its [[earlier]] section: `cells = {{ {0} = \"values\" }}`, or `{{ {0} = \"labels\" }}`",
            column.name
        );
        Some((message, help))
    }

    /// A set that is a value, too, or of which a member holds what parts members.
    fn one_set_or_another(
        &self,
        place: Place,
        copy: Option<&OwnValues>,
        history: &History,
    ) -> Option<(String, String)> {
        let column = self.earlier_column(place);
        let forms = column.forms.as_ref();
        let of_this = copy.into_iter().flat_map(|copy| copy.values.texts().iter());
        let of_tree = forms.taxonomy().into_iter().flat_map(|tree| tree.leaves());
        let parted: Vec<&str> = of_this
            .chain(of_tree)
            .filter(|text| text.contains(['|', ',']))
            .collect();
        let is_doubtful = |text: &str| match forms.written {
            Written::Exact | Written::Suppressed | Written::Generalized | Written::Centres => false,
            // The sets that we write have no members with a mark; but somebody alone in a group is shown as they are.
            Written::Sets => parted.contains(&text),
            Written::Any => parted.iter().any(|value| text.contains(value)),
        };
        let is_set = |text: &str| matches!(Label::parse(Some(text), forms).meaning(), Meaning::Set(_));
        let doubtful = rows_without(self.column_of(place, history), |text| {
            !is_set(text) || !is_doubtful(text)
        });
        let (name, release) = (quoted(&column.name), quoted(&self.earlier[place.release - 1].name));
        let row = doubtful.first()? + 1;
        let message = format!(
            "column {name} of release {release} holds a set that can be read in two ways (row {row}), because a value \
             has `|` or `,` in it"
        );
        Some((
            message,
            "leave the column out of `join`, or write the value without them".to_owned(),
        ))
    }

    fn column_of<'h>(&self, place: Place, history: &'h History) -> &'h Column {
        history.earlier[place.release - 1].table.column(place.column)
    }
}

/// The values of a column of this table.
struct OwnValues<'a> {
    values: &'a Dictionary,
    /// Whether there are values behind `*`.
    hides: bool,
}

/// Whether a reader who is not told what a word of a column is may take it for a label.
pub fn looks_like_a_label(text: &str) -> bool {
    *Label::parse(Some(text), Forms::any(None)).meaning() != Meaning::Itself
}
