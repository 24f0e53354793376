//! Memory follows the distinct rows, not the file.

use std::fmt::Write;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::desk::Desk;

/// The most memory that a process had so far, in KiB; `None` once it has ended.
fn peak(child: &Child) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A million rows of a few kinds: held as texts they would take several times the file.
#[test]
fn a_large_table_is_published_in_less_memory_than_its_file() {
    let mut rows = String::from("town,trade,age,insured\n");
    for n in 0..1_000_000u32 {
        let kind = n.wrapping_mul(2_654_435_761) >> 20;
        let (town, trade) = (kind % 5, kind % 7);
        let _ = writeln!(
            rows,
            "a-town-with-a-long-name-{town},a-trade-with-a-long-name-{trade},{},{}",
            kind % 50,
            kind % 2
        );
    }
    let desk = Desk::with(&[("people.csv", &rows)]);
    let flags = "publish people.csv --quasi town,trade,age --continuous age --class insured --anonymity 100";
    let mut child = desk
        .command()
        .args(flags.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    let status = loop {
        most = most.max(peak(&child).unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert!(status.success());
    assert!(
        most > 0 && most * 1024 < rows.len(),
        "{most} KiB for a file of {} KiB",
        rows.len() / 1024
    );
}
