//! What boards ask for: identifiers that seem to be there, and what speaks to the three questions.

use scumble::Certificate;
use scumble::policy::Role;
use scumble::results::{
    Answer, Article29, AttackReport, CheckedKind, Evidence, KnownReport, PopulationUniques, SafeHarbor, Seen,
    article29, safe_harbor, uniques,
};
use scumble_progress::Work;
use scumble_table::{Column, Table, ValueOrder};

/// A table of columns, each a name and its cells; an empty cell is a missing value.
fn table(columns: &[(&str, &[&str])]) -> Table {
    let rows = columns.first().map_or(0, |(_, cells)| cells.len());
    let column = |(name, cells): &(&str, &[&str])| {
        let cells = cells.iter().map(|cell| Some(*cell).filter(|cell| !cell.is_empty()));
        Column::from_cells(name, ValueOrder::Natural, cells)
    };
    Table::new(rows, columns.iter().map(column).collect())
}

fn kind(found: &SafeHarbor, letter: char) -> &CheckedKind {
    found.kinds.iter().find(|kind| kind.letter == letter).unwrap()
}

/// The letters of the kinds that one column is suspected of, with how sure it is.
fn suspected(name: &str, cells: &[&str]) -> Vec<(char, Seen)> {
    let found = safe_harbor(&table(&[(name, cells)]));
    let seen = found.kinds.iter().filter(|kind| kind.seen != Seen::NotSeen);
    seen.map(|kind| (kind.letter, kind.seen)).collect()
}

/// The table of the module's page.
#[test]
fn the_page_is_right() {
    let found = safe_harbor(&table(&[
        ("zip", &["02139", "02138"]),
        ("age", &["93", "[20, 40)"]),
        ("visit", &["2019", "2020"]),
        ("contact", &["ann@example.org", "*"]),
    ]));
    let letters: String = found.kinds.iter().map(|kind| kind.letter).collect();
    assert_eq!(letters, "ABCDEFGHIJKLMNOPQR");
    let seen: Vec<char> = found
        .kinds
        .iter()
        .filter(|kind| kind.seen != Seen::NotSeen)
        .map(|kind| kind.letter)
        .collect();
    assert_eq!(seen, ['B', 'C', 'F']);
    let zip = &kind(&found, 'B').columns[0];
    assert_eq!(
        (&zip.column[..], zip.seen, zip.values, zip.look_like_it),
        ("zip", Seen::Present, 2, Some(2))
    );
    assert_eq!(
        zip.because,
        ["by its name", "by postcodes of more than three characters"]
    );
    let age = &kind(&found, 'C').columns[0];
    assert_eq!(
        (&age.column[..], age.seen, age.values, age.look_like_it),
        ("age", Seen::Present, 1, Some(1))
    );
    let contact = &kind(&found, 'F').columns[0];
    assert_eq!(
        (contact.seen, &contact.because[..]),
        (Seen::Present, &["by values like e-mail addresses"][..])
    );
}

#[test]
fn names_of_columns_alone_make_them_seem() {
    use Seen::SeemsPresent;
    for (name, letter) in [
        ("first_name", 'A'),
        ("City", 'B'),
        ("homeAddress", 'B'),
        ("mobile phone", 'D'),
        ("fax", 'E'),
        ("e-mail", 'F'),
        ("SSN", 'G'),
        ("patient_id", 'H'),
        ("beneficiary", 'I'),
        ("account number", 'J'),
        ("passport", 'K'),
        ("license_plate", 'L'),
        ("serialNumber", 'M'),
        ("url", 'N'),
        ("ip", 'O'),
        ("fingerprint", 'P'),
        ("photo", 'Q'),
    ] {
        assert_eq!(suspected(name, &["x", "y", "x"]), [(letter, SeemsPresent)], "{name}");
    }
}

#[test]
fn values_alone_may_leave_little_doubt() {
    use Seen::{Present, SeemsPresent};
    assert_eq!(suspected("x", &["1984-03-05", "1990-01-31"]), [('C', Present)]);
    assert_eq!(suspected("x", &["http://a.org", "https://b.org"]), [('N', Present)]);
    assert_eq!(suspected("x", &["10.0.0.1", "10.0.0.2", "10.0.0.1"]), [('O', Present)]);
    assert_eq!(suspected("x", &["123-45-6789", "123-45-6780"]), [('G', Present)]);
    // One of three.
    assert_eq!(suspected("x", &["a@b.org", "none", "unknown"]), [('F', SeemsPresent)]);
    assert_eq!(suspected("x", &["02139", "02138", "02137"]), [('B', SeemsPresent)]);
    assert_eq!(suspected("salary", &["20000", "30000", "40000"]), []);
}

/// What is masked is not in clear, whatever the column is called; nor is a year a date, or three digits a postcode.
#[test]
fn coarse_values_are_not_suspected() {
    assert_eq!(suspected("surname", &["*", "*"]), []);
    assert_eq!(suspected("zip", &["*", "[10000, 20000)", "10000-19999"]), []);
    assert_eq!(suspected("zip", &["021", "022", "021**"]), []);
    assert_eq!(suspected("birth date", &["1984", "1990", "[1950, 1960)"]), []);
    assert_eq!(suspected("age", &["89", "[90, 120]", "90+", "20-39"]), []);
    assert_eq!(suspected("weight", &["91", "102"]), []);
}

/// A patient may have several rows, so that hardly any number is alone.
#[test]
fn patients_have_record_numbers() {
    assert_eq!(
        suspected("patient", &["P0042", "P0042", "P0077", "P0077"]),
        [('H', Seen::Present)]
    );
    assert_eq!(suspected("patient sex", &["F", "M"]), []);
    assert_eq!(suspected("patient birth year", &["1984", "1990"]), []);
}

/// A few names are those of groups; when nearly every row has its own, they are people's.
#[test]
fn many_names_are_names_of_people() {
    assert_eq!(suspected("name", &["Ann", "Bob", "Cid"]), [('A', Seen::SeemsPresent)]);
    let few: Vec<&str> = ["red", "blue"].repeat(10);
    assert_eq!(suspected("name", &few), []);
}

/// No other kind is about a customer key, but `inspect` takes it for an identifier.
#[test]
fn what_numbers_the_rows_is_another_code() {
    let keys: Vec<String> = (0..40).map(|key| format!("k{key}")).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let found = safe_harbor(&table(&[("customer", &keys), ("email", &keys)]));
    let columns: Vec<&str> = kind(&found, 'R')
        .columns
        .iter()
        .map(|column| &column.column[..])
        .collect();
    assert_eq!(columns, ["customer"]);
    assert_eq!(kind(&found, 'F').columns[0].column, "email");
}

#[test]
fn nothing_is_seen_in_nothing() {
    for table in [
        table(&[]),
        table(&[("name", &[]), ("zip", &[])]),
        table(&[("ssn", &["", ""])]),
    ] {
        assert!(
            safe_harbor(&table)
                .kinds
                .iter()
                .all(|kind| kind.seen == Seen::NotSeen && kind.columns.is_empty())
        );
    }
    assert_eq!(suspected("email", &["a@b.org"]), [('F', Seen::Present)]);
}

/// The report goes to people who may not see the data.
#[test]
fn no_value_is_in_the_report() {
    let found = safe_harbor(&table(&[
        ("surname", &["Secretson", "Hush"]),
        ("zip", &["98765", "87654"]),
        ("age", &["99", "97"]),
    ]));
    let json = serde_json::to_string(&found).unwrap();
    for value in ["Secretson", "Hush", "98765", "87654", "99", "97"] {
        assert!(!json.contains(value), "{value}");
    }
    assert!(json.contains(r#""letter":"B","kind":"geographic subdivisions smaller than a state","seen":"present""#));
}

const CERTIFICATE: &str = r#"{
  "version": 1,
  "method": { "name": "refine", "rows_suppressed_at_most": 0.0 },
  "rows": { "published": 8, "left_out": 0, "dropped": 0 },
  "require": [
    { "kind": "anonymity", "of": ["job", "sex"], "bound": 2, "level": 4, "holds": true },
    { "kind": "anonymity", "of": ["job", "sex"], "any": 1, "per": ["person"], "bound": 2, "level": 4, "holds": true },
    { "kind": "confidence", "of": ["job"], "about": { "disease": ["HIV"] }, "bound": 0.5, "level": 0.25, "holds": true }
  ],
  "columns": [
    { "name": "job", "role": "quasi" }, { "name": "sex", "role": "quasi" }, { "name": "age", "role": "quasi" },
    { "name": "disease", "role": "sensitive" }, { "name": "income", "role": "sensitive" },
    { "name": "note", "role": "other" }
  ],
  "information_loss": 0.5,
  "risks": { "of": ["job", "sex", "age"], "rows": 8, "groups": 3, "uniques": 1,
    "prosecutor": { "highest": 1.0, "average": 0.375, "expected": 3.0, "above": [] }, "marketer": 0.375 }
}"#;

fn certificate() -> Certificate {
    serde_json::from_str(CERTIFICATE).unwrap()
}

fn answers(certificate: &Certificate, attack: Option<&AttackReport>, uniques: Option<&PopulationUniques>) -> Article29 {
    let roles = [Role::Quasi, Role::Sensitive, Role::Class, Role::Other];
    let role = |word: &str| roles.into_iter().find(|role| role.word() == word).unwrap();
    let columns = certificate.columns.iter();
    article29(&Evidence {
        earlier: Vec::new(),
        templates: &certificate.require,
        columns: columns.map(|column| (&column.name[..], role(&column.role))).collect(),
        risks: certificate.risks.as_ref(),
        known: attack.and_then(|attack| attack.known.as_ref()),
        uniques,
    })
}

fn kinds(answer: &Answer) -> Vec<&str> {
    answer
        .templates
        .iter()
        .map(|speaking| &speaking.template.kind[..])
        .collect()
}

fn figures(answer: &Answer) -> Vec<(&str, f64)> {
    answer
        .figures
        .iter()
        .map(|figure| (&figure.figure[..], figure.value))
        .collect()
}

#[test]
fn each_question_is_answered_by_the_templates_that_speak_to_it() {
    let answers = answers(&certificate(), None, None);
    assert_eq!(kinds(&answers.singling_out), ["anonymity", "anonymity"]);
    let says: Vec<&str> = answers
        .singling_out
        .templates
        .iter()
        .map(|speaking| speaking.says)
        .collect();
    assert_eq!(
        says[1],
        "rows that look alike have so many different values of the columns counted at least"
    );
    assert_eq!(kinds(&answers.linkability), [""; 0]);
    assert_eq!(kinds(&answers.inference), ["confidence"]);
    assert_eq!(
        figures(&answers.singling_out),
        [("rows alone on job, sex, age", 1.0), ("highest prosecutor risk", 1.0)]
    );
    assert_eq!(
        figures(&answers.linkability),
        [("rows hit by one who links each to somebody in the release", 3.0)]
    );
}

#[test]
fn what_nothing_speaks_to_is_open() {
    let answers = answers(&certificate(), None, None);
    assert_eq!(
        answers.singling_out.open,
        [
            "by quasi columns that no such template is on: age",
            "by one who knows more than 1 of job, sex",
            "by columns that are taken to be known to nobody: disease, income, note",
        ]
    );
    assert_eq!(
        answers.linkability.open,
        [
            "other releases about the same people are not looked at here",
            "no population was compared with; the prosecutor risk is an upper bound",
            "no attack with what others may know was made",
        ]
    );
    assert_eq!(
        answers.inference.open,
        [
            "only some values of disease are in a template",
            "no template limits what is inferred of income",
            "columns that are published but not called sensitive: note",
            "no attack with what others may know was made",
        ]
    );
}

#[test]
fn a_release_without_templates_leaves_all_open() {
    let mut bare = certificate();
    bare.require.clear();
    bare.columns.clear();
    bare.risks = None;
    let answers = answers(&bare, None, None);
    assert_eq!(
        answers.singling_out.open,
        ["no template asks how many rows or people look alike"]
    );
    assert_eq!(answers.inference.open[0], "no published column is said to be sensitive");
    assert!(figures(&answers.singling_out).is_empty() && figures(&answers.linkability).is_empty());
}

/// Ann is alone, Bob and Cid look alike; whoever knows the job knows her disease.
fn attack(is_population: bool) -> AttackReport {
    use scumble_attack::{Attack, Known, Recoding, Secret, SharedColumn, attack};
    use scumble_table::{ColumnId, Domain, Forms};
    let people = table(&[
        ("job", &["Lawyer", "Clerk", "Clerk"]),
        ("disease", &["HIV", "Flu", "HIV"]),
    ]);
    let [job, disease] = [ColumnId(0), ColumnId(1)];
    let asked = Attack {
        released: &people,
        quasi: vec![job],
        known: Some(Known {
            table: &people,
            shared: vec![SharedColumn {
                known: job,
                released: job,
                forms: Forms::exact(Domain::Words),
            }],
            secrets: vec![Secret {
                released: disease,
                known: None,
                forms: Forms::exact(Domain::Words),
            }],
            recoding: Recoding::Global,
            is_population,
            k: 2,
            threshold: 0.5,
        }),
    };
    attack(&asked, Work::unwatched()).unwrap()
}

#[test]
fn attacks_and_estimates_speak_too() {
    let report = attack(true);
    let sizes = [1, 1, 2].into_iter().collect();
    let estimate: PopulationUniques = uniques(&sizes, 10).unwrap();
    let answers = answers(&certificate(), Some(&report), Some(&estimate));
    let singling_out = figures(&answers.singling_out);
    assert_eq!(singling_out[2].0, "estimated people alone in the population");
    assert_eq!(singling_out[3], ("known people narrowed to a single row by job", 1.0));
    assert_eq!(
        figures(&answers.linkability),
        [
            ("known people narrowed to fewer than 2 rows", 1.0),
            ("rows hit by one who links each to somebody in the release", 3.0),
            ("highest journalist risk in the population", 1.0),
        ]
    );
    assert_eq!(
        figures(&answers.inference),
        [
            ("highest confidence of a guess of disease", 1.0),
            ("confidence of a guess of disease knowing nothing", 2.0 / 3.0),
            ("people whose disease is certain", 1.0),
        ]
    );
    let told = |answer: &Answer, open: &str| answer.open.iter().any(|told| told.contains(open));
    assert!(!told(&answers.linkability, "population") && !told(&answers.linkability, "attack"));
    assert!(!told(&answers.inference, "attack"));
    let known: Option<KnownReport> = attack(false).known;
    assert!(known.unwrap().population.is_none());
}

/// The page that shows the answers must not judge for those who read it.
#[test]
fn no_answer_judges() {
    let json = serde_json::to_string(&answers(&certificate(), Some(&attack(true)), None)).unwrap();
    for word in ["safe", "anonymous", "passes", "compliant", "acceptable"] {
        assert!(!json.to_lowercase().contains(word), "{word}");
    }
    assert!(json.contains(r#""kind":"anonymity","of":["job","sex"],"bound":2,"level":4,"holds":true,"says":"#));
}
