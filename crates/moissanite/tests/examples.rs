//! The examples run, and `sign_file` and `verify_file` work together.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

/// The programs as modules; not all of them need their `main` here.
macro_rules! examples {
    ($($name:ident $path:literal),* $(,)?) => { $(
        #[path = $path]
        #[allow(dead_code, reason = "a test calls what its `main` calls")]
        mod $name;
    )* };
}
examples!(
    batch "../examples/batch.rs",
    context "../examples/context.rs",
    large_file "../examples/large_file.rs",
    no_alloc "../examples/no_alloc.rs",
    prehash "../examples/prehash.rs",
    prepared "../examples/prepared.rs",
    sign_file "../examples/sign_file.rs",
    verify_file "../examples/verify_file.rs",
);

#[test]
fn each_runs() {
    batch::main().unwrap();
    context::main().unwrap();
    large_file::main().unwrap();
    no_alloc::main().unwrap();
    prehash::main().unwrap();
    prepared::main().unwrap();
}

#[test]
fn a_signed_file_verifies() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name);
    let (key, public_key) = (path("key.pem"), path("key.pub"));
    let (file, signature) = (path("file"), path("file.sig"));
    fs::write(&file, "contents").unwrap();
    // Once with a new key, and once with the existing key.
    for _ in 0..2 {
        sign_file::sign_file(&key, &file, &signature).unwrap();
        verify_file::verify_file(&public_key, &file, &signature).unwrap();
    }
    fs::write(&file, "other contents").unwrap();
    assert!(verify_file::verify_file(&public_key, &file, &signature).is_err());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_page_lists_each() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    let this = include_str!("examples.rs");
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".rs") {
            assert!(page.contains(&format!("({name})")), "{name}");
            assert!(this.contains(&format!("/{name}\",")), "{name}");
        }
    }
}
