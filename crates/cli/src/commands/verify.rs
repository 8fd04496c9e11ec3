//! `moissanite verify`.

use crate::algorithm::{ALL, Algorithm};
use crate::args::{self, Verify};
use crate::backend::Backend;
use crate::error::Error;
use crate::keyfile::{Expected, KeyFile, What};
use crate::message::Message;
use crate::output;
use crate::pem;

/// More than any signature has; what is longer is counted no further.
const LIMIT: usize = 1 << 16;

pub(crate) fn run(args: &Verify, backend: Backend) -> Result<(), Error> {
    let framing = args.framing.framing()?;
    let [key, signature, message] = args::sources([&args.key, &args.signature, &args.input])?;
    let expected = Expected::key(What::PublicKey, args.algorithm);
    let key = KeyFile::read(&key, expected)?.public_key(backend)?;
    let bytes = signature.read_at_most(LIMIT as u64)?;
    let message = Message::open(&message)?;
    check_length(&bytes, key.algorithm(), &signature.place())?;
    if key.verify(message, &framing, &bytes)? {
        output::print("valid\n")
    } else {
        Err(Error::NotValid(format!(
            "{} is no signature of this message by this key in this context",
            signature.place()
        )))
    }
}

/// A signature of another length is not valid; it helps to say why.
fn check_length(bytes: &[u8], algorithm: Algorithm, place: &str) -> Result<(), Error> {
    let expected = algorithm.sizes().signature;
    if bytes.len() == expected {
        return Ok(());
    }
    let of = ALL
        .iter()
        .find(|other| other.sizes().signature == bytes.len());
    let found = match of {
        _ if pem::is_pem(bytes) => "is PEM text".into(),
        Some(other) => format!("has {} bytes, as one of {} has", bytes.len(), other.name()),
        None if bytes.len() == LIMIT => format!("has {LIMIT} bytes or more"),
        None => format!("has {} bytes", bytes.len()),
    };
    Err(Error::NotValid(format!(
        "{place} {found}; a signature of {} has {expected}",
        algorithm.name()
    )))
}
