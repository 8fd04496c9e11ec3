//! Names the folder of memory.x to the linker.

fn main() {
    println!("cargo:rerun-if-changed=memory.x");
    println!("cargo:rustc-link-arg-bins=-L{}", env!("CARGO_MANIFEST_DIR"));
}
