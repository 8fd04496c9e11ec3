//! Name constraints (RFC 5280, section 4.2.1.10): the names that an authority may certify.
//!
//! Constraints of the kinds directoryName, dNSName, iPAddress and rfc822Name are compared with the
//! names of a certificate. A name of another kind that is constrained is refused, and so is a
//! constrained name that is malformed.

use std::mem::{Discriminant, discriminant};
use std::net::IpAddr;

use der::asn1::{Ia5String, OctetString};
use der::oid::{AssociatedOid, ObjectIdentifier};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::NameConstraints;
use x509_cert::ext::pkix::constraints::name::GeneralSubtree;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::Name;

use super::decode::decode;
use super::error::CertificateError;
use super::host::{Host, host, mailbox};
use super::limits;
use super::names::{self, ComparableName};
use super::text::{self, quoted};

/// The largest number of comparisons of a name with a subtree, per certificate and authority.
const MAX_COMPARISONS: usize = 250_000;

/// The attribute emailAddress of a distinguished name.
const EMAIL_ADDRESS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.1");

/// A mailbox outside ASCII, to which constraints of the kind rfc822Name apply (RFC 9598, section 6).
const SMTP_UTF8_MAILBOX: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.8.9");

/// The name constraints of one authority.
#[derive(Debug)]
pub(crate) struct Constraints {
    permitted: Vec<Subtree>,
    excluded: Vec<Subtree>,
}

/// The kind of a name. A constraint applies to names of its own kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Directory,
    Dns,
    Mail,
    Address,
    Other(Discriminant<GeneralName>),
}

impl Kind {
    fn of(name: &GeneralName) -> Self {
        match name {
            GeneralName::DirectoryName(_) => Self::Directory,
            GeneralName::DnsName(_) => Self::Dns,
            GeneralName::Rfc822Name(_) => Self::Mail,
            GeneralName::OtherName(name) if name.type_id == SMTP_UTF8_MAILBOX => Self::Mail,
            GeneralName::IpAddress(_) => Self::Address,
            _ => Self::Other(discriminant(name)),
        }
    }
}

/// All names of one kind that have this base.
#[derive(Debug)]
struct Subtree {
    kind: Kind,
    base: Base,
}

#[derive(Debug)]
enum Base {
    Directory(ComparableName),
    /// A host and all hosts below it.
    Dns(HostBase),
    /// One mailbox: its local part, and its host in lower case.
    Mailbox(String, String),
    /// All mailboxes of a host, or of all hosts below it.
    MailHost(HostBase),
    /// An address and a mask of the same length.
    Network(Vec<u8>, Vec<u8>),
    /// A kind of names that is not compared.
    Other,
}

/// A host in a constraint, in lower case.
#[derive(Debug)]
struct HostBase {
    /// The name; empty for all hosts.
    name: String,
    /// Whether only hosts below it are meant: the constraint begins with a dot.
    only_below: bool,
}

impl HostBase {
    fn read(text: &str) -> Option<Self> {
        let (name, only_below) = match text.strip_prefix('.') {
            Some(name) => (name, true),
            None => (text, false),
        };
        let is_all = name.is_empty() && !only_below;
        let name = if is_all { String::new() } else { host(name)? };
        Some(Self { name, only_below })
    }

    fn has_below(&self, host: &str) -> bool {
        let rest = host.strip_suffix(self.name.as_str());
        self.name.is_empty() || rest.is_some_and(|rest| rest.ends_with('.'))
    }

    fn is(&self, host: &str) -> bool {
        !self.only_below && self.name == host
    }
}

impl Subtree {
    /// Reads a subtree; `None` if the base is malformed. RFC 5280 allows neither minimum nor maximum.
    fn read(subtree: &GeneralSubtree) -> Option<Self> {
        if subtree.minimum != 0 || subtree.maximum.is_some() {
            return None;
        }
        let base = match &subtree.base {
            GeneralName::DirectoryName(name) if names::is_well_formed(name) => {
                Base::Directory(ComparableName::of(name))
            }
            GeneralName::DirectoryName(_) => return None,
            GeneralName::DnsName(name) => Base::Dns(HostBase::read(name.as_str())?),
            GeneralName::Rfc822Name(name) if name.as_str().contains('@') => {
                let (local, host) = mailbox(name.as_str())?;
                Base::Mailbox(local, host)
            }
            GeneralName::Rfc822Name(name) => Base::MailHost(HostBase::read(name.as_str())?),
            GeneralName::IpAddress(network) => network_of(network.as_bytes())?,
            _ => Base::Other,
        };
        let kind = Kind::of(&subtree.base);
        Some(Self { kind, base })
    }
}

/// Reads an address and a mask of ones followed by zeros (RFC 4632).
fn network_of(bytes: &[u8]) -> Option<Base> {
    let (address, mask) = match bytes.len() {
        8 => bytes.split_at_checked(4)?,
        32 => bytes.split_at_checked(16)?,
        _ => return None,
    };
    let ones = mask.iter().take_while(|byte| **byte == 0xff).count();
    let mut rest = mask.iter().skip(ones);
    let is_prefix = rest
        .next()
        .is_none_or(|byte| byte.leading_ones() + byte.trailing_zeros() == 8);
    let is_mask = is_prefix && rest.all(|byte| *byte == 0);
    is_mask.then(|| Base::Network(address.to_vec(), mask.to_vec()))
}

/// A name of a certificate, prepared for comparison.
struct Certified {
    kind: Kind,
    /// The name in messages.
    text: String,
    value: Value,
}

enum Value {
    Directory(ComparableName),
    /// In lower case; its first label can be `*`.
    Dns(String),
    Mailbox(String, String),
    Address(Vec<u8>),
    /// Malformed, or of a kind that is not compared.
    Other,
}

impl Certified {
    fn of(name: &GeneralName) -> Self {
        let value = match name {
            GeneralName::DirectoryName(name) => Some(Value::Directory(ComparableName::of(name))),
            GeneralName::DnsName(_) | GeneralName::IpAddress(_) => match Host::of(name) {
                Some(Host::Dns(name)) => Some(Value::Dns(name)),
                Some(Host::Address(address)) => Some(Value::of_address(address)),
                None => None,
            },
            GeneralName::Rfc822Name(name) => Some(Value::of_mail(name.as_str())),
            _ => None,
        };
        Self {
            kind: Kind::of(name),
            text: text::name(name),
            value: value.unwrap_or(Value::Other),
        }
    }

    /// The subject, the mail addresses in it, and the alternative names.
    fn all(subject: &Name, alternative: &[GeneralName]) -> Vec<Self> {
        let mut all = Vec::new();
        if !subject.is_empty() {
            all.push(Self::of(&GeneralName::DirectoryName(subject.clone())));
        }
        let mails = subject
            .iter()
            .filter(|attribute| attribute.oid == EMAIL_ADDRESS);
        all.extend(mails.map(|attribute| {
            let text = names::text(&attribute.value).unwrap_or_default();
            Self {
                kind: Kind::Mail,
                text: format!("email:{}", quoted(text)),
                value: Value::of_mail(text),
            }
        }));
        all.extend(alternative.iter().map(Self::of));
        all
    }
}

impl Value {
    fn of_mail(text: &str) -> Self {
        mailbox(text).map_or(Self::Other, |(local, host)| Self::Mailbox(local, host))
    }

    fn of_address(address: IpAddr) -> Self {
        Self::Address(octets(address))
    }

    /// Whether a comparison is conclusive. A directory name that is compared byte by byte can be an
    /// excluded name in another encoding.
    fn is_exact(&self) -> bool {
        match self {
            Self::Directory(name) => name.is_text(),
            Self::Other => false,
            _ => true,
        }
    }

    /// Whether everything that the name stands for is in the subtree.
    fn is_within(&self, base: &Base) -> bool {
        match (self, base) {
            (Self::Directory(name), Base::Directory(base)) => name.is_within(base),
            (Self::Dns(name), Base::Dns(base)) => base.is(name) || base.has_below(name),
            (Self::Mailbox(local, host), Base::Mailbox(base, at)) => local == base && host == at,
            (Self::Mailbox(_, host), Base::MailHost(base)) => {
                let has_all = base.only_below || base.name.is_empty();
                base.is(host) || has_all && base.has_below(host)
            }
            (Self::Address(address), Base::Network(base, mask)) => {
                let bytes = address.iter().zip(base).zip(mask);
                let mut bytes = bytes.map(|((byte, base), mask)| (byte ^ base) & mask);
                address.len() == base.len() && bytes.all(|difference| difference == 0)
            }
            _ => false,
        }
    }

    /// Whether anything that the name stands for is in the subtree: a `*` can stand for the first label
    /// of the base.
    fn touches(&self, base: &Base) -> bool {
        let is_one_of = |name: &str, base: &HostBase| {
            let rest = name.strip_prefix("*.");
            let parent = base.name.split_once('.').map(|(_, parent)| parent);
            !base.only_below && rest.is_some() && rest == parent
        };
        match (self, base) {
            (Self::Dns(name), Base::Dns(base)) if is_one_of(name, base) => true,
            _ => self.is_within(base),
        }
    }
}

impl Constraints {
    /// Reads the extension. Refuses what section 4.2.1.10 forbids: an extension without lists, an empty
    /// list, a minimum, a maximum, and a malformed base.
    pub(crate) fn read(extension: &Extension) -> Result<Self, CertificateError> {
        let found: NameConstraints = decode(extension)?;
        let read = |subtrees: &Option<Vec<GeneralSubtree>>| match subtrees {
            Some(subtrees) if subtrees.is_empty() => None,
            Some(subtrees) => subtrees.iter().map(Subtree::read).collect(),
            None => Some(Vec::new()),
        };
        match (
            read(&found.permitted_subtrees),
            read(&found.excluded_subtrees),
        ) {
            (Some(permitted), Some(excluded)) if !permitted.is_empty() || !excluded.is_empty() => {
                Ok(Self {
                    permitted,
                    excluded,
                })
            }
            _ => Err(CertificateError::MalformedExtension(NameConstraints::OID)),
        }
    }

    /// Checks all names of a certificate below the authority. `issuer` is its name in messages.
    pub(crate) fn check(
        &self,
        issuer: &str,
        subject: &Name,
        alternative: &[GeneralName],
    ) -> Result<(), CertificateError> {
        let names = Certified::all(subject, alternative);
        let subtrees = self.permitted.len().saturating_add(self.excluded.len());
        if names.len().saturating_mul(subtrees) > MAX_COMPARISONS {
            return Err(CertificateError::TooManyNames(issuer.into()));
        }
        names.into_iter().try_for_each(|name| {
            let refusal = match self.verdict(&name) {
                Verdict::Granted => return Ok(()),
                Verdict::NotPermitted => CertificateError::NotPermitted,
                Verdict::Excluded => CertificateError::Excluded,
                Verdict::NotComparable => CertificateError::NotComparable,
            };
            Err(refusal(issuer.into(), name.text))
        })
    }

    fn verdict(&self, name: &Certified) -> Verdict {
        let permitted = bases(&self.permitted, name.kind);
        let excluded = bases(&self.excluded, name.kind);
        if permitted.is_empty() && excluded.is_empty() {
            return Verdict::Granted;
        }
        let value = &name.value;
        let mut all = permitted.iter().chain(&excluded);
        let is_other = all.any(|base| matches!(base, Base::Other));
        if is_other || matches!(value, Value::Other) || !excluded.is_empty() && !value.is_exact() {
            return Verdict::NotComparable;
        }
        if !permitted.is_empty() && !permitted.iter().any(|base| value.is_within(base)) {
            return Verdict::NotPermitted;
        }
        if excluded.iter().any(|base| value.touches(base)) {
            return Verdict::Excluded;
        }
        Verdict::Granted
    }
}

/// Parses the base of a subtree on the command line: a kind and a value, as `inspect` prints them.
pub(crate) fn parse_base(text: &str) -> Result<GeneralSubtree, String> {
    let (kind, value) = text.split_once(':').unwrap_or_default();
    let ia5 = || Ia5String::new(value).map_err(|_| "it has characters outside ASCII");
    let base = match kind.to_ascii_lowercase().as_str() {
        "dns" => GeneralName::DnsName(ia5()?),
        "email" => GeneralName::Rfc822Name(ia5()?),
        "ip" => {
            let network = parse_network(value);
            GeneralName::IpAddress(network.ok_or("it is not a network such as IP:10.0.0.0/8")?)
        }
        "name" => {
            let name = value.parse::<Name>().ok().filter(|name| !name.is_empty());
            let name = name.ok_or("it is not a name such as name:O=Example,C=DE")?;
            limits::check(&name).map_err(|error| format!("the name {error}"))?;
            GeneralName::DirectoryName(name)
        }
        _ => return Err("it begins with none of DNS:, IP:, email: and name:".into()),
    };
    let (minimum, maximum) = (0, None);
    let subtree = GeneralSubtree {
        base,
        minimum,
        maximum,
    };
    match Subtree::read(&subtree) {
        Some(_) => Ok(subtree),
        None => Err("it is neither a host nor a mail address, nor what begins or ends one".into()),
    }
}

/// A network as an address and the length of its prefix, or the mask after an address.
fn parse_network(text: &str) -> Option<OctetString> {
    let (address, mask) = text.split_once('/')?;
    let address = octets(address.parse().ok()?);
    let mask = match mask.parse::<usize>() {
        Ok(length) if length <= 8 * address.len() => {
            let ones = |index: usize| length.saturating_sub(8 * index).min(8);
            let byte = |index| u8::try_from(0xff00_u16 >> ones(index) & 0xff).unwrap_or_default();
            (0..address.len()).map(byte).collect()
        }
        Ok(_) => return None,
        Err(_) => octets(mask.parse().ok()?),
    };
    // Bits after the prefix would be ignored, and are usually a mistake.
    let is_prefix = address
        .iter()
        .zip(&mask)
        .all(|(byte, mask)| byte & !mask == 0);
    let is_same_kind = address.len() == mask.len();
    let network = OctetString::new([address, mask].concat()).ok()?;
    (is_prefix && is_same_kind).then_some(network)
}

fn octets(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    }
}

fn bases(subtrees: &[Subtree], kind: Kind) -> Vec<&Base> {
    let same = subtrees.iter().filter(|subtree| subtree.kind == kind);
    same.map(|subtree| &subtree.base).collect()
}

enum Verdict {
    Granted,
    NotPermitted,
    Excluded,
    NotComparable,
}
