//! A full disk and Ctrl-C: nothing half-written.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::desk::{Desk, Ended};

/// A census large enough that its release does not fit the limit, and that reading it takes a while.
fn census(rows: &str) -> Desk {
    let desk = Desk::with(&[]);
    desk.must(&["sample", "census", "--rows", rows, "--out", "."]);
    desk
}

/// A limit on file size stands in for a full disk: the write fails in the middle of the file.
#[test]
fn a_full_disk_leaves_nothing() {
    let desk = census("5000");
    let before = desk.list();
    let script = "trap '' XFSZ; ulimit -f 20; exec \"$0\" publish policy.toml";
    let mut shell = Command::new("sh");
    let ended = shell
        .args(["-c", script, env!("CARGO_BIN_EXE_scumble")])
        .current_dir(desk.path())
        .output();
    let ended = Ended::of(ended.unwrap());
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.err.contains("cannot be written"), "{ended:?}");
    assert_eq!(desk.list(), before);
}

#[test]
fn ctrl_c_leaves_nothing() {
    let desk = census("300000");
    let before = desk.list();
    let run = desk
        .command()
        .args(["publish", "policy.toml"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let child = run.unwrap();
    // The folder for files on their way is made first of all; then the data is read, which takes a while.
    let begun = || desk.list().iter().any(|name| name.starts_with(".scumble-"));
    for _ in 0..3000 {
        if begun() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(begun(), "the run did not begin");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert_eq!(desk.list(), before);
}

/// Killed at any moment, a run leaves a ledger that can be read, and that the next run does not wait for. What it lists is
/// there, or is told to be gone.
#[test]
fn a_killed_run_leaves_a_ledger_that_can_be_read() {
    let desk = census("3000");
    for (run, wait) in [0, 20, 60, 120, 200, 300].into_iter().enumerate() {
        let folder = format!("out{run}");
        let arguments = ["publish", "policy.toml", "--ledger", "ledger", "--out", &folder];
        let mut command = desk.command();
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        // It may be done by now, and then there is nobody to kill.
        let _ = child.kill();
        child.wait().unwrap();
    }
    let last = desk.run(&["publish", "policy.toml", "--ledger", "ledger", "--out", "last"]);
    let listed = desk.must(&["ledger", "list", "--ledger", "ledger", "--json"]).out;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let gone = |release: &serde_json::Value| release["file_is"] == "gone";
    let is_gone = listed["releases"].as_array().unwrap().iter().any(gone);
    assert_eq!(last.code, Some(if is_gone { 2 } else { 0 }), "{last:?}");
}
