//! The jobs that are measured. Each runs alone in a process, so the peak memory of the process is its own.

use std::path::Path;
use std::time::{Duration, Instant};

use scumble::{Evaluate, Options, evaluate_file, publish, read_policy};
use scumble_privacy::{Demand, History, QuasiIdentifier, Requirement, Template, audit};
use scumble_store::{Aside, FileSource, ReleasePart, Unwatched, write_release};
use scumble_table::{Mask, Released};
use scumble_table::{Reading, ReleaseFormat, RowOrder};
use serde::{Deserialize, Serialize};

use crate::Result;

/// What one release took, in seconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Published {
    /// Reading the data, and an earlier release.
    pub load: f64,
    /// Finding the masks.
    pub search: f64,
    /// Applying them and recounting.
    pub audit: f64,
    /// Writing and syncing.
    pub write: f64,
    /// From the policy file to the release.
    pub whole: f64,
    /// How many refinements were made.
    pub refinements: usize,
    /// The most memory that was resident, in bytes; unknown where there is no `/proc`.
    pub peak_memory: Option<u64>,
    /// What measuring the release took, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub evaluated: Option<Evaluated>,
}

/// What one evaluation took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evaluated {
    /// From the files to the figures, in seconds.
    pub seconds: f64,
    /// The most memory that was resident, in bytes.
    pub peak_memory: Option<u64>,
}

/// What one copy took, in seconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Copied {
    /// From the file to its copy.
    pub seconds: f64,
}

/// Publishes the data of a policy.
pub fn publish_once(policy: &Path) -> Result<Published> {
    let start = Instant::now();
    let policy = read_policy(policy)?;
    let publication = publish(&policy, &Options::default(), &Unwatched)?;
    let whole = start.elapsed();
    let timings = publication.timings;
    let seconds = |part: Duration| part.as_secs_f64();
    Ok(Published {
        load: seconds(timings.load + timings.join),
        search: seconds(timings.search),
        audit: seconds(timings.audit),
        write: seconds(timings.write),
        whole: seconds(whole),
        refinements: publication.trace.map_or(0, |trace| trace.steps.len()),
        peak_memory: peak_memory(),
        evaluated: None,
    })
}

/// Measures a release against the data of its policy, as `scumble evaluate` does when nothing else is asked for.
pub fn evaluate_once(policy: &Path, released: &Path) -> Result<Evaluated> {
    let start = Instant::now();
    let policy = read_policy(policy)?;
    evaluate_file(released, &policy, &Evaluate::default(), &Unwatched)?;
    Ok(Evaluated {
        seconds: start.elapsed().as_secs_f64(),
        peak_memory: peak_memory(),
    })
}

/// Copies a table as a release is made, but with nothing to search and hardly anything to require: all columns as text, rows in
/// the order of the input, synced and renamed into a new folder.
pub fn copy_once(from: &Path, folder: &Path) -> Result<Copied> {
    let start = Instant::now();
    let aside = Aside::create(folder, false)?;
    let opened = FileSource::new(from).open(&Unwatched)?;
    let as_text = vec![Reading::Text; opened.header().len()];
    let table = opened.read(&as_text, false, &Unwatched)?.table;
    let masks = vec![(Mask::Exact, None, true); table.columns().len()];
    let every_row_is_one = Template {
        of: QuasiIdentifier::all(Vec::new()),
        demand: Demand::Anonymity { k: 1, per: Vec::new() },
    };
    let requirement = Requirement {
        templates: vec![every_row_is_one],
    };
    let audited = audit(
        Released::new(table, &masks, None),
        &requirement,
        &[],
        &History::default(),
    )
    .map_err(|_| "a release failed an audit that asks for nothing")?;
    let format = ReleaseFormat::Csv;
    write_release(
        &audited,
        RowOrder::Input,
        format,
        aside.file(ReleasePart::Released(format))?,
        &Unwatched,
    )?;
    aside.commit()?;
    Ok(Copied {
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The most memory that was resident in this process, in bytes.
pub fn peak_memory() -> Option<u64> {
    high_water_mark(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// The `VmHWM` of a process status, in bytes.
pub fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;
    use crate::census::Census;
    use crate::enlarge::enlarge;

    #[test]
    fn the_high_water_mark_is_read_from_a_status() {
        let status = "Name:\tscumble\nVmPeak:\t  900 kB\nVmHWM:\t  512 kB\nVmRSS:\t  100 kB\n";
        assert_eq!(high_water_mark(status), Some(512 * 1024));
        assert_eq!(high_water_mark("Name:\tscumble\n"), None);
    }

    /// What the bench falls back on where Adult is not at hand, from the census to the released rows.
    #[test]
    fn the_shipped_census_is_enlarged_and_published() {
        let folder = tempfile::tempdir().unwrap();
        let (input, out) = (folder.path().join("in.csv"), folder.path().join("out"));
        let census = Census::synthetic(1, folder.path()).unwrap();
        assert_eq!((census.quasi().len(), census.class()), (14, "class"));
        let rows = census.rows.len() + 1000;
        enlarge(&census, rows, 1, File::create_new(&input).unwrap()).unwrap();
        let policy = folder.path().join("policy.toml");
        let text = crate::requirements::Requirement::single(census.quasi()).policy(&census, &input, None, &out);
        std::fs::write(&policy, text.unwrap()).unwrap();
        let published = publish_once(&policy).unwrap();
        assert!(published.refinements > 0);
        assert!(published.load + published.search + published.audit + published.write <= published.whole);
        let released = std::fs::read_to_string(out.join(ReleaseFormat::Csv.file_name())).unwrap();
        assert_eq!(released.lines().count(), rows + 1);
        evaluate_once(&policy, &out.join(ReleaseFormat::Csv.file_name())).unwrap();
    }

    #[test]
    fn a_copy_has_the_bytes_of_the_original() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("in.csv"), folder.path().join("out"));
        let text = "age,job\n30,Lawyer\n9,\n30,Mover\n";
        std::fs::write(&from, text).unwrap();
        copy_once(&from, &to).unwrap();
        assert_eq!(
            std::fs::read_to_string(to.join(ReleaseFormat::Csv.file_name())).unwrap(),
            text
        );
    }
}
