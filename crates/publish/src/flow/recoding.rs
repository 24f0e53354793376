//! [`Recoding`]: how a table becomes a release, by masks of whole columns, by groups of rows, or in two tables.

use std::borrow::Cow;

use rayon::prelude::*;
use scumble_grouping::{Grouping, Shape, recode};
use scumble_privacy::Requirement;
use scumble_report::CertifiedMask;
use scumble_table::{ColumnId, Labels, Mask, Released, ReleasedColumn, Table, Taxonomy, ValueOrder};

use super::apart::Apart;
use super::certify::only_shown;
use crate::apart::by_group;
use scumble_policy::form_word;

/// How a table becomes a release.
pub(crate) enum Recoding<'t> {
    /// One mask per column, with its taxonomy and whether it is published.
    Masks(Vec<(Mask, Option<&'t Taxonomy>, bool)>),
    /// Groups of rows.
    Groups(Groups<'t>),
    /// Two tables, which groups of rows join.
    Apart(Apart),
}

/// Rows that are shown alike.
pub(crate) struct Groups<'t> {
    /// The group of each row.
    pub grouping: Grouping,
    /// For each column of the table how its groups are shown, or `None` if its rows are shown as they are; and whether it
    /// is published.
    pub columns: Vec<(Option<Shape<'t>>, bool)>,
}

impl<'t> Recoding<'t> {
    /// The release of a table.
    pub fn release(&self, table: Table, left_out: Option<&[bool]>) -> Released {
        match self {
            Recoding::Masks(masks) => Released::new(table, masks, left_out),
            Recoding::Groups(groups) => groups.release(table),
            Recoding::Apart(apart) => apart.release(table),
        }
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
    pub fn masks(&self) -> &[(Mask, Option<&'t Taxonomy>, bool)] {
        match self {
            Recoding::Masks(masks) => masks,
            Recoding::Groups(_) | Recoding::Apart(_) => &[],
        }
    }

    /// The mask of a column, if it is masked as a whole.
    pub fn mask(&self, id: ColumnId) -> Option<(&Mask, Option<&'t Taxonomy>)> {
        let mask = self.masks().get(id.0);
        mask.map(|(mask, taxonomy, _)| (mask, *taxonomy))
    }

    /// What the certificate says of a column.
    pub fn certified(&self, id: ColumnId, released: &ReleasedColumn) -> Option<CertifiedMask> {
        match self {
            Recoding::Masks(masks) => {
                let (mask, taxonomy, _) = &masks[id.0];
                CertifiedMask::of(&only_shown(mask, released), *taxonomy)
            }
            Recoding::Groups(groups) => {
                let (shape, _) = groups.columns[id.0];
                shape.map(|shape| CertifiedMask::Group {
                    form: form_word(shape.form).to_owned(),
                })
            }
            Recoding::Apart(_) => None,
        }
    }
}

impl Groups<'_> {
    fn release(&self, mut table: Table) -> Released {
        let group_of: Vec<u32> = (0..table.rows())
            .filter_map(|row| self.grouping.group_of(row))
            .collect();
        // First of all, so that nothing is shown or measured by the values of rows left out.
        if let Some(out) = self.grouping.left_out() {
            table = self.without(&table, &out);
        }
        let rows = table.rows();
        let mut groups = vec![Vec::new(); self.grouping.groups()];
        for (row, &group) in group_of.iter().enumerate() {
            groups[group as usize].push(row as u32);
        }
        let recoded: Vec<Option<_>> = self
            .columns
            .par_iter()
            .zip(table.columns())
            .map(|((shape, _), column)| shape.map(|shape| recode(column, shape, &groups)))
            .collect();
        let columns = table.into_columns().into_iter().zip(recoded).zip(&self.columns);
        let columns = columns.map(|((column, recoded), &(_, published))| match recoded {
            None => ReleasedColumn::new(column, &Mask::Exact, None, published),
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
        });
        Released::of_columns(rows, columns.collect())
    }

    /// The table as if rows left out had never been in it.
    fn without(&self, table: &Table, out: &[bool]) -> Table {
        let rows: Vec<u32> = (0..).zip(out).filter(|(_, out)| !**out).map(|(row, _)| row).collect();
        let columns = table.columns().par_iter().zip(&self.columns);
        let columns = columns.map(|(column, (shape, _))| column.pick(&rows, order_of(shape.as_ref())));
        Table::new(rows.len(), columns.collect())
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
