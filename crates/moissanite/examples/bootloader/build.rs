//! Puts board.x, and of each program its memory.x, where the linker looks.

fn main() {
    let here = env!("CARGO_MANIFEST_DIR");
    println!("cargo:rerun-if-changed=board.x");
    println!("cargo:rustc-link-arg-bins=-L{here}");
    for program in ["bootloader", "application"] {
        println!("cargo:rerun-if-changed={program}/memory.x");
        println!("cargo:rustc-link-arg-bin={program}=-L{here}/{program}");
    }
}
