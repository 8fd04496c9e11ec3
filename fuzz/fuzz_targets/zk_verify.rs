//! Verification with zkDilithium. The input is the public key, the signature, and the message.
//! Encoded and prepared keys give the same verdict on each backend, and no second encoding of a
//! signature is valid.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite_fuzz::Input;
use moissanite_zk_dilithium::backend::{
    Backend, Lanes, Portable, WithBackend, available, dispatch_to,
};
use moissanite_zk_dilithium::{Signature, VerifyingKey, prelude::*};

struct Verdict<'a>(&'a VerifyingKey, &'a Signature, &'a [u8]);

impl WithBackend for &Verdict<'_> {
    type Output = bool;
    fn call<B: Backend>(self, backend: B) -> bool {
        let Verdict(key, signature, message) = self;
        let verdict = key.on(backend).verify(message, signature).is_ok();
        let prepared = key.prepare();
        assert_eq!(
            prepared.on(backend).verify(message, signature).is_ok(),
            verdict
        );
        verdict
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let (key, signature): ([u8; 3104], [u8; 2340]) = (input.array(), input.array());
    let Ok(key) = VerifyingKey::from_bytes(&key) else {
        return;
    };
    let signature = Signature::from_bytes(&signature).expect("a length");
    let case = Verdict(&key, &signature, input.rest());
    let verdict = (&case).call(Portable);
    assert_eq!((&case).call(Lanes::<16>), verdict);
    for name in available() {
        assert_eq!(dispatch_to(name, &case), Some(verdict), "{name}");
    }
});
