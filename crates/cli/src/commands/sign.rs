//! `moissanite sign`.

mod folder;
mod signer;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use self::signer::{Signer, SignerArgs};
use super::options::MuArgs;
use crate::backend::Backend;
use crate::error::Error;
use crate::input::{Message, Source};
use crate::output::{Output, Target};
use crate::report::Report;
use crate::signature;

#[derive(Debug, Args)]
#[command(after_help = "\
The signature of FILE is written to FILE.sig, and that of --in or standard input to --out or standard
output. All signatures are written or none. A signature is raw bytes, or text with --armor. Signing is
hedged: each signature depends on fresh randomness, so two signatures of the same file differ. The private
key is in PEM, DER or raw format, or one of the last two in base64 or hex; a warning is printed if others
can read its file. In PEM text, spaces or the two characters \\n can replace the line breaks, and the line
breaks can be missing.

--recursive writes DIR/SHA512SUMS, a list of the SHA-512 hashes of all files that `sha512sum -c` reads too,
and its signature DIR/SHA512SUMS.sig. Symbolic links are recorded and not followed; empty folders and
permissions are not recorded.

Examples:
  moissanite sign --key key.pem letter.txt photo.png
  moissanite sign --key key.pem --in letter.txt --out letter.sig
  tar c folder | moissanite sign --key key.pem --context backup > folder.sig
  moissanite sign --key key.pem --armor --recursive folder")]
pub(crate) struct Sign {
    /// The messages; '-' is standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["input", "recursive"])]
    pub(crate) files: Vec<PathBuf>,
    /// The message [default: -, if there is no FILE]
    #[arg(long = "in", value_name = "FILE", conflicts_with = "recursive")]
    pub(crate) input: Option<PathBuf>,
    /// The file of the signature [default: FILE.sig, or - without FILE]
    #[arg(long, value_name = "FILE", conflicts_with = "recursive")]
    pub(crate) out: Option<PathBuf>,
    /// Sign all files below this folder: write SHA512SUMS and SHA512SUMS.sig there
    #[arg(long, value_name = "DIR")]
    pub(crate) recursive: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) signer: SignerArgs,
    #[command(flatten)]
    pub(crate) mu: MuArgs,
}

/// Runs the command.
pub(crate) fn run(args: &Sign, backend: Backend, report: &mut Report) -> Result<(), Error> {
    match &args.recursive {
        Some(folder) => folder::run(&args.signer, folder, backend, report),
        None => messages(args, backend, report),
    }
}

/// Signs messages, or a μ.
fn messages(args: &Sign, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let (sources, targets) = sources_and_targets(args)?;
    let mut signer = Signer::new(&args.signer, &sources, &targets, backend, report)?;
    let signatures = if let Some(mu) = args.mu.read()? {
        vec![signer.sign_mu(&mu)?]
    } else {
        if sources.len() > 1 {
            signer.key.prepare();
        }
        let sign = |source| signer.sign(Message::open(source)?);
        sources.iter().map(sign).collect::<Result<Vec<_>, _>>()?
    };
    let all = targets.iter().zip(&signatures);
    let outputs = all.map(|(target, bytes)| Output {
        target: target.clone(),
        bytes,
        secret: false,
        text: args.signer.armor,
    });
    let outputs: Vec<_> = outputs.collect();
    let field = |output: &Output<'_>| (output.target.place(), output.bytes.len());
    if args.files.is_empty() {
        for (place, length) in outputs.iter().map(field) {
            report.data("signature", place);
            report.data("signature_length", length);
        }
    } else {
        let files = sources
            .iter()
            .map(Source::place)
            .zip(outputs.iter().map(field));
        let files = files.map(|(file, (signature, length))| {
            json!({ "file": file, "signature": signature, "signature_length": length })
        });
        report.data("files", files.collect::<Vec<_>>());
    }
    signer.write(&outputs, args.signer.force)
}

/// The source of each message or of the μ, and the target of each signature.
fn sources_and_targets(args: &Sign) -> Result<(Vec<Source>, Vec<Target>), Error> {
    if args.out.is_some() && args.files.len() > 1 {
        return Err(Error::Usage(
            "--out takes one signature, and there are several messages; without it, the signature of FILE is written to FILE.sig"
                .into(),
        ));
    }
    let out = Target::new(args.out.as_deref());
    if args.mu.is_given() {
        return Ok((args.mu.source().into_iter().collect(), vec![out]));
    }
    if args.files.is_empty() {
        let input = args.input.as_deref().unwrap_or(Path::new("-"));
        return Ok((vec![Source::new(input)], vec![out]));
    }
    let sources: Vec<_> = args.files.iter().map(|file| Source::new(file)).collect();
    let targets = match (&args.out, sources.as_slice()) {
        (Some(_), _) => vec![out],
        (None, all) => all.iter().map(beside).collect(),
    };
    Ok((sources, targets))
}

/// FILE.sig, or standard output for standard input.
fn beside(source: &Source) -> Target {
    match source {
        Source::Stdin => Target::Stdout,
        Source::File(path) => Target::File(signature::beside(path)),
    }
}
