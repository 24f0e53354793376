//! [`Facts`] about where a run was made, without which its numbers cannot be read later.

use std::process::Command;
use std::thread::available_parallelism;

use serde::Serialize;

/// Where and with what a run was made; what could not be found out is empty.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    /// The command, as one would type it.
    pub command: String,
    /// The version of scumble, and the commit that is checked out; `cargo run` sees to it that it is also what runs.
    pub scumble: String,
    /// The compiler.
    pub rustc: String,
    /// The interpreter that runs other tools.
    pub python: String,
    /// Operating system and architecture.
    pub system: String,
    /// The model of the processor.
    pub processor: String,
    /// How many threads can run at once.
    pub cores: usize,
}

impl Facts {
    /// Finds them out.
    pub fn gather() -> Facts {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let separator = if arguments.is_empty() { "" } else { " -- " };
        // A slow build must not pass for a fast one.
        let profile = if cfg!(debug_assertions) { "" } else { " --release" };
        let commit = first_line("git", &["describe", "--always", "--dirty"]);
        Facts {
            command: format!("cargo run{profile} -p scumble-bench{separator}{}", arguments.join(" ")),
            scumble: format!("{} {commit}", env!("CARGO_PKG_VERSION")),
            rustc: first_line("rustc", &["--version"]),
            python: first_line("python3", &["--version"]),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: processor().unwrap_or_default(),
            cores: available_parallelism().map_or(1, usize::from),
        }
    }

    /// The beginning of a summary: what it is about, the command, what there is to say of this run, and where it was made.
    pub fn heading(&self, title: &str, lines: &[String]) -> String {
        let command = format!("command: `{}`", self.command);
        let versions = format!("scumble {}; {}; {}", self.scumble, self.rustc, self.python);
        let machine = format!("{} cores, {}, {}", self.cores, self.processor, self.system);
        let lines = [&command].into_iter().chain(lines).chain([&versions, &machine]);
        let lines: Vec<String> = lines.map(|line| format!("- {line}")).collect();
        format!("# {title}\n\n{}", lines.join("\n"))
    }
}

/// The first line that a program prints.
fn first_line(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(crate::workspace())
        .output();
    let text = output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}

fn processor() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let (_, model) = info
        .lines()
        .find(|line| line.starts_with("model name"))?
        .split_once(':')?;
    Some(model.trim().to_owned())
}
