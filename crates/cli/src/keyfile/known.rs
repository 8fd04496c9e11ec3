//! The algorithms whose keys older programs stored under other identifiers.

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

/// Whether older programs stored keys of this command's algorithms under this identifier.
pub(crate) fn is_older(oid: ObjectIdentifier) -> bool {
    algorithm::by_oid(oid).is_none() && !predecessors(oid).is_empty()
}
