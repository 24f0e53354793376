//! Attacking a released file with what an adversary may know.
//!
//! Which columns the adversary knows, and which they are after, is said by flags, else by a policy, else by the two files
//! themselves: whatever column both have is known. Without a file of their own the adversary is simulated from the data
//! of the policy: they know the quasi columns of everybody, and their guesses can be checked.
//!
//! Where secrets are apart, whoever has found a row guesses from the secrets of its group. That is counted for every row of
//! the release, and cannot be checked: which secret of the group is whose, no file tells.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use scumble_attack::{
    Attack, AttackReport, Known, Recoding, Secret, SharedColumn, ShownColumns, SingledOut, attack, singled_out_of_table,
};
use scumble_progress::{Interrupted, Running, Stage, Watch, Work};
use scumble_report::{Certificate, CertifiedColumn, CertifiedMask};
use scumble_store::{Opened, Source};
use scumble_table::Reading;
use scumble_table::{ColumnId, Dictionary, Domain, Forms, FormsOf, Released, Table, Taxonomy};
use serde::Serialize;

use crate::apart::ReleasedFiles;
use crate::cells::{Declared, DeclaredBy, has_doubtful_cells};
use crate::certificate::CertificateBeside;
use crate::error::Error;
use crate::errors::InputError;
use crate::sources::checked_source;
use crate::texts::{read_taxonomies, read_taxonomy};
use scumble_bind::Plan;
use scumble_bind::{Holds, unite};
use scumble_policy::Problems;
use scumble_policy::{
    Approach, Cells, GROUP, Gathering, Missing, Policy, PolicyText, Role, Taxonomies, did_you_mean, quoted,
};

/// Who attacks: what they know, and how they go about it.
#[derive(Clone, Debug)]
pub struct Adversary<'p> {
    /// The policy of the release, for its roles, its taxonomies and its data.
    pub policy: Option<&'p Policy>,
    /// A table of the people whom the adversary knows; without it, the data of the policy.
    pub known: Option<Source>,
    /// Whether that table is the whole population from which the people of the release come.
    pub is_population: bool,
    /// The columns by which people are looked up, if not those of the policy.
    pub quasi: Vec<String>,
    /// The columns to guess, if not those of the policy.
    pub sensitive: Vec<String>,
    /// Taxonomy files of columns, before those of the policy.
    pub taxonomies: Vec<(String, PathBuf)>,
    /// What the cells of columns of the release are, if its certificate and its policy do not say or are wrong.
    pub cells: Vec<(String, Cells)>,
    /// How the release was made, if it is known; else its certificate, its policy or its labels say.
    pub recoding: Option<Recoding>,
    /// A person narrowed to fewer rows than this counts as narrowed.
    pub k: u64,
    /// A guess with more confidence than this counts as confident.
    pub threshold: f64,
}

/// What an attack on a released file found.
#[derive(Clone, Debug, Serialize)]
pub struct FileAttack {
    /// What it found.
    #[serde(flatten)]
    pub report: AttackReport,
    /// How people were looked up, if anybody was.
    #[serde(flatten)]
    pub looked_up: Option<LookedUp>,
    /// Columns that show each group of rows as its mean, median or mode. Nobody's value is behind these, so nobody is
    /// looked up by them.
    #[serde(rename = "not_looked_up_by", skip_serializing_if = "Vec::is_empty")]
    pub centres: Vec<String>,
    /// Columns of which nothing declares what their cells are, so that they were read by what they look like.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read_by_looks: Vec<String>,
    /// Columns whose cells are values by the policy, and some look like labels.
    #[serde(skip)]
    pub doubtful: Vec<String>,
}

/// How known people were looked up in a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LookedUp {
    /// Whether they are those of the data, and so the adversary is simulated.
    pub simulated: bool,
    /// How the release was taken to be made.
    pub recoding: Recoding,
    /// What said so.
    #[serde(rename = "recoding_said_by")]
    pub said_by: SaidBy,
}

/// What says how a release was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SaidBy {
    /// Whoever asked.
    User,
    /// The certificate beside it.
    Certificate,
    /// The method of the policy.
    Policy,
    /// Its labels alone: where they overlap, `*` aside, no mask of whole columns can have made them.
    Labels,
}

/// Attacks a released file, which may be of any tool.
///
/// # Errors
/// A file that cannot be read, a column that is not there, or no column to look people up by.
pub fn attack_file(released: &Path, adversary: &Adversary, watch: &dyn Watch) -> Result<FileAttack, Error> {
    let trees = Trees::read(adversary)?;
    let files = ReleasedFiles::new(released, adversary.policy);
    let known = adversary.known_rows()?.map(|rows| rows.open(watch)).transpose()?;
    let mut chosen = Chooser::new(adversary, &files, known.as_ref())?.choose()?;

    // All of it: also who knows a column that is nobody's quasi column may find somebody by it.
    let header = files.header()?;
    let mut release = files.read(&header, &vec![Reading::Text; header.len()], watch)?;
    let certificate = CertificateBeside::of(released).of_rows(release.rows());
    let centres = chosen.set_apart(&centres(certificate.as_ref(), adversary.policy));
    let known = known.filter(|_| !chosen.shared.is_empty());
    let mut people = match known {
        Some(known) => Some(read_columns(known, adversary.drops_missing(), &chosen.known(), watch)?),
        None => None,
    };
    if let Some(policy) = adversary.policy {
        unite(&policy.columns, &mut release, Holds::Labels);
        people
            .iter_mut()
            .for_each(|people| unite(&policy.columns, people, Holds::Values));
    }
    let rows = release.rows() + people.as_ref().map_or(0, Table::rows);
    if u32::try_from(rows).is_err() {
        return Err(InputError::TooManyRows(rows).into());
    }
    let attacking = Running::begin(watch, Stage::Attacking, None);
    let group = release.find(GROUP).filter(|_| files.are_apart());
    let declared = Declared::new(&adversary.cells, certificate.as_ref(), adversary.policy);
    let read = ReadAs {
        declared: &declared,
        trees: &trees,
    };
    let attacked_as = |recoding: Recoding| {
        let known = people.as_ref().map(|people| Known {
            table: people,
            shared: chosen.shared_columns(people, &release, &read),
            secrets: chosen.secrets(people, &release, &read),
            recoding,
            is_population: adversary.is_population,
            k: adversary.k,
            threshold: adversary.threshold,
        });
        let asked = Attack {
            released: &release,
            quasi: chosen.quasi.iter().filter_map(|name| release.find(name)).collect(),
            known,
        };
        attack_by_group(asked, group, attacking.work())
    };
    let (recoding, said_by) = match adversary.recoding {
        Some(recoding) => (recoding, SaidBy::User),
        None => recoding_of(certificate.as_ref(), adversary.policy),
    };
    let mut report = attacked_as(recoding)?;
    let mut taken_for = recoding;
    let overlaps = report.known.as_ref().is_some_and(|known| !known.overlapping.is_empty());
    if said_by == SaidBy::Labels && overlaps {
        (report, taken_for) = (attacked_as(Recoding::Local)?, Recoding::Local);
    }
    report.singled_out = chosen.singled_out(&release, &declared, group, adversary.policy);
    attacking.done();
    let looked_up = LookedUp {
        simulated: adversary.known.is_none(),
        recoding: taken_for,
        said_by,
    };
    Ok(FileAttack {
        looked_up: report.known.is_some().then_some(looked_up),
        centres,
        read_by_looks: chosen.declared_by(DeclaredBy::Nobody, people.as_ref(), &read),
        doubtful: chosen.doubtful(people.as_ref(), &release, &read),
        report,
    })
}

/// How a release was made, by its certificate, else by its policy. Where neither is there, it is taken for masked column by
/// column as long as its labels allow: whoever is found so is narrowed down furthest.
fn recoding_of(certificate: Option<&Certificate>, policy: Option<&Policy>) -> (Recoding, SaidBy) {
    let by_groups = |groups: bool| if groups { Recoding::Local } else { Recoding::Global };
    match (certificate, policy) {
        (Some(certificate), _) => {
            let is_group = |column: &CertifiedColumn| matches!(column.mask, Some(CertifiedMask::Group { .. }));
            (by_groups(certificate.columns.iter().any(is_group)), SaidBy::Certificate)
        }
        (None, Some(policy)) => (
            by_groups(matches!(policy.method.approach, Approach::Gather(_))),
            SaidBy::Policy,
        ),
        (None, None) => (Recoding::Global, SaidBy::Labels),
    }
}

/// The columns that are shown as the centre of each group.
fn centres(certificate: Option<&Certificate>, policy: Option<&Policy>) -> Vec<String> {
    let is_centre = |column: &&CertifiedColumn| matches!(&column.mask, Some(CertifiedMask::Group { form }) if matches!(&form[..], "mean" | "median" | "mode"));
    match (certificate, policy) {
        (Some(certificate), _) => {
            let centres = certificate.columns.iter().filter(is_centre);
            centres.map(|column| column.name.clone()).collect()
        }
        (None, Some(policy)) if shows_centres(policy) => {
            let quasi = policy.columns.iter().filter(|column| column.role == Role::Quasi);
            quasi.map(|column| column.name.get_ref().clone()).collect()
        }
        (None, _) => Vec::new(),
    }
}

fn shows_centres(policy: &Policy) -> bool {
    matches!(
        policy.method.approach,
        Approach::Gather(Gathering::Microaggregation { .. })
    )
}

/// Attacks a release. With a column of groups its secrets are apart: people are looked up as ever, and secrets guessed
/// from the group of each row.
fn attack_by_group(mut asked: Attack, group: Option<ColumnId>, work: Work) -> Result<AttackReport, Interrupted> {
    let (Some(group), Some(known)) = (group, &mut asked.known) else {
        return attack(&asked, work);
    };
    let secrets = std::mem::take(&mut known.secrets).into_iter();
    let by_group = Attack {
        released: asked.released,
        quasi: vec![group],
        known: Some(Known {
            table: asked.released,
            shared: vec![SharedColumn {
                known: group,
                released: group,
                forms: Forms::exact(Domain::Words),
            }],
            secrets: secrets.map(|secret| Secret { known: None, ..secret }).collect(),
            recoding: Recoding::Global,
            is_population: false,
            ..*known
        }),
    };
    let guessed = attack(&by_group, work)?.known.map(|known| known.inference);
    let mut report = attack(&asked, work)?;
    if let (Some(known), Some(guessed)) = (&mut report.known, guessed) {
        known.inference = guessed;
    }
    Ok(report)
}

/// Attacks a release as someone would who knows the quasi columns of everybody in it. A mask shows equal values alike, so
/// looking up a person's values is looking up the labels of their row, and the release itself is the known table. Where rows
/// were gathered into groups, it is somebody who knows of everybody which group is theirs, and nobody gets further. `group`
/// is the column with the number of the group, if secrets are apart.
pub(crate) fn attack_simulated(
    release: &Released,
    plan: &Plan,
    group: Option<ColumnId>,
    watch: &dyn Watch,
) -> Result<AttackReport, Interrupted> {
    Stage::Attacking.run(watch, |work| simulate(release, plan, group, work))
}

fn simulate(release: &Released, plan: &Plan, group: Option<ColumnId>, work: Work) -> Result<AttackReport, Interrupted> {
    let columns = release.columns().par_iter().map(|column| {
        work.go_on()?;
        Ok(column.as_read())
    });
    let table = Table::new(release.rows(), columns.collect::<Result<_, Interrupted>>()?);
    let with_role = |role: Role| {
        let columns = plan
            .columns
            .iter()
            .enumerate()
            .filter(move |(_, column)| column.role == role);
        columns.map(|(id, _)| ColumnId(id))
    };
    // What is known of somebody is what their row shows, so each label stands for itself.
    let forms = Forms::exact(Domain::Words);
    let shared = with_role(Role::Quasi).map(|id| SharedColumn {
        known: id,
        released: id,
        forms,
    });
    let secrets = with_role(Role::Sensitive).map(|id| Secret {
        released: id,
        known: Some(id),
        forms,
    });
    let asked = Attack {
        released: &table,
        quasi: with_role(Role::Quasi).collect(),
        known: Some(Known {
            table: &table,
            shared: shared.collect(),
            secrets: secrets.collect(),
            recoding: Recoding::Global,
            is_population: false,
            k: NARROWED_BELOW,
            threshold: CONFIDENT_ABOVE,
        }),
    };
    attack_by_group(asked, group, work)
}

/// A person narrowed to fewer rows than this counts as narrowed, unless told otherwise: the old rule of five.
pub const NARROWED_BELOW: u64 = 5;

/// A guess with more confidence than this counts as confident, unless told otherwise: likelier than not.
pub const CONFIDENT_ABOVE: f64 = 0.5;

impl Adversary<'_> {
    /// Where the known people are: those that were named, else those of the data, wherever that is.
    fn known_rows(&self) -> Result<Option<Source>, Error> {
        match (&self.known, self.policy) {
            (Some(known), _) => Ok(Some(known.clone())),
            (None, Some(policy)) => checked_source(policy).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Whether rows with missing values did not go into the release, so that nobody is to be looked up by them.
    fn drops_missing(&self) -> bool {
        let simulated = self.policy.filter(|_| self.known.is_none());
        simulated.is_some_and(|policy| policy.data.missing == Missing::Drop)
    }

    /// The columns that have a role in the policy.
    fn with_role(&self, role: Role) -> Option<Vec<String>> {
        let columns = &self.policy?.columns;
        let fitting = columns.iter().filter(|column| column.role == role);
        Some(fitting.map(|column| column.name.get_ref().clone()).collect())
    }
}

/// Reads some columns as text.
fn read_columns(opened: Opened, drop_missing: bool, names: &[&String], watch: &dyn Watch) -> Result<Table, Error> {
    let readings = only(names, opened.header());
    Ok(opened.read(&readings, drop_missing, watch)?.table)
}

/// Reads these columns of a file as text, and no others.
fn only(names: &[&String], header: &[String]) -> Vec<Reading<'static>> {
    let keep = |name| match names.contains(&name) {
        true => Reading::Text,
        false => Reading::Skip,
    };
    header.iter().map(keep).collect()
}

/// The taxonomies of the columns: files that the command line names, then those of the policy.
struct Trees<'a> {
    named: Vec<(&'a str, Taxonomy)>,
    policy: Option<(&'a Policy, Taxonomies)>,
}

impl<'a> Trees<'a> {
    fn read(adversary: &'a Adversary) -> Result<Self, Error> {
        let mut named = Vec::new();
        for (column, file) in &adversary.taxonomies {
            named.push((&column[..], read_taxonomy(file)?));
        }
        let policy = match adversary.policy {
            Some(policy) => Some((policy, read_taxonomies(policy)?)),
            None => None,
        };
        Ok(Trees { named, policy })
    }

    fn of(&self, column: &str) -> Option<&Taxonomy> {
        let named = self.named.iter().find(|(name, _)| *name == column);
        let of_policy = || {
            let (policy, taxonomies) = self.policy.as_ref()?;
            taxonomies.of(policy.column(column)?)
        };
        named.map(|(_, tree)| tree).or_else(of_policy)
    }
}

/// How the cells of the release are read.
struct ReadAs<'a> {
    declared: &'a Declared<'a>,
    trees: &'a Trees<'a>,
}

impl<'a> ReadAs<'a> {
    fn forms(&self, column: &str) -> FormsOf<'a> {
        self.declared.forms(column, self.trees.of(column)).forms
    }

    fn is_declared_by(&self, by: DeclaredBy, column: &str) -> bool {
        self.declared.forms(column, self.trees.of(column)).by == by
    }
}

/// The columns of an attack, by name. All quasi and sensitive columns are in the release, all shared ones in both files.
struct Chosen {
    quasi: Vec<String>,
    shared: Vec<String>,
    sensitive: Vec<String>,
}

impl Chosen {
    /// Takes columns out of those by which people are looked up; which of them were there.
    fn set_apart(&mut self, names: &[String]) -> Vec<String> {
        let (apart, shared) = std::mem::take(&mut self.shared)
            .into_iter()
            .partition(|name| names.contains(name));
        self.shared = shared;
        apart
    }

    fn released(&self) -> Vec<&String> {
        self.quasi.iter().chain(&self.sensitive).collect()
    }

    /// What is read of the known file: the secrets too, if it has them, to check the guesses.
    fn known(&self) -> Vec<&String> {
        self.shared.iter().chain(&self.sensitive).collect()
    }

    fn shared_columns<'t>(&self, known: &Table, released: &Table, read: &ReadAs<'t>) -> Vec<SharedColumn<'t>> {
        let column = |name: &String| -> Option<SharedColumn<'t>> {
            let (known, released): (ColumnId, ColumnId) = (known.find(name)?, released.find(name)?);
            Some(SharedColumn {
                known,
                released,
                forms: read.forms(name),
            })
        };
        self.shared.iter().filter_map(column).collect()
    }

    fn secrets<'t>(&self, known: &Table, released: &Table, read: &ReadAs<'t>) -> Vec<Secret<'t>> {
        let secret = |name: &String| {
            Some(Secret {
                released: released.find(name)?,
                known: known.find(name),
                forms: read.forms(name),
            })
        };
        self.sensitive.iter().filter_map(secret).collect()
    }

    /// The columns in which people's values are compared with labels: secrets only if they are known.
    fn compared<'c>(&'c self, people: Option<&Table>) -> impl Iterator<Item = &'c String> {
        let secrets = self.sensitive.iter();
        let compared = self.shared.iter().chain(secrets).filter(move |name| {
            let known = people.and_then(|people| people.find(name));
            known.is_some()
        });
        compared.collect::<Vec<_>>().into_iter()
    }

    /// The columns in which labels are compared and that somebody, or nobody, declares.
    fn declared_by(&self, by: DeclaredBy, people: Option<&Table>, read: &ReadAs) -> Vec<String> {
        let columns = self.compared(people).filter(|name| read.is_declared_by(by, name));
        columns.cloned().collect()
    }

    /// The columns that the policy declares, and whose labels look like others than it means.
    fn doubtful(&self, people: Option<&Table>, released: &Table, read: &ReadAs) -> Vec<String> {
        let mut columns = self.declared_by(DeclaredBy::Policy, people, read);
        columns.retain(|name| {
            let values = people.and_then(|people| dictionary(people, name));
            let both = values.zip(dictionary(released, name));
            both.is_some_and(|(values, labels)| has_doubtful_cells(labels, read.forms(name), values))
        });
        columns
    }

    /// Rows that stand out on the columns published as they are, and on these together with the masked ones.
    fn singled_out(
        &self,
        released: &Table,
        declared: &Declared,
        group: Option<ColumnId>,
        policy: Option<&Policy>,
    ) -> Option<SingledOut> {
        let is_secret = |name: &str| {
            let column = policy.and_then(|policy| policy.column(name));
            group.is_some() && column.is_some_and(|column| column.role == Role::Sensitive)
        };
        let mut shown = ShownColumns::default();
        let columns = released.columns().iter().enumerate();
        for (id, column) in columns.filter(|&(id, _)| Some(ColumnId(id)) != group) {
            let is_looked_up = self.quasi.contains(&column.name);
            let among = if is_secret(&column.name) {
                &mut shown.secrets
            } else if declared.is_masked(&column.name, is_looked_up) {
                &mut shown.masked
            } else {
                &mut shown.as_they_are
            };
            among.push(ColumnId(id));
        }
        singled_out_of_table(released, &shown, declared.group_asked())
    }
}

/// The values of a column, if the table has it.
fn dictionary<'t>(table: &'t Table, name: &str) -> Option<&'t Dictionary> {
    table.find(name).map(|id| table.column(id).dictionary())
}

/// Chooses the columns of an attack and reports all names that are wrong.
struct Chooser<'a> {
    adversary: &'a Adversary<'a>,
    released: Headed,
    known: Option<Headed>,
    problems: Problems,
}

/// What messages call a table, and the names of its columns.
struct Headed {
    name: String,
    header: Vec<String>,
}

impl Headed {
    fn has(&self, name: &String) -> bool {
        self.header.contains(name)
    }

    fn report(&self, message: impl Into<String>, help: Option<String>, problems: &mut Problems) {
        problems.in_file(&self.name, None, message, help);
    }

    /// Reports the names that the file lacks. Valid names are not listed: a file without a header begins with a person.
    fn check(&self, names: &[String], problems: &mut Problems) {
        for name in names.iter().filter(|name| !self.has(name)) {
            let help = did_you_mean(name, self.header.iter().map(String::as_str));
            self.report(format!("there is no column {}", quoted(name)), help, problems);
        }
    }
}

impl<'a> Chooser<'a> {
    fn new(adversary: &'a Adversary, files: &ReleasedFiles, known: Option<&Opened>) -> Result<Self, Error> {
        Ok(Chooser {
            adversary,
            released: Headed {
                name: files.main().display().to_string(),
                header: files.header()?,
            },
            known: known.map(|known| Headed {
                name: known.origin().to_string(),
                header: known.header().to_vec(),
            }),
            problems: Problems::new(&PolicyText::of_command_line("")),
        })
    }

    fn choose(mut self) -> Result<Chosen, Error> {
        let sensitive = self.sensitive();
        let quasi = self.quasi(&sensitive);
        let shared = self.shared(&quasi);
        let chosen = Chosen {
            quasi,
            shared,
            sensitive,
        };
        self.check_taxonomies(&chosen);
        let named: Vec<String> = self.adversary.cells.iter().map(|(name, _)| name.clone()).collect();
        self.released.check(&named, &mut self.problems);
        Ok(self.problems.none_or(chosen)?)
    }

    fn sensitive(&mut self) -> Vec<String> {
        let named = without_repeats(&self.adversary.sensitive);
        if !named.is_empty() {
            self.released.check(&named, &mut self.problems);
            return named;
        }
        let of_policy = self.adversary.with_role(Role::Sensitive).unwrap_or_default();
        of_policy.into_iter().filter(|name| self.released.has(name)).collect()
    }

    fn quasi(&mut self, sensitive: &[String]) -> Vec<String> {
        let named = without_repeats(&self.adversary.quasi);
        if !named.is_empty() {
            self.check_named(&named, sensitive);
            return named;
        }
        let candidates = match (self.adversary.with_role(Role::Quasi), &self.known) {
            (Some(of_policy), _) => of_policy,
            (None, Some(known)) => known.header.clone(),
            (None, None) => {
                let help = "name the quasi columns, a policy, or a file of known people".to_owned();
                let message = "nothing says by which columns people could be found";
                self.released.report(message, Some(help), &mut self.problems);
                return Vec::new();
            }
        };
        let fits = |name: &String| self.released.has(name) && !sensitive.contains(name);
        let quasi: Vec<String> = candidates.into_iter().filter(fits).collect();
        if quasi.is_empty() {
            let message = match self.adversary.policy {
                Some(_) => "there is no quasi column of the policy",
                None => "there is no column that the known people have too, sensitive ones aside",
            };
            self.released.report(message, None, &mut self.problems);
        }
        quasi
    }

    /// Columns named by the user must be where they say, in both files.
    fn check_named(&mut self, quasi: &[String], sensitive: &[String]) {
        self.released.check(quasi, &mut self.problems);
        if let Some(known) = &self.known {
            known.check(quasi, &mut self.problems);
        }
        for name in quasi.iter().filter(|name| sensitive.contains(name)) {
            let message = format!("column {} is both quasi and sensitive", quoted(name));
            let help = "what is known need not be guessed: give it one role".to_owned();
            self.problems.overall(message, Some(help));
        }
    }

    fn shared(&mut self, quasi: &[String]) -> Vec<String> {
        let Some(known) = &self.known else { return Vec::new() };
        let shared: Vec<String> = quasi.iter().filter(|name| known.has(name)).cloned().collect();
        if shared.is_empty() && !quasi.is_empty() && self.adversary.quasi.is_empty() {
            let message = "there is no quasi column of the release, so nobody can be looked up";
            known.report(message, None, &mut self.problems);
        }
        shared
    }

    fn check_taxonomies(&mut self, chosen: &Chosen) {
        for (name, _) in &self.adversary.taxonomies {
            if !chosen.released().contains(&name) {
                let message = format!("column {} has a taxonomy but no part in the attack", quoted(name));
                let help = did_you_mean(name, chosen.released().into_iter().map(String::as_str));
                self.problems.overall(message, help);
            }
        }
    }
}

fn without_repeats(names: &[String]) -> Vec<String> {
    let first = |&(place, name): &(usize, &String)| !names[..place].contains(name);
    names
        .iter()
        .enumerate()
        .filter(first)
        .map(|(_, name)| name.clone())
        .collect()
}
