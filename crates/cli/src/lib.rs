//! The command `moissanite`, and what its fuzz targets call.
//!
//! This library is not a public API: only the program of this package and the fuzz targets of the project
//! use it, and any version can change it. Programs use the crate `moissanite`.

#![forbid(unsafe_code)]

mod algorithm;
mod armor;
mod backend;
mod certificate;
mod clock;
mod command_line;
mod commands;
mod diagnostics;
mod display;
mod error;
mod examine;
mod fingerprint;
pub mod fuzzing;
mod hash;
mod identity;
mod input;
mod key_error;
mod keyfile;
mod manifest;
mod oid_names;
mod output;
mod passphrase;
mod pem;
mod report;
mod signature;
mod standard;
mod text;

pub use command_line::main;
