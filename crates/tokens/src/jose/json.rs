//! JSON as RFC 7515, section 4, and RFC 7517, section 4, require it: one object, no name twice at any
//! level, nothing behind it.
//!
//! `serde_json` reads the text and limits its nesting to 127 levels. Of a name that occurs twice, it
//! would keep the last value.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::error::Error;

/// Takes the members of an object, one after another.
pub(crate) trait Members<'de> {
    /// Takes a member: reads its value from `object`, exactly once.
    fn member<A: MapAccess<'de>>(
        &mut self,
        name: Cow<'de, str>,
        object: &mut A,
        fault: &Fault,
    ) -> Result<(), A::Error>;
}

/// The reason for which reading stopped, if it is not that of `serde_json`.
#[derive(Default)]
pub(crate) struct Fault(Cell<Option<Error>>);

impl Fault {
    /// Keeps the reason, and returns an error that stops `serde_json`.
    pub(crate) fn stop<E: serde::de::Error>(&self, error: Error) -> E {
        self.0.set(Some(error));
        E::custom("refused")
    }

    /// Stops `serde_json` if a condition holds.
    pub(crate) fn stop_if<E: serde::de::Error>(&self, stop: bool, error: Error) -> Result<(), E> {
        match stop {
            true => Err(self.stop(error)),
            false => Ok(()),
        }
    }
}

/// Reads a text that is one object.
pub(crate) fn read<'de, M: Members<'de>>(text: &'de str, members: &mut M) -> Result<(), Error> {
    let fault = Fault::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    Object {
        members,
        fault: &fault,
    }
    .deserialize(&mut reader)
    .map_err(|_| fault.0.take().unwrap_or(Error::Json))?;
    reader.end().map_err(|_| Error::TrailingData)
}

/// Reads a text that is one object, and keeps all members.
pub(crate) fn read_map(text: &str) -> Result<Map<String, Value>, Error> {
    let mut map = Map::new();
    read(text, &mut map)?;
    Ok(map)
}

impl<'de> Members<'de> for Map<String, Value> {
    fn member<A: MapAccess<'de>>(
        &mut self,
        name: Cow<'de, str>,
        object: &mut A,
        fault: &Fault,
    ) -> Result<(), A::Error> {
        let value = object.next_value_seed(AnyValue(fault))?;
        fault.stop_if(
            self.insert(name.into_owned(), value).is_some(),
            Error::Duplicate,
        )
    }
}

/// An object whose members are given to `members`.
pub(crate) struct Object<'a, M> {
    pub(crate) members: &'a mut M,
    pub(crate) fault: &'a Fault,
}

impl<'de, M: Members<'de>> DeserializeSeed<'de> for Object<'_, M> {
    type Value = ();
    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de, M: Members<'de>> Visitor<'de> for Object<'_, M> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let fault = self.fault;
        while let Some(name) = object.next_key_seed(Text { of: "", fault })? {
            self.members.member(name, &mut object, fault)?;
        }
        Ok(())
    }
}

/// A text, which is borrowed from the input if it has no escape sequences.
pub(crate) struct Text<'a> {
    /// The member, for [`Error::WrongType`].
    pub(crate) of: &'static str,
    pub(crate) fault: &'a Fault,
}

impl Text<'_> {
    fn wrong_type<T, E: serde::de::Error>(&self) -> Result<T, E> {
        Err(self.fault.stop(Error::WrongType(self.of)))
    }
}

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = Cow<'de, str>;
    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Text<'_> {
    type Value = Cow<'de, str>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.into()))
    }
    fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
        self.wrong_type()
    }
    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<Self::Value, E> {
        self.wrong_type()
    }
    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<Self::Value, E> {
        self.wrong_type()
    }
    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<Self::Value, E> {
        self.wrong_type()
    }
    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Self::Value, E> {
        self.wrong_type()
    }
    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
        self.wrong_type()
    }
    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
        self.wrong_type()
    }
}

/// Any value in which no object has a name twice.
pub(crate) struct AnyValue<'a>(pub(crate) &'a Fault);

impl<'de> DeserializeSeed<'de> for AnyValue<'_> {
    type Value = Value;
    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue<'_> {
    type Value = Value;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = sequence.next_element_seed(AnyValue(self.0))? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }
    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        let members = &mut map;
        let fault = self.0;
        Object { members, fault }.visit_map(object)?;
        Ok(Value::Object(map))
    }
}

/// Removes a member that has to be text.
pub(crate) fn take_text(
    map: &mut Map<String, Value>,
    name: &'static str,
) -> Result<Option<String>, Error> {
    match map.remove(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Error::WrongType(name)),
    }
}

/// Writes a text with its quotation marks.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
