//! Copies board.x, and the memory.x of each program, to a folder that the linker searches.

fn main() {
    let here = env!("CARGO_MANIFEST_DIR");
    println!("cargo:rerun-if-changed=board.x");
    println!("cargo:rustc-link-arg-bins=-L{here}");
    for program in ["bootloader", "application"] {
        println!("cargo:rerun-if-changed={program}/memory.x");
        println!("cargo:rustc-link-arg-bin={program}=-L{here}/{program}");
    }
}
