//! Section 6.4 of the thesis: one part of Adult is published after another part of it, and what is asked holds on the
//! join of the two.
//!
//! | table | columns of its own | columns of both | |
//! |---|---|---|---|
//! | T1, for the tax office | education, occupation, workclass, the class; in Set B the columns of numbers, too | marital-status, relationship, sex | is masked |
//! | T2, for the immigration office | native-country, race | the same | is out already, as it is |
//!
//! Both have all rows of Adult, so every record has a match.

mod anonymity;
mod confidence;
mod distortion;

use std::fs;
use std::path::Path;

use scumble_progress::Work;
use scumble_table::{Column, ColumnId};
use scumble_utility::classify::{Learner, Predictor, PredictorRole, Split, table_error};

use crate::public::PublicColumn;
use crate::secrets::rarer_half;
use crate::summary::percent;
use crate::trial::{Masking, Trial};
use crate::way::Way;
use crate::{ADULT_TOP9, Bound, Claim, Public, Result};

pub use anonymity::{AnonymityOnJoin, ErrorsOnJoin};
pub use confidence::{ConfidenceErrors, ConfidenceOnJoin};
pub use distortion::{DistortionOnJoin, Distortions};

/// The anonymities of the figures.
const KS: [u64; 5] = [40, 80, 120, 160, 200];

/// The columns that both tables have.
const COMMON: [&str; 3] = ["marital-status", "relationship", "sex"];

/// Those that T2 has alone.
const ELSEWHERE: [&str; 2] = ["native-country", "race"];

/// Names T2 in a policy.
const EARLIER: &str = "[[earlier]]\nname = 't2'\nfile = 't2.csv'\n";

/// What T1 is.
pub struct Set {
    /// Its columns, but the class.
    columns: &'static [&'static str],
    /// The best of them by rank, as far as the thesis names them.
    top: &'static [&'static str],
    /// The errors that the thesis reports.
    unmasked: Unmasked,
}

/// The errors without masking, in percent.
struct Unmasked {
    /// On T1 as it is (BLE).
    base: f64,
    /// Without the columns that T2 has, too (RJE).
    without_common: f64,
}

impl Set {
    /// Columns of words alone.
    pub const A: Set = Set {
        columns: &WORDS_BY_RANK,
        top: &WORDS_BY_RANK,
        unmasked: Unmasked {
            base: 17.5,
            without_common: 22.3,
        },
    };

    /// Columns of words and of numbers.
    pub const B: Set = Set {
        columns: &[
            "age",
            "capital-gain",
            "capital-loss",
            "education-num",
            "fnlwgt",
            "hours-per-week",
            "education",
            "occupation",
            "workclass",
            "marital-status",
            "relationship",
            "sex",
        ],
        top: ADULT_TOP9.split_at(7).0,
        unmasked: Unmasked {
            base: 14.7,
            without_common: 17.3,
        },
    };

    /// The columns of T1 in the quasi-identifier of TopN.
    fn known(&self, n: usize) -> Vec<&'static str> {
        let top = &self.top[..n];
        let is_known = |name: &&str| top.contains(name) || COMMON.contains(name);
        self.columns.iter().copied().filter(is_known).collect()
    }

    fn without(&self, columns: &[&str]) -> Vec<&'static str> {
        let is_kept = |name: &&str| !columns.contains(name);
        self.columns.iter().copied().filter(is_kept).collect()
    }

    /// Our errors without masking beside those of the thesis: they tell whether we measure the same thing.
    fn claims(&self, ours: &Unmasked) -> Vec<Claim> {
        let paper = &self.unmasked;
        vec![
            Claim::new("BLE", Bound::Is, paper.base, ours.base),
            Claim::new("RJE", Bound::Is, paper.without_common, ours.without_common),
        ]
    }
}

const WORDS_BY_RANK: [&str; 6] = [
    "marital-status",
    "relationship",
    "sex",
    "education",
    "occupation",
    "workclass",
];

/// T1 beside T2, to be masked in one way.
struct Sequential {
    public: Public,
    set: &'static Set,
    way: &'static Way,
}

impl Sequential {
    /// Reads Adult, and lays T2 beside it.
    fn adult(data: &Path, set: &'static Set, way: &'static Way) -> Result<Sequential> {
        Sequential::beside(Public::adult(data, way.trees)?, set, way)
    }

    fn beside(public: Public, set: &'static Set, way: &'static Way) -> Result<Sequential> {
        fs::write(public.folder.path().join("t2.csv"), t2(&public)?)?;
        Ok(Sequential { public, set, way })
    }

    /// Anonymity `k` of T1 alone, on all of its columns.
    fn alone(&self, k: u64) -> Trial<'_> {
        self.trial(
            self.set.columns.to_vec(),
            Vec::new(),
            format!("[[require]]\nanonymity = {k}\n"),
        )
    }

    /// Anonymity `k` on the join, of the TopN columns, the common ones, and T2: so many records of T1 (`this`), or
    /// matches (`join`).
    fn anonymity(&self, n: usize, k: u64, per: &str) -> Trial<'_> {
        let quasi = self.set.known(n);
        let of = quasi.iter().map(|name| (*name).to_owned());
        let of: Vec<String> = of.chain(ELSEWHERE.map(|name| format!("t2.{name}"))).collect();
        let require = format!("{EARLIER}[[require]]\nanonymity = {k}\nof = {of:?}\nper = '{per}'\n");
        self.trial(quasi, Vec::new(), require)
    }

    /// Confidence on the join about the rarer half of the values of the best N columns of words, from all other columns
    /// of T1 and their copies in T2.
    fn confidence(&self, n: usize, at_most: f64) -> Trial<'_> {
        let secrets = &WORDS_BY_RANK[..n];
        let quasi = self.set.without(secrets);
        let about = rarer_half(&self.public, secrets);
        let require = format!("{EARLIER}[[require]]\nconfidence = {at_most}\nof = {quasi:?}\nabout = {about}\n");
        self.trial(quasi, secrets.to_vec(), require)
    }

    fn trial<'t>(&'t self, quasi: Vec<&'t str>, sensitive: Vec<&'t str>, require: String) -> Trial<'t> {
        let masked_or_secret: Vec<&str> = quasi.iter().chain(&sensitive).copied().collect();
        Trial {
            public: &self.public,
            others: self.set.without(&masked_or_secret),
            quasi,
            sensitive,
            masking: Masking::Generalize,
            objective: self.way.objective,
            require,
            learner: Learner::C45,
        }
    }

    fn unmasked(&self) -> Result<Unmasked> {
        Ok(Unmasked {
            base: self.error_from(self.set.columns)?,
            without_common: self.error_from(&self.set.without(&COMMON))?,
        })
    }

    /// The error on the data of C4.5 that sees these columns alone.
    fn error_from(&self, columns: &[&str]) -> Result<f64> {
        let is_meant = |column: &&PublicColumn| columns.contains(&&column.name[..]);
        let predictors = self.public.columns.iter().filter(is_meant).map(|column| Predictor {
            name: column.name.clone(),
            role: PredictorRole::Other,
            kind: column.kind,
        });
        let predictors: Vec<Predictor> = predictors.collect();
        let split = Split::Rows(self.public.training);
        let error = table_error(
            &self.public.table,
            "class",
            &predictors,
            &split,
            Learner::C45,
            Work::unwatched(),
        )?;
        Ok(percent(error.rate))
    }
}

/// T2 as a CSV file. (No value of Adult has a comma.)
fn t2(public: &Public) -> Result<String> {
    let table = &public.table;
    let find = |name: &str| -> Result<ColumnId> { table.find(name).ok_or_else(|| format!("no column {name}").into()) };
    let ids = COMMON.iter().chain(&ELSEWHERE).map(|name| find(name));
    let ids = ids.collect::<Result<Vec<_>>>()?;
    let columns: Vec<&Column> = ids.into_iter().map(|id| table.column(id)).collect();
    let cell = |column: &Column, row: usize| -> String {
        let code = column.codes().at(row);
        column.dictionary().value(code).unwrap_or_default().to_owned()
    };
    let line = |row: usize| -> String {
        let cells: Vec<String> = columns.iter().map(|column| cell(column, row)).collect();
        cells.join(",") + "\n"
    };
    let header = columns.iter().map(|column| column.name.as_str());
    let header = header.collect::<Vec<_>>().join(",") + "\n";
    Ok(header + &(0..table.rows()).map(line).collect::<String>())
}

/// Claims that say how their numbers were found.
fn found_by(how: &str, claims: Vec<Claim>) -> impl Iterator<Item = Claim> {
    claims.into_iter().map(move |mut claim| {
        claim.what += &format!(": {how}");
        claim
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Top3 of Set B are capital-gain, age and marital-status; relationship and sex are known because T2 has them.
    #[test]
    fn what_both_tables_have_is_always_known() {
        assert_eq!(
            Set::B.known(3),
            ["age", "capital-gain", "marital-status", "relationship", "sex"]
        );
        assert_eq!(Set::A.known(3), COMMON);
        assert_eq!(Set::A.known(6).len(), Set::A.columns.len());
    }

    #[test]
    fn the_ranking_is_of_columns_of_the_table() {
        for set in [Set::A, Set::B] {
            assert!(set.top.iter().all(|name| set.columns.contains(name)));
            assert_eq!(set.without(&COMMON).len(), set.columns.len() - COMMON.len());
        }
    }

    /// A husband and a divorced woman, each twice in both tables.
    fn two_of_each() -> Sequential {
        let names = "education occupation workclass marital-status relationship sex native-country race class";
        let rows = [
            "HS-grad,Sales,Private,Married,Husband,Male,Cuba,White,>50K",
            "Masters,Sales,Private,Divorced,Unmarried,Female,Cuba,White,<=50K",
        ];
        let rows = rows.map(str::to_owned).to_vec();
        let public = Public::new(names, rows.clone(), rows, Vec::new()).unwrap();
        Sequential::beside(public, &Set::A, &Way::NEAREST).unwrap()
    }

    #[test]
    fn t2_has_the_common_columns_and_its_own() {
        let header_and_husband =
            "marital-status,relationship,sex,native-country,race\nMarried,Husband,Male,Cuba,White\n";
        let text = t2(&two_of_each().public).unwrap();
        assert!(text.starts_with(header_and_husband));
        assert_eq!(text.lines().count(), 5);
    }

    /// Each husband matches each husband: four matches, but of two records of T1. Anonymity 3 per match lets them be told
    /// from the others, per record not. On all columns of T1, per record is anonymity of T1 alone.
    #[test]
    fn matches_are_more_than_records() {
        let people = two_of_each();
        let distorted = |trial: Trial| trial.distortion().unwrap().unwrap().categorical;
        let per_record = distorted(people.anonymity(6, 3, "this"));
        assert!(distorted(people.anonymity(6, 3, "join")) < per_record);
        assert_eq!(per_record, distorted(people.alone(3)));
    }

    /// T2 tells sex and relationship, so whoever knows the sex of someone knows the secret, whatever T1 shows.
    #[test]
    fn a_copy_in_t2_may_tell_a_secret() {
        let people = two_of_each();
        let trial = people.confidence(2, 0.6);
        assert_eq!(trial.sensitive, ["marital-status", "relationship"]);
        assert_eq!(trial.quasi, ["sex", "education", "occupation", "workclass"]);
        assert_eq!(trial.distortion().unwrap(), None);
        assert!(people.confidence(2, 1.0).distortion().unwrap().is_some());
        assert!(
            people.confidence(3, 0.6).distortion().unwrap().is_some(),
            "sex is no longer known"
        );
    }
}
