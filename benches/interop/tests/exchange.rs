//! The exchange of keys and signatures with each counterpart in both directions, for each set.

use moissanite::keys::PrivateKeyForm;
use moissanite::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePublicKey, LineEnding, SecretDocument,
};
use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, VerifyingKey, prelude::*,
};
use moissanite_interop::{AwsLc, OpenSsl, Peer, Set};

const FORMS: [PrivateKeyForm; 3] = [
    PrivateKeyForm::Seed,
    PrivateKeyForm::Expanded,
    PrivateKeyForm::Both,
];
const MESSAGES: [&[u8]; 3] = [b"", b"message", &[0xa5; 5000]];

/// Runs a check with each set.
macro_rules! each_set {
    ($name:ident, $peer:ty, $check:ident) => {
        #[test]
        fn $name() {
            $check::<MlDsa44, $peer>(Set::MlDsa44);
            $check::<MlDsa65, $peer>(Set::MlDsa65);
            $check::<MlDsa87, $peer>(Set::MlDsa87);
        }
    };
}
each_set!(our_keys_in_openssl, OpenSsl, our_keys_there);
each_set!(our_keys_in_aws_lc, AwsLc, our_keys_there);
each_set!(keys_of_openssl_here, OpenSsl, their_keys_here);
each_set!(keys_of_aws_lc_here, AwsLc, their_keys_here);
each_set!(openssl_refuses, OpenSsl, they_refuse);
each_set!(aws_lc_refuses, AwsLc, they_refuse);

#[test]
fn openssl_is_version_4() {
    assert!(
        OpenSsl::version().starts_with("OpenSSL 4."),
        "{}",
        OpenSsl::version()
    );
}

fn seed(set: Set) -> [u8; 32] {
    [set as u8 + 1; 32]
}

fn private_pem<P: Fips204>(key: &SigningKey<P>, form: PrivateKeyForm) -> String {
    let document = key
        .to_pkcs8(form)
        .expect("a key with a seed has every form");
    document
        .to_pem("PRIVATE KEY", LineEnding::LF)
        .expect("PEM")
        .to_string()
}

fn public_pem<P: Fips204>(key: &SigningKey<P>) -> String {
    key.verifying_key()
        .to_public_key_pem(LineEnding::LF)
        .expect("PEM")
}

/// The contexts that a counterpart supports.
fn contexts<T: Peer>() -> &'static [&'static [u8]] {
    if T::CONTEXTS {
        &[b"", b"context", &[7; 255]]
    } else {
        &[b""]
    }
}

/// Signatures of `there` verify here, and those of `here` there.
fn exchange<P: Fips204, T: Peer>(set: Set, here: &SigningKey<P>, there: &T::PrivateKey) {
    let public = public_pem(here);
    assert_eq!(
        public,
        T::write_public(there).expect("a public key"),
        "{}",
        T::NAME
    );
    for context in contexts::<T>() {
        for message in MESSAGES {
            let signature = T::sign(there, context, message).expect("signs");
            let signature = Signature::<P>::from_bytes(&signature).expect("the right length");
            let view = here
                .verifying_key()
                .with_context(context)
                .expect("a context");
            view.verify(message, &signature)
                .expect("theirs verifies here");

            let view = here.with_context(context).expect("a context");
            let signature = view.try_sign(message).expect("signs").to_bytes();
            T::verify(set, &public, context, message, signature.as_ref())
                .expect("ours verifies there");
        }
    }
}

/// PEM files of this project, in all three forms.
fn our_keys_there<P: Fips204, T: Peer>(set: Set) {
    let here = SigningKey::<P>::from_seed(&seed(set).into());
    for form in FORMS {
        let there = T::read_private(set, &private_pem(&here, form))
            .unwrap_or_else(|refusal| panic!("{} and form {form}: {refusal}", T::NAME));
        exchange::<P, T>(set, &here, &there);
    }
}

/// PEM files of the counterpart: of its own key, and of a key of this project that it has read.
fn their_keys_here<P: Fips204, T: Peer>(set: Set) {
    let there = T::generate(set).expect("a key");
    let pem = T::write_private(&there).expect("PEM");
    let here = SigningKey::<P>::from_pkcs8_pem(&pem).expect("theirs loads here");
    exchange::<P, T>(set, &here, &there);
    let public = T::write_public(&there).expect("PEM");
    let public = VerifyingKey::<P>::from_public_key_pem(&public).expect("theirs loads here");
    assert_eq!(&public, here.verifying_key());

    let ours = SigningKey::<P>::from_seed(&seed(set).into());
    for form in FORMS {
        let there = T::read_private(set, &private_pem(&ours, form)).expect("ours loads there");
        let Ok(pem) = T::write_private(&there) else {
            let written = (T::NAME, form);
            assert_eq!(
                written,
                ("AWS-LC", PrivateKeyForm::Expanded),
                "what has no seed"
            );
            continue;
        };
        let back = SigningKey::<P>::from_pkcs8_pem(&pem).expect("theirs loads here");
        assert_eq!(
            back.to_expanded_bytes().as_ref(),
            ours.to_expanded_bytes().as_ref()
        );
        assert_eq!(back.as_seed().is_none(), form == PrivateKeyForm::Expanded);
    }
}

/// Both sides refuse the same invalid signatures.
fn they_refuse<P: Fips204, T: Peer>(set: Set) {
    let here = SigningKey::<P>::from_seed(&seed(set).into());
    let there = T::read_private(set, &private_pem(&here, PrivateKeyForm::Seed)).expect("loads");
    let public = public_pem(&here);
    let theirs = T::sign(&there, b"", b"message").expect("signs");
    let verify = |public: &SigningKey<P>, message: &[u8], signature: &[u8]| {
        let verdict = T::verify(set, &public_pem(public), b"", message, signature).is_ok();
        let signature = Signature::<P>::from_bytes(signature);
        let ours = signature.is_ok_and(|s| public.verifying_key().verify(message, &s).is_ok());
        assert_eq!(verdict, ours, "{} and we do not agree", T::NAME);
        verdict
    };
    assert!(verify(&here, b"message", &theirs));
    assert!(!verify(&here, b"another", &theirs));
    assert!(!verify(
        &SigningKey::from_seed(&[9; 32].into()),
        b"message",
        &theirs
    ));
    assert!(!verify(&here, b"message", &theirs[1..]));
    assert!(!verify(
        &here,
        b"message",
        &[theirs.as_slice(), &[0]].concat()
    ));
    // A bit of c̃, of z, and of the hint's last counter.
    let last = theirs.len() - 1;
    for at in [0, 100, last] {
        let mut flipped = theirs.clone();
        flipped[at] ^= 1;
        assert!(!verify(&here, b"message", &flipped), "byte {at}");
    }
    if T::CONTEXTS {
        T::verify(set, &public, b"other", b"message", &theirs).expect_err("another context");
        T::sign(&there, &[0; 256], b"message").expect_err("too long a context");
    }
    their_import::<P, T>(set, &here);
}

/// Private keys that are malformed, or only seem to be.
fn their_import<P: Fips204, T: Peer>(set: Set, here: &SigningKey<P>) {
    let both = here.to_pkcs8(PrivateKeyForm::Both).expect("both");
    let seed_at = both.as_bytes().len() - P::PRIVATE_KEY_LEN - EXPANDED_HEADER - 32;
    assert_eq!(both.as_bytes()[seed_at..][..32], seed(set));
    assert!(
        !imports::<P, T>(set, &both, seed_at, 1),
        "the seed of another key"
    );

    // ρ ‖ K ‖ tr ‖ s₁ ‖ s₂ ‖ t₀.
    let expanded = here.to_pkcs8(PrivateKeyForm::Expanded).expect("expanded");
    let key_at = expanded.as_bytes().len() - P::PRIVATE_KEY_LEN;
    assert!(!imports::<P, T>(set, &expanded, key_at, 1), "another ρ");
    assert!(
        imports::<P, T>(set, &expanded, key_at + 32, 1),
        "nothing depends on K"
    );
    assert!(
        !imports::<P, T>(set, &expanded, key_at + 64, 1),
        "another tr"
    );
    // All ones stand for η − 7 or η − 15.
    let mut out_of_range = expanded.as_bytes().to_vec();
    out_of_range[key_at + 128..][..3].fill(0xff);
    assert!(!agree::<P, T>(set, &out_of_range), "s₁ out of range");
    assert!(
        !imports::<P, T>(set, &expanded, expanded.as_bytes().len() - 1, 0x80),
        "another t₀"
    );
}

/// Tag and length of the expanded key in the form that has both.
const EXPANDED_HEADER: usize = 4;

/// Returns whether both sides read a document with changed bits at one place.
fn imports<P: Fips204, T: Peer>(
    set: Set,
    document: &SecretDocument,
    at: usize,
    difference: u8,
) -> bool {
    let mut der = document.as_bytes().to_vec();
    der[at] ^= difference;
    agree::<P, T>(set, &der)
}

/// Returns whether a document is read; both sides must agree.
fn agree<P: Fips204, T: Peer>(set: Set, der: &[u8]) -> bool {
    let document = SecretDocument::try_from(der).expect("DER");
    let pem = document.to_pem("PRIVATE KEY", LineEnding::LF).expect("PEM");
    let here = SigningKey::<P>::from_pkcs8_pem(&pem).is_ok();
    let there = T::read_private(set, &pem).is_ok();
    assert_eq!(here, there, "{} and we do not agree", T::NAME);
    here
}
