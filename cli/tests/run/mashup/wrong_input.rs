//! What a user may get wrong is told before anybody is called: none of these parties has others to meet.

use super::company::{Company, MARK};

/// A party of [`Company::small`] ends with this code and these words, and writes nothing.
#[track_caller]
fn refuse(company: &Company, flags: &[(&str, &str)], code: i32, words: &[&str]) {
    let before = company.desk.list();
    let ended = company.start("bank", flags).end();
    assert_eq!(ended.code, Some(code), "{ended:?}");
    for word in words {
        assert!(ended.err.contains(word), "{word:?} is not in: {}", ended.err);
    }
    assert!(!ended.err.contains(MARK), "a value is told: {ended:?}");
    assert_eq!(company.desk.list(), before);
}

#[test]
fn a_party_that_is_misspelt() {
    let company = Company::small(2);
    refuse(
        &company,
        &[("--as", "bnak")],
        2,
        &["agreement.toml", "there is no party `bnak`", "did you mean `bank`?"],
    );
}

#[test]
fn data_without_a_column_of_the_party() {
    let company = Company::small(2);
    let text = company.desk.read("bank.csv").replace("c0", "c9");
    company.desk.put("bank.csv", text.as_bytes());
    refuse(
        &company,
        &[],
        2,
        &["agreement.toml:10", "the data has no column `c0`", "did you mean `c9`?"],
    );
}

#[test]
fn data_without_the_key() {
    let company = Company::small(2);
    let text = company.desk.read("bank.csv").replace("id,", "ssn,");
    company.desk.put("bank.csv", text.as_bytes());
    refuse(
        &company,
        &[],
        2,
        &["the data has no column `id`, the key", "by which records are matched"],
    );
}

/// The clinic's file in the hands of the bank.
#[test]
fn data_of_another_party() {
    let company = Company::small(2);
    refuse(
        &company,
        &[("--data", "clinic.csv")],
        2,
        &["the data has no column `c0`"],
    );
}

#[test]
fn data_that_is_not_there() {
    let company = Company::small(2);
    refuse(&company, &[("--data", "nowhere.csv")], 2, &["nowhere.csv"]);
}

#[test]
fn a_release_that_is_there_already() {
    let company = Company::small(2);
    company.must();
    refuse(&company, &[], 2, &["out-bank", "already exists", "--force"]);
}

#[test]
fn flags_that_are_missing() {
    let company = Company::small(2);
    for (without, told) in [
        (
            "--data",
            "--data is missing; give it as a flag or in the file of --private",
        ),
        ("--cert", "--cert is missing"),
        ("--key", "--key is missing"),
        ("--ca", "--ca is missing"),
        ("--as", "--as <NAME>"),
    ] {
        let command = company.command("bank", &[]);
        let all: Vec<&str> = command.get_args().map(|word| word.to_str().unwrap()).collect();
        let at = all.iter().position(|word| *word == without).unwrap();
        let ended = company.desk.run(&[&all[..at], &all[at + 2..]].concat());
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains(told), "{told:?} is not in: {}", ended.err);
    }
}

#[test]
fn keys_that_do_not_fit() {
    let company = Company::small(2);
    refuse(
        &company,
        &[("--key", "keys/clinic.key")],
        2,
        &["keys/clinic.key: is not the key of the certificate in keys/bank.pem"],
    );
    refuse(
        &company,
        &[("--cert", "keys/bank.key")],
        2,
        &["keys/bank.key: holds no certificate"],
    );
    refuse(
        &company,
        &[("--key", "keys/none.key")],
        2,
        &["keys/none.key: cannot be read"],
    );
}

#[test]
fn a_policy_in_place_of_an_agreement() {
    let company = Company::small(2);
    let policy = "[data]\nfile = 'bank.csv'\n[columns]\nc0 = { role = 'quasi' }\n[[require]]\nanonymity = 3\n";
    company.desk.put("policy.toml", policy.as_bytes());
    refuse(
        &company,
        &[("agreement", "policy.toml")],
        2,
        &[
            "policy.toml",
            "there is no [[party]] section",
            "`file` is no part of an agreement",
        ],
    );
}

/// And the other way round.
#[test]
fn an_agreement_in_place_of_a_policy() {
    let company = Company::small(2);
    let ended = company.desk.run(&["publish", "agreement.toml"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("party"), "{ended:?}");
}

#[test]
fn a_taxonomy_that_is_not_the_agreed_one() {
    let company = Company::sample();
    let text = company.desk.read("job.csv").replace("Mover", "Porter");
    company.desk.put("job.csv", text.as_bytes());
    refuse(
        &company,
        &[],
        2,
        &[
            "agreement.toml",
            "the taxonomy file `job.csv` does not hold what was agreed on",
        ],
    );
}

#[test]
fn an_address_that_is_taken() {
    let company = Company::small(2);
    let _taken = std::net::TcpListener::bind(company.address(0)).unwrap();
    refuse(&company, &[], 3, &["cannot listen at", "not in use"]);
}

#[test]
fn keys_that_are_there_already_are_kept() {
    let company = Company::small(2);
    let before = company.desk.read("keys/bank.key");
    let ended = company.desk.run(&["keys", "agreement.toml"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("already exists"), "{ended:?}");
    assert_eq!(company.desk.read("keys/bank.key"), before);
}
