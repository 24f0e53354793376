//! [`Own`]: what one party reads of its own file, laid out as the joined table.

use scumble_bind::check_known_data;
use scumble_table::Reading;
use scumble_table::{Codes, Column, ColumnId, Dictionary, Table, Texts, ValueOrder};

use crate::error::Error;
use crate::errors::InputError;
use crate::sources::file_source;
use scumble_bind::{Holds, check_unique, unite};
use scumble_bind::{Plan, check_header, is_nearly_unique};
use scumble_policy::Agreement;
use scumble_policy::Problems;
use scumble_policy::{Missing, Taxonomies};

use super::participation::Participation;

/// The columns of one party.
pub(super) struct Own<'t> {
    pub rows: usize,
    pub place: usize,
    /// The ids of all rows.
    key: Column,
    /// The columns of the joined table; those of others are unknown.
    pub table: Table,
    /// How each of them is read.
    readings: Vec<Reading<'t>>,
    /// Whether each of them is our own.
    is_own: Vec<bool>,
    /// The columns of our file that the agreement does not list, and that stay with us.
    pub not_listed: Vec<String>,
}

impl<'t> Own<'t> {
    /// Reads the file of a party.
    ///
    /// # Errors
    /// A file that cannot be read, that lacks a column, or whose values are not what the agreement says.
    pub fn load(
        agreement: &Agreement,
        plan: &'t Plan,
        taxonomies: &Taxonomies,
        party: &Participation,
    ) -> Result<Self, Error> {
        let has = |name: &str| agreement.owners(name).contains(&party.own);
        let data = agreement.data(party.data);
        let source = file_source(&data);
        let opened = source.open(party.watch)?;
        let header = opened.header().to_vec();
        check_own_header(agreement, party.own, &header)?;
        let reading = |name: &String| match plan.columns.find(name).filter(|_| has(name)) {
            _ if *name == agreement.key => Reading::Ids,
            Some(id) => plan.columns[id.0].reading(),
            None => Reading::Skip,
        };
        let readings: Vec<Reading> = header.iter().map(reading).collect();
        let drops = data.missing == Missing::Drop;
        let mut table = opened.read(&readings, drops, party.watch)?.table;
        unite(&agreement.policy.columns, &mut table, Holds::Values);
        let is_listed = |name: &String| *name == agreement.key || agreement.policy.column(name).is_some();
        let rows = table.rows();
        if u32::try_from(rows).is_err() {
            return Err(InputError::TooManyRows(rows).into());
        }
        let mut columns: Vec<Option<Column>> = table.into_columns().into_iter().map(Some).collect();
        let mut take = |name: &str| {
            let place = columns
                .iter()
                .position(|column| column.as_ref().is_some_and(|column| column.name == name));
            place.and_then(|place| columns[place].take())
        };
        let key = take(&agreement.key).unwrap_or_else(|| Column::unknown(&agreement.key, rows));
        let joined = plan.columns.iter().map(|column| take(&column.name));
        let joined: Vec<Option<Column>> = joined.collect();
        let is_own = joined.iter().map(Option::is_some).collect();
        let joined = joined.into_iter().zip(&plan.columns);
        let joined = joined.map(|(own, column)| own.unwrap_or_else(|| Column::unknown(&column.name, rows)));
        let own = Own {
            rows,
            place: party.own,
            key,
            table: Table::new(rows, joined.collect()),
            readings: plan.columns.iter().map(|column| column.reading()).collect(),
            is_own,
            not_listed: header.into_iter().filter(|name| !is_listed(name)).collect(),
        };
        let is_unique = |id: ColumnId| own.has(id) && is_nearly_unique(own.table.column(id));
        check_unique(&agreement.policy, plan, is_unique)?;
        check_known_data(&agreement.policy, plan, taxonomies, &own.table, &has)?;
        Ok(own)
    }

    /// Whether a column is our own.
    pub fn has(&self, id: ColumnId) -> bool {
        self.is_own[id.0]
    }

    /// The id of a row.
    pub fn id(&self, row: usize) -> Option<&str> {
        self.key.dictionary().value(self.key.codes().at(row))
    }

    /// A column of our own, with the common records in their order.
    pub fn pick(&self, id: ColumnId, rows: &[u32]) -> Column {
        self.table.column(id).pick(rows, self.readings[id.0].order())
    }

    /// How a column is read.
    pub fn reading(&self, id: ColumnId) -> Reading<'t> {
        self.readings[id.0]
    }

    /// A column that others told us, as we would have read it.
    pub fn told(&self, id: ColumnId, texts: &[Option<String>], of_record: &[u32]) -> Column {
        self.told_in(self.readings[id.0].order(), id, texts, of_record)
    }

    /// The same, with its values in some order.
    pub fn told_in(&self, order: ValueOrder, id: ColumnId, texts: &[Option<String>], of_record: &[u32]) -> Column {
        let present: Texts = texts.iter().flatten().map(String::as_str).collect();
        let has_missing = texts.iter().any(Option::is_none);
        let mut code = 0;
        let code_of: Vec<u32> = texts
            .iter()
            .map(|text| match text {
                None => present.len() as u32,
                Some(_) => {
                    code += 1;
                    code - 1
                }
            })
            .collect();
        let codes = of_record.iter().map(|&text| code_of[text as usize]);
        let codes = Codes::collect(texts.len(), codes);
        let name = &self.table.column(id).name;
        let mut column = Column::new(name, Dictionary::new(present, has_missing), codes);
        Column::unite(&mut [&mut column], order);
        column
    }
}

/// Reports the columns that our own file lacks.
fn check_own_header(agreement: &Agreement, own: usize, header: &[String]) -> Result<(), Error> {
    let mut problems = Problems::new(agreement.policy.source());
    let listed = agreement.policy.columns.iter().map(|column| &column.name);
    let ours = listed.filter(|name| agreement.owners(name.get_ref()).contains(&own));
    let places = ours.map(|name| (name.get_ref().as_str(), name.span()));
    check_header("the data", places.collect(), header, false, &mut problems);
    if !header.contains(&agreement.key) {
        let message = format!("the data has no column `{}`, the key", agreement.key);
        let help = "every party's file has the key, by which records are matched".to_owned();
        problems.overall(message, Some(help));
    }
    Ok(problems.none_or(())?)
}
