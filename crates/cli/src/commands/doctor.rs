//! `moissanite doctor`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::options::{Kind, warn_of_unused_backend};
use crate::algorithm;
use crate::algorithm::scheme::Algorithm;
use crate::backend::Backend;
use crate::display::shell_word;
use crate::error::Error;
use crate::examine::{Diagnosis, Repair, Verdict, examine};
use crate::identity;
use crate::input::Source;
use crate::key_error::What;
use crate::keyfile::{Expected, LIMIT};
use crate::passphrase::PassphraseArgs;
use crate::report::Report;
use crate::standard;

#[derive(Debug, Args)]
#[command(after_help = "\
For each file, this says what it is, which check it fails, which programs are known to write such files, and
the command that repairs it. A healthy key is reported with what was checked: its encoding, its consistency,
and a signature that it makes and verifies. No part of a private key is shown. With --json, the report is
written with exit status 1 too.

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
pub(crate) fn run(args: &Doctor, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let sources: Vec<_> = args.files.iter().map(|file| Source::new(file)).collect();
    let inputs = sources.iter().cloned().chain(args.passphrase.source());
    identity::refuse_shared(&inputs.collect::<Vec<_>>())?;
    let expected = Expected::anything(args.kind.map(What::from), args.algorithm);
    let expected = expected.with_passphrase(&args.passphrase);
    let (mut described, mut defects, mut failed) = (Vec::new(), 0_usize, None);
    for (number, (source, path)) in sources.iter().zip(&args.files).enumerate() {
        if number > 0 {
            report.text("\n")?;
        }
        let place = source.place();
        report.line("file", &place)?;
        let read = source.read_at_most(1 + LIMIT as u64).map(Zeroizing::new);
        let found = read.and_then(|bytes| examine(&place, &bytes, &expected, backend));
        match found {
            Ok(diagnosis) => {
                if let Some(algorithm) = diagnosis.algorithm {
                    warn_of_unused_backend(backend, algorithm);
                }
                defects += usize::from(!matches!(diagnosis.verdict, Verdict::Healthy(_)));
                described.push(show(args, path, source, &diagnosis, report)?);
            }
            Err(error) => {
                report.line("not examined", &error.to_string())?;
                failed.get_or_insert(error);
            }
        }
    }
    report.data("files", described);
    match failed {
        Some(error) => Err(error),
        None if defects > 0 => Err(Error::Defects {
            found: defects,
            of: sources.len(),
        }),
        None => Ok(()),
    }
}

/// Reports the state of a file in text, and returns it for JSON.
fn show(
    args: &Doctor,
    path: &Path,
    source: &Source,
    diagnosis: &Diagnosis,
    report: &Report,
) -> Result<Value, Error> {
    if let Some(what) = &diagnosis.what {
        report.line("what", what)?;
    }
    let mut notes = diagnosis.notes.clone();
    let metadata = source.metadata();
    if diagnosis.is_secret
        && metadata.is_some_and(|metadata| standard::is_readable_by_others(&metadata))
    {
        let text = "other users can read the file; `chmod 600` restricts it to the owner";
        notes.push(text.into());
    }
    let lines = |name: &str, all: &[String]| all.iter().try_for_each(|one| report.line(name, one));
    let state = match &diagnosis.verdict {
        Verdict::Healthy(checks) => {
            report.line("state", "healthy")?;
            lines("checked", checks)?;
            json!({ "state": "healthy", "checked": checks })
        }
        Verdict::Defects { error, found } => {
            report.line("state", "defective")?;
            report.line("refused", error)?;
            let mut defects = Vec::new();
            for deviation in found {
                let (text, producers) = (deviation.to_string(), deviation.producers());
                report.line("defect", &text)?;
                for producer in producers {
                    report.line("written by", producer)?;
                }
                defects.push(json!({ "defect": text, "written_by": producers }));
            }
            json!({ "state": "defective", "refused": error, "defects": defects })
        }
        Verdict::NoKey { error, readers } => {
            report.line("state", "not a key that this command reads")?;
            report.line("refused", error)?;
            lines("read by", readers)?;
            json!({ "state": "no_key", "refused": error, "read_by": readers })
        }
    };
    lines("note", &notes)?;
    if let Some(fingerprint) = &diagnosis.fingerprint {
        report.line("fingerprint", fingerprint)?;
    }
    let repairs = diagnosis.repairs.iter();
    let repairs: Vec<_> = repairs
        .map(|repair| command(args, path, diagnosis, *repair))
        .collect();
    lines("repair", &repairs)?;
    lines("advice", &diagnosis.advice)?;
    let mut described = json!({
        "file": source.place(),
        "what": diagnosis.what,
        "algorithm": diagnosis.algorithm.map(|algorithm| algorithm.name()),
    });
    let rest = json!({
        "notes": notes,
        "fingerprint": diagnosis.fingerprint,
        "repairs": repairs,
        "advice": diagnosis.advice,
    });
    if let Value::Object(fields) = &mut described {
        let parts = [state, rest].into_iter();
        fields.extend(
            parts
                .filter_map(|part| match part {
                    Value::Object(part) => Some(part),
                    _ => None,
                })
                .flatten(),
        );
    }
    Ok(described)
}

/// The command line that repairs a file.
fn command(args: &Doctor, path: &Path, diagnosis: &Diagnosis, repair: Repair) -> String {
    let mut words = vec!["moissanite convert".to_owned()];
    words.push(shell_word(path));
    match repair {
        Repair::Rewrite => {}
        Repair::Whole => words.push("--repair".into()),
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
