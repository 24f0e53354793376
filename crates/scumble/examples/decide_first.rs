//! A policy made in code, stage by stage: the release is looked at in memory, and written only if it is good enough, with a ledger
//! that remembers it.
//!
//! ```text
//! cargo run -p scumble --example decide_first
//! ```

use std::path::Path;

use scumble::policy::{ColumnKind, ColumnPolicy, Counting, Data, Kind, Require, Role};
use scumble::results::ReleaseBatches;
use scumble::{
    DataKept, Inputs, Newcomers, OpenLedger, Policy, Questions, Remember, Search, Sources, Target, Unwatched,
};

/// More than that share of the quasi cells may not be lost.
const LOSS_AT_MOST: f64 = 0.9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let patients = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/patients");
    let out = std::env::temp_dir().join(format!("scumble-example-{}", std::process::id()));
    let (folder, ledger) = (out.join("release"), out.join("ledger"));

    let taxonomy = |file: &str| ColumnKind::Categorical {
        taxonomy: Some(patients.join(file).into()),
    };
    let quasi = |name: &str, kind: ColumnKind| ColumnPolicy {
        kind,
        ..ColumnPolicy::new(name, Role::Quasi)
    };
    let columns = [
        ColumnPolicy::new("name", Role::Identifier),
        quasi("job", taxonomy("job.csv")),
        quasi("sex", taxonomy("sex.csv")),
        ColumnPolicy::new("insured", Role::Class),
    ];
    let k_anonymity = Require::of_all(Kind::Anonymity {
        k: 4,
        per: Counting::Records,
    });
    let data = Data::of_file(patients.join("patients.csv"));
    let policy = Policy::new(data, columns.to_vec(), vec![k_anonymity]).checked()?;

    // Before anything else, so that nobody waits for a release that cannot be written.
    let target = Target::open(&folder, false)?;
    let remember = Remember {
        folder: &ledger,
        name: Some("patients"),
        newcomers: Newcomers::default(),
    };
    let ledger = OpenLedger::open(&remember, folder.join(policy.release.format.file_name()), &Unwatched)?;

    let inputs = Inputs::read(&policy, &Sources::default(), Some(&ledger), &Unwatched)?;
    let found = inputs.search(&Search::default(), &Unwatched)?;
    let release = found.release(DataKept::LetGo, &Unwatched)?;
    println!("{}", release.levels().join("; "));
    let loss = release.certificate().information_loss;
    if loss > LOSS_AT_MOST {
        println!("{:.1} % lost: not written", 100.0 * loss);
        return Ok(());
    }
    for (name, ReleaseBatches { batches, .. }) in release.batches(&Unwatched)? {
        let rows: usize = batches.iter().map(|batch| batch.num_rows()).sum();
        println!(
            "{name}: {rows} rows in memory, {:.1} % of the quasi cells lost",
            100.0 * loss
        );
    }
    let study = release.study(&Questions::default(), &Unwatched)?;
    let written = study.write(target, Some(ledger), &Unwatched)?;
    println!("remembered as {}", written.entry.as_deref().unwrap_or("nothing"));
    std::fs::remove_dir_all(out)?;
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
