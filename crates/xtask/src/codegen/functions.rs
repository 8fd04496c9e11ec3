//! The functions of backends, and the numbers of their calls, copies, panics and stores to the stack.

use std::collections::BTreeMap;

use regex::Regex;

use super::assembly::Function;

/// The figures of a function.
pub(super) const COLUMNS: [&str; 4] = ["calls", "copies", "panics", "stores"];

/// Returns the figures of all functions that cross into a backend.
pub(super) fn figures(functions: &[Function]) -> BTreeMap<String, Vec<u64>> {
    let own = functions.iter().filter_map(|function| {
        let count = |of: fn(&str) -> bool| function.calls.iter().filter(|name| of(name)).count();
        let (copies, panics) = (count(copies), count(panics));
        let calls = function.calls.len() - copies - panics;
        let figures = [calls, copies, panics, function.stores].map(|figure| figure as u64);
        Some((short(&function.name)?, figures.to_vec()))
    });
    own.collect()
}

fn panics(name: &str) -> bool {
    name.contains("panic") || name.contains("_fail")
}

/// Whether a call copies or clears memory, by the names that compilers use, or goes through a register.
fn copies(name: &str) -> bool {
    let copy = name.trim_start_matches("__aeabi_").starts_with("mem");
    let register = name.starts_with('%') || (name.starts_with(['r', 'x']) && name.len() <= 3);
    copy || register
}

/// Backend and kernel without paths, such as `Avx2: Ntt<MlDsaField>` or `keccak: permute_avx2`; `None` for
/// other functions.
pub(super) fn short(name: &str) -> Option<String> {
    // The expressions are constants that a test compiles, so neither can fail.
    let path = Regex::new(r"(?:\w+::)+(\w)").ok()?;
    let of_backend = Regex::new(r"^<(.+) as Backend>::(?:(?:run|shim)::<(.+)>|(.+))$").ok()?;
    let bare = path.replace_all(name, "$1");
    if name.contains(" as moissanite_core::backend::Backend>::") {
        let found = of_backend.captures(&bare)?;
        let kernel = found.get(2).or(found.get(3))?.as_str();
        return Some(format!("{}: {}", &found[1], kernel.replace("::<", "<")));
    }
    let permutation = name.contains("moissanite_keccak::backend") && name.contains("permute");
    permutation.then(|| format!("keccak: {bare}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (long, expected) in [
            (
                "<moissanite_cpu::x86_64::Avx2 as moissanite_core::backend::Backend>::run::shim::<moissanite_core::kernels::round::UseHint<moissanite_core::params::MlDsa<4, 4>>>",
                Some("Avx2: UseHint<MlDsa<4, 4>>"),
            ),
            (
                "<moissanite_cpu::Portable as moissanite_core::backend::Backend>::run::<moissanite_core::kernels::arith::Add<F>>",
                Some("Portable: Add<F>"),
            ),
            (
                "<moissanite_cpu::Portable as moissanite_core::backend::Backend>::ntt::<moissanite_core::field::MlDsaField>",
                Some("Portable: ntt<MlDsaField>"),
            ),
            (
                "moissanite_keccak::backend::avx2::permute_avx2",
                Some("keccak: permute_avx2"),
            ),
            (
                "moissanite_core::sign::sign_mu::<P, moissanite_cpu::Portable>",
                None,
            ),
        ] {
            assert_eq!(short(long).as_deref(), expected);
        }
    }

    #[test]
    fn kinds_of_calls() {
        for name in ["memcpy", "__aeabi_memclr8", "%r15", "x8", "r12"] {
            assert!(copies(name) && !panics(name), "{name}");
        }
        for name in [
            "core::panicking::panic_bounds_check",
            "core::slice::index::slice_index_fail",
        ] {
            assert!(panics(name) && !copies(name), "{name}");
        }
        for name in [
            "core_arch::x86::avx2::_mm256_add_epi32",
            "row_layer",
            "round",
        ] {
            assert!(!panics(name) && !copies(name), "{name}");
        }
    }
}
