//! What must hold of the policy parser, whatever the bytes.

use std::path::Path;

use miette::Diagnostic;
use scumble_publish::{AboutValues, Error, Fault, Policy, Require, Role, Taxonomies};
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
        match require.get_ref() {
            Require::Anonymity(anonymity) => {
                assert!(anonymity.k > 0 && !anonymity.of.is_empty());
                assert!(anonymity.of.iter().all(|name| has_role(name, &[Role::Quasi])));
                assert!(anonymity.per.iter().all(|name| policy.column(name).is_some()));
            }
            Require::Confidence(confidence) => {
                let is_share = |bound: f64| 0.0 < bound && bound <= 1.0;
                assert!(is_share(confidence.bound) && !confidence.of.is_empty() && !confidence.about.is_empty());
                for about in &confidence.about {
                    assert!(has_role(&about.column, &[Role::Sensitive, Role::Class]));
                    if let AboutValues::Listed(values) = &about.values {
                        assert!(!values.is_empty() && values.iter().all(|&(_, bound)| is_share(bound)));
                    }
                }
            }
        }
    }
    let on_class = matches!(
        policy.method.objective,
        Objective::InformationGain | Objective::GainOnly
    );
    assert!(!on_class || with_role(Role::Class).count() == 1);
    assert!((0.0..1.0).contains(&policy.method.rows_suppressed_at_most));
    assert!(policy.data.file.get_ref() != Path::new("folder"));
}

/// On data with just the columns of the policy, nothing stands in the way.
fn check_plan(policy: &Policy) {
    let header: Vec<String> = policy
        .columns
        .iter()
        .map(|column| column.name.get_ref().clone())
        .collect();
    let confidence = |require: &Require| matches!(require, Require::Confidence(_));
    match policy.plan(&header, &Taxonomies::default()) {
        Ok(plan) => {
            assert_eq!(plan.reading.len(), header.len());
            let bound = policy.require.iter().filter(|require| !confidence(require.get_ref()));
            assert_eq!(plan.requirement.templates.len(), bound.count());
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
