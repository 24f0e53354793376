//! Enlarging a census by variations of its rows.
//!
//! After all original rows come rounds of variations, one of each row in turn: in `q` of the quasi columns, `q` drawn
//! from 1 to all of them, the value is replaced by one drawn from the domain of the column.
//!
//! | row | job | sex | class | |
//! |---|---|---|---|---|
//! | 1 | Lawyer | F | yes | original |
//! | 2 | Mover | M | no | original |
//! | 3 | Lawyer | M | yes | row 1, `sex` drawn anew |
//! | 4 | Lawyer | M | no | row 2, `job` and `sex` drawn anew |
//!
//! The class and a sensitive column are never drawn, and a drawn value may be the old one. A smaller table is the beginning of a larger one with
//! the same seed.
//!
//! # Source
//! Fung 2007, sections 4.4.3 and 5.4.2. There the columns are those of the requirement at hand; here they are all quasi columns, so
//! that one table serves all requirements. There a table grows by whole rounds; here the last may be cut short.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use fastrand::Rng;

use crate::Result;
use crate::census::Census;

/// Writes an enlarged census to a new file, and tells its size.
pub fn build(census: &Census, rows: usize, seed: u64, path: &Path) -> Result<u64> {
    write_synced(path, |file| enlarge(census, rows, seed, file))
}

/// Writes an input to a new file, and tells its size.
pub fn write_synced(path: &Path, write: impl FnOnce(BufWriter<&File>) -> Result<()>) -> Result<u64> {
    let file = File::create_new(path)?;
    write(BufWriter::new(&file))?;
    // On disk now, so that no measured sync waits for it.
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

/// Writes a census enlarged to exactly `rows` rows as CSV; if it has more, its first rows.
pub fn enlarge(census: &Census, rows: usize, seed: u64, out: impl Write) -> Result<()> {
    let domains = census.domains();
    let quasi = census.quasi().len();
    let mut rng = Rng::with_seed(seed);
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(&census.header)?;
    for (number, original) in census.rows.iter().cycle().take(rows).enumerate() {
        let mut row: Vec<&str> = original.iter().map(String::as_str).collect();
        if number >= census.rows.len() {
            let replaced = rng.usize(1..=quasi);
            for column in rng.choose_multiple(0..quasi, replaced) {
                row[column] = domains[column][rng.usize(..domains[column].len())];
            }
        }
        csv.write_record(&row)?;
    }
    Ok(csv.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people() -> Census {
        let rows = ["Lawyer,F,30,yes", "Mover,M,41,no", "Janitor,M,52,no"];
        let cells = |row: &&str| row.split(',').map(str::to_owned).collect();
        Census::of_cells(
            ["job", "sex", "age", "class"].map(str::to_owned).to_vec(),
            rows.iter().map(cells).collect(),
        )
    }

    fn enlarged(rows: usize, seed: u64) -> Vec<Vec<String>> {
        let mut text = Vec::new();
        enlarge(&people(), rows, seed, &mut text).unwrap();
        let mut lines = csv::Reader::from_reader(&text[..]);
        assert_eq!(lines.headers().unwrap(), &people().header[..]);
        lines
            .records()
            .map(|row| row.unwrap().iter().map(str::to_owned).collect())
            .collect()
    }

    #[test]
    fn the_number_of_rows_is_exact_and_the_originals_come_first() {
        for rows in [1, 3, 4, 6, 100] {
            let table = enlarged(rows, 7);
            assert_eq!(table.len(), rows);
            assert_eq!(table[..rows.min(3)], people().rows[..rows.min(3)]);
        }
    }

    #[test]
    fn drawn_values_are_of_the_domain_and_the_class_stays() {
        let people = people();
        let domains = people.domains();
        for (number, row) in enlarged(500, 7).iter().enumerate() {
            assert!(
                row.iter()
                    .zip(&domains)
                    .all(|(cell, domain)| domain.contains(&&cell[..]))
            );
            assert_eq!(row.last(), people.rows[number % 3].last());
        }
    }

    #[test]
    fn variations_differ_from_one_column_up_to_all() {
        let people = people();
        let variations = enlarged(500, 7).into_iter().enumerate().skip(3);
        let mut changed: Vec<usize> = variations
            .map(|(number, row)| {
                row.iter()
                    .zip(&people.rows[number % 3])
                    .filter(|(new, old)| new != old)
                    .count()
            })
            .collect();
        changed.sort_unstable();
        changed.dedup();
        // A drawn value may be the old one, so none may have changed.
        assert_eq!(changed, [0, 1, 2, 3]);
    }

    #[test]
    fn the_seed_fixes_the_table_and_a_smaller_one_is_its_beginning() {
        assert_eq!(enlarged(200, 7), enlarged(200, 7));
        assert_ne!(enlarged(200, 7), enlarged(200, 8));
        assert_eq!(enlarged(50, 7), enlarged(200, 7)[..50]);
    }
}
