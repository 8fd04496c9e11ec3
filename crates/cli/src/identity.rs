//! The identity of files behind different names: no output may replace an input, and no two inputs may
//! come from one stream.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

use crate::error::Error;
use crate::input::Source;
use crate::output::Target;
use crate::standard;

/// Device and inode on Unix, which a link shares with its target; elsewhere the path without links.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = std::path::PathBuf;

/// Refuses inputs from the same stream, and a target that is one of the inputs.
pub(crate) fn check(inputs: impl Iterator<Item = Source>, output: &Target) -> Result<(), Error> {
    check_all(inputs, std::slice::from_ref(output))
}

/// Refuses inputs from the same stream, targets that are one of the inputs, and two targets that are the same
/// file.
pub(crate) fn check_all(
    inputs: impl Iterator<Item = Source>,
    outputs: &[Target],
) -> Result<(), Error> {
    let inputs: Vec<_> = inputs.collect();
    refuse_shared(&inputs)?;
    refuse_any_input(&inputs.iter().collect::<Vec<_>>(), outputs)?;
    let mut kept = HashMap::new();
    for output in outputs {
        let identity = of_target(output, is_kept);
        if let Some(other) = identity.and_then(|identity| kept.insert(identity, output)) {
            return Err(same_output(other, output));
        }
    }
    Ok(())
}

/// Refuses a target that is one of the sources, even with `--force`.
pub(crate) fn refuse_inputs(inputs: &[&Source], output: &Target) -> Result<(), Error> {
    refuse_any_input(inputs, std::slice::from_ref(output))
}

fn refuse_any_input(inputs: &[&Source], outputs: &[Target]) -> Result<(), Error> {
    let identified = inputs.iter().map(|input| (of_source(input), input));
    let sources: HashMap<_, _> = identified.collect();
    for output in outputs {
        // A terminal or a socket can be input and output at once.
        let identity = of_target(output, Metadata::is_file);
        if let Some(input) = identity.and_then(|identity| sources.get(&Some(identity))) {
            return Err(Error::Usage(format!(
                "the output {} is the same file as the input {}, which it would replace; choose another name",
                output.place(),
                input.place()
            )));
        }
    }
    Ok(())
}

/// Refuses inputs from the same stream: after the first one, nothing or another part is left for the
/// others.
pub(crate) fn refuse_shared(inputs: &[Source]) -> Result<(), Error> {
    let standard = inputs.iter().filter(|input| input.number() == Some(0));
    if standard.count() > 1 {
        return Err(Error::Usage(
            "only one input can come from standard input; name a file for the others (--in for the message)".into(),
        ));
    }
    let pipe = |input: &Source| of_source(input).filter(|_| input.metadata().is_some_and(is_pipe));
    let pipes: Vec<_> = inputs.iter().map(pipe).collect();
    for (index, (one, pipe)) in inputs.iter().zip(&pipes).enumerate() {
        let mut others = inputs.iter().zip(&pipes).skip(index + 1);
        if pipe.is_some()
            && let Some((other, _)) = others.find(|(_, other)| *other == pipe)
        {
            return Err(Error::Usage(format!(
                "the inputs {} and {} are the same pipe, which can be read only once; name a file for one of them",
                one.place(),
                other.place()
            )));
        }
    }
    Ok(())
}

#[cfg(unix)]
#[allow(
    clippy::needless_pass_by_value,
    reason = "an argument of `is_some_and`"
)]
fn is_pipe(metadata: Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;

    metadata.file_type().is_fifo() || metadata.file_type().is_socket()
}

#[cfg(not(unix))]
fn is_pipe(_: Metadata) -> bool {
    false
}

/// Refuses two targets that are the same file or the same pipe.
pub(crate) fn refuse_same(one: &Target, other: &Target) -> Result<(), Error> {
    let identity = of_target(one, is_kept);
    if identity.is_some() && identity == of_target(other, is_kept) {
        return Err(same_output(one, other));
    }
    Ok(())
}

fn same_output(one: &Target, other: &Target) -> Error {
    Error::Usage(format!(
        "two outputs cannot both be written to the same file, as {} and {} would be; choose another name",
        one.place(),
        other.place()
    ))
}

/// Whether a target can take one output only. A terminal or a device such as `/dev/null` can take two.
fn is_kept(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        !metadata.file_type().is_char_device()
    }
    #[cfg(not(unix))]
    {
        metadata.is_file()
    }
}

fn of_source(source: &Source) -> Option<Identity> {
    let metadata = source.metadata()?;
    match source {
        Source::Stdin => of(None, &metadata),
        Source::File(path) => of(Some(path), &metadata),
    }
}

fn of_target(target: &Target, counts: fn(&Metadata) -> bool) -> Option<Identity> {
    let (path, metadata) = match target {
        Target::Stdout => (None, standard::metadata(&io::stdout())?),
        Target::File(path) => (Some(path.as_path()), fs::metadata(path).ok()?),
    };
    counts(&metadata).then(|| of(path, &metadata)).flatten()
}

#[cfg(unix)]
fn of(_: Option<&Path>, metadata: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;

    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn of(path: Option<&Path>, _: &Metadata) -> Option<Identity> {
    path?.canonicalize().ok()
}
