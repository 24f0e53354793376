//! The steps of one party, from the greeting to the last word.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use scumble_mashup::{Coded, Contribution, Duties, Fault, Foreseen, Mail, MaskedColumn, Session, Terms};
use scumble_privacy::History;
use scumble_progress::{Running, Stage, Watch};
use scumble_refine::{Operation, PartySearch, Problem, QuasiColumn};
use scumble_report::{Certificate, CertifiedMask};
use scumble_store::Aside;
use scumble_table::{Column, ColumnId, Mask, ReleasedColumn, Table};

use crate::error::Error;
use crate::errors::MashupError;
use crate::warning::Warning;
use scumble_bind::{Plan, PlannedColumn, check_unique, is_nearly_unique};
use scumble_policy::Agreement;
use scumble_policy::{Role, Taxonomies};

use super::own::Own;
use super::release::Parts;
use super::terms::AgreedTerms;

/// What the steps work on.
pub(super) struct Steps<'s> {
    pub agreement: &'s Agreement,
    pub plan: &'s Plan,
    pub taxonomies: &'s Taxonomies,
    pub own: &'s Own<'s>,
    pub aside: &'s Aside,
    pub watch: &'s dyn Watch,
}

/// What came of them.
pub(super) struct Done {
    pub certificate: Certificate,
    pub levels: Vec<String>,
    /// What there is to say of formulas in the release.
    pub formulas: Option<Warning>,
    pub records: usize,
    pub refinements: usize,
    pub timings: StepTimings,
}

/// How long they took.
#[derive(Default)]
pub(super) struct StepTimings {
    pub align: Duration,
    pub search: Duration,
    pub audit: Duration,
    pub write: Duration,
}

/// Why they ended early.
pub(super) enum Stopped {
    /// Because of what a party sent.
    Fault(Fault),
    /// Because of ourselves.
    Error(Error),
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Stopped::Fault(fault)
    }
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Stopped::Error(error)
    }
}

impl Steps<'_> {
    /// Takes all steps.
    pub async fn take(&self, mail: Mail) -> Result<Done, Stopped> {
        let mut timings = StepTimings::default();
        let mut clock = Instant::now();
        let mut lap = |part: &mut Duration| *part = std::mem::replace(&mut clock, Instant::now()).elapsed();

        let session = Session::greet(mail, &self.agreement.canonical()).await?;
        let finding = Running::begin(self.watch, Stage::FindingCommonRecords, None);
        let (id, own_rows) = (|row| self.own.id(row), self.own.rows);
        let aligned = match self.agreement.same_records {
            true => session.align_same(&id, own_rows).await?,
            false => session.align(&id, own_rows).await?,
        };
        let rows = aligned.rows().to_vec();
        let records = rows.len();
        let holders = self.class_holders();
        let class = self.plan.class.filter(|&id| self.own.has(id));
        let class = class.map(|id| Coded::of_column(&self.own.pick(id, &rows)));
        let terms = self.terms();
        let can_be = |class: &Coded| self.plan.class.is_some_and(|id| terms.can_hold(id.0, class));
        let (ready, class) = aligned.share_class(&holders, class, can_be).await?;
        let table = self.table(&rows, class.as_ref());
        // Of the common records more may differ than of all that we have; and nothing of them is told yet.
        let is_unique = |id: ColumnId| self.own.has(id) && is_nearly_unique(table.column(id));
        check_unique(&self.agreement.policy, self.plan, is_unique).map_err(Error::from)?;
        finding.done();
        lap(&mut timings.align);

        let searching = Running::begin(self.watch, Stage::SearchingTogether, None);
        let owners = self.owners();
        let quasi = self.plan.quasi.clone();
        let foreseen: Vec<(ColumnId, Foreseen)> = self.plan.quasi_columns().iter().map(foreseen).collect();
        let duties = Duties::new(&self.plan.requirement, &foreseen, &owners, self.agreement.parties.len());
        let (requirement, elsewhere) = duties.of_party(self.own.place);
        let (history, policy) = (History::default(), &self.agreement.policy);
        let problem = Problem {
            table: &table,
            populations: &[],
            history: &history,
            quasi: self.own_quasi(),
            class: self.plan.class,
            requirement: &requirement,
            elsewhere,
            objective: policy.method.objective,
            weigh: policy.method.weigh,
            rows_left_out_at_most: 0,
            steps: None,
        };
        let search = PartySearch::new(&problem);
        let fixed = ready.search(&duties, &table, search, policy.method.steps).await?;
        let refinements = fixed.refinements;
        searching.done();
        lap(&mut timings.search);

        let putting = Running::begin(self.watch, Stage::PuttingTogether, None);
        let ours = (0..quasi.len()).filter(|&column| self.own.has(quasi[column]));
        let ours: Vec<(usize, Mask)> = ours.map(|column| (column, fixed.mask(column))).collect();
        let plan = self.plan;
        let ours = ours
            .par_iter()
            .map(|(column, mask)| (*column, masked(plan, table.column(quasi[*column]), mask)));
        let ours: BTreeMap<usize, MaskedColumn> = ours.collect();
        let told = fixed.tell(ours, &terms).await?;
        let plain = self.plain_columns();
        let ours = plain.iter().filter(|(_, owner)| *owner == self.own.place);
        let ours = ours
            .map(|&(id, _)| (id, Coded::of_column(table.column(ColumnId(id)))))
            .collect();
        let sound = told.agree(&ours, class.as_ref()).await?;
        let how = match self.agreement.by_record {
            true => Contribution::ByRecord,
            false => Contribution::ByGroup,
        };
        let (whole, masked, plain) = sound.contribute(ours, &plain, how, &terms).await?;
        drop(table);
        let parts = Parts {
            agreement: self.agreement,
            plan: self.plan,
            records,
            masked,
            plain,
            class,
        };
        let audited = parts.audit(self.taxonomies, self.watch)?;
        lap(&mut timings.audit);

        let (formulas, digest) = audited.write(self.aside, self.watch)?;
        if let Some(column) = audited.recount_from_file(self.aside, self.watch)? {
            return Err(self.misread(column));
        }
        whole.compare(digest).await?;
        putting.done();
        lap(&mut timings.write);
        Ok(Done {
            levels: audited.levels(),
            formulas,
            certificate: audited.certificate().clone(),
            records,
            refinements,
            timings,
        })
    }

    fn terms(&self) -> AgreedTerms<'_> {
        AgreedTerms {
            agreement: self.agreement,
            plan: self.plan,
            own: self.own,
        }
    }

    /// What is to blame for a file that does not hold what was told of a column.
    fn misread(&self, column: ColumnId) -> Stopped {
        let owner = self.agreement.owners(&self.plan.columns[column.0].name).first();
        match owner.filter(|_| !self.own.has(column)) {
            Some(&from) => Stopped::Fault(Fault::Contradiction { from, what: "a column" }),
            None => {
                let column = self.plan.columns[column.0].name.clone();
                Stopped::Error(MashupError::NotAsItIs { column }.into())
            }
        }
    }

    /// The joined table as far as we know it.
    fn table(&self, rows: &[u32], class: Option<&Coded>) -> Table {
        let (own, class_id) = (self.own, self.plan.class);
        let column = |(place, planned): (usize, &PlannedColumn)| {
            let id = ColumnId(place);
            match class.filter(|_| Some(id) == class_id) {
                _ if own.has(id) => own.pick(id, rows),
                Some(class) => own.told(id, &class.texts, &class.of_record),
                None => Column::unknown(&planned.name, rows.len()),
            }
        };
        let columns = self.plan.columns.par_iter().enumerate().map(column);
        Table::new(rows.len(), columns.collect())
    }

    /// The quasi columns; those of others can only be followed.
    fn own_quasi(&self) -> Vec<QuasiColumn<'_>> {
        let quasi = self.plan.quasi_columns().into_iter().map(|quasi| QuasiColumn {
            id: quasi.id,
            operation: match self.own.has(quasi.id) {
                true => quasi.operation,
                false => Operation::Foreign,
            },
        });
        quasi.collect()
    }

    /// Who has each column; nobody in particular has the class.
    fn owners(&self) -> Vec<Option<usize>> {
        let columns = self.plan.columns.iter();
        let owner = |column: &PlannedColumn| match column.role {
            Role::Class => None,
            _ => self.agreement.owners(&column.name).first().copied(),
        };
        columns.map(owner).collect()
    }

    fn class_holders(&self) -> Vec<usize> {
        let class = self.plan.class.map(|id| &self.plan.columns[id.0].name[..]);
        class.map_or_else(Vec::new, |name| self.agreement.owners(name).to_vec())
    }

    /// The columns that are published as they are, and who has each.
    fn plain_columns(&self) -> Vec<(usize, usize)> {
        let columns = self.plan.columns.iter().enumerate().zip(self.owners());
        let plain = columns.filter(|((_, column), _)| matches!(column.role, Role::Sensitive | Role::Other));
        plain.filter_map(|((place, _), owner)| Some((place, owner?))).collect()
    }
}

/// What the agreement says of a column that is refined.
fn foreseen(quasi: &QuasiColumn) -> (ColumnId, Foreseen) {
    let foreseen = match quasi.operation {
        Operation::Generalize(taxonomy) => Foreseen {
            // The missing value may hang under the root.
            fan_out: taxonomy
                .nodes()
                .map(|node| taxonomy.children(node).len())
                .max()
                .unwrap_or(0) as u32
                + 1,
            refinements: Some(taxonomy.nodes().len() + 1),
        },
        Operation::Discretize(_) | Operation::Suppress | Operation::Foreign => Foreseen {
            fan_out: 2,
            refinements: None,
        },
    };
    (quasi.id, foreseen)
}

/// What a column of our own shows.
fn masked(plan: &Plan, column: &Column, mask: &Mask) -> MaskedColumn {
    let id = plan.columns.find(&column.name);
    let taxonomy = id.and_then(|id| plan.columns[id.0].taxonomy());
    let shown = ReleasedColumn::new(column.clone(), mask, taxonomy, true);
    let of_record = shown.codes().look_up(shown.label_of_code());
    let written = CertifiedMask::of(mask, taxonomy);
    MaskedColumn {
        mask: serde_json::to_string(&written).expect("our own types are plain JSON"),
        penalty: shown.penalty(),
        cells: Coded::new(shown.labels(), &of_record),
    }
}
