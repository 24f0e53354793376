//! Published and audited on the join with earlier releases: what cells mean is declared, and every copy of a column is known.

use std::fs;
use std::path::PathBuf;

use scumble::errors::InputError;
use scumble::results::{CertifiedTemplate, Level};
use scumble::{AuditReport, Certificate, Error, Fault, Options, Policy, Unwatched, audit_file, publish};

/// A folder with the files of one test.
struct Desk(tempfile::TempDir);

impl Desk {
    fn with(files: &[(&str, &str)]) -> Desk {
        let desk = Desk(tempfile::tempdir().unwrap());
        files.iter().for_each(|(name, text)| desk.put(name, text));
        desk
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn policy(&self, name: &str) -> Policy {
        let text = fs::read_to_string(self.path(name)).unwrap();
        Policy::parse(&text, name, self.0.path()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn publish(&self, policy: &str, out: &str) -> Result<Certificate, Error> {
        let folder = self.path(out);
        let options = Options {
            folder: Some(&folder),
            ..Options::default()
        };
        publish(&self.policy(policy), &options, &Unwatched).map(|published| published.certificate)
    }

    fn audit(&self, file: &str, policy: &str) -> Result<AuditReport, Error> {
        audit_file(&self.path(file), &self.policy(policy), None, &Unwatched)
    }

    /// The first template as it is published with `policy.toml`, and as the audit finds it.
    #[track_caller]
    fn certified(&self) -> CertifiedTemplate {
        let certificate = self
            .publish("policy.toml", "out")
            .unwrap_or_else(|error| panic!("{error}"));
        let certified = certificate.require[0].clone();
        assert_eq!(self.level("out/released.csv", "policy.toml"), certified.level);
        certified
    }

    #[track_caller]
    fn level(&self, file: &str, policy: &str) -> Level {
        let audited = self.audit(file, policy).unwrap_or_else(|error| panic!("{error}"));
        audited.require[0].level.expect("it can be counted")
    }
}

/// A table of houses with an earlier release of them.
fn houses(this: &str, old: &str, earlier: &str, require: &str) -> Desk {
    let policy = format!(
        "[data]\nfile = 'now.csv'\n[columns]\nhouse = {{ role = 'other' }}\njob = {{ role = 'quasi' }}\n\
         s = {{ role = 'sensitive' }}\n[[earlier]]\nname = 'old'\nfile = 'old.csv'\n{earlier}[[require]]\n{require}\n"
    );
    Desk::with(&[("now.csv", this), ("old.csv", old), ("policy.toml", &policy)])
}

const HOUSES: &str = "house,job,s\n3,x,a\n1-5,y,b\n1-5,y,a\n1-5,y,b\n";
const OLD_HOUSES: &str = "house,ward\n3,W\n1-5,V\n1-5,V\n1-5,V\n";

/// The house 1-5 is no interval: of ward W is the one person in house 3.
#[test]
fn a_word_that_looks_like_an_interval_does_not_raise_the_level() {
    let desk = houses(HOUSES, OLD_HOUSES, "", "anonymity = 4\nof = ['old.ward']");
    assert!(desk.publish("policy.toml", "out").is_err());
    assert!(!desk.path("out").exists());
    assert_eq!(desk.level("now.csv", "policy.toml"), Level::Count(1));
    let desk = houses(HOUSES, OLD_HOUSES, "", "anonymity = 1\nof = ['old.ward']");
    assert_eq!(desk.certified().level, Level::Count(1));
}

/// Blood groups, and words in the very forms that we write.
#[test]
fn words_in_the_form_of_labels_do_not_raise_the_level() {
    for (word, like) in [
        ("A*", "A+"),
        ("{a|b}", "a"),
        ("[1, 5]", "3"),
        ("<9", "7"),
        ("*", "z"),
        ("1.0", "1"),
    ] {
        let renamed = |text: &str| {
            let named = text.replace("1-5", &format!("\"{word}\""));
            named
                .replace("3,x", &format!("{like},x"))
                .replace("3,W", &format!("{like},W"))
        };
        let require = "anonymity = 1\nof = ['old.ward']";
        let desk = houses(&renamed(HOUSES), &renamed(OLD_HOUSES), "", require);
        assert_eq!(desk.certified().level, Level::Count(1), "{word}");
    }
}

/// `1-5` stands for the houses 1 to 5, or for itself: the program does not guess.
#[test]
fn cells_that_may_be_values_or_labels_must_be_declared() {
    let this = "house,job,s\n3,x,a\n4,y,b\n5,y,a\n";
    let old = "house,ward\n1-5,W\n1-5,W\n5,W\n";
    let desk = |earlier: &str| houses(this, old, earlier, "anonymity = 3\nof = ['old.ward']");
    // Not even where records may dangle: a group that vanishes is not counted.
    for earlier in ["", "on_dangling = 'report'\n"] {
        let desk = desk(earlier);
        let published = desk.publish("policy.toml", "out").map(|_| ());
        for error in [published, desk.audit("now.csv", "policy.toml").map(|_| ())].map(Result::unwrap_err) {
            assert_eq!(error.fault(), Fault::Input);
            let message = error.to_string();
            let said = "column `house` of release `old` holds what may be a value or a label (row 1)";
            assert!(
                message.contains(said) && message.contains("cells = { house = \"values\" }"),
                "{message}"
            );
            assert!(!message.contains("1-5"), "no cell is told: {message}");
        }
    }
    assert_eq!(
        desk("cells = { house = 'labels' }\n").certified().level,
        Level::Count(3)
    );
    let error = desk("cells = { house = 'values' }\n")
        .publish("policy.toml", "out")
        .unwrap_err();
    assert!(matches!(error, Error::Input(InputError::Dangling(_))), "{error}");
}

/// A house `a, b` in a set of houses that commas part.
#[test]
fn a_set_that_can_be_read_in_two_ways_is_not_read() {
    let this = "house,job,s\na,x,a\n\"a, b\",y,b\n";
    let old = "house,ward\n\"{a, b}\",W\n\"{a, b}\",W\n";
    let desk = houses(
        this,
        old,
        "cells = { house = 'labels' }\n",
        "anonymity = 1\nof = ['old.ward']",
    );
    let message = desk.publish("policy.toml", "out").unwrap_err().to_string();
    assert!(
        message.contains("a set that can be read in two ways (row 1)"),
        "{message}"
    );
}

/// A release of ours says of itself how its columns are masked: what it publishes as it is, is read as it is.
#[test]
fn a_release_of_ours_is_read_by_its_certificate() {
    let old = "[data]\nfile = 'houses.csv'\n[columns]\nhouse = { role = 'other' }\nward = { role = 'quasi' }\n\
               [[require]]\nanonymity = 1\n";
    let desk = houses(HOUSES, "", "", "anonymity = 1\nof = ['old.ward']");
    desk.put("houses.csv", OLD_HOUSES);
    desk.put("old.toml", old);
    desk.publish("old.toml", "old").unwrap();
    let policy = fs::read_to_string(desk.path("policy.toml")).unwrap();
    desk.put("policy.toml", &policy.replace("old.csv", "old/released.csv"));
    assert_eq!(desk.certified().level, Level::Count(1));

    // It is taken at its word, also of a cell that is no value of this table.
    desk.put("now.csv", &HOUSES.replace("1-5", "4"));
    let error = desk.publish("policy.toml", "again").unwrap_err();
    assert!(matches!(error, Error::Input(InputError::Dangling(_))), "{error}");
}

/// One lives in house 1-3, five in house 2.
#[test]
fn a_population_is_counted_by_what_it_is_and_not_by_what_it_looks_like() {
    let policy = "[data]\nfile = 'now.csv'\n[columns]\nhouse = { role = 'quasi' }\ns = { role = 'sensitive' }\n\
                  [[require]]\nk-map = 1\npopulation = 'people.csv'\n";
    let desk = Desk::with(&[
        ("now.csv", "house,s\n1-3,a\n2,b\n"),
        ("people.csv", "house\n1-3\n2\n2\n2\n2\n2\n"),
        ("only.csv", "house,s\n1-3,a\n"),
        ("policy.toml", policy),
    ]);
    assert_eq!(desk.certified().level, Level::Count(1));
    for file in ["now.csv", "only.csv"] {
        assert_eq!(desk.level(file, "policy.toml"), Level::Count(1), "{file}");
    }
}

/// The column is published as it is, as its certificate says, so that its star is a value. Without the certificate nobody can
/// tell it from one of ours.
#[test]
fn a_star_that_is_a_value_hides_nobody() {
    let policy = "[data]\nfile = 'now.csv'\n[columns]\nhouse = { role = 'quasi' }\ns = { role = 'sensitive' }\n\
                  [[require]]\nk-map = 1\npopulation = 'people.csv'\n[method]\nname = 'full-domain'\n";
    let desk = Desk::with(&[
        ("now.csv", "house,s\n*,a\n"),
        ("people.csv", "house\n*\n2\n3\n"),
        ("policy.toml", policy),
    ]);
    assert_eq!(desk.certified().level, Level::Count(1));
    fs::remove_file(desk.path("out/certificate.json")).unwrap();
    assert_eq!(desk.level("out/released.csv", "policy.toml"), Level::Count(3));
}

/// `join` says by what records are matched, not what somebody knows.
#[test]
fn who_knows_a_column_knows_the_copies_that_are_not_matched_too() {
    let certified = |of: &str| {
        let policy = format!(
            "[data]\nfile = 'now.csv'\n[columns]\nc = {{ role = 'quasi' }}\nd = {{ role = 'other' }}\n\
             s = {{ role = 'sensitive' }}\n[[earlier]]\nname = 'old'\nfile = 'old.csv'\njoin = ['d']\n\
             [[require]]\nanonymity = 1\nof = {of}\nper = 'old'\n"
        );
        let desk = Desk::with(&[
            ("now.csv", "c,d,s\nx,1,a\nx,1,b\nx,1,a\nx,1,b\n"),
            ("old.csv", "c,d,ward\nx,1,W\ny,1,V\nx,1,W\nx,1,W\n"),
            ("policy.toml", &policy),
        ]);
        let certified = desk.certified();
        (certified.level, certified.of.join(" "))
    };
    assert_eq!(certified("['c']"), (Level::Count(1), "c old.c".to_owned()));
    assert_eq!(certified("['c', 'old.c']"), (Level::Count(1), "c old.c".to_owned()));
    assert_eq!(certified("['this.c']"), (Level::Count(4), "this.c".to_owned()));
}

/// Example 6.0.1 of Fung 2007: the join of both releases is to be 2-anonymous on {Name, Disease}, and T1 may mask its jobs.
/// So its own jobs are in X, as far as T1 shows them; those of T2, which cannot be masked any more, are not.
#[test]
fn example_6_0_1_is_stated_by_the_jobs_of_this_table_alone() {
    let policy = "[data]\nfile = 't1.csv'\n[columns]\nname = { role = 'quasi' }\njob = { role = 'quasi' }\n\
                  class = { role = 'class' }\n[[earlier]]\nname = 't2'\nfile = 't2.csv'\n\
                  [[require]]\nanonymity = 2\nof = ['name', 'this.job', 't2.disease']\nper = 'join'\n";
    let desk = Desk::with(&[
        (
            "t1.csv",
            "name,job,class\nAlice,Banker,c1\nAlice,Banker,c1\nBob,Clerk,c2\nBob,Driver,c3\nCathy,Engineer,c4\n",
        ),
        (
            "t2.csv",
            "job,disease\nBanker,Cancer\nBanker,Cancer\nClerk,HIV\nDriver,Cancer\nEngineer,HIV\n",
        ),
        ("policy.toml", policy),
    ]);
    assert_eq!(
        desk.level("t1.csv", "policy.toml"),
        Level::Count(1),
        "{{Bob, HIV}} is one person"
    );
    let certified = desk.certified();
    assert_eq!(certified.of, ["name", "this.job", "t2.disease"]);
    // Bankers are shown, and all other jobs are `*`: each of the three others may be the driver who has cancer.
    assert_eq!(certified.level, Level::Count(3));
}
