//! The token of WebAssembly.

/// This program is compiled for `simd128`, WebAssembly's registers of 128 bits.
///
/// There is no detection at run time, because an engine refuses a module with instructions that it does not have.
/// A page or a package therefore has two modules and loads the one that the engine supports.
#[derive(Clone, Copy, Debug)]
pub struct Simd128(());

impl Simd128 {
    /// The name in tests, benches and the command.
    pub const NAME: &str = "simd128";

    /// Returns the token, which exists only in programs that are compiled for the feature.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        cfg!(target_feature = "simd128").then_some(Self(()))
    }
}
