//! [`Rows`]: what one guard needs of the table, with equal rows collapsed to one weighted row.

use std::borrow::Cow;

use scumble_table::{Codes, Collapsed, ColumnId, Table, collapse, collapse_if_worth};

use scumble_level::PERSON;
use scumble_level::Population;

/// The rows that a guard groups: those of the table, then people of a population.
#[derive(Debug)]
pub(crate) struct Rows<'t> {
    /// The codes of each of the guard's columns.
    pub codes: Vec<Cow<'t, Codes>>,
    /// How many rows of the table each row stands for; `None` if one each.
    pub weights: Option<Vec<u32>>,
    /// What rows are told apart by; `None` if all are of category 0.
    pub categories: Option<Cow<'t, Codes>>,
    /// How many categories there are.
    pub category_count: usize,
    /// How many rows there are.
    pub count: usize,
    /// How many of them, the first ones, are of the table.
    pub of_table: usize,
}

/// Which rows of the table became which row of a projection; `None` if each stayed its own.
pub(crate) type KindOf = Option<Vec<u32>>;

impl<'t> Rows<'t> {
    /// The rows of a table on `columns`, collapsed where they also agree on `keep` and on `keep_categories`.
    ///
    /// Guards that must speak of the same rows (a row budget with several guards) pass the same of both.
    pub fn project(
        table: &'t Table,
        columns: &[ColumnId],
        categories: Option<&Cow<'t, Codes>>,
        category_count: usize,
        keep: &[ColumnId],
        keep_categories: &[&Codes],
    ) -> (Rows<'t>, KindOf) {
        let kept = keep.iter().map(|&id| table.column(id).codes());
        let key: Vec<&Codes> = kept.chain(keep_categories.iter().copied()).collect();
        let of_columns = columns.iter().map(|&id| table.column(id));
        match collapse_if_worth(table.rows(), &key) {
            None => (Rows::whole(table, columns, categories, category_count), None),
            Some(Collapsed { rows, weights, kind_of }) => {
                let pick = |distinct: usize, codes: &Codes| {
                    Cow::Owned(Codes::collect(distinct, rows.iter().map(|&row| codes.at(row as usize))))
                };
                let projected = Rows {
                    codes: of_columns
                        .map(|column| pick(column.dictionary().len(), column.codes()))
                        .collect(),
                    weights: Some(weights),
                    categories: categories.map(|codes| pick(category_count, codes)),
                    category_count,
                    count: rows.len(),
                    of_table: rows.len(),
                };
                (projected, Some(kind_of))
            }
        }
    }

    /// The rows of a table on `columns`, each for itself.
    pub fn whole(
        table: &'t Table,
        columns: &[ColumnId],
        categories: Option<&Cow<'t, Codes>>,
        category_count: usize,
    ) -> Rows<'t> {
        let codes = columns.iter().map(|&id| Cow::Borrowed(table.column(id).codes()));
        Rows {
            codes: codes.collect(),
            weights: None,
            categories: categories.cloned(),
            category_count,
            count: table.rows(),
            of_table: table.rows(),
        }
    }

    /// Adds the people of a population, of a category of their own.
    pub fn with_people(self, table: &Table, columns: &[ColumnId], population: &Population) -> Rows<'static> {
        let of_people: Vec<&Codes> = columns.iter().map(|&id| population.codes_of(id)).collect();
        let people = collapse(population.rows, &of_people);
        let chain = |(at, &id): (usize, &ColumnId)| {
            let more = people.rows.iter().map(|&row| of_people[at].at(row as usize));
            let distinct = table.column(id).dictionary().len();
            Cow::Owned(Codes::collect(distinct, self.codes[at].iter().chain(more)))
        };
        let own = self.weights.clone().unwrap_or_else(|| vec![1; self.count]);
        let persons = std::iter::repeat_n(PERSON, people.rows.len());
        let categories = std::iter::repeat_n(0, self.count).chain(persons);
        Rows {
            codes: columns.iter().enumerate().map(chain).collect(),
            weights: Some(own.into_iter().chain(people.weights).collect()),
            categories: Some(Cow::Owned(Codes::collect(2, categories))),
            category_count: 2,
            count: self.count + people.rows.len(),
            of_table: self.count,
        }
    }

    /// The rows with other codes, given for each code of each column.
    pub fn coarsen(&self, code_of_code: &[Vec<u32>]) -> Rows<'static> {
        let codes = self.codes.iter().zip(code_of_code).map(|(codes, of_code)| {
            let coarse = codes.iter().map(|code| of_code[code as usize]);
            Cow::Owned(Codes::collect(of_code.len(), coarse))
        });
        Rows {
            codes: codes.collect(),
            weights: self.weights.clone(),
            categories: self.categories.as_deref().cloned().map(Cow::Owned),
            category_count: self.category_count,
            count: self.count,
            of_table: self.of_table,
        }
    }

    /// The rows on some of the columns, given by place, collapsed. Which of them are of the table is forgotten.
    pub fn narrow(&self, places: &[usize]) -> Rows<'static> {
        let key: Vec<&Codes> = places
            .iter()
            .map(|&place| &*self.codes[place])
            .chain(self.categories.as_deref())
            .collect();
        let Collapsed { rows, kind_of, .. } = collapse(self.count, &key);
        let mut weights = vec![0; rows.len()];
        for (row, &kind) in kind_of.iter().enumerate() {
            weights[kind as usize] += self.weight(row as u32);
        }
        let pick = |codes: &Codes| {
            let picked = rows.iter().map(|&row| codes.at(row as usize));
            Cow::Owned(match codes {
                Codes::U8(_) => Codes::collect(1 << 8, picked),
                Codes::U16(_) => Codes::collect(1 << 16, picked),
                Codes::U32(_) => Codes::collect(usize::MAX, picked),
            })
        };
        Rows {
            codes: places.iter().map(|&place| pick(&self.codes[place])).collect(),
            categories: self.categories.as_deref().map(pick),
            category_count: self.category_count,
            count: rows.len(),
            of_table: rows.len(),
            weights: Some(weights),
        }
    }

    /// How many rows of the table one row stands for.
    #[inline]
    pub fn weight(&self, row: u32) -> u32 {
        self.weights.as_ref().map_or(1, |weights| weights[row as usize])
    }

    /// The category of a row.
    #[inline]
    pub fn category(&self, row: u32) -> u32 {
        self.categories
            .as_ref()
            .map_or(0, |categories| categories.at(row as usize))
    }
}
