//! A [`School`]: the folder with the tables, taxonomies and policies of so many students.
//!
//! | file | holds |
//! |---|---|
//! | `students.csv`, `courses.csv`, `books.csv` | what is published and copied |
//! | `course-tree.csv`, `book-tree.csv` | the taxonomies |
//! | `miraclex.toml`, ... | one policy per [`Way`] |

use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use scumble_sample::{book_tree, course_tree, students};
use serde::Serialize;

use crate::Result;

/// The tables.
pub const FILES: [&str; 3] = ["students.csv", "courses.csv", "books.csv"];

/// How many students must look alike.
pub const K: u64 = 5;

/// How many clusters may be open, as in the paper, so that a student is compared with as many at every size.
pub const CLIMIT: usize = 150;

/// How students are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// MiRaCleX: this one is timed.
    MiracleX,
    /// MiRaCle.
    Miracle,
    /// Our own.
    Entities,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 3] = [Way::MiracleX, Way::Miracle, Way::Entities];

    /// The settings of the method, as a policy has them.
    fn settings(self) -> String {
        match self {
            Way::MiracleX | Way::Miracle => format!("name = \"{self}\"\nclimit = {CLIMIT}"),
            Way::Entities => format!("name = \"{self}\""),
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Way::MiracleX => "miraclex",
            Way::Miracle => "miracle",
            Way::Entities => "entities",
        })
    }
}

/// The folder of the input.
#[derive(Debug)]
pub struct School {
    folder: PathBuf,
    /// The bytes of the three tables.
    pub bytes: u64,
}

impl School {
    /// Writes everything into a new folder.
    pub fn build(persons: usize, seed: u64, folder: PathBuf) -> Result<School> {
        fs::create_dir(&folder)?;
        let path = |name: &str| folder.join(name);
        let [persons_file, courses_file, books_file] = FILES.map(|name| File::create_new(path(name)));
        let mut files = (persons_file?, courses_file?, books_file?);
        students(persons, seed, &mut files.0, &mut files.1, &mut files.2)?;
        let mut bytes = 0;
        for file in [files.0, files.1, files.2] {
            // On disk now, so that no measured sync waits for it.
            file.sync_all()?;
            bytes += file.metadata()?.len();
        }
        fs::write(path("course-tree.csv"), course_tree())?;
        fs::write(path("book-tree.csv"), book_tree())?;
        for way in Way::ALL {
            fs::write(path(&format!("{way}.toml")), policy(way))?;
        }
        Ok(School { folder, bytes })
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The policy by which students are gathered in a way.
    pub fn policy(&self, way: Way) -> PathBuf {
        self.folder.join(format!("{way}.toml"))
    }
}

/// Courses and books are what somebody may know of a student.
fn policy(way: Way) -> String {
    let method = way.settings();
    format!(
        r#"[person]
file = "students.csv"
key = "sid"

[[tables]]
name = "courses"
file = "courses.csv"
key = "scid"
foreign_key = "sid"

[[tables]]
name = "books"
file = "books.csv"
parent = "courses"
foreign_key = "scid"

[columns]
students.gpa = {{ role = "sensitive" }}
courses.course = {{ role = "quasi", taxonomy = "course-tree.csv" }}
courses.grade = {{ role = "sensitive" }}
books.book = {{ role = "quasi", taxonomy = "book-tree.csv" }}

[[require]]
anonymity = {K}

[method]
{method}
seed = 1
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_school_has_all_that_a_policy_names() {
        let scratch = tempfile::tempdir().unwrap();
        let school = School::build(40, 1, scratch.path().join("school")).unwrap();
        let sizes = FILES.map(|name| fs::read(school.folder().join(name)).unwrap().len() as u64);
        assert_eq!(school.bytes, sizes.iter().sum::<u64>());
        let students = fs::read_to_string(school.folder().join("students.csv")).unwrap();
        assert_eq!(students.lines().count(), 41);
        for way in Way::ALL {
            let policy: toml::Table = fs::read_to_string(school.policy(way)).unwrap().parse().unwrap();
            let columns = ["courses", "books"].map(|table| &policy["columns"][table]);
            for tree in [&columns[0]["course"], &columns[1]["book"]] {
                assert!(school.folder().join(tree["taxonomy"].as_str().unwrap()).is_file());
            }
        }
    }

    #[test]
    fn a_policy_has_the_settings_that_its_method_knows() {
        let method = |way: Way| policy(way).parse::<toml::Table>().unwrap().remove("method").unwrap();
        let fixed = method(Way::MiracleX);
        assert_eq!(
            (fixed["name"].as_str(), fixed["climit"].as_integer()),
            (Some("miraclex"), Some(150))
        );
        let ours = method(Way::Entities);
        assert_eq!((ours["name"].as_str(), ours.get("climit")), (Some("entities"), None));
    }
}
