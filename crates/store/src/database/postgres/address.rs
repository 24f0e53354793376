//! [`Address`]: what a URL says about where a database is, and how to get in.
//!
//! | URL | connection |
//! |---|---|
//! | `postgres://ann@localhost/school` | plain, with the password of `PGPASSWORD` |
//! | `postgres://ann@db.example/school` | refused: it would be plain, and nobody said so |
//! | `postgres://ann@db.example/school?sslmode=disable` | plain, as it says |
//! | `postgres://ann:pw@db.example/school?sslmode=require` | encrypted, certificate checked |
//! | `...?sslmode=verify-full&sslrootcert=ca.pem` | encrypted, certificate checked against `ca.pem` |
//! | `...?sslmode=prefer` | refused: it may be either |
//!
//! Invariant: a connection that leaves this machine is plain only if the URL says so, and no message holds a part of the URL but host,
//! port and name of the database.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use postgres::Config;
use postgres::config::{Host, SslMode};

use crate::error::{ConnectionError, UrlFault};

const USUAL_PORT: u16 = 5432;

/// How long a server may take to answer, unless the URL says otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where a database is.
pub(super) struct Address {
    pub config: Config,
    pub encryption: Encryption,
    /// Host, port and name of the database.
    pub server: String,
}

#[derive(Debug, PartialEq)]
pub(super) enum Encryption {
    None,
    /// Certificates are checked against those of the file, or those that the system trusts.
    Checked {
        roots: Option<PathBuf>,
    },
}

impl Address {
    /// Reads a URL; `password` is that of the environment.
    pub fn parse(url: &str, password: Option<String>) -> Result<Self, ConnectionError> {
        let (address, mode, roots) = take_options(url)?;
        // What is said of it might quote the password.
        let mut config: Config = address.parse().map_err(|_| ConnectionError::Url(UrlFault::Form))?;
        if config.get_hosts().is_empty() {
            return Err(ConnectionError::Url(UrlFault::NoHost));
        }
        let encryption = encryption(mode.as_deref(), roots, stays_here(&config)).map_err(ConnectionError::Url)?;
        if let Some(password) = password.filter(|_| config.get_password().is_none()) {
            config.password(password);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        config.ssl_mode(match encryption {
            Encryption::None => SslMode::Disable,
            Encryption::Checked { .. } => SslMode::Require,
        });
        Ok(Address {
            server: server(&config),
            config,
            encryption,
        })
    }
}

/// Takes `sslmode` and `sslrootcert` out of a URL.
fn take_options(url: &str) -> Result<(String, Option<String>, Option<PathBuf>), ConnectionError> {
    // A password may have a question mark.
    let host = url.find('@').unwrap_or(0);
    let Some(start) = url[host..].find('?').map(|start| host + start) else {
        return Ok((url.to_owned(), None, None));
    };
    let (mut mode, mut roots) = (None, None);
    let mut others = Vec::new();
    for option in url[start + 1..].split('&') {
        let value = |name: &str| {
            option
                .strip_prefix(name)
                .map(|value| percent_decode_str(value).decode_utf8())
        };
        let decoded = |value: Result<std::borrow::Cow<str>, _>| value.map(|value| value.into_owned());
        let not_text = |_: std::str::Utf8Error| ConnectionError::Url(UrlFault::OptionNotText);
        if let Some(value) = value("sslmode=") {
            mode = Some(decoded(value).map_err(not_text)?);
        } else if let Some(value) = value("sslrootcert=") {
            roots = Some(PathBuf::from(decoded(value).map_err(not_text)?));
        } else {
            others.push(option);
        }
    }
    let options = others.join("&");
    let mark = if options.is_empty() { "" } else { "?" };
    Ok((format!("{}{mark}{options}", &url[..start]), mode, roots))
}

/// How a URL with this `sslmode` is connected; `stays_here` if no host of it is another machine.
fn encryption(mode: Option<&str>, roots: Option<PathBuf>, stays_here: bool) -> Result<Encryption, UrlFault> {
    match mode {
        Some("require" | "verify-ca" | "verify-full") => Ok(Encryption::Checked { roots }),
        None | Some("disable") if roots.is_some() => Err(UrlFault::RootsWithoutEncryption),
        Some("disable") => Ok(Encryption::None),
        None if stays_here => Ok(Encryption::None),
        None => Err(UrlFault::NoMode),
        Some(_) => Err(UrlFault::UnknownMode),
    }
}

/// Whether every host that may be connected to is this machine.
fn stays_here(config: &Config) -> bool {
    let host_is_here = |host: &Host| match host {
        Host::Tcp(name) => {
            let address = name.trim_start_matches('[').trim_end_matches(']').parse();
            name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address: IpAddr| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    // An address that is given beside a host is the one that is connected to.
    config.get_hosts().iter().all(host_is_here) && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

/// Host, port and name of the database, for messages.
fn server(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(folder)) => folder.display().to_string(),
        None => String::new(),
    };
    let port = config.get_ports().first().unwrap_or(&USUAL_PORT);
    match config.get_dbname() {
        Some(name) => format!("{host}:{port}/{name}"),
        None => format!("{host}:{port}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(url: &str) -> String {
        Address::parse(url, None).err().expect("a refusal").to_string()
    }

    #[test]
    fn a_url_says_where_the_database_is() {
        let url = "postgres://ann:pw@db.example:99/school?connect_timeout=3&sslmode=disable";
        let address = Address::parse(url, None).unwrap();
        assert_eq!(address.server, "db.example:99/school");
        assert_eq!(address.encryption, Encryption::None);
        assert_eq!(address.config.get_ssl_mode(), SslMode::Disable);
        assert_eq!(address.config.get_connect_timeout(), Some(&Duration::from_secs(3)));
        assert_eq!(
            Address::parse("postgresql://localhost", None).unwrap().server,
            "localhost:5432"
        );
    }

    #[test]
    fn the_environment_has_the_password_that_the_url_lacks() {
        let password = |url: &str| {
            let address = Address::parse(url, Some("other".to_owned())).unwrap();
            address.config.get_password().map(<[u8]>::to_vec)
        };
        assert_eq!(password("postgres://ann@localhost/school"), Some(b"other".to_vec()));
        assert_eq!(
            password("postgres://ann:p%40?w@localhost/school"),
            Some(b"p@?w".to_vec())
        );
    }

    #[test]
    fn what_should_be_encrypted_is() {
        for mode in ["require", "verify-ca", "verify-full"] {
            let url = format!("postgres://a:p?w@h/n?sslmode={mode}&sslrootcert=my%20ca.pem&application_name=x");
            let address = Address::parse(&url, None).unwrap();
            let roots = Some(PathBuf::from("my ca.pem"));
            assert_eq!(address.encryption, Encryption::Checked { roots });
            assert_eq!(address.config.get_ssl_mode(), SslMode::Require);
            assert_eq!(address.config.get_application_name(), Some("x"));
        }
    }

    #[test]
    fn only_a_connection_that_stays_on_this_machine_is_plain_unasked() {
        let plain = |url: &str| match Address::parse(url, None) {
            Ok(address) => address.encryption == Encryption::None && address.config.get_ssl_mode() == SslMode::Disable,
            Err(_) => false,
        };
        for url in [
            "postgres://a@localhost/n",
            "postgres://a@LOCALHOST/n",
            "postgres://a@127.0.0.1/n",
            "postgres://a@[::1]/n",
            "postgres://a@%2Frun%2Fpostgresql/n",
            "postgres://a@db.example/n?sslmode=disable",
        ] {
            assert!(plain(url), "{url}");
        }
        for url in [
            "postgres://ann:secret@db.example/n",
            "postgres://ann:secret@10.0.0.7/n",
            "postgres://ann:secret@localhost.example/n",
            "postgres://ann:secret@localhost,db.example/n",
            "postgres://ann:secret@localhost/n?hostaddr=10.0.0.7",
            "postgres://ann:secret@db.example/n?application_name=x",
        ] {
            let told = message(url);
            assert!(
                told.contains("add ?sslmode=require") && told.contains("?sslmode=disable"),
                "{url}: {told}"
            );
            assert!(!told.contains("secret"), "{told}");
        }
    }

    #[test]
    fn what_is_not_understood_is_not_quoted() {
        let form = "the URL of the database is not understood: write it as postgres://user:password@host:port/name, \
                    with %40 for @, %2F for / and %25 for % in the password";
        for url in [
            "postgres://ann:secret@h:port/n",
            "postgres://ann:secret@h/n?sslmod=require",
            "mysql://secret",
        ] {
            assert_eq!(message(url), form, "{url}");
        }
        let modes = "the URL of the database is not understood: `sslmode` is none of disable, require, verify-ca and \
                     verify-full: a connection is encrypted or is not";
        assert_eq!(message("postgres://ann:secret@h/n?sslmode=prefer"), modes);
        assert_eq!(
            message("postgres://h/n?sslrootcert=ca.pem"),
            "the URL of the database is not understood: `sslrootcert` goes with `sslmode=require`"
        );
        assert_eq!(
            message("postgres:///school"),
            "the URL of the database is not understood: it names no host"
        );
    }
}
