//! Policies as data: made without a text, checked, written back, compared.

use std::path::{Path, PathBuf};

use fastrand::Rng;
use scumble_grouping::{Form, FullDomainObjective, Nearest};
use scumble_policy::{
    About, AboutValues, Approach, Cells, ColumnKind, ColumnPolicy, Counting, Data, DatabaseRows, DistanceKind,
    EarlierPolicy, Formulas, Gathering, GatheringPersons, Inconsistent, InconsistentCondition, Kind, ListedColumns,
    LookupPolicy, Missing, Of, OfEarlier, OnDangling, Opening, Persons, Place, Policy, Require, Role, RowsAt, Spanned,
    TablePolicy, Unlisted,
};
use scumble_privacy::Diversity;
use scumble_refine::{Objective, Weigh};
use scumble_table::{Alike, Range, ReleaseFormat, RowOrder, SensitiveRange};

/// Names that are no bare keys of TOML, look like those of releases, or are words of policies.
const NAMES: [&str; 8] = ["job", "zip code", "a.b", "größe", "x\"y", "this", "any", "line\nbreak"];

fn some<T: Clone>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.usize(..all.len())].clone()
}

fn maybe<T>(rng: &mut Rng, make: impl FnOnce(&mut Rng) -> T) -> Option<T> {
    rng.bool().then(|| make(rng))
}

fn share(rng: &mut Rng) -> f64 {
    some(rng, &[0.1, 0.25, 0.5, 1.0, 1e-7, 0.1 + 0.2])
}

/// Different names, at least one.
fn names(rng: &mut Rng) -> Vec<String> {
    let mut names = NAMES.map(str::to_owned).to_vec();
    rng.shuffle(&mut names);
    names.truncate(rng.usize(1..NAMES.len()));
    names
}

fn column(name: &str, role: Role, rng: &mut Rng) -> ColumnPolicy {
    let numbers = || ColumnKind::Continuous {
        range: Range::new(0.5, 120.25).ok(),
    };
    let kind = match rng.u8(..4) {
        0 if matches!(role, Role::Quasi | Role::Sensitive) => numbers(),
        1 => ColumnKind::Continuous { range: None },
        2 => ColumnKind::Categorical {
            taxonomy: Some(some(rng, &["tree.csv", "/trees/job.csv", "./tree.csv", "../tree.csv"]).into()),
        },
        _ => ColumnKind::Categorical { taxonomy: None },
    };
    let is_plain = kind == ColumnKind::Categorical { taxonomy: None };
    ColumnPolicy {
        sensitive_ranges: (role == Role::Sensitive && kind == numbers() && rng.bool())
            .then(|| SensitiveRange::Width(7.5).into()),
        unique: role == Role::Other && rng.bool(),
        alike: is_plain
            .then(|| {
                some(
                    rng,
                    &[None, Some(Alike::Keep), Some(Alike::Unite), Some(Alike::UniteCase)],
                )
            })
            .flatten(),
        kind,
        ..ColumnPolicy::new(name, role)
    }
}

/// Columns, the first of them quasi, the last sensitive if there are several.
fn columns(rng: &mut Rng) -> ListedColumns {
    let names = names(rng);
    let last = names.len() - 1;
    let role = |place: usize, rng: &mut Rng| match place {
        0 => Role::Quasi,
        place if place == last => Role::Sensitive,
        _ => some(rng, &[Role::Quasi, Role::Identifier, Role::Other]),
    };
    let columns = names.iter().enumerate().map(|(place, name)| {
        let role = role(place, rng);
        column(name, role, rng)
    });
    columns.collect()
}

fn about(column: &str, rng: &mut Rng) -> Vec<About> {
    let values = match rng.bool() {
        true => AboutValues::Every,
        false => {
            let listed = ["HIV", "Flu ", " flu", "a.b"].map(|value| (value.into(), share(rng)));
            AboutValues::Listed(listed.to_vec())
        }
    };
    vec![About {
        column: column.into(),
        values,
    }]
}

fn kind(secret: Option<&str>, rng: &mut Rng) -> Kind {
    let k = rng.u64(1..9);
    let Some(column) = secret else {
        return Kind::Anonymity {
            k,
            per: Counting::Records,
        };
    };
    let (at_most, name) = (share(rng), column.to_owned());
    match rng.u8(..9) {
        0 => Kind::Confidence {
            at_most,
            about: about(column, rng),
        },
        1 => Kind::AlphaK {
            alpha: at_most,
            k,
            about: about(column, rng),
        },
        2 => Kind::PSensitive { p: 2, k, about: name },
        3 => Kind::Diversity {
            measure: some(
                rng,
                &[
                    Diversity::Distinct { l: 2 },
                    Diversity::Entropy { l: 1.5 },
                    Diversity::Recursive { c: 0.75, l: 3 },
                ],
            ),
            about: name,
        },
        4 => Kind::Closeness {
            at_most,
            distance: some(rng, &[DistanceKind::Equal, DistanceKind::Ordered]),
            about: name,
        },
        5 => Kind::DeltaDisclosure {
            below: at_most,
            about: name,
        },
        6 => Kind::BetaLikeness {
            at_most,
            enhanced: rng.bool(),
            about: name,
        },
        _ => Kind::Anonymity {
            k,
            per: Counting::Records,
        },
    }
}

fn approach(rng: &mut Rng) -> Approach {
    let subspace = some(rng, &[None, Some(100)]);
    let gathering = [
        Gathering::Local,
        Gathering::Toc {
            utility_weight: 0.25,
            threshold: Some(0.5),
            subspace,
            nearest: Nearest::ToSeed,
        },
        Gathering::Upc {
            loss_at_most: 0.3,
            subspace,
        },
        Gathering::Mondrian { strict: false },
        Gathering::KMember,
        Gathering::KMemberP,
        Gathering::Microaggregation { centre: Form::Median },
    ];
    match rng.u8(..4) {
        0 => Approach::FullDomain(FullDomainObjective::Discernibility),
        1 => Approach::Gather(some(rng, &gathering)),
        2 => Approach::Anatomy,
        _ => Approach::Refine,
    }
}

fn data(rng: &mut Rng) -> Data {
    let table = || DatabaseRows::Table("people".into());
    let (at, rows) = match rng.u8(..4) {
        0 => (Place::Sqlite("people.sqlite".into()), Some(table())),
        1 => (
            Place::Postgres("postgres://host/clinic".into()),
            Some(DatabaseRows::Query("select \"a\"\nfrom b".into())),
        ),
        _ => (
            Place::File(some(rng, &["people.csv", "./people.csv", "/data/people.csv"]).into()),
            None,
        ),
    };
    let is_file = rows.is_none();
    Data {
        rows,
        missing: some(rng, &[Missing::Value, Missing::Drop]),
        missing_marks: some(rng, &[vec![], vec!["?".to_owned(), "\"".to_owned()]]),
        names: maybe(rng, names).filter(|_| is_file),
        separator: maybe(rng, |rng| some(rng, b"\t;|")).filter(|_| is_file),
        comment: maybe(rng, |_| b'#').filter(|_| is_file),
        trim: rng.bool(),
        sheet: maybe(rng, |_| "2024".to_owned()).filter(|_| is_file),
        population: maybe(rng, |_| "patients".to_owned()),
        ..Data::at(at)
    }
}

fn of(quasi: &[String], rng: &mut Rng) -> Option<Of> {
    let columns = quasi[..rng.usize(1..=quasi.len())].to_vec();
    match rng.u8(..4) {
        0 => Some(Of {
            any: Some(1).filter(|_| columns.len() > 1),
            columns,
            this_alone: Vec::new(),
            earlier: OfEarlier::Listed(Vec::new()),
        }),
        1 => Some(Of {
            this_alone: columns[..1].to_vec(),
            columns,
            earlier: OfEarlier::Listed(vec!["clinic2024.ward".into()]),
            any: None,
        }),
        _ => None,
    }
}

fn earlier(rng: &mut Rng) -> EarlierPolicy {
    EarlierPolicy {
        name: "clinic2024".into(),
        file: "clinic2024/released.csv".into(),
        join: maybe(rng, |_| vec!["job".into()]),
        on_dangling: some(rng, &[OnDangling::Error, OnDangling::Report]),
        taxonomies: some(rng, &[vec![], vec![("ward".into(), "ward.csv".into())]]),
        quasi: None,
        recoded: Vec::new(),
        cells: some(
            rng,
            &[vec![], vec![("zip code".into(), Cells::of_word("numbers").unwrap())]],
        ),
        trim: None,
        from_ledger: false,
    }
}

/// A policy over one table, which may be wrong.
fn of_one_table(rng: &mut Rng) -> Policy {
    let columns = columns(rng);
    let with = |role| columns.iter().filter(move |column| column.role == role);
    let quasi: Vec<String> = with(Role::Quasi).map(|column| column.name.get_ref().clone()).collect();
    let secret = with(Role::Sensitive).next().map(|column| column.name.get_ref().clone());
    let require: Vec<Require> = (0..rng.usize(1..4))
        .map(|_| {
            let require = Require::of_all(kind(secret.as_deref(), rng));
            match of(&quasi, rng) {
                Some(of) if require.kind.is_joinable() => Require { of, ..require },
                _ => require,
            }
        })
        .collect();
    let mut policy = Policy::new(data(rng), columns, require);
    policy.method.approach = approach(rng);
    policy.method.seed = rng.u64(..);
    if policy.method.approach == Approach::Refine {
        policy.method.objective = some(
            rng,
            &[Objective::Certainty, Objective::Distortion, Objective::Discernibility],
        );
        policy.method.weigh = some(rng, &[Weigh::All, Weigh::Records]);
        policy.method.steps = maybe(rng, |_| 3);
    }
    if policy.method.loss_at_most().is_some() {
        policy.method.rows_suppressed_at_most = some(rng, &[1.0, 0.25]);
    }
    policy.release.folder = some(rng, &["out", "./out", "/out", ".."]).into();
    policy.release.format = some(rng, &[ReleaseFormat::Csv, ReleaseFormat::Parquet]);
    policy.release.order = some(rng, &[RowOrder::Sorted, RowOrder::Input]);
    policy.release.formulas = some(rng, &[Formulas::Report, Formulas::Text]);
    policy.release.unlisted = some(rng, &[Unlisted::LeaveOut, Unlisted::Publish]);
    if rng.u8(..3) == 0 {
        policy.earlier = vec![earlier(rng)];
        let condition = |release: &str| InconsistentCondition {
            release: release.into(),
            column: "a.b".into(),
            within: "[0, 5)".into(),
        };
        policy.inconsistent = vec![Inconsistent {
            conditions: [condition("this"), condition("clinic2024")],
        }];
    }
    policy
}

fn table(name: &str, at: &Place, rng: &mut Rng) -> TablePolicy {
    let folder = match at {
        Place::Folder(folder) => folder.get_ref().clone(),
        _ => PathBuf::new(),
    };
    let from = match rng.u8(..4) {
        0 => RowsAt::File(folder.join("rows.csv").into()),
        1 if at.is_database() => RowsAt::Database(DatabaseRows::Query("select 1".into())),
        _ if at.is_database() => RowsAt::Database(DatabaseRows::Table("t".into())),
        _ => RowsAt::Named(folder.join(name).into()),
    };
    TablePolicy {
        name: name.into(),
        from,
        key: some(rng, &[vec!["id".into()], vec!["id 1".into(), "id 2".into()]]),
        parent: None,
        foreign_key: Vec::new(),
        refers: some(rng, &[vec![], vec![("teacher".into(), "staff".into())]]),
        columns: columns(rng),
    }
}

/// A policy over several tables, which may be wrong.
fn of_several_tables(rng: &mut Rng) -> Policy {
    let at = some(
        rng,
        &[
            Place::Folder("".into()),
            Place::Folder("tables".into()),
            Place::Sqlite("all.sqlite".into()),
            Place::Postgres("postgresql://host/all".into()),
        ],
    );
    let persons = table("students", &at, rng);
    let courses = TablePolicy {
        parent: maybe(rng, |_| "students".into()),
        foreign_key: vec!["sid".into()],
        ..table("courses", &at, rng)
    };
    let lookup = LookupPolicy {
        name: "staff".into(),
        from: table("staff", &at, rng).from,
        key: Some("number".into()),
        refers: Vec::new(),
        columns: names(rng).into_iter().map(Spanned::from).collect(),
    };
    let sensitive = courses.columns.iter().find(|column| column.role == Role::Sensitive);
    let secret = sensitive.map(|column| format!("courses.{}", column.name.get_ref()));
    let anonymity = Kind::Anonymity {
        k: rng.u64(1..9),
        per: Counting::Records,
    };
    let require = [
        Require::of_all(anonymity),
        Require::of_all(kind(secret.as_deref(), rng)),
    ];
    let mut policy = Policy::new(Data::at(at), [], require);
    let opening = Opening {
        threshold: maybe(rng, share),
        climit: maybe(rng, |_| 12),
    };
    policy.method.approach = Approach::Persons(some(
        rng,
        &[
            GatheringPersons::Entities,
            GatheringPersons::Miracle(opening),
            GatheringPersons::MiracleX(opening),
            GatheringPersons::Bitmap(opening),
        ],
    ));
    policy.persons = Some(Persons {
        tables: vec![persons, courses],
        lookups: vec![lookup],
    });
    policy
}

#[track_caller]
fn assert_written_back(policy: &Policy, folder: &Path) {
    let text = policy.to_toml(folder);
    let again = Policy::parse(&text, "again.toml", folder).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(&again, policy, "{text}");
    assert_eq!(again.to_toml(folder), text);
}

#[test]
fn random_policies_are_written_so_that_they_parse_to_the_same() {
    for make in [of_one_table, of_several_tables] {
        let mut right = 0;
        for seed in 0..2_000 {
            let policy = make(&mut Rng::with_seed(seed));
            let Ok(checked) = policy.checked() else { continue };
            right += 1;
            assert_written_back(&checked, Path::new(""));
            // What is right is left as it is, but for columns that were not named.
            assert_eq!(checked.method, policy.method);
            assert_eq!((&checked.data, &checked.release), (&policy.data, &policy.release));
            assert_eq!((&checked.columns, &checked.persons), (&policy.columns, &policy.persons));
            assert_eq!(
                (&checked.earlier, &checked.inconsistent),
                (&policy.earlier, &policy.inconsistent)
            );
        }
        assert!(right > 400, "only {right} of the random policies are right");
    }
}

#[test]
fn every_example_is_written_so_that_it_parses_to_the_same() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut kinds = [0, 0];
    for folder in std::fs::read_dir(examples).unwrap() {
        let folder = folder.unwrap().path();
        for file in std::fs::read_dir(&folder).into_iter().flatten() {
            let file = file.unwrap().path();
            let is_policy = file.extension().is_some_and(|extension| extension == "toml");
            if !is_policy || file.ends_with("agreement.toml") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let policy = Policy::parse(&text, "policy.toml", &folder).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(policy.text(), text);
            assert_written_back(&policy, &folder);
            kinds[usize::from(policy.persons.is_some())] += 1;
        }
    }
    assert!(kinds[0] >= 8 && kinds[1] >= 1, "{kinds:?}");
}

#[test]
fn policies_are_compared_by_what_they_ask() {
    let parse = |text: &str| Policy::parse(text, "policy.toml", Path::new("")).unwrap();
    let one = "[data]\nfile = 'a.csv'\n[columns]\njob = { role = 'quasi' }\n[[require]]\nanonymity = 5\n";
    let same = "# The same.\nrequire = [{ anonymity = 5 }]\ndata.file = \"a.csv\"\n[columns.job]\nrole = \"quasi\"\n";
    assert_eq!(parse(one), parse(same));
    for (asked, other) in [("5", "6"), ("a.csv", "b.csv"), ("job", "town")] {
        assert_ne!(parse(one), parse(&one.replace(asked, other)));
    }
    let several = "[person]\nfile = 'a.csv'\nkey = 'id'\n[columns]\njob = { role = 'quasi' }\n\
                   ill = { role = 'sensitive' }\n[[require]]\nanonymity = 5\n[[require]]\ndiversity = 2\nabout = 'ill'\n";
    assert_eq!(parse(several), parse(&several.replace("'ill'\n", "'a.ill'\n")));
}

/// The rows of a look-up are nobody's, so nothing is inferred of a person from them alone.
#[test]
fn a_look_up_is_not_what_a_requirement_is_about() {
    let text = "[person]\nfile = 'a.csv'\nkey = 'id'\nrefers = { w = 'ward' }\n[[lookups]]\nname = 'ward'\nfile = 'w.csv'\n\
                key = 'w'\n[columns]\njob = { role = 'quasi' }\nward.kind = { role = 'sensitive' }\n\
                [[require]]\nanonymity = 5\n[[require]]\ndiversity = 2\nabout = 'ward.kind'\n";
    let problems = Policy::parse(text, "policy.toml", Path::new("")).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "policy.toml:15: this is about a look-up, whose rows are published as they are and are no persons'; \
         join the column to the table that refers to it"
    );
}

/// All problems of a policy without a text come at once, each with the key that says it.
#[test]
fn a_policy_without_a_text_is_checked_as_one_with_it() {
    let columns = [
        ColumnPolicy::new("job", Role::Quasi),
        ColumnPolicy {
            unique: true,
            ..ColumnPolicy::new("ill", Role::Sensitive)
        },
    ];
    let confidence = Kind::Confidence {
        at_most: 1.5,
        about: vec![About {
            column: "il".into(),
            values: AboutValues::Every,
        }],
    };
    let mut policy = Policy::new(Data::of_file(""), columns, [Require::of_all(confidence)]);
    policy.method.rows_suppressed_at_most = 1.0;
    let problems = policy.checked().unwrap_err();
    assert_eq!(
        problems.to_string(),
        "policy: data.file: `file` must be a path\n\
         policy: columns.ill.unique: `unique` is for other columns; take it out\n\
         policy: require[0].confidence: `confidence` must be a share: above 0 and at most 1\n\
         policy: require[0].about.il: unknown column `il` in `about`; did you mean `ill`?\n\
         policy: method.rows_suppressed_at_most: `rows_suppressed_at_most` must be a share: at least 0 and below 1"
    );
    assert!(problems.list().iter().all(|problem| problem.line.is_none()));
}
