//! The tests of the command, as one program, which takes less time to build than one for each file.

mod acvp;
mod armor;
mod certificates;
mod common;
mod der;
mod doctor;
mod files;
mod help;
#[cfg(unix)]
mod inputs_kept;
mod inspect;
mod keys;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod manifests;
mod mu;
mod passphrases;
mod random;
mod raw;
mod reports;
mod round3;
mod secrets;
mod several;
mod signing;
mod ssh;
#[cfg(unix)]
mod streams;
mod terminal;
mod trust;
mod usage;
mod zk_dilithium;

/// A file that is not a module here would not run.
#[test]
fn every_file_is_a_module() {
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    for file in std::fs::read_dir(files).into_iter().flatten().flatten() {
        let name = file.file_name().into_string().unwrap_or_default();
        let module = name.strip_suffix(".rs");
        if let Some(module) = module.filter(|name| !["main", "readme"].contains(name)) {
            let line = format!("\nmod {module};\n");
            assert!(include_str!("main.rs").contains(&line), "{name}");
        }
    }
}
