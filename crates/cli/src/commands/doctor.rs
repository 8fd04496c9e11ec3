//! `moissanite doctor`.

use std::path::{Path, PathBuf};

use clap::Args;
use zeroize::Zeroizing;

use super::options::{Kind, warn_of_unused_backend};
use crate::algorithm;
use crate::algorithm::scheme::Algorithm;
use crate::backend::Backend;
use crate::diagnosis::{Diagnosis, Repair, Verdict, examine};
use crate::error::Error;
use crate::identity;
use crate::input::Source;
use crate::key_error::What;
use crate::keyfile::{Expected, LIMIT};
use crate::output::print;
use crate::passphrase::PassphraseArgs;
use crate::report::{one_line, shell_word};
use crate::standard;

#[derive(Debug, Args)]
#[command(after_help = "\
For each file, this says what it is, which check it fails, which programs are known to write such files, and
the command that repairs it. A healthy key is reported with what was checked: its encoding, its consistency,
and a signature that it makes and verifies. No part of a private key is shown.

Exit status: 0 if every file is a healthy key, 1 if one has a defect or is no key, 2 for any other error, such
as a file that cannot be read or a wrong passphrase.

Examples:
  moissanite doctor key.pem
  moissanite doctor *.pem --passphrase-file passphrase.txt")]
pub(crate) struct Doctor {
    /// Keys in any encoding, or what is taken for one
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The algorithm of raw keys; required if several algorithms have keys of their length
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
    /// The kind of raw keys; required if several kinds have their length, such as 32 bytes of Ed25519
    #[arg(long, value_enum)]
    pub(crate) kind: Option<Kind>,
    #[command(flatten)]
    pub(crate) passphrase: PassphraseArgs,
}

/// Runs the command.
pub(crate) fn run(args: &Doctor, backend: Backend) -> Result<(), Error> {
    let sources: Vec<_> = args.files.iter().map(|file| Source::new(file)).collect();
    let inputs = sources.iter().cloned().chain(args.passphrase.source());
    identity::refuse_shared(&inputs.collect::<Vec<_>>())?;
    let expected = Expected::anything(args.kind.map(What::from), args.algorithm);
    let expected = expected.with_passphrase(&args.passphrase);
    let (mut defects, mut failed) = (0_usize, None);
    for (number, (source, path)) in sources.iter().zip(&args.files).enumerate() {
        if number > 0 {
            print("\n")?;
        }
        let place = source.place();
        line("file", &place)?;
        let read = source.read_at_most(1 + LIMIT as u64).map(Zeroizing::new);
        let found = read.and_then(|bytes| examine(&place, &bytes, &expected, backend));
        match found {
            Ok(diagnosis) => {
                if let Some(algorithm) = diagnosis.algorithm {
                    warn_of_unused_backend(backend, algorithm);
                }
                show(args, path, source, &diagnosis)?;
                defects += usize::from(!matches!(diagnosis.verdict, Verdict::Healthy(_)));
            }
            Err(error) => {
                line("not examined", &error.to_string())?;
                failed.get_or_insert(error);
            }
        }
    }
    match failed {
        Some(error) => Err(error),
        None if defects > 0 => Err(Error::Defects {
            found: defects,
            of: sources.len(),
        }),
        None => Ok(()),
    }
}

fn line(name: &str, value: &str) -> Result<(), Error> {
    print(&format!("{name:<12} {}\n", one_line(value)))
}

fn show(args: &Doctor, path: &Path, source: &Source, diagnosis: &Diagnosis) -> Result<(), Error> {
    if let Some(what) = &diagnosis.what {
        line("what", what)?;
    }
    let metadata = source.metadata();
    if diagnosis.is_secret
        && metadata.is_some_and(|metadata| standard::is_readable_by_others(&metadata))
    {
        line(
            "note",
            "other users can read the file; `chmod 600` restricts it to the owner",
        )?;
    }
    match &diagnosis.verdict {
        Verdict::Healthy(checks) => {
            line("state", "healthy")?;
            checks.iter().try_for_each(|check| line("checked", check))?;
        }
        Verdict::Defects { error, found } => {
            line("state", "defective")?;
            line("refused", error)?;
            for deviation in found {
                line("defect", &deviation.to_string())?;
                for producer in deviation.producers() {
                    line("written by", producer)?;
                }
            }
        }
        Verdict::NoKey { error, readers } => {
            line("state", "not a key that this command reads")?;
            line("refused", error)?;
            readers
                .iter()
                .try_for_each(|reader| line("read by", reader))?;
        }
    }
    for note in &diagnosis.notes {
        line("note", note)?;
    }
    if let Some(fingerprint) = &diagnosis.fingerprint {
        line("fingerprint", fingerprint)?;
    }
    for repair in &diagnosis.repairs {
        line("repair", &command(args, path, diagnosis, *repair))?;
    }
    for advice in &diagnosis.advice {
        line("advice", advice)?;
    }
    Ok(())
}

/// The command line that repairs a file.
fn command(args: &Doctor, path: &Path, diagnosis: &Diagnosis, repair: Repair) -> String {
    let mut words = vec!["moissanite convert".to_owned()];
    words.push(shell_word(path));
    match repair {
        Repair::Rewrite => {}
        Repair::Repair => words.push("--repair".into()),
        Repair::Half(form) => words.push(format!("--repair --form {form}")),
    }
    if let Some(algorithm) = args.algorithm {
        words.push(format!(
            "--algorithm {}",
            algorithm.name().to_ascii_lowercase()
        ));
    }
    if let Some(kind) = args.kind {
        words.push(format!("--kind {kind}"));
    }
    let file = args.passphrase.passphrase_file.as_deref();
    if diagnosis.is_encrypted {
        if let Some(file) = file {
            words.push(format!("--passphrase-file {}", shell_word(file)));
        }
        match file.filter(|file| *file != Path::new("-")) {
            _ if !diagnosis.has_documents => {}
            Some(file) => words.push(format!("--new-passphrase-file {}", shell_word(file))),
            None => words.push("--new-passphrase".into()),
        }
    }
    words.push(format!(
        "--out {}",
        shell_word(&output(path, diagnosis.has_documents))
    ));
    words.join(" ")
}

/// A file beside this one that does not exist.
fn output(path: &Path, has_documents: bool) -> PathBuf {
    let stem = match path.file_stem() {
        Some(stem) if path != Path::new("-") => stem.to_string_lossy().into_owned(),
        _ => "key".into(),
    };
    let extension = if has_documents { "pem" } else { "raw" };
    let mut names = (1_u32..).map(|number| match number {
        1 => path.with_file_name(format!("{stem}-repaired.{extension}")),
        _ => path.with_file_name(format!("{stem}-repaired-{number}.{extension}")),
    });
    let free = names.find(|name| !name.exists());
    free.unwrap_or_else(|| PathBuf::from("repaired"))
}
