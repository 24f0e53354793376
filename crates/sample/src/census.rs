//! A synthetic census: invented people with the columns of the UCI Adult table, which this field measures itself on.
//!
//! Nobody in it is real, and no row or count was taken from any data. Columns depend on each other as they do among
//! people: schooling on age, work on schooling, household on age, the country of birth on nothing. The class, income
//! above 50,000 or not, depends on age, schooling, hours, household and capital, with chance on top, so a classifier
//! has something to find and cannot find everything.

use std::fmt::Write as _;
use std::io;

use crate::random::Random;

/// The columns of the census, in file order.
pub const CENSUS_COLUMNS: [&str; 15] = [
    "age",
    "workclass",
    "final-weight",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "class",
];

/// Writes a census of so many people as CSV with a header. The same seed makes the same people, and the first rows of a
/// large census are those of a small one.
///
/// # Errors
/// If `out` cannot be written to.
pub fn census(rows: usize, seed: u64, out: &mut impl io::Write) -> io::Result<()> {
    const BLOCK: usize = 1 << 16;
    let mut random = Random::new(seed);
    let mut text = CENSUS_COLUMNS.join(",");
    text.push('\n');
    for _ in 0..rows {
        Person::invent(&mut random).write(&mut text);
        if text.len() >= BLOCK {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
    }
    out.write_all(text.as_bytes())
}

/// One row of the census.
struct Person {
    age: u32,
    workclass: &'static str,
    final_weight: u32,
    /// The place in [`EDUCATION`].
    education: usize,
    marital_status: MaritalStatus,
    /// The place in [`OCCUPATION`].
    occupation: usize,
    relationship: &'static str,
    race: &'static str,
    sex: Sex,
    capital_gain: u32,
    capital_loss: u32,
    hours_per_week: u32,
    native_country: &'static str,
    high_income: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Sex {
    Female,
    Male,
}

#[derive(Clone, Copy, PartialEq)]
enum MaritalStatus {
    NeverMarried,
    Married,
    Partnership,
    Separated,
    Divorced,
    Widowed,
}

impl Sex {
    fn label(self) -> &'static str {
        match self {
            Sex::Female => "Female",
            Sex::Male => "Male",
        }
    }
}

impl MaritalStatus {
    fn label(self) -> &'static str {
        match self {
            MaritalStatus::NeverMarried => "Never married",
            MaritalStatus::Married => "Married",
            MaritalStatus::Partnership => "Partnership",
            MaritalStatus::Separated => "Separated",
            MaritalStatus::Divorced => "Divorced",
            MaritalStatus::Widowed => "Widowed",
        }
    }
}

impl Person {
    fn invent(random: &mut Random) -> Person {
        let age = invent_age(random);
        let sex = random.pick(&[(Sex::Female, 48), (Sex::Male, 52)]);
        let education = invent_education(random, age);
        let occupation = invent_occupation(random, education, sex);
        let workclass = invent_workclass(random, occupation);
        let marital_status = invent_marital_status(random, age);
        let relationship = invent_relationship(random, marital_status, sex, age);
        let mut person = Person {
            age,
            workclass,
            final_weight: invent_final_weight(random),
            education,
            marital_status,
            occupation,
            relationship,
            race: random.pick(&RACE),
            sex,
            capital_gain: invent_capital_gain(random, age, education),
            capital_loss: invent_capital_loss(random),
            hours_per_week: invent_hours(random, age, workclass),
            native_country: random.pick(&COUNTRY),
            high_income: false,
        };
        person.high_income = random.percent(person.chance_of_high_income());
        person
    }

    /// In percent. Every part of it is what some column tells about income.
    fn chance_of_high_income(&self) -> u32 {
        let by_age = match self.age {
            ..=24 => -45,
            25..=34 => -5,
            35..=59 => 15,
            60.. => 5,
        };
        let by_education = match self.education {
            0..=4 => -25,
            5..=8 => -5,
            9..=10 => 20,
            _ => 35,
        };
        let by_hours = match self.hours_per_week {
            ..=29 => -25,
            30..=39 => -8,
            40..=44 => 0,
            45.. => 12,
        };
        let by_household = match self.relationship {
            "Husband" | "Wife" => 25,
            "Partner" => 12,
            _ => -15,
        };
        let by_capital = match (self.capital_gain, self.capital_loss) {
            (5_000.., _) => 70,
            (_, 1_500..) => 20,
            _ => 0,
        };
        let by_occupation = if LEADING.contains(&self.occupation) { 12 } else { 0 };
        let points: i32 = by_age + by_education + by_hours + by_household + by_capital + by_occupation;
        points.clamp(1, 97).unsigned_abs()
    }

    fn write(&self, text: &mut String) {
        let Person {
            age,
            workclass,
            final_weight,
            relationship,
            race,
            capital_gain,
            capital_loss,
            hours_per_week,
            native_country,
            ..
        } = self;
        let (education, _) = EDUCATION[self.education];
        let education_num = self.education + 1;
        let marital_status = self.marital_status.label();
        let occupation = OCCUPATION[self.occupation];
        let sex = self.sex.label();
        let class = if self.high_income { "above 50k" } else { "up to 50k" };
        // No label holds a comma or a quote, so none needs quotes.
        writeln!(
            text,
            "{age},{workclass},{final_weight},{education},{education_num},{marital_status},{occupation},\
             {relationship},{race},{sex},{capital_gain},{capital_loss},{hours_per_week},{native_country},{class}"
        )
        .expect("a String can always be written to");
    }
}

fn invent_age(random: &mut Random) -> u32 {
    let (first, last) = random.pick(&[
        ((17, 24), 16),
        ((25, 34), 25),
        ((35, 44), 24),
        ((45, 54), 18),
        ((55, 64), 11),
        ((65, 74), 4),
        ((75, 90), 2),
    ]);
    random.between(first, last)
}

/// Ascending; `education-num` is the place, counted from 1.
const EDUCATION: [(&str, u32); 14] = [
    ("No school", 1),
    ("Some primary school", 2),
    ("Primary school", 3),
    ("Some secondary school", 8),
    ("Lower secondary school", 8),
    ("Secondary school", 32),
    ("Trade certificate", 6),
    ("Some college", 18),
    ("Associate degree", 7),
    ("Bachelor", 17),
    ("Postgraduate certificate", 3),
    ("Master", 6),
    ("Professional degree", 2),
    ("Doctorate", 2),
];

/// Higher schooling takes its years.
fn invent_education(random: &mut Random, age: u32) -> usize {
    let highest = match age {
        ..=17 => 4,
        18..=19 => 7,
        20..=21 => 8,
        22..=23 => 9,
        24..=26 => 11,
        27.. => 13,
    };
    random.place(EDUCATION.map(|(_, weight)| weight)).min(highest)
}

const OCCUPATION: [&str; 14] = [
    "Manager",
    "Scientist",
    "Engineer",
    "Teacher",
    "Nurse",
    "Office clerk",
    "Salesperson",
    "Craftworker",
    "Machine operator",
    "Driver",
    "Farm worker",
    "Cleaner",
    "Guard",
    "Care worker",
];

/// The occupations that pay above what schooling explains.
const LEADING: [usize; 3] = [0, 1, 2];

/// How often each occupation is met at each level of schooling, and by each sex.
fn invent_occupation(random: &mut Random, education: usize, sex: Sex) -> usize {
    let by_schooling: [u32; 14] = match education {
        0..=4 => [1, 0, 0, 0, 0, 4, 9, 16, 15, 13, 12, 16, 4, 10],
        5..=8 => [8, 1, 3, 2, 4, 19, 14, 15, 9, 8, 3, 5, 3, 6],
        9..=10 => [22, 8, 15, 16, 8, 11, 13, 2, 1, 1, 1, 0, 2, 0],
        _ => [22, 28, 18, 24, 3, 2, 3, 0, 0, 0, 0, 0, 0, 0],
    };
    let by_sex: [u32; 14] = match sex {
        Sex::Female => [2, 2, 1, 4, 6, 5, 3, 1, 2, 1, 1, 3, 1, 6],
        Sex::Male => [3, 3, 5, 2, 1, 2, 3, 6, 4, 6, 4, 2, 5, 1],
    };
    random.place(
        by_schooling
            .into_iter()
            .zip(by_sex)
            .map(|(schooling, sex)| schooling * sex),
    )
}

fn invent_workclass(random: &mut Random, occupation: usize) -> &'static str {
    let weights = match OCCUPATION[occupation] {
        "Manager" => [60, 1, 14, 10, 7, 4, 4],
        "Scientist" | "Engineer" => [66, 0, 6, 10, 4, 8, 6],
        "Teacher" | "Nurse" => [34, 0, 1, 4, 38, 17, 6],
        "Farm worker" => [48, 14, 6, 30, 1, 1, 0],
        "Guard" => [40, 0, 1, 2, 30, 15, 12],
        _ => [78, 1, 3, 8, 5, 3, 2],
    };
    WORKCLASS[random.place(weights)]
}

const WORKCLASS: [&str; 7] = [
    "Private company",
    "Family help",
    "Own company",
    "Self-employed",
    "Municipality",
    "Region",
    "State",
];

fn invent_marital_status(random: &mut Random, age: u32) -> MaritalStatus {
    use MaritalStatus::{Divorced, Married, NeverMarried, Partnership, Separated, Widowed};
    let [never, married, partnership, separated, divorced, widowed] = match age {
        ..=24 => [82, 10, 6, 1, 1, 0],
        25..=34 => [38, 44, 7, 3, 8, 0],
        35..=54 => [14, 58, 5, 4, 17, 2],
        55..=69 => [7, 62, 3, 2, 15, 11],
        70.. => [5, 52, 1, 1, 7, 34],
    };
    random.pick(&[
        (NeverMarried, never),
        (Married, married),
        (Partnership, partnership),
        (Separated, separated),
        (Divorced, divorced),
        (Widowed, widowed),
    ])
}

fn invent_relationship(random: &mut Random, status: MaritalStatus, sex: Sex, age: u32) -> &'static str {
    let spouse = match sex {
        Sex::Female => "Wife",
        Sex::Male => "Husband",
    };
    match (status, age) {
        (MaritalStatus::Married, _) => random.pick(&[(spouse, 95), ("Other relative", 5)]),
        (MaritalStatus::Partnership, _) => "Partner",
        (MaritalStatus::NeverMarried, ..=27) => random.pick(&[
            ("Own child", 64),
            ("Lives alone", 24),
            ("Other relative", 8),
            ("Single parent", 4),
        ]),
        _ => random.pick(&[
            ("Lives alone", 62),
            ("Single parent", 26),
            ("Other relative", 7),
            ("Own child", 5),
        ]),
    }
}

/// How many people a row stands for in the survey: a sum of draws, so that most are near the middle.
fn invent_final_weight(random: &mut Random) -> u32 {
    (0..3).map(|_| random.between(4_000, 140_000)).sum()
}

const RACE: [(&str, u32); 5] = [
    ("White", 74),
    ("Black", 12),
    ("Asian", 7),
    ("Mixed", 5),
    ("Indigenous", 2),
];

/// Most people have none, and more of those who are older or went to school longer have some.
fn invent_capital_gain(random: &mut Random, age: u32, education: usize) -> u32 {
    let chance = 3 + u32::from(age >= 35) * 4 + u32::from(education >= 9) * 6;
    if !random.percent(chance) {
        return 0;
    }
    let (first, last) = random.pick(&[((1, 24), 5), ((25, 49), 2), ((50, 99), 3), ((100, 300), 2)]);
    random.between(first, last) * 100
}

fn invent_capital_loss(random: &mut Random) -> u32 {
    if random.percent(5) {
        random.between(20, 90) * 25
    } else {
        0
    }
}

fn invent_hours(random: &mut Random, age: u32, workclass: &str) -> u32 {
    let independent = matches!(workclass, "Own company" | "Self-employed");
    let [part_time, shorter, full_time, longer, longest] = match age {
        ..=21 => [50, 20, 25, 4, 1],
        22..=64 if independent => [9, 8, 28, 35, 20],
        22..=64 => [7, 12, 55, 20, 6],
        65.. => [45, 22, 20, 9, 4],
    };
    let (first, last) = random.pick(&[
        ((4, 29), part_time),
        ((30, 39), shorter),
        ((40, 40), full_time),
        ((41, 54), longer),
        ((55, 90), longest),
    ]);
    random.between(first, last)
}

const COUNTRY: [(&str, u32); 24] = [
    ("United States", 870),
    ("Canada", 10),
    ("Mexico", 34),
    ("Guatemala", 5),
    ("Cuba", 6),
    ("Jamaica", 6),
    ("Brazil", 4),
    ("Colombia", 5),
    ("Peru", 3),
    ("Germany", 6),
    ("France", 2),
    ("United Kingdom", 5),
    ("Ireland", 2),
    ("Italy", 4),
    ("Portugal", 2),
    ("Poland", 4),
    ("Ukraine", 2),
    ("India", 9),
    ("China", 8),
    ("Japan", 3),
    ("Philippines", 10),
    ("Vietnam", 6),
    ("Nigeria", 4),
    ("Ethiopia", 2),
];
