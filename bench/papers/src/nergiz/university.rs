//! The [`University`]: the three tables of section V, with their taxonomies.

use scumble_grouping::Scale;
use scumble_relational::{Database, ForeignKey, Relation};
use scumble_sample::{book_tree, course_tree, students};
use scumble_table::taxonomy::{Format, Taxonomy, parse};
use scumble_table::{Column, ColumnId, Table, ValueOrder};

use crate::Result;

/// Invented students, their courses and the books of these.
pub(super) struct University {
    students: Table,
    courses: Table,
    books: Table,
    course_tree: Taxonomy,
    book_tree: Taxonomy,
}

impl University {
    pub(super) fn new(persons: usize, seed: u64) -> Result<University> {
        let course_tree = parse(&course_tree(), Format::Levels)?;
        let book_tree = parse(&book_tree(), Format::Levels)?;
        let mut files = [Vec::new(), Vec::new(), Vec::new()];
        let [persons_file, courses_file, books_file] = &mut files;
        students(persons, seed, persons_file, courses_file, books_file)?;
        let [persons, courses, books] = files.map(String::from_utf8);
        use ValueOrder::{Natural, Number};
        let (course, book) = (ValueOrder::Taxonomy(&course_tree), ValueOrder::Taxonomy(&book_tree));
        Ok(University {
            students: table(&persons?, &[Natural, Number]),
            courses: table(&courses?, &[Natural, Natural, course, Number]),
            books: table(&books?, &[Natural, book]),
            course_tree,
            book_tree,
        })
    }

    /// Courses and books are what somebody may know of a student.
    pub(super) fn database(&self) -> Result<Database<'_>> {
        let hangs_off = |parent: &str, column: usize| {
            let (parent, columns) = (parent.to_owned(), vec![ColumnId(column)]);
            vec![ForeignKey { parent, columns }]
        };
        Ok(Database::new(vec![
            Relation {
                name: "students".to_owned(),
                table: &self.students,
                key: vec![ColumnId(0)],
                foreign_keys: Vec::new(),
                quasi: Vec::new(),
            },
            Relation {
                name: "courses".to_owned(),
                table: &self.courses,
                key: vec![ColumnId(0)],
                foreign_keys: hangs_off("students", 1),
                quasi: vec![(ColumnId(2), Scale::Tree(&self.course_tree))],
            },
            Relation {
                name: "books".to_owned(),
                table: &self.books,
                key: Vec::new(),
                foreign_keys: hangs_off("courses", 0),
                quasi: vec![(ColumnId(1), Scale::Tree(&self.book_tree))],
            },
        ])?)
    }
}

/// A table of text without quotes, its columns in these orders.
fn table(text: &str, orders: &[ValueOrder]) -> Table {
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default().split(',');
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let columns = header.zip(orders).enumerate().map(|(place, (name, &order))| {
        let cells = rows.iter().map(|row| row.get(place).copied());
        Column::from_cells(name, order, cells)
    });
    Table::new(rows.len(), columns.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_of_the_three_tables_hang_together() {
        let university = University::new(50, 1).unwrap();
        let database = university.database().unwrap();
        assert_eq!(database.persons(), 50);
        let rows = database.tables().map(|table| database.table(table).rows());
        let [students, courses, books] = rows.collect::<Vec<_>>()[..] else {
            panic!("three tables")
        };
        assert_eq!(students, 50);
        assert!((5 * students..=7 * students).contains(&courses));
        assert!(books > courses);
    }
}
