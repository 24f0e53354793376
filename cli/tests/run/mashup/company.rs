//! A [`Company`] is several parties on one desk: an agreement, a file for each, and trial keys. Each party is a process.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{self, Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::desk::{Desk, Ended};

/// The names of parties, as many as an agreement may have.
pub const NAMES: [&str; 8] = ["bank", "clinic", "shop", "school", "city", "court", "press", "radio"];

/// Begins every value of [`Company::small`]; where it turns up, a value was told.
pub const MARK: &str = "Qz7";

/// Some parties, ready to publish together.
pub struct Company {
    pub desk: Desk,
    pub names: Vec<String>,
}

/// A table and who has which of its columns.
pub struct Split {
    pub parties: usize,
    /// With a header, and no cell in quotes.
    pub table: String,
    pub columns: Vec<Owned>,
    /// The other sections of the agreement.
    pub asked: String,
    /// Taxonomy files, by name.
    pub taxonomies: BTreeMap<String, String>,
}

/// A column of a party.
pub struct Owned {
    pub name: String,
    /// What the agreement says of it, such as `role = 'class'`.
    pub what: String,
    /// The numbers of the parties; only of the class there may be several.
    pub parties: Vec<usize>,
}

impl Owned {
    pub fn new(name: &str, what: &str, parties: &[usize]) -> Owned {
        Owned {
            name: name.to_owned(),
            what: what.to_owned(),
            parties: parties.to_vec(),
        }
    }
}

impl Company {
    /// The shipped example, at addresses of its own.
    pub fn sample() -> Company {
        let desk = Desk::sample("mashup");
        let mut agreement = desk.read("agreement.toml");
        for port in 7301..=7303 {
            agreement = agreement.replace(&format!("127.0.0.1:{port}"), &free_address());
        }
        desk.put("agreement.toml", agreement.as_bytes());
        let names = ["bank", "employer", "insurer"].map(str::to_owned).into();
        Company { desk, names }
    }

    /// A table that is split among parties. They have its rows in different orders.
    pub fn of(split: &Split) -> Company {
        let names: Vec<String> = NAMES[..split.parties].iter().map(|name| name.to_string()).collect();
        let desk = Desk::with(&[]);
        for (file, text) in &split.taxonomies {
            desk.put(file, text.as_bytes());
        }
        for (party, name) in names.iter().enumerate() {
            desk.put(&format!("{name}.csv"), split.file(party).as_bytes());
        }
        desk.put("agreement.toml", split.agreement(&names).as_bytes());
        desk.must(&["keys", "agreement.toml"]);
        Company { desk, names }
    }

    /// Twenty-four people about whom each party knows one thing, and the last party also a secret. Two refinements, one
    /// of which it must consent to: small enough to be run dozens of times.
    pub fn small(parties: usize) -> Company {
        Company::of(&Split::small(parties))
    }

    /// A party, ready to run. The flags are added to those it needs, or take their place.
    pub fn command(&self, name: &str, flags: &[(&str, &str)]) -> Command {
        let needed = [
            ("--as", name.to_owned()),
            ("--data", format!("{name}.csv")),
            ("--cert", format!("keys/{name}.pem")),
            ("--key", format!("keys/{name}.key")),
            ("--ca", "keys/ca.pem".to_owned()),
            ("--wait", "60".to_owned()),
            ("--silence", "20".to_owned()),
        ];
        let mut all: BTreeMap<&str, String> = needed.into();
        all.extend(flags.iter().map(|(flag, value)| (*flag, value.to_string())));
        let agreement = all.remove("agreement").unwrap_or_else(|| "agreement.toml".to_owned());
        let mut command = self.desk.command();
        command.arg("party").arg(agreement);
        for (flag, value) in &all {
            command.args([flag, value.as_str()]);
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub fn start(&self, name: &str, flags: &[(&str, &str)]) -> Running {
        Running {
            name: name.to_owned(),
            child: Some(self.command(name, flags).spawn().unwrap()),
        }
    }

    /// Starts these parties, in this order.
    pub fn start_all<'n>(&self, names: impl IntoIterator<Item = &'n String>, flags: &[(&str, &str)]) -> Vec<Running> {
        names.into_iter().map(|name| self.start(name, flags)).collect()
    }

    /// Runs all parties to their end.
    pub fn run(&self, flags: &[(&str, &str)]) -> Vec<Ended> {
        let running = self.start_all(&self.names, flags);
        running.into_iter().map(Running::end).collect()
    }

    /// Runs all parties, who must succeed, and returns the release, which is the same for all.
    #[track_caller]
    pub fn must(&self) -> String {
        self.succeeded(&self.run(&[]));
        self.desk.read(&format!("out-{}/released.csv", self.names[0]))
    }

    /// All parties have ended well, with the same release.
    #[track_caller]
    pub fn succeeded(&self, ended: &[Ended]) {
        for ended in ended {
            assert_eq!(ended.code, Some(0), "{ended:?}");
        }
        let releases: Vec<Vec<u8>> = self.names.iter().map(|name| self.release_of(name)).collect();
        assert!(
            releases.iter().all(|release| *release == releases[0]),
            "releases differ"
        );
    }

    /// The bytes of a party's release and certificate, one after the other.
    pub fn release_of(&self, name: &str) -> Vec<u8> {
        let folder = self.desk.path().join(format!("out-{name}"));
        let files = ["released.csv", "released.parquet", "certificate.json"];
        let files = files.map(|file| fs::read(folder.join(file)).unwrap_or_default());
        files.concat()
    }

    /// No party wrote a release, and none left files aside.
    #[track_caller]
    pub fn nothing_written(&self) {
        let files = self.desk.list();
        let is_left = |name: &&String| name.starts_with("out-") || name.starts_with('.');
        assert_eq!(files.iter().find(is_left), None);
    }

    /// A file on the desk.
    pub fn path(&self, name: &str) -> PathBuf {
        self.desk.path().join(name)
    }

    /// Makes a second agreement, in which something differs.
    pub fn amend(&self, file: &str, from: &str, to: &str) {
        let text = self.desk.read("agreement.toml");
        assert!(text.contains(from), "{from}");
        self.desk.put(file, text.replace(from, to).as_bytes());
    }

    /// The address of a party in the agreement.
    pub fn address(&self, party: usize) -> String {
        let text = self.desk.read("agreement.toml");
        let address = text
            .lines()
            .filter_map(|line| line.strip_prefix("address = "))
            .nth(party);
        address.unwrap().trim_matches(['\'', '"']).to_owned()
    }
}

impl Split {
    pub fn small(parties: usize) -> Split {
        let mut table: String = (0..parties).map(|party| format!("c{party},")).collect();
        table += "secret,class\n";
        for row in 0..24_usize {
            let cells = (0..parties).map(|party| (row >> (party % 4)) % 2);
            table.extend(cells.map(|cell| format!("{MARK}{cell},")));
            // The class is what most of the first three columns say, so each is worth refining.
            let class = (row % 2 + row / 2 % 2 + row / 4 % 2) / 2;
            table += &format!("{MARK}s{},{MARK}{class}\n", row % 3);
        }
        let what = "role = 'quasi', taxonomy = 'two.csv'";
        let quasi = (0..parties).map(|party| Owned::new(&format!("c{party}"), what, &[party]));
        let mut columns: Vec<Owned> = quasi.collect();
        columns.push(Owned::new("secret", "role = 'sensitive'", &[parties - 1]));
        columns.push(Owned::new("class", "role = 'class'", &[0]));
        let asked = "[[require]]\nanonymity = 3\n\
                     [[require]]\nconfidence = 0.9\nof = ['c0', 'c1']\nabout = { secret = '*' }\n\
                     [method]\nsteps = 2\n";
        Split {
            parties,
            table,
            columns,
            asked: asked.to_owned(),
            taxonomies: BTreeMap::from([("two.csv".to_owned(), format!("{MARK}0;any\n{MARK}1;any\n"))]),
        }
    }

    /// The rows of one party, each with its id.
    fn file(&self, party: usize) -> String {
        let header: Vec<&str> = self.table.lines().next().unwrap().split(',').collect();
        let own = self.columns.iter().filter(|column| column.parties.contains(&party));
        let own = own.map(|column| header.iter().position(|name| *name == column.name).unwrap());
        let own: Vec<usize> = own.collect();
        let pick = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            own.iter()
                .map(|&place| format!(",{}", cells[place]))
                .collect::<String>()
        };
        let rows = self.table.lines().skip(1).enumerate();
        let mut rows: Vec<String> = rows
            .map(|(row, line)| format!("{MARK}P{row}{}\n", pick(line)))
            .collect();
        let turned = party * 7 % rows.len();
        rows.rotate_left(turned);
        format!("id{}\n{}", pick(&header.join(",")), rows.concat())
    }

    fn agreement(&self, names: &[String]) -> String {
        let party = |name: &String| format!("[[party]]\nname = '{name}'\naddress = '{}'\n", free_address());
        let column = |column: &Owned| {
            let Owned { name, what, parties } = column;
            let parties: Vec<&String> = parties.iter().map(|&party| &names[party]).collect();
            format!("{name} = {{ {what}, party = {parties:?} }}\n")
        };
        let hash = |(file, text): (&String, &String)| format!("'{file}' = '{}'\n", blake3::hash(text.as_bytes()));
        format!(
            "{}[key]\ncolumn = 'id'\n[columns]\n{}[taxonomies]\n{}{}",
            names.iter().map(party).collect::<String>(),
            self.columns.iter().map(column).collect::<String>(),
            self.taxonomies.iter().map(hash).collect::<String>(),
            self.asked
        )
    }
}

/// A party that runs. It is killed if nobody waits for its end.
pub struct Running {
    pub name: String,
    child: Option<Child>,
}

/// Longer than any run of these tests takes; a party that is still there then hangs.
const FOREVER: Duration = Duration::from_secs(100);

impl Running {
    /// How it ended, and what it printed.
    #[track_caller]
    pub fn end(mut self) -> Ended {
        wait_until(&format!("the end of {}", self.name), || self.has_ended());
        let child = self.child.take().expect("only the end takes it");
        Ended::of(child.wait_with_output().unwrap())
    }

    pub fn has_ended(&mut self) -> bool {
        let child = self.child.as_mut().expect("only the end takes it");
        child.try_wait().unwrap().is_some()
    }

    /// Sends a signal, such as `INT`. A process that has ended does not mind.
    pub fn signal(&self, signal: &str) {
        let id = self.child.as_ref().expect("only the end takes it").id().to_string();
        let mut kill = Command::new("kill");
        kill.args([format!("-{signal}"), id]).stderr(Stdio::null());
        kill.status().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits for something that must come.
#[track_caller]
pub fn wait_until(what: &str, mut has_come: impl FnMut() -> bool) {
    let start = Instant::now();
    while !has_come() {
        assert!(start.elapsed() < FOREVER, "{what} does not come");
        thread::sleep(Duration::from_millis(2));
    }
}

/// An address that nobody else gets: below the ports that the system gives to callers, and each only once.
pub fn free_address() -> String {
    static USED: AtomicU16 = AtomicU16::new(0);
    // Apart from what another run of these tests may use at the same time.
    let first = 10_000 + (process::id() % 70) as u16 * 300;
    loop {
        let address = format!("127.0.0.1:{}", first + USED.fetch_add(1, Relaxed));
        if TcpListener::bind(&address).is_ok() {
            return address;
        }
    }
}
