//! The requirements that are measured, and their policies.
//!
//! # Source
//! Fung 2007: the single template over all columns and the random ones are AllAttTmp and MultiTmp of section 4.4.3; how
//! the random ones are drawn is told in section 4.4.1. Those about a sensitive column are of section 5.4.2, and each is
//! measured beside anonymity on the same columns.

use std::ops::RangeInclusive;
use std::path::Path;

use fastrand::Rng;
use scumble_table::parse_number;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::Result;
use crate::census::Census;

/// The k of every template that counts records.
const K: u64 = 50;

/// The k of templates on the join.
const K_ON_JOIN: u64 = 40;

/// The bound of every template of confidence.
const H: f64 = 0.9;

/// Which kind of requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One template over all quasi columns.
    Single,
    /// Several random templates.
    Random,
    /// Confidence about the rare values of a sensitive column, in one template over all quasi columns.
    SingleConfidence,
    /// The same in several random templates.
    RandomConfidence,
    /// Records of the table, in one template over all columns of both releases (Top6, Y = K1).
    Joined,
    /// Confidence about the rare values of a sensitive column that is also a join column, in one template over all other
    /// columns of the table (Top1).
    JoinedConfidence,
}

impl Kind {
    /// All kinds, with the words for them.
    pub const ALL: [(Kind, &'static str); 6] = [
        (Kind::Single, "all columns"),
        (Kind::Random, "random templates"),
        (Kind::SingleConfidence, "all columns, confidence"),
        (Kind::RandomConfidence, "random templates, confidence"),
        (Kind::Joined, "on the join"),
        (Kind::JoinedConfidence, "on the join, confidence"),
    ];

    /// The kind that counts records on the same columns, for one that bounds confidence.
    pub fn counting_records(self) -> Option<Kind> {
        match self {
            Kind::SingleConfidence => Some(Kind::Single),
            Kind::RandomConfidence => Some(Kind::Random),
            Kind::Single | Kind::Random | Kind::Joined | Kind::JoinedConfidence => None,
        }
    }

    /// Whether it is about the join with an earlier release.
    pub fn is_on_join(self) -> bool {
        matches!(self, Kind::Joined | Kind::JoinedConfidence)
    }
}

/// Templates that must all hold, each given by the columns of its X.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Requirement {
    /// How it came about.
    pub kind: Kind,
    /// The columns of each template.
    pub templates: Vec<Vec<String>>,
}

impl Requirement {
    /// One template over all columns.
    pub fn single(columns: &[String]) -> Requirement {
        Requirement {
            kind: Kind::Single,
            templates: vec![columns.to_vec()],
        }
    }

    /// One template on the join with an earlier release of these columns.
    pub fn joined(census: &Census, earlier: &[&str]) -> Requirement {
        let others = earlier
            .iter()
            .filter(|name| !census.quasi().iter().any(|own| own == *name));
        let others = others.map(|name| format!("{EARLIER}.{name}"));
        let (kind, of) = match census.sensitive() {
            // The columns of the earlier release alone are left out: with them no bound could be kept.
            Some(_) => (Kind::JoinedConfidence, census.quasi().to_vec()),
            None => (Kind::Joined, census.quasi().iter().cloned().chain(others).collect()),
        };
        Requirement {
            kind,
            templates: vec![of],
        }
    }

    /// The same templates, of confidence.
    pub fn with_confidence(&self) -> Requirement {
        Requirement {
            kind: match self.kind {
                Kind::Single | Kind::SingleConfidence => Kind::SingleConfidence,
                Kind::Random | Kind::RandomConfidence => Kind::RandomConfidence,
                Kind::Joined | Kind::JoinedConfidence => Kind::JoinedConfidence,
            },
            templates: self.templates.clone(),
        }
    }

    /// Up to 3 to 7 templates of one length, 2 to 9 columns; a template that was drawn before is discarded.
    pub fn random(columns: &[String], rng: &mut Rng) -> Requirement {
        Requirement::draw(columns, 3..=7, 2..=9, rng)
    }

    /// Up to 3 to 6 templates of one length, 2 to 5 columns, as section 5.4.2 draws them.
    pub fn random_about_secrets(columns: &[String], rng: &mut Rng) -> Requirement {
        Requirement::draw(columns, 3..=6, 2..=5, rng)
    }

    fn draw(
        columns: &[String],
        counts: RangeInclusive<usize>,
        lengths: RangeInclusive<usize>,
        rng: &mut Rng,
    ) -> Requirement {
        let count = rng.usize(counts);
        let length = rng.usize(lengths).min(columns.len());
        let mut templates: Vec<Vec<String>> = Vec::new();
        for _ in 0..count {
            let mut places = rng.choose_multiple(0..columns.len(), length);
            places.sort_unstable();
            let template = places.into_iter().map(|place| columns[place].clone()).collect();
            if !templates.contains(&template) {
                templates.push(template);
            }
        }
        Requirement {
            kind: Kind::Random,
            templates,
        }
    }

    /// What a policy asks of a table with the columns of the census, wherever it is: its columns and its templates.
    pub fn asked(&self, census: &Census) -> Value {
        let require = self.templates.iter().map(|of| match census.sensitive() {
            Some(sensitive) if self.kind.counting_records().is_some() || self.kind.is_on_join() => {
                let rare = census.rare_values(sensitive);
                json!({ "confidence": H, "of": of, "about": { sensitive: rare } })
            }
            _ if self.kind.is_on_join() => json!({ "anonymity": K_ON_JOIN, "of": of }),
            _ => json!({ "anonymity": K, "of": of }),
        });
        json!({
            "columns": columns(census, self.kind),
            "require": require.collect::<Vec<_>>(),
        })
    }

    /// The text of a policy that asks for this of a file with the columns of the census, after the earlier release.
    pub fn policy(&self, census: &Census, file: &Path, earlier: Option<&Path>, folder: &Path) -> Result<String> {
        let mut policy = self.asked(census);
        policy["data"] = json!({ "file": file });
        policy["release"] = json!({ "folder": folder });
        if let Some(earlier) = earlier {
            policy["earlier"] = json!([{
                "name": EARLIER,
                "file": earlier,
                // Every census has a class; that of the earlier release is nobody's business.
                "join": JOIN,
                // Rows are varied in each table by itself, so a few may be left without a match.
                "on_dangling": "report",
            }]);
        }
        Ok(toml::to_string(&policy)?)
    }
}

/// The name of the earlier release, and the columns that it shares with the table.
const EARLIER: &str = "earlier";
const JOIN: [&str; 3] = ["marital-status", "relationship", "sex"];

/// The `[columns]` of a policy: generalize where there is a taxonomy, discretize numbers, suppress the rest. About a
/// sensitive column in one table, suppress all, as section 5.4 does.
fn columns(census: &Census, kind: Kind) -> Map<String, Value> {
    let suppresses = census.sensitive().is_some() && !kind.is_on_join();
    let domains = census.domains();
    let quasi = census.quasi().iter().zip(&domains).map(|(name, domain)| {
        let column = match census.taxonomy(name).filter(|_| !suppresses) {
            Some(taxonomy) => json!({ "role": "quasi", "taxonomy": taxonomy }),
            None if domain.iter().all(|value| parse_number(value).is_some()) => {
                json!({ "role": "quasi", "type": "continuous" })
            }
            None => json!({ "role": "quasi" }),
        };
        (name.clone(), column)
    });
    let sensitive = census
        .sensitive()
        .map(|name| (name.to_owned(), json!({ "role": "sensitive" })));
    quasi
        .chain(sensitive)
        .chain([(census.class().to_owned(), json!({ "role": "class" }))])
        .collect()
}

#[cfg(test)]
mod tests {
    // By name, because the prelude has an `Rng` of its own.
    use fastrand::Rng;
    use proptest::prelude::*;
    use scumble::Policy;

    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("c{number}")).collect()
    }

    proptest! {
        #[test]
        fn random_templates_are_within_their_bounds(seed: u64) {
            let columns = names(14);
            let Requirement { templates, .. } = Requirement::random(&columns, &mut Rng::with_seed(seed));
            prop_assert!((1..=7).contains(&templates.len()));
            prop_assert!((2..=9).contains(&templates[0].len()));
            for (place, template) in templates.iter().enumerate() {
                prop_assert_eq!(template.len(), templates[0].len());
                prop_assert!(template.is_sorted_by_key(|name| columns.iter().position(|column| column == name)));
                prop_assert!(template.windows(2).all(|pair| pair[0] != pair[1]));
                prop_assert!(!templates[..place].contains(template));
            }
        }
    }

    #[test]
    fn every_number_and_length_of_templates_is_drawn() {
        let mut rng = Rng::with_seed(1);
        let drawn: Vec<_> = (0..500)
            .map(|_| Requirement::random(&names(14), &mut rng).templates)
            .collect();
        assert!((3..=7).all(|count| drawn.iter().any(|templates| templates.len() == count)));
        assert!((2..=9).all(|length| drawn.iter().any(|templates| templates[0].len() == length)));
    }

    #[test]
    fn the_policy_is_valid_and_keeps_the_order_of_the_columns() {
        let header = ["sex", "age", "class"].map(str::to_owned).to_vec();
        let rows = vec![["F", "30", "yes"].map(str::to_owned).to_vec()];
        let census = Census::of_cells(header.clone(), rows);
        let requirement = Requirement::single(census.quasi());
        let text = requirement
            .policy(&census, Path::new("in.csv"), None, Path::new("out"))
            .unwrap();
        let policy = Policy::parse(&text, "policy.toml", Path::new("")).unwrap();
        let columns: Vec<&str> = policy.columns.iter().map(|column| &column.name.get_ref()[..]).collect();
        assert_eq!(columns, header);
    }

    /// The rarer half of three values is one, and the other columns of words are suppressed.
    #[test]
    fn a_policy_about_a_secret_bounds_the_confidence_of_its_rare_values() {
        let header = ["sex", "age", "marital", "class"].map(str::to_owned).to_vec();
        let people = [
            "F 30 single yes",
            "F 31 single no",
            "M 30 married no",
            "M 40 married no",
            "M 41 widowed no",
        ];
        let rows = people.map(|row| row.split(' ').map(str::to_owned).collect());
        let census = Census::of_cells(header, rows.to_vec()).about("marital").unwrap();
        assert_eq!(census.header, ["sex", "marital", "class"]);
        let requirement = Requirement::single(census.quasi()).with_confidence();
        let text = requirement
            .policy(&census, Path::new("in.csv"), None, Path::new("out"))
            .unwrap();
        assert!(text.contains("marital = [\"widowed\"]"), "{text}");
        Policy::parse(&text, "policy.toml", Path::new("")).unwrap();
    }
}
