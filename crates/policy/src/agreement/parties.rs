//! The `[[party]]` sections, and who has which column.
//!
//! Invariant: the name of a party is a DNS label, so that a certificate can carry it.

use std::net::Ipv6Addr;
use std::ops::Range;

use crate::spanned::Spanned;
use toml::de::DeValue;

use crate::problems::Problems;
use crate::section::{Item, Section};
use crate::words::{list, quoted, suggestion};

/// One of those who publish together.
#[derive(Clone, Debug)]
pub struct Party {
    /// Its name, a DNS label in lower case, which its certificate carries.
    pub name: String,
    /// Where the others reach it: host and port.
    pub address: String,
    /// Where the agreement names it.
    pub(super) place: Range<usize>,
}

/// As many parties as can publish together.
const MOST_PARTIES: usize = 8;

/// The longest DNS label.
const LONGEST_NAME: usize = 63;

/// Reads all parties. One without a name has an empty one, and is not returned in the end.
pub(super) fn read_parties(item: Option<Item>, problems: &mut Problems) -> Vec<Party> {
    let Some(item) = item else {
        let help = "add one [[party]] with `name` and `address` for each of those who publish together".to_owned();
        problems.overall("there is no [[party]] section", Some(help));
        return Vec::new();
    };
    let sections = item.sections(problems).unwrap_or_default();
    let sections = sections.into_iter().map(|section| read_party(section, problems));
    let parties: Vec<Party> = sections.collect();
    check_number(&parties, problems);
    check_twice(&parties, "name", |party| &party.name, problems);
    check_twice(&parties, "address", |party| &party.address, problems);
    parties
}

fn read_party(mut section: Section, problems: &mut Problems) -> Party {
    let name = section.needed("name", "add `name = \"bank\"`", problems);
    let address = section.needed("address", "add `address = \"bank.example:7301\"`", problems);
    let named = name.as_ref().and_then(|item| read_name(item, problems));
    let address = address.and_then(|item| read_address(&item, problems));
    section.finish(&[], problems);
    Party {
        name: named.unwrap_or_default(),
        address: address.unwrap_or_default(),
        place: name.map_or_else(|| section.span(), |item| item.span()),
    }
}

/// The name, also one that does not fit: the columns go on naming it.
fn read_name(item: &Item, problems: &mut Problems) -> Option<String> {
    let name = item.text(problems)?.into_inner();
    if !is_label(&name) {
        let message = format!("{} is no name for a party", quoted(&name));
        let help =
            "its certificate carries the name: use lower case letters, digits and inner hyphens, at most 63".to_owned();
        problems.at(item.span(), message, Some(help));
    }
    Some(name)
}

fn is_label(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(fits) && !name.starts_with('-') && !name.ends_with('-')
}

/// An address that others can connect to, or that one can listen on.
pub(super) fn read_address(item: &Item, problems: &mut Problems) -> Option<String> {
    let address = item.text(problems)?.into_inner();
    if !is_address(&address) {
        let wanted = "a host and a port, such as \"bank.example:7301\" or \"[::1]:7301\"";
        item.must_be(wanted, problems);
        return None;
    }
    Some(address)
}

fn is_address(address: &str) -> bool {
    let Some((host, port)) = address.rsplit_once(':') else {
        return false;
    };
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let in_brackets = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_host = match in_brackets {
        Some(host) => host.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.bytes().all(fits),
    };
    is_port && is_host
}

fn check_number(parties: &[Party], problems: &mut Problems) {
    if let [only] = parties {
        let most = MOST_PARTIES - 1;
        let help = format!("add 1 to {most} others, or publish alone with a policy");
        problems.at(only.place.clone(), "there is only one party", Some(help));
    }
    if let Some(first_too_many) = parties.get(MOST_PARTIES) {
        let count = parties.len();
        let message = format!("there are {count} parties, and at most {MOST_PARTIES} can publish together");
        let help = "let those who belong together join their files first, and take part as one".to_owned();
        problems.at(first_too_many.place.clone(), message, Some(help));
    }
}

/// Reports what two parties have in common, upper and lower case aside.
fn check_twice(parties: &[Party], key: &str, of: fn(&Party) -> &String, problems: &mut Problems) {
    for (number, party) in parties.iter().enumerate() {
        let is_same = |other: &Party| !of(other).is_empty() && of(other).eq_ignore_ascii_case(of(party));
        if parties[..number].iter().any(is_same) {
            let message = format!("two parties have the {key} {}", quoted(of(party)));
            problems.at(party.place.clone(), message, Some("give each its own".to_owned()));
        }
    }
}

/// Who has a column: parties by number, ascending.
pub(super) fn read_owners(
    column: &Spanned<String>,
    section: &mut Section,
    parties: &[Party],
    problems: &mut Problems,
) -> Vec<usize> {
    let names = parties.iter().map(|party| party.name.as_str());
    let help = format!("add `party`, who has it; valid: {}", list(names.clone()));
    let Some(item) = section.needed("party", &help, problems) else {
        return Vec::new();
    };
    let named = match item.value() {
        DeValue::String(_) => item.text(problems).map(|name| vec![name]),
        DeValue::Array(_) => item.names(problems),
        _ => {
            item.must_be("the name of a party, or of the class a list of names", problems);
            None
        }
    };
    let mut owners = Vec::new();
    for name in named.unwrap_or_default() {
        match names.clone().position(|other| other == name.get_ref()) {
            Some(party) => owners.push(party),
            // Without any party, that is the problem.
            None if parties.is_empty() => {}
            None => {
                let message = format!(
                    "unknown party {} of column {}",
                    quoted(name.get_ref()),
                    quoted(column.get_ref())
                );
                problems.at(name.span(), message, Some(suggestion(name.get_ref(), names.clone())));
            }
        }
    }
    owners.sort_unstable();
    owners
}
