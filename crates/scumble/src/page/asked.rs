//! What was asked for, and how to do it again.

use scumble_report::{Block, Certificate, Fact, Section, Table, Tone};

use super::facts::ReleaseFacts;
use crate::warning::Warning;
use scumble_bind::Plan;
use scumble_policy::{Approach, Method, Policy, Role};

/// The figures to see first.
pub(super) fn summary(plan: &Plan, certificate: &Certificate) -> Section {
    let rows = &certificate.rows;
    let fact = |label: &str, value: String, tone| Fact {
        label: label.to_owned(),
        value,
        tone,
    };
    let held = certificate.require.iter().filter(|template| template.holds).count();
    let all = certificate.require.len();
    let mut facts = vec![
        fact("rows published", rows.published.to_string(), Tone::Plain),
        fact(
            "templates that hold",
            format!("{held} of {all}"),
            if held == all { Tone::Good } else { Tone::Watch },
        ),
        fact(
            "information loss of the quasi cells",
            format!("{:.1} %", 100.0 * certificate.information_loss),
            Tone::Plain,
        ),
    ];
    if rows.left_out + rows.dropped > 0 {
        let value = format!("{} / {}", rows.left_out, rows.dropped);
        facts.insert(
            1,
            fact("rows left out / dropped for missing values", value, Tone::Watch),
        );
    }
    if let Some(risks) = &certificate.risks {
        let highest = risks.prosecutor.highest;
        facts.push(fact("highest risk of one row", format!("{highest:.4}"), Tone::Plain));
    }
    if let Some(found) = &certificate.singled_out {
        let alone = found.as_they_are.uniques;
        let tone = if alone == 0 { Tone::Good } else { Tone::Watch };
        facts.push(fact(
            "rows alone on the columns published as they are",
            alone.to_string(),
            tone,
        ));
    }
    let levels = plan.requirement.templates.iter().zip(&certificate.require);
    let levels = levels.map(|(template, certified)| plan.describe_level(template, certified.level.number()));
    Section::new("In short", vec![Block::Facts(facts), Block::List(levels.collect())])
}

/// The columns with their parts, and the requirement in words.
pub(super) fn asked(policy: &Policy, plan: &Plan, warnings: &[Warning]) -> Section {
    let mut columns = Table::new(&["column", "part in the release", "published as"]);
    let gathers = matches!(policy.method.approach, Approach::Gather(_));
    let apart = policy.method.approach == Approach::Anatomy;
    for (column, place) in plan.columns.iter().zip(plan.places_among_quasi()) {
        let form = match place.map(|_| column.operation()) {
            _ if !column.is_published() => "not published",
            Some(_) if gathers => "what its group has in common",
            Some(_) if apart => "as it is",
            None if apart && column.role == Role::Sensitive => "as it is, in the other table, by group",
            Some(scumble_refine::Operation::Generalize(_)) => "nodes of its taxonomy",
            Some(scumble_refine::Operation::Suppress) => "the value or *",
            Some(scumble_refine::Operation::Discretize(_)) => "intervals",
            Some(scumble_refine::Operation::Foreign) => "what its holder says",
            None => "as it is",
        };
        columns.push([column.name.clone(), column.role.word().to_owned(), form.to_owned()]);
    }
    let templates = plan
        .requirement
        .templates
        .iter()
        .map(|template| plan.describe(template));
    let mut blocks = vec![
        Block::List(templates.collect()),
        Block::Table(columns),
        Block::Text(format!(
            "{}; at most {:.1} % of the rows may be left out.",
            searched(&policy.method),
            100.0 * policy.method.rows_suppressed_at_most
        )),
    ];
    if !warnings.is_empty() {
        blocks.push(Block::Text("To be known:".to_owned()));
        blocks.push(Block::List(warnings.iter().map(ToString::to_string).collect()));
    }
    Section::new("What was asked", blocks)
}

/// How the release was searched for.
fn searched(method: &Method) -> String {
    if method.approach == Approach::Refine {
        return format!("Refined for {}", method.objective_word());
    }
    let settings = method.approach.settings();
    let settings: Vec<String> = settings.iter().map(|(key, value)| format!("{key} {value}")).collect();
    let with = if settings.is_empty() { "" } else { ", " };
    format!("By {}{with}{}", method.approach.word(), settings.join(", "))
}

/// The policy and the command.
pub(super) fn reproduce(policy: &Policy, facts: &ReleaseFacts) -> Section {
    let words = "The same policy, data and version give the same release, byte for byte. The policy:";
    let version = format!("scumble {}", env!("CARGO_PKG_VERSION"));
    let name = policy.source().file_name().unwrap_or("policy.toml");
    let mut command = format!("scumble publish {name}");
    if let Some(steps) = facts.steps {
        command.push_str(&format!(" --steps {steps}"));
    }
    let check = format!("scumble audit {} {name}", facts.file);
    Section::new(
        "How to do it again",
        vec![
            Block::Code(format!("{command}\n{check}")),
            Block::Text(words.to_owned()),
            Block::Code(policy.text_without_password()),
            Block::Text(format!("Made by {version}.")),
        ],
    )
}
