//! What the catalog of a server says of tables: where they are, their columns, keys and references.

use postgres::{Client, Error};

use super::super::sql::quoted;
use scumble_table::{Reference, TableSchema};

/// Everything that has rows: tables, parts of tables, views, those that are stored, and tables of other servers.
const HAS_ROWS: &str = "c.relkind IN ('r', 'p', 'v', 'm', 'f')";

/// A table or view.
pub(super) struct Found {
    oid: u32,
    schema: String,
    table: String,
    /// Whether its name alone names it.
    is_visible: bool,
}

impl Found {
    /// The table as messages and policies write it: with its schema unless it is found without.
    pub fn name(&self) -> String {
        match self.is_visible {
            true => self.table.clone(),
            false => format!("{}.{}", self.schema, self.table),
        }
    }

    /// The table as SQL takes it.
    pub fn sql(&self) -> String {
        format!("{}.{}", quoted(&self.schema), quoted(&self.table))
    }
}

/// The table of this name on the search path, or `schema.table` anywhere.
pub(super) fn find(client: &mut Client, table: &str) -> Result<Option<Found>, Error> {
    let by_name = "c.relname::text = $1 AND pg_catalog.pg_table_is_visible(c.oid)";
    let found = found(
        client,
        &format!("({by_name} OR n.nspname || '.' || c.relname = $1) ORDER BY {by_name} DESC, n.nspname, c.relname"),
        &[&table],
    )?;
    Ok(found.into_iter().next())
}

/// Every table and view but those of the system.
pub(super) fn tables(client: &mut Client) -> Result<Vec<String>, Error> {
    let condition = "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'";
    let mut names: Vec<String> = found(client, condition, &[])?.iter().map(Found::name).collect();
    names.sort();
    Ok(names)
}

fn found(
    client: &mut Client,
    condition: &str,
    values: &[&(dyn postgres::types::ToSql + Sync)],
) -> Result<Vec<Found>, Error> {
    let sql = format!(
        "SELECT c.oid, n.nspname::text, c.relname::text, pg_catalog.pg_table_is_visible(c.oid) \
         FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
         WHERE {HAS_ROWS} AND {condition}"
    );
    let rows = client.query(&sql, values)?;
    rows.iter()
        .map(|row| {
            Ok(Found {
                oid: row.try_get(0)?,
                schema: row.try_get(1)?,
                table: row.try_get(2)?,
                is_visible: row.try_get(3)?,
            })
        })
        .collect()
}

/// The columns of a table.
pub(super) fn columns(client: &mut Client, table: &Found) -> Result<Vec<String>, Error> {
    let sql = "SELECT attname::text FROM pg_catalog.pg_attribute \
               WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped ORDER BY attnum";
    names(client, sql, table.oid)
}

/// What the catalog says of a table.
pub(super) fn describe(client: &mut Client, table: &Found) -> Result<TableSchema, Error> {
    Ok(TableSchema {
        name: table.name(),
        key: key(client, table.oid)?,
        references: references(client, table.oid)?,
    })
}

fn key(client: &mut Client, table: u32) -> Result<Vec<String>, Error> {
    let sql = "SELECT a.attname::text FROM pg_catalog.pg_constraint k \
               CROSS JOIN LATERAL pg_catalog.unnest(k.conkey) WITH ORDINALITY AS u (number, place) \
               JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number \
               WHERE k.conrelid = $1 AND k.contype = 'p' ORDER BY u.place";
    names(client, sql, table)
}

/// The foreign keys of a table, in the order of their columns.
fn references(client: &mut Client, table: u32) -> Result<Vec<Reference>, Error> {
    // A reference to a table in parts has one more constraint for each part; only the first counts.
    let sql = "SELECT k.confrelid, \
                 (SELECT pg_catalog.array_agg(a.attname::text ORDER BY u.place) \
                  FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS u (number, place) \
                  JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number), \
                 (SELECT pg_catalog.array_agg(a.attname::text ORDER BY u.place) \
                  FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY AS u (number, place) \
                  JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.number) \
               FROM pg_catalog.pg_constraint k WHERE k.conrelid = $1 AND k.contype = 'f' \
                 AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint p \
                                 WHERE p.oid = k.conparentid AND p.conrelid = k.conrelid) \
               ORDER BY k.conkey, k.conname";
    let rows = client.query(sql, &[&table])?;
    let mut references = Vec::new();
    for row in &rows {
        let parent: u32 = row.try_get(0)?;
        let named = found(client, "c.oid = $1", &[&parent])?;
        let reference = Reference {
            columns: row.try_get(1)?,
            table: named.first().map(Found::name).unwrap_or_default(),
            to: row.try_get(2)?,
        };
        references.push(reference.in_order_of(&key(client, parent)?));
    }
    Ok(references)
}

fn names(client: &mut Client, sql: &str, table: u32) -> Result<Vec<String>, Error> {
    let rows = client.query(sql, &[&table])?;
    rows.iter().map(|row| row.try_get(0)).collect()
}
