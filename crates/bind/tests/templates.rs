//! From sections to templates: what each kind becomes on the columns of the data, in words and as checked by the data.

use std::path::Path;

use scumble_bind::{Plan, PlanWarning, bind};
use scumble_policy::{Policy, Problems, Taxonomies, TaxonomyText};
use scumble_privacy::{Demand, Distance, Diversity, SecretValues, Secrets, Template};
use scumble_table::{Column, ColumnId, Range, SensitiveDomain, Table, ValueOrder};

const DISEASES: &str = "HIV;Viral;ANY\nFlu;Viral;ANY\nAsthma;ANY\n";

/// A policy whose first section begins on line 11.
fn policy(require: &str) -> String {
    format!(
        r#"[data]
file = "patients.csv"
[columns]
job = {{ role = "quasi" }}
age = {{ role = "quasi" }}
sex = {{ role = "quasi" }}
disease = {{ role = "sensitive", taxonomy = "disease.csv", sensitive_ranges = 1 }}
town = {{ role = "sensitive", sensitive_ranges = {{ Bern = "*" }} }}
insured = {{ role = "class" }}
guard = {{ role = "identifier" }}
[[require]]
{require}
"#
    )
}

/// In the order of the columns of the policy.
const HEADER: [&str; 7] = ["job", "age", "sex", "disease", "town", "insured", "guard"];
const DISEASE: ColumnId = ColumnId(3);
const TOWN: ColumnId = ColumnId(4);
const INSURED: ColumnId = ColumnId(5);

fn plan<T>(text: &str, then: impl FnOnce(&Policy, &Taxonomies, Result<Plan, Problems>) -> T) -> T {
    let policy = Policy::parse(text, "policy.toml", Path::new("")).unwrap_or_else(|error| panic!("{error}"));
    let diseases = || TaxonomyText::Text(DISEASES.to_owned());
    let taxonomies = policy.taxonomies::<Problems>(&mut |_| Ok(diseases())).unwrap();
    let plan = bind(&policy, &HEADER.map(str::to_owned), &[], &taxonomies);
    then(&policy, &taxonomies, plan)
}

fn with_plan<T>(require: &str, then: impl FnOnce(&Policy, &Taxonomies, &Plan) -> T) -> T {
    plan(&policy(require), |policy, taxonomies, plan| {
        then(policy, taxonomies, &plan.unwrap_or_else(|error| panic!("{error}")))
    })
}

fn demands(require: &str) -> Vec<Demand> {
    with_plan(require, |_, _, plan| {
        let templates = plan.requirement.templates.iter();
        templates.map(|template| template.demand.clone()).collect()
    })
}

fn described(require: &str) -> Vec<String> {
    with_plan(require, |_, _, plan| {
        let templates = plan.requirement.templates.iter();
        templates.map(|template| plan.describe(template)).collect()
    })
}

fn sets(sets: &[&[&str]]) -> SecretValues {
    let texts = |set: &&[&str]| set.iter().map(ToString::to_string).collect();
    SecretValues::Sets(sets.iter().map(texts).collect())
}

/// An inner node is all values under it; one bound makes one template.
#[test]
fn values_with_one_bound_are_one_template() {
    let about = vec![
        Secrets {
            column: DISEASE,
            values: sets(&[&["HIV", "Flu"], &["Asthma"]]),
        },
        Secrets {
            column: TOWN,
            values: SecretValues::Every,
        },
    ];
    let at_most = 0.75;
    assert_eq!(
        demands("confidence = 0.75\nabout = { disease = ['Viral', 'Asthma'], town = '*' }"),
        [Demand::Confidence { at_most, about }]
    );
}

#[test]
fn each_bound_is_a_template_in_the_order_of_its_first_value() {
    let about = |column, values| vec![Secrets { column, values }];
    let found =
        demands("confidence = 0.5\nabout = { disease = { HIV = 0.2, Flu = 0.9, Asthma = 0.2 }, insured = ['y'] }");
    let expected = [
        (0.2, about(DISEASE, sets(&[&["HIV"], &["Asthma"]]))),
        (0.9, about(DISEASE, sets(&[&["Flu"]]))),
        (0.5, about(INSURED, sets(&[&["y"]]))),
    ];
    let expected = expected.map(|(at_most, about)| Demand::Confidence { at_most, about });
    assert_eq!(found, expected);
}

#[test]
fn a_pair_of_demands_is_two_templates_that_say_so() {
    let pair = |require: &str| {
        with_plan(require, |_, _, plan| {
            let kinds = plan.requirement.templates.iter().map(Template::kind);
            let kinds: Vec<&str> = kinds.collect();
            (kinds, plan.part_of.clone())
        })
    };
    let twice = |words: &str| vec![Some(words.to_owned()); 2];
    assert_eq!(
        pair("alpha = 0.4\nk = 4\nabout = { disease = ['HIV'] }"),
        (vec!["anonymity", "confidence"], twice("alpha 0.4, k 4"))
    );
    assert_eq!(
        pair("p-sensitive = 2\nk = 4\nabout = 'disease'"),
        (vec!["anonymity", "diversity"], twice("p-sensitive 2, k 4"))
    );
    assert_eq!(pair("anonymity = 4"), (vec!["anonymity"], vec![None]));
}

#[test]
fn the_tree_of_a_distance_is_that_of_the_column() {
    let [
        Demand::Closeness {
            distance: Distance::Taxonomy(taxonomy),
            ..
        },
    ] = &demands("closeness = 0.2\nabout = 'disease'")[..]
    else {
        panic!("one closeness by taxonomy")
    };
    assert_eq!(taxonomy.leaves().collect::<Vec<_>>(), ["HIV", "Flu", "Asthma"]);
    let measure = Diversity::Entropy { l: 2.5 };
    let about = TOWN;
    assert_eq!(
        demands("diversity = 2.5\nkind = 'entropy'\nabout = 'town'"),
        [Demand::Diversity { about, measure }]
    );
}

/// Two sections on one file share a population, which has the columns of both.
#[test]
fn a_population_is_read_once() {
    let two = "k-map = 5\npopulation = 'people.csv'\nof = ['sex']\n\
               [[require]]\nk-map = 9\npopulation = 'people.csv'\nof = ['job', 'sex']\n\
               [[require]]\nk-map = 2\npopulation = 'others.csv'\n";
    with_plan(two, |_, _, plan| {
        let columns: Vec<&[ColumnId]> = plan.populations.iter().map(|people| &people.columns[..]).collect();
        let ids = |ids: &[usize]| ids.iter().copied().map(ColumnId).collect::<Vec<_>>();
        assert_eq!(columns, [ids(&[0, 2]), ids(&[0, 1, 2])]);
        let places: Vec<Option<usize>> = plan.requirement.templates.iter().map(Template::population).collect();
        assert_eq!(places, [Some(0), Some(0), Some(1)]);
    });
}

#[test]
fn every_kind_has_words() {
    for (require, words) in [
        ("anonymity = 4\nof = ['job', 'sex']", "anonymity 4 of job, sex"),
        (
            "anonymity = 4\nof = ['job']\nper = ['guard']",
            "anonymity 4 of job per guard",
        ),
        (
            "anonymity = 4\nof = { any = 2 }",
            "anonymity 4 of any 2 of job, age, sex",
        ),
        (
            "k-map = 5\npopulation = 'trees/people.csv'\nof = ['job']",
            "k-map 5 (people.csv) of job",
        ),
        (
            "confidence = 0.75\nabout = { disease = ['Viral', 'Asthma'], town = '*' }\nof = ['job']",
            "confidence 0.75 about disease (Viral, Asthma), town of job",
        ),
        (
            "diversity = 3\nabout = 'town'\nof = ['job']",
            "diversity 3 (distinct) about town of job",
        ),
        (
            "diversity = 3\nkind = 'recursive'\nc = 0.5\nabout = 'town'\nof = ['job']",
            "diversity 3 (recursive, c 0.5) about town of job",
        ),
        (
            "closeness = 0.2\nabout = 'town'\nof = ['job']",
            "closeness 0.2 (equal) about town of job",
        ),
        (
            "delta-disclosure = 1\nabout = 'town'\nof = ['job']",
            "delta-disclosure 1 about town of job",
        ),
        (
            "beta-likeness = 2\nabout = 'town'\nof = ['job']",
            "beta-likeness 2 (basic) about town of job",
        ),
        (
            "personal = 0.5\nabout = 'disease'\nguarding = 'guard'\nof = ['job']",
            "personal 0.5 about disease guarding guard of job",
        ),
        (
            "range-diversity = 0.5\nabout = 'disease'\nof = ['job']",
            "range-diversity 0.5 (level 1) about disease of job",
        ),
        (
            "range-diversity = 0.5\nabout = 'town'\nof = ['job']",
            "range-diversity 0.5 (1 value) about town of job",
        ),
    ] {
        assert_eq!(described(require), [words]);
    }
}

/// A confidence of 0.5 on fewer columns follows from one of 0.4 on more (Theorem 5.1.1).
#[test]
fn an_implied_confidence_is_told_and_kept() {
    let both = "confidence = 0.5\nof = ['job']\nabout = { disease = ['HIV'] }\n\
                [[require]]\nconfidence = 0.4\nabout = { disease = ['HIV', 'Flu'] }";
    with_plan(both, |_, _, plan| {
        assert_eq!(plan.requirement.templates.len(), 2);
        let warnings: Vec<String> = plan.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            ["confidence 0.5 about disease (HIV) of job adds nothing to \
              confidence 0.4 about disease (HIV, Flu) of job, age, sex, which is at least as strict"]
        );
    });
}

#[test]
fn a_guarding_column_is_read_though_it_is_an_identifier() {
    with_plan("personal = 0.5\nabout = 'disease'\nguarding = 'guard'", |_, _, plan| {
        let guard = plan.columns.find("guard").expect("it is read");
        assert!(!plan.columns[guard.0].is_published());
        assert_eq!(plan.warnings, []);
    });
    let published = policy("personal = 0.5\nabout = 'disease'\nguarding = 'guard'").replace("identifier", "other");
    plan(&published, |_, _, plan| {
        assert_eq!(plan.unwrap().warnings, [PlanWarning::GuardingShown("guard".to_owned())]);
    });
}

/// The values of a column reach as far as the policy says.
#[test]
fn sensitive_ranges_are_bound_to_what_values_may_be() {
    let domain = |column: &str| {
        let text = policy("range-diversity = 0.5\nabout = 'town'");
        let text = text.replace(
            "town = { role = \"sensitive\", sensitive_ranges = { Bern = \"*\" } }",
            column,
        );
        plan(&text, |_, _, plan| {
            match &plan.unwrap().requirement.templates[0].demand {
                Demand::RangeDiversity { about, ranges, .. } => {
                    assert_eq!(*about, TOWN);
                    ranges.domain().clone()
                }
                other => panic!("{other:?}"),
            }
        })
    };
    let numbers = "town = { role = 'sensitive', type = 'continuous', sensitive_ranges = 10";
    assert_eq!(domain(&format!("{numbers} }}")), SensitiveDomain::Numbers(None));
    assert_eq!(
        domain(&format!("{numbers}, range = [0, 99] }}")),
        SensitiveDomain::Numbers(Range::new(0.0, 99.0).ok())
    );
    let plain = "town = { role = 'sensitive', sensitive_ranges = 1 }";
    assert_eq!(domain(plain), SensitiveDomain::Values);
    let leaves = "town = { role = 'sensitive', taxonomy = 'disease.csv', sensitive_ranges = 1 }";
    assert!(matches!(domain(leaves), SensitiveDomain::Leaves(_)));
}

#[test]
fn sensitive_ranges_that_the_taxonomy_lacks_are_told() {
    let told = |ranges: &str| {
        let text = policy("anonymity = 2").replace("sensitive_ranges = 1", &format!("sensitive_ranges = {ranges}"));
        plan(&text, |_, _, plan| plan.unwrap_err().to_string())
    };
    assert_eq!(
        told("{ HIV = 'Virla' }"),
        "policy.toml:7: `sensitive_ranges`: `Virla` is no range of the column: name a node of its taxonomy or an interval"
    );
    assert_eq!(
        told("{ Asthma = 'Viral' }"),
        "policy.toml:7: `sensitive_ranges`: the range `Viral` does not hold its value `Asthma`"
    );
    assert_eq!(
        told("['[0, 4]']"),
        "policy.toml:7: `sensitive_ranges`: ranges by width or interval need a continuous column; give a level, or a \
         range for each value"
    );
}

#[test]
fn a_value_that_the_taxonomy_lacks_gets_the_nearest_label() {
    let text = policy("alpha = 0.5\nk = 2\nabout = { disease = ['HIV', 'Astma', 'Cold'] }");
    let message = plan(&text, |_, _, plan| plan.unwrap_err().to_string());
    assert_eq!(
        message.lines().collect::<Vec<_>>(),
        [
            "policy.toml:14: column `disease` has no value `Astma`; did you mean `Asthma`?",
            "policy.toml:14: column `disease` has no value `Cold`; valid: ANY, Viral, HIV, Flu, Asthma",
        ]
    );
}

/// Four people; what is wrong with them for the requirement, without any value of theirs.
fn check_data(require: &str) -> Vec<String> {
    check_data_of(1, require)
}

/// The same with so many copies of the four.
fn check_data_of(copies: usize, require: &str) -> Vec<String> {
    check_data_of_policy(copies, &policy(require))
}

fn check_data_of_policy(copies: usize, text: &str) -> Vec<String> {
    let cells = |name: &str| match name {
        "disease" => [Some("HIV"), Some("Flu"), Some("Flu"), None],
        "town" => [Some("Bern"), Some("Basel"), Some("Bern"), Some("Bern")],
        "insured" => [Some("1"), Some("2"), Some("10"), None],
        "guard" => [Some("Viral"), None, Some("Smallpox"), Some("Cowpox")],
        _ => [Some("x"); 4],
    };
    plan(text, |policy, taxonomies, plan| {
        let plan = &plan.unwrap_or_else(|error| panic!("{error}"));
        let cells = |name: &str| std::iter::repeat_n(cells(name), copies).flatten().collect::<Vec<_>>();
        let column = |name: &str| Column::from_cells(name, ValueOrder::Natural, cells(name));
        let table = Table::new(
            4 * copies,
            plan.columns.iter().map(|planned| column(&planned.name)).collect(),
        );
        match scumble_bind::check_data(policy, plan, taxonomies, &table) {
            Ok(()) => Vec::new(),
            Err(error) => error.to_string().lines().map(str::to_owned).collect(),
        }
    })
}

#[test]
fn a_value_that_the_data_lacks_is_told_without_showing_a_rare_one() {
    assert_eq!(check_data("confidence = 0.5\nabout = { town = ['Bern'] }"), [""; 0]);
    assert_eq!(
        check_data("confidence = 0.5\nabout = { town = ['Bermn'] }"),
        ["policy.toml:13: column `town` has no value `Bermn`; check the spelling; it has 2 different values"]
    );
    // A value that the policy names itself is no secret to whoever wrote it.
    assert_eq!(
        check_data("confidence = 0.5\nabout = { town = ['Bern', 'Bermn'] }"),
        ["policy.toml:13: column `town` has no value `Bermn`; did you mean `Bern`?"]
    );
    // Nor is one that at least 20 rows hold; `Basel` is in 19.
    assert_eq!(
        check_data_of(19, "confidence = 0.5\nabout = { town = ['Bermn'] }"),
        ["policy.toml:13: column `town` has no value `Bermn`; did you mean `Bern`?"]
    );
    assert_eq!(
        check_data_of(19, "confidence = 0.5\nabout = { town = ['Basle'] }"),
        ["policy.toml:13: column `town` has no value `Basle`; check the spelling; it has 2 different values"]
    );
}

#[test]
fn a_sensitive_range_of_a_value_that_the_data_lacks_is_told() {
    let text = policy("range-diversity = 1\nabout = 'town'");
    assert_eq!(check_data_of_policy(1, &text), [""; 0]);
    assert_eq!(
        check_data_of_policy(1, &text.replace("Bern = ", "Bermn = ")),
        ["policy.toml:8: `sensitive_ranges`: `Bermn` is no single value of the column"]
    );
}

#[test]
fn an_ordered_distance_needs_an_order() {
    let ordered = |about: &str| check_data(&format!("closeness = 0.2\ndistance = 'ordered'\nabout = '{about}'"));
    let needs = "policy.toml:12: an ordered distance needs values in order, and those of column";
    let fix = "choose `distance = \"equal\"`";
    assert_eq!(
        ordered("town"),
        [format!(
            "{needs} `town` are neither numbers nor leaves of a taxonomy; {fix}"
        )]
    );
    for numbers_or_leaves in ["insured", "disease"] {
        assert_eq!(
            ordered(numbers_or_leaves),
            [format!("{needs} `{numbers_or_leaves}` include missing ones; {fix}")]
        );
    }
    assert_eq!(
        check_data("closeness = 0.2\ndistance = 'equal'\nabout = 'town'"),
        [""; 0]
    );
}

#[test]
fn a_guarding_node_is_a_label_of_the_taxonomy() {
    let told = check_data("personal = 0.5\nabout = 'disease'\nguarding = 'guard'");
    let [line] = &told[..] else { panic!("{told:?}") };
    assert!(
        line.ends_with(
            "patients.csv: column `guard` holds something else than labels of the taxonomy of `disease` \
             (row 3 and 1 more); correct it, or leave the cell empty for a person who guards nothing"
        ),
        "{line}"
    );
    assert!(!line.contains("pox"), "{line}");
}
