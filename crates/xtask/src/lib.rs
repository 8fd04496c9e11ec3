//! The documents of the project as doctests, which compile their blocks of Rust.
//!
//! The documents of a crate are doctests of that crate. The tests of the command run the blocks of shell.

#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
}
