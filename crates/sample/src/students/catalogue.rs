//! The [`CATALOGUE`]: the courses of the university, which books go with them, and the taxonomies over both.
//!
//! | kind | subject | courses |
//! |---|---|---|
//! | Obligatory | Mathematics | Calculus, Linear Algebra |
//! | Technical | Computing | Algorithms, Databases, Networks |
//! | Non-technical | Humanities | History, Philosophy, Literature |
//!
//! Invariant: the courses of a kind are side by side, and so are those of a subject. Everything about courses and books, the
//! taxonomies among it, is read from this one list.

use std::fmt::Write as _;
use std::ops::Range;

/// Whether a course must be taken, or may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Obligatory,
    Technical,
    NonTechnical,
}

impl Kind {
    fn label(self) -> &'static str {
        match self {
            Kind::Obligatory => "Obligatory",
            Kind::Technical => "Technical elective",
            Kind::NonTechnical => "Non-technical elective",
        }
    }

    /// The places of its courses.
    pub(super) fn places(self) -> Range<usize> {
        match self {
            Kind::Obligatory => 0..4,
            Kind::Technical => 4..13,
            Kind::NonTechnical => 13..22,
        }
    }
}

/// A course.
#[derive(Debug)]
pub(super) struct Course {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// The courses of a subject are near each other in the taxonomy.
    pub(super) subject: &'static str,
    /// How often it is taken beside the others of its subject.
    pub(super) popularity: u32,
    /// How many of [`BOOKS`] there are for it.
    pub(super) books: usize,
}

/// What the books of a course are called, and how often each is chosen: the first one is the book of the lecture.
pub(super) const BOOKS: [(&str, u32); 4] = [("Textbook", 6), ("Exercises", 3), ("Handbook", 2), ("Reader", 1)];

/// All courses: 4 obligatory ones, 9 technical and 9 non-technical electives.
pub(super) const CATALOGUE: [Course; 22] = {
    use Kind::{NonTechnical, Obligatory, Technical};
    [
        course("Calculus", Obligatory, "Mathematics", 6, 4),
        course("Linear Algebra", Obligatory, "Mathematics", 4, 3),
        course("Mechanics", Obligatory, "Science", 4, 3),
        course("Programming", Obligatory, "Science", 6, 4),
        course("Algorithms", Technical, "Computing", 5, 4),
        course("Databases", Technical, "Computing", 3, 3),
        course("Networks", Technical, "Computing", 2, 2),
        course("Circuits", Technical, "Electronics", 5, 4),
        course("Signals", Technical, "Electronics", 3, 3),
        course("Control", Technical, "Electronics", 2, 2),
        course("Statistics", Technical, "Modelling", 5, 4),
        course("Optimization", Technical, "Modelling", 3, 3),
        course("Simulation", Technical, "Modelling", 2, 2),
        course("History", NonTechnical, "Humanities", 5, 4),
        course("Philosophy", NonTechnical, "Humanities", 3, 3),
        course("Literature", NonTechnical, "Humanities", 2, 2),
        course("Economics", NonTechnical, "Society", 5, 3),
        course("Politics", NonTechnical, "Society", 3, 3),
        course("Law", NonTechnical, "Society", 2, 2),
        course("Cinema", NonTechnical, "Arts", 5, 2),
        course("Music", NonTechnical, "Arts", 3, 2),
        course("Painting", NonTechnical, "Arts", 2, 4),
    ]
};

const fn course(name: &'static str, kind: Kind, subject: &'static str, popularity: u32, books: usize) -> Course {
    Course {
        name,
        kind,
        subject,
        popularity,
        books,
    }
}

/// The taxonomy of courses, each below its subject and its kind: `Calculus;Mathematics;Obligatory;*`.
pub fn course_tree() -> String {
    let mut tree = String::new();
    for Course {
        name, kind, subject, ..
    } in &CATALOGUE
    {
        writeln!(tree, "{name};{subject};{};*", kind.label()).expect("a String can always be written to");
    }
    tree
}

/// The taxonomy of books, each below those for its course and its subject.
pub fn book_tree() -> String {
    let mut tree = String::new();
    for Course {
        name, subject, books, ..
    } in &CATALOGUE
    {
        for (book, _) in &BOOKS[..*books] {
            writeln!(tree, "{name} {book};Books for {name};Books on {subject};*")
                .expect("a String can always be written to");
        }
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_of_a_kind_are_its_courses() {
        for kind in [Kind::Obligatory, Kind::Technical, Kind::NonTechnical] {
            let places = (0..CATALOGUE.len()).filter(|&place| CATALOGUE[place].kind == kind);
            assert_eq!(places.collect::<Vec<_>>(), kind.places().collect::<Vec<_>>());
        }
    }

    #[test]
    fn trees_have_a_line_for_every_course_and_every_book() {
        assert!(course_tree().starts_with("Calculus;Mathematics;Obligatory;*\n"));
        assert_eq!(course_tree().lines().count(), 22);
        let first = "Calculus Textbook;Books for Calculus;Books on Mathematics;*\nCalculus Exercises;";
        assert!(book_tree().starts_with(first), "{}", book_tree());
        assert_eq!(
            book_tree().lines().count(),
            CATALOGUE.iter().map(|course| course.books).sum::<usize>()
        );
    }
}
