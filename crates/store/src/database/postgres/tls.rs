//! [`Tls`]: encrypted connections to servers whose certificate an authority has signed.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, InvalidDnsNameError, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as Encrypted;

use crate::error::WhyRefused;

/// Makes connections encrypted.
#[derive(Clone)]
pub(super) struct Tls {
    connector: TlsConnector,
}

impl Tls {
    /// Trusts the authorities of a PEM file, or those of the system.
    ///
    /// # Errors
    /// Why there are none.
    pub fn new(roots: Option<&Path>) -> Result<Self, WhyRefused> {
        let mut trusted = RootCertStore::empty();
        trusted.add_parsable_certificates(match roots {
            Some(file) => certificates(file)?,
            None => rustls_native_certs::load_native_certs().certs,
        });
        if trusted.is_empty() {
            return Err(WhyRefused::NoAuthority);
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| WhyRefused::Said(error.to_string()))?
            .with_root_certificates(trusted)
            .with_no_client_auth();
        Ok(Tls {
            connector: Arc::new(config).into(),
        })
    }
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, WhyRefused> {
    let not_read = |_| WhyRefused::NoCertificates { file: file.to_owned() };
    let certificates = CertificateDer::pem_file_iter(file).map_err(not_read)?;
    certificates.collect::<Result<_, _>>().map_err(not_read)
}

impl<S> MakeTlsConnect<S> for Tls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Wrapped<S>;
    type TlsConnect = TlsTo;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<TlsTo, InvalidDnsNameError> {
        Ok(TlsTo {
            connector: self.connector.clone(),
            host: ServerName::try_from(host)?.to_owned(),
        })
    }
}

/// Makes a connection to one host encrypted.
pub(super) struct TlsTo {
    connector: TlsConnector,
    host: ServerName<'static>,
}

impl<S> TlsConnect<S> for TlsTo
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Wrapped<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Wrapped<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move { Ok(Wrapped(Box::new(self.connector.connect(self.host, stream).await?))) })
    }
}

/// An encrypted connection, in the words of the client.
pub(super) struct Wrapped<S>(Box<Encrypted<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Wrapped<S> {
    fn channel_binding(&self) -> ChannelBinding {
        // The certificate is checked, so nobody sits between.
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Wrapped<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Wrapped<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
