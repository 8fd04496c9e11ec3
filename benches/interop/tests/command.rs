//! The command `moissanite`, built once.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The release build, which earlier steps of `.ci/run` have made.
fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let build = Command::new(env!("CARGO"))
            .args([
                "build",
                "--quiet",
                "--release",
                "--locked",
                "--bin",
                "moissanite",
            ])
            .current_dir(&root)
            .status();
        assert!(build.expect("cargo runs").success(), "the command builds");
        let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let target = target.unwrap_or_else(|| root.join("target"));
        target.join("release").join("moissanite")
    })
}

/// A folder in which the command runs. It is removed when this is dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// The name is unique among the tests.
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// Returns whether the command succeeds, and its output.
    pub fn run(&self, arguments: &str) -> (bool, String) {
        let arguments = arguments.split_whitespace();
        let output = Command::new(binary())
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("runs");
        let text = [output.stdout, output.stderr].concat();
        (
            output.status.success(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    }

    /// Runs the command, which must succeed.
    pub fn ok(&self, arguments: &str) {
        let (ended_well, text) = self.run(arguments);
        assert!(ended_well, "{arguments}: {text}");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), bytes).expect("written");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).expect("read")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
