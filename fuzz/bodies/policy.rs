//! What must hold of the policy parser, whatever the bytes.

use std::path::Path;

use miette::Diagnostic;
use scumble_publish::{AboutValues, ColumnKind, Error, Fault, Kind, Policy, Role, Taxonomies};
use scumble_refine::Objective;

/// Parses the bytes. A policy that comes out keeps its promises and can be planned; a refusal is a list of problems,
/// one line each, at places that exist.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Policy::parse(&text, "policy.toml", Path::new("folder")) {
        Ok(policy) => {
            check_policy(&policy);
            check_plan(&policy);
        }
        Err(error) => check_error(&error, &text),
    }
}

fn check_policy(policy: &Policy) {
    let with_role = |role| policy.columns.iter().filter(move |column| column.role == role);
    let has_role = |name: &String, roles: &[Role]| roles.contains(&policy.column(name).expect("is listed").role);
    assert!(with_role(Role::Quasi).count() > 0);
    assert!(with_role(Role::Class).count() <= 1);
    assert!(!policy.require.is_empty());
    for require in &policy.require {
        let require = require.get_ref();
        assert!(!require.of.columns.is_empty());
        assert!(require.of.columns.iter().all(|name| has_role(name, &[Role::Quasi])));
        assert!(
            require
                .of
                .any
                .is_none_or(|any| 0 < any && any < require.of.columns.len())
        );
        check_kind(&require.kind, &has_role);
    }
    let on_class = matches!(
        policy.method.objective,
        Objective::InformationGain | Objective::GainOnly
    );
    assert!(!on_class || with_role(Role::Class).count() == 1);
    assert!((0.0..1.0).contains(&policy.method.rows_suppressed_at_most));
    assert!(policy.data.file.get_ref() != Path::new("folder"));
}

fn check_kind(kind: &Kind, has_role: &impl Fn(&String, &[Role]) -> bool) {
    let is_share = |bound: f64| 0.0 < bound && bound <= 1.0;
    let is_secret = |name: &String| has_role(name, &[Role::Sensitive, Role::Class]);
    for about in kind.secrets() {
        assert!(is_secret(&about.column));
        if let AboutValues::Listed(values) = &about.values {
            assert!(!values.is_empty() && values.iter().all(|&(_, bound)| is_share(bound)));
        }
    }
    match kind {
        Kind::Anonymity { k, per } => assert!(*k > 0 && per.iter().all(|name| has_role(name, &ALL_ROLES))),
        Kind::KMap { k, population } => assert!(*k > 0 && population.get_ref() != Path::new("folder")),
        Kind::Confidence { at_most, about } => assert!(is_share(*at_most) && !about.is_empty()),
        Kind::AlphaK { alpha, k, about } => assert!(is_share(*alpha) && *k > 0 && !about.is_empty()),
        Kind::PSensitive { p, k, about } => assert!(*p > 0 && *k > 0 && is_secret(about)),
        Kind::Closeness { at_most, about, .. } => assert!((0.0..=1.0).contains(at_most) && is_secret(about)),
        Kind::Diversity { about, .. } => assert!(is_secret(about)),
        Kind::DeltaDisclosure { below: bound, about }
        | Kind::BetaLikeness {
            at_most: bound, about, ..
        } => {
            assert!(*bound > 0.0 && is_secret(about));
        }
        Kind::Personal {
            at_most,
            about,
            guarding,
        } => {
            assert!(is_share(*at_most) && is_secret(about));
            assert!(has_role(guarding, &[Role::Identifier, Role::Other]));
        }
    }
}

const ALL_ROLES: [Role; 5] = [Role::Identifier, Role::Quasi, Role::Sensitive, Role::Class, Role::Other];

/// On data with just the columns of the policy, nothing stands in the way. Taxonomy files are not there to be read.
fn check_plan(policy: &Policy) {
    let has_taxonomy = |kind: &ColumnKind| matches!(kind, ColumnKind::Categorical { taxonomy: Some(_) });
    if policy.columns.iter().any(|column| has_taxonomy(&column.kind)) {
        return;
    }
    let header: Vec<String> = policy
        .columns
        .iter()
        .map(|column| column.name.get_ref().clone())
        .collect();
    match policy.plan(&header, &Taxonomies::default()) {
        Ok(plan) => {
            assert_eq!(plan.reading.len(), header.len());
            assert!(plan.requirement.templates.len() >= policy.require.len());
            assert_eq!(plan.part_of.len(), plan.requirement.templates.len());
            assert!(
                plan.quasi
                    .iter()
                    .all(|quasi| plan.columns[quasi.id.0].role == Role::Quasi)
            );
            assert!(
                plan.requirement
                    .templates
                    .iter()
                    .all(|template| !plan.describe(template).is_empty())
            );
        }
        Err(error) => panic!("a policy fits its own columns: {error}"),
    }
}

fn check_error(error: &Error, text: &str) {
    assert_eq!(error.fault(), Fault::Input);
    assert!(!error.problems().is_empty());
    assert_eq!(error.to_string().lines().count(), error.problems().len());
    let last = 1 + text.bytes().filter(|&byte| byte == b'\n').count();
    for problem in error.problems() {
        assert!(problem.line.is_none_or(|line| (1..=last).contains(&line)));
        assert!(!problem.message.is_empty());
    }
    for label in error.labels().into_iter().flatten() {
        assert!(text.get(label.offset()..label.offset() + label.len()).is_some());
    }
}
