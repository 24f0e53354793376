//! [`Policy`]: what is asked of a release, as drawn, and as `policy.toml` says it.
//!
//! Invariant: everything that the checker must know stands here as it was drawn; nothing is read back from the program.

use std::fmt::Write;

use crate::table::Reading;
use crate::tree::Tree;

/// One policy.
#[derive(Clone, Debug)]
pub struct Policy {
    /// How cells are read.
    pub reading: Reading,
    /// The columns, in the order of the data.
    pub columns: Vec<Column>,
    /// What is required.
    pub require: Vec<Require>,
    /// How to search.
    pub method: Method,
    /// Releases that are out already.
    pub earlier: Vec<Earlier>,
    /// Pairs that nobody is.
    pub inconsistent: Vec<Inconsistent>,
    /// Whether columns that are not listed are published all the same.
    pub publish_unlisted: bool,
    /// Whether rows stay in the order of the data.
    pub input_order: bool,
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// What its values are.
    pub kind: Kind,
    /// How a group of values is shown, if the policy says.
    pub form: Option<&'static str>,
    /// What must not be learnt beside a value.
    pub ranges: Option<Ranges>,
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role {
    /// Known to others, and masked.
    Quasi,
    /// Not to be inferred.
    Sensitive,
    /// To be predicted.
    Class,
    /// Published as it is.
    Other,
    /// Never published.
    Identifier,
    /// The policy does not speak of it.
    Unlisted,
}

/// What the values of a column are.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Words.
    Plain,
    /// Leaves.
    Tree(Tree),
    /// Numbers, with the ends of a declared range as written.
    Numbers(Option<(String, String)>),
}

/// `sensitive_ranges`.
#[derive(Clone, Debug, PartialEq)]
pub enum Ranges {
    /// Classes of numbers of one width.
    Width(u32),
    /// Closed intervals of numbers.
    Intervals(Vec<(i32, i32)>),
    /// Steps up the taxonomy.
    Level(usize),
}

/// One `[[require]]`.
#[derive(Clone, Debug)]
pub struct Require {
    /// The columns that are known; `None` for all quasi columns.
    pub of: Option<Vec<String>>,
    /// How many of them one adversary knows.
    pub any: Option<usize>,
    /// What must hold.
    pub demand: Demand,
}

/// What must hold of every group.
#[derive(Clone, Debug)]
pub enum Demand {
    /// Rows, or others things that are counted.
    Anonymity(usize, Per),
    /// People of the population.
    KMap(usize),
    /// The share of secrets.
    Confidence(f64, Vec<About>),
    /// Anonymity and confidence.
    AlphaK(f64, usize, Vec<About>),
    /// Anonymity and distinct diversity.
    PSensitive(usize, usize, String),
    /// Spread of values.
    Diversity(Spread, String),
    /// Distance from the whole.
    Closeness(f64, Option<&'static str>, String),
    /// |ln(p/q)|.
    Delta(f64, String),
    /// (p − q)/q; whether enhanced.
    Beta(f64, bool, String),
    /// Guarding nodes: the bound, the sensitive column, and that of the nodes.
    Personal(f64, String, String),
    /// Sensitive ranges.
    RangeDiversity(f64, String),
}

/// What anonymity counts.
#[derive(Clone, Debug, PartialEq)]
pub enum Per {
    /// Records of this table.
    This,
    /// Matches.
    Join,
    /// Records of an earlier release.
    Release(String),
    /// Different combinations of these columns.
    Columns(Vec<String>),
}

/// Secrets of one column.
#[derive(Clone, Debug)]
pub struct About {
    /// The column.
    pub column: String,
    /// Which values.
    pub secrets: Secrets,
}

/// Values that must not be inferred.
#[derive(Clone, Debug)]
pub enum Secrets {
    /// Each value.
    Every,
    /// These values or nodes.
    Listed(Vec<String>),
    /// These, each with its own bound.
    Bounds(Vec<(String, f64)>),
}

/// A kind of diversity.
#[derive(Clone, Copy, Debug)]
pub enum Spread {
    /// Different values.
    Distinct(usize),
    /// As hard to guess as so many.
    Entropy(f64),
    /// With `c` in hundredths, which is exact.
    Recursive {
        /// A hundred times c.
        hundredths: u64,
        /// The bound.
        l: usize,
    },
}

/// `[method]`.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// Further settings, as written.
    pub settings: Vec<(&'static str, String)>,
    /// The share of rows that may be left out, in hundredths, if the policy says.
    pub budget: Option<u32>,
}

/// One `[[earlier]]`.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// Its name.
    pub name: String,
    /// Its file, from the policy.
    pub file: String,
    /// The columns that are joined, if the policy says.
    pub join: Option<Vec<String>>,
    /// Whether records without a match are only reported.
    pub report_dangling: bool,
}

/// One `[[inconsistent]]` pair: a column and a value of this table, and of an earlier release.
#[derive(Clone, Debug)]
pub struct Inconsistent {
    /// Column and value here.
    pub this: (String, String),
    /// The name of the release.
    pub release: String,
    /// Column and value there.
    pub that: (String, String),
}

impl Method {
    /// Whether each column has one mask, so that a value is shown in one way.
    pub fn masks(&self) -> bool {
        matches!(self.name, "refine" | "full-domain")
    }

    /// Whether cells show what their group has in common.
    pub fn groups(&self) -> bool {
        !self.masks() && !matches!(self.name, "anatomy" | "microaggregation")
    }
}

impl Policy {
    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The names of the columns with a role.
    pub fn with_role(&self, role: Role) -> Vec<String> {
        let fitting = self.columns.iter().filter(|column| column.role == role);
        fitting.map(|column| column.name.clone()).collect()
    }

    /// The name of the file of a column's taxonomy.
    pub fn tree_file(column: &Column) -> Option<(String, String)> {
        let Kind::Tree(tree) = &column.kind else { return None };
        let (ending, text) = tree.file();
        Some((format!("tree-{}.{ending}", column.name.replace(' ', "-")), text))
    }

    /// The text of `policy.toml`, for the data in `data.csv`.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        self.write_data(&mut text);
        text.push_str("\n[columns]\n");
        for column in self.columns.iter().filter(|column| column.role != Role::Unlisted) {
            line(&mut text, &quoted(&column.name), &written_column(column));
        }
        for require in &self.require {
            text.push_str("\n[[require]]\n");
            write_require(&mut text, require);
        }
        for earlier in &self.earlier {
            text.push_str("\n[[earlier]]\n");
            line(&mut text, "name", &quoted(&earlier.name));
            line(&mut text, "file", &quoted(&earlier.file));
            if let Some(join) = &earlier.join {
                line(&mut text, "join", &list(join));
            }
            if earlier.report_dangling {
                line(&mut text, "on_dangling", "\"report\"");
            }
        }
        for pair in &self.inconsistent {
            text.push_str("\n[[inconsistent]]\n");
            line(&mut text, "this", &entry(&pair.this));
            line(&mut text, &quoted(&pair.release), &entry(&pair.that));
        }
        text.push_str("\n[method]\n");
        line(&mut text, "name", &quoted(self.method.name));
        for (key, value) in &self.method.settings {
            line(&mut text, key, value);
        }
        if let Some(budget) = self.method.budget {
            line(
                &mut text,
                "rows_suppressed_at_most",
                &format!("{:?}", f64::from(budget) / 100.0),
            );
        }
        text.push_str("\n[release]\nfolder = \"out\"\n");
        if self.publish_unlisted {
            line(&mut text, "unlisted", "\"publish\"");
        }
        if self.input_order {
            line(&mut text, "order", "\"input\"");
        }
        text
    }

    fn write_data(&self, text: &mut String) {
        text.push_str("[data]\nfile = \"data.csv\"\n");
        if self.reading.drop {
            line(text, "missing", "\"drop\"");
        }
        if !self.reading.marks.is_empty() {
            line(text, "missing_marks", &list(&self.reading.marks));
        }
        if !self.reading.trim {
            line(text, "trim", "false");
        }
    }
}

fn line(text: &mut String, key: &str, value: &str) {
    // Writing to a text does not fail.
    let _ = writeln!(text, "{key} = {value}");
}

/// A basic string of TOML, which is written as one of JSON.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

fn entry((column, value): &(String, String)) -> String {
    format!("{{ {} = {} }}", quoted(column), quoted(value))
}

/// What `[columns]` says of a column.
pub fn written_column(column: &Column) -> String {
    let role = match column.role {
        Role::Quasi => "quasi",
        Role::Sensitive => "sensitive",
        Role::Class => "class",
        Role::Other | Role::Unlisted => "other",
        Role::Identifier => "identifier",
    };
    let mut parts = vec![format!("role = \"{role}\"")];
    match &column.kind {
        Kind::Plain => {}
        Kind::Tree(_) => {
            let file = Policy::tree_file(column).map(|(file, _)| file).unwrap_or_default();
            parts.push(format!("taxonomy = {}", quoted(&file)));
        }
        Kind::Numbers(range) => {
            parts.push("type = \"continuous\"".to_owned());
            parts.extend(range.as_ref().map(|(from, to)| format!("range = [{from}, {to}]")));
        }
    }
    parts.extend(column.form.map(|form| format!("form = \"{form}\"")));
    parts.extend(column.ranges.as_ref().map(|ranges| match ranges {
        Ranges::Width(width) => format!("sensitive_ranges = {width}"),
        Ranges::Level(level) => format!("sensitive_ranges = {level}"),
        Ranges::Intervals(intervals) => {
            let texts: Vec<String> = intervals.iter().map(|(from, to)| format!("[{from}, {to}]")).collect();
            format!("sensitive_ranges = {}", list(&texts))
        }
    }));
    format!("{{ {} }}", parts.join(", "))
}

fn write_require(text: &mut String, require: &Require) {
    write_demand(text, &require.demand);
    match (&require.of, require.any) {
        (None, None) => {}
        (Some(columns), None) => line(text, "of", &list(columns)),
        (None, Some(any)) => line(text, "of", &format!("{{ any = {any} }}")),
        (Some(columns), Some(any)) => line(text, "of", &format!("{{ any = {any}, columns = {} }}", list(columns))),
    }
}

fn write_demand(text: &mut String, demand: &Demand) {
    let share = |share: &f64| format!("{share:?}");
    match demand {
        Demand::Anonymity(k, per) => {
            line(text, "anonymity", &k.to_string());
            match per {
                Per::This => {}
                Per::Join => line(text, "per", "\"join\""),
                Per::Release(name) => line(text, "per", &quoted(name)),
                Per::Columns(columns) => line(text, "per", &list(columns)),
            }
        }
        Demand::KMap(k) => {
            line(text, "k-map", &k.to_string());
            line(text, "population", "\"population.csv\"");
        }
        Demand::Confidence(bound, about) => {
            line(text, "confidence", &share(bound));
            line(text, "about", &written_about(about));
        }
        Demand::AlphaK(alpha, k, about) => {
            line(text, "alpha", &share(alpha));
            line(text, "k", &k.to_string());
            line(text, "about", &written_about(about));
        }
        Demand::PSensitive(p, k, about) => {
            line(text, "p-sensitive", &p.to_string());
            line(text, "k", &k.to_string());
            line(text, "about", &quoted(about));
        }
        Demand::Diversity(spread, about) => {
            match spread {
                Spread::Distinct(l) => line(text, "diversity", &l.to_string()),
                Spread::Entropy(l) => {
                    line(text, "diversity", &share(l));
                    line(text, "kind", "\"entropy\"");
                }
                Spread::Recursive { hundredths, l } => {
                    line(text, "diversity", &l.to_string());
                    line(text, "kind", "\"recursive\"");
                    line(text, "c", &format!("{}.{:02}", hundredths / 100, hundredths % 100));
                }
            }
            line(text, "about", &quoted(about));
        }
        Demand::Closeness(bound, distance, about) => {
            line(text, "closeness", &share(bound));
            if let Some(distance) = distance {
                line(text, "distance", &quoted(distance));
            }
            line(text, "about", &quoted(about));
        }
        Demand::Delta(bound, about) => {
            line(text, "delta-disclosure", &share(bound));
            line(text, "about", &quoted(about));
        }
        Demand::Beta(bound, enhanced, about) => {
            line(text, "beta-likeness", &share(bound));
            if *enhanced {
                line(text, "kind", "\"enhanced\"");
            }
            line(text, "about", &quoted(about));
        }
        Demand::Personal(bound, about, guarding) => {
            line(text, "personal", &share(bound));
            line(text, "about", &quoted(about));
            line(text, "guarding", &quoted(guarding));
        }
        Demand::RangeDiversity(bound, about) => {
            line(text, "range-diversity", &share(bound));
            line(text, "about", &quoted(about));
        }
    }
}

fn written_about(about: &[About]) -> String {
    let one = |about: &About| {
        let secrets = match &about.secrets {
            Secrets::Every => "\"*\"".to_owned(),
            Secrets::Listed(values) => list(values),
            Secrets::Bounds(bounds) => {
                let bounds = bounds
                    .iter()
                    .map(|(value, bound)| format!("{} = {bound:?}", quoted(value)));
                format!("{{ {} }}", bounds.collect::<Vec<_>>().join(", "))
            }
        };
        format!("{} = {secrets}", quoted(&about.column))
    };
    let all: Vec<String> = about.iter().map(one).collect();
    format!("{{ {} }}", all.join(", "))
}
