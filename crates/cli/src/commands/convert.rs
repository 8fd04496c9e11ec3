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
use crate::diagnostics::note;
use crate::error::Error;
use crate::fingerprint;
use crate::identity;
use crate::input::Source;
use crate::key_error::{KeyError, What};
use crate::keyfile::{
    Choice, Deviation, Encoding, Expected, Key, KeyFile, Reading, encode_private, encode_public,
};
use crate::output::{self, Output, Target};
use crate::passphrase::{PassphraseArgs, for_encryption};
use crate::report::Report;

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
pub(crate) fn run(args: &Convert, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let (source, target) = (Source::new(&args.file), Target::new(Some(&args.out)));
    report.check(&target)?;
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
    let found = if args.repair {
        repaired(args, &source, &expected, owner.as_ref(), backend)?
    } else {
        read(args, &source, expected, backend)?
    };
    warn_of_unused_backend(backend, found.algorithm);
    let format = args
        .format
        .unwrap_or(Encoding::default_for(found.algorithm));
    let (bytes, what, fingerprint) = match found.key {
        Key::Private(key) if !args.public => {
            let bytes = encode(args, &found.place, &*key, format)?;
            (
                bytes,
                What::PrivateKey,
                fingerprint::of_key(&*key.public_key())?,
            )
        }
        key => {
            let key = key.into_public();
            let bytes = encode_public(&*key, format);
            let bytes = bytes.map_err(|error| Error::file(&found.place, error))?;
            (bytes, What::PublicKey, fingerprint::of_key(&*key)?)
        }
    };
    report.data("what", what.name());
    report.data("algorithm", found.algorithm.name());
    report.data("fingerprint", fingerprint);
    report.data("encoding", format.name());
    report.data("key", target.place());
    let corrected: Vec<_> = found.deviations.iter().map(ToString::to_string).collect();
    let output = Output {
        target,
        bytes: &bytes,
        secret: what == What::PrivateKey,
        text: format == Encoding::Pem,
    };
    output::write(&[output], args.force)?;
    for deviation in &corrected {
        note(&format!("corrected: {deviation}"));
    }
    report.data("corrected", corrected);
    Ok(())
}

/// A key that was read.
struct Found {
    place: String,
    algorithm: Algorithm,
    key: Key,
    /// What the repair corrects.
    deviations: Vec<Deviation>,
}

/// Reads a key, or the public key in any other file.
fn read(
    args: &Convert,
    source: &Source,
    expected: Expected<'_>,
    backend: Backend,
) -> Result<Found, Error> {
    let file = KeyFile::read(source, expected)?;
    if let Some(kind) = args.kind {
        file.expect(kind.into(), " as --kind says")?;
    }
    let key = match file.what {
        What::PrivateKey => Key::Private(file.private_key(backend)?.0),
        what => {
            refuse_private_options(args, &file.place, what)?;
            Key::Public(public_in(&file, backend)?)
        }
    };
    Ok(Found {
        algorithm: file.algorithm,
        place: file.place,
        key,
        deviations: vec![],
    })
}

/// Reads a key that deviates from the standards.
fn repaired(
    args: &Convert,
    source: &Source,
    expected: &Expected<'_>,
    owner: Option<&Source>,
    backend: Backend,
) -> Result<Found, Error> {
    let place = source.place();
    let reading = Reading::read(source, expected)?;
    let algorithm = reading.algorithm();
    if reading.what() != What::PrivateKey {
        refuse_private_options(args, &place, reading.what())?;
    }
    let owner = owner.map(|owner| {
        let expected = Expected::anything(Some(What::PublicKey), Some(algorithm));
        let file = KeyFile::read(owner, expected)?;
        Ok::<_, Error>(public_in(&file, backend)?.to_raw())
    });
    let owner = owner.transpose()?;
    let choice = Choice {
        half: args.form.map(PrivateKeyForm::from),
        public: owner.as_deref(),
    };
    let (key, deviations) = reading
        .key(backend, choice)
        .map_err(|error| error.in_file(&place))?;
    Ok(Found {
        place,
        algorithm,
        key,
        deviations,
    })
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
    let passphrase = for_encryption(
        args.new_passphrase,
        args.new_passphrase_file.as_deref(),
        "--new-passphrase-file",
    )?;
    let passphrase = passphrase.as_deref().map(String::as_str);
    encode_private(key, form, format, passphrase).map_err(|error| Error::file(place, error))
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

/// The public key in a file of any other kind than a private key.
fn public_in(file: &KeyFile, backend: Backend) -> Result<Box<dyn PublicKey>, Error> {
    match file.what {
        What::Certificate => {
            let key = ParsedCertificate::in_file(file)?.key(backend);
            key.map_err(|error| Error::file(&file.place, error))
        }
        What::Request => ParsedRequest::in_file(file)?.key(backend),
        What::PrivateKey | What::PublicKey | What::Signature => file.public_key(backend),
    }
}
