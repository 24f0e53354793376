//! Synthetic students: three tables of invented students, the courses that they took and the books that they chose.
//!
//! | students.csv | courses.csv | books.csv |
//! |---|---|---|
//! | `sid,gpa` | `scid,sid,course,grade` | `scid,book` |
//! | `S1,3.28` | `SC1,S1,Calculus,84` | `SC1,Calculus Textbook` |
//!
//! Nobody in them is real, and no row or count was taken from any data.
//!
//! # Source
//! Nergiz and Clifton, *MultiRelational k-Anonymity*, 2008, section V: each student has 1 obligatory course, 2 or 3 technical
//! and 2 or 3 non-technical electives out of 22 courses, and each course has 2, 3 or 4 textbooks to choose from. The paper
//! says that courses and books were distributed "to match Bilkent University's undergraduate program requirements", and no
//! more.
//!
//! Fixed by us:
//! - A student is of one of three departments, to which one subject of the technical electives belongs. The first of them is
//!   of that subject in seven of ten cases; what was drawn is not drawn again, so of the next ones fewer are.
//! - The department makes one of the obligatory courses twice as likely.
//! - A student also leans to one subject of the non-technical electives, whatever the department, and as strongly.
//! - In each subject some courses are more popular than others.
//! - Of the books of a course a student chooses two, mostly the one of the lecture.
//! - Grades follow how able a student is, with chance on top; `gpa` is their average, 100 being 4.00.
//!
//! So there are about 6 courses to a student and 2 books to a course: 100,000 students are about 1.9 million rows.

mod catalogue;

use std::fmt::Write as _;
use std::io;

use catalogue::{BOOKS, CATALOGUE, Kind};
pub use catalogue::{book_tree, course_tree};

use crate::random::Random;

/// Writes the tables of so many students as CSV with headers: students, their courses, and the books of those. The same seed
/// makes the same students, and the first rows of many students are those of a few.
///
/// # Errors
/// If one of the three cannot be written to.
pub fn students(
    count: usize,
    seed: u64,
    students: &mut impl io::Write,
    courses: &mut impl io::Write,
    books: &mut impl io::Write,
) -> io::Result<()> {
    let mut random = Random::new(seed);
    let mut tables = Tables {
        students: "sid,gpa\n".to_owned(),
        courses: "scid,sid,course,grade\n".to_owned(),
        books: "scid,book\n".to_owned(),
        courses_written: 0,
    };
    for sid in 1..=count {
        tables.add(sid, &Student::invent(&mut random));
        flush(&mut tables.students, BLOCK, students)?;
        flush(&mut tables.courses, BLOCK, courses)?;
        flush(&mut tables.books, BLOCK, books)?;
    }
    flush(&mut tables.students, 0, students)?;
    flush(&mut tables.courses, 0, courses)?;
    flush(&mut tables.books, 0, books)
}

/// Text is handed on in blocks of about so many bytes.
const BLOCK: usize = 1 << 16;

fn flush(text: &mut String, at_least: usize, out: &mut impl io::Write) -> io::Result<()> {
    if text.len() >= at_least {
        out.write_all(text.as_bytes())?;
        text.clear();
    }
    Ok(())
}

/// The text of the three tables that is not yet handed on.
struct Tables {
    students: String,
    courses: String,
    books: String,
    courses_written: usize,
}

impl Tables {
    fn add(&mut self, sid: usize, student: &Student) {
        const ALWAYS: &str = "a String can always be written to";
        let gpa = student.hundredths_of_gpa();
        // No label holds a comma or a quote, so none needs quotes.
        writeln!(self.students, "S{sid},{}.{:02}", gpa / 100, gpa % 100).expect(ALWAYS);
        for &Taken { course, grade, books } in &student.courses {
            self.courses_written += 1;
            let (scid, name) = (self.courses_written, CATALOGUE[course].name);
            writeln!(self.courses, "SC{scid},S{sid},{name},{grade}").expect(ALWAYS);
            let chosen = BOOKS.iter().zip(books).filter(|(_, chosen)| *chosen);
            for ((book, _), _) in chosen {
                writeln!(self.books, "SC{scid},{name} {book}").expect(ALWAYS);
            }
        }
    }
}

/// The courses of one student.
struct Student {
    courses: Vec<Taken>,
}

/// A course that a student took.
struct Taken {
    /// The place in [`CATALOGUE`].
    course: usize,
    grade: u32,
    /// Which of [`BOOKS`] were chosen.
    books: [bool; 4],
}

/// A department: its share, the obligatory course that it makes likely, and its subject.
const DEPARTMENTS: [(&str, &str, u32); 3] = [
    ("Programming", "Computing", 40),
    ("Mechanics", "Electronics", 35),
    ("Calculus", "Modelling", 25),
];

/// What a student leans to, whatever the department.
const LEANINGS: [(&str, u32); 3] = [("Humanities", 3), ("Society", 5), ("Arts", 2)];

impl Student {
    fn invent(random: &mut Random) -> Student {
        let (obligatory, subject, _) = DEPARTMENTS[random.place(DEPARTMENTS.map(|(.., share)| share))];
        let leaning = random.pick(&LEANINGS);
        let ability = invent_ability(random);
        let mut courses = Vec::with_capacity(7);
        let obligatory = |place: usize| CATALOGUE[place].popularity * twice_if(CATALOGUE[place].name == obligatory);
        draw(random, Kind::Obligatory, 1, obligatory, &mut courses);
        for (kind, subject) in [(Kind::Technical, subject), (Kind::NonTechnical, leaning)] {
            let electives = random.between(2, 3);
            draw(random, kind, electives, |place| liking(place, subject), &mut courses);
        }
        let taken = courses.into_iter().map(|course| Taken {
            course,
            grade: invent_grade(random, ability),
            books: choose_books(random, CATALOGUE[course].books),
        });
        Student {
            courses: taken.collect(),
        }
    }

    fn hundredths_of_gpa(&self) -> u32 {
        let sum: u32 = self.courses.iter().map(|taken| taken.grade).sum();
        4 * sum / self.courses.len() as u32
    }
}

fn twice_if(condition: bool) -> u32 {
    1 + u32::from(condition)
}

/// How likely an elective is for somebody who prefers a subject. The courses of all subjects weigh the same together, and
/// there are two other subjects of the kind: 14 to 3 and 3 is 7 of 10.
fn liking(place: usize, subject: &str) -> u32 {
    let course = &CATALOGUE[place];
    course.popularity * if course.subject == subject { 14 } else { 3 }
}

/// Draws different courses of a kind, a course as likely as its weight is large.
fn draw(random: &mut Random, kind: Kind, count: u32, weight: impl Fn(usize) -> u32, courses: &mut Vec<usize>) {
    for _ in 0..count {
        let places = kind.places();
        let left = |place| if courses.contains(&place) { 0 } else { weight(place) };
        let drawn = places.start + random.place(places.clone().map(left));
        courses.push(drawn);
    }
}

/// Two of the books of a course.
fn choose_books(random: &mut Random, of: usize) -> [bool; 4] {
    let mut chosen = [false; 4];
    for _ in 0..2 {
        let left = (0..of).map(|book| if chosen[book] { 0 } else { BOOKS[book].1 });
        chosen[random.place(left)] = true;
    }
    chosen
}

/// Around which grades lie: a sum of draws, so that most students are near the middle.
fn invent_ability(random: &mut Random) -> u32 {
    50 + (0..3).map(|_| random.below(16)).sum::<u32>()
}

fn invent_grade(random: &mut Random, ability: u32) -> u32 {
    (ability + random.between(0, 30)).saturating_sub(15).min(100)
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use scumble_table::taxonomy::{Format, parse};

    use super::*;

    /// The rows of the three tables, cell by cell, without their headers.
    fn tables(count: usize, seed: u64) -> [Vec<Vec<String>>; 3] {
        texts(count, seed).map(|text| {
            let cells = |line: &str| line.split(',').map(str::to_owned).collect();
            text.lines().skip(1).map(cells).collect()
        })
    }

    fn texts(count: usize, seed: u64) -> [String; 3] {
        let mut out = [Vec::new(), Vec::new(), Vec::new()];
        let [persons, courses, books] = &mut out;
        students(count, seed, persons, courses, books).unwrap();
        out.map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn the_same_seed_makes_the_same_students() {
        assert_eq!(texts(300, 7), texts(300, 7));
        assert_ne!(texts(300, 7), texts(300, 8));
        let (few, many) = (texts(300, 7), texts(20_000, 7));
        for (few, many) in few.iter().zip(&many) {
            assert!(many.starts_with(few.as_str()));
        }
    }

    #[test]
    fn tables_have_their_headers() {
        assert_eq!(texts(0, 1), ["sid,gpa\n", "scid,sid,course,grade\n", "scid,book\n"]);
    }

    #[test]
    fn every_student_has_the_courses_that_are_required() {
        let [persons, courses, _] = tables(2_000, 1);
        let kinds: HashMap<&str, Kind> = CATALOGUE.iter().map(|course| (course.name, course.kind)).collect();
        let mut of: HashMap<&str, Vec<&str>> = HashMap::new();
        for course in &courses {
            of.entry(&course[1]).or_default().push(&course[2]);
        }
        assert_eq!(of.len(), persons.len());
        for person in &persons {
            let mut taken = of[&person[0][..]].clone();
            let count = |kind: Kind| taken.iter().filter(|&&name| kinds[name] == kind).count();
            assert_eq!(count(Kind::Obligatory), 1);
            assert!((2..=3).contains(&count(Kind::Technical)));
            assert!((2..=3).contains(&count(Kind::NonTechnical)));
            taken.sort_unstable();
            taken.dedup();
            assert_eq!(taken.len(), of[&person[0][..]].len());
        }
    }

    #[test]
    fn every_course_has_some_of_its_books_each_once() {
        let [_, courses, books] = tables(2_000, 1);
        let names: HashMap<&str, &str> = courses.iter().map(|row| (&row[0][..], &row[2][..])).collect();
        assert_eq!(names.len(), courses.len());
        let mut with_books: Vec<&str> = books.iter().map(|row| &row[0][..]).collect();
        with_books.dedup();
        let all: Vec<&str> = courses.iter().map(|row| &row[0][..]).collect();
        assert_eq!(with_books, all);
        assert!(books.iter().all(|row| row[1].starts_with(names[&row[0][..]])));
        let mut different = books.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), books.len());
    }

    /// About 6 courses to a student, and 2 books to a course; 100,000 students are about 2 million rows.
    #[test]
    fn tables_grow_with_the_students() {
        let [persons, courses, books] = tables(10_000, 3).map(|rows| rows.len());
        assert_eq!(persons, 10_000);
        assert!((59_000..61_000).contains(&courses), "{courses}");
        assert_eq!(books, 2 * courses);
        assert!((185_000..210_000).contains(&(persons + courses + books)));
    }

    #[test]
    fn every_value_is_a_leaf_of_its_tree_and_every_leaf_is_met() {
        let [_, courses, books] = tables(5_000, 2);
        for (rows, column, tree) in [(courses, 2, course_tree()), (books, 1, book_tree())] {
            let mut met: Vec<String> = rows.into_iter().map(|mut row| row.swap_remove(column)).collect();
            met.sort_unstable();
            met.dedup();
            let tree = parse(&tree, Format::Levels).unwrap();
            let mut leaves: Vec<String> = tree.leaves().map(str::to_owned).collect();
            leaves.sort_unstable();
            assert_eq!(met, leaves);
        }
    }

    #[test]
    fn grades_and_averages_are_in_their_ranges() {
        let [persons, courses, _] = tables(5_000, 2);
        assert!(courses.iter().all(|row| row[3].parse::<u32>().unwrap() <= 100));
        let averages: Vec<f64> = persons.iter().map(|row| row[1].parse().unwrap()).collect();
        assert!(averages.iter().all(|average| (0.0..=4.0).contains(average)));
        assert!(persons.iter().all(|row| row[1].len() == 4));
    }

    /// Databases and Signals are as popular, each in its subject; who takes Algorithms is mostly of the department of the first.
    #[test]
    fn electives_follow_the_department_and_popularity() {
        let [_, courses, _] = tables(10_000, 5);
        let who_took = |name: &str| -> HashSet<&str> {
            let rows = courses.iter().filter(|row| row[2] == name);
            rows.map(|row| &row[1][..]).collect()
        };
        assert!(who_took("Algorithms").len() > who_took("Networks").len());
        assert!(who_took("Economics").len() > 2 * who_took("Painting").len());
        let with_algorithms = |name: &str| who_took("Algorithms").intersection(&who_took(name)).count();
        assert!(with_algorithms("Databases") > 2 * with_algorithms("Signals"));
    }
}
