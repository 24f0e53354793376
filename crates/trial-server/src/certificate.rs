//! The certificate of a server, and the authority that signed it.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

/// PEM texts.
pub(crate) struct Certificates {
    pub authority: String,
    pub server: String,
    pub key: String,
}

/// A certificate for 127.0.0.1 that is signed by an authority of its own.
pub(crate) fn certificates() -> Result<Certificates, rcgen::Error> {
    let mut authority = CertificateParams::default();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority
        .distinguished_name
        .push(DnType::CommonName, "authority of a trial server");
    let authority_key = KeyPair::generate()?;
    let signed = authority.self_signed(&authority_key)?;
    let key = KeyPair::generate()?;
    let issuer = Issuer::new(authority, authority_key);
    let server = CertificateParams::new(["127.0.0.1".to_owned()])?.signed_by(&key, &issuer)?;
    Ok(Certificates {
        authority: signed.pem(),
        server: server.pem(),
        key: key.serialize_pem(),
    })
}
