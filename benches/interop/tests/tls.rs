//! TLS 1.3 between rustls with the signatures of this project and OpenSSL, over loopback.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use moissanite_rustls::with_ml_dsa;
use openssl::pkey::PKey;
use openssl::ssl::{SslAcceptor, SslConnector, SslMethod, SslVersion};
use openssl::x509::X509;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection};
use rustls::{StreamOwned, version::TLS13};

use crate::command::Folder;

const HOST: &str = "server.example";

/// root.pem, server.pem and server.key, and a root that has nothing to do with them.
fn files(name: &str, algorithm: &str) -> Folder {
    let folder = Folder::new(name);
    for root in ["root", "other"] {
        folder.ok(&format!("keygen ml-dsa-87 --out {root}.key"));
        let subject = "--subject CN=Root --ca";
        folder.ok(&format!(
            "cert self-sign --key {root}.key {subject} --out {root}.pem"
        ));
    }
    folder.ok(&format!("keygen {algorithm} --out server.key"));
    folder.ok(&format!(
        "cert request --key server.key --subject CN=Server --host {HOST} --out server.csr"
    ));
    folder.ok("cert issue server.csr --issuer root.pem --key root.key --out server.pem");
    folder
}

/// The provider has ML-DSA of its own, which ours takes the place of.
fn provider() -> Arc<CryptoProvider> {
    with_ml_dsa(aws_lc_rs::default_provider()).into()
}

fn der(folder: &Folder, name: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(&folder.read(name)).expect("a certificate")
}

/// Runs a server for one connection; its address.
fn serve(
    server: impl FnOnce(TcpStream) -> Option<()> + Send + 'static,
) -> (std::net::SocketAddr, thread::JoinHandle<Option<()>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let serving = thread::spawn(move || server(listener.accept().expect("a client").0));
    (address, serving)
}

fn our_server(folder: &Folder) -> Arc<ServerConfig> {
    let key = PrivateKeyDer::from_pem_slice(&folder.read("server.key")).expect("a key");
    let config = ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&TLS13])
        .expect("TLS 1.3")
        .with_no_client_auth()
        .with_single_cert(vec![der(folder, "server.pem")], key);
    config.expect("they belong together").into()
}

fn greet(mut stream: impl Write) -> Option<()> {
    stream.write_all(b"good day").ok()?;
    stream.flush().ok()
}

/// What an OpenSSL client hears, and whether it is there at all.
fn their_client(stream: TcpStream, root: &[u8], host: &str) -> Option<[u8; 8]> {
    let mut builder = SslConnector::builder(SslMethod::tls_client()).expect("a builder");
    builder
        .set_min_proto_version(Some(SslVersion::TLS1_3))
        .expect("TLS 1.3");
    let root = X509::from_pem(root).expect("a certificate");
    builder.cert_store_mut().add_cert(root).expect("added");
    let mut stream = builder.build().connect(host, stream).ok()?;
    let mut answer = [0; 8];
    stream.read_exact(&mut answer).ok()?;
    Some(answer)
}

fn our_client(
    stream: TcpStream,
    root: CertificateDer<'static>,
    host: &'static str,
) -> Option<[u8; 8]> {
    let mut roots = RootCertStore::empty();
    roots.add(root).expect("a root");
    let config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&TLS13])
        .expect("TLS 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let host = ServerName::try_from(host).expect("a name");
    let connection = ClientConnection::new(Arc::new(config), host).expect("a connection");
    let mut answer = [0; 8];
    StreamOwned::new(connection, stream)
        .read_exact(&mut answer)
        .ok()?;
    Some(answer)
}

fn their_server(folder: &Folder) -> SslAcceptor {
    let mut builder = SslAcceptor::mozilla_modern_v5(SslMethod::tls_server()).expect("a builder");
    let certificate = X509::from_pem(&folder.read("server.pem")).expect("a certificate");
    let key = PKey::private_key_from_pem(&folder.read("server.key")).expect("a key");
    builder.set_certificate(&certificate).expect("set");
    builder.set_private_key(&key).expect("set");
    builder.check_private_key().expect("they belong together");
    builder.build()
}

#[test]
fn our_server_and_an_openssl_client() {
    for algorithm in ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87"] {
        let folder = files(&format!("server-{algorithm}"), algorithm);
        let config = our_server(&folder);
        let talk = |root: &str, host: &str| {
            let config = Arc::clone(&config);
            let (address, serving) = serve(move |stream| {
                let connection = ServerConnection::new(config).ok()?;
                greet(StreamOwned::new(connection, stream))
            });
            let stream = TcpStream::connect(address).expect("connects");
            let heard = their_client(stream, &folder.read(root), host);
            let _ = serving.join();
            heard
        };
        assert_eq!(talk("root.pem", HOST), Some(*b"good day"), "{algorithm}");
        assert_eq!(talk("root.pem", "other.example"), None);
        assert_eq!(talk("other.pem", HOST), None);
    }
}

#[test]
fn an_openssl_server_and_our_client() {
    for algorithm in ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87"] {
        let folder = files(&format!("client-{algorithm}"), algorithm);
        let talk = |root: &str, host: &'static str| {
            let acceptor = their_server(&folder);
            let (address, serving) = serve(move |stream| greet(acceptor.accept(stream).ok()?));
            let stream = TcpStream::connect(address).expect("connects");
            let heard = our_client(stream, der(&folder, root), host);
            let _ = serving.join();
            heard
        };
        assert_eq!(talk("root.pem", HOST), Some(*b"good day"), "{algorithm}");
        assert_eq!(talk("root.pem", "other.example"), None);
        assert_eq!(talk("other.pem", HOST), None);
    }
}
