//! The `[[require]]` sections: every kind as it is written, and the message that each mistake gets.

mod keys;

use std::collections::HashSet;
use std::mem::discriminant;
use std::path::Path;

use scumble_policy::{About, AboutValues, Counting, DistanceKind, Kind, Of, OfEarlier, Policy, Require, Spanned};
use scumble_privacy::Diversity;

/// A policy with one section, which begins on line 11.
fn policy(require: &str) -> String {
    format!(
        r#"[data]
file = "patients.csv"
[columns]
age = {{ role = "quasi", type = "continuous" }}
job = {{ role = "quasi" }}
sex = {{ role = "quasi" }}
disease = {{ role = "sensitive", taxonomy = "disease.csv" }}
income = {{ role = "sensitive", type = "continuous", sensitive_ranges = 10 }}
insured = {{ role = "class" }}
guard = {{ role = "identifier" }}
[[require]]
{require}
"#
    )
}

#[track_caller]
fn require(section: &str) -> Require {
    let policy = Policy::parse(&policy(section), "policy.toml", Path::new("clinic"));
    let mut require = policy.unwrap_or_else(|error| panic!("{error}")).require;
    assert_eq!(require.len(), 1);
    require.remove(0).into_inner()
}

#[track_caller]
fn kind(section: &str) -> Kind {
    require(section).kind
}

#[track_caller]
fn assert_problems(section: &str, expected: &[&str]) {
    let error = Policy::parse(&policy(section), "policy.toml", Path::new("")).expect_err("is wrong");
    keys::assert_resolve(error.list(), "policy.toml", &policy(section));
    let expected: Vec<String> = expected.iter().map(|line| format!("policy.toml:{line}")).collect();
    assert_eq!(
        error.to_string().lines().collect::<Vec<_>>(),
        expected,
        "in:\n{section}"
    );
}

/// The column, and its listed values with their bounds; no value stands for every one.
fn listed(about: &About) -> (&str, Vec<(&str, f64)>) {
    let values = match &about.values {
        AboutValues::Every => Vec::new(),
        AboutValues::Listed(listed) => listed
            .iter()
            .map(|(word, bound)| (word.get_ref().as_str(), *bound))
            .collect(),
    };
    (about.column.get_ref(), values)
}

fn disease() -> String {
    "disease".to_owned()
}

#[test]
fn anonymity_counts_records_or_people() {
    let anonymity = |per: Counting| Kind::Anonymity { k: 4, per };
    let name = |name: &str| Spanned::new(0..0, name.to_owned());
    assert_eq!(kind("anonymity = 4"), anonymity(Counting::Records));
    assert_eq!(kind("anonymity = 4\nper = 'this'"), anonymity(Counting::Records));
    assert_eq!(kind("anonymity = 4\nper = 'join'"), anonymity(Counting::Join));
    assert_eq!(
        kind("anonymity = 4\nper = 'survey'"),
        anonymity(Counting::RecordsOf(name("survey")))
    );
    assert_eq!(
        kind("anonymity = 4\nper = ['guard', 'survey.person']"),
        anonymity(Counting::Columns(vec![name("guard"), name("survey.person")]))
    );
}

#[test]
fn confidence_is_about_every_value_or_listed_ones() {
    let about = |section: &str| match kind(section) {
        Kind::Confidence { at_most, about } => (at_most, about),
        other => panic!("{other:?}"),
    };
    let (at_most, two) = about("confidence = 0.75\nabout = { disease = ['HIV', 'Flu'], income = '*' }");
    assert_eq!(at_most, 0.75);
    let expected = [("disease", vec![("HIV", 0.75), ("Flu", 0.75)]), ("income", vec![])];
    assert_eq!(two.iter().map(listed).collect::<Vec<_>>(), expected);
    let (_, bounds) = about("confidence = 0.5\nabout = { disease = { HIV = 0.2, Flu = 1 } }");
    assert_eq!(listed(&bounds[0]), ("disease", vec![("HIV", 0.2), ("Flu", 1.0)]));
}

#[test]
fn alpha_and_p_sensitive_have_a_k() {
    match kind("alpha = 0.4\nk = 4\nabout = { disease = ['HIV'] }") {
        Kind::AlphaK { alpha, k, about } => {
            assert_eq!((alpha, k), (0.4, 4));
            assert_eq!(listed(&about[0]), ("disease", vec![("HIV", 0.4)]));
        }
        other => panic!("{other:?}"),
    }
    let p_sensitive = Kind::PSensitive {
        p: 2,
        k: 4,
        about: disease(),
    };
    assert_eq!(kind("p-sensitive = 2\nk = 4\nabout = 'disease'"), p_sensitive);
}

#[test]
fn diversity_is_distinct_unless_another_kind_is_named() {
    let measure = |section: &str| match kind(&format!("{section}\nabout = 'disease'")) {
        Kind::Diversity { measure, about } if about == "disease" => measure,
        other => panic!("{other:?}"),
    };
    assert_eq!(measure("diversity = 3"), Diversity::Distinct { l: 3 });
    assert_eq!(
        measure("diversity = 3.0\nkind = 'distinct'"),
        Diversity::Distinct { l: 3 }
    );
    assert_eq!(
        measure("diversity = 2.5\nkind = 'entropy'"),
        Diversity::Entropy { l: 2.5 }
    );
    let recursive = Diversity::Recursive { c: 2.0, l: 3 };
    assert_eq!(measure("diversity = 3\nkind = 'recursive'\nc = 2"), recursive);
}

/// The distance that is not named follows from the column.
#[test]
fn closeness_knows_the_usual_distance_of_a_column() {
    let distance = |section: &str| match kind(&format!("closeness = 0.2\n{section}")) {
        Kind::Closeness { at_most, distance, .. } => {
            assert_eq!(at_most, 0.2);
            distance
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(distance("about = 'disease'"), DistanceKind::Taxonomy);
    assert_eq!(distance("about = 'income'"), DistanceKind::Ordered);
    assert_eq!(distance("about = 'insured'"), DistanceKind::Equal);
    assert_eq!(distance("about = 'disease'\ndistance = 'equal'"), DistanceKind::Equal);
    assert_eq!(
        distance("about = 'disease'\ndistance = 'ordered'"),
        DistanceKind::Ordered
    );
}

#[test]
fn disclosure_and_likeness_compare_with_the_whole() {
    let below = Kind::DeltaDisclosure {
        below: 1.5,
        about: disease(),
    };
    assert_eq!(kind("delta-disclosure = 1.5\nabout = 'disease'"), below);
    let likeness = |enhanced| Kind::BetaLikeness {
        at_most: 2.0,
        enhanced,
        about: disease(),
    };
    assert_eq!(kind("beta-likeness = 2\nabout = 'disease'"), likeness(false));
    assert_eq!(
        kind("beta-likeness = 2\nkind = 'enhanced'\nabout = 'disease'"),
        likeness(true)
    );
}

#[test]
fn range_diversity_names_a_column_with_sensitive_ranges() {
    let ranges = |at_most| Kind::RangeDiversity {
        at_most,
        about: "income".to_owned(),
    };
    assert_eq!(kind("range-diversity = 0.5\nabout = 'income'"), ranges(0.5));
    assert_eq!(kind("range-diversity = 1\nabout = 'income'"), ranges(1.0));
    assert_eq!(
        require("range-diversity = 0\nabout = 'income'\nof = ['job']")
            .of
            .columns,
        ["job"]
    );
}

#[test]
fn a_k_map_names_its_population_and_personal_its_guarding_nodes() {
    match kind("k-map = 5\npopulation = 'people.csv'") {
        Kind::KMap { k: 5, population } => assert_eq!(population.get_ref(), Path::new("clinic/people.csv")),
        other => panic!("{other:?}"),
    }
    let personal = Kind::Personal {
        at_most: 0.5,
        about: disease(),
        guarding: "guard".to_owned(),
    };
    assert_eq!(kind("personal = 0.5\nabout = 'disease'\nguarding = 'guard'"), personal);
}

#[test]
fn an_adversary_knows_all_columns_or_any_few_of_them() {
    let of = |of: &str| require(&format!("anonymity = 4\n{of}")).of;
    let columns = |columns: &[&str]| columns.iter().map(ToString::to_string).collect();
    let expected = |names: &[&str], any| Of {
        columns: columns(names),
        this_alone: Vec::new(),
        earlier: OfEarlier::Listed(Vec::new()),
        any,
    };
    let all = ["age", "job", "sex"];
    assert_eq!(
        of(""),
        Of {
            earlier: OfEarlier::Quasi,
            ..expected(&all, None)
        }
    );
    assert_eq!(of("of = ['sex', 'age']"), expected(&["sex", "age"], None));
    assert_eq!(of("of = { any = 2 }"), expected(&all, Some(2)));
    assert_eq!(
        of("of = { any = 1, columns = ['sex', 'age'] }"),
        expected(&["sex", "age"], Some(1))
    );
    // As many as there are, or more, is all of them.
    assert_eq!(of("of = { any = 3 }"), expected(&all, None));
    assert_eq!(
        of("of = { any = 9, columns = ['sex', 'age'] }"),
        expected(&["sex", "age"], None)
    );
}

#[test]
fn a_bound_outside_its_range_is_told_the_range() {
    let share = "a share: above 0 and at most 1";
    let whole = "a whole number, at least 1";
    let about_disease = "about = 'disease'";
    let about_values = "about = { disease = '*' }";
    let kinds: [(&str, &str, &[&str], &str); 11] = [
        ("anonymity", "", &["0", "-3", "2.5", "'4'"], whole),
        ("k-map", "population = 'p.csv'", &["0", "2.0"], whole),
        ("confidence", about_values, &["0", "1.01", "-0.5", "nan", "'1'"], share),
        ("alpha", "k = 4\nabout = { disease = '*' }", &["0", "1.01"], share),
        ("p-sensitive", "k = 4\nabout = 'disease'", &["0", "1.5"], whole),
        ("diversity", about_disease, &["0", "0.5", "2.5", "inf", "'3'"], whole),
        (
            "closeness",
            about_disease,
            &["-0.1", "1.01", "nan"],
            "a distance: at least 0 and at most 1",
        ),
        (
            "delta-disclosure",
            about_disease,
            &["0", "-1", "inf"],
            "a number above 0",
        ),
        ("beta-likeness", about_disease, &["0", "-1"], "a number above 0"),
        ("personal", "about = 'disease'\nguarding = 'guard'", &["0", "2"], share),
        (
            "range-diversity",
            "about = 'income'",
            &["-0.1", "1.01", "nan", "'1'"],
            "a number: at least 0 and at most 1",
        ),
    ];
    for (kind, rest, wrong, range) in kinds {
        for bound in wrong {
            assert_problems(
                &format!("{kind} = {bound}\n{rest}"),
                &[&format!("12: `{kind}` must be {range}")],
            );
        }
    }
    assert_problems(
        "diversity = 0.9\nkind = 'entropy'\nabout = 'disease'",
        &["12: `diversity` must be a number, at least 1"],
    );
    assert_problems(
        "diversity = 3\nkind = 'recursive'\nc = 0\nabout = 'disease'",
        &["14: `c` must be a number above 0"],
    );
    assert_problems(
        "alpha = 0.5\nk = 0\nabout = { disease = { HIV = 2 } }",
        &[
            "13: `k` must be a whole number, at least 1",
            "14: `HIV` must be a share: above 0 and at most 1",
        ],
    );
    assert_problems(
        "anonymity = 4\nof = { any = 0 }",
        &["13: `any` must be a whole number, at least 1"],
    );
}

#[test]
fn what_a_kind_needs_and_is_not_there_is_told() {
    assert_problems(
        "confidence = 0.5",
        &["11: [[require]] does not say what `confidence` is about; add `about = { column = [\"value\"] }`"],
    );
    for kind in [
        "diversity",
        "delta-disclosure",
        "beta-likeness",
        "closeness",
        "range-diversity",
    ] {
        assert_problems(
            &format!("{kind} = 1"),
            &[&format!(
                "11: [[require]] does not say what `{kind}` is about; add `about = \"column\"`"
            )],
        );
    }
    assert_problems(
        "alpha = 0.5\nabout = { disease = '*' }",
        &["11: `alpha` has no `k`; add how many rows a group must have, such as `k = 4`"],
    );
    assert_problems(
        "diversity = 3\nkind = 'recursive'\nabout = 'disease'",
        &["11: recursive diversity has no `c`; add the factor, such as `c = 2.0`"],
    );
    assert_problems(
        "k-map = 5",
        &["11: `k-map` names no population; \
           add `population = \"population.csv\"`, a table of people with the columns of `of`"],
    );
    assert_problems(
        "personal = 0.5\nabout = 'disease'",
        &["11: `personal` names no guarding nodes; \
           add `guarding = \"column\"`, the column with the node that each person guards"],
    );
    assert_problems(
        "anonymity = 4\nof = { columns = ['age'] }",
        &["13: `of` does not say how many columns are known; add `any = 3`, or write a list of columns"],
    );
}

#[test]
fn only_secrets_can_be_inferred_and_only_quasi_columns_known() {
    let secret = "`about` must name a sensitive or class column";
    let fix = "make it sensitive or class or leave it out of `about`";
    assert_problems(
        "confidence = 0.5\nabout = { job = ['Lawyer'] }",
        &[&format!("13: {secret}, and the role of `job` is quasi; {fix}")],
    );
    assert_problems(
        "diversity = 3\nabout = 'guard'",
        &[&format!("13: {secret}, and the role of `guard` is identifier; {fix}")],
    );
    assert_problems(
        "diversity = 3\nabout = 'diseas'",
        &["13: unknown column `diseas` in `about`; did you mean `disease`?"],
    );
    let quasi = "must name a quasi column, and the role of";
    assert_problems(
        "diversity = 3\nabout = 'disease'\nof = ['age', 'insured']",
        &[&format!(
            "14: `of` {quasi} `insured` is class; make it quasi or leave it out of `of`"
        )],
    );
    assert_problems(
        "anonymity = 3\nof = { any = 1, columns = ['age', 'disease'] }",
        &[&format!(
            "13: `columns` {quasi} `disease` is sensitive; make it quasi or leave it out of `columns`"
        )],
    );
    assert_problems(
        "personal = 0.5\nabout = 'disease'\nguarding = 'income'",
        &[
            "14: `guarding` must name an identifier or other column, and the role of `income` is sensitive; \
           make it identifier or other or leave it out of `guarding`",
        ],
    );
}

#[test]
fn a_table_of_secrets_has_its_shape() {
    for wrong in ["'HIV'", "3", "{}"] {
        assert_problems(
            &format!("confidence = 0.5\nabout = {{ disease = {wrong} }}"),
            &["13: `disease` must be \"*\", a list of values or a table of values with their bounds"],
        );
    }
    assert_problems(
        "confidence = 0.5\nabout = 'disease'",
        &["13: `about` must be a table, such as { column = [\"value\"] }"],
    );
    assert_problems(
        "confidence = 0.5\nabout = {}",
        &["13: `about` must be a table with at least one column"],
    );
    assert_problems(
        "diversity = 3\nabout = { disease = '*' }",
        &["13: `about` must be the name of one column in quotes"],
    );
}

#[test]
fn a_distance_or_guarding_nodes_need_a_taxonomy() {
    let fix = "and this needs one; name its `taxonomy` in [columns]";
    assert_problems(
        "closeness = 0.2\nabout = 'insured'\ndistance = 'taxonomy'",
        &[&format!("14: column `insured` has no taxonomy, {fix}")],
    );
    assert_problems(
        "personal = 0.5\nabout = 'income'\nguarding = 'guard'",
        &[&format!("12: column `income` has no taxonomy, {fix}")],
    );
}

/// Which ranges must not be learnt is said where the column is, and only of sensitive columns.
#[test]
fn range_diversity_needs_sensitive_ranges() {
    let fix = "say in [columns] which range of each value must not be learnt, such as `sensitive_ranges = 10`";
    assert_problems(
        "range-diversity = 0.5\nabout = 'disease'",
        &[&format!(
            "13: column `disease` has no `sensitive_ranges`, and this needs them; {fix}"
        )],
    );
    assert_problems(
        "range-diversity = 0.5\nabout = 'insured'",
        &[
            "13: `about` must name a sensitive column, and the role of `insured` is class; make it sensitive or leave it \
           out of `about`",
        ],
    );
    assert_problems(
        "range_diversity = 0.5\nabout = 'income'",
        &["12: unknown key `range_diversity` in [[require]]; did you mean `range-diversity`?"],
    );
    // Ranges that could not be read are the one problem.
    let wrong = policy("range-diversity = 0.5\nabout = 'income'").replace("= 10", "= 'wide'");
    let error = Policy::parse(&wrong, "policy.toml", Path::new("")).expect_err("is wrong");
    assert_eq!(error.list().len(), 1, "{error}");
}

/// A group may break them whose parts do not, so they do not hold for fewer columns because they do for more.
#[test]
fn what_is_not_anti_monotone_does_not_go_with_any() {
    for (section, kind) in [
        ("personal = 0.5\nabout = 'disease'\nguarding = 'guard'", "personal"),
        (
            "# of income\nrange-diversity = 0.5\nabout = 'income'",
            "range-diversity",
        ),
    ] {
        assert_problems(
            &format!("{section}\nof = {{ any = 2 }}"),
            &[&format!(
                "15: `{kind}` must hold for all columns of `of` together; write a list of columns"
            )],
        );
    }
}

/// 6 of 12 columns are 924 sets, 10 of 24 are almost two million.
#[test]
fn more_sets_of_columns_than_can_be_counted_are_refused() {
    let policy = |columns: usize, any: usize, budget: &str| {
        let column = |at: usize| format!("q{at} = {{ role = 'quasi' }}\n");
        let columns: String = (0..columns).map(column).collect();
        let text = format!(
            "[data]\nfile = 'a.csv'\n[columns]\n{columns}[[require]]\nanonymity = 3\nof = {{ any = {any} }}\n{budget}"
        );
        Policy::parse(&text, "policy.toml", Path::new(""))
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    let budget = "[method]\nrows_suppressed_at_most = 0.1";
    assert_eq!(policy(12, 6, ""), Ok(()));
    assert_eq!(policy(12, 2, budget), Ok(()));
    let with_budget = policy(12, 6, budget).unwrap_err();
    assert!(
        with_budget.contains("`any` makes 924 sets of columns; together with"),
        "{with_budget}"
    );
    let too_many = policy(24, 10, "").unwrap_err();
    assert!(
        too_many.contains("`any` makes 1961256 sets of columns; at most 20000"),
        "{too_many}"
    );
}

#[test]
fn comparing_with_the_whole_does_not_go_with_a_row_budget() {
    let budget = "[method]\nrows_suppressed_at_most = 0.1";
    for kind in ["closeness", "delta-disclosure", "beta-likeness"] {
        assert_problems(
            &format!("{kind} = 1\nabout = 'disease'\n{budget}"),
            &[
                "12: this compares groups with the whole release, which leaving out rows would change, \
               so it does not go with `rows_suppressed_at_most`; \
               set `rows_suppressed_at_most = 0`",
            ],
        );
    }
    let fits = policy(&format!("diversity = 3\nabout = 'disease'\n{budget}"));
    assert!(Policy::parse(&fits, "policy.toml", Path::new("")).is_ok());
}

#[test]
fn a_misspelt_kind_word_or_key_gets_the_nearest() {
    assert_problems(
        "confidense = 0.5\nabout = { disease = '*' }",
        &["12: unknown key `confidense` in [[require]]; did you mean `confidence`?"],
    );
    assert_problems(
        "diversity = 3\nkind = 'entropie'\nabout = 'disease'",
        &["13: unknown kind of diversity `entropie`; did you mean `entropy`?"],
    );
    assert_problems(
        "beta-likeness = 3\nkind = 'strict'\nabout = 'disease'",
        &["13: unknown kind of likeness `strict`; valid: basic, enhanced"],
    );
    assert_problems(
        "closeness = 0.2\ndistance = 'orderd'\nabout = 'disease'",
        &["13: unknown distance `orderd`; did you mean `ordered`?"],
    );
    assert_problems(
        "closeness = 0.2\ndistence = 'equal'\nabout = 'disease'",
        &["13: unknown key `distence` in [[require]]; did you mean `distance`?"],
    );
    assert_problems(
        "anonymity = 3\nof = { anny = 2, any = 2 }",
        &["13: unknown key `anny` in `of`; did you mean `any`?"],
    );
}

#[test]
fn a_key_of_another_kind_is_unknown() {
    assert_problems(
        "anonymity = 4\nabout = 'disease'",
        &["13: unknown key `about` in [[require]]; valid: anonymity, of, per"],
    );
    assert_problems(
        "confidence = 0.5\nper = ['guard']\nabout = { disease = '*' }",
        &["13: unknown key `per` in [[require]]; valid: confidence, of, about"],
    );
    assert_problems(
        "diversity = 3\nc = 2\nabout = 'disease'",
        &["13: `c` is for recursive diversity; add `kind = \"recursive\"` or take it out"],
    );
}

#[test]
fn two_kinds_in_one_section_are_two_sections() {
    assert_problems(
        "closeness = 0.2\ndiversity = 3\nabout = 'disease'",
        &["13: [[require]] has both `closeness` and `diversity`; write one [[require]] for each"],
    );
}

/// The page of formats shows every kind; its sections must be right.
#[test]
fn the_sections_of_the_docs_are_right() {
    let docs = include_str!("../../../docs/formats.md");
    let mut blocks = docs
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    let (whole, sections) = blocks.next().zip(blocks.next()).unwrap();
    let columns = "disease = { role = \"sensitive\", taxonomy = \"disease.csv\" }\nguard = { role = \"identifier\" }";
    let whole = whole.replace("disease = { role = \"sensitive\" }", columns);
    let (before, after) = whole.split_once("[method]").unwrap();
    let text = format!("{before}{sections}\n[method]{after}");
    let policy = Policy::parse(&text, "formats.md", Path::new("")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(policy.require.len(), 1 + sections.matches("[[require]]").count());
    let kinds = policy
        .require
        .iter()
        .map(|require| discriminant(&require.get_ref().kind));
    assert_eq!(kinds.collect::<HashSet<_>>().len(), 11, "every kind is shown");
}
