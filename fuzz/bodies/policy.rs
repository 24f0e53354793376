//! What must hold of the policy parser, whatever the bytes.

use std::path::Path;

use miette::Diagnostic;
use scumble::plan::bind;
use scumble::policy::{
    AboutValues, Approach, ColumnKind, Counting, Kind, OfEarlier, Require, Role, SecretDemand, Spanned, Taxonomies,
};
use scumble::{Error, Fault, Policy};
use scumble_refine::Objective;

/// Parses the bytes. A policy that comes out keeps its promises and can be planned; a refusal is a list of problems,
/// one line each, at places that exist.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Policy::parse(&text, "policy.toml", Path::new("folder")) {
        Ok(policy) if policy.persons.is_some() => {
            check_persons(&policy);
            check_written(&policy);
        }
        Ok(policy) => {
            check_written(&policy);
            check_policy(&policy);
            check_plan(&policy, &text);
        }
        Err(problems) => check_error(&problems.into(), &text),
    }
}

/// Written back, it is the same policy.
fn check_written(policy: &Policy) {
    let folder = Path::new("folder");
    let text = policy.to_toml(folder);
    match Policy::parse(&text, "again.toml", folder) {
        Ok(again) => assert_eq!(&again, policy, "{text}"),
        Err(problems) => panic!("{problems}\n{text}"),
    }
}

/// What a policy over several tables speaks of is there, once, and what is asked of a column is asked of a sensitive one.
fn check_persons(policy: &Policy) {
    let tables = policy.tables().iter().map(|table| &table.name);
    let lookups = policy.lookups().iter().map(|lookup| &lookup.name);
    let mut names: Vec<&String> = tables.chain(lookups).map(Spanned::get_ref).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(policy.persons_alike() > 0 && !policy.tables().is_empty());
    assert!(policy.tables()[0].parent.is_none() && policy.tables()[0].foreign_key.is_empty());
    let column = |table: usize, name: &str| {
        let columns = policy.tables()[table].columns.iter();
        columns.filter(|column| column.name.get_ref() == name).count()
    };
    let quasi = policy.tables().iter().flat_map(|table| &table.columns);
    assert!(quasi.filter(|column| column.role == Role::Quasi).count() > 0);
    for table in policy.tables() {
        let is_table = |name: &Spanned<String>| {
            policy
                .tables()
                .iter()
                .any(|known| known.name.get_ref() == name.get_ref())
        };
        assert!(table.parent.as_ref().is_none_or(is_table));
        let keys = table.key.iter().chain(&table.foreign_key);
        assert!(keys.clone().all(|key| {
            table
                .columns
                .iter()
                .all(|column| column.name.get_ref() != key.get_ref())
        }));
    }
    for secret in policy.secrets_of_persons() {
        assert_eq!(column(secret.table, secret.column.get_ref()), 1);
        if let SecretDemand::Confidence { at_most, values } = &secret.demand {
            assert!(0.0 < *at_most && *at_most <= 1.0);
            assert!(values.as_ref().is_none_or(|values| !values.is_empty()));
        }
    }
    let Approach::Persons(gathering) = policy.method.approach else {
        panic!("persons are gathered");
    };
    let threshold = gathering.opening().and_then(|opening| opening.threshold);
    assert!(threshold.is_none_or(|threshold| (0.0..=1.0).contains(&threshold)));
}

fn check_policy(policy: &Policy) {
    let with_role = |role| policy.columns.iter().filter(move |column| column.role == role);
    let has_role = |name: &String, roles: &[Role]| roles.contains(&policy.column(name).expect("is listed").role);
    assert!(with_role(Role::Quasi).count() > 0);
    assert!(with_role(Role::Class).count() <= 1);
    assert!(!policy.require.is_empty());
    for require in &policy.require {
        let require = require.get_ref();
        assert!(!require.of.columns.is_empty() || speaks_of_releases(policy));
        assert!(require.of.columns.iter().all(|name| has_role(name, &[Role::Quasi])));
        assert!(
            require
                .of
                .any
                .is_none_or(|any| 0 < any && any < require.of.columns.len())
        );
        check_kind(&require.kind, policy, &has_role);
    }
    let on_class = matches!(
        policy.method.objective,
        Objective::InformationGain | Objective::GainOnly
    );
    assert!(!on_class || with_role(Role::Class).count() == 1);
    assert!((0.0..1.0).contains(&policy.method.rows_suppressed_at_most));
    assert!(policy.data.file() != Some(Path::new("folder")));
}

/// Whether the policy names an earlier release, which only those who have it can check.
fn speaks_of_releases(policy: &Policy) -> bool {
    let is_elsewhere = |name: &Spanned<String>| policy.column(name.get_ref()).is_none();
    let in_section = |Require { of, kind }: &Require| {
        let of_earlier = matches!(&of.earlier, OfEarlier::Listed(names) if !names.is_empty());
        let about = kind.secrets().iter().any(|about| is_elsewhere(&about.column));
        let per = match kind {
            Kind::Anonymity { per, .. } => match per {
                Counting::Records => false,
                Counting::Join | Counting::RecordsOf(_) => true,
                Counting::Columns(names) => names.iter().any(is_elsewhere),
            },
            _ => false,
        };
        of_earlier || about || per
    };
    let mut sections = policy.require.iter().map(Spanned::get_ref);
    !policy.earlier.is_empty() || !policy.inconsistent.is_empty() || sections.any(in_section)
}

fn check_kind(kind: &Kind, policy: &Policy, has_role: &impl Fn(&String, &[Role]) -> bool) {
    let is_share = |bound: f64| 0.0 < bound && bound <= 1.0;
    let is_secret = |name: &String| has_role(name, &[Role::Sensitive, Role::Class]);
    let is_elsewhere = |name: &Spanned<String>| policy.column(name.get_ref()).is_none() && name.get_ref().contains('.');
    for about in kind.secrets() {
        assert!(is_elsewhere(&about.column) || is_secret(about.column.get_ref()));
        if let AboutValues::Listed(values) = &about.values {
            assert!(!values.is_empty() && values.iter().all(|&(_, bound)| is_share(bound)));
        }
    }
    match kind {
        Kind::Anonymity { k, per } => {
            let columns = match per {
                Counting::Columns(names) => names,
                _ => &Vec::new(),
            };
            let fits = |name: &Spanned<String>| is_elsewhere(name) || has_role(name.get_ref(), &ALL_ROLES);
            assert!(*k > 0 && columns.iter().all(fits));
        }
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
        Kind::RangeDiversity { at_most, about } => {
            assert!((0.0..=1.0).contains(at_most) && has_role(about, &[Role::Sensitive]));
            assert!(
                policy
                    .column(about)
                    .is_some_and(|column| column.sensitive_ranges.is_some())
            );
        }
    }
}

const ALL_ROLES: [Role; 5] = [Role::Identifier, Role::Quasi, Role::Sensitive, Role::Class, Role::Other];

/// On data with just the columns of the policy, nothing stands in the way but releases that are not there. Files that
/// the policy names are not there to be read.
fn check_plan(policy: &Policy, text: &str) {
    let has_taxonomy = |kind: &ColumnKind| matches!(kind, ColumnKind::Categorical { taxonomy: Some(_) });
    if policy.columns.iter().any(|column| has_taxonomy(&column.kind)) || !policy.earlier.is_empty() {
        return;
    }
    let header: Vec<String> = policy
        .columns
        .iter()
        .map(|column| column.name.get_ref().clone())
        .collect();
    match bind(policy, &header, &[], &Taxonomies::default()) {
        Ok(plan) => {
            assert_eq!(plan.columns.reading().len(), header.len());
            assert!(plan.requirement.templates.len() >= policy.require.len());
            assert_eq!(plan.part_of.len(), plan.requirement.templates.len());
            assert!(plan.quasi.iter().all(|quasi| plan.columns[quasi.0].role == Role::Quasi));
            assert!(
                plan.requirement
                    .templates
                    .iter()
                    .all(|template| !plan.describe(template).is_empty())
            );
        }
        Err(problems) if speaks_of_releases(policy) => check_error(&problems.into(), text),
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
        assert!(problem.key.is_none() || problem.line.is_some());
    }
    for label in error.labels().into_iter().flatten() {
        assert!(text.get(label.offset()..label.offset() + label.len()).is_some());
    }
}
