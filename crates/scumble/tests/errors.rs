//! Every kind of error, room by room: its message to the byte, whose fault it is, and how all edges are told.

use std::io;
use std::path::Path;

use scumble::errors::{
    AttackError, BindError, BuildError, CertificateFault, ClassificationError, DatabaseError, EntryFault,
    EvaluateError, GenerateError, InputError, JsonMisfit, LedgerError, LevelFault, MaskError, MaskMisfit, OneTableOnly,
    PastError, PersonsError, ReadError, ReleaseError, ReleasedFilesError, RowsMisfit, SearchError, SettingError,
    TablesMisfit, TextError, WorkloadError, WorkloadProblem, WriteError,
};
use scumble::results::{ComparedLevels, ComparedVersion, Cover, JoinedRelease, Shortfall};
use scumble::{Blame, Error, ErrorReport, Fault, Policy, Problems};
use scumble_privacy::check_schema;

/// Names every kind of an error. A kind that is not named does not compile, and one that no sample has fails.
macro_rules! kinds {
    ($name:ident, $list:ident: $error:ty { $($kind:pat => $word:literal,)* }) => {
        fn $name(error: &$error) -> &'static str {
            match error {
                $($kind => $word,)*
            }
        }
        const $list: &[&str] = &[$($word),*];
    };
}

kinds!(text, TEXT: TextError {
    TextError::Problems(_) => "problems",
    TextError::Open { .. } => "open",
    TextError::Build { .. } => "build",
});
kinds!(input, INPUT: InputError {
    InputError::Read(_) => "read",
    InputError::TooManyRows(_) => "too many rows",
    InputError::Bind(_) => "bind",
    InputError::Dangling(_) => "dangling",
    InputError::OtherInputs => "other inputs",
});
kinds!(search, SEARCH: SearchError {
    SearchError::CannotBeMet(_) => "cannot be met",
    SearchError::LeavesOutTooMany { .. } => "leaves out too many",
    SearchError::NothingReleased { .. } => "nothing released",
    SearchError::OnJoin(_) => "on join",
    SearchError::AtLevel { reason: LevelFault::NotOnTheWay, .. } => "level not on the way",
    SearchError::AtLevel { reason: LevelFault::NotAskedFor { .. }, .. } => "level not asked for",
    SearchError::AtLevel { reason: LevelFault::Looser { .. }, .. } => "level looser",
    SearchError::AtLevel { reason: LevelFault::OutOfReach { .. }, .. } => "level out of reach",
    SearchError::ByClassifier(_) => "by classifier",
    SearchError::NoMasks => "no masks",
    SearchError::MaskDoesNotFit { reason: MaskMisfit::NoSuchColumn, .. } => "mask of no column",
    SearchError::MaskDoesNotFit { reason: MaskMisfit::NoMask(_), .. } => "no mask",
    SearchError::MaskDoesNotFit { reason: MaskMisfit::OtherKind, .. } => "mask of other kind",
    SearchError::MaskBreaksRequirement { .. } => "mask breaks requirement",
});
kinds!(release, RELEASE: ReleaseError {
    ReleaseError::AuditFailed(_) => "audit failed",
    ReleaseError::GroupLosesTooMuch { .. } => "group loses too much",
    ReleaseError::MaskLosesTooMuch { .. } => "mask loses too much",
    ReleaseError::MaskFails(_) => "mask fails",
    ReleaseError::DomainUnknown(_) => "domain unknown",
});
kinds!(persons, PERSONS: PersonsError {
    PersonsError::Database(_) => "database",
    PersonsError::Gathering(_) => "gathering",
    PersonsError::LookupKeyTwice { .. } => "look-up key twice",
    PersonsError::NotInLookup { .. } => "not in look-up",
    PersonsError::NoPersons(_) => "no persons",
    PersonsError::NobodyReleased { .. } => "nobody released",
    PersonsError::NoMasksNorLevels => "no masks nor levels",
    PersonsError::AuditFailed { .. } => "audit of persons failed",
});
kinds!(past, PAST: PastError {
    PastError::Ledger(_) => "ledger",
    PastError::Entry { reason: EntryFault::Certificate(_), .. } => "entry certificate",
    PastError::Entry { reason: EntryFault::OtherTaxonomy { .. }, .. } => "entry taxonomy",
    PastError::Entry { reason: EntryFault::InTheWay, .. } => "entry in the way",
    PastError::Entry { reason: EntryFault::NoName, .. } => "entry no name",
    PastError::Entry { reason: EntryFault::Taken { .. }, .. } => "entry taken",
    PastError::Entry { reason: EntryFault::NoVersion { .. }, .. } => "entry no version",
    PastError::Entry { reason: EntryFault::OfPersons, .. } => "entry of persons",
    PastError::Republication(_) => "republication",
    PastError::NotForAnatomy => "not for anatomy",
    PastError::NotForPersons => "not for persons",
    PastError::Unknown => "past unknown",
});
kinds!(released_files, RELEASED_FILES: ReleasedFilesError {
    ReleasedFilesError::Certificate { reason: CertificateFault::NotOne(_), .. } => "no certificate",
    ReleasedFilesError::Certificate { reason: CertificateFault::Version { .. }, .. } => "certificate version",
    ReleasedFilesError::Certificate { reason: CertificateFault::SeveralTables, .. } => "certificate several",
    ReleasedFilesError::TablesDoNotFit { reason: TablesMisfit::NoGroup, .. } => "no group",
    ReleasedFilesError::TablesDoNotFit { reason: TablesMisfit::SecretBesidePeople { .. }, .. } => "secret beside",
    ReleasedFilesError::TablesDoNotFit { reason: TablesMisfit::OtherBesideSecrets, .. } => "other beside",
    ReleasedFilesError::TablesDoNotFit { reason: TablesMisfit::GroupsDiffer { .. }, .. } => "groups differ",
    ReleasedFilesError::NotOfPolicy { .. } => "not of policy",
    ReleasedFilesError::RowsFile { reason: RowsMisfit::Columns, .. } => "rows: columns",
    ReleasedFilesError::RowsFile { reason: RowsMisfit::Rows { .. }, .. } => "rows: rows",
    ReleasedFilesError::RowsFile { reason: RowsMisfit::NoRow { .. }, .. } => "rows: no row",
});
kinds!(evaluate, EVALUATE: EvaluateError {
    EvaluateError::NoColumn(_) => "evaluate no column",
    EvaluateError::NoRanges(_) => "no ranges",
    EvaluateError::NoQueries(_) => "no queries",
    EvaluateError::Workload { .. } => "workload",
    EvaluateError::NoClassification(_) => "no classification",
    EvaluateError::DataNotKept => "data to measure not kept",
    EvaluateError::NoQuasi => "no quasi to ask",
    EvaluateError::NoSecret(_) => "no secret",
    EvaluateError::OfOneTable(OneTableOnly::Queries) => "one table: queries",
    EvaluateError::OfOneTable(OneTableOnly::Split) => "one table: split",
    EvaluateError::OfOneTable(OneTableOnly::Cells) => "one table: cells",
    EvaluateError::OfOneTable(OneTableOnly::Uniques) => "one table: uniques",
});
kinds!(attack, ATTACK: AttackError {
    AttackError::NoJoin => "no join",
    AttackError::LacksColumns(_) => "lacks columns",
    AttackError::DataNotKept => "data to attack not kept",
});

/// The kind of an error, by the rooms that hold it.
fn kind(error: &Error) -> &'static str {
    match error {
        Error::Text(error) => text(error),
        Error::Input(error) => input(error),
        Error::Search(error) => search(error),
        Error::Release(error) => release(error),
        Error::Persons(error) => persons(error),
        Error::Past(error) => past(error),
        Error::ReleasedFiles(error) => released_files(error),
        Error::Evaluate(error) => evaluate(error),
        Error::Attack(error) => attack(error),
        Error::Write(_) => "write",
        #[cfg(feature = "mashup")]
        Error::Mashup(error) => parties::kind(error),
        Error::Interrupted => "interrupted",
    }
}

fn all_kinds() -> Vec<&'static str> {
    let rooms = [
        TEXT,
        INPUT,
        SEARCH,
        RELEASE,
        PERSONS,
        PAST,
        RELEASED_FILES,
        EVALUATE,
        ATTACK,
        &["write", "interrupted"],
        #[cfg(feature = "mashup")]
        parties::KINDS,
    ];
    rooms.concat()
}

/// An error, whose fault it is, and its message.
type Sample = (Error, Fault, &'static str);

fn sample(error: impl Into<Error>, fault: Fault, message: &'static str) -> Sample {
    (error.into(), fault, message)
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

fn shortfalls() -> Vec<Shortfall> {
    vec![Shortfall {
        template: "anonymity 10 of age, job".to_owned(),
        level: "8".to_owned(),
        nearest: Some("at most 8".to_owned()),
        final_for_finer: true,
    }]
}

fn broken_json() -> JsonMisfit {
    serde_json::from_str::<u32>("?").unwrap_err().into()
}

fn problems() -> Problems {
    let policy = "data = { file = 'p.csv' }\ncolumns.age = { role = 'quazi' }\ncolumns.job = { rolle = 'quasi' }\n";
    Policy::parse(policy, "policy.toml", Path::new("")).unwrap_err()
}

fn of_texts() -> Vec<Sample> {
    let open = |kind: io::ErrorKind| TextError::Open {
        path: "policy.toml".into(),
        reason: kind.into(),
    };
    let build = TextError::Build {
        column: "age".to_owned(),
        reason: BuildError::NoValues,
    };
    vec![
        sample(
            problems(),
            Fault::Input,
            "policy.toml:2: unknown role `quazi`; did you mean `quasi`?\n\
             policy.toml:3: column `job` has no role; valid: identifier, quasi, sensitive, class, other\n\
             policy.toml:3: unknown key `rolle` in column `job`; did you mean `role`?\n\
             policy.toml: there is no [[require]] section; add [[require]] with `anonymity = k`",
        ),
        sample(
            open(io::ErrorKind::NotFound),
            Fault::Input,
            "policy.toml: cannot be read: entity not found",
        ),
        sample(
            open(io::ErrorKind::PermissionDenied),
            Fault::Environment,
            "policy.toml: cannot be read: permission denied",
        ),
        sample(
            build,
            Fault::Input,
            "no taxonomy for column `age`: there is no value to build a taxonomy from",
        ),
    ]
}

fn of_inputs() -> Vec<Sample> {
    let read = |kind: io::ErrorKind| ReadError::Io {
        path: "people.csv".into(),
        source: kind.into(),
    };
    let cover = Cover {
        without_match: 0,
        releases: vec![JoinedRelease {
            name: "clinic".to_owned(),
            records: 8,
            this_without_match: 2,
            without_match: 1,
        }],
    };
    vec![
        sample(
            read(io::ErrorKind::NotFound),
            Fault::Input,
            "people.csv: cannot be read: entity not found; check the path and its permissions",
        ),
        sample(
            read(io::ErrorKind::PermissionDenied),
            Fault::Environment,
            "people.csv: cannot be read: permission denied; check the path and its permissions",
        ),
        sample(
            InputError::TooManyRows(5_000_000_000),
            Fault::Input,
            "a table has 5000000000 rows; at most 4294967295 can be counted at once",
        ),
        sample(
            BindError::TooManyMatches(5),
            Fault::Input,
            "5 earlier releases may have more matches with this table than can be counted (2^128); name fewer of them",
        ),
        sample(
            InputError::Dangling(cover),
            Fault::Input,
            "release `clinic`, 8 records: 2 records of this table match none of them, 1 of them match none of this table; \
             what is required of the join is about people who are in all releases: check that they are about the same \
             people and name the columns to match in `join`, or go on with `on_dangling = \"report\"`",
        ),
        sample(
            InputError::OtherInputs,
            Fault::Input,
            "this policy reads its data otherwise than the one that these inputs were read for: other columns, another \
             file, other earlier releases or populations; read the inputs again",
        ),
    ]
}

fn of_searches() -> Vec<Sample> {
    let at = |reason: LevelFault| SearchError::AtLevel {
        kind: "anonymity".to_owned(),
        level: 50.0,
        reason,
    };
    let kinds = words(&["diversity", "confidence"]);
    let template = "anonymity 60 of age".to_owned();
    let best = "40".to_owned();
    let unfinished = Shortfall {
        template: "personal 0.2 about disease guarding guard of job".to_owned(),
        level: "0.5".to_owned(),
        nearest: None,
        final_for_finer: false,
    };
    vec![
        sample(
            SearchError::CannotBeMet(shortfalls()),
            Fault::Requirement,
            "the requirement cannot be met, even with every quasi column masked as far as it goes: \
             anonymity 10 of age, job reaches 8; a bound of at most 8 can be met",
        ),
        sample(
            SearchError::CannotBeMet(vec![unfinished]),
            Fault::Requirement,
            "the requirement cannot be met, even with every quasi column masked as far as it goes: \
             personal 0.2 about disease guarding guard of job reaches 0.5; no bound can be met; a finer table might still \
             meet it, which the search does not look for",
        ),
        sample(
            SearchError::LeavesOutTooMany { rows: 9, most: 4 },
            Fault::Requirement,
            "9 rows find no group within the bounds, and 4 may be left out; raise `rows_suppressed_at_most`, or loosen the \
             bounds",
        ),
        sample(
            SearchError::NothingReleased { rows: 7 },
            Fault::Requirement,
            "nothing was written: all 7 rows would have to be left out, and an empty release is of no use; loosen the \
             bounds, mask further (a coarser taxonomy, a larger `loss_at_most`), or lower `rows_suppressed_at_most` to be \
             told what cannot be met",
        ),
        sample(
            SearchError::OnJoin(words(&["anonymity 2 of job on the join", "another"])),
            Fault::Input,
            "this method does not look at the join with earlier releases, which is asked for: anonymity 2 of job on the \
             join; another; use refine",
        ),
        sample(
            at(LevelFault::NotOnTheWay),
            Fault::Input,
            "cannot stop at anonymity 50: only the method refine passes through levels on its way",
        ),
        sample(
            at(LevelFault::NotAskedFor { kinds }),
            Fault::Input,
            "cannot stop at anonymity=50: the policy asks for diversity, confidence",
        ),
        sample(
            at(LevelFault::Looser { template }),
            Fault::Input,
            "cannot stop at anonymity=50: looser than what the policy asks for anyway: anonymity 60 of age",
        ),
        sample(
            at(LevelFault::OutOfReach { best }),
            Fault::Input,
            "cannot stop at anonymity=50: not even the most masked table has this level; it has 40",
        ),
        sample(
            SearchError::ByClassifier(ClassificationError::TooFewFolds),
            Fault::Input,
            "no objective can be chosen by a classifier: cross-validation takes at least 2 folds",
        ),
    ]
}

fn of_masks() -> Vec<Sample> {
    let misfit = |reason: MaskMisfit| SearchError::MaskDoesNotFit {
        column: "age".to_owned(),
        reason,
    };
    vec![
        sample(
            SearchError::NoMasks,
            Fault::Input,
            "a release with its secrets apart has no masks: publish by anatomy without a mask of another release, or take \
             the mask of one that has masks",
        ),
        sample(
            misfit(MaskMisfit::NoSuchColumn),
            Fault::Input,
            "the mask of column `age` cannot be used: the certificate has no such column",
        ),
        sample(
            misfit(MaskMisfit::NoMask(MaskError::NotACut)),
            Fault::Input,
            "the mask of column `age` cannot be used: the nodes of the mask are not a cut through the taxonomy: a value is \
             covered twice or not at all",
        ),
        sample(
            misfit(MaskMisfit::OtherKind),
            Fault::Input,
            "the mask of column `age` cannot be used: the certificate masks it in another way than its type and taxonomy \
             ask for",
        ),
        sample(
            SearchError::MaskBreaksRequirement { rows: 3, most: 2 },
            Fault::Requirement,
            "masked so, the requirement holds only if 3 rows are left out, and 2 may be; raise `rows_suppressed_at_most`, \
             loosen the bounds, or search for a mask of this data's own",
        ),
    ]
}

fn of_releases() -> Vec<Sample> {
    let (level, bound) = (0.5, 0.25);
    vec![
        sample(
            ReleaseError::AuditFailed(shortfalls()),
            Fault::Bug,
            "nothing was written: the release failed its audit, which is a bug in scumble: anonymity 10 of age, job \
             reaches 8",
        ),
        sample(
            ReleaseError::GroupLosesTooMuch { level, bound },
            Fault::Bug,
            "nothing was written: a group loses 0.5000, more than 0.25, which is a bug in scumble",
        ),
        sample(
            ReleaseError::MaskLosesTooMuch { level, bound },
            Fault::Requirement,
            "masked so, a group loses 0.5000, more than 0.25; raise `loss_at_most`, or take a finer mask",
        ),
        sample(
            ReleaseError::MaskFails(shortfalls()),
            Fault::Requirement,
            "masked so, the requirement does not hold: anonymity 10 of age, job reaches 8; loosen the bounds, or search \
             for a mask of this data's own",
        ),
        sample(
            ReleaseError::DomainUnknown(words(&["age", "job"])),
            Fault::Input,
            "it is not known what the values of age, job may be, so what a group loses is not either; give a `range` or a \
             `taxonomy`",
        ),
    ]
}

fn of_persons() -> Vec<Sample> {
    let twice = PersonsError::LookupKeyTwice {
        lookup: "towns".to_owned(),
        column: "zip".to_owned(),
        first: 2,
        row: 5,
    };
    let lost = PersonsError::NotInLookup {
        table: "students".to_owned(),
        row: 3,
        column: "zip".to_owned(),
        lookup: "towns".to_owned(),
    };
    let failed = PersonsError::AuditFailed {
        shortfalls: shortfalls(),
        faults: check_schema("students", &["age"], &["age", "name"]),
    };
    vec![
        sample(
            DatabaseError::NoTable,
            Fault::Input,
            "there is no table; a database needs one table of persons",
        ),
        sample(
            SettingError::NoMembers,
            Fault::Input,
            "k is 0; a cluster needs at least one person",
        ),
        sample(
            twice,
            Fault::Input,
            "look-up `towns`, row 5: the key in `zip` is that of row 2; every row needs its own",
        ),
        sample(
            lost,
            Fault::Input,
            "table `students`, row 3: the look-up `towns` has no row with the key in `zip`; add it, or empty the cell",
        ),
        sample(
            PersonsError::NoPersons("students".to_owned()),
            Fault::Input,
            "the table of persons `students` has no rows",
        ),
        sample(
            PersonsError::NobodyReleased { persons: 4, k: 5 },
            Fault::Requirement,
            "nothing was written: no 5 of the 4 persons can be shown alike so that all bounds hold; loosen the bounds",
        ),
        sample(
            PersonsError::NoMasksNorLevels,
            Fault::Input,
            "several tables are gathered person by person: they have no masks to take over, and pass through no levels on \
             their way",
        ),
        sample(
            failed,
            Fault::Bug,
            "nothing was written: the release failed its audit, which is a bug in scumble: anonymity 10 of age, job \
             reaches 8; table `students` has a column `name` too many",
        ),
    ]
}

fn of_the_past() -> Vec<Sample> {
    let entry = |reason: EntryFault| PastError::Entry {
        name: "clinic".to_owned(),
        reason,
    };
    let exposing = ComparedVersion {
        name: "spring".to_owned(),
        templates: vec![ComparedLevels {
            template: "anonymity 5 of age".to_owned(),
            stayed: 2,
            came: 0,
            gone: 0,
        }],
        not_compared: Vec::new(),
        cannot_be_compared: Vec::new(),
    };
    let in_use = LedgerError::Io {
        path: "ledger".into(),
        source: io::ErrorKind::PermissionDenied.into(),
    };
    let column = "zip".to_owned();
    let free = "clinic2".to_owned();
    let (none, some) = (Vec::new(), words(&["spring", "autumn"]));
    vec![
        sample(
            LedgerError::NoLedger {
                folder: "ledger".into(),
            },
            Fault::Input,
            "ledger: there is no ledger here; `scumble publish --ledger` makes one",
        ),
        sample(
            in_use,
            Fault::Environment,
            "ledger: cannot be used: permission denied; check the path, its permissions and the free space",
        ),
        sample(
            LedgerError::Interrupted,
            Fault::Interrupted,
            "stopped while another run had the ledger",
        ),
        sample(
            entry(EntryFault::Certificate(broken_json())),
            Fault::Input,
            "release `clinic` of the ledger: its certificate cannot be read: no JSON (line 1, column 1)",
        ),
        sample(
            entry(EntryFault::OtherTaxonomy { column }),
            Fault::Input,
            "release `clinic` of the ledger: column `zip` has another taxonomy now than it had then, so what was shown of \
             it cannot be compared; use the taxonomy of that release, or add an [[earlier]] section for it with `join` \
             without the column",
        ),
        sample(
            entry(EntryFault::InTheWay),
            Fault::Input,
            "release `clinic` of the ledger: it lies where this release would be put; what was published cannot be \
             replaced, choose another folder with --out",
        ),
        sample(
            entry(EntryFault::NoName),
            Fault::Input,
            "release `clinic` of the ledger: a name is made of letters, digits, `_` and `-`, and is not `this` or `join`",
        ),
        sample(
            entry(EntryFault::Taken { free }),
            Fault::Input,
            "release `clinic` of the ledger: the ledger has a release of this name; `clinic2` is free",
        ),
        sample(
            entry(EntryFault::NoVersion { versions: none }),
            Fault::Input,
            "release `clinic` of the ledger: the ledger has no earlier version with the columns of this table",
        ),
        sample(
            entry(EntryFault::NoVersion { versions: some }),
            Fault::Input,
            "release `clinic` of the ledger: it is no version with the columns of this table; there are: spring, autumn",
        ),
        sample(
            entry(EntryFault::OfPersons),
            Fault::Input,
            "release `clinic` of the ledger: several tables are gathered anew each time, and not masked as another release \
             was",
        ),
        sample(
            PastError::Republication(vec![exposing]),
            Fault::Requirement,
            "nothing was written: compared with release `spring`: 2 records of people in both versions break anonymity 5 of \
             age; mask as before with `--like`, which keeps everybody in their group (groups made row by row cannot be \
             made again: use refine or full-domain); where too few came or left, wait for more, or say with `--newcomers \
             report` that nobody outside knows who they are",
        ),
        sample(
            PastError::NotForAnatomy,
            Fault::Input,
            "the method anatomy does not look at the join with earlier releases, so it does not go with a ledger; use \
             refine",
        ),
        sample(
            PastError::NotForPersons,
            Fault::Input,
            "what several tables tell together with earlier releases is not counted, so they have no ledger",
        ),
        sample(
            PastError::Unknown,
            Fault::Input,
            "this release was made without the ledger that it is to be added to: read its inputs with the ledger",
        ),
    ]
}

fn of_released_files() -> Vec<Sample> {
    let certificate = |reason: CertificateFault| ReleasedFilesError::Certificate {
        path: "certificate.json".into(),
        reason,
    };
    let tables = |reason: TablesMisfit| ReleasedFilesError::TablesDoNotFit {
        path: "released.csv".into(),
        reason,
    };
    let differ = |groups: usize| TablesMisfit::GroupsDiffer {
        groups,
        other: "secrets.csv".into(),
    };
    let rows = |reason: RowsMisfit| ReleasedFilesError::RowsFile {
        path: "private/rows/students.csv".into(),
        reason,
    };
    let column = "disease".to_owned();
    let not_of_policy = ReleasedFilesError::NotOfPolicy {
        folder: "out".into(),
        faults: check_schema("students", &["age"], &["age", "name"]).listed().to_vec(),
    };
    vec![
        sample(
            certificate(CertificateFault::NotOne(broken_json())),
            Fault::Input,
            "certificate.json: not a certificate: no JSON (line 1, column 1)",
        ),
        sample(
            certificate(CertificateFault::Version { found: 7 }),
            Fault::Input,
            "certificate.json: version 7 is not known here; known: 1",
        ),
        sample(
            certificate(CertificateFault::SeveralTables),
            Fault::Input,
            "certificate.json: it is of several tables, and one of one table is asked for",
        ),
        sample(
            tables(TablesMisfit::NoGroup),
            Fault::Requirement,
            "released.csv: there is no column `group`; these are not the two tables of a release that meets its policy",
        ),
        sample(
            tables(TablesMisfit::SecretBesidePeople { column }),
            Fault::Requirement,
            "released.csv: the sensitive column `disease` stands beside the people it is about; these are not the two \
             tables of a release that meets its policy",
        ),
        sample(
            tables(TablesMisfit::OtherBesideSecrets),
            Fault::Requirement,
            "released.csv: a column that is not sensitive stands beside the secrets; these are not the two tables of a \
             release that meets its policy",
        ),
        sample(
            tables(differ(1)),
            Fault::Requirement,
            "released.csv: 1 group has another number of rows than in secrets.csv; these are not the two tables of a \
             release that meets its policy",
        ),
        sample(
            tables(differ(3)),
            Fault::Requirement,
            "released.csv: 3 groups have another number of rows than in secrets.csv; these are not the two tables of a \
             release that meets its policy",
        ),
        sample(
            not_of_policy,
            Fault::Input,
            "out: these are not the tables of the policy: table `students` has a column `name` too many",
        ),
        sample(
            rows(RowsMisfit::Columns),
            Fault::Input,
            "private/rows/students.csv: it has not one column; values cannot be compared with the data",
        ),
        sample(
            rows(RowsMisfit::Rows { found: 4, released: 5 }),
            Fault::Input,
            "private/rows/students.csv: it has 4 rows, and the released table 5; values cannot be compared with the data",
        ),
        sample(
            rows(RowsMisfit::NoRow { line: 6 }),
            Fault::Input,
            "private/rows/students.csv: line 6 is no row of the data; values cannot be compared with the data",
        ),
    ]
}

fn of_studies() -> Vec<Sample> {
    let workload = EvaluateError::Workload {
        path: "queries.txt".into(),
        reason: WorkloadError {
            line: 3,
            problem: WorkloadProblem::Open('{'),
        },
    };
    vec![
        sample(
            EvaluateError::NoColumn("age".to_owned()),
            Fault::Input,
            "the release has no column `age`",
        ),
        sample(
            EvaluateError::NoRanges("age".to_owned()),
            Fault::Input,
            "no range diversity: the release has no column `age`",
        ),
        sample(
            EvaluateError::NoQueries(GenerateError::NoColumn("age".to_owned())),
            Fault::Input,
            "no query error: no column `age` is in both the data and the release",
        ),
        sample(
            workload,
            Fault::Input,
            "no query error: queries.txt: line 3: `{` is not closed",
        ),
        sample(
            EvaluateError::NoClassification(ClassificationError::OtherOrder),
            Fault::Input,
            "no classification error: the rows of the release are not in the order of the data; split by a column or by \
             folds",
        ),
        sample(
            EvaluateError::DataNotKept,
            Fault::Input,
            "the data was not kept to compare the release with",
        ),
        sample(
            EvaluateError::NoQuasi,
            Fault::Input,
            "no query error: the table has no quasi column to ask about",
        ),
        sample(
            EvaluateError::NoSecret("grade".to_owned()),
            Fault::Input,
            "no query error: no table has a column `grade`; of several tables it is named with its table, as in courses.grade",
        ),
        sample(
            EvaluateError::OfOneTable(OneTableOnly::Queries),
            Fault::Input,
            "a file of queries is about the columns of one table; of several, queries are drawn for each",
        ),
        sample(
            EvaluateError::OfOneTable(OneTableOnly::Split),
            Fault::Input,
            "rows of several tables are split by chance, a third or in folds, and not by a column or by their order, which the \
             release does not keep",
        ),
        sample(
            EvaluateError::OfOneTable(OneTableOnly::Cells),
            Fault::Input,
            "what the cells of several tables are, their policy says; --cells goes with one table",
        ),
        sample(
            EvaluateError::OfOneTable(OneTableOnly::Uniques),
            Fault::Input,
            "population uniques and special uniques are counted in one table, and a person is rows of several",
        ),
        sample(
            AttackError::NoJoin,
            Fault::Input,
            "no template of the policy is about a join: name what was published before in [[earlier]], or a ledger",
        ),
        sample(
            AttackError::LacksColumns(words(&["age", "job"])),
            Fault::Input,
            "the release has no age, job, so it cannot be joined",
        ),
        sample(
            AttackError::DataNotKept,
            Fault::Input,
            "the data was not kept to attack the release with",
        ),
    ]
}

fn of_writing() -> Vec<Sample> {
    let busy = WriteError::Busy { folder: "out".into() };
    vec![
        sample(
            WriteError::NoColumns,
            Fault::Input,
            "no column would be published; give at least one column a role other than identifier",
        ),
        sample(
            busy,
            Fault::Environment,
            "out: another run is publishing into this folder; wait until it is done, or choose another folder",
        ),
        sample(
            WriteError::Interrupted,
            Fault::Interrupted,
            "stopped before the release was complete",
        ),
        sample(
            Error::Interrupted,
            Fault::Interrupted,
            "interrupted; nothing was written",
        ),
    ]
}

#[cfg(feature = "mashup")]
mod parties {
    //! What goes wrong among several parties.

    use scumble::errors::{LinkError, MashupError, ProtocolFault};

    use super::{Fault, Sample, sample, words};

    kinds!(kind_of, KINDS_OF: MashupError {
        MashupError::Link(_) => "link",
        MashupError::OtherAgreement { .. } => "other agreement",
        MashupError::Protocol { .. } => "protocol",
        MashupError::Lost { .. } => "lost",
        MashupError::NotAsItIs { .. } => "not as it is",
        MashupError::Panicked => "panicked",
        MashupError::Transcript { .. } => "transcript",
    });

    pub const KINDS: &[&str] = KINDS_OF;

    pub fn kind(error: &MashupError) -> &'static str {
        kind_of(error)
    }

    pub fn samples() -> Vec<Sample> {
        let protocol = |fault: ProtocolFault| MashupError::Protocol {
            fault,
            parties: words(&["bank", "clinic"]),
        };
        let cannot_be_met = ProtocolFault::CannotBeMet {
            by: 1,
            templates: Vec::new(),
        };
        let lost = |all_had_agreed: bool| MashupError::Lost {
            reason: LinkError::Ended,
            all_had_agreed,
        };
        let other = MashupError::OtherAgreement {
            party: "bank".to_owned(),
            differences: words(&["theirs has k = 3, ours 5", "the columns differ"]),
        };
        let transcript = MashupError::Transcript {
            path: "transcript.jsonl".into(),
            line: 4,
        };
        let column = "age".to_owned();
        vec![
            sample(LinkError::Stopped, Fault::Interrupted, "stopped"),
            sample(
                LinkError::SameName {
                    name: "bank".to_owned(),
                },
                Fault::Input,
                "two parties are called `bank`; give each a name of its own",
            ),
            sample(
                other,
                Fault::Input,
                "bank has another agreement, so nothing was read of it: theirs has k = 3, ours 5; the columns differ",
            ),
            sample(
                protocol(ProtocolFault::Malformed { from: 0 }),
                Fault::Environment,
                "nothing was written: bank sent what is not a message",
            ),
            sample(
                protocol(cannot_be_met),
                Fault::Requirement,
                "nothing was written: even the most masked table does not meet what clinic sees to",
            ),
            sample(
                protocol(ProtocolFault::NothingInCommon),
                Fault::Input,
                "nothing was written: no record is in the tables of all parties",
            ),
            sample(
                lost(false),
                Fault::Environment,
                "nothing was written: every other party has said goodbye, but this one is still waiting for a message",
            ),
            sample(
                lost(true),
                Fault::Environment,
                "nothing was written: every other party has said goodbye, but this one is still waiting for a message. \
                 Nothing was written here, but all had agreed to the release, and the others may have written it",
            ),
            sample(
                MashupError::NotAsItIs { column },
                Fault::Input,
                "nothing was written: a released file would not hold column `age` as it is",
            ),
            sample(
                MashupError::Panicked,
                Fault::Bug,
                "nothing was written: a step panicked, which is a bug in scumble",
            ),
            sample(
                transcript,
                Fault::Input,
                "transcript.jsonl: line 4 is not of a transcript",
            ),
        ]
    }
}

fn samples() -> Vec<Sample> {
    let rooms = [
        of_texts(),
        of_inputs(),
        of_searches(),
        of_masks(),
        of_releases(),
        of_persons(),
        of_the_past(),
        of_released_files(),
        of_studies(),
        of_writing(),
        #[cfg(feature = "mashup")]
        parties::samples(),
    ];
    rooms.into_iter().flatten().collect()
}

#[test]
fn every_kind_of_error_has_its_message_and_says_whose_it_is() {
    let mut met: Vec<&str> = Vec::new();
    for (error, fault, message) in samples() {
        assert_eq!(error.to_string(), message);
        assert_eq!(error.fault(), fault, "{message}");
        met.push(kind(&error));
    }
    let not_met: Vec<&str> = all_kinds().into_iter().filter(|kind| !met.contains(kind)).collect();
    assert_eq!(not_met, Vec::<&str>::new(), "no sample is of these kinds");
}

#[test]
fn every_error_is_told_to_all_edges_alike() {
    let codes = [
        (Fault::Requirement, "requirement", 1),
        (Fault::Input, "input", 2),
        (Fault::Environment, "environment", 3),
        (Fault::Bug, "bug", 70),
        (Fault::Interrupted, "interrupted", 130),
    ];
    for (error, fault, message) in samples() {
        let report = ErrorReport::from(&error);
        let (_, name, code) = codes.into_iter().find(|(named, _, _)| *named == fault).unwrap();
        assert_eq!(
            (report.fault, &report.message[..], report.exit_code()),
            (fault, message, code)
        );
        assert_eq!(report.problems, error.problems());
        assert_eq!(report.excerpt.is_some(), !report.problems.is_empty(), "{message}");
        // One line per problem; what is no list of problems is one.
        assert_eq!(message.lines().count(), report.problems.len().max(1), "{message}");
        let told = serde_json::json!({"error": {"fault": name, "message": message, "problems": report.problems}});
        assert_eq!(report.to_json().to_string(), told.to_string());
    }
}

/// An exception or an answer over the network leaves the thread that it was made in.
#[test]
fn an_error_may_go_to_another_thread() {
    fn may_go<T: Send + Sync + 'static>() {}
    may_go::<Error>();
}

#[test]
fn an_error_of_an_edge_is_told_like_one_of_the_library() {
    #[derive(Debug, thiserror::Error)]
    #[error("--rows goes with the sample census")]
    struct Usage;

    impl Blame for Usage {
        fn fault(&self) -> Fault {
            Fault::Input
        }
    }

    let report = ErrorReport::of_edge(&Usage);
    assert_eq!(
        report.to_json().to_string(),
        r#"{"error":{"fault":"input","message":"--rows goes with the sample census","problems":[]}}"#
    );
    assert_eq!(report.exit_code(), 2);
    assert!(report.excerpt.is_none());
}
