//! The errors of a release, on tables that can be checked by hand.

use scumble_progress::Work;
use scumble_table::{Column, Table, ValueOrder};
use scumble_utility::classify::{
    ClassificationError, ComparedTable, Comparison, Errors, FeatureKind, Learner, Predictor, PredictorRole, Split,
    classification,
};

/// A table from text: a header, then a row per line, cells apart by blanks.
fn table(text: &str) -> Table {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let names: Vec<&str> = lines.next().expect("a header").split_whitespace().collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split_whitespace().collect()).collect();
    let column = |(place, name): (usize, &&str)| {
        Column::from_cells(name, ValueOrder::Natural, rows.iter().map(|row| Some(row[place])))
    };
    Table::new(rows.len(), names.iter().enumerate().map(column).collect())
}

/// The job tells who is insured; so does the disease, of all but the last.
const PATIENTS: &str = "
    name   job       disease  part      insured
    Ann    Lawyer    Flu      training  yes
    Bob    Lawyer    Flu      training  yes
    Cid    Judge     Flu      training  yes
    Dan    Judge     Flu      training  yes
    Eve    Welder    Gout     training  no
    Flo    Welder    Gout     training  no
    Gil    Painter   Gout     training  no
    Hal    Painter   Gout     training  no
    Ida    Lawyer    Flu      test      yes
    Jan    Welder    Gout     test      no
    Kim    Painter   Gout     test      no
    Leo    Judge     Gout     test      yes";

/// Jobs by their taxonomy: nothing that matters is lost. Nobody has a name.
fn generalized() -> String {
    let renamed = [
        ("Lawyer ", "Jurist "),
        ("Judge ", "Jurist "),
        ("Welder ", "Worker "),
        ("Painter ", "Worker "),
    ];
    let text = renamed
        .iter()
        .fold(PATIENTS.to_owned(), |text, (job, node)| text.replace(job, node));
    let without_name = |line: &str| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ") + "\n";
    text.lines().map(without_name).collect()
}

fn suppressed() -> String {
    generalized().replace("Jurist ", "* ").replace("Worker ", "* ")
}

fn predictors() -> [Predictor; 2] {
    let predictor = |name: &str, role| Predictor {
        name: name.to_owned(),
        role,
        kind: FeatureKind::Category,
    };
    [
        predictor("job", PredictorRole::Quasi),
        predictor("disease", PredictorRole::Sensitive),
    ]
}

fn compare(release: &str, split: &Split, learner: Learner) -> Result<Errors, ClassificationError> {
    classification(
        &Comparison {
            data: &table(PATIENTS),
            release: &table(release),
            class: "insured",
            predictors: &predictors(),
            split,
            learner,
        },
        Work::unwatched(),
    )
}

fn by_part() -> Split {
    Split::Column {
        name: "part".to_owned(),
        test: "test".to_owned(),
    }
}

/// Of four test rows: the job gets all right, the disease all but Leo, a guess without features half.
#[test]
fn each_error_leaves_out_its_columns() {
    for learner in [Learner::C45, Learner::NaiveBayes] {
        let errors = compare(&generalized(), &by_part(), learner).unwrap();
        assert_eq!(errors.released.tested, 4);
        assert_eq!(errors.without_quasi.wrong, 1, "the disease alone");
        assert_eq!(
            errors.without_sensitive.map(|error| error.wrong),
            Some(0),
            "the job alone"
        );
        assert_eq!((errors.majority.wrong, errors.majority.rate), (2, 0.5));
        assert_eq!((errors.rows, errors.rows_released), (12, 12));
    }
}

/// The tree of the data asks for the disease, which splits into two and not into four. That of the release may ask for
/// either, and takes the first.
#[test]
fn masking_may_lower_the_error() {
    let errors = compare(&generalized(), &by_part(), Learner::C45).unwrap();
    assert_eq!((errors.base.wrong, errors.released.wrong), (1, 0));
}

#[test]
fn a_release_that_says_nothing_of_the_quasi_columns_errs_as_without_them() {
    let errors = compare(&suppressed(), &by_part(), Learner::C45).unwrap();
    assert_eq!(errors.released, errors.without_quasi);
}

#[test]
fn without_sensitive_columns_there_is_no_error_without_them() {
    let [job, _] = predictors();
    let patients = table(PATIENTS);
    let errors = classification(
        &Comparison {
            data: &patients,
            release: &patients,
            class: "insured",
            predictors: &[job],
            split: &by_part(),
            learner: Learner::C45,
        },
        Work::unwatched(),
    );
    assert_eq!(errors.unwrap().without_sensitive, None);
}

#[test]
fn the_first_rows_are_the_same_only_if_the_order_is() {
    let first_eight = Split::Rows(8);
    let in_order = compare(&generalized(), &first_eight, Learner::C45).unwrap();
    assert_eq!(in_order, compare(&generalized(), &by_part(), Learner::C45).unwrap());

    let mut lines: Vec<String> = generalized().lines().map(str::to_owned).collect();
    lines[2..].sort_unstable();
    let sorted = lines.join("\n");
    let wrong = compare(&sorted, &first_eight, Learner::C45).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "the rows of the release are not in the order of the data; split by a column or by folds"
    );
    let shorter = lines[..lines.len() - 1].join("\n");
    assert_eq!(
        compare(&shorter, &first_eight, Learner::C45),
        Err(ClassificationError::OtherOrder)
    );
    // By a column it does not matter.
    assert_eq!(compare(&sorted, &by_part(), Learner::C45).unwrap(), in_order);
}

#[test]
fn folds_test_every_row_and_a_sample_says_how_many() {
    let folds = |rows_at_most| Split::Folds {
        folds: 3,
        seed: 1,
        rows_at_most,
    };
    let errors = compare(&generalized(), &folds(None), Learner::NaiveBayes).unwrap();
    assert_eq!((errors.rows, errors.base.tested), (12, 12));
    let errors = compare(&generalized(), &folds(Some(9)), Learner::NaiveBayes).unwrap();
    assert_eq!((errors.rows, errors.rows_released, errors.released.tested), (9, 9, 9));
}

#[test]
fn a_column_that_is_not_released_is_named() {
    let unpublished = generalized().replace("disease ", "illness ");
    let wrong = compare(&unpublished, &by_part(), Learner::C45).unwrap_err();
    let expected = ClassificationError::NoColumn {
        place: ComparedTable::Release,
        column: "disease".to_owned(),
    };
    assert_eq!(wrong, expected);
    assert!(wrong.to_string().starts_with("the release has no column `disease`"));
}
