//! Students at random, as in section V of the paper: courses of a tree, and a few textbooks of each.

use std::fmt::Write;

use scumble_grouping::Scale;
use scumble_relational::{Database, ForeignKey, Relation};
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{Column, ColumnId, Table, Taxonomy, ValueOrder};

/// The tables, and the tree of courses.
pub struct Students {
    courses: Taxonomy,
    tables: [Table; 3],
}

/// How many courses of each kind there are. The first ones are obligatory.
const KINDS: [(&str, usize); 5] = [
    ("Obligatory", 4),
    ("Engineering", 5),
    ("Science", 5),
    ("Social", 4),
    ("Arts", 4),
];

impl Students {
    pub fn new(students: usize, seed: u64) -> Students {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut courses: Vec<String> = Vec::new();
        let mut tree = String::new();
        for (kind, number) in KINDS {
            for _ in 0..number {
                let course = format!("c{}", courses.len());
                let above = match kind {
                    "Engineering" | "Science" => "Technical;",
                    "Social" | "Arts" => "Other;",
                    _ => "",
                };
                writeln!(tree, "{course};{kind};{above}*").unwrap();
                courses.push(course);
            }
        }
        let books_of: Vec<usize> = courses.iter().map(|_| rng.usize(2..=4)).collect();
        let (mut of_student, mut taken, mut of_course, mut books) = (vec![], vec![], vec![], vec![]);
        for student in 0..students {
            let mut chosen = vec![rng.usize(..4)];
            for electives in [4..14, 14..22] {
                let number = rng.usize(2..=3);
                chosen.extend(rng.choose_multiple(electives, number));
            }
            for course in chosen {
                // Of each course one book at least is used, seldom two.
                let used = 1 + usize::from(rng.u8(..4) == 0);
                let used = rng.choose_multiple(0..books_of[course], used);
                for book in used {
                    of_course.push(format!("{}", taken.len()));
                    books.push(format!("b{course}-{book}"));
                }
                of_student.push(format!("s{student}"));
                taken.push(courses[course].clone());
            }
        }
        let tree = parse(&tree, Format::Levels).unwrap();
        let column = |name: &str, cells: &[String], order| {
            Column::from_cells(name, order, cells.iter().map(|cell| Some(&**cell)))
        };
        let ids: Vec<String> = (0..students).map(|student| format!("s{student}")).collect();
        let numbers: Vec<String> = (0..taken.len()).map(|number| number.to_string()).collect();
        let natural = ValueOrder::Natural;
        let tables = [
            Table::new(students, vec![column("sid", &ids, natural)]),
            Table::new(
                taken.len(),
                vec![
                    column("scid", &numbers, natural),
                    column("sid", &of_student, natural),
                    column("course", &taken, ValueOrder::Taxonomy(&tree)),
                ],
            ),
            Table::new(
                books.len(),
                vec![column("scid", &of_course, natural), column("book", &books, natural)],
            ),
        ];
        Students { courses: tree, tables }
    }

    pub fn database(&self) -> Database<'_> {
        let relation = |name: &str, table, key: &[usize], quasi| Relation {
            name: name.to_owned(),
            table,
            key: key.iter().copied().map(ColumnId).collect(),
            foreign_keys: Vec::new(),
            quasi,
        };
        let link = |parent: &str, column| {
            vec![ForeignKey {
                parent: parent.to_owned(),
                columns: vec![ColumnId(column)],
            }]
        };
        let [students, courses, books] = &self.tables;
        let course = (ColumnId(2), Scale::Tree(&self.courses));
        let book = (ColumnId(1), Scale::Values { domain: None });
        Database::new(vec![
            relation("students", students, &[0], vec![]),
            Relation {
                foreign_keys: link("students", 1),
                ..relation("courses", courses, &[0], vec![course])
            },
            Relation {
                foreign_keys: link("courses", 0),
                ..relation("books", books, &[], vec![book])
            },
        ])
        .unwrap()
    }
}
