//! TLS 1.3 between rustls with the signatures of this project and OpenSSL, over loopback.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use moissanite_rustls::with_ml_dsa;
use openssl::pkey::PKey;
use openssl::ssl::{SslAcceptor, SslConnector, SslMethod, SslVersion};
use openssl::x509::X509;
use rustls::crypto::{CryptoProvider, SupportedKxGroup, aws_lc_rs};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::time_provider::TimeProvider;
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection};
use rustls::{CommonState, NamedGroup, StreamOwned, version::TLS13};

use crate::command::Folder;

const HOST: &str = "server.example";

/// Makes root.pem, server.pem and server.key, and an unrelated root and key.
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
    folder.ok(&format!("keygen {algorithm} --out wrong.key"));
    folder.ok(&format!(
        "cert request --key server.key --subject CN=Server --host {HOST} --out server.csr"
    ));
    folder.ok("cert issue server.csr --issuer root.pem --key root.key --out server.pem");
    folder
}

/// The provider has its own ML-DSA, which `moissanite-rustls` replaces.
fn provider() -> Arc<CryptoProvider> {
    with_ml_dsa(aws_lc_rs::default_provider()).into()
}

fn der(folder: &Folder, name: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(&folder.read(name)).expect("a certificate")
}

/// The parameters of a handshake.
#[derive(Clone, Copy)]
struct Talk {
    /// The file with the root that the client trusts.
    root: &'static str,
    /// The host name that the client requests.
    host: &'static str,
    /// The file with the server's key.
    key: &'static str,
    /// Whether the last byte of the server's certificate is changed.
    tampered: bool,
    /// The number of seconds from now to the time of the client. Certificates are valid for a year.
    wait: u64,
}

const GOOD: Talk = Talk {
    root: "root.pem",
    host: HOST,
    key: "server.key",
    tampered: false,
    wait: 0,
};

/// All cases except another server key, because OpenSSL refuses to use a key with the certificate
/// of another key.
const BAD: [(&str, Talk); 4] = [
    (
        "another host",
        Talk {
            host: "other.example",
            ..GOOD
        },
    ),
    (
        "another root",
        Talk {
            root: "other.pem",
            ..GOOD
        },
    ),
    (
        "tampered",
        Talk {
            tampered: true,
            ..GOOD
        },
    ),
    (
        "expired",
        Talk {
            wait: 366 * 86_400,
            ..GOOD
        },
    ),
];

impl Talk {
    fn certificate(&self, folder: &Folder) -> CertificateDer<'static> {
        let mut bytes = der(folder, "server.pem").to_vec();
        if let Some(last) = bytes.last_mut() {
            *last ^= u8::from(self.tampered);
        }
        bytes.into()
    }

    /// The time of the client, in seconds since 1970.
    fn time(&self) -> u64 {
        UnixTime::now().as_secs() + self.wait
    }
}

/// A clock that stands still.
#[derive(Debug)]
struct At(UnixTime);

impl TimeProvider for At {
    fn current_time(&self) -> Option<UnixTime> {
        Some(self.0)
    }
}

/// Runs a server for one connection, and returns its address.
fn serve<T: Send + 'static>(
    server: impl FnOnce(TcpStream) -> Option<T> + Send + 'static,
) -> (std::net::SocketAddr, thread::JoinHandle<Option<T>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let serving = thread::spawn(move || server(listener.accept().expect("a client").0));
    (address, serving)
}

/// This accepts any key, because rustls refuses a key that does not match the certificate.
fn our_server(folder: &Folder, talk: Talk) -> Arc<ServerConfig> {
    let key = PrivateKeyDer::from_pem_slice(&folder.read(talk.key)).expect("a key");
    let provider = provider();
    let key = provider.key_provider.load_private_key(key).expect("a key");
    let certified = CertifiedKey::new(vec![talk.certificate(folder)], key);
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])
        .expect("TLS 1.3")
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(certified)));
    config.into()
}

fn greet(mut stream: impl Write) -> Option<()> {
    stream.write_all(b"good day").ok()?;
    stream.flush().ok()
}

/// Returns the message that an OpenSSL client receives, or `None` if the connection fails.
fn their_client(stream: TcpStream, folder: &Folder, talk: Talk) -> Option<[u8; 8]> {
    let mut builder = SslConnector::builder(SslMethod::tls_client()).expect("a builder");
    builder
        .set_min_proto_version(Some(SslVersion::TLS1_3))
        .expect("TLS 1.3");
    let root = X509::from_pem(&folder.read(talk.root)).expect("a certificate");
    builder.cert_store_mut().add_cert(root).expect("added");
    let mut configuration = builder.build().configure().expect("a configuration");
    let time = talk.time().try_into().expect("a time");
    configuration.param_mut().set_time(time);
    let mut stream = configuration.connect(talk.host, stream).ok()?;
    let mut answer = [0; 8];
    stream.read_exact(&mut answer).ok()?;
    Some(answer)
}

fn our_client(stream: TcpStream, folder: &Folder, talk: Talk) -> Option<[u8; 8]> {
    our_client_and_group(stream, folder, talk).map(|(answer, _)| answer)
}

fn our_client_and_group(
    stream: TcpStream,
    folder: &Folder,
    talk: Talk,
) -> Option<([u8; 8], Option<NamedGroup>)> {
    our_client_with(provider(), stream, folder, talk)
}

/// Returns the message that a rustls client receives and the group of the key exchange, or `None` if
/// the connection fails.
fn our_client_with(
    provider: Arc<CryptoProvider>,
    stream: TcpStream,
    folder: &Folder,
    talk: Talk,
) -> Option<([u8; 8], Option<NamedGroup>)> {
    let mut roots = RootCertStore::empty();
    roots.add(der(folder, talk.root)).expect("a root");
    let time = UnixTime::since_unix_epoch(std::time::Duration::from_secs(talk.time()));
    let config = ClientConfig::builder_with_details(provider, Arc::new(At(time)))
        .with_protocol_versions(&[&TLS13])
        .expect("TLS 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let host = ServerName::try_from(talk.host).expect("a name");
    let connection = ClientConnection::new(Arc::new(config), host).expect("a connection");
    let mut answer = [0; 8];
    let mut stream = StreamOwned::new(connection, stream);
    stream.read_exact(&mut answer).ok()?;
    Some((answer, group(&stream.conn)))
}

fn group(connection: &CommonState) -> Option<NamedGroup> {
    let group = connection.negotiated_key_exchange_group();
    group.map(|group| group.name())
}

fn their_server(folder: &Folder, talk: Talk) -> Option<SslAcceptor> {
    let mut builder = SslAcceptor::mozilla_modern_v5(SslMethod::tls_server()).expect("a builder");
    let certificate = X509::from_der(&talk.certificate(folder)).expect("a certificate");
    let key = PKey::private_key_from_pem(&folder.read(talk.key)).expect("a key");
    builder.set_certificate(&certificate).expect("set");
    builder.set_private_key(&key).ok()?;
    builder.check_private_key().ok()?;
    Some(builder.build())
}

const WRONG_KEY: Talk = Talk {
    key: "wrong.key",
    ..GOOD
};

#[test]
fn our_server_and_an_openssl_client() {
    for algorithm in ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87"] {
        let folder = files(&format!("server-{algorithm}"), algorithm);
        let hears = |talk: Talk| {
            let config = our_server(&folder, talk);
            let (address, serving) = serve(move |stream| {
                let connection = ServerConnection::new(config).ok()?;
                greet(StreamOwned::new(connection, stream))
            });
            let stream = TcpStream::connect(address).expect("connects");
            let heard = their_client(stream, &folder, talk);
            let _ = serving.join();
            heard
        };
        assert_eq!(hears(GOOD), Some(*b"good day"), "{algorithm}");
        for (what, talk) in BAD {
            assert_eq!(hears(talk), None, "{algorithm}, {what}");
        }
        assert_eq!(hears(WRONG_KEY), None, "{algorithm}");
    }
}

#[test]
fn an_openssl_server_and_our_client() {
    for algorithm in ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87"] {
        let folder = files(&format!("client-{algorithm}"), algorithm);
        let hears = |talk: Talk| {
            let acceptor = their_server(&folder, talk).expect("they belong together");
            let (address, serving) = serve(move |stream| greet(acceptor.accept(stream).ok()?));
            let stream = TcpStream::connect(address).expect("connects");
            let heard = our_client(stream, &folder, talk);
            let _ = serving.join();
            heard
        };
        assert_eq!(hears(GOOD), Some(*b"good day"), "{algorithm}");
        for (what, talk) in BAD {
            assert_eq!(hears(talk), None, "{algorithm}, {what}");
        }
        assert!(their_server(&folder, WRONG_KEY).is_none(), "{algorithm}");
    }
}

const HYBRID: Option<NamedGroup> = Some(NamedGroup::X25519MLKEM768);

/// Serves one client with rustls, and returns the group of the key exchange.
fn greet_and_tell(stream: TcpStream, config: Arc<ServerConfig>) -> Option<Option<NamedGroup>> {
    let connection = ServerConnection::new(config).ok()?;
    let mut stream = StreamOwned::new(connection, stream);
    greet(&mut stream)?;
    Some(group(&stream.conn))
}

/// The key exchange is X25519MLKEM768, because both ends support it.
#[test]
fn keys_are_exchanged_by_a_hybrid_group() {
    let folder = files("groups", "ml-dsa-65");
    let config = our_server(&folder, GOOD);
    let (address, serving) = serve(move |stream| greet_and_tell(stream, config));
    let stream = TcpStream::connect(address).expect("connects");
    let heard = our_client_and_group(stream, &folder, GOOD);
    assert_eq!(heard, Some((*b"good day", HYBRID)));
    assert_eq!(serving.join().expect("no panic"), Some(HYBRID));

    let config = our_server(&folder, GOOD);
    let (address, serving) = serve(move |stream| greet_and_tell(stream, config));
    let stream = TcpStream::connect(address).expect("connects");
    assert_eq!(their_client(stream, &folder, GOOD), Some(*b"good day"));
    assert_eq!(
        serving.join().expect("no panic"),
        Some(HYBRID),
        "OpenSSL's client"
    );

    let acceptor = their_server(&folder, GOOD).expect("they belong together");
    let (address, serving) = serve(move |stream| greet(acceptor.accept(stream).ok()?));
    let stream = TcpStream::connect(address).expect("connects");
    let heard = our_client_and_group(stream, &folder, GOOD);
    assert_eq!(heard, Some((*b"good day", HYBRID)), "OpenSSL's server");
    serving.join().expect("no panic");
}

/// A server with only the hybrid group rejects a client with only classical groups.
#[test]
fn classical_clients_of_a_hybrid_server() {
    let folder = files("classical", "ml-dsa-65");
    let served = |groups: &[&'static dyn SupportedKxGroup]| {
        let classical = CryptoProvider {
            kx_groups: vec![aws_lc_rs::kx_group::X25519],
            ..with_ml_dsa(aws_lc_rs::default_provider())
        };
        let key = PrivateKeyDer::from_pem_slice(&folder.read("server.key")).expect("a key");
        let server = CryptoProvider {
            kx_groups: groups.to_vec(),
            ..with_ml_dsa(aws_lc_rs::default_provider())
        };
        let server = ServerConfig::builder_with_provider(server.into())
            .with_protocol_versions(&[&TLS13])
            .expect("TLS 1.3")
            .with_no_client_auth()
            .with_single_cert(vec![der(&folder, "server.pem")], key)
            .expect("they belong together");
        let (address, serving) = serve(move |stream| greet_and_tell(stream, server.into()));
        let stream = TcpStream::connect(address).expect("connects");
        let heard = our_client_with(classical.into(), stream, &folder, GOOD);
        (serving.join().expect("no panic"), heard.is_some())
    };
    let [hybrid, classical] = [
        aws_lc_rs::kx_group::X25519MLKEM768,
        aws_lc_rs::kx_group::X25519,
    ];
    let group = Some(NamedGroup::X25519);
    assert_eq!(served(&[hybrid, classical]), (Some(group), true));
    assert_eq!(served(&[hybrid]), (None, false));
}
