//! `moissanite demo`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::options::{has_backends, warn_of_unused_backend};
use crate::algorithm;
use crate::algorithm::scheme::{Algorithm, Framing, random_seed};
use crate::backend::Backend;
use crate::error::Error;
use crate::input::{Message, Source};
use crate::report::Report;

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The file to sign. It has to be a regular file, because it is read several times
    pub(crate) file: PathBuf,
    /// The algorithm
    #[arg(long, default_value = "ml-dsa-65", value_parser = algorithm::parse)]
    pub(crate) algorithm: Algorithm,
}

/// Runs the command.
pub(crate) fn run(args: &Demo, backend: Backend, report: &mut Report) -> Result<(), Error> {
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
    warn_of_unused_backend(backend, algorithm);
    let used = has_backends(algorithm).then(|| backend.name());
    let on = used.map_or_else(String::new, |name| format!(" on backend {name}"));
    report.text(&format!("{}{on}\n\n", algorithm.name()))?;
    report.data("algorithm", algorithm.name());
    report.data("backend", used);
    report.data("file", place.as_str());
    report.data("file_length", length);

    let seed = random_seed(algorithm)?;
    let (key, time) = timed(|| algorithm.private_from_seed(backend, &seed))?;
    let mut steps = Steps {
        report,
        done: Vec::new(),
    };
    steps.add(
        "make a key",
        time,
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
    steps.add(
        "sign the file",
        time,
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
    steps.add("verify", time, "valid")?;

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
    steps.add("change one bit", time, &format!("refused: {what}"))?;
    let Steps { report, done } = steps;
    report.data("steps", done);
    report.text("\nEvery result is as expected. No file was written, and the key was discarded.\n")
}

/// The steps that are reported so far.
struct Steps<'a> {
    report: &'a mut Report,
    done: Vec<Value>,
}

impl Steps<'_> {
    fn add(&mut self, what: &str, seconds: f64, result: &str) -> Result<(), Error> {
        self.done
            .push(json!({ "step": what, "seconds": seconds, "result": result }));
        let number = self.done.len();
        let time = if seconds < 1.0 {
            format!("{:.3} ms", seconds * 1e3)
        } else {
            format!("{seconds:.2} s")
        };
        self.report
            .text(&format!("{number}. {what:<15}{time:>12}   {result}\n"))
    }
}

/// The length and the digest of the file.
fn read(source: &Source) -> Result<(u64, [u8; 32]), Error> {
    let mut hash = Sha256::new();
    let length = Message::open(source)?.absorb(|piece| hash.update(piece))?;
    Ok((length, hash.finalize().into()))
}

/// The result of an operation and its time in seconds.
fn timed<T>(operation: impl FnOnce() -> Result<T, Error>) -> Result<(T, f64), Error> {
    let start = Instant::now();
    let result = operation()?;
    Ok((result, start.elapsed().as_secs_f64()))
}
