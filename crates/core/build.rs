//! `cfg(armv7)`: whether the 32-bit ARM target has the instructions of Thumb-2, which no cfg of the
//! compiler's tells.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").unwrap_or_default();
    if ["armv7", "thumbv7", "thumbv8m.main"]
        .iter()
        .any(|arch| target.starts_with(arch))
    {
        println!("cargo:rustc-cfg=armv7");
    }
}
