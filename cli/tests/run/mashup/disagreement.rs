//! Parties that do not agree learn what they differ in, and nothing else.

use super::company::{Company, MARK, Running};

#[test]
fn what_differs_is_told_in_words_to_both() {
    let company = Company::small(2);
    company.amend("other.toml", "anonymity = 3", "anonymity = 4");
    let bank = company.start("bank", &[]);
    let clinic = company.start("clinic", &[("agreement", "other.toml")]);
    let ends = [bank, clinic].map(Running::end);
    let told = [
        "clinic has another agreement, so nothing was read of it: require.1.anonymity: 3 here, 4 there",
        "bank has another agreement, so nothing was read of it: require.1.anonymity: 4 here, 3 there",
    ];
    for (ended, told) in ends.iter().zip(told) {
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains(told), "{ended:?}");
    }
    company.nothing_written();
}

/// The third party agrees with the first, and also learns that and why there is no release.
#[test]
fn one_of_three_that_differs_ends_it_for_all() {
    let company = Company::small(3);
    company.amend("other.toml", "confidence = 0.9", "confidence = 0.8");
    let same = company.start_all(["bank", "shop"].map(str::to_owned).iter(), &[]);
    let clinic = company.start("clinic", &[("agreement", "other.toml")]);
    for ended in same.into_iter().map(Running::end) {
        assert!(matches!(ended.code, Some(2 | 3)), "{ended:?}");
        assert!(
            ended.err.contains("agreement") && ended.err.contains("clinic"),
            "{ended:?}"
        );
    }
    let ended = clinic.end();
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(
        ended.err.contains("require.2.confidence: 0.8 here, 0.9 there"),
        "{ended:?}"
    );
    company.nothing_written();
}

/// A party that reads its cells in another way has another agreement.
#[test]
fn another_way_to_read_cells() {
    let company = Company::small(2);
    company.amend("other.toml", "[key]", "[data]\ntrim = false\n[key]");
    let bank = company.start("bank", &[]);
    let clinic = company.start("clinic", &[("agreement", "other.toml")]);
    for ended in [bank, clinic].map(Running::end) {
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains("data.trim"), "{ended:?}");
    }
    company.nothing_written();
}

/// Two parties with the class must have the same one.
#[test]
fn another_class() {
    let company = Company::small(2);
    company.amend(
        "agreement.toml",
        "role = 'class', party = [\"bank\"]",
        "role = 'class', party = ['bank', 'clinic']",
    );
    let other = company.desk.read("clinic.csv");
    let rows = other.lines().enumerate().map(|(row, line)| match row {
        0 => format!("{line},class\n"),
        _ => format!("{line},{MARK}{}\n", row % 2),
    });
    company.desk.put("clinic.csv", rows.collect::<String>().as_bytes());
    for ended in company.run(&[]) {
        assert!(matches!(ended.code, Some(2 | 3)), "{ended:?}");
        assert!(
            ended.err.contains("has another class for some record") || ended.err.contains("gave up"),
            "{ended:?}"
        );
        assert!(!ended.err.contains(MARK), "{ended:?}");
    }
    company.nothing_written();
}

#[test]
fn people_of_whom_none_is_common() {
    let company = Company::small(2);
    let others = company
        .desk
        .read("clinic.csv")
        .replace(&format!("{MARK}P"), &format!("{MARK}Q"));
    company.desk.put("clinic.csv", others.as_bytes());
    for ended in company.run(&[]) {
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(
            ended.err.contains("no record is in the tables of all parties"),
            "{ended:?}"
        );
    }
    company.nothing_written();
}

#[test]
fn a_requirement_that_cannot_be_met() {
    let company = Company::small(2);
    company.amend("agreement.toml", "anonymity = 3", "anonymity = 25");
    for ended in company.run(&[]) {
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.err.contains("most masked table"), "{ended:?}");
    }
    company.nothing_written();
}
