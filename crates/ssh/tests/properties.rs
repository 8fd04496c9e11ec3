use moissanite_ssh::{AllowedSigners, Date, PrivateKey, PublicKey, SshSignature};
use proptest::prelude::*;

use crate::{bytes_of, file, pem_of};

fn changed(bytes: &[u8], at: prop::sample::Index, by: u8) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = at.index(bytes.len());
    bytes[at] ^= by;
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text(text in "\\PC*") {
        let _ = PublicKey::from_openssh(&text);
        let _ = PrivateKey::from_openssh(&text);
        let _ = SshSignature::from_pem(&text);
        let _ = AllowedSigners::parse(&text);
        let _ = text.parse::<Date>();
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = PublicKey::from_blob(&bytes);
        let _ = PrivateKey::from_openssh(&pem_of("OPENSSH PRIVATE KEY", &bytes));
        let _ = SshSignature::from_pem(&pem_of("SSH SIGNATURE", &bytes));
    }

    /// Only the numbers by which OpenSSH recognises a passphrase and the comment may differ in a file that is
    /// accepted.
    #[test]
    fn changed_private_keys(at: prop::sample::Index, by in 1_u8..) {
        let text = pem_of("OPENSSH PRIVATE KEY", &changed(&bytes_of(file("/private")), at, by));
        if let Ok(key) = PrivateKey::from_openssh(&text) {
            let expected = PublicKey::from_openssh(file("/public")).unwrap();
            prop_assert_eq!(key.public_key(), &expected);
            prop_assert_ne!(key.public_key().comment(), expected.comment());
        }
    }

    #[test]
    fn changed_signatures(at: prop::sample::Index, by in 1_u8..) {
        let bytes = changed(&bytes_of(file("/signatures/sha512")), at, by);
        if let Ok(signature) = SshSignature::from_pem(&pem_of("SSH SIGNATURE", &bytes)) {
            let hash = moissanite_ssh::MessageHash::of(signature.hash(), b"message\n");
            let namespace = signature.namespace().to_owned();
            prop_assert!(signature.verify(&namespace, &hash).is_err());
        }
    }
}
