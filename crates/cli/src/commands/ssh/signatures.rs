//! The calls of `ssh-keygen -Y`, which git makes of the program that `gpg.ssh.program` names.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use moissanite_composite::SysRng;
use moissanite_ssh::{
    AllowedSigners, Error as SshError, Hash, Instant, LineError, Message as Hashed, MessageHash,
    PrivateKey, PublicKey, SshSignature, limits,
};
use zeroize::Zeroizing;

use crate::clock;
use crate::display::one_line;
use crate::error::Error;
use crate::input::{Message, Source};
use crate::output::{self, Output, Target};
use crate::passphrase::PassphraseArgs;

/// Sign and verify as ssh-keygen does, for git
///
/// git calls this if gpg.ssh.program names moissanite. The options are those of ssh-keygen.
#[derive(Debug, Parser)]
#[command(
    name = "moissanite",
    disable_version_flag = true,
    after_help = "\
Examples:
  moissanite -Y sign -n file -f ~/.ssh/id_mldsa44_ed25519 letter.txt
  moissanite -Y verify -n file -f allowed_signers -I alice@example.com -s letter.txt.sig < letter.txt"
)]
pub(crate) struct Signatures {
    /// What to do
    #[arg(short = 'Y', value_name = "OPERATION", value_enum)]
    operation: Operation,
    /// The namespace: what the signature is for, such as git or file
    #[arg(short = 'n', value_name = "NAMESPACE")]
    namespace: Option<String>,
    /// The key for sign, and otherwise the list of allowed signers
    #[arg(short = 'f', value_name = "FILE")]
    file: Option<PathBuf>,
    /// The signature
    #[arg(short = 's', value_name = "FILE")]
    signature: Option<PathBuf>,
    /// The principal who should have signed
    #[arg(short = 'I', value_name = "PRINCIPAL")]
    principal: Option<String>,
    /// A list of revoked public keys, one in a line
    #[arg(short = 'r', value_name = "FILE")]
    revoked: Option<PathBuf>,
    /// hashalg=sha256, hashalg=sha512 or verify-time=YYYYMMDD[HHMM[SS]][Z]
    #[arg(short = 'O', value_name = "OPTION")]
    option: Vec<String>,
    /// Refused: the key would be in an agent
    #[arg(short = 'U')]
    agent: bool,
    /// Print nothing but errors
    #[arg(short = 'q')]
    quiet: bool,
    /// Without effect
    #[arg(short = 'v', action = clap::ArgAction::Count)]
    verbose: u8,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// The files to sign; without any, standard input is signed to standard output
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Operation {
    /// Sign files: each signature is written to the name of its file with .sig
    Sign,
    /// Verify the signature of standard input by an allowed signer
    Verify,
    /// Print the principals whose key made a signature
    FindPrincipals,
    /// Print the principals of the list that match the one of -I
    MatchPrincipals,
    /// Verify the signature of standard input by any key
    CheckNovalidate,
}

/// Whether the arguments of the program are those of `ssh-keygen -Y`.
pub(crate) fn is_meant(arguments: &[OsString]) -> bool {
    let first = arguments.get(1).and_then(|argument| argument.to_str());
    first.is_some_and(|argument| argument.starts_with("-Y"))
}

/// Runs the command.
pub(crate) fn run(args: &Signatures) -> Result<(), Error> {
    let options = Options::parse(&args.option)?;
    match args.operation {
        Operation::Sign => sign(args, &options),
        Operation::Verify => verify(args, &options),
        Operation::FindPrincipals => find_principals(args, &options),
        Operation::MatchPrincipals => match_principals(args),
        Operation::CheckNovalidate => check(args),
    }
}

/// The values of `-O`.
#[derive(Default)]
struct Options {
    hash: Hash,
    at: Option<Instant>,
}

impl Options {
    fn parse(options: &[String]) -> Result<Self, Error> {
        let mut parsed = Self::default();
        for option in options {
            match option.split_once('=') {
                Some(("hashalg", "sha256")) => parsed.hash = Hash::Sha256,
                Some(("hashalg", "sha512")) => parsed.hash = Hash::Sha512,
                Some(("verify-time", time)) => {
                    let time = clock::parse(time);
                    parsed.at = Some(time.map_err(|error| Error::Usage(format!("-O: {error}")))?);
                }
                _ => {
                    return Err(Error::Usage(
                        "-O takes hashalg=sha256, hashalg=sha512 or verify-time=YYYYMMDD".into(),
                    ));
                }
            }
        }
        Ok(parsed)
    }

    fn at(&self) -> Result<Instant, Error> {
        let now = || clock::now().map_err(|error| Error::Fault(error.to_string()));
        self.at.map_or_else(now, Ok)
    }
}

/// Returns the value of an option that the operation requires.
fn required<'a, T: ?Sized>(value: Option<&'a T>, option: &str) -> Result<&'a T, Error> {
    value.ok_or_else(|| Error::Usage(format!("{option} is missing")))
}

fn sign(args: &Signatures, options: &Options) -> Result<(), Error> {
    if args.agent {
        return Err(Error::Usage(
            "-U: keys in an agent are not supported; name the file of a private key, for git as user.signingKey".into(),
        ));
    }
    let namespace = required(args.namespace.as_deref(), "-n")?;
    let key = private_key(required(args.file.as_deref(), "-f")?, &args.passphrase)?;
    let sign = |source: &Source, target| {
        let hash = hash(source, options.hash)?;
        let signature = key.try_sign_with_rng(&mut SysRng, namespace, &hash);
        let text = signature.and_then(|signature| signature.to_pem());
        let text = text.map_err(|error| Error::Usage(error.to_string()))?;
        let output = Output {
            target,
            bytes: text.as_bytes(),
            secret: false,
            text: true,
        };
        // ssh-keygen asks before it overwrites a file, and git makes a new one for each call.
        output::write(&[output], false)
    };
    if args.files.is_empty() {
        return sign(&Source::Stdin, Target::Stdout);
    }
    for file in &args.files {
        let source = Source::new(file);
        let target = match source {
            Source::Stdin => Target::Stdout,
            _ => {
                let mut name = file.clone().into_os_string();
                name.push(".sig");
                Target::new(Some(name.as_ref()))
            }
        };
        sign(&source, target)?;
    }
    Ok(())
}

fn verify(args: &Signatures, options: &Options) -> Result<(), Error> {
    let namespace = required(args.namespace.as_deref(), "-n")?;
    let principal = required(args.principal.as_deref(), "-I")?;
    let signers = signers(args)?;
    let (signature, place) = signature(args)?;
    check_revoked(args, &signature)?;
    let hash = hash(&Source::Stdin, signature.hash())?;
    let at = options.at()?;
    match signers.verify(principal, namespace, &hash, &signature, at) {
        Ok(()) => good(args, &signature, &format!(" for {}", one_line(principal))),
        Err(error) => Err(Error::NotValid(format!("{place}: {error}"))),
    }
}

fn check(args: &Signatures) -> Result<(), Error> {
    let namespace = required(args.namespace.as_deref(), "-n")?;
    let (signature, place) = signature(args)?;
    check_revoked(args, &signature)?;
    let hash = hash(&Source::Stdin, signature.hash())?;
    match signature.verify(namespace, &hash) {
        Ok(()) => good(args, &signature, ""),
        Err(error) => Err(Error::NotValid(format!("{place}: {error}"))),
    }
}

/// Prints the line that git reads.
fn good(args: &Signatures, signature: &SshSignature, signer: &str) -> Result<(), Error> {
    if args.quiet {
        return Ok(());
    }
    output::print(&format!(
        "Good \"{}\" signature{signer} with MLDSA44-ED25519 key {}\n",
        signature.namespace(),
        signature.public_key().fingerprint()
    ))
}

fn find_principals(args: &Signatures, options: &Options) -> Result<(), Error> {
    let signers = signers(args)?;
    let (signature, place) = signature(args)?;
    let at = options.at()?;
    let found: Vec<_> = signers
        .principals(&signature, at)
        .flat_map(|patterns| patterns.split(','))
        .map(one_line)
        .collect();
    if found.is_empty() {
        return Err(Error::NotValid(format!(
            "{place}: no allowed signer has its key"
        )));
    }
    output::print(&(found.join("\n") + "\n"))
}

fn match_principals(args: &Signatures) -> Result<(), Error> {
    let principal = required(args.principal.as_deref(), "-I")?;
    let signers = signers(args)?;
    let found: Vec<_> = signers.matching(principal).map(one_line).collect();
    if found.is_empty() {
        return Err(Error::NotValid("no allowed signer matches".into()));
    }
    output::print(&(found.join("\n") + "\n"))
}

/// Hashes a message of any size.
fn hash(source: &Source, function: Hash) -> Result<MessageHash, Error> {
    let mut hashed = Hashed::new(function);
    Message::open(source)?.absorb(|piece| hashed.update(piece))?;
    Ok(hashed.finish())
}

/// Reads a text of at most `limit` bytes and one more, by which the parser notices that it is too long.
fn text(source: &Source, limit: usize) -> Result<Zeroizing<String>, Error> {
    let bytes = source.read_at_most(limit as u64 + 1)?;
    String::from_utf8(bytes)
        .map(Zeroizing::new)
        .map_err(|error| {
            drop(Zeroizing::new(error.into_bytes()));
            file_error(source, SshError::Encoding)
        })
}

fn file_error(source: &Source, error: SshError) -> Error {
    Error::file(source.place(), error)
}

fn signers(args: &Signatures) -> Result<AllowedSigners, Error> {
    let source = Source::new(required(args.file.as_deref(), "-f")?);
    let text = text(&source, limits::ALLOWED_SIGNERS)?;
    AllowedSigners::parse(&text).map_err(|error: LineError| Error::file(source.place(), error))
}

fn signature(args: &Signatures) -> Result<(SshSignature, String), Error> {
    let source = Source::new(required(args.signature.as_deref(), "-s")?);
    let text = text(&source, limits::SIGNATURE)?;
    let signature = SshSignature::from_pem(&text).map_err(|error| file_error(&source, error))?;
    Ok((signature, source.place()))
}

/// Reads a private key. The file of the public key, whose name ends in `.pub`, stands for the other one.
fn private_key(path: &Path, passphrase: &PassphraseArgs) -> Result<PrivateKey, Error> {
    let is_public = path.extension().is_some_and(|extension| extension == "pub");
    let path = if is_public {
        path.with_extension("")
    } else {
        path.to_owned()
    };
    let source = Source::new(&path);
    let text = text(&source, limits::KEY)?;
    let wrong = |error| file_error(&source, error);
    let key = match PrivateKey::from_openssh(&text) {
        Err(SshError::Encrypted) => {
            let passphrase = passphrase.ask(&source.place())?;
            PrivateKey::from_encrypted_openssh(&text, passphrase.as_bytes())
        }
        // git writes a literal user.signingKey to a file.
        Err(SshError::Pem) if PublicKey::from_openssh(&text).is_ok() => {
            return Err(Error::Usage(format!(
                "{} has a public key, and keys in an agent are not supported; name the file of a private key, for git as user.signingKey",
                source.place()
            )));
        }
        key => key,
    };
    key.map_err(wrong)
}

/// Refuses a signature by a revoked key.
fn check_revoked(args: &Signatures, signature: &SshSignature) -> Result<(), Error> {
    let Some(path) = &args.revoked else {
        return Ok(());
    };
    let source = Source::new(path);
    let list = text(&source, limits::ALLOWED_SIGNERS)?;
    let lines = list.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match PublicKey::from_openssh(line) {
            Ok(key) if key.verifying_key() == signature.public_key().verifying_key() => {
                return Err(Error::NotValid(
                    "the key of the signature is revoked".into(),
                ));
            }
            Ok(_) => (),
            // A key of another algorithm did not make this signature.
            Err(SshError::UnknownAlgorithm) if line.contains(" AAAA") => (),
            Err(error) => return Err(file_error(&source, error)),
        }
    }
    Ok(())
}
