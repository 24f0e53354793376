//! The students, courses and books of Nergiz and Clifton, tables II to VI.
//!
//! The scan has no table II and no figure 1. Courses, grades and grade averages are those of tables V and VI; books are
//! those that the text names; leaves of the trees that nothing names are ours (Chemistry, Politics, Law and the books'
//! upper levels). Science has 4 of 8 courses, as in the example under definition 8.

mod plain;

use scumble_grouping::Scale;
use scumble_progress::Work;
use scumble_relational::{Clustering, Clusters, Database, ForeignKey, Method, Order, Relation, Release};
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{Released, Table, Taxonomy};

use plain::table;

const COURSES: &str = "Math;Science;*\nPhysics;Science;*\nCS;Science;*\nChemistry;Science;*\n\
    History;Social;*\nReligion;Social;*\nPolitics;Social;*\nLaw;Social;*\n";
const BOOKS: &str = "Discrete;Maths;*\nCalc;Maths;*\nDyn;Dynamics;*\nAmHist;Histories;*\n";

struct School {
    course_tree: Taxonomy,
    book_tree: Taxonomy,
    students: Table,
    courses: Table,
    books: Table,
}

/// Courses of students, and books bought for courses.
fn school(students: &str, courses: &str, books: &str) -> School {
    let (course_tree, book_tree) = (
        parse(COURSES, Format::Levels).unwrap(),
        parse(BOOKS, Format::Levels).unwrap(),
    );
    School {
        students: table(students, &[]),
        courses: table(courses, &[("course", &course_tree)]),
        books: table(books, &[("book", &book_tree)]),
        course_tree,
        book_tree,
    }
}

fn table_ii() -> School {
    school(
        "sid gpa
         S1  3.72
         S2  2.34
         S3  3.12
         S4  4.00",
        "scid sid course   grade
         SC1  S1  Math     93
         SC2  S1  Physics  91
         SC3  S1  History  85
         SC4  S2  CS       78
         SC5  S2  Physics  62
         SC6  S2  Religion 42
         SC7  S3  History  85
         SC8  S3  Religion 75
         SC9  S3  Physics  77
         SC10 S4  History  98
         SC11 S4  Religion 96",
        "scid book
         SC1  Discrete
         SC2  Calc
         SC2  Dyn
         SC4  Discrete
         SC5  Dyn
         SC10 AmHist",
    )
}

impl School {
    fn database(&self) -> Database<'_> {
        let relation =
            |name: &str, table, key: Option<&str>, parent: Option<(&str, &str)>, quasi: Option<(&str, _)>| {
                let column = |name: &str| Table::find(table, name).unwrap();
                Relation {
                    name: name.to_owned(),
                    table,
                    key: key.map(column).into_iter().collect(),
                    foreign_keys: Vec::from_iter(parent.map(|(parent, name)| ForeignKey {
                        parent: parent.to_owned(),
                        columns: vec![column(name)],
                    })),
                    quasi: quasi
                        .map(|(name, tree)| (column(name), Scale::Tree(tree)))
                        .into_iter()
                        .collect(),
                }
            };
        let course = Some(("course", &self.course_tree));
        let book = Some(("book", &self.book_tree));
        // Not parents first: the order of the files does not matter.
        Database::new(vec![
            relation("books", &self.books, None, Some(("courses", "scid")), book),
            relation("students", &self.students, Some("sid"), None, None),
            relation(
                "courses",
                &self.courses,
                Some("scid"),
                Some(("students", "sid")),
                course,
            ),
        ])
        .unwrap()
    }
}

fn clusters(database: &Database, method: Method) -> Clusters {
    Clustering::new(2, 0.5, 10, method)
        .unwrap()
        .run(database, Work::unwatched())
        .unwrap()
}

fn members(clusters: &Clusters) -> Vec<&[u32]> {
    clusters.clusters().iter().map(|cluster| cluster.members()).collect()
}

/// What a released table shows, cells apart by a blank.
fn lines(released: &Released) -> Vec<String> {
    let line = |row: usize| {
        let cells = released.columns().iter().map(|column| {
            let label = column.label_of_code()[column.codes().at(row) as usize];
            column.labels().at(label as usize).unwrap_or("-")
        });
        cells.collect::<Vec<_>>().join(" ")
    };
    (0..released.rows()).map(line).collect()
}

fn shown(database: &Database, clusters: &Clusters, name: &str) -> Vec<String> {
    let table = database.find(name).unwrap();
    let tables = Release::new(database, clusters).tables(Order::Input, |_, _| true);
    lines(&tables[table.0].release)
}

/// Table III has the classes {S1, S2} and {S3, S4}; its courses are those of `T_1^3` in table VI, where the third
/// course of S3 is shown as `*`. Here the row is removed.
#[test]
fn students_are_gathered_as_in_table_iii() {
    let school = table_ii();
    let database = school.database();
    for method in [Method::Miracle, Method::MiracleX] {
        let clusters = clusters(&database, method);
        assert_eq!(members(&clusters), [[0, 1], [2, 3]]);
        assert_eq!(
            shown(&database, &clusters, "courses"),
            [
                "1 1 Science 93",
                "2 1 Physics 91",
                "3 1 Social 85",
                "4 2 Science 78",
                "5 2 Physics 62",
                "6 2 Social 42",
                "7 3 History 85",
                "8 3 Religion 75",
                "9 4 History 98",
                "10 4 Religion 96",
            ]
        );
        // Figure 3: Calc finds no partner. Section II: no student shows American History with History any more.
        assert_eq!(
            shown(&database, &clusters, "books"),
            ["1 Discrete", "2 Dyn", "4 Discrete", "5 Dyn"]
        );
    }
}

/// Of 11 courses and 6 books, four are shown as Science or Social (3/7 each); a course and two books are removed (1
/// each).
#[test]
fn loss_and_discernibility_of_table_iii() {
    let school = table_ii();
    let database = school.database();
    let clusters = clusters(&database, Method::Miracle);
    let release = Release::new(&database, &clusters);
    assert!((release.loss() - (4.0 * 3.0 / 7.0 + 3.0) / 17.0).abs() < 1e-12);
    assert_eq!(release.discernibility(), 4 * 2);
}

/// The table of distances in the docs of `cluster.rs`: S1 and S3 are 34/42 apart, S1 and S2 13/42, S3 and S4 just 1/2.
#[test]
fn who_is_too_far_opens_a_cluster() {
    let mut school = table_ii();
    school.students = table("sid gpa\nS1 3.72\nS3 3.12\nS2 2.34\nS4 4.00", &[]);
    let database = school.database();
    assert_eq!(members(&clusters(&database, Method::Miracle)), [[0, 2], [1, 3]]);
    let all_near = Clustering::new(2, 0.81, 10, Method::Miracle)
        .unwrap()
        .run(&database, Work::unwatched())
        .unwrap();
    assert_eq!(members(&all_near), [[0, 1], [2, 3]]);
}

/// Math with Physics and Math with CS are both Science. Only MiRaCle sees that CS has the book, too (section IV.B).
#[test]
fn books_decide_between_courses_that_lose_the_same() {
    let school = school(
        "sid\nS1\nS2",
        "scid sid course\nSC1 S1 Math\nSC2 S2 Physics\nSC3 S2 CS",
        "scid book\nSC1 Discrete\nSC2 Dyn\nSC3 Discrete",
    );
    let database = school.database();
    let kept = |method| {
        let clusters = clusters(&database, method);
        let release = Release::new(&database, &clusters);
        release
            .kept_rows(database.find("courses").unwrap())
            .collect::<Vec<u32>>()
    };
    assert_eq!(kept(Method::Miracle), [0, 2]);
    assert_eq!(kept(Method::MiracleX), [0, 1]);
}

/// Section III-C, for a database that is not complete. S1 and S2 have 2 of 9 bits in common (Physics, and Dyn for it), S3
/// and S4 2 of 4; all others have less. Math and CS do not become Science, nor is Discrete kept that both used.
#[test]
fn a_bitmap_keeps_what_all_have() {
    let school = table_ii();
    let database = school.database();
    let clusters = clusters(&database, Method::Bitmap);
    assert_eq!(members(&clusters), [[2, 3], [0, 1]]);
    assert_eq!(
        shown(&database, &clusters, "courses"),
        [
            "1 1 Physics 91",
            "2 2 Physics 62",
            "3 3 History 85",
            "4 3 Religion 75",
            "5 4 History 98",
            "6 4 Religion 96",
        ]
    );
    assert_eq!(shown(&database, &clusters, "books"), ["1 Dyn", "2 Dyn"]);
    // Five of 11 courses and four of 6 books are removed.
    assert!((Release::new(&database, &clusters).loss() - 9.0 / 17.0).abs() < 1e-12);
}

/// A course that is taken twice is two columns, each with its own books.
#[test]
fn a_bitmap_has_a_column_for_each_repetition() {
    let school = school(
        "sid\nS1\nS2",
        "scid sid course\nSC1 S1 Math\nSC2 S1 Math\nSC3 S2 Math\nSC4 S2 Math",
        "scid book\nSC1 Calc\nSC2 Dyn\nSC3 Dyn\nSC4 Dyn",
    );
    let database = school.database();
    let clusters = clusters(&database, Method::Bitmap);
    assert_eq!(shown(&database, &clusters, "courses").len(), 4);
    assert_eq!(shown(&database, &clusters, "books"), ["2 Dyn", "4 Dyn"]);
}

#[test]
fn fewer_than_k_students_are_left_out() {
    let school = table_ii();
    let database = school.database();
    let clusters = Clustering::new(5, 0.5, 10, Method::Miracle)
        .unwrap()
        .run(&database, Work::unwatched())
        .unwrap();
    assert!(clusters.clusters().is_empty());
    assert_eq!(clusters.left_out(), [0, 1, 2, 3]);
    let release = Release::new(&database, &clusters);
    assert_eq!((release.loss(), release.discernibility()), (1.0, 16));
    assert!(shown(&database, &clusters, "courses").is_empty());
}
