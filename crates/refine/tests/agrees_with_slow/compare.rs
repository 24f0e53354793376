//! Both searches on one problem, compared step by step, and the audit of what they found.

use std::sync::Arc;

use proptest::prelude::*;
use scumble_privacy::{
    Demand, Distance, Diversity, QuasiIdentifier, Requirement, SecretValues, Secrets, Template, audit,
};
use scumble_progress::{Event, Stage, Trial};
use scumble_refine::{
    Objective, Operation, Outcome, Population, Problem, QuasiColumn, Refined, Weigh, Why, dangling, refine,
};
use scumble_table::{
    Codes, Column, ColumnId, Mask, Range, Released, SensitiveDomain, SensitiveRange, SensitiveRanges, Table, Taxonomy,
    ValueOrder,
};

use crate::slow;

/// The same demand for the fast search; `quasi` is the number of quasi columns, after which the others follow.
fn demand(demand: &slow::Demand, quasi: usize, secrets: &Arc<Taxonomy>) -> Demand {
    let (person, about, guarding) = (ColumnId(quasi + 1), ColumnId(quasi + 2), ColumnId(quasi + 3));
    match demand {
        &slow::Demand::Records(k) => Demand::Anonymity { k, per: vec![] },
        &slow::Demand::People(k) => Demand::Anonymity { k, per: vec![person] },
        &slow::Demand::KMap(k) => Demand::KMap { k, population: 0 },
        slow::Demand::Confidence(at_most, sets) => Demand::Confidence {
            at_most: *at_most,
            about: vec![Secrets {
                column: about,
                values: sets.clone().map_or(SecretValues::Every, SecretValues::Sets),
            }],
        },
        &slow::Demand::Distinct(l) => Demand::Diversity {
            about,
            measure: Diversity::Distinct { l },
        },
        &slow::Demand::Entropy(l) => Demand::Diversity {
            about,
            measure: Diversity::Entropy { l },
        },
        &slow::Demand::Recursive { c, l } => Demand::Diversity {
            about,
            measure: Diversity::Recursive { c, l },
        },
        &slow::Demand::Closeness(at_most, distance) => Demand::Closeness {
            about,
            at_most,
            distance: match distance {
                slow::Distance::Equal => Distance::Equal,
                slow::Distance::Ordered => Distance::Ordered,
                slow::Distance::Taxonomy => Distance::Taxonomy(secrets.clone()),
            },
        },
        &slow::Demand::Delta(below) => Demand::DeltaDisclosure { about, below },
        &slow::Demand::Beta { at_most, enhanced } => Demand::BetaLikeness {
            about,
            at_most,
            enhanced,
        },
        &slow::Demand::Personal(at_most) => Demand::Personal {
            about,
            guarding,
            at_most,
            taxonomy: secrets.clone(),
        },
        &slow::Demand::RangeDiversity { at_most, steps } => {
            let domain = match steps {
                Some(_) => SensitiveDomain::Leaves(secrets.clone()),
                None => SensitiveDomain::Values,
            };
            let range = SensitiveRange::Level(steps.unwrap_or(1) as u32);
            Demand::RangeDiversity {
                about,
                at_most,
                ranges: SensitiveRanges::new(domain, range).unwrap(),
            }
        }
        slow::Demand::Joined(joined) => Demand::Joined(joined.clone()),
    }
}

pub fn taxonomy(tree: &slow::Tree) -> Taxonomy {
    fn list(tree: &slow::Tree, parent: Option<usize>, nodes: &mut Vec<(String, Option<usize>)>) {
        let place = nodes.len();
        nodes.push((tree.label.clone(), parent));
        tree.children.iter().for_each(|child| list(child, Some(place), nodes));
    }
    let mut nodes = Vec::new();
    list(tree, None, &mut nodes);
    Taxonomy::from_parents(&nodes).unwrap()
}

/// Runs both and compares every step, figure and released cell.
pub fn compare(problem: &slow::Problem) -> Result<(), TestCaseError> {
    let taxonomies: Vec<Option<Taxonomy>> = problem
        .operations
        .iter()
        .map(|operation| match operation {
            slow::Operation::Generalize(tree) => Some(taxonomy(tree)),
            _ => None,
        })
        .collect();
    let quasi = problem.operations.len();
    let rows = problem.rows.len();
    // The dictionaries of the quasi columns hold the values of the population too.
    let united: Vec<Column> = (0..quasi)
        .map(|column| {
            let order = match (&problem.operations[column], &taxonomies[column]) {
                (slow::Operation::Generalize(_), Some(taxonomy)) => ValueOrder::Taxonomy(taxonomy),
                (slow::Operation::Discretize(_), _) => ValueOrder::Number,
                _ => ValueOrder::Natural,
            };
            let own = problem.rows.iter().map(|row| row.quasi[column].as_deref());
            let people = problem.population.iter().map(|person| person[column].as_deref());
            Column::from_cells(&format!("q{column}"), order, own.chain(people))
        })
        .collect();
    let codes = |column: &Column, from: usize, to: usize| {
        Codes::collect(column.dictionary().len(), (from..to).map(|row| column.codes().at(row)))
    };
    let mut columns: Vec<Column> = united
        .iter()
        .map(|column| column.with_codes(codes(column, 0, rows)))
        .collect();
    let people = rows + problem.population.len();
    let population = Population {
        rows: problem.population.len(),
        codes: united
            .iter()
            .enumerate()
            .map(|(id, column)| (ColumnId(id), codes(column, rows, people)))
            .collect(),
    };
    let secrets = Arc::new(taxonomy(&problem.secrets));
    let mut add = |name: &str, order: ValueOrder, cell: fn(&slow::Row) -> Option<&str>| {
        columns.push(Column::from_cells(name, order, problem.rows.iter().map(cell)));
    };
    add("class", ValueOrder::Natural, |row| Some(&row.class));
    add("person", ValueOrder::Natural, |row| Some(&row.person));
    add("secret", ValueOrder::Taxonomy(&secrets), |row| row.secret.as_deref());
    add("guarding", ValueOrder::Natural, |row| row.guarding.as_deref());
    let table = Table::new(rows, columns);

    let template = |template: &slow::Template| Template {
        of: QuasiIdentifier {
            columns: template.of.iter().copied().map(ColumnId).collect(),
            any: Some(template.any).filter(|_| template.demand.joined().is_none()),
        },
        demand: demand(&template.demand, quasi, &secrets),
    };
    let requirement = Requirement {
        templates: problem.templates.iter().map(template).collect(),
    };
    let operation = |column: usize| match (&problem.operations[column], &taxonomies[column]) {
        (slow::Operation::Generalize(_), Some(taxonomy)) => Operation::Generalize(taxonomy),
        (slow::Operation::Discretize(range), _) => {
            Operation::Discretize(range.map(|(from, to)| Range::new(from, to).unwrap()))
        }
        _ => Operation::Suppress,
    };
    let fast = Problem {
        table: &table,
        populations: std::slice::from_ref(&population),
        history: &problem.history,
        quasi: (0..quasi)
            .map(|column| QuasiColumn {
                id: ColumnId(column),
                operation: operation(column),
            })
            .collect(),
        class: problem.has_class.then_some(ColumnId(quasi)),
        requirement: &requirement,
        objective: match problem.objective {
            slow::Objective::InformationGain => Objective::InformationGain,
            slow::Objective::GainOnly => Objective::GainOnly,
            slow::Objective::Distortion => Objective::Distortion,
            slow::Objective::Discernibility => Objective::Discernibility,
            slow::Objective::Certainty => Objective::Certainty,
        },
        elsewhere: Vec::new(),
        weigh: match problem.weighs_records_alone {
            true => Weigh::Records,
            false => Weigh::All,
        },
        rows_left_out_at_most: problem.rows_left_out_at_most,
        steps: None,
    };
    if !problem.history.earlier.is_empty() {
        let dangling = dangling(&table, &problem.history);
        let earlier = dangling
            .earlier
            .iter()
            .map(|own| (own.of_this as usize, own.of_release as usize));
        prop_assert_eq!((dangling.of_this as usize, earlier.collect()), problem.dangling());
    }
    let watch = Trial::patient();
    let searched = search(&fast, &watch);
    let halfway = Trial::with_patience(watch.looks() / 2);
    prop_assert!(matches!(search(&fast, &halfway), Outcome::Interrupted));
    let (refined, found) = match (searched, slow::refine(problem)) {
        (Outcome::Refined(refined), Some(found)) => (refined, found),
        (Outcome::CannotBeMet(_), None) => return Ok(()),
        (fast, slow) => {
            return Err(TestCaseError::fail(format!(
                "fast {fast:?}\nslow {slow:?}\n{:?}",
                problem.templates
            )));
        }
    };
    prop_assert_eq!(watch.fault(), None);
    let told: Vec<Event> = watch
        .events()
        .into_iter()
        .filter(|event| matches!(event, Event::Step { .. }))
        .collect();
    prop_assert_eq!(told.len(), refined.trace.steps.len());
    for ((number, event), step) in (1..).zip(&told).zip(&refined.trace.steps) {
        let loss = Some(step.information_loss);
        let Event::Step {
            number: at,
            loss: told,
            levels,
        } = event
        else {
            continue;
        };
        prop_assert!(
            (*at, *told, levels.len()) == (number, loss, requirement.templates.len()),
            "{:?}",
            event
        );
    }
    check_share(&watch.events(), &fast, &refined)?;
    let close = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-9 * a.abs().max(1e-3);
    let all_close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| close(a, b));
    for (number, (fast, slow)) in refined.trace.steps.iter().zip(&found.steps).enumerate() {
        let same = (fast.column, &fast.value, &fast.into, fast.left_out)
            == (slow.column, &slow.value, &slow.into, slow.left_out);
        let near = close(fast.gain, slow.gain)
            && close(fast.loss, slow.loss)
            && close(fast.score, slow.score)
            && all_close(&fast.levels, &slow.levels);
        prop_assert!(same && near, "step {number}\nfast {fast:?}\nslow {slow:?}");
    }
    prop_assert_eq!(refined.trace.steps.len(), found.steps.len());
    prop_assert_eq!(refined.stops.len(), found.stops.len());
    for (stop, (column, slow)) in refined.stops.iter().zip(&found.stops) {
        let same = match (&stop.why, slow) {
            (Why::Complete, slow::Stop::Complete) | (Why::NothingToGain, slow::Stop::NothingToGain) => true,
            (Why::Blocked { value, by, .. }, slow::Stop::Blocked(slow_value, slow_by)) => {
                let templates = by.iter().map(|block| block.template);
                let levels: Vec<f64> = by.iter().map(|block| block.level).collect();
                let slow_levels: Vec<f64> = slow_by.iter().map(|&(_, level)| level).collect();
                value == slow_value
                    && templates.eq(slow_by.iter().map(|&(template, _)| template))
                    && all_close(&levels, &slow_levels)
            }
            _ => false,
        };
        prop_assert!(
            same && stop.column == *column,
            "fast {stop:?}\nslow {slow:?}\n{:?}",
            problem.templates
        );
    }

    let masks: Vec<(Mask, Option<&Taxonomy>, bool)> = (0..quasi + 4)
        .map(|column| match refined.masks.get(column) {
            Some(mask) => (mask.clone(), taxonomies[column].as_ref(), true),
            None => (Mask::Exact, None, true),
        })
        .collect();
    let left_out = refined.left_out.unwrap_or_else(|| vec![false; table.rows()]);
    let shown: Vec<Option<Vec<slow::Cell>>> = (0..table.rows())
        .map(|row| {
            let cell = |column: usize| {
                let (of_code, labels) = masks[column].0.labels(&table.columns()[column], masks[column].1);
                labels
                    .at(of_code[table.columns()[column].codes().at(row) as usize] as usize)
                    .map(str::to_owned)
            };
            (!left_out[row]).then(|| (0..quasi).map(cell).collect())
        })
        .collect();
    prop_assert_eq!(&shown, &found.released);

    let last = refined.trace.steps.last();
    let levels = last.map_or(&refined.trace.start, |step| &step.levels).clone();
    let told = last.map_or(refined.trace.start_information_loss, |step| step.information_loss);
    let penalties = (0..quasi).flat_map(|column| {
        let of_code = masks[column].0.penalties(&table.columns()[column], masks[column].1);
        let codes: Vec<u32> = table.columns()[column].codes().iter().collect();
        codes.into_iter().map(move |code| of_code[code as usize])
    });
    let information_loss = penalties.sum::<f64>() / (table.rows() * quasi) as f64;
    prop_assert!(close(told, information_loss), "told {told}, is {information_loss}");
    let shown_to_people: Vec<(ColumnId, Vec<slow::Cell>)> = population
        .codes
        .iter()
        .map(|(id, codes)| {
            let (of_code, labels) = masks[id.0].0.labels(table.column(*id), masks[id.0].1);
            let label = |code: u32| labels.at(of_code[code as usize] as usize).map(str::to_owned);
            (*id, codes.iter().map(label).collect())
        })
        .collect();
    let released = Released::new(table, &masks, Some(&left_out));
    let people = shown_to_people.into_iter().map(|(id, shown)| {
        let labels = released.columns()[id.0].labels();
        let number = |shown: slow::Cell| {
            labels
                .iter()
                .position(|label| label == shown.as_deref())
                .map(|place| place as u32)
        };
        (id, shown.into_iter().map(number).collect())
    });
    let people = scumble_privacy::Population::new(population.rows, people.collect());
    let audited = audit(released, &requirement, &[people], &problem.history);
    let audited = audited.map_err(|failed| {
        TestCaseError::fail(format!(
            "{failed:?}\nsearch {levels:?}\n{:?}\n{:?}",
            problem.templates, problem.secrets
        ))
    })?;
    let found: Vec<f64> = audited.findings().iter().map(|finding| finding.level).collect();
    prop_assert!(
        all_close(&found, &levels),
        "audit {found:?}\nsearch {levels:?}\n{:?}",
        problem.templates
    );
    Ok(())
}

/// After half of the steps, no larger share is told than that of the cells which show already what they show in the end.
fn check_share(events: &[Event], problem: &Problem, refined: &Refined) -> Result<(), TestCaseError> {
    let half = refined.trace.steps.len() / 2;
    let half_way = Problem {
        steps: Some(half),
        quasi: problem.quasi.clone(),
        elsewhere: problem.elsewhere.clone(),
        ..*problem
    };
    let Outcome::Refined(sooner) = search(&half_way, &Trial::patient()) else {
        return Err(TestCaseError::fail("a search of fewer steps finds less"));
    };
    let shown = |quasi: &QuasiColumn, mask: &Mask| -> Vec<slow::Cell> {
        let column = problem.table.column(quasi.id);
        let taxonomy = match &quasi.operation {
            Operation::Generalize(taxonomy) => Some(*taxonomy),
            _ => None,
        };
        let (of_code, labels) = mask.labels(column, taxonomy);
        let cell = |code: u32| labels.at(of_code[code as usize] as usize).map(str::to_owned);
        column.codes().iter().map(cell).collect()
    };
    // A column of no template is never masked, and so never settled.
    let (mut settled, mut cells) = (0, 0);
    for column in refined.stops.iter().map(|stop| stop.column) {
        let of = |found: &Refined| shown(&problem.quasi[column], &found.masks[column]);
        let (then, finally) = (of(&sooner), of(refined));
        settled += then
            .iter()
            .zip(&finally)
            .filter(|(then, finally)| then == finally)
            .count();
        cells += finally.len();
    }
    let is_later = |event: &Event| matches!(event, Event::Step { number, .. } if *number > half as u64);
    let told = events.iter().take_while(|event| !is_later(event));
    let told = told.filter_map(|event| match event {
        Event::Phase {
            phase: "refining",
            share,
        } => Some((share - 0.05) / 0.9),
        _ => None,
    });
    let told = told.last().unwrap_or(0.0);
    let is = settled as f64 / cells.max(1) as f64;
    prop_assert!(told <= is + 1e-9, "told {told}, is {is}");
    Ok(())
}

/// The search, as a stage of its own.
fn search(problem: &Problem, watch: &Trial) -> Outcome {
    let outcome = Stage::Searching.run(watch, |work| Ok::<_, ()>(refine(problem, work)));
    outcome.unwrap_or(Outcome::Interrupted)
}
