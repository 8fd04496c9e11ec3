//! `moissanite convert`.

use moissanite::keys::PrivateKeyForm;
use zeroize::Zeroizing;

use crate::args::{Convert, Format};
use crate::backend::Backend;
use crate::commands::keygen::{encode_private, encode_public};
use crate::error::Error;
use crate::identity;
use crate::keyfile::{Expected, KeyError, KeyFile, What};
use crate::message::Source;
use crate::output::{self, Output, Target};

pub(crate) fn run(args: &Convert, backend: Backend) -> Result<(), Error> {
    let (source, target) = (Source::new(&args.file), Target::new(Some(&args.out)));
    identity::refuse_inputs(&[&source], &target)?;
    let kind = args.kind.map(What::from);
    // Only private keys have forms.
    let needed = kind.or(args.form.map(|_| What::PrivateKey));
    let file = KeyFile::read(&source, Expected::anything(needed, args.algorithm))?;
    if let Some(kind) = kind {
        file.expect(kind, " as --kind says")?;
    }
    let format = args.format.unwrap_or(Format::default_for(file.algorithm));
    let secret = file.what == What::PrivateKey && !args.public;
    let bytes = if secret {
        convert_private(args, &file, format, backend)?
    } else {
        convert_public(args, &file, format, backend)?
    };
    let output = Output {
        target,
        bytes: &bytes,
        secret,
        text: format == Format::Pem,
    };
    output::write(&[output], args.force)
}

fn convert_private(
    args: &Convert,
    file: &KeyFile,
    format: Format,
    backend: Backend,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let (key, _) = file.private_key(backend)?;
    let form = match (args.form, format) {
        (Some(form), _) => form.into(),
        (None, Format::Raw) => PrivateKeyForm::Expanded,
        (None, _) if key.to_seed().is_none() => PrivateKeyForm::Expanded,
        (None, _) => PrivateKeyForm::Seed,
    };
    if form != PrivateKeyForm::Expanded && key.to_seed().is_none() {
        return Err(Error::key(&file.place, KeyError::NoSeed));
    }
    encode_private(&*key, form, format).map_err(|error| Error::key(&file.place, error))
}

fn convert_public(
    args: &Convert,
    file: &KeyFile,
    format: Format,
    backend: Backend,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    if args.form.is_some() {
        return Err(Error::Usage(format!(
            "--form is for private keys, and {} is {}; leave it out",
            file.place, file.what
        )));
    }
    let key = match file.what {
        What::PrivateKey => file.private_key(backend)?.0.public_key(),
        What::Certificate => file.certified_key(backend)?,
        What::Request => file.requested_key(backend)?,
        What::PublicKey | What::Signature => file.public_key(backend)?,
    };
    encode_public(&*key, format).map_err(|error| Error::key(&file.place, error))
}
