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

/// Runs the program, which must succeed; the most memory that it had, in KiB.
fn most_memory(desk: &Desk, arguments: &str) -> usize {
    let mut child = desk
        .command()
        .args(arguments.split(' '))
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
    most
}

/// Rows of a few kinds: held as texts they would take several times the file. So many that the program itself, which takes 13 MB
/// unoptimised before it reads anything, does not decide.
#[test]
fn a_large_table_is_published_in_less_memory_than_its_file() {
    let mut rows = String::from("town,trade,age,insured\n");
    for n in 0..1_500_000u32 {
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
    let most = most_memory(&desk, flags);
    assert!(
        most > 0 && most * 1024 < rows.len(),
        "{most} KiB for a file of {} KiB",
        rows.len() / 1024
    );
}

/// 100,000 rows in each of four releases, all of which match: 10^20 matches, more than 64 bits hold. They are counted all
/// the same, and none is made.
#[test]
fn a_join_without_end_is_counted_without_being_made() {
    let rows = |name: &str, kinds: u32| {
        let mut rows = format!("town,{name}\n");
        (0..100_000u32).for_each(|n| writeln!(rows, "here,{name}{}", n % kinds).unwrap());
        rows
    };
    let mut policy =
        "[data]\nfile = \"this.csv\"\n[columns]\ntown = { role = \"quasi\" }\ntrade = { role = \"quasi\" }\n\
                      [[require]]\nanonymity = 10\nof = [\"town\", \"trade\"]\nper = \"join\"\n"
            .to_owned();
    let desk = Desk::with(&[("this.csv", &rows("trade", 50))]);
    for earlier in ["a", "b", "c"] {
        desk.put(&format!("{earlier}.csv"), rows(earlier, 7).as_bytes());
        let _ = writeln!(policy, "[[earlier]]\nname = \"{earlier}\"\nfile = \"{earlier}.csv\"");
    }
    desk.put("policy.toml", policy.as_bytes());
    let most = most_memory(&desk, "publish policy.toml");
    assert!((1..100 * 1024).contains(&most), "{most} KiB");
    let level = &desk.json("out/certificate.json")["require"][0]["level"];
    assert_eq!(level.as_f64(), Some(100_000f64.powi(3) * 2_000.0));
}
