//! `scumble party`: publish together with the other parties of an agreement; or tell what a transcript says.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use scumble::policy::{Data, Deadline};
use scumble::{Identity, Limits, Participation, Together, explain, read_agreement, read_private, take_part};

use super::told::singled_out_told;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// The agreement that all parties share
    #[arg(required_unless_present = "explain")]
    agreement: Option<PathBuf>,

    /// Which of its parties this is
    #[arg(long = "as", value_name = "NAME", required_unless_present = "explain")]
    name: Option<String>,

    /// A file with what is private to this party: data, cert, key, ca, listen, out, deadline
    #[arg(long, value_name = "FILE")]
    private: Option<PathBuf>,

    /// The data of this party
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    /// The certificate of this party (PEM), which carries its name
    #[arg(long, value_name = "FILE")]
    cert: Option<PathBuf>,

    /// The key of the certificate (PEM)
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// The certificate of those who vouch for all parties (PEM)
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,

    /// Where to listen [default: the address of this party in the agreement]
    #[arg(long, value_name = "HOST:PORT")]
    listen: Option<String>,

    /// Where to write the release [default: out-NAME beside the agreement]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Replace a release that is there already
    #[arg(long)]
    force: bool,

    /// Where to write down what happens, also if it fails [default: private/transcript.jsonl in the folder of the release]
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,

    /// Seconds to wait until all parties are there
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    wait: u64,

    /// Seconds after which a party that is not heard of is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    silence: u64,

    /// Seconds that a party has for a message that this one waits for; signs of life do not count
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    progress: u64,

    /// How long the run may take once all parties are there, such as 90s, 30m or 12h, or never [default: 24h]
    #[arg(long, value_name = "TIME")]
    deadline: Option<Deadline>,

    /// Tell in plain words what a transcript says, and do nothing else
    #[arg(long, value_name = "TRANSCRIPT", conflicts_with_all = ["agreement", "name", "data"])]
    explain: Option<PathBuf>,
}

pub fn run(arguments: &Arguments, progress: &Progress) -> Result<Answer, Failure> {
    if let Some(transcript) = &arguments.explain {
        let explained = explain(transcript)?;
        return Ok(Answer::done(explained.to_string(), &explained));
    }
    let missing = |flag: &str| {
        Failure::Usage(format!(
            "--{flag} is missing; give it as a flag or in the file of --private"
        ))
    };
    let (Some(path), Some(name)) = (&arguments.agreement, &arguments.name) else {
        return Err(missing("as"));
    };
    let agreement = read_agreement(path)?;
    let own = agreement.party(name)?;
    let private = arguments.private.as_deref().map(read_private).transpose()?;
    let private = private.unwrap_or_default();
    let data = arguments.data.clone().map(Data::of_file).or(private.data);
    let data = data.ok_or_else(|| missing("data"))?;
    let [cert, key, ca] = [
        ("cert", &arguments.cert, private.cert),
        ("key", &arguments.key, private.key),
        ("ca", &arguments.ca, private.ca),
    ]
    .map(|(flag, given, private)| given.clone().or(private).ok_or_else(|| missing(flag)));
    let identity = Identity::read(&cert?, &key?, &ca?)?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let folder = arguments.out.clone().or(private.out);
    let folder = folder.unwrap_or_else(|| beside.join(format!("out-{name}")));
    let listen = arguments.listen.clone().or(private.listen);
    let deadline = arguments.deadline.or(private.deadline);
    let limits = Limits {
        connect: Duration::from_secs(arguments.wait),
        silence: Duration::from_secs(arguments.silence.max(1)),
        progress: Duration::from_secs(arguments.progress.max(1)),
        deadline: deadline.map_or(Limits::default().deadline, Deadline::limit),
        ..Limits::default()
    };
    progress.name_parties(agreement.parties.iter().map(|party| party.name.clone()).collect());
    let party = Participation {
        own,
        data: &data,
        identity: &identity,
        listen: listen.as_deref(),
        folder: &folder,
        replace: arguments.force,
        transcript: arguments.transcript.as_deref(),
        limits: &limits,
        watch: progress,
    };
    let together = take_part(&agreement, &party)?;
    progress.finish();
    together.warnings.iter().for_each(|warning| progress.warn(warning));
    Ok(Answer::done(told(&together), &together))
}

fn told(together: &Together) -> String {
    let mut text = format!(
        "Published {} of {} records, together: {}\n",
        together.records.common,
        together.records.own,
        together.released.display()
    );
    for level in &together.levels {
        text.push_str(&format!("  {level}\n"));
    }
    text.push_str(&singled_out_told(together.certificate.singled_out.as_ref(), "rows"));
    text.push_str(&format!(
        "{} refinements in {} rounds; {} bytes sent, {} received. What was said: scumble party --explain {}\n",
        together.refinements,
        together.rounds,
        together.bytes.sent,
        together.bytes.received,
        together.transcript.display()
    ));
    text
}
