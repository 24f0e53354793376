//! The main job: policy in, audited release out.
//!
//! ```text
//! plan ─► load ─► search ─► mask ─► audit ─► write
//! ```
//!
//! One direction, no way back. Only what the audit lets through can be written, and the folder of the release appears
//! whole or not at all.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use scumble_attack::{AttackReport, risks};
use scumble_privacy::{Audited, audit};
use scumble_refine::{Operation, Outcome, Population, Problem as Search, Refined, refine, rows_to_leave_out};
use scumble_report::{
    Certificate, CertifiedColumn, CertifiedMask, Counted, Level, MethodSettings, TraceFile, TraceStep, VERSION,
};
use scumble_store::{Aside, Loaded, Watch, WriteError, read, write_release};
use scumble_table::{ColumnId, Mask, Released, ReleasedColumn, Table, Taxonomy};

use crate::attack::attack_simulated;
use crate::error::{Error, Shortfall};
use crate::plan::{Plan, Warning, nearest_bound};
use crate::policy::{Missing, Policy};
use crate::population::{People, read_populations};
use crate::stops::{Stop, traced};

/// What the one who calls decides, beside the policy.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// Where to put the release, if not where the policy says.
    pub folder: Option<&'o Path>,
    /// Whether a release that is there already may be replaced.
    pub replace: bool,
    /// Mask as this certificate does, instead of searching.
    pub mask: Option<&'o Certificate>,
    /// Whether to attack the release too, as someone would who knows every quasi column.
    pub attack: bool,
    /// Who sees the progress and may stop it.
    pub watch: &'o dyn Watch,
}

/// Reads the certificate of an earlier release.
pub fn read_certificate(path: &Path) -> Result<Certificate, Error> {
    let text = std::fs::read_to_string(path).map_err(|reason| Error::Open {
        path: path.to_owned(),
        reason,
    })?;
    let wrong = |reason: String| Error::Certificate {
        path: path.to_owned(),
        reason,
    };
    let certificate: Certificate =
        serde_json::from_str(&text).map_err(|error| wrong(format!("not a certificate: {error}")))?;
    if certificate.version != VERSION {
        return Err(wrong(format!(
            "version {} is not known here; known: {VERSION}",
            certificate.version
        )));
    }
    Ok(certificate)
}

/// A release that was written.
#[derive(Debug)]
pub struct Publication {
    /// Its folder.
    pub folder: PathBuf,
    /// The released table.
    pub released: PathBuf,
    /// What went out with it.
    pub certificate: Certificate,
    /// Each template with its level, in words: `anonymity of job, sex: 16 (at least 4)`.
    pub levels: Vec<String>,
    /// How it was found; `None` if it was masked as another release.
    pub trace: Option<TraceFile>,
    /// Why each quasi column is not refined further; empty if it was masked as another release.
    pub stops: Vec<Stop>,
    /// What an adversary makes of it, if that was asked for.
    pub attack: Option<AttackReport>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// How long it took.
    pub timings: Timings,
}

/// How long each part of the flow took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Reading the data.
    pub load: Duration,
    /// Finding the masks.
    pub search: Duration,
    /// Applying them and recounting the result.
    pub audit: Duration,
    /// Writing, and making sure that it is on disk.
    pub write: Duration,
}

/// What was decided: one mask per column of the table, and the rows to leave out; how, if it was searched for.
struct Decision<'t> {
    masks: Vec<(Mask, Option<&'t Taxonomy>, bool)>,
    left_out: Option<Vec<bool>>,
    trace: Option<TraceFile>,
    stops: Vec<Stop>,
}

/// Publishes the data of a policy.
pub fn publish(policy: &Policy, options: &Options) -> Result<Publication, Error> {
    let folder = options.folder.unwrap_or(&policy.release.folder);
    // First of all, so that nobody waits for a release that cannot be written.
    let aside = Aside::create(folder, options.replace)?;
    let mut timings = Timings::default();

    let taxonomies = policy.taxonomies()?;
    let mut plan = None;
    let loaded = timed(&mut timings.load, || {
        let drop_missing = policy.data.missing == Missing::Drop;
        let bind = |header: &[String]| -> Result<_, Error> {
            let bound = policy.plan(header, &taxonomies)?;
            Ok(plan.insert(bound).reading.clone())
        };
        read(&policy.data.source(), drop_missing, bind, options.watch)
    })?;
    let Loaded {
        mut table,
        rows_read,
        rows_dropped,
        ..
    } = loaded;
    if u32::try_from(table.rows()).is_err() {
        return Err(Error::TooManyRows(table.rows()));
    }
    let plan = plan.expect("reading asks for the plan before it reads a row");
    policy.check_data(&plan, &taxonomies, &table)?;
    let populations = read_populations(policy, &plan, &mut table, options.watch)?;

    let decision = timed(&mut timings.search, || match options.mask {
        None => search(policy, &plan, &table, &populations, options.watch),
        Some(certificate) => take_masks(policy, &plan, &table, &populations, certificate),
    })?;
    let audited = timed(&mut timings.audit, || {
        let released = Released::new(table, &decision.masks, decision.left_out.as_deref());
        let people = populations
            .iter()
            .map(|people| people.labelled(&decision.masks, &released));
        let people: Vec<_> = people.collect();
        audit(released, &plan.requirement, &people)
    })
    .map_err(|failed| {
        let levels = failed.findings.iter().map(|finding| (finding.level, finding.holds));
        Error::AuditFailed(shortfalls(&plan, levels))
    })?;

    let rows_left_out = rows_read - rows_dropped - audited.release().rows();
    let attack = options.attack.then(|| attack_simulated(audited.release(), &plan));
    let certificate = certify(
        policy,
        &plan,
        &decision,
        &audited,
        rows_left_out,
        rows_dropped,
        options.mask.is_some(),
    );
    let file = policy.release.format.file_name();
    timed(&mut timings.write, || -> Result<(), Error> {
        write_release(
            &audited,
            policy.release.order,
            policy.release.format,
            aside.file(file)?,
            options.watch,
        )?;
        write_json(&aside, "certificate.json", &certificate)?;
        if let Some(trace) = &decision.trace {
            write_json(&aside, "private/trace.json", trace)?;
        }
        if let Some(attack) = &attack {
            write_json(&aside, "private/attack.json", attack)?;
        }
        Ok(aside.commit()?)
    })?;
    let found = plan.requirement.templates.iter().zip(audited.findings());
    Ok(Publication {
        folder: folder.to_owned(),
        released: folder.join(file),
        certificate,
        levels: found
            .map(|(template, finding)| plan.describe_level(template, finding.level))
            .collect(),
        trace: decision.trace,
        attack,
        stops: decision.stops,
        warnings: plan.warnings,
        timings,
    })
}

fn timed<T>(duration: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *duration = start.elapsed();
    result
}

fn search<'t>(
    policy: &Policy,
    plan: &Plan<'t>,
    table: &Table,
    populations: &[People],
    watch: &dyn Watch,
) -> Result<Decision<'t>, Error> {
    watch.started("searching", None);
    let people: Vec<Population> = populations.iter().map(People::coded).collect();
    let problem = Search {
        table,
        populations: &people,
        quasi: plan.quasi.clone(),
        class: plan.class,
        requirement: &plan.requirement,
        objective: policy.method.objective,
        rows_left_out_at_most: row_budget(policy, table),
        steps: policy.method.steps,
    };
    match refine(&problem, |_| !watch.should_stop()) {
        Outcome::Interrupted => Err(Error::Interrupted),
        Outcome::CannotBeMet(levels) => {
            let templates = plan.requirement.templates.iter().zip(levels);
            let levels = templates.map(|(template, level)| (level, template.is_met_by(level)));
            Err(Error::CannotBeMet(shortfalls(plan, levels)))
        }
        Outcome::Refined(refined) => {
            let mask = |id: ColumnId| {
                let place = plan.quasi.iter().position(|quasi| quasi.id == id);
                place.map_or(Mask::Exact, |place| refined.masks[place].clone())
            };
            Ok(Decision {
                masks: with_columns(plan, mask),
                stops: refined.stops.iter().map(|stop| Stop::new(plan, stop)).collect(),
                left_out: refined.left_out.clone(),
                trace: Some(trace_file(plan, refined)),
            })
        }
    }
}

/// Masks as a certificate says; rows whose groups break the requirement are left out within the row budget.
fn take_masks<'t>(
    policy: &Policy,
    plan: &Plan<'t>,
    table: &Table,
    populations: &[People],
    certificate: &Certificate,
) -> Result<Decision<'t>, Error> {
    let written = certificate.masks();
    let mut read = Vec::new();
    for quasi in &plan.quasi {
        let column = &plan.columns[quasi.id.0];
        let fits = |reason: String| Error::MaskDoesNotFit {
            column: column.name.clone(),
            reason,
        };
        let mask = written
            .get(&column.name[..])
            .ok_or_else(|| fits("the certificate has no such column".to_owned()))?;
        let mask = mask.map_or(Ok(Mask::Exact), |mask| mask.read(column.taxonomy));
        let mask = mask.map_err(|error| fits(error.to_string()))?;
        if !is_of(&mask, &quasi.operation) {
            return Err(fits(
                "the certificate masks it in another way than its type and taxonomy ask for".to_owned(),
            ));
        }
        read.push((quasi.id, mask));
    }
    let mask = |id: ColumnId| {
        read.iter()
            .find(|(own, _)| *own == id)
            .map_or(Mask::Exact, |(_, mask)| mask.clone())
    };
    let masks = with_columns(plan, mask);
    let plain: Vec<(Mask, Option<&Taxonomy>)> = masks.iter().map(|(mask, tree, _)| (mask.clone(), *tree)).collect();
    let people: Vec<Population> = populations.iter().map(People::coded).collect();
    let left_out = rows_to_leave_out(table, &people, &plain, &plan.requirement);
    let rows = left_out.iter().flatten().filter(|&&out| out).count() as u64;
    let most = row_budget(policy, table);
    if rows > most {
        return Err(Error::MaskBreaksRequirement { rows, most });
    }
    Ok(Decision {
        masks,
        left_out,
        trace: None,
        stops: Vec::new(),
    })
}

/// Whether a mask is what an operation makes.
fn is_of(mask: &Mask, operation: &Operation) -> bool {
    match mask {
        Mask::Exact => true,
        Mask::Generalize(_) => matches!(operation, Operation::Generalize(_)),
        Mask::Suppress(_) => matches!(operation, Operation::Suppress),
        Mask::Discretize(_) => matches!(operation, Operation::Discretize(_)),
    }
}

/// A mask for every column of the table, with its taxonomy and whether it is published.
fn with_columns<'t>(plan: &Plan<'t>, mask: impl Fn(ColumnId) -> Mask) -> Vec<(Mask, Option<&'t Taxonomy>, bool)> {
    let columns = plan.columns.iter().enumerate();
    columns
        .map(|(id, column)| (mask(ColumnId(id)), column.taxonomy, column.is_published()))
        .collect()
}

fn row_budget(policy: &Policy, table: &Table) -> u64 {
    (policy.method.rows_suppressed_at_most * table.rows() as f64) as u64
}

/// The templates that do not hold, given the level of each and whether it holds.
fn shortfalls(plan: &Plan, levels: impl IntoIterator<Item = (f64, bool)>) -> Vec<Shortfall> {
    let templates = plan.requirement.templates.iter().zip(levels);
    templates
        .filter(|(_, (_, holds))| !holds)
        .map(|(template, (level, _))| Shortfall {
            template: plan.describe(template),
            level: Level::of(template, level).written(template.sense()),
            nearest: nearest_bound(template, level),
            final_for_finer: template.is_anti_monotone(),
        })
        .collect()
}

fn certify(
    policy: &Policy,
    plan: &Plan,
    decision: &Decision,
    audited: &Audited,
    rows_left_out: usize,
    rows_dropped: usize,
    taken: bool,
) -> Certificate {
    let release = audited.release();
    let quasi = plan.quasi.iter().map(|quasi| release.columns()[quasi.id.0].penalty());
    Certificate {
        version: VERSION,
        method: MethodSettings {
            name: if taken { "mask" } else { "refine" }.to_owned(),
            objective: (!taken).then(|| policy.method.objective_word().to_owned()),
            rows_suppressed_at_most: policy.method.rows_suppressed_at_most,
            steps: policy.method.steps.filter(|_| !taken),
        },
        rows: Counted {
            published: release.rows() as u64,
            left_out: rows_left_out as u64,
            dropped: rows_dropped as u64,
        },
        require: plan.certify(audited.findings()),
        columns: plan
            .columns
            .iter()
            .zip(&decision.masks)
            .zip(release.columns())
            .filter(|(_, released)| released.published)
            .map(|((column, (mask, taxonomy, _)), released)| CertifiedColumn {
                name: column.name.clone(),
                role: column.role.word().to_owned(),
                mask: CertifiedMask::of(&only_shown(mask, released), *taxonomy),
            })
            .collect(),
        information_loss: quasi.sum::<f64>() / plan.quasi.len() as f64,
        risks: Some(risks(
            release,
            &plan.quasi.iter().map(|quasi| quasi.id).collect::<Vec<_>>(),
        )),
    }
}

/// The mask without the disclosed values that only rows left out hold: the release does not show them, so the
/// certificate must not.
fn only_shown(mask: &Mask, released: &ReleasedColumn) -> Mask {
    match mask {
        Mask::Suppress(disclosed) => {
            let (shown, _) = released.shown();
            let shown: HashSet<&str> = shown.texts().iter().collect();
            let is_shown = |value: &&Option<String>| value.as_deref().is_none_or(|text| shown.contains(text));
            Mask::Suppress(disclosed.iter().filter(is_shown).cloned().collect())
        }
        other => other.clone(),
    }
}

fn trace_file(plan: &Plan, refined: Refined) -> TraceFile {
    let levels = |levels: Vec<f64>| {
        let templates = plan.requirement.templates.iter().zip(levels);
        templates.map(|(template, level)| Level::of(template, level)).collect()
    };
    let steps = refined.trace.steps.into_iter().map(|step| TraceStep {
        column: plan.quasi_name(step.column).to_owned(),
        value: step.value,
        into: step.into,
        gain: step.gain,
        loss: step.loss,
        score: step.score,
        levels: levels(step.levels),
        rows_left_out: step.left_out,
    });
    TraceFile {
        start: levels(refined.trace.start),
        steps: steps.collect(),
        stops: refined.stops.into_iter().map(|stop| traced(plan, stop)).collect(),
    }
}

fn write_json(aside: &Aside, name: &str, value: &impl serde::Serialize) -> Result<(), Error> {
    use std::io::Write;
    let mut text = serde_json::to_string_pretty(value).expect("our own types are plain JSON");
    text.push('\n');
    let written = aside.file(name)?.write_all(text.as_bytes());
    Ok(written.map_err(|source| WriteError::Io {
        path: name.into(),
        source,
    })?)
}
