//! The documents of the project, whose blocks of Rust are doctests here.
//!
//! Those of a crate are doctests of that crate. Shell is run by the tests of
//! the command.

#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
}
