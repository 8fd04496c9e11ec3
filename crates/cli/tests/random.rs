//! With any content of the files, the command ends with a message and an exit status.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Folder;
use proptest::collection::vec;
use proptest::prelude::*;

/// The content of a file: random bytes, or a damaged good file.
#[derive(Clone, Debug)]
enum Damage {
    Random(Vec<u8>),
    Cut(prop::sample::Index),
    Flip(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
    Remove(prop::sample::Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        prop_oneof![
            vec(any::<u8>(), 0..200),
            prop::sample::select(vec![
                32_usize, 1312, 1952, 2420, 2560, 2592, 3309, 4032, 4627, 4896
            ])
            .prop_flat_map(|length| vec(any::<u8>(), length)),
        ]
        .prop_map(Damage::Random),
        index().prop_map(Damage::Cut),
        (index(), 0..8_u8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        (index(), vec(any::<u8>(), 1..40)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (index(), 1..40_usize).prop_map(|(at, count)| Damage::Remove(at, count)),
    ]
}

fn damaged(good: &[u8], damage: &Damage) -> Vec<u8> {
    let mut bytes = good.to_vec();
    match damage {
        Damage::Random(random) => return random.clone(),
        Damage::Cut(at) => bytes.truncate(at.index(good.len())),
        Damage::Flip(at, bit) => bytes[at.index(good.len())] ^= 1 << bit,
        Damage::Insert(at, new) => {
            let at = at.index(good.len());
            bytes.splice(at..at, new.iter().copied());
        }
        Damage::Remove(at, count) => {
            let at = at.index(good.len());
            bytes.drain(at..(at + count).min(good.len()));
        }
    }
    bytes
}

/// One of the examples of RFC 9881, if they are there.
fn certificate() -> Option<Vec<u8>> {
    moissanite_kats::file("rfc9881-examples/ML-DSA-44.crt")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_are_refused(damage in damage()) {
        let folder = Folder::signed();
        folder.ok("convert key.pem --form both --format der --out key.der");
        folder.ok("convert key.pem --format raw --out key.raw");
        folder.ok("convert public.pem --format der --out public.der");
        let mut all = vec!["key.pem", "key.der", "key.raw", "public.pem", "public.der", "file.sig"];
        if let Some(certificate) = certificate() {
            folder.write("cert.pem", certificate);
            all.push("cert.pem");
        }
        for good in all {
            let bytes = damaged(&folder.read(good), &damage);
            folder.write("bad", &bytes);
            // Each run checks that there is no panic, one line of error, and a known status.
            folder.run("inspect bad");
            folder.run("convert bad");
            folder.run("convert bad --public --algorithm ml-dsa-44 --format raw");
            folder.run("sign --key bad --in file");
            folder.run("verify --key bad --signature file.sig --in file");
            folder.run("acvp bad");
            if bytes != folder.read("file.sig") {
                let ended = folder.run("verify --key public.pem --signature bad --in file");
                prop_assert_eq!(ended.status, 1);
            }
        }
    }

    #[test]
    fn arguments_at_random(args in vec("(--?[a-z]{0,9}|[a-z0-9=-]{0,9}|\\PC{0,5})", 0..5)) {
        let folder = Folder::new();
        let args: Vec<String> = args.into_iter().filter(|arg| !arg.contains('/')).collect();
        // No output goes anywhere else than into the folder.
        folder.run_args(&args, b"");
    }
}
