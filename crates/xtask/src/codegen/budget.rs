//! What each function of a backend may do, in a file that one can read.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use regex::Regex;

use super::assembly::Function;

const HEAD: &str = "\
# What the compiler makes of the functions of each backend; `cargo xtask codegen --write` writes this.
# Calls; calls that copy or clear memory, or go through a register, as those may; calls that panic;
# stores to the stack (registers spilt, arrays); and whose they are.
";

/// The file.
#[derive(Default)]
pub(super) struct Budget {
    pub(super) targets: BTreeMap<String, Target>,
}

/// The functions of all backends of one target, as one compiler made them.
#[derive(Debug, PartialEq)]
pub(super) struct Target {
    compiler: String,
    pub(super) functions: BTreeMap<String, Counts>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Counts {
    calls: usize,
    copies: usize,
    panics: usize,
    stores: usize,
}

/// One line for each difference.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Comparison {
    pub(super) more: Vec<String>,
    pub(super) fewer: Vec<String>,
}

impl Budget {
    /// An empty one if there is no file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = if path.exists() {
            std::fs::read_to_string(path)?
        } else {
            String::new()
        };
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self> {
        let mut budget = Self::default();
        let mut target = None;
        for line in text.lines() {
            let strange = || format!("what is this line: {line}");
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(head) = line.strip_prefix('[') {
                let (name, compiler) = head.split_once("] ").with_context(strange)?;
                target = Some(budget.targets.entry(name.to_owned()).or_insert(Target {
                    compiler: compiler.to_owned(),
                    functions: BTreeMap::new(),
                }));
                continue;
            }
            let mut words = line.trim_start().splitn(2, "  ");
            let counts = words
                .next()
                .map(|counts| counts.split_whitespace().map(str::parse));
            let counts: Vec<usize> = counts.with_context(strange)?.collect::<Result<_, _>>()?;
            let name = words.next().with_context(strange)?.to_owned();
            let [calls, copies, panics, stores] = counts.try_into().ok().with_context(strange)?;
            let counts = Counts {
                calls,
                copies,
                panics,
                stores,
            };
            let target = target.as_mut().with_context(strange)?;
            target.functions.insert(name, counts);
        }
        Ok(budget)
    }

    pub(super) fn write(&self, path: &Path) -> Result<()> {
        Ok(std::fs::write(path, self.text()?)?)
    }

    fn text(&self) -> Result<String> {
        let mut text = HEAD.to_owned();
        for (name, target) in &self.targets {
            writeln!(text, "\n[{name}] {}", target.compiler)?;
            for (name, counts) in &target.functions {
                let Counts {
                    calls,
                    copies,
                    panics,
                    stores,
                } = counts;
                writeln!(text, "{calls} {copies} {panics} {stores}  {name}")?;
            }
        }
        Ok(text)
    }
}

impl Target {
    /// What was found: the functions that cross into a backend.
    pub(super) fn new(compiler: &str, functions: &[Function]) -> Self {
        let own = functions.iter().filter_map(|function| {
            let count =
                |of: fn(&str) -> bool| function.calls.iter().filter(|name| of(name)).count();
            let (copies, panics) = (count(copies), count(panics));
            let counts = Counts {
                calls: function.calls.len() - copies - panics,
                copies,
                panics,
                stores: function.stores,
            };
            Some((short(&function.name)?, counts))
        });
        Self {
            compiler: compiler.to_owned(),
            functions: own.collect(),
        }
    }

    /// Against what is allowed. Of another compiler, only the calls: the rest is each one's own.
    pub(super) fn compare(&self, allowed: &Self) -> Comparison {
        let mut comparison = Comparison::default();
        let same_compiler = self.compiler == allowed.compiler;
        for (name, found) in &self.functions {
            let Some(allowed) = allowed.functions.get(name) else {
                comparison.more.push(format!("{name} is not in the budget"));
                continue;
            };
            let what = [
                ("calls", found.calls, allowed.calls, true),
                ("copies", found.copies, allowed.copies, same_compiler),
                ("panics", found.panics, allowed.panics, same_compiler),
                (
                    "stores to the stack",
                    found.stores,
                    allowed.stores,
                    same_compiler,
                ),
            ];
            for (what, found, allowed, compared) in what {
                let line = || format!("{name}: {found} {what}, {allowed} in the budget");
                if compared && found > allowed {
                    comparison.more.push(line());
                } else if compared && found < allowed {
                    comparison.fewer.push(line());
                }
            }
        }
        let gone = |name: &&String| !self.functions.contains_key(*name);
        for name in allowed.functions.keys().filter(gone) {
            comparison.fewer.push(format!("{name} is gone"));
        }
        comparison
    }
}

fn panics(name: &str) -> bool {
    name.contains("panic") || name.contains("_fail")
}

/// By the names that compilers have for it, or through a register.
fn copies(name: &str) -> bool {
    let copy = name.trim_start_matches("__aeabi_").starts_with("mem");
    let register = name.starts_with('%') || (name.starts_with(['r', 'x']) && name.len() <= 3);
    copy || register
}

/// Backend and kernel, without paths: `Avx2: Ntt<MlDsaField>`, or `keccak: permute_avx2`. Nothing of
/// other functions.
pub(super) fn short(name: &str) -> Option<String> {
    // Neither can fail: both are constants that a test compiles.
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

    const TEXT: &str = "
[aarch64] rustc 1
0 0 0 3  Neon: Ntt<MlDsaField>

[x86_64] rustc 1
1 4 2 33  Avx2: Ntt<MlDsaField>
0 0 0 66  keccak: permute_avx2
";

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

    #[test]
    fn reads_what_it_writes() {
        let budget = Budget::parse(TEXT).unwrap();
        assert_eq!(budget.text().unwrap(), HEAD.to_owned() + TEXT);
        assert!(Budget::parse("0 0 0 3  Neon: Ntt").is_err());
        assert!(Budget::parse("[x86_64] rustc 1\n0 0 3  Neon: Ntt").is_err());
    }

    #[test]
    fn more_and_fewer() {
        let compare = |from: &str, to: &str| {
            let found = Budget::parse(&TEXT.replacen(from, to, 1)).unwrap();
            let allowed = Budget::parse(TEXT).unwrap();
            let comparison = found.targets["x86_64"].compare(&allowed.targets["x86_64"]);
            (comparison.more.len(), comparison.fewer.len())
        };
        assert_eq!(compare("", ""), (0, 0));
        assert_eq!(compare("1 4 2 33", "2 4 2 33"), (1, 0));
        assert_eq!(compare("1 4 2 33", "1 5 3 33"), (2, 0));
        assert_eq!(compare("1 4 2 33", "1 4 2 34"), (1, 0));
        assert_eq!(compare("1 4 2 33", "0 3 1 32"), (0, 4));
        // A new kernel that nobody looked at, and one that is no more.
        assert_eq!(compare("Avx2: Ntt", "Avx2: New"), (1, 1));
        // Another compiler spills as it likes, but inlines the same.
        let other = |counts: &str| format!("[x86_64] rustc 2\n{counts}");
        assert_eq!(
            compare("[x86_64] rustc 1\n1 4 2 33", &other("1 5 3 99")),
            (0, 0)
        );
        assert_eq!(
            compare("[x86_64] rustc 1\n1 4 2 33", &other("2 4 2 33")),
            (1, 0)
        );
    }
}
