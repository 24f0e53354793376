//! Reading earlier releases: their headers before the policy is bound to its data, and then the columns that it needs.

use crate::sources::header_of;
use scumble_bind::Head;
use scumble_policy::Spanned;
use std::io::ErrorKind;

use scumble_grouping::Form;
use scumble_progress::{Stage, Watch};
use scumble_report::{Certificate, CertifiedMask};
use scumble_store::{FileSource, ReadError};
use scumble_table::Reading;
use scumble_table::{Table, Written};

use crate::certificate::CertificateBeside;
use crate::error::Error;
use crate::errors::InputError;
use crate::released::source_of_release;
use scumble_bind::{Holds, unite};
use scumble_bind::{Plan, PlannedEarlier};
use scumble_policy::Problems;
use scumble_policy::{Cells, CellsOf, EarlierPolicy, Policy, Role, form_of, quoted};

/// Reads the headers of the earlier releases, and the certificates beside them.
pub(crate) fn read_heads(policy: &Policy) -> Result<Vec<Head>, Error> {
    let mut problems = Problems::new(policy.source());
    let mut heads = Vec::new();
    for release in &policy.earlier {
        match header_of(&source(release)) {
            Ok(header) => heads.push(read_head(release, header, &mut problems)?),
            Err(error) if is_not_there(&error) => report_no_file(release, &mut problems),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(problems.none_or(heads)?)
}

/// Reads the earlier releases of a plan: of each the columns that the plan lists.
///
/// # Errors
/// A release that cannot be read, or has more rows than can be numbered.
pub fn read_earlier(policy: &Policy, plan: &Plan, watch: &dyn Watch) -> Result<Vec<Table>, Error> {
    let releases = policy.earlier.iter().zip(&plan.earlier);
    let read = |(release, planned): (&EarlierPolicy, &PlannedEarlier)| {
        let mut table = read_release(release, planned, watch)?;
        unite(&policy.columns, &mut table, Holds::Labels);
        Ok(table)
    };
    Stage::ReadingEarlier.run(watch, |_| releases.map(read).collect())
}

fn read_release(release: &EarlierPolicy, planned: &PlannedEarlier, watch: &dyn Watch) -> Result<Table, Error> {
    let reading = |name: &String| match planned.find(name) {
        Some(_) => Reading::Text,
        None => Reading::Skip,
    };
    let opened = source(release).open(watch)?;
    let readings: Vec<Reading> = opened.header().iter().map(reading).collect();
    let table = opened.read(&readings, false, watch)?.table;
    match u32::try_from(table.rows()) {
        Ok(_) => Ok(table),
        Err(_) => Err(InputError::TooManyRows(table.rows()).into()),
    }
}

/// A release is read as it was written, whatever the policy says of its own data.
fn source(release: &EarlierPolicy) -> FileSource {
    let source = source_of_release(release.file.get_ref(), None);
    FileSource {
        trim: release.trim.unwrap_or(source.trim),
        ..source
    }
}

/// What a ledger knows, or the certificate beside the file.
fn read_head(release: &EarlierPolicy, header: Vec<String>, problems: &mut Problems) -> Result<Head, Error> {
    let certificate = certified(release)?;
    if certificate
        .as_ref()
        .is_some_and(|certificate| certificate.secrets.is_some())
    {
        let message =
            "the secrets of this release are in another file, by group, and the join with two tables is not counted";
        let help = "take the section out, and know that what both tell together is not bounded".to_owned();
        release.report(release.file.span(), message, Some(help), problems);
    }
    // What the policy says goes before what the certificate does.
    let said = release
        .cells
        .iter()
        .map(|(column, cells)| (column.get_ref().clone(), *cells));
    let certified = certificate.iter().flat_map(certified_cells);
    let certified = certified.map(|(column, cells)| (column.into_inner(), cells));
    let cells = said.chain(certified).collect();
    let (quasi, recoded) = match &release.quasi {
        Some(quasi) => (quasi.clone(), release.recoded.clone()),
        None => certificate.map_or_else(Default::default, |certificate| quasi_columns(&certificate)),
    };
    let has = |name: &String| header.contains(name);
    Ok(Head {
        quasi: quasi.into_iter().filter(has).collect(),
        recoded: recoded.into_iter().filter(has).collect(),
        cells,
        header,
    })
}

fn certified(release: &EarlierPolicy) -> Result<Option<Certificate>, Error> {
    if release.from_ledger {
        return Ok(None);
    }
    CertificateBeside::of(release.file.get_ref()).certificate()
}

/// The quasi columns of a release, and those of them that are recoded by suppression.
pub(crate) fn quasi_columns(certificate: &Certificate) -> (Vec<String>, Vec<String>) {
    let columns = certificate.columns.iter();
    let quasi = columns.filter(|column| column.role == Role::Quasi.word());
    let is_recoded = |mask: &Option<CertifiedMask>| matches!(mask, Some(CertifiedMask::Suppress { .. }));
    let recoded = quasi.clone().filter(|column| is_recoded(&column.mask));
    (
        quasi.map(|column| column.name.clone()).collect(),
        recoded.map(|column| column.name.clone()).collect(),
    )
}

/// What the cells of the columns of a release are, by how it masks them. Of a form that is not known nothing is said.
pub(crate) fn certified_cells(certificate: &Certificate) -> Vec<(Spanned<String>, Cells)> {
    let columns = certificate.columns.iter().filter_map(|column| {
        let cells = match &column.mask {
            None => Some((CellsOf::AsHere, Written::Exact)),
            Some(mask) => cells_of(mask),
        };
        let (of, written) = cells?;
        Some((Spanned::new(0..0, column.name.clone()), Cells { of, written }))
    });
    columns.collect()
}

fn cells_of(mask: &CertifiedMask) -> Option<(CellsOf, Written)> {
    match mask {
        CertifiedMask::Generalize { .. } => Some((CellsOf::Nodes, Written::Generalized)),
        CertifiedMask::Suppress { .. } => Some((CellsOf::AsHere, Written::Suppressed)),
        CertifiedMask::Discretize { .. } => Some((CellsOf::Numbers, Written::Generalized)),
        CertifiedMask::Group { form } => match form_of(form)? {
            Form::Ancestor => Some((CellsOf::Nodes, Written::Generalized)),
            Form::Interval => Some((CellsOf::Numbers, Written::Generalized)),
            Form::Set => Some((CellsOf::AsHere, Written::Sets)),
            Form::Mean | Form::Median | Form::Mode => Some((CellsOf::AsHere, Written::Centres)),
        },
    }
}

fn is_not_there(error: &ReadError) -> bool {
    matches!(error, ReadError::Io { source, .. } if source.kind() == ErrorKind::NotFound)
}

fn report_no_file(release: &EarlierPolicy, problems: &mut Problems) {
    let path = quoted(&release.file.get_ref().display().to_string());
    let name = quoted(release.name.get_ref());
    let (message, help) = match release.from_ledger {
        true => (
            format!("the ledger lists release {name}, and there is no file {path}"),
            "put it back, or take it out of the ledger".to_owned(),
        ),
        false => (
            format!("there is no file {path} of release {name}"),
            "name one relative to the policy".to_owned(),
        ),
    };
    release.report(release.file.span(), message, Some(help), problems);
}
