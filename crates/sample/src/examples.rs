//! The shipped examples, as they are in the folder `examples`.

/// A small worked scenario.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Its name, which is its folder.
    pub name: &'static str,
    /// What it shows, in one line.
    pub description: &'static str,
    /// Its files.
    pub files: &'static [ExampleFile],
}

/// A file of an example.
#[derive(Clone, Copy, Debug)]
pub struct ExampleFile {
    /// Its name within the folder of the example.
    pub name: &'static str,
    /// What it holds.
    pub contents: &'static str,
}

/// All examples.
pub fn examples() -> &'static [Example] {
    &EXAMPLES
}

/// The files of one example, embedded.
macro_rules! files {
    ($example:literal: $($name:literal),+ $(,)?) => {
        &[$(ExampleFile {
            name: $name,
            contents: include_str!(concat!("../../../examples/", $example, "/", $name)),
        }),+]
    };
}

const EXAMPLES: [Example; 7] = [
    Example {
        name: "patients",
        description: "34 patients, two taxonomies, two requirements: small enough to follow with a pencil",
        files: files!("patients": "README.md", "patients.csv", "policy.toml", "job.csv", "sex.csv"),
    },
    Example {
        name: "bank",
        description: "24 customers, no taxonomy: how sure may a reader be of someone's bankruptcy",
        files: files!("bank": "README.md", "customers.csv", "policy.toml"),
    },
    Example {
        name: "clinic",
        description: "601 invented visits under seven policies: mixed, bounded knowledge, a population, guarding nodes, groups, ranges, two tables",
        files: files!(
            "clinic": "README.md",
            "visits.csv",
            "population.csv",
            "policy.toml",
            "bounded.toml",
            "population.toml",
            "personal.toml",
            "local.toml",
            "ranges.toml",
            "anatomy.toml",
            "postcode.csv",
            "job.csv",
            "disease.csv",
        ),
    },
    Example {
        name: "releases",
        description: "240 test results, to be published after the patients of the same clinic were",
        files: files!(
            "releases": "README.md",
            "tests.csv",
            "policy.toml",
            "job.csv",
            "birth.csv",
            "clinic2024/released.csv",
        ),
    },
    Example {
        name: "university",
        description: "Four students, their courses and books in three tables: who knows some of them finds at least two",
        files: files!(
            "university": "README.md",
            "students.csv",
            "courses.csv",
            "books.csv",
            "course-tree.csv",
            "book-tree.csv",
            "policy.toml",
        ),
    },
    Example {
        name: "mashup",
        description: "a bank, an employer and an insurer publish one table of their 220 common people, over TLS",
        files: files!(
            "mashup": "README.md",
            "agreement.toml",
            "bank.csv",
            "employer.csv",
            "insurer.csv",
            "job.csv",
            "run.sh",
        ),
    },
    Example {
        name: "census",
        description: "2,000 invented people in 15 columns, published for predicting their income",
        files: files!(
            "census": "README.md",
            "census.csv",
            "policy.toml",
            "workclass.csv",
            "education.csv",
            "marital-status.csv",
            "occupation.csv",
            "relationship.csv",
            "race.csv",
            "sex.csv",
            "native-country.csv",
        ),
    },
];
