//! The requirements that are measured, and their policies.
//!
//! # Source
//! Fung 2007: the single template over all columns and the random ones are AllAttTmp and MultiTmp of section 4.4.3; how
//! the random ones are drawn is told in section 4.4.1.

use std::path::Path;

use fastrand::Rng;
use scumble_table::parse_number;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::Result;
use crate::census::Census;

/// The k of every template.
const K: u64 = 50;

/// Which kind of requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One template over all quasi columns.
    Single,
    /// Several random templates.
    Random,
}

impl Kind {
    /// Both kinds, with the words for them.
    pub const ALL: [(Kind, &'static str); 2] = [(Kind::Single, "all columns"), (Kind::Random, "random templates")];
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

    /// Up to 3 to 7 templates of one length, 2 to 9 columns; a template that was drawn before is discarded.
    pub fn random(columns: &[String], rng: &mut Rng) -> Requirement {
        let count = rng.usize(3..=7);
        let length = rng.usize(2..=9).min(columns.len());
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

    /// The text of a policy that asks for this of a file with the columns of the census.
    pub fn policy(&self, census: &Census, file: &Path, folder: &Path) -> Result<String> {
        let require = self.templates.iter().map(|of| json!({ "anonymity": K, "of": of }));
        let policy = json!({
            "data": { "file": file },
            "columns": columns(census),
            "require": require.collect::<Vec<_>>(),
            "release": { "folder": folder },
        });
        Ok(toml::to_string(&policy)?)
    }
}

/// The `[columns]` of a policy: generalize where there is a taxonomy, discretize numbers, suppress the rest.
fn columns(census: &Census) -> Map<String, Value> {
    let domains = census.domains();
    let quasi = census.quasi().iter().zip(&domains).map(|(name, domain)| {
        let column = match census.taxonomy(name) {
            Some(taxonomy) => json!({ "role": "quasi", "taxonomy": taxonomy }),
            None if domain.iter().all(|value| parse_number(value).is_some()) => {
                json!({ "role": "quasi", "type": "continuous" })
            }
            None => json!({ "role": "quasi" }),
        };
        (name.clone(), column)
    });
    quasi
        .chain([(census.class().to_owned(), json!({ "role": "class" }))])
        .collect()
}

#[cfg(test)]
mod tests {
    // By name, because the prelude has an `Rng` of its own.
    use fastrand::Rng;
    use proptest::prelude::*;
    use scumble_publish::Policy;

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
            .policy(&census, Path::new("in.csv"), Path::new("out"))
            .unwrap();
        let policy = Policy::parse(&text, "policy.toml", Path::new("")).unwrap();
        let columns: Vec<&str> = policy.columns.iter().map(|column| &column.name.get_ref()[..]).collect();
        assert_eq!(columns, header);
    }
}
