//! Leaks to plant in a copy of the tree.

use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The level of optimisation at which leaks are planted.
pub const LEVEL: &str = "1";
/// The scheme in which they are searched: ML-DSA-44.
pub const SCHEME: u32 = 0;

/// The place of a leak: the beginning of a function that also receives secrets.
pub struct Place {
    /// The name in `crates/core/src/backend`.
    pub file: &'static str,
    function: &'static str,
    /// The argument that contains the secret.
    secret: &'static str,
    backends: &'static [&'static str],
    /// A part of the names of the functions in which the leak must be found.
    pub named: &'static str,
}

/// The places of the leaks.
pub static PLACES: [Place; 5] = [
    Place {
        file: "portable.rs",
        function: "fn load(self, from: &i32) -> i32 {",
        secret: "*from",
        backends: &["portable"],
        named: "Portable",
    },
    Place {
        file: "avx2.rs",
        function: "fn load(self, from: &[i32; 8]) -> __m256i {",
        secret: "from[3]",
        backends: &["avx2"],
        named: "Avx2",
    },
    Place {
        file: "avx512.rs",
        function: "fn load(self, from: &[i32; 16]) -> __m512i {",
        secret: "from[3]",
        backends: &["avx512"],
        named: "Avx512",
    },
    Place {
        file: "neon.rs",
        function: "fn load(self, from: &[i32; 4]) -> int32x4_t {",
        secret: "from[3]",
        backends: &["neon", "neon-sha3"],
        named: "Neon",
    },
    Place {
        file: "armv7.rs",
        function: "pub(crate) fn ntt_in_place<F: Field>(w: &mut [i32; N]) {",
        secret: "w[3]",
        backends: &["armv7"],
        named: "rmv7",
    },
];

/// A kind of leak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// A branch on a secret.
    Branch,
    /// A division of a secret.
    Division,
    /// An address that depends on a secret.
    Address,
}

impl Leak {
    /// The code of a leak of `secret`.
    fn code(self, secret: &str) -> String {
        let code = match self {
            Self::Branch => {
                "if core::hint::black_box(SECRET) & 1 == 1 { core::hint::black_box(1); }"
            }
            Self::Division => {
                "core::hint::black_box(1_000_u32 / (core::hint::black_box(SECRET) as u32 | 1));"
            }
            Self::Address => {
                "core::hint::black_box(core::hint::black_box(&[1_u8; 64])[(SECRET & 63) as usize]);"
            }
        };
        code.replace("SECRET", secret)
    }
}

/// Returns the place of leaks in a backend.
#[must_use]
pub fn place(backend: &str) -> Option<&'static Place> {
    PLACES
        .iter()
        .find(|place| place.backends.contains(&backend))
}

/// Copies the files that git tracks, as they are in the working tree.
pub fn copy_tree(tree: &Path, copy: &Path) -> Result<()> {
    let files = Command::new("git")
        .args(["ls-files", "-z", "Cargo.toml", "benches/emitted", "crates"])
        .current_dir(tree)
        .output()
        .context("cannot start git")?;
    ensure!(
        files.status.success(),
        "git cannot list the files of the tree"
    );
    let files = String::from_utf8(files.stdout)?;
    for file in files.split('\0').filter(|file| !file.is_empty()) {
        let to = copy.join(file);
        let text = std::fs::read(tree.join(file)).with_context(|| file.to_owned())?;
        // An unchanged file keeps its time, so cargo does not compile it again.
        if std::fs::read(&to).is_ok_and(|there| there == text) {
            continue;
        }
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&to, text)?;
    }
    Ok(())
}

/// Plants a leak in all places of a copy of the tree, without other leaks.
pub fn plant(tree: &Path, copy: &Path, leak: Leak) -> Result<()> {
    copy_tree(tree, copy)?;
    for place in &PLACES {
        let Place { function, file, .. } = place;
        let path = copy.join("crates/core/src/backend").join(file);
        let text = std::fs::read_to_string(&path)?;
        ensure!(text.contains(function), "{file} has no {function}");
        let leak = leak.code(place.secret);
        let text = text.replace(function, &format!("{function}\n{leak}"));
        std::fs::write(&path, text)?;
    }
    Ok(())
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Branch => "branch on a secret",
            Self::Division => "division of a secret",
            Self::Address => "address from a secret",
        })
    }
}
