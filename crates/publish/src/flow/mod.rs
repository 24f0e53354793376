//! The main job: policy in, audited release out.
//!
//! ```text
//! plan ─► load ─► search ─► mask ─► audit ─► write
//! ```
//!
//! One direction, no way back. Only what the audit lets through can be written, and the folder of the release appears
//! whole or not at all.

mod apart;
mod certify;
mod decide;
mod gather;
mod justify;
mod pictures;
mod recoding;

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use scumble_attack::AttackReport;
use scumble_privacy::{Audited, Failed, Promises, audit};
use scumble_progress::{Running, Stage, Watch};
use scumble_report::{Certificate, Frontier, Level, TraceFile};
use scumble_store::{Aside, Loaded, ReleasePart, WriteError, write_columns, write_release};
use scumble_table::RowOrder;
use scumble_table::{ReleasedColumn, Table};

use crate::attack::attack_simulated;
use crate::cells::Declared;
use crate::error::{Error, Shortfall};
use crate::evaluate::{Beside, Evaluate, Evaluation};
use crate::formulas::FormulaReport;
use crate::frontier::AtLevel;
use crate::join::{Cover, join};
use crate::ledger::{ComparedVersion, Newest, OpenLedger, Remember};
use crate::load::load_data;
use crate::loss::loss_per_group;
use crate::page::Material;
use crate::population::read_populations;
use crate::stops::Stop;
use crate::texts::read_taxonomies;
use crate::warning::Warning;
use scumble_bind::{Plan, check_unique, is_nearly_unique, nearest_bound};
use scumble_policy::{Policy, Release};

use apart::Apart;
pub(crate) use certify::certify;
pub(crate) use decide::Decision;
use decide::decide;
pub(crate) use gather::{may_be_in_a_set, no_set};
pub(crate) use recoding::Recoding;

use pictures::{after_masking, before_masking, lost, pictures};

/// What the one who calls decides, beside the policy.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// Where to put the release, if not where the policy says.
    pub folder: Option<&'o Path>,
    /// Whether a release that is there already may be replaced.
    pub replace: bool,
    /// Mask as this certificate does, instead of searching.
    pub mask: Option<&'o Certificate>,
    /// Stop before the level of any template of these kinds gets worse than this.
    pub at_level: &'o [AtLevel],
    /// Whether to attack the release too, as someone would who knows every quasi column.
    pub attack: bool,
    /// The ledger of earlier releases, which are then taken into account.
    pub ledger: Option<Remember<'o>>,
    /// What to measure beside the information loss, if anything.
    pub evaluate: Option<&'o Evaluate>,
    /// Who sees the progress and may stop it.
    pub watch: &'o dyn Watch,
}

impl<'o> Options<'o> {
    /// All as the policy says: search, attack nothing, replace nothing.
    pub fn new(watch: &'o dyn Watch) -> Self {
        Options {
            folder: None,
            replace: false,
            mask: None,
            at_level: &[],
            attack: false,
            ledger: None,
            evaluate: None,
            watch,
        }
    }
}

/// A release that was written.
#[derive(Debug)]
pub struct Publication {
    /// Its folder.
    pub folder: PathBuf,
    /// The released table.
    pub released: PathBuf,
    /// The table with the secrets, if they are published apart.
    pub secrets: Option<PathBuf>,
    /// What went out with it.
    pub certificate: Certificate,
    /// Each template with its level, in words: `anonymity of job, sex: 16 (at least 4)`.
    pub levels: Vec<String>,
    /// How far the earlier releases are about the same people.
    pub cover: Cover,
    /// What comparing it with earlier versions of the same columns tells.
    pub versions: Vec<ComparedVersion>,
    /// What the ledger calls it, if there is one.
    pub entry: Option<String>,
    /// How it was found; `None` if it was masked as another release.
    pub trace: Option<TraceFile>,
    /// What each level on the way would have cost; `None` if it was masked as another release.
    pub frontier: Option<Frontier>,
    /// Why each quasi column is not refined further; empty if it was masked as another release.
    pub stops: Vec<Stop>,
    /// What an adversary makes of it, if that was asked for.
    pub attack: Option<AttackReport>,
    /// What was measured of it, if that was asked for.
    pub evaluation: Option<Evaluation>,
    /// The columns of the data that are not published because the policy does not list them.
    pub columns_left_out: Vec<String>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// How long it took.
    pub timings: Timings,
}

/// What the page of a release says of the run itself.
pub(crate) struct ReleaseFacts {
    /// The file name of the data.
    pub data: String,
    /// The file name of the released table.
    pub file: &'static str,
    /// The number of steps after which the search was told to stop.
    pub steps: Option<usize>,
}

/// How long each part of the flow took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Reading the data.
    pub load: Duration,
    /// Reading earlier releases, and what they cover.
    pub join: Duration,
    /// Finding the masks.
    pub search: Duration,
    /// Applying them and recounting the result.
    pub audit: Duration,
    /// Writing, and making sure that it is on disk.
    pub write: Duration,
}

/// Publishes the data of a policy.
pub fn publish(policy: &Policy, options: &Options) -> Result<Publication, Error> {
    let folder = options.folder.unwrap_or(&policy.release.folder);
    // First of all, so that nobody waits for a release that cannot be written.
    let aside = Aside::create(folder, options.replace)?;
    let mut timings = Timings::default();

    let taxonomies = read_taxonomies(policy)?;
    let file = policy.release.format.file_name();
    let remember = options.ledger.as_ref();
    let open = |remember| OpenLedger::open(policy, &taxonomies, remember, folder.join(file), options.watch);
    let (mut ledger, past) = remember.map(open).transpose()?.unzip();
    let past = past.unwrap_or_default();
    let policy = &policy.after(&past.joined);
    let like = remember
        .and_then(|remember| remember.like)
        .map(|name| past.version(name))
        .transpose()?;
    let options = &Options {
        mask: like.map(|version| &version.certificate).or(options.mask),
        ..*options
    };
    let (plan, loaded) = timed(&mut timings.load, || load_data(policy, &taxonomies, options.watch))?;
    let Loaded {
        mut table,
        rows_read,
        rows_dropped,
        ..
    } = loaded;
    check_unique(policy, &plan, |id| is_nearly_unique(table.column(id)))?;
    let populations = read_populations(policy, &plan, &mut table, options.watch)?;
    let (plan, joined) = timed(&mut timings.join, || join(policy, plan, &table, options.watch))?;

    let mut decision = timed(&mut timings.search, || {
        decide(policy, &plan, &table, &populations, &joined.history, options)
    })?;
    if let Some(left_out) = &decision.left_out
        && left_out.iter().all(|&out| out)
    {
        return Err(Error::NothingReleased { rows: table.rows() });
    }
    let is_coarser = decision.justify(policy, &plan, &table, &populations);
    let promises = Promises {
        requirement: decision.recoding.counted(&plan.requirement).into_owned(),
        loss_per_group: loss_per_group(policy, &plan, &taxonomies, Some(&table)).map_err(Error::DomainUnknown)?,
    };
    let before = before_masking(&plan, &table);
    let rows_before = table.rows() as u64;
    let data = options.evaluate.map(|_| table.clone());
    let audited = timed(&mut timings.audit, || {
        let released = decision.recoding.release(table, decision.left_out.as_deref());
        let released = released.with_formulas_as_text(policy.release.formulas_as_text());
        let people = populations
            .iter()
            .map(|people| people.labelled(decision.recoding.masks(), &released));
        let people: Vec<_> = people.collect();
        audit(released, promises, &people, &joined.history)
    })
    .map_err(|failed| {
        let found = match (options.mask, is_coarser) {
            (Some(_), _) => FoundBy::Certificate,
            (None, true) => FoundBy::Coarsening,
            (None, false) => FoundBy::Search,
        };
        did_not_pass(policy, &plan, found, &failed)
    })?;

    // Without the rows left out, what is published may be nearer to unique than the data.
    check_unique(policy, &plan, |id| {
        is_nearly_unique(&audited.release().columns()[id.0].as_read())
    })?;
    let rows_left_out = rows_read - rows_dropped - audited.release().rows();
    let group = decision.recoding.apart().map(Apart::group);
    let mut attack = options
        .attack
        .then(|| attack_simulated(audited.release(), &plan, group));
    let cover = &joined.cover;
    let certificate = certify(policy, &plan, &decision, &audited, cover, rows_left_out, rows_dropped);
    if let Some(attack) = &mut attack {
        attack.singled_out.clone_from(&certificate.singled_out);
    }
    let declared = Declared::new(&[], Some(&certificate), Some(policy));
    let after = after_masking(&before, audited.release());
    let versions = if past.versions.is_empty() {
        Vec::new()
    } else {
        let columns = audited.release().columns().iter().map(ReleasedColumn::as_read);
        let newest = Newest {
            policy,
            plan: &plan,
            taxonomies: &taxonomies,
            release: &Table::new(audited.release().rows(), columns.collect()),
            certificate: Some(&certificate),
        };
        newest.compare(&past.versions, options.watch)?
    };
    let newcomers = remember.map(|remember| remember.newcomers).unwrap_or_default();
    if !versions.iter().all(|version| version.holds(newcomers)) {
        return Err(Error::Republication(versions));
    }
    let evaluation = options
        .evaluate
        .zip(data.as_ref())
        .map(|(settings, data)| {
            let measuring = Running::begin(options.watch, Stage::Measuring, None);
            let published = audited.release().columns().par_iter().filter(|column| column.published);
            let columns = published.map(ReleasedColumn::as_read);
            let beside = Beside {
                policy,
                plan: &plan,
                data,
                release: &Table::new(audited.release().rows(), columns.collect()),
                declared: &declared,
            };
            let evaluation = beside.evaluate(settings, &certificate.require, attack.as_ref())?;
            measuring.done();
            Ok::<_, Error>(evaluation)
        })
        .transpose()?;
    let mut writing = Duration::default();
    let formulas = timed(&mut writing, || {
        write_tables(policy, &decision, &audited, &aside, options.watch)
    })?;
    let mut warnings: Vec<Warning> = plan.warnings.iter().cloned().map(Warning::from).collect();
    warnings.extend(formulas.warning(&policy.release));
    warnings.extend(Warning::of_alone("rows", certificate.singled_out.as_ref()));
    let groups = certificate.risks.as_ref().map_or(0, |risks| risks.groups);
    let lost = match evaluation {
        Some(_) => None,
        None => lost(&plan, &before, &after, &declared, rows_before, groups),
    };
    let material = Material {
        policy,
        plan: &plan,
        facts: ReleaseFacts {
            data: policy.data.file().map_or_else(|| policy.data.name(), name_of),
            file,
            steps: decision.steps,
        },
        certificate: &certificate,
        cover,
        versions: &versions,
        findings: audited.findings(),
        columns: pictures(&plan, &decision, &before, &after),
        trace: decision.trace.as_ref(),
        stops: &decision.stops,
        notes: &decision.notes,
        frontier: decision.frontier.as_ref(),
        attack: attack.as_ref(),
        lost,
        evaluation: evaluation.as_ref(),
        warnings: &warnings,
    };
    let page = material.page();
    timed(&mut timings.write, || -> Result<(), Error> {
        formulas.write(&aside)?;
        write_json(&aside, ReleasePart::Certificate, &certificate)?;
        if let Some(trace) = &decision.trace {
            write_json(&aside, ReleasePart::Trace, trace)?;
        }
        if let Some(attack) = &attack {
            write_json(&aside, ReleasePart::Attack, attack)?;
        }
        if let Some(evaluation) = &evaluation {
            write_json(&aside, ReleasePart::Evaluation, evaluation)?;
        }
        write_text(&aside, ReleasePart::Page, &page.html())?;
        write_text(&aside, ReleasePart::PlainPage, &page.markdown())?;
        let Some(ledger) = &mut ledger else {
            return Ok(aside.commit()?);
        };
        let released = aside.path(ReleasePart::Released(policy.release.format));
        ledger.add(&released, policy, &taxonomies, &plan, &certificate)?;
        aside.commit().map_err(|error| match ledger.take_back() {
            Ok(()) => error.into(),
            Err(in_ledger) => in_ledger,
        })
    })?;
    timings.write += writing;
    let found = plan.requirement.templates.iter().zip(audited.findings());
    Ok(Publication {
        folder: folder.to_owned(),
        released: folder.join(file),
        secrets: certificate.secrets.as_ref().map(|secrets| folder.join(&secrets.file)),
        certificate,
        levels: found
            .map(|(template, finding)| plan.describe_level(template, finding.level))
            .collect(),
        cover: joined.cover,
        versions,
        entry: ledger.map(|ledger| ledger.name().to_owned()),
        trace: decision.trace,
        frontier: decision.frontier,
        attack,
        evaluation,
        stops: decision.stops,
        columns_left_out: Warning::left_out(&warnings),
        warnings,
        timings,
    })
}

/// Where the masks of a release come from.
#[derive(Clone, Copy)]
enum FoundBy {
    /// The search, which promised all templates.
    Search,
    /// The search, and then made coarser so that rows left out do not show. A coarser table keeps all templates but those
    /// that are not anti-monotone.
    Coarsening,
    /// Another release, whose certificate promises nothing of the join, nor of what a group loses; no row can be left out
    /// for either.
    Certificate,
}

/// Why a release is not written.
fn did_not_pass(policy: &Policy, plan: &Plan, found: FoundBy, failed: &Failed) -> Error {
    let levels = failed.findings.iter().map(|finding| (finding.level, finding.holds));
    let shortfalls = shortfalls(plan, levels);
    let loss = failed.loss_per_group.filter(|loss| !loss.holds);
    let bound = policy.method.loss_at_most();
    match (loss.zip(bound), found) {
        (Some((loss, bound)), FoundBy::Certificate) => Error::MaskLosesTooMuch {
            level: loss.level,
            bound,
        },
        (Some((loss, bound)), FoundBy::Search | FoundBy::Coarsening) => Error::GroupLosesTooMuch {
            level: loss.level,
            bound,
        },
        (None, FoundBy::Certificate) if !plan.earlier.is_empty() => Error::MaskFails(shortfalls),
        (None, FoundBy::Coarsening) => Error::CannotBeMet(shortfalls),
        (None, FoundBy::Search | FoundBy::Certificate) => Error::AuditFailed(shortfalls),
    }
}

/// Writes the table of a release, or both, and tells where they have formulas. Secrets are always sorted: they must not be
/// in the order of the people.
fn write_tables(
    policy: &Policy,
    decision: &Decision,
    audited: &Audited,
    aside: &Aside,
    watch: &dyn Watch,
) -> Result<FormulaReport, Error> {
    let Release { order, format, .. } = policy.release;
    let mut formulas = FormulaReport::default();
    let part = ReleasePart::Released(format);
    let file = aside.file(part)?;
    let Some(apart) = decision.recoding.apart() else {
        formulas.add(part, write_release(audited, order, format, file, watch)?);
        return Ok(formulas);
    };
    formulas.add(
        part,
        write_columns(audited, &apart.people(), order, format, file, watch)?,
    );
    let part = ReleasePart::Secrets(format);
    let file = aside.file(part)?;
    let secrets = apart.secrets();
    formulas.add(
        part,
        write_columns(audited, &secrets, RowOrder::Sorted, format, file, watch)?,
    );
    Ok(formulas)
}

/// Does some work, and says how long it took.
pub(crate) fn timed<T>(duration: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *duration = start.elapsed();
    result
}

/// The templates that do not hold, given the level of each and whether it holds.
pub(crate) fn shortfalls(plan: &Plan, levels: impl IntoIterator<Item = (f64, bool)>) -> Vec<Shortfall> {
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

/// The last part of a path, without the folders: they are nobody's business.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub(crate) fn write_json(aside: &Aside, part: ReleasePart, value: &impl serde::Serialize) -> Result<(), Error> {
    use std::io::Write;
    let mut file = BufWriter::new(aside.file(part)?);
    // Our own types are plain JSON, so that nothing but the file can fail.
    let written = serde_json::to_writer_pretty(&mut file, value).map_err(std::io::Error::from);
    let written = written.and_then(|()| file.write_all(b"\n")).and_then(|()| file.flush());
    Ok(written.map_err(|source| WriteError::Io {
        path: part.path(),
        source,
    })?)
}

pub(crate) fn write_text(aside: &Aside, file: ReleasePart, text: &str) -> Result<(), Error> {
    write_to(aside.file(file)?, &file.path(), text)
}

/// Writes a text to a file that messages call `path`.
pub(crate) fn write_to(mut file: std::fs::File, path: &Path, text: &str) -> Result<(), Error> {
    use std::io::Write;
    let written = file.write_all(text.as_bytes());
    Ok(written.map_err(|source| WriteError::Io {
        path: path.to_owned(),
        source,
    })?)
}
