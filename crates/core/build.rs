//! Sets cfgs for properties of 32-bit ARM targets that no cfg of the compiler describes, and `cfg(tiny)`
//! for the feature `tiny` on bare metal, where neither of the first two is set then.
//! `cfg(armv7)`: Thumb-2, and multiplications that take the same time for all operands.
//! `cfg(armv7_dsp)`: in addition, sums of packed bytes, and loads of words at any address.
//! `cfg(slow_long_multiply)`: multiplications to 64 bits whose time depends on the operands.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    let variable = |name| std::env::var(name).unwrap_or_default();
    let target = variable("TARGET");
    let architecture = target.split('-').next().unwrap_or_default();
    let system = variable("CARGO_CFG_TARGET_OS");
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    // This is the Cortex-M3.
    if architecture == "thumbv7m" {
        println!("cargo:rustc-cfg=slow_long_multiply");
    }
    if std::env::var_os("CARGO_FEATURE_TINY").is_some() && system == "none" {
        return println!("cargo:rustc-cfg=tiny");
    }
    match architecture {
        "armv7" | "armv7a" | "armv7r" | "thumbv7a" | "thumbv7em" | "thumbv7neon" | "thumbv7r"
        | "thumbv8m.main" => println!("cargo:rustc-cfg=armv7"),
        _ => {}
    }
    // Some cores like the Cortex-M33 have the sums, and others do not. Loads at any address are
    // allowed where the compiler also emits them: on a Cortex-M4 or -M7, unless the program traps
    // such loads and is therefore built with `+strict-align`, and on systems that have turned the
    // MMU on.
    let has_both = match system.as_str() {
        "none" => architecture == "thumbv7em",
        "android" | "linux" => matches!(architecture, "armv7" | "thumbv7neon"),
        _ => false,
    };
    if has_both && !flags.contains("+strict-align") {
        println!("cargo:rustc-cfg=armv7_dsp");
    }
}
