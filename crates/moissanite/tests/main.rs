//! The tests of the public API, as one program, so that generic code is compiled once for all of
//! them.

mod accumulated;
#[cfg(all(feature = "alloc", feature = "hash-ml-dsa", feature = "hazmat"))]
mod acvp;
#[cfg(all(
    feature = "alloc",
    feature = "getrandom",
    feature = "hash-ml-dsa",
    feature = "hazmat"
))]
mod api;
#[cfg(all(feature = "alloc", feature = "hazmat"))]
mod backends;
#[cfg(all(feature = "alloc", feature = "hazmat"))]
mod batch;
#[cfg(feature = "pem")]
mod document;
#[cfg(all(
    feature = "alloc",
    feature = "getrandom",
    feature = "hash-ml-dsa",
    feature = "pem",
    feature = "std"
))]
mod examples;
#[cfg(all(feature = "hash-ml-dsa", feature = "pem", feature = "std"))]
mod files;
#[cfg(all(feature = "alloc", feature = "hazmat"))]
mod hazmat;
mod import;
#[cfg(feature = "pem")]
mod keys;
#[cfg(feature = "pem")]
mod keys_refused;
#[cfg(all(feature = "alloc", feature = "hazmat"))]
mod killers;
#[cfg(all(feature = "alloc", feature = "hash-ml-dsa", feature = "hazmat"))]
mod prehash;
#[cfg(feature = "alloc")]
mod properties;
#[cfg(feature = "pem")]
mod rfc9881;
#[cfg(all(feature = "alloc", feature = "hash-ml-dsa", feature = "hazmat"))]
mod round3;
#[cfg(feature = "alloc")]
mod self_test;
#[cfg(all(feature = "alloc", feature = "serde"))]
mod serde;
#[cfg(feature = "alloc")]
mod stream;
#[cfg(all(feature = "alloc", feature = "hazmat", feature = "pkcs8"))]
mod wycheproof;
#[cfg(all(feature = "alloc", feature = "getrandom", feature = "pkcs8"))]
mod x509;

/// A file that is not a module here would not run.
#[test]
fn every_file_is_a_module() {
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    for file in std::fs::read_dir(files).into_iter().flatten().flatten() {
        let name = file.file_name().into_string().unwrap_or_default();
        if let Some(module) = name.strip_suffix(".rs").filter(|name| *name != "main") {
            let line = format!("\nmod {module};\n");
            assert!(include_str!("main.rs").contains(&line), "{name}");
        }
    }
}
