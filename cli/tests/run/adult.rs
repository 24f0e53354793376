//! The Adult census of the papers, where it is at hand beside the project.

use std::fs;
use std::path::PathBuf;

use crate::desk::Desk;

const TOP7: [&str; 7] = [
    "capital-gain",
    "age",
    "marital-status",
    "education-num",
    "relationship",
    "hours-per-week",
    "sex",
];

/// The columns, in file order.
pub const NAMES: &str = "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,\
                     capital-gain,capital-loss,hours-per-week,native-country,class";

/// The 45,222 complete rows, training and test part together, with a taxonomy for each column of words; `None` if the data is not here.
pub fn adult() -> Option<Desk> {
    let shared = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let parts = ["adult.data", "adult.test"].map(|name| fs::read_to_string(shared.join("adult").join(name)));
    let [Ok(training), Ok(test)] = parts else { return None };
    let both = training + &test.replace("K.", "K");
    let desk = Desk::with(&[("adult.data", &both)]);
    for file in fs::read_dir(shared.join("taxonomies/adult-own")).ok()? {
        let file = file.ok()?.path();
        let name = file.file_name()?.to_str()?;
        desk.put(name, &fs::read(&file).ok()?);
    }
    Some(desk)
}

/// Section 4.4.1: Top7, generalize and discretize, for the range of k of figure 4.6.
#[test]
fn top7_passes_the_audit_for_every_k() {
    let Some(desk) = adult() else {
        eprintln!("the Adult data is not here; nothing to do");
        return;
    };
    for k in [20, 60, 200, 600, 1000] {
        let column = |name: &&str| match desk.has(&format!("{name}.csv")) {
            true => format!("{name} = {{ role = 'quasi', taxonomy = '{name}.csv' }}\n"),
            false => format!("{name} = {{ role = 'quasi', type = 'continuous' }}\n"),
        };
        let columns: String = TOP7.iter().map(column).collect();
        // The complete rows are those that lack nothing in these, either.
        let others =
            ["workclass", "occupation", "native-country"].map(|name| format!("{name} = {{ role = 'other' }}\n"));
        let columns = columns + &others.concat();
        let policy = format!(
            "[data]\nfile = 'adult.data'\nnames = {:?}\ncomment = '|'\nmissing = 'drop'\nmissing_marks = ['?']\n\
             [columns]\n{columns}class = {{ role = 'class' }}\n[[require]]\nanonymity = {k}\n",
            NAMES.split(',').collect::<Vec<_>>()
        );
        desk.put("policy.toml", policy.as_bytes());
        desk.must(&["publish", "policy.toml", "--force"]);
        let certificate = desk.json("out/certificate.json");
        assert_eq!(certificate["rows"]["published"], 45_222);
        assert!(certificate["require"][0]["level"].as_u64().unwrap() >= k);
        desk.must(&["audit", "out/released.csv", "policy.toml"]);
        let steps = desk.json("out/private/trace.json")["steps"].as_array().unwrap().len();
        assert!(steps > 0, "k = {k}: a release that says nothing is no success");
    }
}
