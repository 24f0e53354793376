//! Random released databases: persons are copies of a few trees, so that many are alike, and some are then changed.

use std::sync::Arc;

use scumble_table::Taxonomy;

use crate::plain::{Plain, PlainOriginals, PlainTable};

/// A die that depends on its seed alone.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        // Steele, Lea and Flood: SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    fn pick(&mut self, texts: &[&str]) -> String {
        texts[self.roll(texts.len())].to_owned()
    }
}

const LABELS: [&str; 7] = ["a", "b", "1", "*", "AB", "{a|c}", "[1, 3)"];
const SECRETS: [&str; 4] = ["x", "y", "z", ""];

/// ANY { AB { a, b }, c }.
pub fn taxonomy() -> Taxonomy {
    let node = |label: &str, parent| (label.to_owned(), parent);
    let nodes = [
        ("ANY", None),
        ("AB", Some(0)),
        ("a", Some(1)),
        ("b", Some(1)),
        ("c", Some(0)),
    ];
    Taxonomy::from_parents(&nodes.map(|(label, parent)| node(label, parent))).unwrap()
}

/// Of secrets: ANY { XY { x, y }, z }.
pub fn secret_tree() -> Arc<Taxonomy> {
    let nodes = [
        ("ANY", None),
        ("XY", Some(0)),
        ("x", Some(1)),
        ("y", Some(1)),
        ("z", Some(0)),
    ];
    let nodes = nodes.map(|(label, parent)| (label.to_owned(), parent));
    Arc::new(Taxonomy::from_parents(&nodes).unwrap())
}

#[derive(Clone)]
struct Node {
    labels: Vec<String>,
    children: Vec<(usize, Node)>,
}

/// Columns: parts of the key, parts of the foreign key, quasi columns, a secret.
pub fn database(dice: &mut Dice) -> Plain {
    let tables = 1 + dice.roll(5);
    let parents: Vec<usize> = (0..tables).map(|place| dice.roll(place.max(1))).collect();
    let quasi: Vec<usize> = (0..tables).map(|_| dice.roll(3)).collect();
    let width = 1 + dice.roll(2);
    let mut plain = Plain {
        tables: (0..tables)
            .map(|place| empty(place, (place > 0).then_some(parents[place]), quasi[place], width))
            .collect(),
        lookups: Vec::new(),
    };
    let shapes = 1 + dice.roll(3);
    let shapes: Vec<Node> = (0..shapes).map(|_| node(0, &parents, &quasi, dice)).collect();
    for _ in 0..dice.roll(8) {
        let mut person = shapes[dice.roll(shapes.len())].clone();
        if dice.roll(6) == 0 {
            change(&mut person, dice);
        }
        add(&mut plain, 0, &person, &[], dice);
    }
    // The order of rows must not matter.
    for table in &mut plain.tables {
        for row in (1..table.rows.len()).rev() {
            let other = dice.roll(row + 1);
            table.rows.swap(row, other);
        }
    }
    plain
}

fn empty(place: usize, parent: Option<usize>, quasi: usize, width: usize) -> PlainTable {
    let foreign = if parent.is_some() { width } else { 0 };
    let columns = |from: usize, count: usize| (from..from + count).collect::<Vec<usize>>();
    PlainTable {
        others_are_numbers: false,
        name: format!("t{place}"),
        header: (0..width + foreign + quasi + 1)
            .map(|column| format!("c{column}"))
            .collect(),
        key: columns(0, width),
        parent: parent.map(|parent| (parent, columns(width, width))),
        quasi: columns(width + foreign, quasi),
        others: vec![width + foreign + quasi],
        refers: Vec::new(),
        rows: Vec::new(),
    }
}

fn node(table: usize, parents: &[usize], quasi: &[usize], dice: &mut Dice) -> Node {
    let mut children = Vec::new();
    for child in (1..parents.len()).filter(|&child| parents[child] == table) {
        for _ in 0..dice.roll(4) {
            children.push((child, node(child, parents, quasi, dice)));
        }
    }
    let labels = (0..quasi[table]).map(|_| dice.pick(&LABELS)).collect();
    Node { labels, children }
}

/// Changes something small somewhere below.
fn change(node: &mut Node, dice: &mut Dice) {
    let children = node.children.len();
    match dice.roll(3) {
        0 if children > 0 => drop(node.children.remove(dice.roll(children))),
        1 if !node.labels.is_empty() => node.labels[0] = dice.pick(&LABELS),
        _ if children > 0 => change(&mut node.children[dice.roll(children)].1, dice),
        _ => {}
    }
}

fn add(plain: &mut Plain, table: usize, node: &Node, foreign: &[String], dice: &mut Dice) {
    let own = &mut plain.tables[table];
    let number = own.rows.len();
    // Of two parts neither tells the rows apart by itself.
    let key = match own.key.len() {
        1 => vec![number.to_string()],
        _ => vec![(number / 2).to_string(), (number % 2).to_string()],
    };
    let secret = [dice.pick(&SECRETS)];
    own.rows.push([&key, foreign, &node.labels, &secret].concat());
    for (child, node) in &node.children {
        add(plain, *child, node, &key, dice);
    }
}

/// Empties or changes some cells.
pub fn plant(plain: &mut Plain, dice: &mut Dice) {
    for _ in 0..dice.roll(4) {
        let place = dice.roll(plain.tables.len());
        let table = &mut plain.tables[place];
        if table.rows.is_empty() {
            continue;
        }
        let (row, other) = (dice.roll(table.rows.len()), dice.roll(table.rows.len()));
        let column = dice.roll(table.header.len());
        table.rows[row][column] = match dice.roll(3) {
            0 => String::new(),
            1 => "99".to_owned(),
            _ => table.rows[other][column].clone(),
        };
    }
}

/// Originals that the labels mostly cover, with other keys and in another order.
pub fn originals(plain: &Plain, dice: &mut Dice) -> PlainOriginals {
    let mut tables = plain.tables.clone();
    let mut rows = Vec::new();
    for table in &mut tables {
        let count = table.rows.len();
        let mut of: Vec<u32> = (0..count as u32).collect();
        (1..count).rev().for_each(|row| of.swap(row, dice.roll(row + 1)));
        let foreign = table.parent.iter().flat_map(|(_, columns)| columns.clone());
        let keys: Vec<usize> = table.key.iter().copied().chain(foreign).collect();
        let mut moved = vec![Vec::new(); count];
        for (row, cells) in table.rows.iter().enumerate() {
            let mut cells = cells.clone();
            keys.iter().for_each(|&key| cells[key] = format!("K{}", cells[key]));
            for &quasi in &table.quasi {
                cells[quasi] = match &cells[quasi][..] {
                    "*" => dice.pick(&["a", "b", "c", "1", ""]),
                    "AB" => dice.pick(&["a", "b"]),
                    "{a|c}" => dice.pick(&["a", "c"]),
                    "[1, 3)" => dice.pick(&["1", "2"]),
                    exact => exact.to_owned(),
                };
            }
            moved[of[row] as usize] = cells;
        }
        table.rows = moved;
        rows.push(of);
    }
    PlainOriginals { tables, rows }
}

/// Changes of which row a row is, or a cell of the originals. Keys of the originals are sound, as those of data are.
pub fn plant_in_originals(originals: &mut PlainOriginals, dice: &mut Dice) {
    for _ in 0..dice.roll(3) {
        let place = dice.roll(originals.tables.len());
        let count = originals.rows[place].len();
        if count == 0 {
            continue;
        }
        let row = dice.roll(count);
        if dice.roll(2) == 0 {
            originals.rows[place][row] = dice.roll(count + 1) as u32;
        } else {
            let table = &mut originals.tables[place];
            let column = table.quasi.iter().chain(&table.others).nth(dice.roll(2));
            if let Some(&column) = column {
                table.rows[row][column] = dice.pick(&["a", "c", "1", "x", ""]);
            }
        }
    }
}
