//! MiRaCle, MiRaCleX and the bitmap as the paper has them, with pointers, sets of texts and fractions. Slow, and easy to believe.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use scumble_relational::Method;

use crate::world::{Kind, Sheet, TREE};

/// A number of which no digit is lost.
#[derive(Clone, Copy, Debug)]
pub struct Fraction(i128, i128);

impl Fraction {
    pub fn new(numerator: i128, denominator: i128) -> Fraction {
        let (mut divisor, mut rest) = (numerator, denominator);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        Fraction(numerator / divisor, denominator / divisor)
    }

    pub fn value(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }

    fn cmp(self, other: Fraction) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    fn mean(losses: &[Fraction]) -> Fraction {
        let sum = losses.iter().fold(Fraction(0, 1), |sum, next| {
            Fraction::new(sum.0 * next.1 + next.0 * sum.1, sum.1 * next.1)
        });
        Fraction::new(sum.0, sum.1 * losses.len().max(1) as i128)
    }
}

/// What some persons have in common, from one table downwards.
#[derive(Clone, Debug)]
pub struct Node {
    sheet: usize,
    /// One of each person.
    rows: Vec<usize>,
    /// All values of each quasi column.
    cells: Vec<BTreeSet<Option<String>>>,
    /// How many of its siblings before it have the same values.
    number: usize,
    /// For each table that hangs off this one.
    children: Vec<Vec<Node>>,
}

/// A node without its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub rows: Vec<usize>,
    pub children: Vec<Vec<Shape>>,
}

impl Node {
    pub fn shape(&self) -> Shape {
        let below = |nodes: &Vec<Node>| nodes.iter().map(Node::shape).collect();
        Shape {
            rows: self.rows.clone(),
            children: self.children.iter().map(below).collect(),
        }
    }
}

pub struct Slow<'s> {
    pub sheets: &'s [Sheet],
    pub k: usize,
    pub threshold: Fraction,
    pub climit: usize,
    pub method: Method,
    /// How many persons are gathered before the next ones start anew.
    pub block: usize,
}

impl Slow<'_> {
    /// Algorithm 2: the representatives, and the persons left out.
    pub fn run(&self) -> (Vec<Node>, Vec<usize>) {
        let (mut open, mut closed): (Vec<Node>, Vec<Node>) = (Vec::new(), Vec::new());
        let mut still_open = Vec::new();
        let persons: Vec<usize> = (0..self.sheets[0].rows.len()).collect();
        for (number, block) in persons.chunks(self.block).enumerate() {
            let mut own = Vec::new();
            for &person in block {
                self.take(self.entity(0, person), &mut own, &mut closed);
            }
            let first = number == 0;
            if first { open = own } else { still_open.extend(own) }
        }
        for cluster in still_open {
            self.take(cluster, &mut open, &mut closed);
        }
        while open.len() > 1 {
            let first = open.remove(0);
            let (place, _) = self.nearest(&open, |other| self.distance(&first, other)).unwrap();
            let other = open.remove(place);
            open.insert(0, self.merge(&first, &other).0);
            self.close(&mut open, &mut closed);
        }
        (closed, open.into_iter().flat_map(|cluster| cluster.rows).collect())
    }

    fn take(&self, person: Node, open: &mut Vec<Node>, closed: &mut Vec<Node>) {
        match self.nearest(open, |cluster| self.distance(cluster, &person)) {
            Some((place, distance))
                if distance.cmp(self.threshold) != Ordering::Greater || open.len() > self.climit =>
            {
                open[place] = self.merge(&open[place], &person).0;
            }
            _ => open.push(person),
        }
        self.close(open, closed);
    }

    /// Definition 8 of the whole database.
    pub fn loss(&self, clusters: &[Node]) -> Fraction {
        self.loss_of_domains(self.sheets, clusters)
    }

    /// Definition 8, in which a domain is what the kept rows have of it.
    pub fn loss_on_kept(&self, clusters: &[Node]) -> Fraction {
        let sheets = (0..).zip(self.sheets);
        let kept: Vec<Sheet> = sheets.map(|(place, sheet)| kept(place, sheet, clusters)).collect();
        self.loss_of_domains(&kept, clusters)
    }

    fn loss_of_domains(&self, sheets: &[Sheet], clusters: &[Node]) -> Fraction {
        let measuring = Slow { sheets, ..*self };
        let mut losses = Vec::new();
        for cluster in clusters {
            measuring.add_losses(cluster, &mut losses);
        }
        let all: usize = self
            .sheets
            .iter()
            .map(|sheet| sheet.rows.len() * sheet.kinds.len())
            .sum();
        losses.resize(all, Fraction(1, 1));
        Fraction::mean(&losses)
    }

    fn add_losses(&self, node: &Node, losses: &mut Vec<Fraction>) {
        for loss in self.losses(node) {
            losses.extend(node.rows.iter().map(|_| loss));
        }
        node.children
            .iter()
            .flatten()
            .for_each(|child| self.add_losses(child, losses));
    }

    fn close(&self, open: &mut Vec<Node>, closed: &mut Vec<Node>) {
        if let Some(full) = open.iter().position(|cluster| cluster.rows.len() >= self.k) {
            closed.push(open.remove(full));
        }
    }

    fn nearest(&self, nodes: &[Node], distance: impl Fn(&Node) -> Fraction) -> Option<(usize, Fraction)> {
        let distances = nodes.iter().map(distance).enumerate();
        distances.reduce(|least, next| {
            if next.1.cmp(least.1) == Ordering::Less {
                next
            } else {
                least
            }
        })
    }

    fn distance(&self, first: &Node, second: &Node) -> Fraction {
        Fraction::mean(&self.merge(first, second).1)
    }

    /// The sheets that hang off one.
    fn below(&self, sheet: usize) -> impl Iterator<Item = usize> {
        (0..self.sheets.len()).filter(move |&child| self.sheets[child].parent == Some(sheet))
    }

    fn entity(&self, sheet: usize, row: usize) -> Node {
        let children = self.below(sheet).map(|child| {
            let rows = self.sheets[child]
                .rows
                .iter()
                .enumerate()
                .filter(|(_, other)| other.of == row);
            let mut nodes: Vec<Node> = rows.map(|(row, _)| self.entity(child, row)).collect();
            for place in 0..nodes.len() {
                let before = nodes[..place].iter();
                nodes[place].number = before.filter(|node| node.cells == nodes[place].cells).count();
            }
            nodes
        });
        let cells = self.sheets[sheet].rows[row].cells.iter();
        Node {
            sheet,
            rows: vec![row],
            cells: cells.map(|cell| BTreeSet::from([cell.clone()])).collect(),
            number: 0,
            children: children.collect(),
        }
    }

    /// Algorithm 3: what two nodes have in common, and the loss of every cell of it and of every cell removed.
    fn merge(&self, first: &Node, second: &Node) -> (Node, Vec<Fraction>) {
        let mut merged = self.merge_alone(first, second);
        let mut losses = self.losses(&merged);
        for (firsts, seconds) in first.children.iter().zip(&second.children) {
            let (nodes, below) = match self.method {
                Method::Bitmap => self.merge_bits(firsts, seconds),
                Method::Miracle | Method::MiracleX => self.merge_sets(firsts, seconds),
            };
            merged.children.push(nodes);
            losses.extend(below);
        }
        (merged, losses)
    }

    /// Without what is below.
    fn merge_alone(&self, first: &Node, second: &Node) -> Node {
        let cells = first.cells.iter().zip(&second.cells);
        Node {
            sheet: first.sheet,
            rows: [&first.rows[..], &second.rows].concat(),
            cells: cells.map(|(a, b)| a | b).collect(),
            number: first.number,
            children: Vec::new(),
        }
    }

    /// Algorithms 4 and 5.
    fn merge_sets(&self, firsts: &[Node], seconds: &[Node]) -> (Vec<Node>, Vec<Fraction>) {
        let first_leads = firsts.len() <= seconds.len();
        let (leaders, others) = if first_leads {
            (firsts, seconds)
        } else {
            (seconds, firsts)
        };
        let mut free = others.to_vec();
        let (mut nodes, mut losses) = (Vec::new(), Vec::new());
        for leader in leaders {
            let merge = |other: &Node| {
                if first_leads {
                    self.merge(leader, other)
                } else {
                    self.merge(other, leader)
                }
            };
            let cost = |other: &Node| match self.method {
                Method::Miracle => Fraction::mean(&merge(other).1),
                _ => Fraction::mean(&self.losses(&self.merge_alone(leader, other))),
            };
            let (place, _) = self.nearest(&free, cost).unwrap();
            let (node, below) = merge(&free.remove(place));
            nodes.push(node);
            losses.extend(below);
        }
        let removed: usize = free.iter().map(cells).sum();
        losses.extend(vec![Fraction(1, 1); removed]);
        (nodes, losses)
    }

    /// Section III-C: a bit for each path of values. What both have is kept and loses nothing, all else is removed; every
    /// bit is one cell.
    fn merge_bits(&self, firsts: &[Node], seconds: &[Node]) -> (Vec<Node>, Vec<Fraction>) {
        let same = |a: &Node, b: &Node| a.cells == b.cells && a.number == b.number;
        let (mut nodes, mut losses) = (Vec::new(), Vec::new());
        for first in firsts {
            let Some(second) = seconds.iter().find(|second| same(first, second)) else {
                losses.extend(vec![Fraction(1, 1); bits(first)]);
                continue;
            };
            let mut merged = self.merge_alone(first, second);
            losses.push(Fraction(0, 1));
            for (firsts, seconds) in first.children.iter().zip(&second.children) {
                let (nodes, below) = self.merge_bits(firsts, seconds);
                merged.children.push(nodes);
                losses.extend(below);
            }
            nodes.push(merged);
        }
        let only_second = seconds
            .iter()
            .filter(|second| !firsts.iter().any(|first| same(first, second)));
        losses.extend(vec![Fraction(1, 1); only_second.map(bits).sum()]);
        (nodes, losses)
    }

    fn losses(&self, node: &Node) -> Vec<Fraction> {
        let sheet = &self.sheets[node.sheet];
        let loss = |(column, values): (usize, &BTreeSet<Option<String>>)| {
            if values.len() == 1 {
                return Fraction(0, 1);
            }
            let texts: Option<Vec<&str>> = values.iter().map(Option::as_deref).collect();
            texts.map_or(Fraction(1, 1), |texts| {
                loss(sheet.kinds[column], &texts, &values_of(sheet, column))
            })
        };
        node.cells.iter().enumerate().map(loss).collect()
    }
}

/// A sheet without the rows that no cluster has.
fn kept(place: usize, sheet: &Sheet, clusters: &[Node]) -> Sheet {
    fn rows_of(place: usize, node: &Node) -> Vec<usize> {
        let below = node.children.iter().flatten().flat_map(|child| rows_of(place, child));
        let own = node.rows.iter().copied().filter(|_| node.sheet == place);
        own.chain(below).collect()
    }
    let rows = clusters.iter().flat_map(|cluster| rows_of(place, cluster));
    Sheet {
        rows: rows.map(|row| sheet.rows[row].clone()).collect(),
        ..sheet.clone()
    }
}

/// The cells of a node and of all below it.
fn cells(node: &Node) -> usize {
    node.cells.len() + node.children.iter().flatten().map(cells).sum::<usize>()
}

/// A node and all below it.
fn bits(node: &Node) -> usize {
    1 + node.children.iter().flatten().map(bits).sum::<usize>()
}

/// The different values of a quasi column, without the missing one.
fn values_of(sheet: &Sheet, column: usize) -> BTreeSet<String> {
    sheet.rows.iter().filter_map(|row| row.cells[column].clone()).collect()
}

/// Definition 8 of one cell that stands for several values of a column.
fn loss(kind: Kind, texts: &[&str], all: &BTreeSet<String>) -> Fraction {
    let share = |values: usize, domain: usize| Fraction::new(values as i128 - 1, domain as i128 - 1);
    match kind {
        Kind::Tree => share(leaves_over(texts), TREE.lines().count()),
        Kind::Leaves => share(texts.len(), TREE.lines().count()),
        Kind::Values | Kind::ManyValues => share(texts.len(), all.len()),
        Kind::Numbers | Kind::ManyNumbers => {
            Fraction::new(length(texts.iter().copied()), length(all.iter().map(|text| &**text)))
        }
    }
}

/// How many leaves the closest common ancestor has.
fn leaves_over(texts: &[&str]) -> usize {
    let paths: Vec<Vec<&str>> = TREE.lines().map(|line| line.split(';').collect()).collect();
    let under = |node: &str| {
        paths
            .iter()
            .filter(|path| path.contains(&node))
            .map(|path| path[0])
            .collect::<Vec<_>>()
    };
    let path = paths.iter().find(|path| path[0] == texts[0]).unwrap();
    let common = path
        .iter()
        .map(|node| under(node))
        .find(|leaves| texts.iter().all(|text| leaves.contains(text)));
    common.unwrap().len()
}

/// From the smallest to the largest number, in tenths.
fn length<'t>(texts: impl Iterator<Item = &'t str>) -> i128 {
    let tenths: Vec<i128> = texts
        .map(|text| (text.parse::<f64>().unwrap() * 10.0) as i128)
        .collect();
    tenths.iter().max().unwrap() - tenths.iter().min().unwrap()
}
