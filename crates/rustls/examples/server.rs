//! A TLS 1.3 server with an ML-DSA certificate, which greets each client: `cargo run --example
//! server -- server.pem server.key 127.0.0.1:4433`.
//!
//! The files are PEM, as `moissanite keygen` and `moissanite cert` write them.
#![allow(clippy::print_stderr, reason = "an example")]

use std::error::Error;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

const PATIENCE: Duration = Duration::from_secs(5);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [certificates, key, address] = arguments.as_slice() else {
        return Err("usage: server CERTIFICATES.pem KEY.pem ADDRESS".into());
    };
    let certificates: Result<_, _> = CertificateDer::pem_file_iter(certificates)?.collect();
    let config = configure(certificates?, PrivateKeyDer::from_pem_file(key)?)?;
    for connection in TcpListener::bind(address)?.incoming() {
        // The example serves one connection at a time, and continues after a connection has failed.
        let greeted = connection.map_err(Into::into);
        if let Err(error) = greeted.and_then(|stream| greet(stream, &config)) {
            eprintln!("{error}");
        }
    }
    Ok(())
}

/// Reads the server's certificate and the intermediate certificates, and the key of the first one.
pub(crate) fn configure(
    certificates: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<Arc<ServerConfig>, rustls::Error> {
    let provider = moissanite_rustls::with_ml_dsa(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider.into())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(certificates, key)?;
    Ok(config.into())
}

/// Reads a line and answers it. A timeout closes idle connections, because they block the others.
pub(crate) fn greet(stream: TcpStream, config: &Arc<ServerConfig>) -> Result<(), Box<dyn Error>> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let connection = ServerConnection::new(Arc::clone(config))?;
    let mut stream = StreamOwned::new(connection, stream);
    let mut line = Vec::new();
    while line.last() != Some(&b'\n') && line.len() < 1000 {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        line.extend(byte);
    }
    stream.write_all(b"good day, ")?;
    stream.write_all(&line)?;
    stream.conn.send_close_notify();
    Ok(stream.flush()?)
}
