//! `cargo xtask passphrase-interop` exchanges private keys that a passphrase protects with other implementations,
//! in both directions.
//!
//! Each counterpart is a program in benches/interop/passphrases. It reads the keys that the command `moissanite`
//! writes, fails if one of them is wrong, and writes its own keys in several ways. The command reads them, or
//! refuses them with the reason.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};

use crate::counterpart::{Counterpart, PYTHON};
use crate::process;

const FOLDER: &str = "benches/interop/passphrases";
const PASSPHRASE: &str = "ein Paßwort";
const ALGORITHMS: [&str; 4] = ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "ed25519"];

/// Another implementation.
struct Peer {
    program: Counterpart,
    /// The ways in which it encrypts the key of each algorithm, and what the command says if it does not read
    /// such a key.
    schemes: &'static [(&'static str, Option<&'static str>)],
}

const PEERS: [Peer; 2] = [
    Peer {
        program: Counterpart {
            name: "cryptography",
            tools: &["python3"],
            commands: PYTHON,
        },
        schemes: &[("best", None)],
    },
    Peer {
        program: Counterpart {
            name: "bouncycastle",
            tools: &["java", "mvn"],
            commands: &[
                &[
                    "mvn",
                    "-q",
                    "-B",
                    "dependency:copy-dependencies",
                    "-DoutputDirectory=packages",
                ],
                &["java", "-cp", "packages/*", "Main.java"],
            ],
        },
        schemes: &[
            ("default", None),
            ("aes-128", None),
            ("aes-192", None),
            ("sha-1", None),
            ("sha-224", None),
            ("sha-256", None),
            ("sha-384", None),
            ("sha-512", None),
            ("scrypt", None),
            // A salt of 64 bytes, and AES-GCM with the parameters of RFC 5084.
            ("long-salt", Some("the parameters of PBES2")),
            ("gcm", Some("the parameters of PBES2")),
            // HMAC with SHA3-256, DES-EDE3-CBC, and the key derivation of PKCS#12.
            ("sha3-256", Some("2.16.840.1.101.3.4.2.14")),
            ("3des", Some("1.2.840.113549.3.7")),
            ("pkcs12", Some("1.2.840.113549.1.12.1.3")),
        ],
    },
];

/// Exchanges keys with each counterpart whose tools are there.
pub(crate) fn run() -> Result<()> {
    let folder = process::target_directory()?.join("passphrase-interop");
    process::make_empty(&folder)?;
    let ours = folder.join("ours");
    fs::create_dir(&ours)?;
    fs::write(ours.join("passphrase"), PASSPHRASE)?;
    fs::write(ours.join("wrong"), "ein Passwort")?;
    let moissanite = Moissanite::build(&ours)?;
    for algorithm in ALGORITHMS {
        moissanite.write(algorithm)?;
    }
    for peer in &PEERS {
        if !peer.program.is_available() {
            continue;
        }
        let name = peer.program.name;
        let work = folder.join(name);
        let theirs = work.join("theirs");
        fs::create_dir_all(&theirs)?;
        peer.program.run(FOLDER, &work, &[&ours, &theirs])?;
        for algorithm in ALGORITHMS {
            for (scheme, reason) in peer.schemes {
                for encoding in ["pem", "der"] {
                    let key = theirs.join(format!("{algorithm}.{scheme}.{encoding}"));
                    let public = theirs.join(format!("{algorithm}.public.pem"));
                    let context = || key.display().to_string();
                    moissanite
                        .read(&key, &public, *reason)
                        .with_context(context)?;
                }
            }
        }
        let refused = peer.schemes.iter().filter(|scheme| scheme.1.is_some());
        println!(
            "passphrase-interop: {name} reads our keys, and we read those that it encrypts in {} of {} ways",
            peer.schemes.len() - refused.count(),
            peer.schemes.len()
        );
    }
    Ok(())
}

/// The command, and the folder with its keys.
struct Moissanite<'a> {
    program: PathBuf,
    folder: &'a Path,
}

impl<'a> Moissanite<'a> {
    fn build(folder: &'a Path) -> Result<Self> {
        let mut cargo = process::cargo(["build", "--quiet", "--release", "--locked"]);
        process::run(cargo.args(["--bin", "moissanite"]))?;
        let program = process::target_directory()?.join("release/moissanite");
        Ok(Self { program, folder })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(self.folder);
        command
    }

    /// Writes the two keys of an algorithm, the private one in PEM and in DER.
    fn write(&self, algorithm: &str) -> Result<()> {
        let (pem, der) = (format!("{algorithm}.pem"), format!("{algorithm}.der"));
        let public = format!("{algorithm}.public.pem");
        let mut keygen = self.command(&["keygen", algorithm, "--passphrase-file", "passphrase"]);
        process::run(keygen.args(["--out", &pem, "--public-out", &public]))?;
        let mut convert = self.command(&["convert", &pem, "--passphrase-file", "passphrase"]);
        convert.args(["--new-passphrase-file", "passphrase"]);
        process::run(convert.args(["--format", "der", "--out", &der]))
    }

    /// Checks that a key opens with the passphrase alone and belongs to the public key; or that it is refused
    /// with the reason.
    fn read(&self, key: &Path, public: &Path, reason: Option<&str>) -> Result<()> {
        let open = |passphrase| -> Result<Output> {
            let mut convert =
                self.command(&["convert", "--public", "--passphrase-file", passphrase]);
            Ok(convert.arg(key).output()?)
        };
        let (right, wrong) = (open("passphrase")?, open("wrong")?);
        let message = String::from_utf8_lossy(&right.stderr);
        ensure!(
            !wrong.status.success() && wrong.stdout.is_empty(),
            "it opens with another passphrase"
        );
        if let Some(reason) = reason {
            ensure!(!right.status.success(), "it is not refused");
            ensure!(
                message.contains("in a way that this command does not support")
                    && message.contains(reason),
                "another reason: {message}"
            );
            return Ok(());
        }
        ensure!(right.status.success(), "{message}");
        ensure!(right.stdout == fs::read(public)?, "another public key");
        Ok(())
    }
}
