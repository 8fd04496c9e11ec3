//! Puts the linker script where the linker looks; WebAssembly has none.

fn main() {
    println!("cargo:rerun-if-changed=link.x");
    let variable = |name| std::env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_FAMILY") != "wasm" {
        let folder = variable("CARGO_MANIFEST_DIR");
        println!("cargo:rustc-link-arg-bins=-T{folder}/link.x");
    }
}
