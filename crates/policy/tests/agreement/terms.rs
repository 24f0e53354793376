//! Agreements that are right: what they say, and the joined policy that says the same.

use std::path::Path;

use scumble_policy::{Data, Missing, Role};
use scumble_refine::{Objective, Weigh};
use scumble_table::{ReleaseFormat, RowOrder};

use crate::desk::{RIGHT, SEXES_HASH, beside_taxonomy, right, with};

#[test]
fn an_agreement_says_who_publishes_what() {
    let agreement = right(RIGHT);
    let parties = agreement.parties.iter();
    let parties: Vec<(&str, &str)> = parties
        .map(|party| (party.name.as_str(), party.address.as_str()))
        .collect();
    assert_eq!(parties, [("bank", "bank.example:7301"), ("loans", "[::1]:7301")]);
    assert_eq!((agreement.key.as_str(), agreement.by_record), ("ssn", false));
    assert_eq!(agreement.header(), ["sex", "job", "salary", "paid", "illness"]);
    assert_eq!(agreement.owners("sex"), [0]);
    assert_eq!(agreement.owners("salary"), [1]);
    assert_eq!(agreement.owners("paid"), [0, 1]);
    assert!(agreement.owners("ssn").is_empty());

    let policy = &agreement.policy;
    assert_eq!(policy.data.missing, Missing::Drop);
    assert_eq!(policy.columns[3].role, Role::Class);
    assert_eq!(policy.method.objective, Objective::InformationGain);
    assert_eq!(policy.method.weigh, Weigh::Records, "parties cannot weigh otherwise");
    assert_eq!(policy.release.format, ReleaseFormat::Csv);
    assert_eq!(policy.release.order, RowOrder::Sorted);
}

#[test]
fn the_owners_of_the_class_are_in_the_order_of_the_parties() {
    let agreement = right(&with(r#"["bank", "loans"]"#, r#"["loans", "bank"]"#));
    assert_eq!(agreement.owners("paid"), [0, 1]);
}

#[test]
fn a_party_is_found_by_name() {
    let agreement = right(RIGHT);
    assert_eq!(agreement.party("loans").unwrap(), 1);
    let error = agreement.party("laons").unwrap_err();
    assert_eq!(
        error.to_string(),
        "agreement.toml: there is no party `laons`; did you mean `loans`?"
    );
    assert_eq!(
        agreement.party("hospital").unwrap_err().to_string(),
        "agreement.toml: there is no party `hospital`; valid: bank, loans"
    );
}

/// How a file is written is the party's own affair, what its cells mean is agreed on.
#[test]
fn a_party_reads_its_own_file_as_agreed_on() {
    let agreement = right(&with(
        "missing = \"drop\"",
        "missing = \"drop\"\nmissing_marks = [\"?\"]\ntrim = false",
    ));
    let own = Data {
        separator: Some(b';'),
        ..Data::of_file("bank.csv")
    };
    let data = agreement.data(&own);
    assert_eq!(data.file().unwrap(), Path::new("bank.csv"));
    assert_eq!(
        (data.separator, data.missing, data.trim),
        (Some(b';'), Missing::Drop, false)
    );
    assert_eq!(data.missing_marks, ["?"]);
}

#[test]
fn taxonomies_are_those_that_all_agreed_on() {
    let (agreement, taxonomies) = beside_taxonomy(RIGHT);
    let taxonomies = taxonomies.unwrap_or_else(|error| panic!("{error}"));
    let sex = agreement.policy.column("sex").unwrap();
    assert!(taxonomies.of(sex).unwrap().leaf("F").is_some());
    // The hash may be written in upper case, too.
    let (_, taxonomies) = beside_taxonomy(&with(SEXES_HASH, &SEXES_HASH.to_uppercase()));
    assert!(taxonomies.is_ok());
}

#[test]
fn another_taxonomy_is_told_with_its_hash() {
    let other = "0".repeat(64);
    let (_, taxonomies) = beside_taxonomy(&with(SEXES_HASH, &other));
    assert_eq!(
        taxonomies.unwrap_err().to_string(),
        format!(
            "agreement.toml:18: the taxonomy file `sex.csv` does not hold what was agreed on; get the file that the \
             others have, or agree on this one: `\"sex.csv\" = \"{SEXES_HASH}\"`"
        )
    );
    let (_, taxonomies) = beside_taxonomy(&with(&format!("\"sex.csv\" = \"{SEXES_HASH}\"\n"), ""));
    assert_eq!(
        taxonomies.unwrap_err().to_string(),
        format!(
            "agreement.toml:12: [taxonomies] does not say what `sex.csv` holds; add `\"sex.csv\" = \"{SEXES_HASH}\"`"
        )
    );
}

#[test]
fn a_taxonomy_that_is_not_there_is_told_as_in_a_policy() {
    let (_, taxonomies) = beside_taxonomy(&RIGHT.replace("sex.csv", "gender.csv"));
    let message = taxonomies.unwrap_err().to_string();
    assert!(
        message.starts_with("agreement.toml:12: there is no taxonomy file "),
        "{message}"
    );
}

/// The agreement of the page of formats is one.
#[test]
fn the_agreement_of_the_docs_is_right() {
    let docs = include_str!("../../../../docs/formats.md");
    let mut blocks = docs
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    let shown = blocks.find(|block| block.contains("[[party]]")).unwrap();
    assert_eq!(right(shown).parties.len(), 2);
}
