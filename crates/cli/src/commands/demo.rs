//! `moissanite demo`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use sha2::{Digest, Sha256};

use super::options::{has_backends, warn_of_unused_backend};
use crate::algorithm;
use crate::algorithm::scheme::{Algorithm, Framing, random_seed};
use crate::backend::Backend;
use crate::error::Error;
use crate::input::{Message, Source};
use crate::output::print;

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The file to sign. It has to be a regular file, because it is read several times
    pub(crate) file: PathBuf,
    /// The algorithm
    #[arg(long, default_value = "ml-dsa-65", value_parser = algorithm::parse)]
    pub(crate) algorithm: Algorithm,
}

/// Runs the command.
pub(crate) fn run(args: &Demo, backend: Backend) -> Result<(), Error> {
    let source = Source::new(&args.file);
    if source == Source::Stdin {
        return Err(Error::Usage(
            "demo reads its file several times, which standard input does not allow; name a file"
                .into(),
        ));
    }
    let place = source.place();
    if source.metadata().is_some_and(|file| !file.is_file()) {
        return Err(Error::Usage(format!(
            "demo reads its file several times, so it has to be a regular file, and {place} is not"
        )));
    }
    let (algorithm, framing) = (args.algorithm, Framing::default());
    let sizes = algorithm.sizes();
    let (length, digest) = read(&source)?;
    let mut title = algorithm.name().to_owned();
    warn_of_unused_backend(backend, algorithm);
    if has_backends(algorithm) {
        title += &format!(" on backend {}", backend.name());
    }
    print(&(title + "\n\n"))?;

    let seed = random_seed(algorithm)?;
    let (key, time) = timed(|| algorithm.private_from_seed(backend, &seed))?;
    step(
        1,
        "make a key",
        &time,
        &format!(
            "the private key has {} bytes{}, the public key {}",
            seed.len(),
            match sizes.private {
                private if private == seed.len() => String::new(),
                private => format!(" ({private} expanded)"),
            },
            sizes.public
        ),
    )?;

    let (signature, time) = timed(|| key.sign(Message::open(&source)?, &framing, false))?;
    step(
        2,
        "sign the file",
        &time,
        &format!(
            "{place} has {length} bytes, its signature {}",
            signature.len()
        ),
    )?;

    let public = key.public_key();
    let (valid, time) = timed(|| public.verify(Message::open(&source)?, &framing, &signature))?;
    if !valid {
        return Err(if read(&source)? == (length, digest) {
            Error::Fault(format!("the new signature of {place} does not verify"))
        } else {
            Error::Usage(format!(
                "{place} changed while demo read it; no other program may write to it"
            ))
        });
    }
    step(3, "verify", &time, "valid")?;

    let mut changed = signature;
    let mut message = Message::open(&source)?;
    let what = match length.checked_sub(1) {
        Some(last) => {
            let middle = last >> 1;
            message = message.with_flipped_bit(middle);
            format!("one bit of byte {middle} of the file differs")
        }
        None => {
            if let Some(byte) = changed.first_mut() {
                *byte ^= 1;
            }
            "one bit of the signature differs (the file is empty)".into()
        }
    };
    let (valid, time) = timed(|| public.verify(message, &framing, &changed))?;
    if valid {
        return Err(Error::Fault("a changed message verifies".into()));
    }
    step(4, "change one bit", &time, &format!("refused: {what}"))?;
    print("\nEvery result is as expected. No file was written, and the key was discarded.\n")
}

/// The length and the digest of the file.
fn read(source: &Source) -> Result<(u64, [u8; 32]), Error> {
    let mut hash = Sha256::new();
    let length = Message::open(source)?.absorb(|piece| hash.update(piece))?;
    Ok((length, hash.finalize().into()))
}

fn step(number: u32, what: &str, time: &str, result: &str) -> Result<(), Error> {
    print(&format!("{number}. {what:<15}{time:>12}   {result}\n"))
}

/// The result of an operation and its time as text.
fn timed<T>(operation: impl FnOnce() -> Result<T, Error>) -> Result<(T, String), Error> {
    let start = Instant::now();
    let result = operation()?;
    let time = start.elapsed().as_secs_f64();
    let text = if time < 1.0 {
        format!("{:.3} ms", time * 1e3)
    } else {
        format!("{time:.2} s")
    };
    Ok((result, text))
}
