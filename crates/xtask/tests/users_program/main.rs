//! Tests with programs of users: the stack that operations need, and the errors of the compiler.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod compile_errors;
mod scratch;
mod stack;
