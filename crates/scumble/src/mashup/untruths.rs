//! One of the parties of a whole run, over real links, says what is not so: the other ends with a fault that names it, as any
//! fault of a peer, and nobody has a folder.
//!
//! The liar covers its tracks: each of the two hears its own digests from the other, so that a lie is found out by what was
//! told, or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

use scumble_fault::Fault;
use scumble_link::{Identity, Limits, make_keys};
use scumble_mashup::{Cells, Masked, Message, Outgoing, Packed};
use scumble_store::Unwatched;

use crate::audit::audit_file;
use crate::error::Error;
use scumble_policy::Agreement;
use scumble_policy::Data;

use super::part::take_part_saying;
use super::{Participation, Together};

const NAMES: [&str; 2] = ["bank", "clinic"];

/// A lie: what is said instead of a message.
type Lie = fn(&mut Message) -> bool;

/// A bank and a clinic, and a desk for their files.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Desk {
        let desk = Desk(tempfile::tempdir().unwrap());
        let put = |name: &str, text: &str| fs::write(desk.path().join(name), text).unwrap();
        let taxonomy = "clerk;office;any\nlawyer;office;any\nfarmer;field;any\nminer;field;any\n";
        put("job.csv", taxonomy);
        let (mut bank, mut clinic) = ("id,age,job,loan\n".to_owned(), "id,zip,disease,stay\n".to_owned());
        for person in 0..24 {
            let job = ["clerk", "lawyer", "farmer", "miner"][person / 2 % 4];
            let loan = ["no", "yes"][(person / 4 + person / 9) % 2];
            bank += &format!("p{person},{},{job},{loan}\n", 20 + person * 3 % 50);
            let disease = ["Flu", "HIV", "Ulcer"][person % 3];
            clinic += &format!("p{person},{},{disease},{}\n", ["8001", "8002"][person / 12], person % 5);
        }
        put("bank.csv", &bank);
        put("clinic.csv", &clinic);
        let hash = blake3::hash(taxonomy.as_bytes());
        let party = |name: &str| format!("[[party]]\nname = '{name}'\naddress = '{}'\n", free_address());
        put(
            "agreement.toml",
            &format!(
                "{}{}[key]\ncolumn = 'id'\n[data]\nmissing_marks = ['?']\n[columns]\n\
                 age = {{ role = 'quasi', type = 'continuous', range = [0, 100], party = 'bank' }}\n\
                 job = {{ role = 'quasi', taxonomy = 'job.csv', party = 'bank' }}\n\
                 loan = {{ role = 'class', party = 'bank' }}\n\
                 zip = {{ role = 'quasi', party = 'clinic' }}\n\
                 disease = {{ role = 'sensitive', party = 'clinic' }}\n\
                 stay = {{ role = 'sensitive', type = 'continuous', party = 'clinic' }}\n\
                 [taxonomies]\n'job.csv' = '{hash}'\n\
                 [[require]]\nanonymity = 3\n\
                 [[require]]\ndiversity = 2.0\nkind = 'distinct'\nabout = 'disease'\nof = ['job', 'zip']\n\
                 [method]\nsteps = 3\n",
                party(NAMES[0]),
                party(NAMES[1])
            ),
        );
        let names = NAMES.map(str::to_owned);
        make_keys(&desk.path().join("keys"), &names, 1).unwrap();
        desk
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn agreement(&self) -> Agreement {
        crate::texts::read_agreement(&self.path().join("agreement.toml")).unwrap()
    }

    /// Runs both, the liar with its lie; whether it lied, and how the two ended.
    fn run(&self, liar: usize, lie: Lie) -> (bool, [Result<Together, Error>; 2]) {
        let tracks = &Tracks::default();
        thread::scope(|scope| {
            let [bank, clinic] = [0, 1].map(|own| {
                scope.spawn(move || {
                    let mut lied = false;
                    let ended = self.take_part(own, &mut |outgoing| {
                        let (number, mut message) = Message::decode(own, &outgoing.bytes).unwrap();
                        let lies = own == liar && lie(&mut message);
                        lied |= lies;
                        if !lies {
                            message = tracks.cover(own, message);
                        }
                        Outgoing {
                            bytes: message.encode(number),
                            ..outgoing
                        }
                    });
                    (lied, ended)
                })
            });
            let [(by_bank, bank), (by_clinic, clinic)] = [bank, clinic].map(|party| party.join().unwrap());
            (by_bank || by_clinic, [bank, clinic])
        })
    }

    fn take_part(&self, own: usize, says: &mut dyn FnMut(Outgoing) -> Outgoing) -> Result<Together, Error> {
        let name = NAMES[own];
        let key = |ending: &str| self.path().join(format!("keys/{name}.{ending}"));
        let identity = Identity::read(&key("pem"), &key("key"), &self.path().join("keys/ca.pem"))?;
        take_part_saying(
            &self.agreement(),
            &Participation {
                own,
                data: &Data::of_file(self.path().join(format!("{name}.csv"))),
                identity: &identity,
                listen: None,
                folder: &self.path().join(format!("out-{name}")),
                replace: false,
                transcript: None,
                limits: &Limits::default(),
                watch: &Unwatched,
            },
            says,
        )
    }

    fn has_release(&self) -> bool {
        NAMES
            .iter()
            .any(|name| self.path().join(format!("out-{name}")).exists())
    }
}

/// The digests that each of two parties said, by kind.
#[derive(Default)]
struct Tracks {
    said: Mutex<BTreeMap<(usize, &'static str), Message>>,
    more: Condvar,
}

impl Tracks {
    /// What the other said of the same kind, in the place of a digest; the digest itself if the other says none.
    fn cover(&self, own: usize, message: Message) -> Message {
        if !matches!(
            message,
            Message::ClassDigest(_) | Message::Heard(_) | Message::Written(_)
        ) {
            return message;
        }
        let mut said = self.said.lock().unwrap();
        said.insert((own, message.name()), message.clone());
        self.more.notify_all();
        let theirs = (1 - own, message.name());
        let (said, _) = self
            .more
            .wait_timeout_while(said, Duration::from_secs(3), |said| !said.contains_key(&theirs))
            .unwrap();
        said.get(&theirs).cloned().unwrap_or(message)
    }
}

fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

/// Everybody who is told a lie refuses it, by the name of who told it.
fn is_found_out(liar: usize, lies: &[(&str, Lie)]) {
    for &(what, lie) in lies {
        let desk = Desk::new();
        let (lied, ended) = desk.run(liar, lie);
        assert!(lied, "{what}: there was nothing to lie about");
        let honest = 1 - liar;
        let error = ended[honest]
            .as_ref()
            .err()
            .unwrap_or_else(|| panic!("{what} was believed"));
        assert_eq!(error.fault(), Fault::Environment, "{what}: {error}");
        assert!(error.to_string().contains(NAMES[liar]), "{what}: {error}");
        assert!(!desk.has_release(), "{what}: someone wrote");
    }
}

fn of_masked(message: &mut Message, column: u32, lie: impl FnOnce(&mut Masked)) -> bool {
    match message {
        Message::Masked(masked) if masked.column == column => {
            lie(masked);
            true
        }
        _ => false,
    }
}

fn of_plain(message: &mut Message, column: u32, lie: impl FnOnce(&mut Cells)) -> bool {
    match message {
        Message::Plain(plain) if plain.column == column => {
            lie(&mut plain.cells);
            true
        }
        _ => false,
    }
}

fn of_class(message: &mut Message, lie: impl FnOnce(&mut Cells)) -> bool {
    match message {
        Message::Class(cells) => {
            lie(cells);
            true
        }
        _ => false,
    }
}

/// The quasi columns of the bank, by place among the quasi columns; those of the clinic by place in the joined table.
const AGE: u32 = 0;
const JOB: u32 = 1;
const DISEASE: u32 = 4;
const STAY: u32 = 5;

#[test]
fn a_release_of_honest_parties_is_what_its_certificate_says() {
    let desk = Desk::new();
    let (_, ended) = desk.run(0, |_| false);
    let policy = desk.agreement().policy;
    for ended in ended {
        let together = ended.unwrap();
        let report = audit_file(&together.released, &policy, None, &Unwatched).unwrap();
        assert!(report.holds);
        let levels: Vec<_> = report.require.iter().map(|found| found.level.unwrap()).collect();
        let certified: Vec<_> = together.certificate.require.iter().map(|found| found.level).collect();
        assert_eq!(levels, certified);
        assert!(together.refinements > 0);
    }
}

#[test]
fn a_masked_column_that_the_agreement_cannot_have_is_refused() {
    is_found_out(
        0,
        &[
            ("a job that is in no taxonomy", |message| {
                of_masked(message, JOB, |masked| masked.labels[0] = Some("astronaut".to_owned()))
            }),
            ("a penalty that is not that of the mask", |message| {
                of_masked(message, AGE, |masked| masked.penalty = (masked.penalty + 0.25) % 1.0)
            }),
            ("an age beyond the range", |message| {
                of_masked(message, AGE, |masked| {
                    masked.mask = masked.mask.replace("100]", "200]");
                    let labels = masked.labels.iter_mut().flatten();
                    labels.for_each(|label| *label = label.replace("100]", "200]"));
                })
            }),
            ("ages that are suppressed", |message| {
                of_masked(message, AGE, |masked| {
                    masked.mask = r#"{"operation":"suppress","disclosed":[]}"#.to_owned()
                })
            }),
            ("a mask that is none", |message| {
                of_masked(message, JOB, |masked| masked.mask = "{}".to_owned())
            }),
            ("everything as it is", |message| {
                of_masked(message, JOB, |masked| masked.mask = "null".to_owned())
            }),
            ("labels that repeat", |message| {
                of_masked(message, JOB, |masked| masked.labels.push(masked.labels[0].clone()))
            }),
        ],
    );
}

#[test]
fn a_class_that_no_file_can_have_is_refused() {
    is_found_out(
        0,
        &[
            ("a mark of missing values", |message| {
                of_class(message, |cells| cells.texts[0] = Some("?".to_owned()))
            }),
            ("blanks around", |message| {
                of_class(message, |cells| cells.texts[0] = Some(" no".to_owned()))
            }),
            ("one class twice", |message| {
                of_class(message, |cells| cells.texts[0] = cells.texts[1].clone())
            }),
        ],
    );
}

#[test]
fn values_that_no_file_can_have_are_refused() {
    is_found_out(
        1,
        &[
            ("one disease under three names", |message| {
                of_plain(message, DISEASE, |cells| cells.texts.fill(Some("HIV".to_owned())))
            }),
            ("an empty disease", |message| {
                of_plain(message, DISEASE, |cells| cells.texts[0] = Some(String::new()))
            }),
            ("a mark of missing values", |message| {
                of_plain(message, DISEASE, |cells| cells.texts[0] = Some("?".to_owned()))
            }),
            ("two that are one once they are read", |message| {
                of_plain(message, DISEASE, |cells| {
                    cells.texts = [" HIV", "HIV", "HIV "].map(|text| Some(text.to_owned())).into()
                })
            }),
            ("a disease of nobody", |message| {
                of_plain(message, DISEASE, |cells| cells.texts.push(Some("Zoster".to_owned())))
            }),
            ("another order of values", |message| {
                of_plain(message, STAY, |cells| cells.texts.reverse())
            }),
            ("a stay that is no number", |message| {
                of_plain(message, STAY, |cells| cells.texts[0] = Some("long".to_owned()))
            }),
            ("one number in two spellings", |message| {
                of_plain(message, STAY, |cells| cells.texts[1] = Some("0.0".to_owned()))
            }),
            ("one disease for all", |message| {
                of_plain(message, DISEASE, |cells| {
                    cells.texts.truncate(1);
                    cells.of_record = Packed::Runs(vec![(0, 24)]);
                })
            }),
        ],
    );
}

#[test]
fn who_says_that_it_was_told_or_would_write_something_else_is_named() {
    for liar in [0, 1] {
        is_found_out(
            liar,
            &[
                ("what it was told", |message| match message {
                    Message::Heard(digests) => {
                        digests[0][0] ^= 1;
                        true
                    }
                    _ => false,
                }),
                ("what it writes", |message| match message {
                    Message::Written(written) => {
                        written.release[0] ^= 1;
                        true
                    }
                    _ => false,
                }),
            ],
        );
    }
}
