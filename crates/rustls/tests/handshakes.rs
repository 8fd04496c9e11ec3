//! Servers and clients with each set, and the connections that each refuses.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use moissanite::pkcs8::EncodePrivateKey;
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey};
use moissanite_rustls::{signing_key, with_ml_dsa};
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::server::{ClientHello, ResolvesServerCert, WebPkiClientVerifier};
use rustls::sign::CertifiedKey;
use rustls::{
    AlertDescription, CertificateError, ClientConfig, Error, PeerIncompatible, RootCertStore,
    ServerConfig, SignatureScheme, SupportedProtocolVersion, version,
};

use crate::pki::{Authority, made_for};
use crate::{client, server};

const HOST: &str = "server.example";

fn provider() -> Arc<CryptoProvider> {
    with_ml_dsa(ring::default_provider()).into()
}

fn document<P: Fips204>(key: &SigningKey<P>) -> PrivateKeyDer<'static> {
    let document = key.to_pkcs8_der().unwrap();
    PrivateKeyDer::Pkcs8(document.as_bytes().to_vec().into())
}

fn roots(root: Vec<u8>) -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add(root.into()).unwrap();
    roots
}

/// The results of a connection for the client and for the server.
fn connect(
    server: &Arc<ServerConfig>,
    client: &Arc<ClientConfig>,
    host: &'static str,
) -> [Result<(), Error>; 2] {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = Arc::clone(server);
    let server = thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        server::greet(stream, &server).map_err(tls)
    });
    let host = ServerName::try_from(host).unwrap();
    let answer = client::talk(TcpStream::connect(address).unwrap(), client, host).map_err(tls);
    if let Ok(answer) = &answer {
        assert_eq!(answer, b"good day, server\n");
    }
    [answer.map(drop), server.join().unwrap()]
}

/// The error of TLS inside the error of the stream.
fn tls(error: Box<dyn std::error::Error>) -> Error {
    let error = error.downcast::<std::io::Error>().unwrap();
    let inner = error.into_inner().and_then(|inner| inner.downcast().ok());
    inner.map_or(Error::General("the connection broke".into()), |inner| {
        *inner
    })
}

/// A server's configuration, built without checks, so that it can be wrong.
fn serve_with(key: &'static dyn Chain) -> Arc<ServerConfig> {
    let config = ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&version::TLS13])
        .unwrap();
    let config = config.with_no_client_auth();
    config.with_cert_resolver(Arc::new(Wrong(key))).into()
}

/// A certificate and a key that need not belong to each other.
trait Chain: Send + Sync {
    fn certified(&self) -> CertifiedKey;
}
impl<P: Fips204> Chain for (Vec<u8>, SigningKey<P>) {
    fn certified(&self) -> CertifiedKey {
        let document = self.1.to_pkcs8_der().unwrap();
        let document = PrivatePkcs8KeyDer::from(document.as_bytes());
        let key = signing_key(&document, ring::default_provider().secure_random);
        CertifiedKey::new(vec![self.0.clone().into()], key.unwrap().unwrap())
    }
}
struct Wrong(&'static dyn Chain);
impl std::fmt::Debug for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wrong")
    }
}
impl ResolvesServerCert for Wrong {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.certified().into())
    }
}

/// Runs a check with each set.
macro_rules! each_set {
    ($($check:ident as $name:ident;)*) => { $(
        mod $name {
            use super::*;
            #[test]
            fn ml_dsa_44() {
                $check::<MlDsa44>();
            }
            #[test]
            fn ml_dsa_65() {
                $check::<MlDsa65>();
            }
            #[test]
            fn ml_dsa_87() {
                $check::<MlDsa87>();
            }
        }
    )* };
}
each_set! {
    examples as the_examples_talk;
    both_ways as clients_have_certificates_too;
    refused as wrong_servers_are_refused;
}

fn examples<P: Fips204<Signature: From<Signature<P>>>>() {
    let (root, key) = (
        Authority::<P>::new(1),
        SigningKey::<P>::from_seed(&[2; 32].into()),
    );
    let certificate = root.issue(&key, HOST, -1).into();
    let server = server::configure(vec![certificate], document(&key)).unwrap();
    let client = client::configure(root.certificate().into()).unwrap();
    for _ in 0..2 {
        assert_eq!(connect(&server, &client, HOST), [Ok(()), Ok(())]);
    }
}

/// A server with one set, an authority with another, and a client with a certificate of its own.
fn both_ways<P: Fips204<Signature: From<Signature<P>>>>() {
    let root = Authority::<MlDsa87>::new(1);
    let server_key = SigningKey::<P>::from_seed(&[2; 32].into());
    let client_key = SigningKey::<P>::from_seed(&[3; 32].into());
    let roots = Arc::new(roots(root.certificate()));
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::clone(&roots), provider());
    let server = ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&version::TLS13])
        .unwrap()
        .with_client_cert_verifier(verifier.build().unwrap())
        .with_single_cert(
            vec![root.issue(&server_key, HOST, -1).into()],
            document(&server_key),
        );
    let server = Arc::new(server.unwrap());
    let client = || {
        let builder = ClientConfig::builder_with_provider(provider());
        let builder = builder.with_protocol_versions(&[&version::TLS13]).unwrap();
        builder.with_root_certificates(Arc::clone(&roots))
    };
    let certificate = root.issue(&client_key, "client", -1);
    let known = client().with_client_auth_cert(vec![certificate.into()], document(&client_key));
    assert_eq!(
        connect(&server, &known.unwrap().into(), HOST),
        [Ok(()), Ok(())]
    );

    let nobody = client().with_no_client_auth();
    let [there, here] = connect(&server, &nobody.into(), HOST);
    assert_eq!(here, Err(Error::NoCertificatesPresented));
    assert!(there.is_err());
    let stranger = Authority::<P>::new(9).issue(&client_key, "client", -1);
    let stranger = client().with_client_auth_cert(vec![stranger.into()], document(&client_key));
    let [there, here] = connect(&server, &stranger.unwrap().into(), HOST);
    assert!(
        matches!(here, Err(Error::InvalidCertificate(_))),
        "{here:?}"
    );
    assert!(there.is_err());
}

fn refused<P: Fips204<Signature: From<Signature<P>>>>() {
    let root = Authority::<P>::new(1);
    let key = || SigningKey::<P>::from_seed(&[2; 32].into());
    let client = client::configure(root.certificate().into()).unwrap();
    let says = |certificate: Vec<u8>, key: SigningKey<P>, host: &'static str| {
        let server = serve_with(Box::leak(Box::new((certificate, key))));
        let [client, server] = connect(&server, &client, host);
        assert_eq!(client.is_ok(), server.is_ok());
        client
    };
    let good = root.issue(&key(), HOST, -1);
    assert_eq!(says(good.clone(), key(), HOST), Ok(()));

    let wrong = |error: Result<(), Error>| match error {
        Err(Error::InvalidCertificate(error)) => error,
        other => panic!("{other:?}"),
    };
    let other_key = SigningKey::<P>::from_seed(&[3; 32].into());
    let error = wrong(says(good.clone(), other_key, HOST));
    assert_eq!(error, CertificateError::BadSignature, "another key");
    let error = wrong(says(good.clone(), key(), "other.example"));
    assert!(
        matches!(error, CertificateError::NotValidForNameContext { .. }),
        "{error:?}"
    );
    let error = wrong(says(root.issue(&key(), HOST, -3), key(), HOST));
    assert!(
        matches!(error, CertificateError::ExpiredContext { .. }),
        "{error:?}"
    );
    let error = wrong(says(root.issue(&key(), HOST, 1), key(), HOST));
    assert!(
        matches!(error, CertificateError::NotValidYetContext { .. }),
        "{error:?}"
    );
    let stranger = Authority::<P>::new(9).issue(&key(), HOST, -1);
    let error = wrong(says(stranger, key(), HOST));
    assert_eq!(
        error,
        CertificateError::BadSignature,
        "another root of the same name"
    );
    // Somewhere in the signature.
    let mut changed = good.clone();
    let last = changed.len() - 100;
    changed[last] ^= 1;
    let error = wrong(says(changed, key(), HOST));
    assert_eq!(error, CertificateError::BadSignature, "a changed signature");
    // In the public key, the last thing but the extensions and the signature.
    let mut changed = good.clone();
    let at = good.len() - P::SIGNATURE_LEN - 200;
    changed[at] ^= 1;
    let error = wrong(says(changed, key(), HOST));
    assert_eq!(
        error,
        CertificateError::BadSignature,
        "a changed public key"
    );
    // An end entity cannot issue certificates.
    let error = wrong(says(
        root.certificate(),
        SigningKey::from_seed(&[1; 32].into()),
        HOST,
    ));
    assert!(matches!(error, CertificateError::Other(_)), "{error:?}");
}

/// A peer without ML-DSA or without TLS 1.3 gets an alert.
#[test]
fn peers_of_old() {
    let (root, certificate, key) = made_for(HOST).unwrap();
    let server = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .unwrap();
    let server = server.with_no_client_auth();
    let server = server.with_single_cert(vec![certificate], key);
    let server = Arc::new(server.unwrap());
    let client = |provider: Arc<CryptoProvider>, version: &'static SupportedProtocolVersion| {
        let builder = ClientConfig::builder_with_provider(provider);
        let builder = builder.with_protocol_versions(&[version]).unwrap();
        let builder = builder.with_root_certificates(roots(root.to_vec()));
        let client = Arc::new(builder.with_no_client_auth());
        connect(&server, &client, HOST)
    };
    assert_eq!(client(provider(), &version::TLS13), [Ok(()), Ok(())]);
    let plain = Arc::new(ring::default_provider());
    let no_schemes = PeerIncompatible::NoSignatureSchemesInCommon;
    let failure = Err(Error::AlertReceived(AlertDescription::HandshakeFailure));
    assert_eq!(
        client(plain, &version::TLS13),
        [failure.clone(), Err(no_schemes.into())]
    );
    let [there, here] = client(provider(), &version::TLS12);
    assert_eq!(there, failure);
    assert!(matches!(here, Err(Error::PeerIncompatible(_))), "{here:?}");
}

/// Made for a certificate of ML-DSA and verified by the standard's own rules.
#[test]
fn what_a_verifier_offers() {
    let (root, ..) = made_for(HOST).unwrap();
    let roots = Arc::new(roots(root.to_vec()));
    let verifier = rustls::client::WebPkiServerVerifier::builder_with_provider(roots, provider());
    let schemes = verifier.build().unwrap().supported_verify_schemes();
    assert!(schemes.starts_with(&[
        SignatureScheme::ML_DSA_44,
        SignatureScheme::ML_DSA_65,
        SignatureScheme::ML_DSA_87,
    ]));
    assert!(schemes.contains(&SignatureScheme::ED25519));
    let values = schemes[..3].iter().map(|scheme| u16::from(*scheme));
    assert!(values.eq([0x0904, 0x0905, 0x0906]));
}
