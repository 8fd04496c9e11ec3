//! The command line.

pub(crate) mod cert;

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use moissanite::keys::PrivateKeyForm;

use crate::algorithm::{self, Algorithm, Framing};
use crate::error::Error;
use crate::hash::Hash;
use crate::keyfile::What;
use crate::message::Source;

/// Signatures that outlive quantum computers: ML-DSA (FIPS 204) and its family
#[derive(Debug, Parser)]
#[command(
    name = "moissanite",
    version,
    after_help = "\
Examples:
  moissanite keygen ml-dsa-65 --out key.pem --public-out public.pem
  moissanite sign --key key.pem --in letter.txt --out letter.sig
  moissanite verify --key public.pem --signature letter.sig --in letter.txt
  moissanite demo letter.txt

Exit status: 0 done or valid, 1 the signature is not valid, 2 bad usage or bad input.
'-' is standard input or output. An output is written whole or not at all, and never over an input.

Limits: a key, certificate or request has at most 1 MiB, a signature 64 KiB, an ACVP prompt 32 MiB.
A message can have any size; Ed25519 holds one that is not a regular file in memory, up to 64 MiB."
)]
pub(crate) struct Cli {
    /// Force a backend, one of those that `moissanite bench` lists [env: MOISSANITE_BACKEND]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) backend: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a key
    Keygen(Keygen),
    /// Sign a file of any size
    Sign(Sign),
    /// Verify a signature; exit status 1 if it is not valid
    Verify(Verify),
    /// Say what a key, a signature, a certificate or a request is, and whether it is consistent
    Inspect(Inspect),
    /// Write a key in another form or format
    Convert(Convert),
    /// Make, request, issue and verify certificates (X.509)
    #[command(subcommand)]
    Cert(cert::Cert),
    /// The table of algorithms: category, sizes in bytes
    Algorithms,
    /// Answer NIST's ACVP test vectors for ML-DSA
    Acvp(Acvp),
    /// Measure on this machine, on every backend that the CPU has
    Bench(Bench),
    /// Make a key, sign a file, verify, change one bit, see the refusal
    Demo(Demo),
}

/// How keys are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text: PKCS#8 and SubjectPublicKeyInfo in base64
    Pem,
    /// PKCS#8 and SubjectPublicKeyInfo in bytes
    Der,
    /// The bytes of the scheme itself
    Raw,
}

impl Format {
    /// For an algorithm, unless another one was asked for.
    pub(crate) fn default_for(algorithm: Algorithm) -> Self {
        match algorithm.oid() {
            Some(_) => Self::Pem,
            None => Self::Raw,
        }
    }
}

/// What is written of a private key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// The 32 bytes from which the key is made: the form to prefer
    Seed,
    /// The expanded key of FIPS 204, from which the seed cannot be had back
    Expanded,
    /// Both
    Both,
}

impl From<Form> for PrivateKeyForm {
    fn from(form: Form) -> Self {
        match form {
            Form::Seed => Self::Seed,
            Form::Expanded => Self::Expanded,
            Form::Both => Self::Both,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
A private key in PEM or DER holds its seed, in raw format its expanded form. Its file is for its
owner only (mode 0600). Without --out, the private key goes to standard output, and a warning says if
that is a file which others can read. Both files are written, or none.

Example:
  moissanite keygen ml-dsa-65 --out key.pem --public-out public.pem")]
pub(crate) struct Keygen {
    /// One of those that `moissanite algorithms` lists: ml-dsa-65, for example
    #[arg(value_parser = algorithm::parse)]
    pub(crate) algorithm: Algorithm,
    /// Make the key of this seed, 64 hex digits (128 for two keys in one), which stay behind in the history of the shell
    #[arg(long, value_name = "HEX")]
    pub(crate) seed: Option<String>,
    /// Write the private key here
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write the public key here
    #[arg(long, value_name = "FILE")]
    pub(crate) public_out: Option<PathBuf>,
    /// How to write them: pem, or raw where the algorithm has nothing else
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
}

/// What is signed besides the message.
#[derive(Debug, Args)]
pub(crate) struct FramingArgs {
    /// The context in which the signature is valid, at most 255 bytes
    #[arg(long, value_name = "STRING")]
    context: Option<String>,
    /// The context in hex
    #[arg(long, value_name = "HEX", conflicts_with = "context")]
    context_hex: Option<String>,
    /// HashML-DSA: hash the message first. SHA2-512, SHA3-512 and SHAKE-256 go with every set, SHA2-384
    /// and SHA3-384 with ML-DSA-65 and -44, SHA2-256, SHA2-512/256, SHA3-256 and SHAKE-128 with
    /// ML-DSA-44; weaker ones are refused
    #[arg(long, value_name = "HASH")]
    prehash: Option<String>,
}

impl FramingArgs {
    pub(crate) fn framing(&self) -> Result<Framing, Error> {
        let context = match (&self.context, &self.context_hex) {
            (Some(text), _) => text.clone().into_bytes(),
            (None, Some(text)) => hex::decode(text).map_err(|_| {
                Error::Usage("--context-hex is not hex, two digits for a byte".into())
            })?,
            (None, None) => Vec::new(),
        };
        if context.len() > 255 {
            return Err(Error::Usage(format!(
                "the context has {} bytes; FIPS 204 allows at most 255, so sign a hash of it instead",
                context.len()
            )));
        }
        let prehash = self.prehash.as_deref().map(Hash::parse).transpose()?;
        Ok(Framing { context, prehash })
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Signatures are raw bytes. They are hedged: each mixes in fresh randomness, so that no two of the
same file are the same. The key is a private key in PEM, DER or raw; a warning says if others can read
its file. In PEM, line breaks may have become spaces or the two characters \\n, or be gone.

Examples:
  moissanite sign --key key.pem --in letter.txt --out letter.sig
  tar c folder | moissanite sign --key key.pem --context backup > folder.sig")]
pub(crate) struct Sign {
    /// The private key
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// The message
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    pub(crate) input: PathBuf,
    /// Write the signature here
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) framing: FramingArgs,
    /// No randomness: the same signature each time. Hedged signatures are harder to attack by faults
    #[arg(long)]
    pub(crate) deterministic: bool,
    /// The algorithm of a raw key, needed where its length fits several, as that of a seed does
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 valid; 1 not valid, also where the signature has the wrong length; 2 anything else,
such as a damaged key. Context and pre-hash have to be those of signing.

Example:
  moissanite verify --key public.pem --signature letter.sig --in letter.txt")]
pub(crate) struct Verify {
    /// The public key
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// The signature
    #[arg(long, value_name = "FILE")]
    pub(crate) signature: PathBuf,
    /// The message
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) framing: FramingArgs,
    /// The algorithm of a raw key, needed where its length fits several
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
}

/// What raw bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A private key: its seed or its expanded form
    Private,
    /// A public key
    Public,
    /// A signature
    Signature,
}

impl From<Kind> for What {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Private => Self::PrivateKey,
            Kind::Public => Self::PublicKey,
            Kind::Signature => Self::Signature,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
The fingerprint of a key is the SHA-256 of the public key's SubjectPublicKeyInfo in DER, so that it is
the same for a private key, its public key and a certificate of it; of a key that never is in a
document, the SHA-256 of its bytes. A certificate has one of its own, that of its DER.")]
pub(crate) struct Inspect {
    /// A key in PEM, DER or raw, a certificate or a request in PEM or DER, or a signature
    pub(crate) file: PathBuf,
    /// The algorithm of a raw key or a signature, needed where its length fits several
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
    /// What raw bytes are, needed where their number fits several, as 32 does for Ed25519
    #[arg(long, value_enum)]
    pub(crate) kind: Option<Kind>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Without --form, a private key is written as its seed if it has one (in raw format expanded), else
expanded. Of a certificate, its public key is written.

Examples:
  moissanite convert key.pem --form both --format der --out key.der
  moissanite convert key.pem --public > public.pem")]
pub(crate) struct Convert {
    /// The key
    pub(crate) file: PathBuf,
    /// What to write of a private key
    #[arg(long, value_enum, conflicts_with = "public")]
    pub(crate) form: Option<Form>,
    /// Write the public key of a private key
    #[arg(long)]
    pub(crate) public: bool,
    /// How to write it: pem, or raw where the algorithm has nothing else
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Write it here
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
    /// The algorithm of a raw key, needed where its length fits several, as that of a seed does
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
    /// What a raw key is, needed where its length fits several, as 32 bytes do for Ed25519
    #[arg(long, value_enum)]
    pub(crate) kind: Option<Kind>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Reads the prompt of a vector set of the modes keyGen, sigGen and sigVer (revision FIPS204, for sigGen
also FIPS204-tr1; test type AFT), alone or in the array with acvVersion, and writes the response in
the same shape. A case that cannot be answered ends it all with exit status 2. In sigVer, a signature
or key of the wrong length, or a context above 255 bytes, fails its test. In sigGen, absent
randomness is 32 zeros, unless the group says that it is not deterministic: then it is fresh.

Limits of a prompt: 32 MiB, 4096 tests, 262144 JSON values, 127 of them inside each other.")]
pub(crate) struct Acvp {
    /// The prompt
    #[arg(value_name = "PROMPT.json", default_value = "-")]
    pub(crate) prompt: PathBuf,
    /// Write the response here
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The key and the messages are the same each time. The Keccak budget is what hashing alone would cost
an operation on this backend: permutations that can run side by side, as many at once as the backend
has lanes, and those that must wait for one another, times the measured time of one. The ratio is that
of the median to the budget; of the mean for signing, whose number of attempts varies.")]
pub(crate) struct Bench {
    /// Which; all of them without any
    #[arg(value_parser = algorithm::parse)]
    pub(crate) algorithm: Vec<Algorithm>,
    /// Repetitions of every operation
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) n: u32,
    /// Machine-readable
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The file to sign, a regular one as it is read several times; it is only read
    pub(crate) file: PathBuf,
    /// With which algorithm
    #[arg(long, default_value = "ml-dsa-65", value_parser = algorithm::parse)]
    pub(crate) algorithm: Algorithm,
}

/// The sources of several arguments, of which one at most is standard input.
pub(crate) fn sources<const N: usize>(paths: [&Path; N]) -> Result<[Source; N], Error> {
    let sources = paths.map(Source::new);
    let standard = sources.iter().filter(|source| **source == Source::Stdin);
    if standard.count() > 1 {
        return Err(Error::Usage(
            "only one input can come from standard input; name a file for the others (--in for the message)".into(),
        ));
    }
    Ok(sources)
}
