//! The rules for names that are written into certificates and requests: the types and the upper bounds
//! of RFC 5280, appendix A.1.

use der::oid::ObjectIdentifier;
use der::oid::db::DB;
use der::oid::db::rfc3280::{EMAIL_ADDRESS, PSEUDONYM};
use der::oid::db::rfc4519::{
    COMMON_NAME, COUNTRY_NAME, DN_QUALIFIER, DOMAIN_COMPONENT, GENERATION_QUALIFIER, GIVEN_NAME,
    INITIALS, LOCALITY_NAME, NAME, ORGANIZATION_NAME, ORGANIZATIONAL_UNIT_NAME, SERIAL_NUMBER, ST,
    SURNAME, TITLE,
};
use der::{Tag, Tagged};
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::name::Name;

use super::names;

/// The attribute, the field's name and the upper bound, in characters.
const BOUNDS: &[(ObjectIdentifier, &str, usize)] = &[
    (COMMON_NAME, "a common name (CN)", 64),
    (ORGANIZATION_NAME, "an organization (O)", 64),
    (ORGANIZATIONAL_UNIT_NAME, "an organizational unit (OU)", 64),
    (LOCALITY_NAME, "a locality (L)", 128),
    (ST, "a state or province (ST)", 128),
    (TITLE, "a title", 64),
    (SERIAL_NUMBER, "a serial number", 64),
    (PSEUDONYM, "a pseudonym", 128),
    (EMAIL_ADDRESS, "a mail address", 255),
    // RFC 5280 has no bound; this one is that of a DNS label (RFC 1035, section 2.3.4).
    (DOMAIN_COMPONENT, "a domain component (DC)", 63),
    (NAME, "a name", 32_768),
    (SURNAME, "a surname (SN)", 32_768),
    (GIVEN_NAME, "a given name", 32_768),
    (INITIALS, "initials", 32_768),
    (GENERATION_QUALIFIER, "a generation qualifier", 32_768),
];

/// Whether a certificate or a request may have this name. The error is a sentence without a subject,
/// such as `has a country that is not two letters`.
pub(crate) fn check(name: &Name) -> Result<(), String> {
    if name.iter_rdn().any(|rdn| rdn.is_empty()) {
        return Err("has an empty part".into());
    }
    name.iter().try_for_each(check_attribute)
}

fn check_attribute(attribute: &AttributeTypeAndValue) -> Result<(), String> {
    let oid = attribute.oid;
    let known_as = DB.by_oid(&oid).unwrap_or("the attribute");
    let tag = attribute.value.tag();
    let bound = BOUNDS.iter().find(|(known, ..)| *known == oid);
    let Some(text) = names::text(&attribute.value) else {
        return Err(format!(
            "has a value of {known_as} ({oid}) that is not a well-formed {tag}"
        ));
    };
    let is_of_type = match oid {
        COUNTRY_NAME | SERIAL_NUMBER | DN_QUALIFIER => tag == Tag::PrintableString,
        EMAIL_ADDRESS | DOMAIN_COMPONENT => tag == Tag::Ia5String,
        _ if bound.is_some() => matches!(tag, Tag::PrintableString | Tag::Utf8String),
        _ => true,
    };
    if !is_of_type {
        return Err(format!(
            "has a value of {known_as} ({oid}) of the type {tag}, which RFC 5280 does not allow there"
        ));
    }
    if text.is_empty() {
        return Err(format!("has an empty value of {known_as} ({oid})"));
    }
    if let Some(hidden) = text.chars().find(|character| is_hidden(*character)) {
        let code = u32::from(hidden);
        return Err(format!(
            "has the character U+{code:04X}, which controls how text is shown"
        ));
    }
    let is_country = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    match bound {
        _ if oid == COUNTRY_NAME && !is_country => {
            Err("has a country (C) that is not two letters, such as DE".into())
        }
        Some((_, what, most)) if text.chars().count() > *most => {
            Err(format!("has {what} of more than {most} characters"))
        }
        _ => Ok(()),
    }
}

/// Whether it is a control character, changes the direction of text, or separates lines.
fn is_hidden(character: char) -> bool {
    let directs = matches!(character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let separates = matches!(character, '\u{2028}' | '\u{2029}');
    character.is_control() || directs || separates
}
