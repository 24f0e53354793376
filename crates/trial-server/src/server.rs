//! The server: its folder, its process, and the end of both.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use postgres::{Client, NoTls};
use tempfile::TempDir;

use crate::certificate::certificates;
use crate::programs::programs;

const USER: &str = "scumble";

/// How long a server may take to answer: busy machines are slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// How many ports are tried: another process may take the one that was free.
const PORTS: usize = 5;

/// A PostgreSQL server on a port of 127.0.0.1, with one user who has a password.
pub struct PostgresServer {
    programs: PathBuf,
    /// Whose process it is, if not ours: PostgreSQL does not run as root.
    owner: Option<Owner>,
    process: Child,
    port: u16,
    password: String,
    folder: TempDir,
}

#[derive(Clone, Copy)]
struct Owner {
    user: u32,
    group: u32,
}

impl PostgresServer {
    /// Starts a server and waits until it answers.
    ///
    /// # Errors
    /// Why there is none: PostgreSQL is not there and cannot be installed, or does not start.
    pub fn start() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| format!("a folder for the server: {error}"))?;
        let is_root = fs::metadata(folder.path()).is_ok_and(|folder| folder.uid() == 0);
        let programs = programs(is_root)?;
        let owner = is_root.then(unprivileged).transpose()?;
        let prepared = Prepared {
            programs,
            owner,
            password: (0..24).map(|_| fastrand::alphanumeric()).collect(),
            folder,
        };
        prepared.own(prepared.folder.path())?;
        prepared.make_cluster()?;
        prepared.make_certificates()?;
        prepared.start()
    }

    /// Makes an empty database, and returns its URL with user and password.
    ///
    /// # Errors
    /// What the server says, for one if there is a database of this name.
    pub fn database(&self, name: &str) -> Result<String, String> {
        let refused = |error: postgres::Error| format!("the database {name}: {error}");
        let mut client = Client::connect(&self.url("postgres"), NoTls).map_err(refused)?;
        let quoted = name.replace('"', "\"\"");
        client
            .batch_execute(&format!("CREATE DATABASE \"{quoted}\""))
            .map_err(refused)?;
        Ok(self.url(name))
    }

    /// The password of the user, which no message or page may show.
    pub fn password(&self) -> &str {
        &self.password
    }

    /// The certificate of the authority that signed that of the server.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// Ends the server, as when its machine fails.
    pub fn stop(&mut self) {
        let data = self.folder.path().join("data");
        let mut stop = command(&self.programs.join("pg_ctl"), self.folder.path(), self.owner);
        stop.args(["stop", "--mode=immediate", "--silent", "-D"]).arg(data);
        let stopped = stop.stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !stopped.is_ok_and(|status| status.success()) {
            // It may have ended by itself, and then there is nothing to end.
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }

    fn url(&self, database: &str) -> String {
        url(&self.password, self.port, database)
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn url(password: &str, port: u16, database: &str) -> String {
    format!("postgres://{USER}:{password}@127.0.0.1:{port}/{database}")
}

/// A folder that becomes a server.
struct Prepared {
    programs: PathBuf,
    owner: Option<Owner>,
    password: String,
    folder: TempDir,
}

impl Prepared {
    fn make_cluster(&self) -> Result<(), String> {
        let password = self.write("password", &self.password)?;
        let mut initdb = self.command("initdb");
        initdb
            .arg("-D")
            .arg(self.data())
            .arg(format!("--pwfile={}", password.display()));
        initdb.args([
            "-U",
            USER,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]);
        let made = initdb
            .output()
            .map_err(|error| format!("initdb cannot be run: {error}"))?;
        match made.status.success() {
            true => Ok(()),
            false => Err(format!(
                "initdb fails: {}",
                String::from_utf8_lossy(&made.stderr).trim()
            )),
        }
    }

    fn make_certificates(&self) -> Result<(), String> {
        let made = certificates().map_err(|error| format!("a certificate: {error}"))?;
        self.write("authority.pem", &made.authority)?;
        self.write("server.pem", &made.server)?;
        self.write("server.key", &made.key)?;
        Ok(())
    }

    fn start(self) -> Result<PostgresServer, String> {
        let mut reason = String::new();
        for _ in 0..PORTS {
            let port = free_port()?;
            let mut process = self.spawn(port)?;
            match self.wait(&mut process, port) {
                Ok(()) => {
                    return Ok(PostgresServer {
                        programs: self.programs,
                        owner: self.owner,
                        process,
                        port,
                        password: self.password,
                        folder: self.folder,
                    });
                }
                Err(why) => reason = why,
            }
            let _ = process.kill();
            let _ = process.wait();
        }
        Err(format!("PostgreSQL does not start: {reason}"))
    }

    fn spawn(&self, port: u16) -> Result<Child, String> {
        let failed = |error: std::io::Error| format!("postgres cannot be run: {error}");
        let log = File::create(self.log()).map_err(failed)?;
        let file = |name: &str| self.folder.path().join(name).display().to_string();
        let settings = [
            "listen_addresses=127.0.0.1".to_owned(),
            format!("port={port}"),
            "unix_socket_directories=".to_owned(),
            "ssl=on".to_owned(),
            format!("ssl_cert_file={}", file("server.pem")),
            format!("ssl_key_file={}", file("server.key")),
            // What is lost when the machine fails does not matter here.
            "fsync=off".to_owned(),
            "full_page_writes=off".to_owned(),
            "synchronous_commit=off".to_owned(),
            "shared_buffers=16MB".to_owned(),
        ];
        let mut postgres = self.command("postgres");
        postgres.arg("-D").arg(self.data());
        for setting in settings {
            postgres.arg("-c").arg(setting);
        }
        postgres.stdout(Stdio::null()).stderr(log).spawn().map_err(failed)
    }

    /// Waits until the server lets us in.
    fn wait(&self, process: &mut Child, port: u16) -> Result<(), String> {
        let url = url(&self.password, port, "postgres");
        let begun = Instant::now();
        loop {
            // Another server on this port would not know the password.
            match Client::connect(&url, NoTls) {
                Ok(_) => return Ok(()),
                Err(_) if matches!(process.try_wait(), Ok(Some(_))) => {
                    return Err(fs::read_to_string(self.log()).unwrap_or_default());
                }
                Err(error) if begun.elapsed() > PATIENCE => return Err(error.to_string()),
                Err(_) => thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// Writes a file that its owner alone can read.
    fn write(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.folder.path().join(name);
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| format!("{}: {error}", path.display()))?;
        self.own(&path)?;
        Ok(path)
    }

    /// Gives a file or folder to the owner of the server.
    fn own(&self, path: &Path) -> Result<(), String> {
        let Some(owner) = self.owner else {
            return Ok(());
        };
        chown(path, Some(owner.user), Some(owner.group)).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn command(&self, program: &str) -> Command {
        command(&self.programs.join(program), self.folder.path(), self.owner)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

/// A program of PostgreSQL, run by the owner in a folder that is theirs.
fn command(program: &Path, folder: &Path, owner: Option<Owner>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null()).env("LC_ALL", "C");
    if let Some(owner) = owner {
        command.uid(owner.user).gid(owner.group);
    }
    command
}

/// A user who is not root: that of PostgreSQL, or nobody.
fn unprivileged() -> Result<Owner, String> {
    let users = fs::read_to_string("/etc/passwd").map_err(|error| format!("the list of users: {error}"))?;
    let find = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut ids = line.split(':').skip(2);
        Some(Owner {
            user: ids.next()?.parse().ok()?,
            group: ids.next()?.parse().ok()?,
        })
    };
    find("postgres")
        .or_else(|| find("nobody"))
        .ok_or_else(|| "PostgreSQL does not run as root, and there is no user `postgres` or `nobody`".to_owned())
}

fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    let address = listener.map_err(|error| format!("a free port: {error}"))?;
    Ok(address.port())
}
