//! The permutation of Keccak, and the hash functions.

use std::hint::black_box;

use moissanite_benches::numbered;
use moissanite_keccak::{
    Keccak, SHAKE128_RATE, SHAKE256_RATE, Scalar, Shake128, Shake256, Shakes, State,
};

use crate::bench::Bench;

impl Bench {
    /// One message of any length.
    pub(crate) fn shake(&mut self) {
        let state = (vec![1; 1 << 10], [0; 64]);
        self.time(
            Scalar::NAME,
            "shake256, 1 KiB to 64 bytes",
            state,
            |(message, out)| {
                let mut shake = Shake256::new();
                shake.absorb(message);
                shake.squeeze().read(out);
            },
            |s| s.1,
        );
        let state = (vec![1; 34], vec![0; 1 << 10]);
        self.time(
            Scalar::NAME,
            "shake128, 34 bytes to 1 KiB",
            state,
            |(message, out)| {
                let mut shake = Shake128::new();
                shake.absorb(message);
                shake.squeeze().read(out);
            },
            |s| s.1.clone(),
        );
    }

    /// The permutation alone, whose state is not accessible, and a block of every lane by either SHAKE.
    pub(crate) fn permutation<K: Keccak>(&mut self, keccak: K) {
        let backend = format!("{} x{}", K::NAME, K::WIDTH);
        let mut state = State::<K::Lane>::default();
        self.measure(&backend, "keccak-f[1600]", &mut state, |state| {
            keccak.permute(state);
        });
        self.blocks::<K, SHAKE128_RATE>(&backend, keccak, "shake128");
        self.blocks::<K, SHAKE256_RATE>(&backend, keccak, "shake256");
    }

    fn blocks<K: Keccak, const RATE: usize>(&mut self, backend: &str, keccak: K, name: &str) {
        let message = numbered(b'x', 0);
        self.time(
            backend,
            format!("{name}, 32 bytes to a block of each lane"),
            K::blocks::<RATE>(),
            |blocks| {
                let messages = [black_box(message.as_slice()); 8];
                Shakes::<K, RATE>::absorb(keccak, &messages[..K::WIDTH]).squeeze(blocks);
            },
            // The benchmark uses one lane, because not all backends have more.
            |blocks| blocks.as_ref().last().copied(),
        );
    }
}
