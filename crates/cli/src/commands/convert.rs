//! `moissanite convert`.

use std::path::PathBuf;

use clap::Args;
use moissanite::keys::PrivateKeyForm;
use zeroize::Zeroizing;

use super::options::{Form, Kind, warn_of_unused_backend};
use crate::algorithm;
use crate::algorithm::scheme::Algorithm;
use crate::backend::Backend;
use crate::certificate::parsed::ParsedCertificate;
use crate::certificate::request::ParsedRequest;
use crate::error::Error;
use crate::fingerprint;
use crate::identity;
use crate::input::Source;
use crate::key_error::{KeyError, What};
use crate::keyfile::{Encoding, Expected, KeyFile, encode_private, encode_public};
use crate::output::{self, Output, Target};
use crate::passphrase::{PassphraseArgs, for_encryption};
use crate::report::Report;

#[derive(Debug, Args)]
#[command(after_help = "\
Without --form, a private key is written as its seed in PEM and DER, and expanded in raw format or if
it has no seed. From a certificate or a request, the public key is written.

Examples:
  moissanite convert key.pem --form both --format der --out key.der
  moissanite convert key.pem --public > public.pem
  moissanite convert key.pem --new-passphrase --out encrypted.pem")]
pub(crate) struct Convert {
    /// The key
    pub(crate) file: PathBuf,
    /// The form in which to write a private key
    #[arg(long, value_enum, conflicts_with = "public")]
    pub(crate) form: Option<Form>,
    /// Write the public key that belongs to a private key
    #[arg(long)]
    pub(crate) public: bool,
    #[command(flatten)]
    pub(crate) passphrase: PassphraseArgs,
    /// Encrypt the private key with a new passphrase, for which the terminal asks
    #[arg(long, conflicts_with = "public")]
    pub(crate) new_passphrase: bool,
    /// Encrypt the private key with the first line of this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["public", "new_passphrase"])]
    pub(crate) new_passphrase_file: Option<PathBuf>,
    /// The output format; by default pem, or raw if the algorithm has no other format
    #[arg(long, value_enum)]
    pub(crate) format: Option<Encoding>,
    /// The output file
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
    /// The algorithm of a raw key; required if several algorithms have keys of its length, as for a seed
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
    /// The kind of a raw key; required if several kinds have its length, such as 32 bytes of Ed25519
    #[arg(long, value_enum)]
    pub(crate) kind: Option<Kind>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Convert, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let (source, target) = (Source::new(&args.file), Target::new(Some(&args.out)));
    report.check(&target)?;
    let new_passphrase = args.new_passphrase_file.as_deref().map(Source::new);
    let passphrases = args.passphrase.source().into_iter().chain(new_passphrase);
    identity::check([source.clone()].into_iter().chain(passphrases), &target)?;
    let kind = args.kind.map(What::from);
    // Only private keys have a form.
    let needed = kind.or(args.form.map(|_| What::PrivateKey));
    let expected = Expected::anything(needed, args.algorithm);
    let file = KeyFile::read(&source, expected.with_passphrase(&args.passphrase))?;
    if let Some(kind) = kind {
        file.expect(kind, " as --kind says")?;
    }
    let format = args.format.unwrap_or(Encoding::default_for(file.algorithm));
    let secret = file.what == What::PrivateKey && !args.public;
    let (bytes, fingerprint) = if secret {
        convert_private(args, &file, format, backend)?
    } else {
        convert_public(args, &file, format, backend)?
    };
    let what = if secret {
        What::PrivateKey
    } else {
        What::PublicKey
    };
    report.data("what", what.name());
    report.data("algorithm", file.algorithm.name());
    report.data("fingerprint", fingerprint);
    report.data("encoding", format.name());
    report.data("key", target.place());
    let output = Output {
        target,
        bytes: &bytes,
        secret,
        text: format == Encoding::Pem,
    };
    output::write(&[output], args.force)
}

/// The bytes of a key, and its fingerprint.
type Converted = (Zeroizing<Vec<u8>>, String);

fn convert_private(
    args: &Convert,
    file: &KeyFile,
    format: Encoding,
    backend: Backend,
) -> Result<Converted, Error> {
    let (key, _) = file.private_key(backend)?;
    warn_of_unused_backend(backend, file.algorithm);
    let form = match (args.form, format) {
        (Some(form), _) => form.into(),
        (None, Encoding::Raw) => PrivateKeyForm::Expanded,
        (None, _) if key.to_seed().is_none() => PrivateKeyForm::Expanded,
        (None, _) => PrivateKeyForm::Seed,
    };
    if form != PrivateKeyForm::Expanded && key.to_seed().is_none() {
        return Err(Error::file(&file.place, KeyError::NoSeed));
    }
    let passphrase = for_encryption(args.new_passphrase, args.new_passphrase_file.as_deref())?;
    let passphrase = passphrase.as_deref().map(String::as_str);
    let bytes = encode_private(&*key, form, format, passphrase);
    let bytes = bytes.map_err(|error| Error::file(&file.place, error))?;
    Ok((bytes, fingerprint::of_key(&*key.public_key())?))
}

fn convert_public(
    args: &Convert,
    file: &KeyFile,
    format: Encoding,
    backend: Backend,
) -> Result<Converted, Error> {
    if args.form.is_some() {
        return Err(Error::Usage(format!(
            "--form is for private keys, and {} is {}; leave it out",
            file.place, file.what
        )));
    }
    if args.new_passphrase || args.new_passphrase_file.is_some() {
        return Err(Error::Usage(format!(
            "only private keys are encrypted, and {} is {}; leave the new passphrase out",
            file.place, file.what
        )));
    }
    let wrong = |error| Error::file(&file.place, error);
    let key = match file.what {
        What::PrivateKey => file.private_key(backend)?.0.public_key(),
        What::Certificate => {
            let key = ParsedCertificate::in_file(file)?.key(backend);
            key.map_err(wrong)?
        }
        What::Request => {
            let request = ParsedRequest::in_file(file)?;
            request.key(backend)?
        }
        What::PublicKey | What::Signature => file.public_key(backend)?,
    };
    warn_of_unused_backend(backend, file.algorithm);
    let bytes = encode_public(&*key, format).map_err(wrong)?;
    Ok((bytes, fingerprint::of_key(&*key)?))
}
