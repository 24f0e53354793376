//! `publish --frontier` and `--at-level`: what privacy costs, and picking a point of the curve.

use serde_json::{Value, json};

use crate::desk::Desk;

#[test]
fn the_frontier_ends_where_the_release_is() {
    let desk = Desk::patients();
    let ended = desk.must(&["publish", "policy.toml", "--frontier", "--json"]);
    let told: Value = serde_json::from_str(&ended.out).unwrap();
    let frontier = &told["frontier"];
    let points = frontier["points"].as_array().unwrap();
    assert_eq!(points.len(), 1 + told["refinements"].as_u64().unwrap() as usize);
    let (first, last) = (&points[0], points.last().unwrap());
    assert_eq!(
        (&first["levels"], &first["information_loss"]),
        (&json!([34, 34]), &json!(1.0))
    );
    let certificate = &told["certificate"];
    let levels: Vec<&Value> = certificate["require"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| &r["level"])
        .collect();
    assert_eq!(last["levels"], json!(levels));
    let [traced, certified] =
        [&last["information_loss"], &certificate["information_loss"]].map(|v| v.as_f64().unwrap());
    assert!((traced - certified).abs() < 1e-12, "{traced} {certified}");
    assert_eq!(frontier["released"], json!(points.len() - 1));

    let text = desk.must(&["publish", "policy.toml", "--frontier", "--force"]).out;
    let curve = "anonymity 4 of job, sex: what each level costs\n         level    step  information loss  left out\n";
    assert!(text.contains(curve), "{text}");
    assert!(
        text.contains("            16       2            67.8 %         0\n"),
        "{text}"
    );
}

/// The levels of (job, sex) fall 34, 34, 16, 7, 7, 4: two steps keep 16. The other template asks for 11 anyway.
#[test]
fn a_level_picks_the_step_before_it_is_lost() {
    let desk = Desk::patients();
    desk.must(&[
        "publish",
        "policy.toml",
        "--at-level",
        "anonymity=10",
        "--out",
        "picked",
    ]);
    desk.must(&["publish", "policy.toml", "--steps", "2", "--out", "counted"]);
    for file in ["released.csv", "certificate.json", "private/trace.json"] {
        let read = |folder: &str| desk.read(&format!("{folder}/{file}"));
        assert_eq!(read("picked"), read("counted"), "{file}");
    }
    let level = &desk.json("picked/certificate.json")["require"][0]["level"];
    assert_eq!(level, &json!(16));
}

#[test]
fn a_level_that_makes_no_sense_is_told() {
    let desk = Desk::patients();
    for (level, reason) in [
        (
            "anonymity=2",
            "looser than what the policy asks for anyway: anonymity 4 of job, sex",
        ),
        (
            "anonymity=1000",
            "not even the most masked table has this level; it has 34",
        ),
        ("confidence=0.5", "the policy asks for anonymity"),
        ("anonymity", "expected KIND=LEVEL"),
    ] {
        let ended = desk.run(&["publish", "policy.toml", "--at-level", level]);
        assert_eq!(ended.code, Some(2), "{level}");
        assert!(ended.err.contains(reason), "{level}: {}", ended.err);
    }
    assert!(!desk.has("out"));
}
