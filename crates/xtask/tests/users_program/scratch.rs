//! A user's program: a scratch crate with a workspace, a profile and a target directory of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

const MANIFEST: &str = r#"
[package]
name = "NAME"
edition = "2024"
[workspace]
[dependencies]
PACKAGE = { path = "PATH", default-features = false, features = FEATURES }
[profile.dev]
opt-level = 0
[profile.release]
opt-level = 3
"#;

/// A crate that depends on one of this workspace's.
pub(crate) struct Scratch {
    name: String,
    folder: PathBuf,
}

impl Scratch {
    /// Makes a crate whose program is `main`, with the versions of the workspace's lock file.
    pub(crate) fn new(package: &str, features: &[&str], purpose: &str, main: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = package.strip_prefix("moissanite-").unwrap_or(package);
        let path = root.join("crates").join(folder);
        let name = format!("scratch-{package}-{purpose}");
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
        std::fs::create_dir_all(scratch.join("src")).unwrap();
        let manifest = MANIFEST
            .replace("NAME", &name)
            .replace("PACKAGE", package)
            .replace("PATH", &path.to_str().unwrap().replace('\\', "/"))
            .replace("FEATURES", &format!("{features:?}"));
        std::fs::write(scratch.join("Cargo.toml"), manifest).unwrap();
        std::fs::copy(root.join("Cargo.lock"), scratch.join("Cargo.lock")).unwrap();
        let folder = scratch;
        let scratch = Self { name, folder };
        scratch.write("main.rs", main);
        scratch
    }

    /// Writes a file of the crate's code.
    pub(crate) fn write(&self, file: &str, text: &str) {
        std::fs::write(self.folder.join("src").join(file), text).unwrap();
    }

    /// The program, once it is built with a profile.
    pub(crate) fn program(&self, profile: &str) -> PathBuf {
        let directory = if profile == "dev" { "debug" } else { profile };
        let program = format!("{}{}", self.name, std::env::consts::EXE_SUFFIX);
        self.target().join(directory).join(program)
    }

    /// The scratch crates share a target directory, so that common dependencies are built once.
    fn target(&self) -> PathBuf {
        self.folder.with_file_name("scratch-target")
    }

    /// Returns a command for cargo without the settings of the cargo that runs this test.
    pub(crate) fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([command, "--offline", "--quiet", "--target-dir"]);
        cargo.arg(self.target()).current_dir(&self.folder);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PROFILE_")
                || text.starts_with("CARGO_BUILD_")
                || text.contains("RUSTFLAGS")
            {
                cargo.env_remove(&name);
            }
        }
        cargo
    }
}
