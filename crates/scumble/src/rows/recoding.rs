//! [`Recoding`]: how a table becomes a release, by masks of whole columns, by groups of rows, or in two tables.

use std::borrow::Cow;
use std::collections::HashSet;

use rayon::prelude::*;
use scumble_bind::{Plan, PlannedColumn};
use scumble_grouping::{Form, Grouping, Recoded, Shape, recode};
use scumble_privacy::Requirement;
use scumble_progress::{Interrupted, Work};
use scumble_report::CertifiedMask;
use scumble_table::{Column, ColumnId, Labels, Mask, Released, ReleasedColumn, Table, Taxonomy, ValueOrder};

use super::apart::Apart;
use crate::apart::by_group;
use scumble_policy::form_word;

/// How a table becomes a release.
#[derive(Debug)]
pub(crate) enum Recoding {
    /// One mask per column.
    Masks(Vec<Mask>),
    /// Groups of rows.
    Groups(Groups),
    /// Two tables, which groups of rows join.
    Apart(Apart),
}

/// Rows that are shown alike.
#[derive(Debug)]
pub(crate) struct Groups {
    /// The group of each row.
    pub grouping: Grouping,
    /// For each column of the table as what its groups are shown, or `None` if its rows are shown as they are.
    pub forms: Vec<Option<Form>>,
}

/// A mask for every column of a plan, with its taxonomy and whether it is published.
pub(crate) type ColumnMasks<'p> = Vec<(Mask, Option<&'p Taxonomy>, bool)>;

/// A mask for every column of a plan.
pub(super) fn for_columns(plan: &Plan, mask: impl Fn(ColumnId) -> Mask) -> Vec<Mask> {
    (0..plan.columns.len()).map(|id| mask(ColumnId(id))).collect()
}

impl Recoding {
    /// The release of a table.
    ///
    /// # Errors
    /// [`Interrupted`] if it should stop.
    pub fn release(
        &self,
        plan: &Plan,
        table: Table,
        left_out: Option<&[bool]>,
        work: Work,
    ) -> Result<Released, Interrupted> {
        match self {
            Recoding::Masks(_) => Ok(Released::new(table, &self.with_columns(plan), left_out)),
            Recoding::Groups(groups) => groups.release(plan, table, work),
            Recoding::Apart(apart) => apart.release(table, work),
        }
    }

    /// The masks with their columns, if there are any.
    pub fn with_columns<'p>(&self, plan: &'p Plan) -> ColumnMasks<'p> {
        let columns = self.masks().iter().zip(&plan.columns);
        columns
            .map(|(mask, column)| (mask.clone(), column.taxonomy(), column.is_published()))
            .collect()
    }

    /// What is counted in the release, so that the requirement holds.
    pub fn counted<'r>(&self, requirement: &'r Requirement) -> Cow<'r, Requirement> {
        match self.apart() {
            None => Cow::Borrowed(requirement),
            Some(apart) => {
                let templates = requirement.templates.iter();
                let templates = templates.map(|template| by_group(template, apart.group()));
                Cow::Owned(Requirement {
                    templates: templates.collect(),
                })
            }
        }
    }

    /// How the release is parted, if it is in two tables.
    pub fn apart(&self) -> Option<&Apart> {
        match self {
            Recoding::Apart(apart) => Some(apart),
            Recoding::Masks(_) | Recoding::Groups(_) => None,
        }
    }

    /// The masks, if there are any.
    pub fn masks(&self) -> &[Mask] {
        match self {
            Recoding::Masks(masks) => masks,
            Recoding::Groups(_) | Recoding::Apart(_) => &[],
        }
    }

    /// The mask of a column, if it is masked as a whole.
    pub fn mask(&self, id: ColumnId) -> Option<&Mask> {
        self.masks().get(id.0)
    }

    /// What the certificate says of a column.
    pub fn certified(&self, plan: &Plan, id: ColumnId, released: &ReleasedColumn) -> Option<CertifiedMask> {
        match self {
            Recoding::Masks(masks) => {
                CertifiedMask::of(&only_shown(&masks[id.0], released), plan.columns[id.0].taxonomy())
            }
            Recoding::Groups(groups) => groups.forms[id.0].map(|form| CertifiedMask::Group {
                form: form_word(form).to_owned(),
            }),
            Recoding::Apart(_) => None,
        }
    }
}

impl Groups {
    /// How each column is shown.
    fn shapes<'p>(&self, plan: &'p Plan) -> Vec<Option<Shape<'p>>> {
        let columns = self.forms.iter().zip(&plan.columns);
        let shape = |form: Form, column: &'p PlannedColumn| Shape {
            form,
            taxonomy: column.taxonomy(),
            range: column.declared_range(),
        };
        columns
            .map(|(form, column)| form.map(|form| shape(form, column)))
            .collect()
    }

    fn release(&self, plan: &Plan, mut table: Table, work: Work) -> Result<Released, Interrupted> {
        let shapes = self.shapes(plan);
        let group_of: Vec<u32> = (0..table.rows())
            .filter_map(|row| self.grouping.group_of(row))
            .collect();
        // First of all, so that nothing is shown or measured by the values of rows left out.
        if let Some(out) = self.grouping.left_out() {
            table = without(&table, &shapes, &out);
        }
        work.go_on()?;
        let rows = table.rows();
        let mut groups = vec![Vec::new(); self.grouping.groups()];
        for (row, &group) in group_of.iter().enumerate() {
            groups[group as usize].push(row as u32);
        }
        let recoded = shapes.par_iter().zip(table.columns()).map(|(shape, column)| {
            work.go_on()?;
            Ok(shape.map(|shape| recode(column, shape, &groups)))
        });
        let recoded = recoded.collect::<Result<Vec<_>, Interrupted>>()?;
        let columns = table.into_columns().into_iter().zip(recoded).zip(&plan.columns);
        let show = |column: Column, recoded: Option<Recoded>, planned: &PlannedColumn| match recoded {
            None => ReleasedColumn::new(column, &Mask::Exact, None, planned.is_published()),
            Some(recoded) => {
                let labels = group_of.iter().map(|&group| recoded.label_of_group[group as usize]);
                let labels: Vec<u32> = labels.collect();
                ReleasedColumn::told(
                    column.name,
                    true,
                    Labels::from_iter(recoded.labels),
                    &labels,
                    recoded.penalty,
                )
            }
        };
        let columns = columns.map(|((column, recoded), planned)| {
            work.go_on()?;
            Ok(show(column, recoded, planned))
        });
        Ok(Released::of_columns(rows, columns.collect::<Result<_, Interrupted>>()?))
    }
}

/// The table as if rows left out had never been in it.
fn without(table: &Table, shapes: &[Option<Shape>], out: &[bool]) -> Table {
    let rows: Vec<u32> = (0..).zip(out).filter(|(_, out)| !**out).map(|(row, _)| row).collect();
    let columns = table.columns().par_iter().zip(shapes);
    let columns = columns.map(|(column, shape)| column.pick(&rows, order_of(shape.as_ref())));
    Table::new(rows.len(), columns.collect())
}

/// The mask without the disclosed values, the missing one among them, that no released row holds: the release does not
/// show them, so the certificate must not.
fn only_shown(mask: &Mask, released: &ReleasedColumn) -> Mask {
    match mask {
        Mask::Suppress(disclosed) => {
            let (shown, _) = released.shown();
            let texts: HashSet<&str> = shown.texts().iter().collect();
            let is_shown = |value: &&Option<String>| match value {
                Some(text) => texts.contains(&text[..]),
                None => shown.missing().is_some(),
            };
            Mask::Suppress(disclosed.iter().filter(is_shown).cloned().collect())
        }
        other => other.clone(),
    }
}

/// The order of the values of a column that groups are shown by.
fn order_of<'t>(shape: Option<&Shape<'t>>) -> ValueOrder<'t> {
    match shape {
        Some(Shape {
            taxonomy: Some(taxonomy),
            ..
        }) => ValueOrder::Taxonomy(taxonomy),
        _ => ValueOrder::Natural,
    }
}
