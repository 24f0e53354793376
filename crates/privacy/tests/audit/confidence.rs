//! Confidence: the largest share of a group that has a secret.

use scumble_privacy::{Demand, SecretValues, Secrets};

use crate::example::{Example, assert_close, each, every, released};

/// Fung, Table 5.1.
const CUSTOMERS: &str = "
    job    country child bankruptcy #
    Cook   US      No    Current    4
    Artist France  No    Current    4
    Doctor US      Yes   Never      6
    Trader UK      No    Discharged 4
    Trader UK      No    Never      1
    Trader Canada  No    Never      1
    Clerk  Canada  No    Never      3
    Clerk  Canada  No    Discharged 1";

fn discharged(customers: &Example, at_most: f64) -> Demand {
    let about = each(customers.column("bankruptcy"), "Discharged");
    Demand::Confidence { at_most, about }
}

/// Example 5.0.1: of the 5 traders in the UK, 4 are discharged.
#[test]
fn four_of_five_traders_are_discharged() {
    let customers = released(CUSTOMERS);
    let finding = customers.finding("job country", discharged(&customers, 0.75));
    assert_close(finding.level, 0.8);
    assert!(!finding.holds);
    assert!(customers.finding("job country", discharged(&customers, 0.8)).holds);
}

/// Example 5.0.2: Table 5.2 suppresses Trader and Clerk, UK and Canada. 5 of 10 remain.
#[test]
fn suppressing_lowers_the_confidence_to_a_half() {
    let suppressed = released(
        "job    country child bankruptcy #
         Cook   US      No    Current    4
         Artist France  No    Current    4
         Doctor US      Yes   Never      6
         *      *       No    Never      5
         *      *       No    Discharged 5",
    );
    let finding = suppressed.finding("job country", discharged(&suppressed, 0.75));
    assert_close(finding.level, 0.5);
    assert!(finding.holds);
}

/// Examples 5.3.1 to 5.3.3: nothing disclosed, then Clerk, then Canada.
#[test]
fn disclosing_clerk_raises_the_confidence_to_a_quarter() {
    let most_suppressed = released("job country bankruptcy #\n * * Discharged 5\n * * Other 19");
    let level = most_suppressed.level("job country", discharged(&most_suppressed, 0.5));
    assert_close(level, 5.0 / 24.0);

    let clerk_and_canada = released(
        "job   country bankruptcy #
         *     *       Discharged 4
         *     *       Other      15
         *     Canada  Other      1
         Clerk Canada  Discharged 1
         Clerk Canada  Other      3",
    );
    let level = clerk_and_canada.level("job country", discharged(&clerk_and_canada, 0.5));
    assert_close(level, 0.25);
}

/// All four cooks are current, so with every value a secret the confidence is 1; so it is where the value is missing.
#[test]
fn every_value_may_be_a_secret_and_so_may_a_missing_one() {
    let customers = released(CUSTOMERS);
    let about = every(customers.column("bankruptcy"));
    assert_close(customers.level("job", Demand::Confidence { at_most: 0.5, about }), 1.0);

    let unknown = released("job disease #\n Cook - 3\n Cook Flu 1");
    let about = every(unknown.column("disease"));
    assert_close(unknown.level("job", Demand::Confidence { at_most: 0.5, about }), 0.75);
}

/// No infection alone is in more than a third of the rows, but two thirds have one of them.
#[test]
fn a_set_of_values_is_one_secret() {
    let patients = released("job disease\n Cook HIV\n Cook Hepatitis\n Cook Flu");
    let column = patients.column("disease");
    let about = each(column, "HIV Hepatitis");
    assert_close(
        patients.level("job", Demand::Confidence { at_most: 0.5, about }),
        1.0 / 3.0,
    );
    let infections = vec!["HIV".to_owned(), "Hepatitis".to_owned()];
    let values = SecretValues::Sets(vec![infections]);
    let about = vec![Secrets { column, values }];
    assert_close(
        patients.level("job", Demand::Confidence { at_most: 0.5, about }),
        2.0 / 3.0,
    );
}

/// The worst secret of any column counts; a secret that nobody has, and no secret at all, is at 0.
#[test]
fn secrets_of_several_columns() {
    let patients = released("job disease debt\n Cook HIV no\n Cook Flu no\n Cook Flu yes\n Cook Flu yes");
    let about = [
        each(patients.column("disease"), "HIV"),
        each(patients.column("debt"), "yes"),
    ];
    let confidence = |about| Demand::Confidence { at_most: 0.5, about };
    assert_close(patients.level("job", confidence(about.concat())), 0.5);
    assert_close(
        patients.level("job", confidence(each(patients.column("disease"), "Mumps"))),
        0.0,
    );
    assert_close(patients.level("job", confidence(vec![])), 0.0);
}

/// (α, k)-anonymity with α = 1/2 and k = 4 is two templates. Here the groups are large enough, but one secret too sure.
#[test]
fn alpha_k_anonymity_is_anonymity_and_confidence() {
    let patients = released(
        "zip disease #
         80* HIV     2
         80* Flu     2
         81* HIV     3
         81* Flu     1",
    );
    let about = each(patients.column("disease"), "HIV");
    assert!(patients.finding("zip", Demand::Anonymity { k: 4, per: vec![] }).holds);
    assert!(
        !patients
            .finding("zip", Demand::Confidence { at_most: 0.5, about })
            .holds
    );
}

/// One row either side: 2 of 4 keep 1/2, one more HIV row breaks it, one more Flu row keeps it.
#[test]
fn the_bound_and_one_row_either_side() {
    let holds = |hiv: u32, flu: u32| {
        let patients = released(&format!("zip disease #\n a HIV {hiv}\n a Flu {flu}"));
        let about = each(patients.column("disease"), "HIV");
        patients
            .finding("zip", Demand::Confidence { at_most: 0.5, about })
            .holds
    };
    assert_eq!([holds(2, 2), holds(3, 2), holds(2, 3)], [true, false, true]);
}

/// 11 of 20 are 0.55 to the last digit, and 1 of 3 is more than 0.3333333333.
#[test]
fn a_share_is_compared_with_its_bound_to_the_last_digit() {
    let holds = |secret: u32, others: u32, at_most: f64| {
        let people = released(&format!("zip disease #\na HIV {secret}\na Flu {others}\n"));
        let about = each(people.column("disease"), "HIV");
        people.finding("zip", Demand::Confidence { at_most, about }).holds
    };
    assert!(holds(11, 9, 0.55));
    assert!(!holds(1, 2, 0.333_333_333_3));
    assert!(holds(1, 2, 1.0 / 3.0));
    for rows in 1..200 {
        for secret in 0..=rows {
            let at_most = f64::from(secret) / f64::from(rows);
            let hundredths = (100 * secret) % rows == 0;
            if hundredths && secret > 0 {
                assert!(holds(secret, rows - secret, at_most), "{secret} of {rows}");
            }
        }
    }
}
