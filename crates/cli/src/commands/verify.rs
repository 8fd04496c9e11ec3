//! `moissanite verify`.

use crate::algorithm::{ALL, Algorithm};
use crate::args::{self, Verify};
use crate::backend::Backend;
use crate::commands::sign::warn_of_weak_hash;
use crate::error::Error;
use crate::keyfile::{Encoding, KeyFile};
use crate::message::Message;
use crate::output;
use crate::pem;

/// More than any signature has; what is longer is counted no further.
const LIMIT: usize = 1 << 16;

pub(crate) fn run(args: &Verify, backend: Backend) -> Result<(), Error> {
    let framing = args.framing.framing()?;
    let [key, signature, message] = args::sources([&args.key, &args.signature, &args.input])?;
    let file = KeyFile::read(&key, args.algorithm)?;
    let key = file.public_key(backend)?;
    let hint = match args.algorithm {
        Some(_) => String::new(),
        None => taken_for(&file),
    };
    warn_of_weak_hash(key.algorithm(), &framing);
    let bytes = signature.read_at_most(LIMIT as u64)?;
    let message = Message::open(&message)?;
    check_length(&bytes, key.algorithm(), &signature.place(), &hint)?;
    if key.verify(message, &framing, &bytes)? {
        output::print("valid\n")
    } else {
        Err(Error::NotValid(format!(
            "{} is no signature of this message by this key in this context{hint}",
            signature.place()
        )))
    }
}

/// What else raw bytes could be than what they were taken for.
fn taken_for(file: &KeyFile) -> String {
    let length = |algorithm: Algorithm| algorithm.sizes().public;
    let taken = file.algorithm;
    let other = ALL
        .iter()
        .find(|other| other.name() != taken.name() && length(**other) == length(taken));
    match other {
        Some(other) if file.encoding == Encoding::Raw => format!(
            "; the raw key was taken for one of {}, and if it is one of {}, --algorithm has to say so",
            taken.name(),
            other.name()
        ),
        _ => String::new(),
    }
}

/// A signature of another length is not valid; it helps to say why.
fn check_length(bytes: &[u8], algorithm: Algorithm, place: &str, hint: &str) -> Result<(), Error> {
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
        "{place} {found}; a signature of {} has {expected}{hint}",
        algorithm.name()
    )))
}
