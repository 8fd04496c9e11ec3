//! Diagnostics on standard error: errors, warnings and notes.

use std::io::Write;
use std::sync::OnceLock;

use clap::builder::styling::{AnsiColor, Style};
use serde_json::json;

use crate::display::{self, one_line};
use crate::error::Error;

/// Which diagnostics are printed, and how.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Format {
    /// Each one is a JSON object on a line of its own. There are no notes, because reports contain the
    /// same facts.
    pub(crate) json: bool,
    /// Errors only.
    pub(crate) quiet: bool,
}

/// The format of all diagnostics of this process.
static FORMAT: OnceLock<Format> = OnceLock::new();

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// Sets the format. Only the first call has an effect.
pub(crate) fn set_format(format: Format) {
    FORMAT.get_or_init(|| format);
}

/// The format of this process.
pub(crate) fn format() -> Format {
    FORMAT.get().copied().unwrap_or_default()
}

/// Prints the error with which the command ends.
pub(crate) fn fail(error: &Error) {
    let text = error.to_string();
    if format().json {
        json_line(&json!({ "error": { "kind": error.kind(), "message": text } }));
    } else {
        line(ERROR, "", &text);
    }
}

/// Prints a note: information that the command line does not contain.
pub(crate) fn note(text: &str) {
    let Format { json, quiet } = format();
    if !json && !quiet {
        line(NOTE, "note: ", text);
    }
}

/// Prints a warning. The command continues.
pub(crate) fn warn(text: &str) {
    match format() {
        Format { quiet: true, .. } => {}
        Format { json: true, .. } => json_line(&json!({ "warning": { "message": text } })),
        _ => line(WARNING, "warning: ", text),
    }
}

/// Prints one line. The style is that of the kind of diagnostic, or of the command's name if there is none.
fn line(style: Style, kind: &str, text: &str) {
    let (name, kind) = match kind {
        "" => (format!("{style}moissanite:{style:#} "), String::new()),
        kind => ("moissanite: ".into(), format!("{style}{kind}{style:#}")),
    };
    write(&format!("{name}{kind}{}\n", one_line(text)));
}

fn json_line(document: &serde_json::Value) {
    write(&display::json(document, false));
}

/// Writes to standard error, in colours where it has them. An error of writing is ignored: if standard
/// error is closed, the exit status is the only report.
fn write(text: &str) {
    drop(anstream::stderr().lock().write_all(text.as_bytes()));
}
