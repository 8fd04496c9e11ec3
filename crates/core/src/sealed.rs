//! The seal of parameter sets and schemes.

/// The marker of parameter sets and schemes. The implementer is responsible for the numbers.
///
/// Wrong numbers make signatures that reveal the private key, whatever name and object identifier
/// the set has. The crate `moissanite` does not export this trait, so that its users cannot define
/// sets or schemes. A crate that depends on this one can define them: it also implements this
/// trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not one of the parameter sets or schemes of Moissanite",
    label = "this type cannot be a parameter set or a scheme",
    note = "`ParameterSet`, `Fips204` and `Scheme` are sealed: the sets are `MlDsa44`, `MlDsa65`, \
            `MlDsa87`, `Dilithium2`, `Dilithium3` and `Dilithium5`"
)]
pub trait Sealed {}
