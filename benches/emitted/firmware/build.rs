//! Puts the linker script where the linker looks, and chooses the program: a program with several boot loaders
//! would have code that jumps to the image without a check.

fn main() {
    println!("cargo:rerun-if-changed=link.x");
    println!("cargo:rerun-if-env-changed=MOISSANITE_PROGRAM");
    let variable = |name| std::env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_OS") == "none" {
        let folder = variable("CARGO_MANIFEST_DIR");
        println!("cargo:rustc-link-arg-bins=-T{folder}/link.x");
        println!("cargo:rustc-link-arg-bins=-e{}", variable("MOISSANITE_PROGRAM"));
    }
}
