//! The comparison of distinguished names, and the check of their text.
//!
//! RFC 5280, section 7.1, compares attributes of the types PrintableString and UTF8String after the
//! preparation of RFC 4518: mapping, NFKC, folding of letter cases, and runs of spaces as one. Text of
//! the type IA5String is compared in the same way. Other types, and text that the preparation
//! prohibits, are compared byte by byte.

use der::asn1::{Any, Ia5StringRef, PrintableStringRef};
use der::oid::ObjectIdentifier;
use der::{Encode, Tag, Tagged};
use stringprep::x520prep;
use x509_cert::name::Name;

/// A name in the form in which names are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ComparableName(Vec<Vec<(ObjectIdentifier, Value)>>);

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    /// Prepared text.
    Text(String),
    /// DER, of any other type.
    Bytes(Vec<u8>),
}

impl ComparableName {
    /// Prepares a name.
    pub(crate) fn of(name: &Name) -> Self {
        let rdns = name.iter_rdn().map(|rdn| {
            let mut attributes: Vec<_> = rdn
                .iter()
                .map(|attribute| (attribute.oid, Value::of(&attribute.value)))
                .collect();
            // The order within a relative distinguished name has no meaning.
            attributes.sort();
            attributes
        });
        Self(rdns.collect())
    }

    /// Whether the name is in the subtree below `base`, that is, begins with `base`.
    pub(crate) fn is_within(&self, base: &Self) -> bool {
        self.0.starts_with(&base.0)
    }

    /// Whether no part of the name is compared byte by byte.
    pub(crate) fn is_text(&self) -> bool {
        let mut attributes = self.0.iter().flatten();
        attributes.all(|(_, value)| matches!(value, Value::Text(_)))
    }
}

impl Value {
    fn of(value: &Any) -> Self {
        match text(value).and_then(prepare) {
            Some(text) => {
                let words: Vec<_> = text.split(' ').filter(|word| !word.is_empty()).collect();
                Self::Text(words.join(" "))
            }
            None => Self::Bytes(value.to_der().unwrap_or_default()),
        }
    }
}

/// Folds letter cases and then composes characters (NFKC). One call of the library does only one of these.
fn prepare(text: &str) -> Option<String> {
    let folded = x520prep(text, true).ok()?;
    let composed = x520prep(&folded, false).ok()?;
    Some(composed.into_owned())
}

/// The text of the three types whose bytes are UTF-8.
pub(super) fn text(value: &Any) -> Option<&str> {
    let bytes = value.value();
    match value.tag() {
        Tag::Utf8String => str::from_utf8(bytes).ok(),
        Tag::PrintableString => PrintableStringRef::new(bytes)
            .ok()
            .map(|text| text.as_str()),
        Tag::Ia5String => Ia5StringRef::new(bytes).ok().map(|text| text.as_str()),
        _ => None,
    }
}

/// Whether every relative distinguished name has an attribute, and every text is of its type.
pub(crate) fn is_well_formed(name: &Name) -> bool {
    let is_filled = name.iter_rdn().all(|rdn| !rdn.is_empty());
    is_filled
        && name
            .iter()
            .all(|attribute| is_value_well_formed(&attribute.value))
}

fn is_value_well_formed(value: &Any) -> bool {
    match value.tag() {
        Tag::Utf8String | Tag::PrintableString | Tag::Ia5String => text(value).is_some(),
        Tag::BmpString => {
            let (units, rest) = value.value().as_chunks::<2>();
            let units = units.iter().map(|unit| u16::from_be_bytes(*unit));
            rest.is_empty() && char::decode_utf16(units).all(|unit| unit.is_ok())
        }
        _ => true,
    }
}
