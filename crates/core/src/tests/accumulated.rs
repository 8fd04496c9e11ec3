//! The accumulated vectors of C2SP's CCTV. SHAKE128 of the empty message gives seeds. Each seed
//! gives a key and a deterministic signature of the empty message. A second SHAKE128 of all keys
//! and signatures must return the expected bytes. This tests thousands of rejections with a few
//! bytes of data.

use super::backends;
use crate::backend::Backend;
use crate::hash::{MuBuilder, Shake128, public_key_hash};
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use crate::prepared::{EncodedRows, RowScratch, SigningState, VerifyingState};
use crate::secret::Zeroed;
use crate::verify::MessageRepresentative;
use crate::{keygen, sign, verify};

on_every_backend_and_set! { accumulated }

fn accumulated<P: Fips204, B: Backend>(backend: B) {
    let expected = match P::NAME {
        MlDsa44::NAME => "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4",
        MlDsa65::NAME => "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199",
        _ => "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b",
    };
    let mut seeds = Shake128::new().squeeze();
    let mut all = Shake128::new();
    let mut prepared = SigningState::<P>::ZERO;
    let mut verifying = VerifyingState::<P>::ZERO;
    for _ in 0..100 {
        let mut xi = [0; 32];
        seeds.read(&mut xi);
        let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
        let mut scratch = keygen::Scratch::<P, B>::ZERO;
        keygen::keygen_internal::<P, B>(backend, &xi, &mut pk, &mut sk, &mut scratch);
        let mut same_pk = P::PublicKey::ZERO;
        keygen::check_private_key::<P, B>(backend, &sk, &mut same_pk, &mut scratch).unwrap();
        assert!(same_pk == pk);

        prepared.set(backend, &sk).unwrap();
        assert_eq!(*prepared.tr(), public_key_hash(pk.as_ref()));
        let mut mu: MuBuilder = MuBuilder::new(prepared.tr());
        mu.pure(b"");
        let mu = mu.finish();
        let mut sigma = P::Signature::ZERO;
        let mut scratch = sign::Scratch::ZERO;
        let attempts = sign::MAX_ATTEMPTS;
        sign::sign_mu(
            backend,
            &prepared,
            &mu,
            sign::Rnd::Deterministic,
            attempts,
            &mut scratch,
            &mut sigma,
        )
        .unwrap();

        let (mut scratch, mut rows) = (verify::Scratch::ZERO, RowScratch::ZERO);
        let rows = EncodedRows::<P, B>::new(backend, &pk, &mut rows);
        assert!(verify::verify(
            backend,
            rows,
            MessageRepresentative::Mu(&mu),
            &sigma,
            &mut scratch
        ));
        verifying.set(backend, &pk);
        assert!(verify::verify(
            backend,
            verifying.rows(),
            MessageRepresentative::Mu(&mu),
            &sigma,
            &mut scratch
        ));
        all.absorb(pk.as_ref());
        all.absorb(sigma.as_ref());
    }
    let mut digest = [0; 32];
    all.squeeze().read(&mut digest);
    assert_eq!(hex::encode(digest), expected, "{} on {}", P::NAME, B::NAME);
}
