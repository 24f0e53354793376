//! Figure 4.8 of Fung 2007: several anonymity templates against the single one on all of their columns, Adult, C4.5.

use std::collections::BTreeSet;
use std::process::ExitCode;

use fastrand::Rng;
use scumble_papers::{Bound, Claim, Masking, POINTS, Public, Result, Sheet, THESIS, Trees, Trial, mean, percent, run};
use scumble_utility::classify::Learner;

/// How many requirements are drawn.
const REQUIREMENTS: usize = 30;

/// The anonymity of every template.
const K: u64 = 100;

/// The requirements are drawn by this seed; those of the thesis are not available.
const SEED: u64 = 1;

fn main() -> ExitCode {
    run("figure_4_8", |data| {
        let public = Public::adult(data, Trees::Own)?;
        let mut rng = Rng::with_seed(SEED);
        let mut rows = Vec::new();
        let mut differences = Vec::new();
        for number in 1..=REQUIREMENTS {
            let templates = draw(&public, &mut rng);
            let united: BTreeSet<&str> = templates.iter().flatten().copied().collect();
            let columns: Vec<&str> = united.into_iter().collect();
            let multi = error(&public, &columns, &templates)?;
            let single = error(&public, &columns, std::slice::from_ref(&columns))?;
            differences.push(single - multi);
            rows.push(vec![
                number.to_string(),
                templates.len().to_string(),
                templates[0].len().to_string(),
                columns.len().to_string(),
                format!("{multi:.2}"),
                format!("{single:.2}"),
            ]);
        }
        let no_worse = differences.iter().filter(|&&difference| difference >= 0.0).count();
        let average = mean(differences);
        Ok(Sheet {
            title: format!("Figure 4.8: several templates against the united one, Adult, C4.5, k = {K}"),
            notes: vec![
                format!("The {REQUIREMENTS} requirements are drawn as the paper draws them, by seed {SEED}."),
                format!("On average the united template errs {average:.2} points more often."),
                "The taxonomies are ours; those of the thesis are not available.".to_owned(),
            ],
            unit: POINTS,
            header: vec![
                "requirement",
                "templates",
                "columns of each",
                "columns",
                "AE of several",
                "AE of united",
            ],
            rows,
            claims: vec![Claim::new(
                "requirements of which several templates err no more often than the united one",
                Bound::AtLeast,
                100.0,
                percent(no_worse as f64 / REQUIREMENTS as f64),
            )],
        })
    })
}

/// Three to seven different sets of columns, all of one length between two and nine.
fn draw<'p>(public: &'p Public, rng: &mut Rng) -> Vec<Vec<&'p str>> {
    let templates = rng.usize(3..=7);
    let length = rng.usize(2..=9);
    let mut drawn = BTreeSet::new();
    while drawn.len() < templates {
        let mut places = rng.choose_multiple(0..public.columns.len(), length);
        places.sort_unstable();
        drawn.insert(places);
    }
    let names = |places: Vec<usize>| {
        places
            .into_iter()
            .map(|place| &public.columns[place].name[..])
            .collect()
    };
    drawn.into_iter().map(names).collect()
}

/// The error on the release, in percent.
fn error(public: &Public, quasi: &[&str], templates: &[Vec<&str>]) -> Result<f64> {
    let template = |of: &Vec<&str>| format!("[[require]]\nanonymity = {K}\nof = {of:?}\n");
    let names = public.columns.iter().map(|column| &column.name[..]);
    let tried = Trial {
        public,
        quasi: quasi.to_vec(),
        sensitive: Vec::new(),
        others: names.filter(|name| !quasi.contains(name)).collect(),
        masking: Masking::Generalize,
        objective: THESIS,
        require: templates.iter().map(template).collect(),
        learner: Learner::C45,
    }
    .run()?;
    Ok(percent(tried.errors.released.rate))
}
