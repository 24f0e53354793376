//! Three bounds from one load: the rows are read once, and searched three times.
//!
//! ```text
//! cargo run -p scumble --example three_bounds
//! ```

use std::path::Path;

use scumble::{DataKept, Inputs, Policy, Search, Sources, Unwatched};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/patients");
    let text = std::fs::read_to_string(folder.join("policy.toml"))?;
    let asking = |k: u64| {
        let bound = text.find("anonymity = ").expect("the example asks for anonymity");
        let end = text[bound..].find('\n').map_or(text.len(), |end| bound + end);
        let text = format!("{}anonymity = {k}{}", &text[..bound], &text[end..]);
        Policy::parse(&text, "policy.toml", &folder)
    };
    let inputs = Inputs::read(&asking(2)?, &Sources::default(), None, &Unwatched)?;
    for k in [2, 5, 10] {
        let found = inputs.asking(&asking(k)?)?.search(&Search::default(), &Unwatched)?;
        let release = found.release(DataKept::LetGo, &Unwatched)?;
        let loss = 100.0 * release.certificate().information_loss;
        println!(
            "k = {k}: {loss:.1} % of the quasi cells lost, {}",
            release.levels().join("; ")
        );
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
