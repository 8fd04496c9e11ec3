//! Helpers that the tests of the command share.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    dead_code,
    unreachable_pub,
    reason = "a test fails by panicking, and uses what it needs"
)]

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use tempfile::TempDir;

/// All algorithms.
pub const ALGORITHMS: [&str; 10] = [
    "ml-dsa-44",
    "ml-dsa-65",
    "ml-dsa-87",
    "dilithium2",
    "dilithium3",
    "dilithium5",
    "zkdilithium",
    "ed25519",
    "ml-dsa-44-ed25519",
    "ml-dsa-65-ed25519",
];

/// A folder in which the command runs.
pub struct Folder(TempDir);

/// The result of a run.
pub struct Ended {
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A folder with a key of ML-DSA-44, a file, and a signature of it.
    pub fn signed() -> Self {
        let folder = Self::new();
        folder.keygen("ml-dsa-44", "key.pem", "public.pem");
        folder.write("file", b"a message");
        folder.ok("sign --key key.pem --in file --out file.sig");
        folder
    }

    pub fn keygen(&self, algorithm: &str, private: &str, public: &str) {
        self.ok(&format!(
            "keygen {algorithm} --out {private} --public-out {public}"
        ));
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    /// The names of everything in the folder.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<_> = entries.map(|e| name(e).into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moissanite"));
        command
            .current_dir(self.0.path())
            .env_remove("MOISSANITE_BACKEND");
        command
    }

    /// Runs the command, and checks the properties of every result.
    pub fn run_args<A: AsRef<OsStr>>(&self, args: &[A], stdin: &[u8]) -> Ended {
        let output = self
            .command()
            .args(args)
            .write_stdin(stdin)
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let status = output
            .status
            .code()
            .unwrap_or_else(|| panic!("killed: {stderr}"));
        assert!((0..=2).contains(&status), "{status}: {stderr}");
        for line in stderr.lines() {
            assert!(line.starts_with("moissanite: "), "{stderr}");
        }
        let errors = stderr
            .lines()
            .filter(|line| !line.starts_with("moissanite: warning: "))
            .filter(|line| !line.starts_with("moissanite: note: "));
        assert_eq!(errors.count(), usize::from(status != 0), "{stderr}");
        Ended {
            status,
            stdout: output.stdout,
            stderr,
        }
    }

    /// Runs the command with arguments that contain no spaces.
    pub fn run(&self, args: &str) -> Ended {
        self.run_with(args, b"")
    }

    pub fn run_with(&self, args: &str, stdin: &[u8]) -> Ended {
        let args: Vec<_> = args.split_whitespace().collect();
        self.run_args(&args, stdin)
    }

    /// Runs the command, which has to succeed, and returns its standard output.
    pub fn ok(&self, args: &str) -> Vec<u8> {
        self.ok_with(args, b"")
    }

    pub fn ok_with(&self, args: &str, stdin: &[u8]) -> Vec<u8> {
        let ended = self.run_with(args, stdin);
        assert_eq!(ended.status, 0, "{args}: {}", ended.stderr);
        ended.stdout
    }

    pub fn ok_text(&self, args: &str) -> String {
        String::from_utf8(self.ok(args)).unwrap()
    }

    /// Runs the command, which has to end with this status and this message, and without output.
    #[track_caller]
    pub fn fails(&self, status: i32, args: &str, says: &str) {
        self.fails_with(status, args, b"", says);
    }

    #[track_caller]
    pub fn fails_with(&self, status: i32, args: &str, stdin: &[u8], says: &str) {
        let ended = self.run_with(args, stdin);
        assert_eq!(ended.status, status, "{args}: {}", ended.stderr);
        assert!(ended.stderr.contains(says), "{args}: {}", ended.stderr);
        assert!(ended.stdout.is_empty(), "{args}");
    }
}
