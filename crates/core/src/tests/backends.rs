//! The list of the backends on which the tests run.

use std::io::Write;

#[cfg(target_feature = "simd128")]
use super::backend::Simd128;
#[cfg(target_arch = "x86_64")]
use super::backend::{Avx2, Avx512};
use super::backend::{Backend, Lanes, Portable};
#[cfg(target_arch = "aarch64")]
use super::backend::{Neon, Sha3};

/// A test of one backend.
pub(super) trait Test {
    fn on<B: Backend>(&self, backend: B);
    /// Is called if this CPU does not support the backend with this name.
    fn missing(&self, _name: &'static str) {}
}

/// Whether software lanes are tested. They are not where tests are slow: on AArch64, which may be emulated, and in
/// WebAssembly. They are the same code there.
const SOFTWARE_LANES: bool = cfg!(not(any(target_arch = "aarch64", target_arch = "wasm32")));

/// Runs `test` on every backend that this CPU supports, and on software lanes of every width.
pub(super) fn on_every_backend(test: &impl Test) {
    on_this_cpu(test);
    if SOFTWARE_LANES {
        on(Some(Lanes::<4>), test);
        // Miri is slow, and the other widths are the same code.
        if !cfg!(miri) {
            on(Some(Lanes::<2>), test);
            on(Some(Lanes::<8>), test);
            on(Some(Lanes::<16>), test);
        }
    }
}

/// Runs a test of a whole algorithm. It uses only one width of software lanes, because each takes
/// long to compile, and the tests of the kernels use all of them.
pub(super) fn on_this_cpu_and_four_lanes(test: &impl Test) {
    on_this_cpu(test);
    if SOFTWARE_LANES {
        on(Some(Lanes::<4>), test);
    }
}

fn on_this_cpu(test: &impl Test) {
    on(Some(Portable), test);
    #[cfg(target_arch = "x86_64")]
    on(Avx2::detect(), test);
    #[cfg(target_arch = "x86_64")]
    on(Avx512::detect(), test);
    #[cfg(target_arch = "aarch64")]
    on(Neon::detect(), test);
    #[cfg(target_arch = "aarch64")]
    on(Sha3::detect(), test);
    #[cfg(target_feature = "simd128")]
    on(Simd128::detect(), test);
}

fn on<B: Backend>(backend: Option<B>, test: &impl Test) {
    /// Prints the backend on which a test failed.
    struct Named(&'static str);
    impl Drop for Named {
        fn drop(&mut self) {
            if std::thread::panicking() {
                std::eprintln!("the test failed on the backend {}", self.0);
            }
        }
    }
    let _named = Named(B::NAME);
    match backend {
        Some(backend) => test.on(backend),
        None => test.missing(B::NAME),
    }
}

/// Defines tests from functions `fn name<B: Backend>(backend: B)`.
macro_rules! on_every_backend {
    ($($name:ident)*) => {$(
        mod $name {
            use super::backends::{Test, on_every_backend};
            #[test]
            fn on_each() {
                struct Named;
                impl Test for Named {
                    fn on<B: super::Backend>(&self, backend: B) {
                        super::$name(backend);
                    }
                }
                on_every_backend(&Named);
            }
        }
    )*};
}

/// Defines tests from functions `fn name<P: ParameterSet, B: Backend>(backend: B)`, one for each
/// set.
macro_rules! on_every_backend_and_set {
    ($($name:ident)*) => {$(
        mod $name {
            use super::backends::{Test, on_this_cpu_and_four_lanes};
            use std::marker::PhantomData;
            struct Of<P>(PhantomData<P>);
            impl<P: super::Fips204> Test for Of<P> {
                fn on<B: super::Backend>(&self, backend: B) {
                    super::$name::<P, B>(backend);
                }
            }
            #[test]
            fn ml_dsa_44() {
                on_this_cpu_and_four_lanes(&Of::<super::MlDsa44>(PhantomData));
            }
            #[test]
            fn ml_dsa_65() {
                on_this_cpu_and_four_lanes(&Of::<super::MlDsa65>(PhantomData));
            }
            #[test]
            fn ml_dsa_87() {
                on_this_cpu_and_four_lanes(&Of::<super::MlDsa87>(PhantomData));
            }
        }
    )*};
}

/// Prints the tested and the missing backends to standard error directly, because the test harness
/// captures printed text.
#[test]
fn which() {
    struct Say;
    impl Test for Say {
        fn on<B: Backend>(&self, _: B) {
            writeln!(std::io::stderr(), "backend {}: tested", B::NAME).unwrap();
        }
        fn missing(&self, name: &'static str) {
            writeln!(
                std::io::stderr(),
                "backend {name}: MISSING on this CPU, not tested"
            )
            .unwrap();
        }
    }
    on_every_backend(&Say);
}
