//! One file per implementation. A new file must be added to the list here.

#[cfg(feature = "c")]
mod aws_lc;
#[cfg(feature = "c")]
mod aws_lc_raw;
#[cfg(feature = "c")]
mod boringssl;
mod ed25519;
mod fips204;
mod libcrux;
mod moissanite;
mod plugin;
mod pqclean;
mod rustcrypto;

use crate::peer::Peer;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};

/// Returns all built-in implementations, and those in shared objects that are given or are beside the
/// executable. The first deterministic one, which is not Moissanite, is the reference for the checks.
pub fn all(plugins: &[PathBuf]) -> Vec<Box<dyn Peer>> {
    let mut peers: Vec<Box<dyn Peer>> = vec![
        Box::new(rustcrypto::published::Api),
        Box::new(libcrux::Portable),
        Box::new(libcrux::Avx2),
        Box::new(fips204::Fips204),
        Box::new(pqclean::PqClean),
        #[cfg(feature = "c")]
        Box::new(aws_lc::AwsLcRs),
        #[cfg(feature = "c")]
        Box::new(aws_lc_raw::AwsLcRaw),
        #[cfg(feature = "c")]
        Box::new(boringssl::Boring),
    ];
    let shims = ["openssl_shim", "oqs_shim"]
        .into_iter()
        .filter_map(beside_executable);
    for path in shims.chain(plugins.iter().cloned()) {
        load(&mut peers, &path);
    }
    for backend in moissanite_benches::backends() {
        peers.push(Box::new(moissanite::Moissanite(backend)));
    }
    peers.push(Box::new(rustcrypto::compat::Api));
    peers.push(Box::new(ed25519::Ed25519));
    peers
}

fn load(peers: &mut Vec<Box<dyn Peer>>, path: &Path) {
    match plugin::Plugin::load(path) {
        Ok(peer) => peers.push(Box::new(peer)),
        Err(error) => eprintln!("note: {}: {error}; left out", path.display()),
    }
}

fn beside_executable(name: &str) -> Option<PathBuf> {
    let executable = std::env::current_exe().ok()?;
    let path = executable.with_file_name(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"));
    path.exists().then_some(path)
}
