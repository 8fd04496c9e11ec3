//! A TLS 1.3 client for the example `server`: `cargo run --example client -- root.pem
//! server.example 127.0.0.1:4433`.
//!
//! The file is PEM, as `moissanite cert` writes it.
#![allow(clippy::print_stdout, reason = "an example")]

use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [root, host, address] = arguments.as_slice() else {
        return Err("usage: client ROOT.pem HOST ADDRESS".into());
    };
    let config = configure(CertificateDer::from_pem_file(root)?)?;
    let host = ServerName::try_from(host.clone())?;
    let answer = talk(TcpStream::connect(address)?, &config, host)?;
    print!("{}", String::from_utf8_lossy(&answer));
    Ok(())
}

/// The only trusted certificate.
pub(crate) fn configure(root: CertificateDer<'static>) -> Result<Arc<ClientConfig>, rustls::Error> {
    let mut roots = RootCertStore::empty();
    roots.add(root)?;
    let provider = moissanite_rustls::with_ml_dsa(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider.into())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(config.into())
}

/// Sends a line and returns the answer.
pub(crate) fn talk(
    stream: TcpStream,
    config: &Arc<ClientConfig>,
    host: ServerName<'static>,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let connection = ClientConnection::new(Arc::clone(config), host)?;
    let mut stream = StreamOwned::new(connection, stream);
    stream.write_all(b"server\n")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(answer)
}
