//! [`CertificateFault`]: what is wrong with a certificate, as far as TLS tells.

use std::fmt;

use rustls::{
    AlertDescription, CertificateError,
    client::verify_server_name,
    pki_types::{CertificateDer, ServerName},
    server::ParsedCertificate,
};

/// What is wrong with a certificate. Reads on after the words "the certificate".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateFault {
    /// Its time is over.
    Expired,
    /// Its time has not begun, or the clock of a computer is wrong.
    NotYetValid,
    /// Another authority signed it.
    OtherAuthority,
    /// It is of another party.
    OtherName,
    /// There is none.
    Missing,
    /// Anything else.
    Unfit,
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CertificateFault::Expired => "has expired",
            CertificateFault::NotYetValid => "is not valid yet (is the clock right?)",
            CertificateFault::OtherAuthority => "is not signed by the authority that the parties agreed on",
            CertificateFault::OtherName => "does not carry the name of the party",
            CertificateFault::Missing => "is missing",
            CertificateFault::Unfit => "is not fit for this use",
        })
    }
}

impl CertificateFault {
    /// Why this party refuses a certificate.
    pub(crate) fn of(error: &CertificateError) -> CertificateFault {
        match error {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => CertificateFault::Expired,
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                CertificateFault::NotYetValid
            }
            // Two authorities may share a name; then it is the signature that does not fit.
            CertificateError::UnknownIssuer | CertificateError::BadSignature => CertificateFault::OtherAuthority,
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                CertificateFault::OtherName
            }
            _ => CertificateFault::Unfit,
        }
    }

    /// Why a peer refuses the certificate of this party, if that is what its alert says.
    pub(crate) fn of_alert(alert: AlertDescription) -> Option<CertificateFault> {
        match alert {
            AlertDescription::CertificateExpired => Some(CertificateFault::Expired),
            AlertDescription::UnknownCA | AlertDescription::DecryptError => Some(CertificateFault::OtherAuthority),
            AlertDescription::CertificateRequired => Some(CertificateFault::Missing),
            AlertDescription::BadCertificate
            | AlertDescription::UnsupportedCertificate
            | AlertDescription::CertificateRevoked
            | AlertDescription::CertificateUnknown => Some(CertificateFault::Unfit),
            _ => None,
        }
    }
}

/// Whether a certificate carries a name. Who signed it is not looked at here.
pub(crate) fn carries(certificate: &CertificateDer<'_>, name: &ServerName<'_>) -> bool {
    let parsed = ParsedCertificate::try_from(certificate);
    parsed.is_ok_and(|certificate| verify_server_name(&certificate, name).is_ok())
}
