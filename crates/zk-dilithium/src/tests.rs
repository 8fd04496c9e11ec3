//! Tests of every level, from the constants up, against the vectors of `zkdilithium.json`.
//!
//! Code that runs on a backend is tested by functions that are generic over the backend;
//! `on_every_backend!` makes tests of them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::integer_division_remainder_used,
    reason = "a test may panic, and has no secrets"
)]

use std::sync::OnceLock;
use std::vec::Vec;

use moissanite_core::backend::{self, Lanes, WithBackend};
use serde_json::Value;

/// Runs a test on every backend that this CPU has, and on one that every CPU has.
fn on_every_backend<T: WithBackend<Output = ()> + Copy>(test: T) {
    for name in backend::available() {
        std::eprintln!("on the backend {name}");
        backend::dispatch_to(name, test).unwrap();
    }
    std::eprintln!("on lanes in plain Rust");
    test.call(Lanes::<16>);
}

/// Makes tests of functions `fn name<B: Backend>(backend: B)`.
macro_rules! on_every_backend {
    ($($name:ident)*) => {$(
        mod $name {
            #[test]
            fn on_each() {
                #[derive(Clone, Copy)]
                struct Named;
                impl moissanite_core::backend::WithBackend for Named {
                    type Output = ();
                    fn call<B: moissanite_core::backend::Backend>(self, backend: B) {
                        super::$name(backend);
                    }
                }
                crate::tests::on_every_backend(Named);
            }
        }
    )*};
}
mod poseidon;
mod scheme;
mod sign;
mod wiping;

/// Prints the message to standard error directly, because the test harness hides printed text.
#[test]
fn which() {
    use std::io::Write;
    for (name, has) in backend::all() {
        let what = if has {
            "tested"
        } else {
            "MISSING on this CPU, not tested"
        };
        writeln!(std::io::stderr(), "backend {name}: {what}").unwrap();
    }
}

/// All vectors.
fn vectors() -> &'static Value {
    static VECTORS: OnceLock<Value> = OnceLock::new();
    VECTORS.get_or_init(|| serde_json::from_str(moissanite_kats::ZKDILITHIUM).unwrap())
}

/// Those of one step.
fn primitives(name: &str) -> &'static Value {
    &vectors()["primitives"][name]
}

fn list(value: &'static Value) -> &'static [Value] {
    value.as_array().unwrap()
}

fn integers<T: TryFrom<i64>>(value: &Value) -> Vec<T> {
    let numbers = value.as_array().unwrap().iter();
    numbers
        .map(|n| T::try_from(n.as_i64().unwrap()).ok().unwrap())
        .collect()
}

fn array<T: TryFrom<i64> + Copy, const LEN: usize>(value: &Value) -> [T; LEN] {
    integers(value).try_into().ok().unwrap()
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap()).unwrap()
}
