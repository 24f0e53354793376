//! What several tables lost, each measured by itself.

use serde_json::Value;

use crate::desk::Desk;

const POLICY: &str = "
[person]
file = 'persons.csv'
key = 'id'
[[tables]]
name = 'visits'
file = 'visits.csv'
foreign_key = 'pid'
[columns]
persons.age = { role = 'quasi', type = 'continuous', range = [0, 100] }
persons.job = { role = 'other' }
visits.ward = { role = 'quasi' }
visits.cost = { role = 'sensitive' }
[[require]]
anonymity = 2
";

const PERSONS: &str = "id,age,job\n1,20,a\n2,30,a\n3,60,b\n4,70,b\n";

fn desk(visits: &str) -> Desk {
    Desk::with(&[
        ("policy.toml", POLICY),
        ("persons.csv", PERSONS),
        ("visits.csv", visits),
    ])
}

/// What is measured when the tables are published, which is what is measured of the folder afterwards.
fn evaluated(desk: &Desk) -> Value {
    let published = json(desk, &["publish", "policy.toml", "--evaluate", "--json"]);
    assert_eq!(published["evaluation"], desk.json("out/private/evaluation.json"));
    let afterwards = json(desk, &["evaluate", "out", "policy.toml", "--json"]);
    for key in ["tables", "singled_out", "not_measured"] {
        assert_eq!(published["evaluation"][key], afterwards[key], "{key}");
    }
    assert!(afterwards["require"][0]["holds"] == true && afterwards["faults_found"] == 0);
    afterwards
}

fn json(desk: &Desk, arguments: &[&str]) -> Value {
    serde_json::from_str(&desk.must(arguments).out).unwrap()
}

/// Persons of 20 and 30 and of 60 and 70 are shown alike: each age may be 10 of 100 years. Of the wards, one of two is shown
/// for the first two persons, and both for the others.
#[test]
fn each_table_is_measured_by_itself() {
    let desk = desk("pid,ward,cost\n1,A,10\n2,A,20\n3,A,10\n4,B,20\n");
    let evaluated = evaluated(&desk);
    let [persons, visits] = &evaluated["tables"].as_array().unwrap()[..] else {
        panic!("{evaluated}")
    };
    assert_eq!(
        (&persons["table"], &visits["table"]),
        (&"persons".into(), &"visits".into())
    );
    for (table, penalty) in [(persons, 0.1), (visits, 0.5)] {
        let loss = &table["information_loss"];
        let is = |key: &str, expected: f64| {
            let found = loss[key].as_f64().unwrap();
            assert!((found - expected).abs() < 1e-12, "{key}: {found} and not {expected}");
        };
        assert_eq!(loss["certainty_penalty"]["mean"].as_f64(), Some(penalty));
        is("rows_before", 4.0);
        is("rows_released", 4.0);
        is("groups", 2.0);
        // Two groups of two, as large as they must be.
        is("discernibility", 8.0);
        is("average_group_size", 1.0);
        is("loss_metric", penalty);
        is("utility_measure", penalty);
    }
    // The values of a group lie 0 and 10 apart, of 10 that there are.
    assert_eq!(visits["information_loss"]["max_range_protection"], 0.0);
    let [age, job] = &persons["columns"].as_array().unwrap()[..] else {
        panic!("{persons}")
    };
    assert_eq!((&age["column"], &age["cells_changed"]), (&"age".into(), &1.0.into()));
    assert_eq!((&job["column"], &job["cells_changed"]), (&"job".into(), &0.0.into()));
    let [ward, cost] = &visits["columns"].as_array().unwrap()[..] else {
        panic!("{visits}")
    };
    assert_eq!(
        (&ward["cells_changed"], &cost["cells_changed"]),
        (&0.5.into(), &0.0.into())
    );
    let text = desk.must(&["evaluate", "out", "policy.toml"]).out;
    assert!(
        text.contains("visits:\n  rows released") && text.contains("not measured: risks of rows"),
        "{text}"
    );
    let page = desk.read("out/private/report.md");
    assert!(
        page.contains("## What was lost: visits") && page.contains("4 of 4 rows are published"),
        "{page}"
    );
}

/// A row that only one of two persons has a partner for is removed, and loses all.
#[test]
fn a_removed_row_counts_in_its_own_table() {
    let desk = desk("pid,ward,cost\n1,A,10\n1,B,20\n2,A,20\n3,A,10\n4,A,20\n");
    let evaluated = evaluated(&desk);
    let loss = |table: usize| &evaluated["tables"][table]["information_loss"];
    assert_eq!(
        (&loss(0)["rows_left_out"], &loss(1)["rows_left_out"]),
        (&0.into(), &1.into())
    );
    assert_eq!(loss(1)["certainty_penalty"]["mean"], 0.2);
    assert_eq!(loss(1)["loss_metric"], 0.2);
    let left_out = &desk.json("out/certificate.json")["tables"][1]["rows"]["left_out"];
    assert_eq!(&loss(1)["rows_left_out"], left_out);
}

/// Quasi columns that need no mask, and a table that has none.
#[test]
fn a_table_that_is_published_as_it_is_loses_nothing() {
    let desk = desk("pid,ward,cost\n1,A,10\n2,A,20\n3,B,10\n4,B,20\n");
    desk.put("persons.csv", b"id,age,job\n1,20,a\n2,20,a\n3,60,b\n4,60,b\n");
    desk.put("notes.csv", b"pid,note\n1,x\n2,x\n3,y\n4,y\n");
    let policy = POLICY.replace(
        "[columns]",
        "[[tables]]\nname = 'notes'\nfile = 'notes.csv'\nforeign_key = 'pid'\n[columns]\nnotes.note = { role = 'other' }",
    );
    desk.put("policy.toml", policy.as_bytes());
    let evaluated = evaluated(&desk);
    for table in evaluated["tables"].as_array().unwrap() {
        let (name, loss) = (&table["table"], &table["information_loss"]);
        for key in ["rows_left_out", "loss_metric", "utility_measure", "worst_group_utility"] {
            assert_eq!(loss[key].as_f64(), Some(0.0), "{name}: {key}");
        }
        assert_eq!(loss["certainty_penalty"]["sum"], 0.0, "{name}");
        for column in table["columns"].as_array().unwrap() {
            for key in ["cells_changed", "certainty_penalty", "distribution_distance"] {
                assert_eq!(column[key].as_f64(), Some(0.0), "{name}: {column}");
            }
        }
        match name.as_str().unwrap() {
            "notes" => {
                assert!(table.get("queries").is_none());
                let told = table["not_measured"].to_string();
                assert!(told.contains("the table has no quasi column to ask about"), "{told}");
            }
            _ => assert_eq!(table["queries"]["average"], 0.0, "{name}"),
        }
    }
    let text = desk.must(&["evaluate", "out", "policy.toml"]).out;
    assert!(!text.contains("-0.0"), "{text}");
}

/// There may be no row in a table, or none that is published.
#[test]
fn tables_without_rows_are_measured_too() {
    for visits in ["pid,ward,cost\n", "pid,ward,cost\n1,A,10\n"] {
        let desk = desk(visits);
        let evaluated = evaluated(&desk);
        let loss = &evaluated["tables"][1]["information_loss"];
        assert_eq!(loss["rows_released"], 0, "{visits}");
        assert_eq!(
            loss["certainty_penalty"]["sum"],
            loss["rows_before"].as_f64().unwrap(),
            "{visits}"
        );
        desk.must(&["evaluate", "out", "policy.toml", "--report", "page"]);
    }
}

/// The table of persons, and the same file as the release of one table, by a policy with the same roles.
#[test]
fn a_table_of_several_is_measured_as_if_it_were_the_only_one() {
    let mut persons = "id,age,city,sex,insured\n".to_owned();
    let mut visits = "pid,ward\n".to_owned();
    for id in 0..90 {
        let city = ["Ulm", "Bonn", "Kiel", "Jena", "Trier"][id * id % 5];
        let (sex, insured) = (["f", "m"][id / 7 % 2], ["yes", "no"][usize::from(id * 37 % 80 > 30)]);
        persons += &format!("{id},{},{city},{sex},{insured}\n", id * 37 % 80);
        visits += &format!("{id},{}\n", ["A", "B"][id % 2]);
    }
    let columns = "age = { role = 'quasi', type = 'continuous' }
city = { role = 'quasi' }
sex = { role = 'sensitive' }
insured = { role = 'class' }";
    let of_persons: Vec<String> = columns.lines().map(|line| format!("persons.{line}")).collect();
    let several = format!(
        "[person]\nfile = 'persons.csv'\nkey = 'id'\n[[tables]]\nname = 'visits'\nfile = 'visits.csv'\nforeign_key = 'pid'\n\
         [columns]\nvisits.ward = {{ role = 'quasi' }}\n{}\n[[require]]\nanonymity = 4\n",
        of_persons.join("\n")
    );
    let one = format!(
        "[data]\nfile = 'persons.csv'\n[columns]\nid = {{ role = 'identifier' }}\n{columns}\n[[require]]\nanonymity = 4\n"
    );
    let desk = Desk::with(&[
        ("policy.toml", &several),
        ("one.toml", &one),
        ("persons.csv", &persons),
        ("visits.csv", &visits),
    ]);
    let several = evaluated(&desk);
    // Away from its certificate, which is of several tables.
    desk.put("released.csv", desk.read("out/persons.csv").as_bytes());
    let one = json(&desk, &["evaluate", "released.csv", "one.toml", "--json"]);
    let table = &several["tables"][0];
    for key in [
        "information_loss",
        "group_sizes",
        "columns",
        "association",
        "queries",
        "classification",
    ] {
        assert!(one[key] != Value::Null, "{key}");
        assert_eq!(table[key], one[key], "{key}");
    }
    assert!(table["information_loss"]["loss_metric"].as_f64() > Some(0.0));
    let errors = table["classification"].as_array().unwrap();
    assert_eq!(errors.len(), 1);
}

/// A policy may read several tables elsewhere than it says.
#[test]
fn several_tables_are_measured_with_the_data_that_is_named() {
    let desk = desk("pid,ward,cost\n1,A,10\n2,A,20\n3,A,10\n4,B,20\n");
    let before = evaluated(&desk);
    std::fs::create_dir(desk.path().join("moved")).unwrap();
    for file in ["persons.csv", "visits.csv"] {
        std::fs::rename(desk.path().join(file), desk.path().join("moved").join(file)).unwrap();
    }
    assert_eq!(desk.run(&["evaluate", "out", "policy.toml"]).code, Some(2));
    let after = json(&desk, &["evaluate", "out", "policy.toml", "--data", "moved", "--json"]);
    assert_eq!(after, before);
}
