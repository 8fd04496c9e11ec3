//! The names of algorithms, curves and hash functions that this command does not use, by their identifiers.

use der::oid::ObjectIdentifier;

/// The name of this identifier.
pub(crate) fn of(oid: ObjectIdentifier) -> Option<&'static str> {
    let text = oid.to_string();
    let found = NAMES.iter().find(|(oid, _)| *oid == text);
    found.map(|(_, name)| *name)
}

/// The name and the identifier, or the identifier alone.
pub(crate) fn with_oid(oid: ObjectIdentifier) -> String {
    match of(oid) {
        Some(name) => format!("{name} ({oid})"),
        None => oid.to_string(),
    }
}

/// Every identifier with its name.
const NAMES: &[(&str, &str)] = &[
    // RFC 8017 and RFC 4055.
    ("1.2.840.113549.1.1.1", "RSA"),
    ("1.2.840.113549.1.1.5", "RSA with SHA-1"),
    ("1.2.840.113549.1.1.10", "RSA-PSS"),
    ("1.2.840.113549.1.1.11", "RSA with SHA-256"),
    ("1.2.840.113549.1.1.12", "RSA with SHA-384"),
    ("1.2.840.113549.1.1.13", "RSA with SHA-512"),
    // RFC 3279 and RFC 3370.
    ("1.2.840.113549.1.3.1", "Diffie-Hellman (PKCS #3)"),
    ("1.2.840.10040.4.1", "DSA"),
    ("1.2.840.10046.2.1", "Diffie-Hellman (X9.42)"),
    // RFC 5480 and RFC 5758.
    ("1.2.840.10045.2.1", "EC"),
    ("1.2.840.10045.4.1", "ECDSA with SHA-1"),
    ("1.2.840.10045.4.3.2", "ECDSA with SHA-256"),
    ("1.2.840.10045.4.3.3", "ECDSA with SHA-384"),
    ("1.2.840.10045.4.3.4", "ECDSA with SHA-512"),
    ("1.2.840.10045.3.1.7", "P-256"),
    ("1.3.132.0.10", "secp256k1"),
    ("1.3.132.0.33", "P-224"),
    ("1.3.132.0.34", "P-384"),
    ("1.3.132.0.35", "P-521"),
    // RFC 5639.
    ("1.3.36.3.3.2.8.1.1.7", "brainpoolP256r1"),
    ("1.3.36.3.3.2.8.1.1.11", "brainpoolP384r1"),
    ("1.3.36.3.3.2.8.1.1.13", "brainpoolP512r1"),
    ("1.2.156.10197.1.301", "SM2"),
    // RFC 8410.
    ("1.3.101.110", "X25519"),
    ("1.3.101.111", "X448"),
    ("1.3.101.113", "Ed448"),
    // RFC 9935.
    ("2.16.840.1.101.3.4.4.1", "ML-KEM-512"),
    ("2.16.840.1.101.3.4.4.2", "ML-KEM-768"),
    ("2.16.840.1.101.3.4.4.3", "ML-KEM-1024"),
    // RFC 9909.
    ("2.16.840.1.101.3.4.3.20", "SLH-DSA-SHA2-128s"),
    ("2.16.840.1.101.3.4.3.21", "SLH-DSA-SHA2-128f"),
    ("2.16.840.1.101.3.4.3.22", "SLH-DSA-SHA2-192s"),
    ("2.16.840.1.101.3.4.3.23", "SLH-DSA-SHA2-192f"),
    ("2.16.840.1.101.3.4.3.24", "SLH-DSA-SHA2-256s"),
    ("2.16.840.1.101.3.4.3.25", "SLH-DSA-SHA2-256f"),
    ("2.16.840.1.101.3.4.3.26", "SLH-DSA-SHAKE-128s"),
    ("2.16.840.1.101.3.4.3.27", "SLH-DSA-SHAKE-128f"),
    ("2.16.840.1.101.3.4.3.28", "SLH-DSA-SHAKE-192s"),
    ("2.16.840.1.101.3.4.3.29", "SLH-DSA-SHAKE-192f"),
    ("2.16.840.1.101.3.4.3.30", "SLH-DSA-SHAKE-256s"),
    ("2.16.840.1.101.3.4.3.31", "SLH-DSA-SHAKE-256f"),
    // NIST's registry: the pre-hashed schemes.
    ("2.16.840.1.101.3.4.3.32", "HashML-DSA-44 with SHA-512"),
    ("2.16.840.1.101.3.4.3.33", "HashML-DSA-65 with SHA-512"),
    ("2.16.840.1.101.3.4.3.34", "HashML-DSA-87 with SHA-512"),
    // RFC 9708 and RFC 9802.
    ("1.2.840.113549.1.9.16.3.17", "HSS/LMS"),
    ("1.3.6.1.5.5.7.6.34", "XMSS"),
    ("1.3.6.1.5.5.7.6.35", "XMSS^MT"),
    // ALGORITHMS.md of oqs-provider. FN-DSA, the standard that follows Falcon, has no identifier yet.
    ("1.3.9999.3.6", "Falcon-512 (the predecessor of FN-DSA-512)"),
    (
        "1.3.9999.3.9",
        "Falcon-1024 (the predecessor of FN-DSA-1024)",
    ),
    (
        "1.3.9999.6.4.13",
        "SPHINCS+-SHA2-128f (the predecessor of SLH-DSA)",
    ),
    (
        "1.3.9999.6.4.16",
        "SPHINCS+-SHA2-128s (the predecessor of SLH-DSA)",
    ),
    (
        "1.3.9999.6.5.10",
        "SPHINCS+-SHA2-192f (the predecessor of SLH-DSA)",
    ),
    (
        "1.3.9999.6.7.13",
        "SPHINCS+-SHAKE-128f (the predecessor of SLH-DSA)",
    ),
    (
        "1.3.6.1.4.1.22554.5.6.1",
        "Kyber512 (the predecessor of ML-KEM-512)",
    ),
    (
        "1.3.6.1.4.1.22554.5.6.2",
        "Kyber768 (the predecessor of ML-KEM-768)",
    ),
    (
        "1.3.6.1.4.1.22554.5.6.3",
        "Kyber1024 (the predecessor of ML-KEM-1024)",
    ),
    // IBM's page "OID file for post-quantum algorithms".
    ("1.3.6.1.4.1.2.267.1.6.5", "Dilithium of round 2 (6, 5)"),
    ("1.3.6.1.4.1.2.267.1.8.7", "Dilithium of round 2 (8, 7)"),
    ("1.3.6.1.4.1.2.267.7.4.4", "Dilithium2 of round 3"),
    ("1.3.6.1.4.1.2.267.7.6.5", "Dilithium3 of round 3"),
    ("1.3.6.1.4.1.2.267.7.8.7", "Dilithium5 of round 3"),
    (
        "1.3.6.1.4.1.2.267.12.4.4",
        "ML-DSA-44 of the draft of FIPS 204",
    ),
    (
        "1.3.6.1.4.1.2.267.12.6.5",
        "ML-DSA-65 of the draft of FIPS 204",
    ),
    (
        "1.3.6.1.4.1.2.267.12.8.7",
        "ML-DSA-87 of the draft of FIPS 204",
    ),
    // RFC 5652, RFC 2985, RFC 5035 and RFC 6211.
    ("1.2.840.113549.1.7.1", "data"),
    ("1.2.840.113549.1.7.2", "signed data"),
    ("1.2.840.113549.1.7.3", "enveloped data"),
    ("1.2.840.113549.1.7.5", "digested data"),
    ("1.2.840.113549.1.7.6", "encrypted data"),
    ("1.2.840.113549.1.9.3", "content type"),
    ("1.2.840.113549.1.9.4", "message digest"),
    ("1.2.840.113549.1.9.5", "signing time"),
    ("1.2.840.113549.1.9.15", "S/MIME capabilities"),
    ("1.2.840.113549.1.9.16.1.2", "authenticated data"),
    ("1.2.840.113549.1.9.16.1.23", "authenticated enveloped data"),
    ("1.2.840.113549.1.9.16.2.12", "signing certificate"),
    ("1.2.840.113549.1.9.16.2.14", "time stamp"),
    ("1.2.840.113549.1.9.16.2.47", "signing certificate V2"),
    ("1.2.840.113549.1.9.52", "algorithm protection"),
    // RFC 5754 and RFC 8702.
    ("1.3.14.3.2.26", "SHA-1"),
    ("2.16.840.1.101.3.4.2.1", "SHA-256"),
    ("2.16.840.1.101.3.4.2.2", "SHA-384"),
    ("2.16.840.1.101.3.4.2.3", "SHA-512"),
    ("2.16.840.1.101.3.4.2.4", "SHA-224"),
    ("2.16.840.1.101.3.4.2.6", "SHA-512/256"),
    ("2.16.840.1.101.3.4.2.8", "SHA3-256"),
    ("2.16.840.1.101.3.4.2.9", "SHA3-384"),
    ("2.16.840.1.101.3.4.2.10", "SHA3-512"),
    ("2.16.840.1.101.3.4.2.11", "SHAKE128"),
    ("2.16.840.1.101.3.4.2.12", "SHAKE256"),
];

#[cfg(test)]
mod tests {
    use super::NAMES;

    /// A repeated identifier would hide the second name, and a malformed one would never be found.
    #[test]
    fn every_identifier_occurs_once() {
        for (index, (oid, name)) in NAMES.iter().enumerate() {
            let parsed = oid.parse().ok().and_then(super::of);
            assert_eq!(parsed, Some(*name), "{oid}");
            assert!(
                !NAMES.iter().skip(index + 1).any(|(other, _)| other == oid),
                "{oid}"
            );
        }
    }
}
