//! `moissanite ssh keygen`.

use std::path::PathBuf;

use clap::Args;
use moissanite_composite::SysRng;
use moissanite_ssh::PrivateKey;

use crate::diagnostics::note;
use crate::error::Error;
use crate::output::{self, Output, Target};
use crate::passphrase::PassphraseArgs;
use crate::report::Report;

/// The rounds of bcrypt, as `ssh-keygen` makes.
const ROUNDS: u32 = 24;

#[derive(Debug, Args)]
#[command(after_help = "\
The private key is written to FILE, which only its owner can read, and the public key to FILE.pub. OpenSSH
10.6 and later can use both. The terminal asks for a passphrase; for an empty one, the key is not encrypted.

git signs commits and tags with this key after these commands:
  git config --global gpg.format ssh
  git config --global gpg.ssh.program moissanite
  git config --global user.signingKey ~/.ssh/id_mldsa44_ed25519

Example:
  moissanite ssh keygen --out ~/.ssh/id_mldsa44_ed25519 --comment alice@example.com")]
pub(crate) struct Keygen {
    /// The file of the private key
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The comment of the key, such as the address of its owner
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) comment: String,
    #[command(flatten)]
    pub(crate) passphrase: PassphraseArgs,
    /// Do not encrypt the key
    #[arg(long, conflicts_with = "passphrase_file")]
    pub(crate) no_passphrase: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Keygen, report: &mut Report) -> Result<(), Error> {
    let mut public_out = args.out.clone().into_os_string();
    public_out.push(".pub");
    let out = Target::new(Some(&args.out));
    if out == Target::Stdout {
        return Err(Error::Usage(
            "standard output cannot take both keys; name a file with --out".into(),
        ));
    }
    let public_out = Target::new(Some(public_out.as_ref()));
    for target in [&out, &public_out] {
        report.check(target)?;
        output::check(target, args.force, true)?;
    }
    let key = PrivateKey::try_generate(&mut SysRng)
        .map_err(|error| Error::Randomness(error.to_string()))?
        .with_comment(&args.comment)
        .map_err(|error| Error::Usage(format!("--comment: {error}")))?;
    let passphrase = if args.no_passphrase {
        zeroize::Zeroizing::default()
    } else {
        args.passphrase.choose()?
    };
    let text = if passphrase.is_empty() {
        key.to_openssh()
    } else {
        key.to_encrypted_openssh(&mut SysRng, passphrase.as_bytes(), ROUNDS)
            .map(Into::into)
    };
    let text = text.map_err(|error| Error::Fault(error.to_string()))?;
    let line = key.public_key().to_openssh() + "\n";
    let fingerprint = key.public_key().fingerprint().to_string();
    report.data("algorithm", "ssh-mldsa44-ed25519");
    report.data("fingerprint", fingerprint.as_str());
    report.data("private_key", out.place());
    report.data("public_key", public_out.place());
    report.data("encrypted", !passphrase.is_empty());
    let outputs = [
        Output {
            target: public_out,
            bytes: line.as_bytes(),
            secret: false,
            text: true,
        },
        Output {
            target: out,
            bytes: text.as_bytes(),
            secret: true,
            text: true,
        },
    ];
    output::write(&outputs, args.force)?;
    note(&format!("the fingerprint is {fingerprint}"));
    Ok(())
}
