//! The `[columns]` section.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use scumble_grouping::Form;
use scumble_table::{Alike, Range};
use toml::de::{DeTable, DeValue};

use super::ranges::read_sensitive_ranges;
use crate::column::{ALIKE, ColumnKind, ColumnPolicy, FORMS, Role};
use crate::earlier::{THIS_WORD, is_release_name, of_release};
use crate::listed::ListedColumns;
use crate::problems::Problems;
use crate::ranges::SENSITIVE_RANGES;
use crate::section::{Item, Section, number};
use crate::spanned::Spanned;
use crate::words::{list, quoted, suggestion};

/// The columns as far as they could be read. Of a column whose own text is wrong only the name is sure, so nothing
/// that is said of it elsewhere is called wrong as well.
pub struct Columns {
    columns: Vec<(Spanned<String>, Option<ColumnPolicy>)>,
    /// For every name that a column may be called by, the places of the columns, ascending: mostly one.
    places: HashMap<String, Vec<usize>>,
    /// Whether names may be those of earlier releases, too.
    may_follow_others: bool,
    /// Of several tables, their names, that of persons first; a column is then called `courses.title`.
    tables: Vec<String>,
}

/// Reads what a document says of a column, by name, beside what the column is.
pub type ReadFurther<'f> = dyn FnMut(&Spanned<String>, &mut Section, &mut Problems) + 'f;

impl Columns {
    /// The columns of a policy.
    pub(super) fn read(section: Section, folder: &Path, problems: &mut Problems) -> Columns {
        Columns {
            may_follow_others: true,
            ..Columns::read_with(section, folder, &mut |_, _, _| (), problems)
        }
    }

    /// The columns of a table that has no earlier releases, with what `further` reads of each.
    pub fn read_with(section: Section, folder: &Path, further: &mut ReadFurther, problems: &mut Problems) -> Columns {
        let columns = section.items().iter().map(|item| {
            let name = Spanned::new(item.key_span(), item.key().to_owned());
            let column = read_column(item, &name, folder, further, problems);
            (name, column)
        });
        let columns = Columns::new(columns.collect(), Vec::new());
        columns.report_no_quasi(&section, problems);
        columns.report_second_class(problems);
        columns
    }

    /// The columns of several tables, given by their names, that of persons first. A name without a table is of persons.
    pub(super) fn read_of_tables(
        section: Section,
        tables: Vec<String>,
        folder: &Path,
        problems: &mut Problems,
    ) -> Columns {
        let mut columns = Vec::new();
        for item in section.items() {
            let of_table = tables.iter().any(|table| table == item.key());
            let inner = match item.value() {
                DeValue::Table(inner) if of_table => Section::new("[columns]", item.span(), inner),
                DeValue::Table(inner) if is_tables(inner) => {
                    let message = format!("unknown table {} in [columns]", quoted(item.key()));
                    let help = suggestion(item.key(), tables.iter().map(String::as_str));
                    problems.at(item.key_span(), message, Some(help));
                    continue;
                }
                _ => {
                    let persons = tables.first().map_or("", String::as_str);
                    let name = Spanned::new(item.key_span(), format!("{persons}.{}", item.key()));
                    let column = read_column(item, &name, folder, &mut |_, _, _| (), problems);
                    columns.push((name, column));
                    continue;
                }
            };
            for column in inner.items() {
                let name = Spanned::new(column.key_span(), format!("{}.{}", item.key(), column.key()));
                let read = read_column(column, &name, folder, &mut |_, _, _| (), problems);
                columns.push((name, read));
            }
        }
        let columns = Columns::new(columns, tables);
        columns.report_no_quasi(&section, problems);
        columns.report_twice(problems);
        columns
    }

    /// These columns, of tables with these names if there are several.
    fn new(columns: Vec<(Spanned<String>, Option<ColumnPolicy>)>, tables: Vec<String>) -> Columns {
        let of_persons = |column: &str| {
            let own = column.strip_prefix(tables.first()?.as_str())?.strip_prefix('.')?;
            Some(own.to_owned())
        };
        let mut places: HashMap<String, Vec<usize>> = HashMap::with_capacity(columns.len());
        for (place, (name, _)) in columns.iter().enumerate() {
            let name = name.get_ref();
            // The name of the table of persons may be left out.
            for called in std::iter::once(name.clone()).chain(of_persons(name)) {
                places.entry(called).or_default().push(place);
            }
        }
        Columns {
            columns,
            places,
            may_follow_others: false,
            tables,
        }
    }

    /// The columns that a name may stand for, in policy order.
    fn called(&self, name: &str) -> impl Iterator<Item = &(Spanned<String>, Option<ColumnPolicy>)> {
        let places = self.places.get(name).map_or(&[][..], Vec::as_slice);
        places.iter().map(|&place| &self.columns[place])
    }

    /// The names of the columns that surely have one of these roles, in policy order.
    pub(super) fn names(&self, roles: &[Role]) -> impl Iterator<Item = &str> + Clone {
        let known = self.columns.iter().flat_map(|(_, column)| column);
        known
            .filter(move |column| roles.contains(&column.role))
            .map(|column| column.name.get_ref().as_str())
    }

    /// The names of the columns that have one of these roles, or may have been meant to.
    fn possible_names(&self, roles: &[Role]) -> impl Iterator<Item = &str> + Clone {
        let columns = self.columns.iter();
        let possible = columns.filter(|(_, column)| column.as_ref().is_none_or(|column| roles.contains(&column.role)));
        possible.map(|(name, _)| name.get_ref().as_str())
    }

    /// What is said of a column, if that is sure.
    pub(super) fn find(&self, name: &str) -> Option<&ColumnPolicy> {
        self.called(name).find_map(|(_, column)| column.as_ref())
    }

    /// Whether it is the name of one of several tables.
    pub(super) fn is_table(&self, name: &str) -> bool {
        self.tables.iter().any(|table| table == name)
    }

    /// The whole name of a column, with its table if there are several.
    pub(super) fn whole_name(&self, name: &str) -> Option<&str> {
        self.called(name).next().map(|(whole, _)| whole.get_ref().as_str())
    }

    /// What the values of a column are, if that is sure.
    pub(super) fn kind(&self, name: &str) -> Option<&ColumnKind> {
        self.find(name).map(|column| &column.kind)
    }

    /// Which texts of a column are one value.
    pub(super) fn alike(&self, name: &str) -> Alike {
        let alike = self.find(name).and_then(|column| column.alike);
        alike.unwrap_or(Alike::Keep)
    }

    /// Whether there is a column with this name, right or wrong.
    pub(super) fn lists(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// Whether there may be earlier releases.
    pub(super) fn may_follow_others(&self) -> bool {
        self.may_follow_others
    }

    /// The column that a name such as `this.zip` stands for, if it does. A column with the whole name wins.
    pub(super) fn here<'n>(&self, name: &'n str) -> Option<&'n str> {
        let (release, column) = of_release(name).filter(|_| self.may_follow_others && !self.lists(name))?;
        (release == THIS_WORD).then_some(column)
    }

    /// A name without `this.`, if that is what it begins with.
    pub(super) fn without_this(&self, name: &Spanned<String>) -> Spanned<String> {
        let column = self.here(name.get_ref()).unwrap_or(name.get_ref());
        Spanned::new(name.span(), column.to_owned())
    }

    /// Whether a name may be that of a column of an earlier release. A column of this table wins.
    pub(super) fn may_be_elsewhere(&self, name: &str) -> bool {
        self.may_follow_others && !self.lists(name) && of_release(name).is_some() && self.here(name).is_none()
    }

    /// Whether a name may be that of an earlier release. A column of this table wins.
    pub(super) fn may_be_release(&self, name: &str) -> bool {
        self.may_follow_others && !self.lists(name) && is_release_name(name)
    }

    /// The class column.
    pub(super) fn class(&self) -> Option<&str> {
        self.names(&[Role::Class]).next()
    }

    /// Whether there is no class column, and none that might have been meant as one.
    pub(super) fn surely_without_class(&self) -> bool {
        self.surely_without(Role::Class)
    }

    fn surely_without(&self, role: Role) -> bool {
        let may_be = |column: &Option<ColumnPolicy>| column.as_ref().is_none_or(|column| column.role == role);
        !self.columns.iter().any(|(_, column)| may_be(column))
    }

    /// Reports names in `item` of columns that are not listed, or do not have one of the roles that fit.
    pub(super) fn check(&self, item: &Item, names: &[Spanned<String>], fitting: &[Role], problems: &mut Problems) {
        for name in names {
            match self.called(name.get_ref()).next() {
                Some((_, Some(column))) if !fitting.contains(&column.role) => {
                    let (key, name_of) = (quoted(item.key()), quoted(name.get_ref()));
                    let wanted: Vec<&str> = fitting.iter().map(|role| role.word()).collect();
                    let wanted = wanted.join(" or ");
                    let article = if wanted.starts_with(['i', 'o']) { "an" } else { "a" };
                    let role = column.role.word();
                    let message =
                        format!("{key} must name {article} {wanted} column, and the role of {name_of} is {role}");
                    let help = format!("make it {wanted} or leave it out of {key}");
                    problems.at(name.span(), message, Some(help));
                }
                Some(_) => {}
                // Without any column, that is the problem.
                None if self.columns.is_empty() => {}
                None => {
                    let message = format!("unknown column {} in {}", quoted(name.get_ref()), quoted(item.key()));
                    let valid = self.possible_names(fitting);
                    let help = if problems.are_few() {
                        suggestion(name.get_ref(), valid)
                    } else {
                        "name columns that are listed".to_owned()
                    };
                    problems.at(name.span(), message, Some(help));
                }
            }
        }
    }

    /// The columns, all read.
    pub(super) fn into_list(self) -> ListedColumns {
        self.columns.into_iter().filter_map(|(_, column)| column).collect()
    }

    fn report_no_quasi(&self, section: &Section, problems: &mut Problems) {
        if self.surely_without(Role::Quasi) {
            let help = "give the columns that others may know of a person the role quasi".to_owned();
            section.report("no column is quasi", Some(help), problems);
        }
    }

    /// Reports a column of persons that is listed both with and without its table.
    fn report_twice(&self, problems: &mut Problems) {
        let mut met: HashSet<&str> = HashSet::new();
        for (name, _) in &self.columns {
            if !met.insert(name.get_ref()) {
                let message = format!("column {} is listed twice", quoted(name.get_ref()));
                problems.at(name.span(), message, Some("take out one of them".to_owned()));
            }
        }
    }

    fn report_second_class(&self, problems: &mut Problems) {
        let known = self.columns.iter().filter_map(|(_, column)| column.as_ref());
        let mut classes = known.filter(|column| column.role == Role::Class);
        let Some(first) = classes.next() else { return };
        for second in classes {
            let (first, name) = (quoted(first.name.get_ref()), quoted(second.name.get_ref()));
            let message = format!("column {name} is a second class column, after {first}");
            problems.at(
                second.name.span(),
                message,
                Some("at most one column is the class".to_owned()),
            );
        }
    }
}

fn read_column(
    item: &Item,
    name: &Spanned<String>,
    folder: &Path,
    further: &mut ReadFurther,
    problems: &mut Problems,
) -> Option<ColumnPolicy> {
    let DeValue::Table(table) = item.value() else {
        item.must_be("a table, such as { role = \"quasi\" }", problems);
        return None;
    };
    if report_dotted(name, item, problems) {
        return None;
    }
    let mut section = Section::new(format!("column {}", quoted(item.key())), item.key_span(), table);
    let role = match section.item("role") {
        Some(item) => item.word("role", &Role::WORDS, &[], problems),
        None => {
            let help = format!("valid: {}", list(Role::WORDS.map(|(word, _)| word)));
            section.report(
                format!("column {} has no role", quoted(item.key())),
                Some(help),
                problems,
            );
            None
        }
    };
    let kind = read_kind(&mut section, role, folder, problems);
    let form = section
        .item("form")
        .and_then(|item| read_form(&item, role, &kind, problems));
    let sensitive_ranges = section
        .item(SENSITIVE_RANGES)
        .map(|item| read_sensitive_ranges(&item, role, &kind, problems));
    let unique = section
        .item("unique")
        .and_then(|item| read_unique(&item, role, problems));
    let alike = section
        .item("alike")
        .and_then(|item| read_alike(&item, &kind, problems));
    further(name, &mut section, problems);
    section.finish(&[], problems);
    Some(ColumnPolicy {
        name: name.clone(),
        role: role?,
        kind,
        form,
        sensitive_ranges: match sensitive_ranges {
            // Without those that are wrong, the column would seem to have none.
            Some(ranges) => Some(ranges?),
            None => None,
        },
        unique: unique.unwrap_or(false),
        alike,
    })
}

/// Whether a column may be published as other though nearly every row has a value of its own.
fn read_unique(item: &Item, role: Option<Role>, problems: &mut Problems) -> Option<bool> {
    if role.is_some_and(|role| role != Role::Other) {
        problems.at(
            item.key_span(),
            "`unique` is for other columns",
            Some("take it out".to_owned()),
        );
    }
    item.flag(problems)
}

/// Whether a table holds tables only, as that of the columns of a table does.
fn is_tables(table: &DeTable) -> bool {
    !table.is_empty() && table.iter().all(|(_, value)| value.get_ref().is_table())
}

/// TOML reads `a.b = { … }` as a table in a table; as the name of a column it needs quotes.
fn report_dotted(name: &Spanned<String>, item: &Item, problems: &mut Problems) -> bool {
    let DeValue::Table(table) = item.value() else {
        return false;
    };
    let inner = table.iter().filter(|(key, _)| key.get_ref() != SENSITIVE_RANGES);
    let mut dotted = inner.filter(|(_, value)| value.get_ref().is_table()).peekable();
    let found = dotted.peek().is_some();
    for (inner, _) in dotted {
        let whole = format!("{}.{}", name.get_ref(), inner.get_ref());
        let help = "put a column name with a dot in quotes".to_owned();
        problems.at(inner.span(), format!("unknown column {}", quoted(&whole)), Some(help));
    }
    found
}

/// What the values are: `type`, with the `range` or `taxonomy` that goes with it.
fn read_kind(section: &mut Section, role: Option<Role>, folder: &Path, problems: &mut Problems) -> ColumnKind {
    let kind = section.item("type");
    let continuous = match &kind {
        Some(item) => item.word("type", &TYPES, &[], problems),
        None => Some(false),
    };
    let range = section.item("range");
    let taxonomy = section.item("taxonomy");
    // Of a type that cannot be read, neither is called wrong.
    match (continuous, &range, &taxonomy) {
        (Some(true), _, Some(item)) => {
            let help = "take out one of them".to_owned();
            problems.at(
                item.key_span(),
                "a continuous column cannot have a taxonomy",
                Some(help),
            );
        }
        (Some(false), Some(item), _) => {
            let help = "add `type = \"continuous\"` or take it out".to_owned();
            problems.at(item.key_span(), "`range` is for continuous columns", Some(help));
        }
        _ => {}
    }
    if continuous == Some(true) {
        ColumnKind::Continuous {
            range: range.and_then(|item| read_range(&item, role, problems)),
        }
    } else {
        ColumnKind::Categorical {
            taxonomy: taxonomy.and_then(|item| item.path(folder, problems)),
        }
    }
}

/// Whether a type is continuous.
const TYPES: [(&str, bool); 2] = [("continuous", true), ("categorical", false)];

fn read_range(item: &Item, role: Option<Role>, problems: &mut Problems) -> Option<Range> {
    if role.is_some_and(|role| !matches!(role, Role::Quasi | Role::Sensitive)) {
        problems.at(
            item.key_span(),
            "`range` is for quasi and sensitive columns",
            Some("take it out".to_owned()),
        );
    }
    let range = match item.value() {
        DeValue::Array(ends) => match &ends[..] {
            [from, to] => number(from.get_ref()).zip(number(to.get_ref())),
            _ => None,
        },
        _ => None,
    };
    let range = range.and_then(|(from, to)| Range::new(from, to).ok());
    if range.is_none() {
        item.must_be("two numbers, the smaller first, such as [0, 120]", problems);
    }
    range
}

fn read_alike(item: &Item, kind: &ColumnKind, problems: &mut Problems) -> Option<Alike> {
    let alike = item.word("`alike` value", &ALIKE, &[], problems)?;
    let (message, help) = match kind {
        ColumnKind::Continuous { .. } => (
            "numbers of a continuous column are one value however they are written",
            "take `alike` out",
        ),
        ColumnKind::Categorical { taxonomy: Some(_) } => (
            "the values of a column with a taxonomy are its leaves, as they are written there",
            "take `alike` out, and give values that are one the same leaf",
        ),
        ColumnKind::Categorical { taxonomy: None } => return Some(alike),
    };
    problems.at(item.key_span(), message, Some(help.to_owned()));
    None
}

fn read_form(item: &Item, role: Option<Role>, kind: &ColumnKind, problems: &mut Problems) -> Option<Spanned<Form>> {
    let form = item.word("form", &FORMS, &[], problems)?;
    let (message, help) = match (form, kind) {
        _ if role.is_some_and(|role| role != Role::Quasi) => ("`form` is for quasi columns", "take it out"),
        (Form::Ancestor, ColumnKind::Continuous { .. } | ColumnKind::Categorical { taxonomy: None }) => (
            "an ancestor needs a taxonomy",
            "name the `taxonomy` of the column, or choose another form",
        ),
        (Form::Interval, ColumnKind::Categorical { .. }) => (
            "an interval needs numbers",
            "add `type = \"continuous\"`, or choose another form",
        ),
        _ => return Some(Spanned::new(item.span(), form)),
    };
    problems.at(item.key_span(), message, Some(help.to_owned()));
    None
}
