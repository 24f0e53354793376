//! The clinic example: an invented town, and the visits of some of its people to the clinic.
//!
//! Nobody in it is real, and no row or count was taken from any data. The files are shipped as they are; this is how
//! they were made, and the test below holds them to it. After a change here, `REFRESH=1 cargo test -p scumble-sample`
//! writes them anew.

use crate::random::Random;

const TOWN: &str = "age,sex,postcode,job,household";
const VISITS: &str = "patient,age,sex,postcode,job,household,disease,guard,overnight";

/// A person of the town.
struct Citizen {
    age: u32,
    sex: &'static str,
    postcode: u32,
    job: &'static str,
    household: &'static str,
}

impl Citizen {
    fn invent(random: &mut Random) -> Citizen {
        let (first, last) = random.pick(&[
            ((0, 17), 17),
            ((18, 29), 15),
            ((30, 49), 28),
            ((50, 66), 23),
            ((67, 79), 12),
            ((80, 95), 5),
        ]);
        let age = random.between(first, last);
        Citizen {
            age,
            sex: random.pick(&[("F", 51), ("M", 49)]),
            postcode: random.pick(&POSTCODES),
            job: invent_job(random, age),
            household: invent_household(random, age),
        }
    }

    fn line(&self) -> String {
        let Citizen {
            age,
            sex,
            postcode,
            job,
            household,
        } = self;
        format!("{age},{sex},{postcode},{job},{household}")
    }

    /// Whether they were at the clinic, which the old are more often.
    fn is_patient(&self, random: &mut Random) -> bool {
        random.percent(10 + self.age / 6)
    }
}

/// The old town, its outskirts, and two valleys.
const POSTCODES: [(u32, u32); 10] = [
    (7101, 16),
    (7102, 12),
    (7103, 10),
    (7114, 9),
    (7118, 8),
    (7204, 12),
    (7205, 9),
    (7209, 8),
    (7231, 9),
    (7236, 7),
];

const JOBS: [(&str, u32); 16] = [
    ("Farmer", 4),
    ("Bricklayer", 6),
    ("Electrician", 6),
    ("Welder", 3),
    ("Cook", 5),
    ("Cleaner", 7),
    ("Driver", 6),
    ("Shop assistant", 11),
    ("Clerk", 14),
    ("Accountant", 6),
    ("Programmer", 7),
    ("Lawyer", 2),
    ("Nurse", 7),
    ("Teacher", 6),
    ("Physician", 2),
    ("Homemaker", 8),
];

fn invent_job(random: &mut Random, age: u32) -> &'static str {
    let in_education = match age {
        ..=15 => return "Pupil",
        16..=19 => [("Pupil", 60), ("Student", 15), ("", 25)],
        20..=27 => [("Pupil", 0), ("Student", 35), ("", 65)],
        28..=66 => [("Pupil", 0), ("Student", 1), ("", 99)],
        67.. => return "Retired",
    };
    match random.pick(&in_education) {
        "" => random.pick(&JOBS),
        learning => learning,
    }
}

fn invent_household(random: &mut Random, age: u32) -> &'static str {
    let [family, shared, alone, couple, care_home] = match age {
        ..=17 => return "Family",
        18..=29 => [35, 25, 22, 18, 0],
        30..=49 => [52, 4, 20, 24, 0],
        50..=79 => [14, 2, 28, 54, 2],
        80.. => [5, 0, 40, 27, 28],
    };
    random.pick(&[
        ("Family", family),
        ("Shared", shared),
        ("Alone", alone),
        ("Couple", couple),
        ("Care home", care_home),
    ])
}

/// Each with how often the young, the grown and the old have it, the node above it, and the chance in percent to stay
/// overnight.
const DISEASES: [(&str, [u32; 3], &str, u32); 14] = [
    ("Flu", [20, 9, 8], "Infection", 15),
    ("Pneumonia", [5, 4, 12], "Infection", 75),
    ("Hepatitis", [1, 4, 2], "Infection", 40),
    ("HIV", [0, 4, 1], "Infection", 25),
    ("Fracture", [22, 12, 14], "Injury", 45),
    ("Burn", [7, 5, 2], "Injury", 35),
    ("Sprain", [16, 11, 3], "Injury", 2),
    ("Asthma", [16, 8, 5], "Chronic disease", 20),
    ("Diabetes", [3, 9, 15], "Chronic disease", 25),
    ("Hypertension", [0, 10, 18], "Chronic disease", 12),
    ("Depression", [4, 11, 5], "Mental illness", 30),
    ("Addiction", [2, 7, 2], "Mental illness", 50),
    ("Lymphoma", [1, 3, 5], "Cancer", 80),
    ("Melanoma", [0, 3, 6], "Cancer", 55),
];

/// The place in [`DISEASES`]. Manual work brings injuries.
fn invent_disease(random: &mut Random, citizen: &Citizen) -> usize {
    let generation = match citizen.age {
        ..=17 => 0,
        18..=64 => 1,
        65.. => 2,
    };
    let is_manual = matches!(citizen.job, "Farmer" | "Bricklayer" | "Electrician" | "Welder");
    random.place(DISEASES.map(|(_, weights, above, _)| {
        let injured = if is_manual && above == "Injury" { 3 } else { 1 };
        weights[generation] * injured
    }))
}

/// What a patient wants nobody to infer: the disease, the node above it, or nothing.
fn invent_guard(random: &mut Random, disease: usize) -> &'static str {
    let (name, _, above, _) = DISEASES[disease];
    let chance = match (name, above) {
        ("HIV" | "Hepatitis" | "Addiction", _) => 75,
        (_, "Mental illness" | "Cancer") => 45,
        _ => 4,
    };
    match random.percent(chance) {
        true => random.pick(&[(name, 35), (above, 65)]),
        false => "",
    }
}

/// Who is old or has nobody at home stays more often.
fn stays_overnight(random: &mut Random, citizen: &Citizen, disease: usize) -> bool {
    let (.., chance) = DISEASES[disease];
    let by_age = match citizen.age {
        ..=5 => 15,
        6..=64 => 0,
        65..=79 => 15,
        80.. => 30,
    };
    let by_household = if citizen.household == "Alone" { 15 } else { 0 };
    random.percent(chance + by_age + by_household)
}

/// The people of the town, and the visits of those who are patients. Some come twice.
fn invent(people: usize, seed: u64) -> (String, String) {
    let mut random = Random::new(seed);
    let (mut town, mut visits) = (format!("{TOWN}\n"), format!("{VISITS}\n"));
    let mut patients = 0;
    for _ in 0..people {
        let citizen = Citizen::invent(&mut random);
        let line = citizen.line();
        town += &format!("{line}\n");
        if !citizen.is_patient(&mut random) {
            continue;
        }
        patients += 1;
        let disease = invent_disease(&mut random, &citizen);
        let guard = invent_guard(&mut random, disease);
        let mut visit = |disease: usize, random: &mut Random| {
            let (name, ..) = DISEASES[disease];
            let overnight = if stays_overnight(random, &citizen, disease) {
                "yes"
            } else {
                "no"
            };
            visits += &format!("P{patients:03},{line},{name},{guard},{overnight}\n");
        };
        visit(disease, &mut random);
        if random.percent(7) {
            let second = invent_disease(&mut random, &citizen);
            visit(second, &mut random);
        }
    }
    (town, visits)
}

mod tests {
    use super::*;

    #[test]
    fn the_clinic_example_is_what_this_makes() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/clinic");
        let (town, visits) = invent(3_000, 1);
        for (name, made) in [("population.csv", town), ("visits.csv", visits)] {
            let file = folder.join(name);
            if std::env::var_os("REFRESH").is_some() {
                std::fs::write(&file, &made).unwrap();
            }
            let shipped = std::fs::read_to_string(&file).unwrap();
            assert!(shipped == made, "{name} is not what the generator makes");
        }
    }
}
