//! The fields of a prompt. Errors name the place of a field.

use serde_json::{Map, Value};

/// Why a prompt cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PromptError {
    /// The prompt exceeds a limit, so that its answer could take too much memory.
    #[error("the prompt has more than {1} {0}")]
    TooLarge(&'static str, usize),
    /// The prompt is not JSON.
    #[error("it is not JSON: {0}")]
    Json(serde_json::Error),
    /// The prompt is an array of another structure.
    #[error("the array has to be [{{\"acvVersion\": ...}}, {{the vector set}}]")]
    Array,
    /// A value has to be an object.
    #[error("{0}: a JSON object is missing")]
    Object(String),
    /// A required field is missing.
    #[error("{place}: the field '{field}' is missing")]
    Missing {
        /// Which group and test.
        place: String,
        /// Which field.
        field: &'static str,
    },
    /// A field has an invalid value.
    #[error("{place}: the field '{field}' is wrong: {why}")]
    Bad {
        /// Which group and test.
        place: String,
        /// Which field.
        field: &'static str,
        /// What is wrong.
        why: String,
    },
    /// The test cannot be answered.
    #[error("{place}: {why}")]
    Failed {
        /// Which group and test.
        place: String,
        /// What is wrong.
        why: String,
    },
}

pub(super) type Result<T> = std::result::Result<T, PromptError>;

/// A vector set, a group or a test.
pub(super) struct Item<'a> {
    fields: &'a Map<String, Value>,
    place: String,
}

impl<'a> Item<'a> {
    /// The vector set.
    pub(super) fn top(value: &'a Value) -> Result<Self> {
        let place = String::from("the vector set");
        match value {
            Value::Object(fields) => Ok(Self { fields, place }),
            _ => Err(PromptError::Object(place)),
        }
    }

    /// The objects of an array, each with its own number in the field `id`.
    pub(super) fn items(&self, field: &'static str, id: &'static str) -> Result<Vec<Self>> {
        let Value::Array(values) = self.required(field)? else {
            return Err(self.bad(field, "it has to be an array"));
        };
        let item = |(index, value): (usize, &'a Value)| {
            let place = format!("{}, {field}[{index}]", self.place);
            let Value::Object(fields) = value else {
                return Err(PromptError::Object(place));
            };
            let mut item = Self { fields, place };
            let number = item.integer(id)?;
            item.place = match id {
                "tgId" => format!("{id} {number}"),
                _ => format!("{}, {id} {number}", self.place),
            };
            Ok(item)
        };
        values.iter().enumerate().map(item).collect()
    }

    /// The length of an array; 0 if the field is not an array.
    pub(super) fn count(&self, field: &str) -> usize {
        let array = self.optional(field).and_then(Value::as_array);
        array.map_or(0, Vec::len)
    }

    pub(super) fn missing(&self, field: &'static str) -> PromptError {
        PromptError::Missing {
            place: self.place.clone(),
            field,
        }
    }

    pub(super) fn bad(&self, field: &'static str, why: impl Into<String>) -> PromptError {
        PromptError::Bad {
            place: self.place.clone(),
            field,
            why: why.into(),
        }
    }

    pub(super) fn failed(&self, why: impl Into<String>) -> PromptError {
        PromptError::Failed {
            place: self.place.clone(),
            why: why.into(),
        }
    }

    /// The value of a field, unless it is absent or null.
    fn optional(&self, field: &str) -> Option<&'a Value> {
        self.fields.get(field).filter(|value| !value.is_null())
    }

    pub(super) fn required(&self, field: &'static str) -> Result<&'a Value> {
        self.optional(field).ok_or_else(|| self.missing(field))
    }

    pub(super) fn integer(&self, field: &'static str) -> Result<u64> {
        let value = self.required(field)?.as_u64();
        value.ok_or_else(|| self.bad(field, "it has to be a whole number"))
    }

    pub(super) fn boolean(&self, field: &'static str) -> Result<Option<bool>> {
        let Some(value) = self.optional(field) else {
            return Ok(None);
        };
        match value.as_bool() {
            Some(value) => Ok(Some(value)),
            None => Err(self.bad(field, "it has to be true or false")),
        }
    }

    pub(super) fn optional_string(&self, field: &'static str) -> Result<Option<&'a str>> {
        let Some(value) = self.optional(field) else {
            return Ok(None);
        };
        match value.as_str() {
            Some(value) => Ok(Some(value)),
            None => Err(self.bad(field, "it has to be a string")),
        }
    }

    pub(super) fn string(&self, field: &'static str) -> Result<&'a str> {
        self.optional_string(field)?
            .ok_or_else(|| self.missing(field))
    }

    pub(super) fn hex(&self, field: &'static str) -> Result<Option<Vec<u8>>> {
        let Some(digits) = self.optional_string(field)? else {
            return Ok(None);
        };
        match hex::decode(digits) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(_) => Err(self.bad(field, "not hex, two digits for a byte")),
        }
    }

    /// Whether hex is written in lower case here.
    pub(super) fn has_lower_case_hex(&self) -> bool {
        let fields = ["seed", "sk", "pk", "message", "mu", "signature"];
        let mut values = fields
            .iter()
            .filter_map(|field| self.optional(field)?.as_str());
        values.any(|digits| digits.contains(|c: char| matches!(c, 'a'..='f')))
    }
}
