//! The subcommands, a file each.

pub(crate) mod acvp;
pub(crate) mod algorithms;
pub(crate) mod bench;
pub(crate) mod cert;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod inspect;
pub(crate) mod keygen;
pub(crate) mod sign;
pub(crate) mod verify;
