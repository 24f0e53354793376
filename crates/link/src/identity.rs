//! An [`Identity`] is who a party is, and whom it believes.
//!
//! Invariant: every connection is TLS 1.3, both ends show a certificate of the one authority, and none is resumed from
//! an earlier one, so that each certificate is checked each time.

use std::{
    fmt,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    ClientConfig, ConfigBuilder, ConfigSide, RootCertStore, ServerConfig, WantsVerifier, WantsVersions,
    client::{Resumption, WebPkiServerVerifier, danger::ServerCertVerifier},
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime, pem::PemObject},
    server::{NoServerSessionStorage, WebPkiClientVerifier},
    version::TLS13,
};

use crate::{CertificateFault, LinkError};

/// The certificate and the key of a party, and the authority that signs the certificates of all.
#[derive(Clone)]
pub struct Identity {
    path: PathBuf,
    chain: Vec<CertificateDer<'static>>,
    verifier: Arc<WebPkiServerVerifier>,
    pub(crate) server: Arc<ServerConfig>,
    pub(crate) client: Arc<ClientConfig>,
}

impl Identity {
    /// Reads three PEM files: the certificate of this party (others between it and the authority may follow it), its
    /// private key, and the certificate of the authority.
    pub fn read(certificate: &Path, key: &Path, authority: &Path) -> Result<Identity, LinkError> {
        let chain = read_certificates(certificate)?;
        let private = read_key(key)?;
        let roots = Arc::new(read_authority(authority)?);
        let provider = Arc::new(ring::default_provider());

        let unusable = |_| LinkError::NoCertificate {
            path: authority.to_owned(),
        };
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::clone(&roots), Arc::clone(&provider));
        let verifier = verifier.build().map_err(unusable)?;
        let client_verifier = WebPkiClientVerifier::builder_with_provider(roots, Arc::clone(&provider));
        let client_verifier = client_verifier.build().map_err(unusable)?;

        let other_key = |_| LinkError::OtherKey {
            key: key.to_owned(),
            certificate: certificate.to_owned(),
        };
        let mut server = only_tls13(ServerConfig::builder_with_provider(Arc::clone(&provider)))
            .with_client_cert_verifier(client_verifier)
            .with_single_cert(chain.clone(), private.clone_key())
            .map_err(other_key)?;
        server.send_tls13_tickets = 0;
        server.session_storage = Arc::new(NoServerSessionStorage {});
        let mut client = only_tls13(ClientConfig::builder_with_provider(provider))
            .with_webpki_verifier(Arc::clone(&verifier))
            .with_client_auth_cert(chain.clone(), private)
            .map_err(other_key)?;
        client.resumption = Resumption::disabled();

        Ok(Identity {
            path: certificate.to_owned(),
            chain,
            verifier,
            server: Arc::new(server),
            client: Arc::new(client),
        })
    }

    /// Whether the peers, with the same authority and a right clock, would believe that this is the party of a name.
    pub(crate) fn check_name(&self, name: &ServerName<'_>) -> Result<(), LinkError> {
        let (own, between) = (&self.chain[0], &self.chain[1..]);
        let verified = self
            .verifier
            .verify_server_cert(own, between, name, &[], UnixTime::now());
        let fault = match verified {
            Ok(_) => return Ok(()),
            Err(rustls::Error::InvalidCertificate(why)) => CertificateFault::of(&why),
            Err(_) => CertificateFault::Unfit,
        };
        Err(LinkError::OwnCertificate {
            path: self.path.clone(),
            name: name.to_str().into_owned(),
            fault,
        })
    }
}

impl fmt::Debug for Identity {
    /// Says where it comes from, and nothing of the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

fn only_tls13<S: ConfigSide>(builder: ConfigBuilder<S, WantsVersions>) -> ConfigBuilder<S, WantsVerifier> {
    let builder = builder.with_protocol_versions(&[&TLS13]);
    builder.expect("it fails only without a cipher of TLS 1.3, and ring has three")
}

fn read_authority(path: &Path) -> Result<RootCertStore, LinkError> {
    let mut roots = RootCertStore::empty();
    for certificate in read_certificates(path)? {
        roots
            .add(certificate)
            .map_err(|_| LinkError::NoCertificate { path: path.to_owned() })?;
    }
    Ok(roots)
}

/// At least one certificate.
fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, LinkError> {
    let file = read(path)?;
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&file).collect();
    match certificates {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        _ => Err(LinkError::NoCertificate { path: path.to_owned() }),
    }
}

/// A key that nobody but its owner may read. Whoever else has it can pass for this party.
fn read_key(path: &Path) -> Result<PrivateKeyDer<'static>, LinkError> {
    let cannot_read = |source| LinkError::Read {
        path: path.to_owned(),
        source: Arc::new(source),
    };
    let mut file = File::open(path).map_err(cannot_read)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(cannot_read)?;
    let key = PrivateKeyDer::from_pem_slice(&text).map_err(|_| LinkError::NoKey { path: path.to_owned() })?;
    // Of the open file, not of the path: what is looked at is what was read.
    #[cfg(unix)]
    {
        let metadata = file.metadata().map_err(cannot_read)?;
        let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions());
        if mode & 0o077 != 0 {
            let path = path.to_owned();
            return Err(LinkError::OpenKey {
                path,
                mode: mode & 0o777,
            });
        }
    }
    Ok(key)
}

fn read(path: &Path) -> Result<Vec<u8>, LinkError> {
    fs::read(path).map_err(|source| LinkError::Read {
        path: path.to_owned(),
        source: Arc::new(source),
    })
}
