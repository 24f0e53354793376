//! One side of a mashup, as a program takes it: its file is its share of a [`World`], and nothing is written in the end.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use fastrand::Rng;
use scumble_privacy::History;
use scumble_refine::PartySearch;
use scumble_table::{Column, ColumnId, Mask, Table};

use crate::judge::Judge;
use crate::search::tricks::Trick;
use crate::{Coded, Digest, Duties, Fault, Mail, MaskedColumn, Session, Terms};

use super::world::{Person, Row, World};

/// What a party knows at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// The people, in the order in which messages speak of them.
    pub order: Vec<usize>,
    pub refinements: usize,
    /// What each column shows, by column and person.
    pub cells: BTreeMap<usize, Vec<Option<String>>>,
    /// The mask and the penalty of each masked column.
    pub masks: Vec<(String, f64)>,
}

/// What a party was told of masked columns, itself included, once it was.
pub type Sight = Rc<RefCell<Option<Seen>>>;

/// What all masked columns show to one party.
pub struct Seen {
    /// The people, in the order in which messages speak of them.
    pub order: Vec<usize>,
    /// By quasi column.
    pub masked: Vec<Coded>,
}

/// How a party behaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Conduct {
    /// As it should.
    Proper,
    /// It has another agreement.
    OtherAgreement(&'static str),
    /// Its class differs for one person.
    OtherClass,
    /// It knows nobody whom others know.
    OtherPeople,
    /// Its second row has the id of its first.
    RepeatedId,
    /// It agreed to have the same records as the others, and has them.
    SameRecords,
    /// It agreed to, and has one person more.
    OtherRecords,
    /// It agreed to, and has nobody whom others have.
    OtherPeopleSame,
    /// It wins every round, and then does not do as a winner should.
    Asks(Trick),
    /// It tells all texts that its file has in a plain column, also those of strays.
    WholeDictionary,
}

/// What all proper parties agreed on.
pub const AGREEMENT: &str = "agreed";

/// One side of a mashup. The same seed gives the same order of rows and the same part of the session's secret.
pub async fn party<J: Judge>(
    world: &World,
    own: usize,
    conduct: Conduct,
    seed: u64,
    judge: J,
    mail: Mail,
    sight: Sight,
) -> Result<Known, Fault> {
    let mut rng = Rng::with_seed(seed);
    let file = File::new(world, own, conduct, &mut rng);
    let agreement = match conduct {
        Conduct::OtherAgreement(other) => other,
        _ => AGREEMENT,
    };
    let mut secret = Digest::default();
    rng.fill(&mut secret);
    let session = Session::greet_with(mail, agreement, secret).await?;
    let id = |row: usize| Some(&file.rows[row].id[..]);
    let aligned = match conduct {
        Conduct::SameRecords | Conduct::OtherRecords | Conduct::OtherPeopleSame => {
            session.align_same(&id, file.rows.len()).await?
        }
        _ => session.align(&id, file.rows.len()).await?,
    };
    let picked = aligned.rows().to_vec();

    let class = world.class_holders.contains(&own).then(|| file.class(&picked));
    let (ready, class) = aligned
        .share_class(&world.class_holders, class, |class| {
            world.can_hold(world.class(), class)
        })
        .await?;
    let table = file.table(&picked, class.as_ref());

    let duties = Duties::new(&world.requirement, &world.foreseen(), &world.owner_of, world.parties);
    let (requirement, elsewhere) = duties.of_party(own);
    let history = History::default();
    let problem = world.problem(&table, &history, &requirement, elsewhere, |column| file.holds(column));
    let search = PartySearch::new(&problem);
    if let Conduct::Asks(trick) = conduct {
        let person = file.people(&picked).iter().position(|&person| person == 0);
        let target = person.expect("everybody is there") as u32;
        return Err(ready.play(trick, target, judge, &duties, &table, search).await);
    }
    let fixed = ready.search_with(judge, &duties, &table, search, world.steps).await?;

    let refinements = fixed.refinements;
    let masked = file.masked(&table, |column| fixed.mask(column));
    let told = fixed.tell(masked, world).await?;
    sight.replace(Some(Seen {
        order: file.people(&picked),
        masked: told.masked.iter().map(|column| column.cells.clone()).collect(),
    }));
    let plain = file.plain(&table);
    let sound = told.agree(&plain, class.as_ref()).await?;
    let (whole, masked, plain) = sound
        .contribute(plain, &world.plain_columns(), world.contribution(), world)
        .await?;
    let masks = masked
        .iter()
        .map(|column| (column.mask.clone(), column.penalty))
        .collect();
    let masked = masked.into_iter().map(|column| column.cells).enumerate();
    let class = class.map(|class| (world.class(), class));
    let order = file.people(&picked);
    let known = Known {
        refinements,
        cells: by_person(&order, masked.chain(class).chain(plain)),
        order,
        masks,
    };
    whole.compare(known.digest()).await?;
    Ok(known)
}

impl Known {
    /// The rows of the release, in an order that tells nothing.
    pub fn rows(&self) -> Vec<Vec<Option<String>>> {
        sorted_rows(self.cells.values())
    }

    /// A digest of what the party would write.
    fn digest(&self) -> Digest {
        let written = format!("{:?}", (self.refinements, &self.masks, self.rows()));
        *blake3::hash(written.as_bytes()).as_bytes()
    }
}

/// The rows of some columns, sorted.
pub fn sorted_rows<'c>(columns: impl Iterator<Item = &'c Vec<Option<String>>>) -> Vec<Vec<Option<String>>> {
    let columns: Vec<_> = columns.collect();
    let mut rows: Vec<Vec<Option<String>>> = (0..columns[0].len())
        .map(|row| columns.iter().map(|column| column[row].clone()).collect())
        .collect();
    rows.sort();
    rows
}

/// What one party has of a world.
struct File<'w> {
    world: &'w World,
    own: usize,
    conduct: Conduct,
    rows: Vec<Row>,
}

impl<'w> File<'w> {
    fn new(world: &'w World, own: usize, conduct: Conduct, rng: &mut Rng) -> Self {
        let mut rows = world.rows_of(own, rng);
        match conduct {
            Conduct::OtherRecords => rows.push(Row {
                id: "one more".to_owned(),
                person: Person::Common(0),
            }),
            Conduct::OtherPeople | Conduct::OtherPeopleSame => {
                rows.iter_mut().for_each(|row| row.id.insert_str(0, "another "))
            }
            Conduct::RepeatedId => rows[1].id = rows[0].id.clone(),
            _ => {}
        }
        File {
            world,
            own,
            conduct,
            rows,
        }
    }

    fn holds(&self, column: usize) -> bool {
        self.world.owner_of[column] == Some(self.own)
    }

    /// A column of the whole file.
    fn column(&self, column: usize) -> Column {
        let cells: Vec<String> = self
            .rows
            .iter()
            .map(|row| self.world.cell(column, row.person))
            .collect();
        self.world.column(column, cells.iter().map(|cell| Some(&cell[..])))
    }

    /// A column of the common records.
    fn common(&self, column: usize, picked: &[u32]) -> Column {
        self.column(column).pick(picked, self.world.order(column))
    }

    fn class(&self, picked: &[u32]) -> Coded {
        let mut class = coded(&self.common(self.world.class(), picked));
        if self.conduct == Conduct::OtherClass {
            class.of_record[0] = 1 - class.of_record[0];
        }
        class
    }

    /// What is known before the search: the party's own columns, and the class.
    fn table(&self, picked: &[u32], class: Option<&Coded>) -> Table {
        let records = picked.len();
        let column = |column: usize| match class {
            _ if self.holds(column) => self.common(column, picked),
            Some(class) if column == self.world.class() => {
                self.world.column(column, (0..records).map(|record| class.text(record)))
            }
            _ => Column::unknown(World::name(column), records),
        };
        Table::new(records, (0..self.world.cells.len()).map(column).collect())
    }

    fn masked(&self, table: &Table, mask: impl Fn(usize) -> Mask) -> BTreeMap<usize, MaskedColumn> {
        let own = (0..self.world.forms.len()).filter(|&column| self.holds(column));
        let masked = own.map(|column| {
            let raw = table.column(ColumnId(column)).clone();
            let shown = self.world.released(column, raw, &mask(column));
            let of_record = shown.codes().iter().map(|code| shown.label_of_code()[code as usize]);
            let cells = Coded::new(shown.labels(), &of_record.collect::<Vec<_>>());
            let masked = MaskedColumn {
                mask: format!("{:?}", cells.texts.iter().collect::<BTreeSet<_>>()),
                penalty: shown.penalty(),
                cells,
            };
            (column, masked)
        });
        masked.collect()
    }

    fn plain(&self, table: &Table) -> BTreeMap<usize, Coded> {
        let own = self.world.plain().filter(|&column| self.holds(column));
        own.map(|column| {
            let mut cells = coded(table.column(ColumnId(column)));
            if self.conduct == Conduct::WholeDictionary {
                let texts = texts(&self.column(column));
                cells.texts.extend(
                    texts
                        .into_iter()
                        .filter(|text| !cells.texts.contains(text))
                        .collect::<Vec<_>>(),
                );
            }
            (column, cells)
        })
        .collect()
    }

    /// Whom each common record is about.
    fn people(&self, picked: &[u32]) -> Vec<usize> {
        let people = picked.iter().filter_map(|&row| match self.rows[row as usize].person {
            Person::Common(person) => Some(person),
            Person::Stray(_) => None,
        });
        people.collect()
    }
}

/// The texts of columns in the order of people.
fn by_person(order: &[usize], columns: impl Iterator<Item = (usize, Coded)>) -> BTreeMap<usize, Vec<Option<String>>> {
    let of_people = |cells: &Coded| {
        let mut texts = vec![None; order.len()];
        for (record, &person) in order.iter().enumerate() {
            texts[person] = cells.text(record).map(str::to_owned);
        }
        texts
    };
    columns.map(|(column, cells)| (column, of_people(&cells))).collect()
}

fn texts(column: &Column) -> Vec<Option<String>> {
    let codes = 0..column.dictionary().len() as u32;
    codes
        .map(|code| column.dictionary().value(code).map(str::to_owned))
        .collect()
}

fn coded(column: &Column) -> Coded {
    Coded::new(
        &texts(column).into_iter().collect(),
        &column.codes().iter().collect::<Vec<_>>(),
    )
}
