//! Runs the parties of a [`World`] in one process, and hands their messages on in a random order.

use std::collections::{BTreeMap, VecDeque};

use fastrand::Rng;
use scumble_privacy::History;
use scumble_refine::{Operation, PartySearch, Problem, QuasiColumn, Weigh};
use scumble_table::{Column, ColumnId, ReleasedColumn, Table};

use crate::judge::Judge;
use crate::{Coded, Contribution, Duties, End, Event, Fault, Machine, Mail, MaskedColumn, Session};

use super::world::{Form, World};

/// What a party knows at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    pub refinements: usize,
    /// What each column shows, by column and record, in the order of ids.
    pub cells: BTreeMap<usize, Vec<Option<String>>>,
    pub penalties: Vec<f64>,
}

/// One side of a mashup.
pub async fn party<J: Judge>(world: &World, own: usize, seed: u64, judge: J, mail: Mail) -> Result<Known, Fault> {
    let rows = world.rows_of(own, &mut Rng::with_seed(seed));
    let session = Session::greet(mail, "agreed").await?;
    let ids: Vec<String> = rows.iter().map(|(id, _)| id.clone()).collect();
    let aligned = session.align(&|row: usize| Some(&ids[row][..]), ids.len()).await?;
    let picked: Vec<u32> = aligned.rows().to_vec();
    let records = picked.len();
    let record_of = |row: u32| rows[row as usize].1;

    let quasi = world.forms.len();
    // What the party's file has in this column; strays have values of their own.
    let read = |column: usize| {
        let cells: Vec<String> = rows
            .iter()
            .map(|(id, record)| match record {
                Some(record) => world.cells[column][*record].clone(),
                None if matches!(world.forms.get(column), Some(Form::Numbers)) => "77".to_owned(),
                None if matches!(world.forms.get(column), Some(Form::Tree(_))) => "ash".to_owned(),
                None => format!("secret of {id}"),
            })
            .collect();
        let column_of = Column::from_cells(
            &World::name(column),
            world.order(column),
            cells.iter().map(|cell| Some(&cell[..])),
        );
        column_of.pick(&picked, world.order(column))
    };
    let class = world.class_holders.contains(&own).then(|| coded(&read(quasi)));
    let (ready, class) = aligned.share_class(&world.class_holders, class).await?;
    let columns: Vec<Column> = (0..quasi + 3)
        .map(|column| match (world.owner_of[column], &class) {
            (Some(owner), _) if owner == own => read(column),
            (None, Some(class)) => {
                let cells = (0..records).map(|record| class.text(record));
                Column::from_cells(&World::name(column), world.order(column), cells)
            }
            _ => Column::unknown(World::name(column), records),
        })
        .collect();
    let table = Table::new(records, columns);
    let duties = Duties::new(&world.requirement, &world.quasi(), &world.owner_of, world.parties);
    let (requirement, elsewhere) = duties.of_party(own);
    let history = History::default();
    let problem = Problem {
        table: &table,
        populations: &[],
        history: &history,
        quasi: world
            .quasi()
            .into_iter()
            .map(|id| QuasiColumn {
                id,
                operation: match world.owner_of[id.0] == Some(own) {
                    true => world.operation(id.0),
                    false => Operation::Foreign,
                },
            })
            .collect(),
        class: world.class(),
        requirement: &requirement,
        elsewhere,
        objective: world.objective,
        weigh: Weigh::Records,
        rows_left_out_at_most: 0,
        steps: None,
    };
    let fixed = ready
        .search_with(judge, &duties, &table, PartySearch::new(&problem), None)
        .await?;
    let refinements = fixed.refinements;
    let masked = (0..quasi)
        .filter(|&column| world.owner_of[column] == Some(own))
        .map(|column| {
            let taxonomy = match &world.forms[column] {
                Form::Tree(taxonomy) => Some(taxonomy),
                _ => None,
            };
            let shown = ReleasedColumn::new(
                table.column(ColumnId(column)).clone(),
                &fixed.mask(column),
                taxonomy,
                true,
            );
            let of_record: Vec<u32> = shown
                .codes()
                .iter()
                .map(|code| shown.label_of_code()[code as usize])
                .collect();
            let masked = MaskedColumn {
                mask: String::new(),
                penalty: shown.penalty(),
                cells: Coded::new(shown.labels(), &of_record),
            };
            (column, masked)
        });
    let masked = masked.collect();
    let told = fixed.tell(masked).await?;
    let plain = world
        .plain()
        .into_iter()
        .filter(|&column| world.owner_of[column] == Some(own));
    let plain = plain.map(|column| (column, coded(table.column(ColumnId(column)))));
    let how = if world.is_by_record() {
        Contribution::ByRecord
    } else {
        Contribution::ByGroup
    };
    let (whole, masked, plain) = told
        .contribute(plain.collect(), &world.plain_columns(), class.as_ref(), how)
        .await?;
    let penalties = masked.iter().map(|column| column.penalty).collect();
    let class = class.map(|class| (quasi, class));
    let masked = masked.into_iter().map(|column| column.cells).enumerate();
    let all = masked.chain(class).chain(plain);
    let by_record = |cells: &Coded| {
        let mut texts = vec![None; records];
        for (place, &row) in picked.iter().enumerate() {
            texts[record_of(row).expect("strays are not common")] = cells.text(place).map(str::to_owned);
        }
        texts
    };
    let cells: BTreeMap<usize, Vec<Option<String>>> = all.map(|(column, cells)| (column, by_record(&cells))).collect();
    let known = Known {
        refinements,
        cells,
        penalties,
    };
    whole.compare([7; 32]).await?;
    Ok(known)
}

fn coded(column: &Column) -> Coded {
    let texts: Vec<Option<String>> = (0..column.dictionary().len() as u32)
        .map(|code| column.dictionary().value(code).map(str::to_owned))
        .collect();
    Coded::new(&texts, &column.codes().iter().collect::<Vec<_>>())
}

/// What one party got and what came of it.
pub struct Side {
    pub end: Option<Result<Known, Fault>>,
    pub received: Vec<(usize, Vec<u8>)>,
    pub events: Vec<Event>,
}

/// Runs all parties; messages of one link stay in order, links take turns at random.
pub fn run<J: Judge + Clone>(world: &World, seed: u64, judge: impl Fn() -> J) -> Vec<Side> {
    let mut rng = Rng::with_seed(seed);
    let mut machines: Vec<_> = (0..world.parties)
        .map(|own| {
            Machine::new(own, world.parties, |mail| {
                party(world, own, seed + own as u64, judge(), mail)
            })
        })
        .collect();
    let mut sides: Vec<Side> = (0..world.parties)
        .map(|_| Side {
            end: None,
            received: Vec::new(),
            events: Vec::new(),
        })
        .collect();
    let mut links: BTreeMap<(usize, usize), VecDeque<Vec<u8>>> = BTreeMap::new();
    let mut to_turn: Vec<usize> = (0..world.parties).collect();
    while let Some(own) = to_turn.pop() {
        let turn = machines[own].turn();
        sides[own].events.extend(turn.events);
        for message in turn.out {
            links.entry((own, message.to)).or_default().push_back(message.bytes);
        }
        match turn.end {
            Some(End::Returned(result)) => sides[own].end = Some(result),
            Some(End::Broken) => panic!("a library panicked"),
            None => {}
        }
        if to_turn.is_empty() {
            let full: Vec<(usize, usize)> = links
                .iter()
                .filter(|(_, queue)| !queue.is_empty())
                .map(|(&link, _)| link)
                .collect();
            if let Some(&(from, to)) = rng.choice(&full) {
                let bytes = links
                    .get_mut(&(from, to))
                    .and_then(VecDeque::pop_front)
                    .expect("it is full");
                sides[to].received.push((from, bytes.clone()));
                machines[to].deliver(from, bytes);
                to_turn.push(to);
            }
        }
    }
    sides
}
