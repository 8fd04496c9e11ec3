//! What a subcommand reports on standard output: fields in order, as aligned lines of text or as one JSON
//! object.
//!
//! In text, a line is printed as soon as it is known, so that an error follows what was found before it.
//! In JSON, a subcommand that fails reports nothing, unless its report lists what failed.

use clap::builder::styling::{AnsiColor, Style};
use serde_json::{Map, Value};

use crate::display::{self, one_line};
use crate::error::Error;
use crate::output::{self, Target};

/// The width of the names of fields in text.
const WIDTH: usize = 12;

const LABEL: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();

/// A report.
///
/// Names are in snake case, and are part of the interface of the command. A length is a number of bytes
/// under a name that ends in `_length`.
pub(crate) struct Report(Format);

enum Format {
    /// Lines of text.
    Text,
    /// One object, which is printed at the end.
    Json(Map<String, Value>),
    /// Nothing.
    Nothing,
}

impl Report {
    /// An empty report in JSON, or in text unless `quiet`.
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Self(match (json, quiet) {
            (true, _) => Format::Json(Map::new()),
            (false, false) => Format::Text,
            (false, true) => Format::Nothing,
        })
    }

    /// An empty report of the same format, for one of several parts of a file.
    pub(crate) fn part(&self) -> Self {
        Self(match &self.0 {
            Format::Text => Format::Text,
            Format::Json(_) => Format::Json(Map::new()),
            Format::Nothing => Format::Nothing,
        })
    }

    /// The fields as a value in another report.
    pub(crate) fn into_value(self) -> Value {
        match self.0 {
            Format::Json(fields) => fields.into(),
            Format::Text | Format::Nothing => Value::Null,
        }
    }

    /// Reports a field. In text, it is a line with the name and the value.
    pub(crate) fn field(
        &mut self,
        name: &'static str,
        value: impl Into<Value>,
    ) -> Result<(), Error> {
        let value = value.into();
        self.line(&name.replace('_', " "), &text(&value))?;
        self.data(name, value);
        Ok(())
    }

    /// Reports a field whose line has another text than its value.
    pub(crate) fn field_as(
        &mut self,
        name: &'static str,
        value: impl Into<Value>,
        text: &str,
    ) -> Result<(), Error> {
        self.data(name, value);
        self.line(&name.replace('_', " "), text)
    }

    /// Reports a field in JSON only: lines of text have the same fact in another form.
    pub(crate) fn data(&mut self, name: &'static str, value: impl Into<Value>) {
        if let Format::Json(fields) = &mut self.0 {
            let earlier = fields.insert(name.into(), value.into());
            debug_assert!(earlier.is_none(), "the field {name} is reported twice");
        }
    }

    /// Prints a line with a name in text only: fields have the same fact in another form.
    pub(crate) fn line(&self, name: &str, text: &str) -> Result<(), Error> {
        let (name, text) = (one_line(name), one_line(text));
        let space = " ".repeat(WIDTH.saturating_sub(name.chars().count()));
        self.styled(&format!("{LABEL}{name}{LABEL:#}{space} {text}\n"))
    }

    /// Prints text, such as the rows of a table, in text only.
    pub(crate) fn text(&self, text: &str) -> Result<(), Error> {
        self.styled(&display::lines(text))
    }

    /// Reports that what was verified is valid.
    pub(crate) fn valid(&mut self) -> Result<(), Error> {
        self.data("valid", true);
        self.styled(&format!("{GOOD}valid{GOOD:#}\n"))
    }

    /// Whether the report takes standard output for one object.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self.0, Format::Json(_))
    }

    /// Refuses to write an output and a report in JSON to standard output.
    pub(crate) fn check(&self, target: &Target) -> Result<(), Error> {
        if self.is_json() && target.is_stdout() {
            return Err(Error::Usage(
                "--json takes standard output for the report; name a file with --out".into(),
            ));
        }
        Ok(())
    }

    /// Prints the report in JSON, unless it has no fields.
    pub(crate) fn finish(self) -> Result<(), Error> {
        match self.0 {
            Format::Json(fields) if !fields.is_empty() => {
                output::print(&display::json(&fields.into(), true))
            }
            _ => Ok(()),
        }
    }

    fn styled(&self, text: &str) -> Result<(), Error> {
        match self.0 {
            Format::Text => output::print_styled(text),
            Format::Json(_) | Format::Nothing => Ok(()),
        }
    }
}

/// A value as text.
pub(crate) fn text(value: &Value) -> String {
    let list = |parts: &mut dyn Iterator<Item = String>| parts.collect::<Vec<_>>().join(", ");
    match value {
        Value::Null => "none".into(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(values) => list(&mut values.iter().map(text)),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                format!("{} {}", name.replace('_', " "), text(value))
            };
            list(&mut fields.iter().map(field))
        }
    }
}
