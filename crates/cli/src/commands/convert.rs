//! `moissanite convert`.

use std::path::PathBuf;

use clap::Args;
use moissanite::keys::PrivateKeyForm;
use zeroize::Zeroizing;

use super::options::{Form, Kind, warn_of_unused_backend};
use crate::algorithm;
use crate::algorithm::scheme::{Algorithm, PrivateKey, PublicKey};
use crate::backend::Backend;
use crate::certificate::parsed::ParsedCertificate;
use crate::certificate::request::ParsedRequest;
use crate::error::Error;
use crate::identity;
use crate::input::Source;
use crate::key_error::{KeyError, What};
use crate::keyfile::{
    Choice, Encoding, Expected, Key, KeyFile, Reading, encode_private, encode_public,
};
use crate::output::{self, Output, Target};
use crate::passphrase::{PassphraseArgs, for_encryption};
use crate::report::note;

#[derive(Debug, Args)]
#[command(after_help = "\
Without --form, a private key is written as its seed in PEM and DER, and expanded in raw format or if
it has no seed. From a certificate or a request, the public key is written.

With --repair, the key may deviate from the standards in the ways that `moissanite doctor` describes. It
is checked completely before it is written: expanded keys are recomputed, the public key beside a private
key has to be its own, and a signature is made and verified. If its parts are of different keys, --belongs-to
or --form decides.

Examples:
  moissanite convert key.pem --form both --format der --out key.der
  moissanite convert key.pem --public > public.pem
  moissanite convert --repair old.pem --out key.pem
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
    /// Read a key that deviates from the standards, and check it before it is written
    #[arg(long)]
    pub(crate) repair: bool,
    /// The public key, the certificate or the request that the key has to belong to
    #[arg(long, value_name = "FILE", requires = "repair")]
    pub(crate) belongs_to: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Convert, backend: Backend) -> Result<(), Error> {
    let (source, target) = (Source::new(&args.file), Target::new(Some(&args.out)));
    let new_passphrase = args.new_passphrase_file.as_deref().map(Source::new);
    let owner = args.belongs_to.as_deref().map(Source::new);
    let others = args.passphrase.source().into_iter().chain(new_passphrase);
    let others = others.chain(owner.clone());
    identity::check([source.clone()].into_iter().chain(others), &target)?;
    let kind = args.kind.map(What::from);
    // Only private keys have a form.
    let needed = kind.or(args.form.map(|_| What::PrivateKey));
    let expected = Expected::anything(needed, args.algorithm);
    let expected = expected.with_passphrase(&args.passphrase);
    if args.repair {
        return repair(args, &source, &expected, owner.as_ref(), target, backend);
    }
    let file = KeyFile::read(&source, expected)?;
    if let Some(kind) = kind {
        file.expect(kind, " as --kind says")?;
    }
    let format = args.format.unwrap_or(Encoding::default_for(file.algorithm));
    let secret = file.what == What::PrivateKey && !args.public;
    let bytes = if secret {
        convert_private(args, &file, format, backend)?
    } else {
        convert_public(args, &file, format, backend)?
    };
    write(args, target, &bytes, secret, format)
}

fn write(
    args: &Convert,
    target: Target,
    bytes: &[u8],
    secret: bool,
    format: Encoding,
) -> Result<(), Error> {
    let output = Output {
        target,
        bytes,
        secret,
        text: format == Encoding::Pem,
    };
    output::write(&[output], args.force)
}

/// Converts a key that deviates from the standards.
fn repair(
    args: &Convert,
    source: &Source,
    expected: &Expected<'_>,
    owner: Option<&Source>,
    target: Target,
    backend: Backend,
) -> Result<(), Error> {
    let place = source.place();
    let reading = Reading::read(source, expected)?;
    let algorithm = reading.algorithm();
    let format = args.format.unwrap_or(Encoding::default_for(algorithm));
    let owner = owner.map(|owner| public_key_in(owner, algorithm, backend));
    let owner = owner.transpose()?;
    let choice = Choice {
        half: args.form.map(PrivateKeyForm::from),
        public: owner.as_deref(),
    };
    let found = reading.key(backend, choice);
    let (key, deviations) = found.map_err(|error| error.in_file(&place))?;
    warn_of_unused_backend(backend, algorithm);
    let (bytes, secret) = match key {
        Key::Private(key) if !args.public => (encode(args, &place, &*key, format)?, true),
        Key::Private(key) => (public_of(&place, &*key.public_key(), format)?, false),
        Key::Public(key) => {
            refuse_private_options(args, &place, What::PublicKey)?;
            (public_of(&place, &*key, format)?, false)
        }
    };
    write(args, target, &bytes, secret, format)?;
    for deviation in deviations {
        note(&format!("corrected: {deviation}"));
    }
    Ok(())
}

/// The public key of `--belongs-to` in the scheme's own encoding.
fn public_key_in(
    source: &Source,
    algorithm: Algorithm,
    backend: Backend,
) -> Result<Vec<u8>, Error> {
    let expected = Expected::anything(Some(What::PublicKey), Some(algorithm));
    let file = KeyFile::read(source, expected)?;
    Ok(public_in(&file, backend)?.to_raw())
}

fn public_of(
    place: &str,
    key: &dyn PublicKey,
    format: Encoding,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    encode_public(key, format).map_err(|error| Error::file(place, error))
}

fn convert_private(
    args: &Convert,
    file: &KeyFile,
    format: Encoding,
    backend: Backend,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let (key, _) = file.private_key(backend)?;
    warn_of_unused_backend(backend, file.algorithm);
    encode(args, &file.place, &*key, format)
}

/// Encodes a private key as the arguments say.
fn encode(
    args: &Convert,
    place: &str,
    key: &dyn PrivateKey,
    format: Encoding,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let form = match (args.form, format) {
        (Some(form), _) => form.into(),
        (None, Encoding::Raw) => PrivateKeyForm::Expanded,
        (None, _) if key.to_seed().is_none() => PrivateKeyForm::Expanded,
        (None, _) => PrivateKeyForm::Seed,
    };
    if form != PrivateKeyForm::Expanded && key.to_seed().is_none() {
        return Err(Error::file(place, KeyError::NoSeed));
    }
    let passphrase = for_encryption(args.new_passphrase, args.new_passphrase_file.as_deref())?;
    let passphrase = passphrase.as_deref().map(String::as_str);
    encode_private(key, form, format, passphrase).map_err(|error| Error::file(place, error))
}

fn convert_public(
    args: &Convert,
    file: &KeyFile,
    format: Encoding,
    backend: Backend,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    refuse_private_options(args, &file.place, file.what)?;
    let key = public_in(file, backend)?;
    if !matches!(file.what, What::Certificate | What::Request) {
        warn_of_unused_backend(backend, file.algorithm);
    }
    public_of(&file.place, &*key, format)
}

/// Refuses the options that apply to private keys only.
fn refuse_private_options(args: &Convert, place: &str, what: What) -> Result<(), Error> {
    if args.form.is_some() {
        return Err(Error::Usage(format!(
            "--form is for private keys, and {place} is {what}; leave it out"
        )));
    }
    if args.new_passphrase || args.new_passphrase_file.is_some() {
        return Err(Error::Usage(format!(
            "only private keys are encrypted, and {place} is {what}; leave the new passphrase out"
        )));
    }
    Ok(())
}

/// The public key in a file of any kind, or of its private key.
fn public_in(file: &KeyFile, backend: Backend) -> Result<Box<dyn PublicKey>, Error> {
    match file.what {
        What::PrivateKey => Ok(file.private_key(backend)?.0.public_key()),
        What::Certificate => {
            let key = ParsedCertificate::in_file(file)?.key(backend);
            key.map_err(|error| Error::file(&file.place, error))
        }
        What::Request => ParsedRequest::in_file(file)?.key(backend),
        What::PublicKey | What::Signature => file.public_key(backend),
    }
}
