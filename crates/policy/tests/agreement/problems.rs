//! Agreements that are wrong, and the message that each gets.

use crate::desk::{RIGHT, assert_problems, right, with};

/// So many parties, each with a column.
fn of_parties(count: usize) -> String {
    let parties = (1..=count).map(|n| format!("[[party]]\nname = \"p{n}\"\naddress = \"p{n}.example:7301\"\n"));
    let columns = (1..=count).map(|n| format!("c{n} = {{ role = \"quasi\", party = \"p{n}\" }}\n"));
    let (parties, columns): (String, String) = (parties.collect(), columns.collect());
    format!("{parties}[key]\ncolumn = \"id\"\n[columns]\n{columns}[[require]]\nanonymity = 2\n")
}

#[test]
fn two_to_eight_parties_publish_together() {
    right(&of_parties(2));
    right(&of_parties(8));
    assert_problems(
        &of_parties(1),
        &[":2: there is only one party; add 1 to 7 others, or publish alone with a policy"],
    );
    assert_problems(
        &of_parties(9),
        &[":26: there are 9 parties, and at most 8 can publish together; \
           let those who belong together join their files first, and take part as one"],
    );
}

#[test]
fn the_name_of_a_party_is_a_dns_label() {
    right(&RIGHT.replace("\"bank\"", &format!("\"{}\"", "a-1".repeat(21))));
    let long = "a".repeat(64);
    for wrong in ["Bank", "the bank", "bank_1", "-bank", "bank-", "bänk", "", &long] {
        assert_problems(
            &RIGHT.replace("\"bank\"", &format!("\"{wrong}\"")),
            &[&format!(
                ":2: `{wrong}` is no name for a party; its certificate carries the name: \
                 use lower case letters, digits and inner hyphens, at most 63"
            )],
        );
    }
}

#[test]
fn an_address_has_a_host_and_a_port() {
    for fine in [
        "127.0.0.1:1",
        "[2001:db8::7]:65535",
        "Bank-1.example:7301",
        "localhost:7301",
    ] {
        right(&with("bank.example:7301", fine));
    }
    for wrong in [
        "bank.example",
        "bank:0",
        "bank:65536",
        "bank:+1",
        ":7301",
        "::1:7301",
        "[::g]:7301",
        "a b:1",
        "bank:",
        "[bank:1",
    ] {
        assert_problems(
            &with("bank.example:7301", wrong),
            &[":3: `address` must be a host and a port, such as \"bank.example:7301\" or \"[::1]:7301\""],
        );
    }
}

#[test]
fn every_party_has_its_own_name_and_address() {
    let twice = with("name = \"loans\"", "name = \"bank\"").replace("\"loans\"", "\"bank\"");
    assert_problems(
        &twice.replace("[\"bank\", \"bank\"]", "\"bank\""),
        &[
            ":5: two parties have the name `bank`; give each its own",
            ":5: party `bank` has no column; name it as `party` of a column, or take it out",
        ],
    );
    assert_problems(
        &with("[::1]:7301", "BANK.example:7301"),
        &[":5: two parties have the address `BANK.example:7301`; give each its own"],
    );
}

#[test]
fn a_party_has_a_name_and_an_address() {
    let nameless = with("name = \"bank\"\naddress = \"bank.example:7301\"", "nmae = \"bank\"");
    assert_problems(
        &nameless
            .replace("party = \"bank\"", "party = \"loans\"")
            .replace("[\"bank\", \"loans\"]", "\"loans\""),
        &[
            ":1: [[party]] has no `name`; add `name = \"bank\"`",
            ":1: [[party]] has no `address`; add `address = \"bank.example:7301\"`",
            ":2: unknown key `nmae` in [[party]]; did you mean `name`?",
        ],
    );
}

#[test]
fn every_column_says_who_has_it() {
    assert_problems(
        &with(", party = \"loans\" }", " }"),
        &[":13: column `job` has no `party`; add `party`, who has it; valid: bank, loans"],
    );
    assert_problems(
        &with("party = \"loans\" }", "party = \"laons\" }"),
        &[":13: unknown party `laons` of column `job`; did you mean `loans`?"],
    );
    assert_problems(
        &with("[\"bank\", \"loans\"]", "[\"bank\", \"hospital\"]"),
        &[":15: unknown party `hospital` of column `paid`; valid: bank, loans"],
    );
    assert_problems(
        &with("party = \"loans\" }", "party = 2 }"),
        &[":13: `party` must be the name of a party, or of the class a list of names"],
    );
    assert_problems(
        &with("party = \"loans\" }", "party = [\"bank\", \"loans\"] }"),
        &[
            ":13: column `job` is of several parties, and only the class may be; name one of them, whose values \
             are then taken",
        ],
    );
}

#[test]
fn every_party_has_a_column() {
    assert_problems(
        &RIGHT
            .replace("[\"bank\", \"loans\"]", "\"bank\"")
            .replace("party = \"loans\"", "party = \"bank\""),
        &[":5: party `loans` has no column; name it as `party` of a column, or take it out"],
    );
}

#[test]
fn the_key_is_no_column_of_the_release() {
    assert_problems(
        &with("job =", "ssn = { role = \"identifier\", party = \"bank\" }\njob ="),
        &[":13: column `ssn` is the key, which every party has and nobody publishes; take it out of [columns]"],
    );
    assert_problems(&with("\"ssn\"", "\"\""), &[":8: `column` must be the name of a column"]);
    assert_problems(
        &with("column = \"ssn\"", "name = \"ssn\""),
        &[
            ":7: [key] has no `column`; add `column = \"ssn\"`, which every party's file has",
            ":8: unknown key `name` in [key]; valid: column, same_records",
        ],
    );
}

#[test]
fn an_identifier_stays_with_its_party() {
    let listed = with("job =", "patient = { role = \"identifier\", party = \"bank\" }\njob =");
    assert_problems(
        &listed,
        &[
            ":13: column `patient` is an identifier, so nobody else could recount what is asked of it; \
           take it out of [columns]: what is not listed stays with its party; or publish it, as other",
        ],
    );
}

#[test]
fn what_each_party_says_for_itself_is_no_part_of_the_agreement() {
    for key in ["file", "url", "query"] {
        assert_problems(
            &with("missing = \"drop\"", &format!("{key} = \"bank.csv\"")),
            &[&format!(
                ":10: `{key}` is no part of an agreement; each party names its own data, with `--data` or in \
                 its private part"
            )],
        );
    }
    for key in ["names", "separator", "comment", "sheet"] {
        assert_problems(
            &with("missing = \"drop\"", &format!("{key} = \";\"")),
            &[&format!(
                ":10: `{key}` is no part of an agreement; each party says how its own file is written, in \
                 [data] of its private part"
            )],
        );
    }
    assert_problems(
        &with("missing = \"drop\"", "population = \"clients\""),
        &[":10: `population` is for a ledger, and parties keep none together; take it out"],
    );
    assert_problems(
        &with("format = \"csv\"", "folder = \"out\"\norder = \"input\""),
        &[
            ":24: `folder` is no part of an agreement; each party names its own folder, with `--out` or in its \
             private part",
            ":25: `order` is no part of an agreement: rows are always sorted, because any other order would \
             tell whose they \
             are; take it out",
        ],
    );
    assert_problems(
        &with("format = \"csv\"", "unlisted = \"publish\""),
        &[
            ":24: `unlisted` is no part of an agreement: a column that is not listed stays with its party; list the \
             columns to publish, as other",
        ],
    );
    for key in ["earlier", "inconsistent"] {
        assert_problems(
            &format!("{RIGHT}[[{key}]]\nname = \"clinic\"\n"),
            &[&format!(
                ":25: [[{key}]] is no part of an agreement: nobody has both tables to match their records; take \
                 it out; \
                 a party that published its own columns before can publish after that with a policy of its own"
            )],
        );
    }
}

#[test]
fn the_valid_keys_are_those_of_an_agreement() {
    assert_problems(
        &with("missing =", "encoding ="),
        &[":10: unknown key `encoding` in [data]; valid: missing, missing_marks, trim"],
    );
    assert_problems(
        &with("format =", "fromat ="),
        &[":24: unknown key `fromat` in [release]; did you mean `format`?"],
    );
    assert_problems(
        &with("format =", "compression ="),
        &[":24: unknown key `compression` in [release]; valid: by_record, format, formulas"],
    );
    assert_problems(
        &with("[release]", "[output]"),
        &[
            ":23: unknown key `output` in the agreement; valid: party, key, data, columns, taxonomies, require, \
             method, release",
        ],
    );
}

#[test]
fn a_taxonomy_is_agreed_on_by_the_hash_of_its_file() {
    let line = RIGHT.lines().find(|line| line.starts_with("\"sex.csv\"")).unwrap();
    for wrong in ["\"\"", "\"blake3:12\"", "\"zz\""] {
        assert_problems(
            &with(line, &format!("\"sex.csv\" = {wrong}")),
            &[":18: `sex.csv` must be 64 hexadecimal digits, the BLAKE3 hash of the file"],
        );
    }
    assert_problems(
        &with(line, &format!("{line}\n{}", line.replace("sex.csv", "./sex.csv"))),
        &[":19: the taxonomy `sex.csv` is twice in [taxonomies]; take out one of them"],
    );
    assert_problems(
        &with(line, &line.replace("sex.csv", "sx.csv")),
        &[":18: no column has the taxonomy `sx.csv`; did you mean `sex.csv`?"],
    );
    assert_problems(
        &with(line, &line.replace("\"sex.csv\"", "sex.csv")),
        &[":18: `sex` is no file; put a file name with a dot in quotes"],
    );
}

const PAIRED: &str = ":16: columns `illness` of bank and `debt` of loans are published as they are, so the \
                      release pairs \
                      their values record by record. Each of these parties then learns the other's value for \
                      each of its \
                      own records; set `by_record = true` in [release] if all parties agree to that, or leave such \
                      columns to one party";

#[test]
fn values_of_two_parties_stand_side_by_side_only_if_all_agree() {
    let debt = |role: &str, owner: &str| {
        with(
            "[taxonomies]",
            &format!("debt = {{ role = \"{role}\", party = \"{owner}\" }}\n[taxonomies]"),
        )
    };
    for role in ["sensitive", "other"] {
        assert_problems(&debt(role, "loans"), &[&PAIRED.replace(":16", ":17")]);
        let agreed = right(&debt(role, "loans").replace("[release]", "[release]\nby_record = true"));
        assert!(agreed.by_record);
        right(&debt(role, "bank"));
    }
    // Masked columns and the class are in the release of everybody anyway.
    right(&debt("quasi", "loans"));
}

/// One run tells everything, in the order of the file, and nothing that only follows from another problem.
#[test]
fn all_problems_are_told_at_once() {
    assert_problems(
        r#"[[party]]
name = "Bank"
address = "bank"
[columns]
sex = { role = "quazi" }
job = { role = "quasi", party = "bnak" }
[[require]]
anonymity = 0
"#,
        &[
            ":2: `Bank` is no name for a party; its certificate carries the name: use lower case letters, \
             digits and inner \
             hyphens, at most 63",
            ":2: there is only one party; add 1 to 7 others, or publish alone with a policy",
            ":3: `address` must be a host and a port, such as \"bank.example:7301\" or \"[::1]:7301\"",
            ":5: column `sex` has no `party`; add `party`, who has it; valid: Bank",
            ":5: unknown role `quazi`; did you mean `quasi`?",
            ":6: unknown party `bnak` of column `job`; did you mean `Bank`?",
            ":8: `anonymity` must be a whole number, at least 1",
            ": there is no [key] section",
        ],
    );
    assert_problems(
        "",
        &[
            ": there is no [[party]] section; add one [[party]] with `name` and `address` for each of those who \
             publish together",
            ": there is no [key] section",
            ": there is no [columns] section",
            ": there is no [[require]] section; add [[require]] with `anonymity = k`",
        ],
    );
    assert_problems("[[party", &[":1: not valid TOML: unclosed array table, expected `]]`"]);
}
