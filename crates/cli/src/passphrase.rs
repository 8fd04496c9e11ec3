//! Passphrases of private keys.

use std::cell::OnceCell;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use zeroize::Zeroizing;

use crate::error::Error;
use crate::input::Source;

/// The longest passphrase, in bytes.
const LIMIT: usize = 1024;

/// The option of a file with a passphrase.
pub(crate) const FILE_OPTION: &str = "--passphrase-file";

/// The source of the passphrase of an existing key, if it is not the terminal.
#[derive(Debug, Default, Args)]
pub(crate) struct PassphraseArgs {
    /// The file whose first line is the passphrase of an encrypted key; '-' is standard input, and /dev/fd/3 the
    /// descriptor 3. Without this, the terminal asks
    #[arg(long, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,
    #[arg(skip)]
    read: Read,
}

/// The passphrase of the file, after it was read. A stream can be read only once, and a command can need the
/// passphrase for several keys.
#[derive(Default)]
struct Read(OnceCell<Zeroizing<String>>);

impl fmt::Debug for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Read")
    }
}

impl PassphraseArgs {
    /// Returns the passphrase of an existing key.
    pub(crate) fn ask(&self, key: &str) -> Result<Zeroizing<String>, Error> {
        let Some(path) = &self.passphrase_file else {
            return prompt(&format!("Passphrase of {key}: "), FILE_OPTION);
        };
        if let Some(read) = self.read.0.get() {
            return Ok(read.clone());
        }
        let read = first_line(&Source::new(path))?;
        Ok(self.read.0.get_or_init(|| read).clone())
    }

    /// Returns the passphrase of a new key, which the terminal asks for twice. An empty one means none.
    pub(crate) fn choose(&self) -> Result<Zeroizing<String>, Error> {
        if let Some(path) = &self.passphrase_file {
            return first_line(&Source::new(path));
        }
        let question = "New passphrase, or nothing for a key without one: ";
        prompt_twice(question, FILE_OPTION)
    }

    /// The file, which is an input of the command.
    pub(crate) fn source(&self) -> Option<Source> {
        self.passphrase_file.as_deref().map(Source::new)
    }
}

/// Returns the passphrase with which a key is to be encrypted: the first line of a file, or what the terminal asks
/// for twice if `asks`, or otherwise none. The option that names the file is `option`.
pub(crate) fn for_encryption(
    asks: bool,
    file: Option<&Path>,
    option: &str,
) -> Result<Option<Zeroizing<String>>, Error> {
    match file {
        Some(path) => first_line(&Source::new(path)).map(Some),
        None if asks => {
            let passphrase = prompt_twice("New passphrase: ", option)?;
            if passphrase.is_empty() {
                return Err(Error::Usage("the passphrase is empty".into()));
            }
            Ok(Some(passphrase))
        }
        None => Ok(None),
    }
}

/// Asks twice for the same passphrase, or once if it is empty.
fn prompt_twice(question: &str, option: &str) -> Result<Zeroizing<String>, Error> {
    let first = prompt(question, option)?;
    if !first.is_empty() && *prompt("The same passphrase again: ", option)? != *first {
        return Err(Error::Usage("the two passphrases differ".into()));
    }
    Ok(first)
}

/// Reads the first line.
fn first_line(source: &Source) -> Result<Zeroizing<String>, Error> {
    let bytes = Zeroizing::new(source.read_at_most(LIMIT as u64 + 2)?);
    let line = bytes.split(|byte| *byte == b'\n').next();
    let line = line.unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > LIMIT {
        let text = format!(
            "the passphrase in {} is longer than {LIMIT} bytes",
            source.place()
        );
        return Err(Error::Usage(text));
    }
    match std::str::from_utf8(line) {
        Ok(text) if !text.is_empty() => Ok(Zeroizing::new(text.into())),
        Ok(_) => Err(Error::Usage(format!(
            "the first line of {} is empty; a passphrase is required",
            source.place()
        ))),
        Err(_) => Err(Error::Usage(format!(
            "the passphrase in {} is not UTF-8",
            source.place()
        ))),
    }
}

/// Asks on the terminal, which does not show the answer. Without a terminal, the error names the option for a file.
fn prompt(question: &str, option: &str) -> Result<Zeroizing<String>, Error> {
    match rpassword::prompt_password(question) {
        Ok(answer) => Ok(Zeroizing::new(answer)),
        Err(_) => Err(Error::Usage(format!(
            "there is no terminal to ask for a passphrase; {option} names a file with it"
        ))),
    }
}
