//! `moissanite sign`.

use crate::algorithm::{Algorithm, Framing};
use crate::args::{self, Sign};
use crate::backend::Backend;
use crate::error::Error;
use crate::keyfile::KeyFile;
use crate::message::Message;
use crate::output::{self, Output, Target};
use crate::warn;

pub(crate) fn run(args: &Sign, backend: Backend) -> Result<(), Error> {
    let framing = args.framing.framing()?;
    let [key, message] = args::sources([&args.key, &args.input])?;
    let target = Target::new(Some(&args.out));
    output::check(&target, args.force, false)?;
    let (key, _) = KeyFile::read(&key, args.algorithm)?.private_key(backend)?;
    warn_of_weak_hash(key.algorithm(), &framing);
    let message = Message::open(&message)?;
    let signature = key.sign(message, &framing, args.deterministic)?;
    let output = Output {
        target,
        bytes: &signature,
        secret: false,
        text: false,
    };
    output::write(&[output], args.force)
}

/// Collisions of the hash function would be forgeries.
pub(crate) fn warn_of_weak_hash(algorithm: Algorithm, framing: &Framing) {
    if let Some(hash) = framing.prehash
        && hash.strength() < algorithm.strength()
    {
        warn(&format!(
            "{} has {} bits of collision resistance, which is less than the {} of {}",
            hash.name(),
            hash.strength(),
            algorithm.strength(),
            algorithm.name()
        ));
    }
}
