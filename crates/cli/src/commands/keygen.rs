//! `moissanite keygen`.

use moissanite::SysRng;
use moissanite::keys::PrivateKeyForm;
use moissanite::rand_core::TryRng;
use zeroize::Zeroizing;

use crate::algorithm::{Algorithm, PrivateKey, PublicKey};
use crate::args::{Format, Keygen};
use crate::backend::Backend;
use crate::error::Error;
use crate::identity;
use crate::keyfile::KeyError;
use crate::output::{self, Output, Target};
use crate::{pem, warn};

pub(crate) fn run(args: &Keygen, backend: Backend) -> Result<(), Error> {
    let out = Target::new(args.out.as_deref());
    let public_out = args
        .public_out
        .as_deref()
        .map(|path| Target::new(Some(path)));
    if out == Target::Stdout && public_out == Some(Target::Stdout) {
        return Err(Error::Usage(
            "both keys cannot go to standard output; name a file with --out or --public-out".into(),
        ));
    }
    if let Some(public_out) = &public_out {
        identity::refuse_same(&out, public_out)?;
    }
    let seed = match &args.seed {
        Some(digits) => {
            warn(
                "a seed on the command line stays in the history of the shell and is visible to other users while the command runs",
            );
            parse_seed(digits, args.algorithm)?
        }
        None => random_seed(args.algorithm)?,
    };
    backend.remark(args.algorithm);
    let key = args.algorithm.private_from_seed(backend, &seed)?;
    let format = args.format.unwrap_or(Format::default_for(args.algorithm));
    let wrong = |error: KeyError| match error {
        KeyError::NoDocument(_) => Error::Usage(error.to_string()),
        _ => Error::Fault(error.to_string()),
    };
    let form = match format {
        Format::Raw => PrivateKeyForm::Expanded,
        Format::Pem | Format::Der => PrivateKeyForm::Seed,
    };
    let private = encode_private(&*key, form, format).map_err(wrong)?;
    let public = encode_public(&*key.public_key(), format).map_err(wrong)?;

    let text = format == Format::Pem;
    let mut outputs = Vec::new();
    if let Some(target) = public_out {
        outputs.push(Output {
            target,
            bytes: &public,
            secret: false,
            text,
        });
    }
    outputs.push(Output {
        target: out,
        bytes: &private,
        secret: true,
        text,
    });
    output::write(&outputs, args.force)
}

/// Says nothing of the digits, which are secret.
fn parse_seed(digits: &str, algorithm: Algorithm) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut seed = Zeroizing::new(vec![0; algorithm.seed_len()]);
    match hex::decode_to_slice(digits, &mut seed) {
        Ok(()) => Ok(seed),
        Err(_) => Err(Error::Usage(format!(
            "--seed takes {} hex digits, and not these {} characters",
            2 * algorithm.seed_len(),
            digits.chars().count()
        ))),
    }
}

/// A new seed.
pub(crate) fn random_seed(algorithm: Algorithm) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut seed = Zeroizing::new(vec![0; algorithm.seed_len()]);
    SysRng
        .try_fill_bytes(&mut seed)
        .map_err(|error| Error::Randomness(error.to_string()))?;
    Ok(seed)
}

/// A private key as it is written to a file.
pub(crate) fn encode_private(
    key: &dyn PrivateKey,
    form: PrivateKeyForm,
    format: Format,
) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    match (format, form) {
        (Format::Pem, _) => pem::encode("PRIVATE KEY", &key.to_pkcs8(form)?),
        (Format::Der, _) => key.to_pkcs8(form),
        (Format::Raw, PrivateKeyForm::Expanded) => Ok(key.to_raw()),
        (Format::Raw, PrivateKeyForm::Seed) => key.to_seed().ok_or(KeyError::NoSeed),
        (Format::Raw, PrivateKeyForm::Both) => Err(KeyError::RawBoth),
    }
}

/// A public key as it is written to a file.
pub(crate) fn encode_public(
    key: &dyn PublicKey,
    format: Format,
) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    match format {
        Format::Pem => pem::encode("PUBLIC KEY", &key.to_spki()?),
        Format::Der => key.to_spki().map(Zeroizing::new),
        Format::Raw => Ok(Zeroizing::new(key.to_raw())),
    }
}
