//! The text in which `moissanite inspect` shows extensions.

use der::asn1::OctetString;
use der::oid::db::rfc5280::{ID_AD_CA_ISSUERS, ID_AD_OCSP};
use der::{Decode, Encode};
use serde_json::Value;
use x509_cert::der::oid::AssociatedOid;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::constraints::name::GeneralSubtrees;
use x509_cert::ext::pkix::crl::dp::DistributionPoint;
use x509_cert::ext::pkix::name::{DistributionPointName, GeneralName};
use x509_cert::ext::pkix::{
    AccessDescription, AuthorityInfoAccessSyntax, AuthorityKeyIdentifier, BasicConstraints,
    CrlDistributionPoints, CrlNumber, ExtendedKeyUsage, KeyUsage, KeyUsages, NameConstraints,
    SubjectAltName, SubjectKeyIdentifier,
};

use super::decode::{address_of, decode};
use super::purpose::Purpose;

/// The label and the value of one extension, independent of the others: text, or a list of texts.
pub(crate) fn line(extension: &Extension) -> (&'static str, Value) {
    match extension.extn_id {
        BasicConstraints::OID => ("authority", render(extension, authority)),
        KeyUsage::OID => ("key usage", render(extension, usage)),
        ExtendedKeyUsage::OID => ("purposes", render(extension, purposes)),
        SubjectAltName::OID => ("names", render(extension, names)),
        NameConstraints::OID => ("constraints", render(extension, constraints)),
        SubjectKeyIdentifier::OID => (
            "key id",
            render(extension, |id: SubjectKeyIdentifier| bytes(&id.0)),
        ),
        AuthorityKeyIdentifier::OID => ("issuer key", render(extension, issuer_key)),
        CrlDistributionPoints::OID => ("CRLs", render(extension, distribution_points)),
        AuthorityInfoAccessSyntax::OID => ("issuer info", render(extension, access)),
        CrlNumber::OID => (
            "number",
            render(extension, |number: CrlNumber| self::number(&number)),
        ),
        oid => {
            let critical = if extension.critical { "critical, " } else { "" };
            let length = extension.extn_value.as_bytes().len();
            let text = format!("{oid}, {critical}{length} bytes, unknown");
            ("extension", text.into())
        }
    }
}

/// What `show` makes of the decoded value, or `malformed`.
fn render<'a, T: Decode<'a, Error = der::Error> + Encode, V: Into<Value>>(
    extension: &'a Extension,
    show: impl FnOnce(T) -> V,
) -> Value {
    decode(extension).map_or_else(|_| "malformed".into(), |value| show(value).into())
}

fn bytes(bytes: &OctetString) -> String {
    hex::encode(bytes.as_bytes())
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "the signature that `render` calls"
)]
fn authority(constraints: BasicConstraints) -> String {
    match (constraints.ca, constraints.path_len_constraint) {
        (false, _) => "no".into(),
        (true, None) => "yes".into(),
        (true, Some(most)) => format!("yes, with at most {most} others below it"),
    }
}

/// The names of RFC 5280, section 4.2.1.3.
fn usage(usage: KeyUsage) -> Vec<&'static str> {
    let name = |usage| match usage {
        KeyUsages::DigitalSignature => "digitalSignature",
        KeyUsages::NonRepudiation => "nonRepudiation",
        KeyUsages::KeyEncipherment => "keyEncipherment",
        KeyUsages::DataEncipherment => "dataEncipherment",
        KeyUsages::KeyAgreement => "keyAgreement",
        KeyUsages::KeyCertSign => "keyCertSign",
        KeyUsages::CRLSign => "cRLSign",
        KeyUsages::EncipherOnly => "encipherOnly",
        KeyUsages::DecipherOnly => "decipherOnly",
    };
    usage.0.into_iter().map(name).collect()
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "the signature that `render` calls"
)]
fn purposes(purposes: ExtendedKeyUsage) -> Vec<String> {
    purposes
        .0
        .iter()
        .map(|oid| Purpose::of(*oid).name())
        .collect()
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "the signature that `render` calls"
)]
fn names(names: SubjectAltName) -> Vec<String> {
    names.0.iter().map(name).collect()
}

fn list(names: &[GeneralName]) -> String {
    let names: Vec<_> = names.iter().map(name).collect();
    names.join(", ")
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "the signature that `render` calls"
)]
fn constraints(constraints: NameConstraints) -> String {
    let bases = |what: &str, subtrees: Option<GeneralSubtrees>| {
        let bases = subtrees?
            .iter()
            .map(|subtree| base(&subtree.base))
            .collect::<Vec<_>>();
        Some(format!("{what} {}", bases.join(", ")))
    };
    let lists = [
        bases("permitted", constraints.permitted_subtrees),
        bases("excluded", constraints.excluded_subtrees),
    ];
    lists.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The base of a subtree. After an address, a mask of the same length follows.
fn base(name: &GeneralName) -> String {
    let GeneralName::IpAddress(network) = name else {
        return self::name(name);
    };
    let bytes = network.as_bytes();
    let half = bytes.len() >> 1;
    let (address, mask) = bytes.split_at_checked(half).unwrap_or_default();
    match (address_of(address), address_of(mask)) {
        (Some(address), Some(mask)) => format!("IP:{address}/{mask}"),
        _ => format!("IP:malformed ({})", hex::encode(bytes)),
    }
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "the signature that `render` calls"
)]
fn issuer_key(key: AuthorityKeyIdentifier) -> String {
    let id = key.key_identifier.as_ref();
    id.map_or_else(
        || "identified by the serial number of its certificate".into(),
        bytes,
    )
}

/// The number of a CRL, in decimal digits if it has at most 128 bits.
pub(crate) fn number(number: &CrlNumber) -> String {
    let bytes = number.0.as_bytes();
    let mut value = [0; 16];
    match value
        .len()
        .checked_sub(bytes.len())
        .and_then(|start| value.get_mut(start..))
    {
        Some(end) => {
            end.copy_from_slice(bytes);
            u128::from_be_bytes(value).to_string()
        }
        None => format!("0x{}", hex::encode(bytes)),
    }
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "the signature that `render` calls"
)]
fn distribution_points(points: CrlDistributionPoints) -> Vec<String> {
    let point = |point: &DistributionPoint| {
        let mut text = match &point.distribution_point {
            Some(DistributionPointName::FullName(names)) => list(names),
            Some(DistributionPointName::NameRelativeToCRLIssuer(_)) => {
                "a name relative to the issuer".into()
            }
            None => "no place".into(),
        };
        if let Some(issuer) = &point.crl_issuer {
            text += &format!(" by {}", list(issuer));
        }
        if point.reasons.is_some() {
            text += " for some reasons";
        }
        text
    };
    points.0.iter().map(point).collect()
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "the signature that `render` calls"
)]
fn access(access: AuthorityInfoAccessSyntax) -> Vec<String> {
    let method = |oid| match oid {
        ID_AD_OCSP => "OCSP".into(),
        ID_AD_CA_ISSUERS => "certificate".into(),
        oid => oid.to_string(),
    };
    let description = |one: &AccessDescription| {
        format!(
            "{} {}",
            method(one.access_method),
            name(&one.access_location)
        )
    };
    access.0.iter().map(description).collect()
}

/// A name with its kind, such as `DNS:server.example`.
pub(crate) fn name(name: &GeneralName) -> String {
    match name {
        GeneralName::DnsName(name) => format!("DNS:{}", quoted(name.as_str())),
        GeneralName::IpAddress(address) => match address_of(address.as_bytes()) {
            Some(address) => format!("IP:{address}"),
            None => format!("IP:malformed ({})", bytes(address)),
        },
        GeneralName::Rfc822Name(name) => format!("email:{}", quoted(name.as_str())),
        GeneralName::UniformResourceIdentifier(name) => format!("URI:{}", quoted(name.as_str())),
        GeneralName::DirectoryName(name) => format!("name:{}", quoted(&name.to_string())),
        GeneralName::RegisteredId(oid) => format!("OID:{oid}"),
        GeneralName::OtherName(_) | GeneralName::EdiPartyName(_) => "a name of another kind".into(),
    }
}

/// The text in quotes, unless it could be the name of a host: a comma in it must not look like the end.
pub(super) fn quoted(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.*".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        text.into()
    } else {
        format!("{text:?}")
    }
}
