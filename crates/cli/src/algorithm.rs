//! The algorithms of the command.
//!
//! A new algorithm is an implementation of [`Scheme`](scheme::Scheme) with its keys, and a line in
//! [`ALL`].

pub(crate) mod composite;
pub(crate) mod ed25519;
pub(crate) mod ml_dsa;
pub(crate) mod scheme;
pub(crate) mod zk_dilithium;

use der::oid::ObjectIdentifier;
use moissanite::{Dilithium2, Dilithium3, Dilithium5, MlDsa44, MlDsa65, MlDsa87};
use moissanite_composite::{MlDsa44Ed25519, MlDsa65Ed25519};

use self::composite::Composite;
use self::ed25519::Ed25519;
use self::ml_dsa::Lattice;
use self::scheme::Algorithm;
use self::zk_dilithium::ZkDilithium;

/// All algorithms, in the order of `moissanite algorithms`.
pub(crate) const ALL: &[Algorithm] = &[
    &Lattice::<MlDsa44>::NEW,
    &Lattice::<MlDsa65>::NEW,
    &Lattice::<MlDsa87>::NEW,
    &Lattice::<Dilithium2>::NEW,
    &Lattice::<Dilithium3>::NEW,
    &Lattice::<Dilithium5>::NEW,
    &ZkDilithium,
    &Ed25519,
    &Composite::<MlDsa44Ed25519>::NEW,
    &Composite::<MlDsa65Ed25519>::NEW,
];

/// The algorithm of this name, in upper or lower case.
pub(crate) fn parse(name: &str) -> Result<Algorithm, String> {
    let known = |algorithm: &&Algorithm| algorithm.name().eq_ignore_ascii_case(name);
    ALL.iter().find(known).copied().ok_or_else(|| {
        let names: Vec<_> = ALL.iter().map(|a| a.name().to_ascii_lowercase()).collect();
        format!("there is no such algorithm; there are {}", names.join(", "))
    })
}

/// The algorithm of this identifier.
pub(crate) fn by_oid(oid: ObjectIdentifier) -> Option<Algorithm> {
    let found = |algorithm: &&Algorithm| algorithm.oid() == Some(oid);
    ALL.iter().find(found).copied()
}
