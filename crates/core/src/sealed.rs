//! Who can define parameter sets and schemes.

/// What a parameter set or a scheme is besides: one whose author answers for it.
///
/// Numbers that are wrong make signatures that give the private key away, under whatever name and
/// object identifier the set gives itself. The crate `moissanite` does not export this trait, so
/// that its users cannot define sets or schemes. A crate that depends on this one can: it
/// implements this trait too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not one of the parameter sets or schemes of Moissanite",
    label = "this type cannot be a parameter set or a scheme",
    note = "`ParameterSet`, `Fips204` and `Scheme` are sealed: the sets are `MlDsa44`, `MlDsa65`, \
            `MlDsa87`, `Dilithium2`, `Dilithium3` and `Dilithium5`"
)]
pub trait Sealed {}
