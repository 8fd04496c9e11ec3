//! Identifiers of algorithms in documents that this command does not use: their names, and the algorithms
//! whose keys older programs stored under other identifiers.

use der::oid::ObjectIdentifier;

use crate::algorithm;
use crate::algorithm::scheme::Algorithm;

/// Identifiers that IBM assigned: the arcs are 7 for round 3 and 12 for the draft of FIPS 204, followed by
/// the parameter set.
const SETS: &[(&str, &str, &str)] = &[
    ("4.4", "ml-dsa-44", "dilithium2"),
    ("6.5", "ml-dsa-65", "dilithium3"),
    ("8.7", "ml-dsa-87", "dilithium5"),
];
const ROUND_3: &str = "1.3.6.1.4.1.2.267.7.";
const DRAFT: &str = "1.3.6.1.4.1.2.267.12.";
/// ML-DSA, without the last arc.
const STANDARD: &str = "2.16.840.1.101.3.4.3.";

/// The algorithms whose keys older programs stored under this identifier, most probable first.
pub(super) fn predecessors(oid: ObjectIdentifier) -> Vec<Algorithm> {
    let text = oid.to_string();
    let standard = ["17", "18", "19"];
    let mut found = Vec::new();
    for ((set, draft, round_3), arc) in SETS.iter().zip(standard) {
        let is = |prefix: &str, last: &str| text.strip_prefix(prefix) == Some(last);
        if is(DRAFT, set) {
            found.push(*draft);
        }
        if is(DRAFT, set) || is(ROUND_3, set) || is(STANDARD, arc) {
            found.push(*round_3);
        }
    }
    let found = found.into_iter().map(algorithm::parse);
    found.filter_map(Result::ok).collect()
}

/// Whether this is an identifier of the draft of FIPS 204, whose seeds give other keys than the standard.
pub(crate) fn is_draft(oid: ObjectIdentifier) -> bool {
    oid.to_string().starts_with(DRAFT)
}

/// The name of an algorithm, a curve or a hash function that this command does not use.
pub(crate) fn name(oid: ObjectIdentifier) -> Option<&'static str> {
    let text = oid.to_string();
    let found = NAMES.iter().find(|(oid, _)| *oid == text);
    found.map(|(_, name)| *name)
}

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
