//! Host names and IP addresses, in certificates and on the command line.

use std::net::IpAddr;

use der::asn1::Ia5String;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;

use super::decode::address_of;

/// A DNS name or an IP address.
#[derive(Clone, Debug)]
pub(crate) enum Host {
    /// A name in lower case. The first label can be `*`.
    Dns(String),
    /// An IPv4 or IPv6 address.
    Address(IpAddr),
}

impl Host {
    /// Parses a host of the command line that a certificate is to contain.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(address) => Ok(Self::Address(address)),
            Err(_) => Self::dns(text).map(Self::Dns),
        }
    }

    /// Parses a single host of the command line, for a verification.
    pub(crate) fn parse_one(text: &str) -> Result<Self, String> {
        match Self::parse(text)? {
            Self::Dns(name) if name.starts_with('*') => {
                Err("`*` stands for many hosts; name a single host".into())
            }
            one => Ok(one),
        }
    }

    /// The host of a name in a certificate or a request, if the command line would accept it too.
    pub(crate) fn of(name: &GeneralName) -> Option<Self> {
        match name {
            GeneralName::DnsName(name) => Self::dns(name.as_str()).ok().map(Self::Dns),
            GeneralName::IpAddress(address) => address_of(address.as_bytes()).map(Self::Address),
            _ => None,
        }
    }

    /// Checks a DNS name and converts it to lower case. Labels are those of RFC 1123, with `_` besides;
    /// the first label can be `*` (RFC 9525, section 6.3). Browsers take a name that ends in a number for
    /// an address, so it is refused.
    fn dns(text: &str) -> Result<String, String> {
        let name = text.to_ascii_lowercase();
        let rest = name.strip_prefix("*.").unwrap_or(&name);
        let is_label = |label: &str| {
            let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            (1..64).contains(&label.len())
                && label.bytes().all(inner)
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let last = rest.rsplit('.').next().unwrap_or_default();
        Err(match name.strip_suffix('.') {
            _ if !name.is_ascii() => {
                "a name outside ASCII has to be written with labels that begin with xn--"
            }
            Some(rest) if !rest.is_empty() => "leave out the dot at the end",
            _ if name.len() > 253 || !rest.split('.').all(is_label) => {
                "it is neither the name of a host nor an IP address"
            }
            _ if last.bytes().all(|byte| byte.is_ascii_digit()) => {
                "its last part is a number, and it is not an IP address"
            }
            _ => return Ok(name),
        }
        .into())
    }

    /// The host as a name of a certificate.
    pub(crate) fn to_name(&self) -> Result<GeneralName, der::Error> {
        match self {
            Self::Dns(name) => Ok(GeneralName::DnsName(Ia5String::new(name)?)),
            Self::Address(address) => Ok((*address).into()),
        }
    }

    /// Whether one of these names matches this host (RFC 9525, section 6). A `*` as the first label
    /// matches one whole label.
    pub(crate) fn is_among(&self, names: &SubjectAltName) -> bool {
        names.0.iter().any(|name| match (self, name) {
            (Self::Dns(asked), GeneralName::DnsName(name)) => matches(name.as_str(), asked),
            (Self::Address(asked), GeneralName::IpAddress(address)) => {
                address_of(address.as_bytes()).as_ref() == Some(asked)
            }
            _ => false,
        })
    }
}

/// Parses the name of one host, in lower case.
pub(super) fn host(text: &str) -> Option<String> {
    match Host::parse_one(text) {
        Ok(Host::Dns(name)) => Some(name),
        _ => None,
    }
}

/// Splits a mailbox into its local part and its host in lower case.
pub(super) fn mailbox(text: &str) -> Option<(String, String)> {
    let (local, at) = text.rsplit_once('@')?;
    (!local.is_empty()).then_some((local.to_owned(), host(at)?))
}

fn matches(name: &str, asked: &str) -> bool {
    if name.eq_ignore_ascii_case(asked) {
        return true;
    }
    match (name.strip_prefix("*."), asked.split_once('.')) {
        // A `*` directly below a top-level domain matches nothing.
        (Some(rest), Some((_, asked))) => rest.contains('.') && rest.eq_ignore_ascii_case(asked),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn host_matching() {
        for (name, asked, is) in [
            ("example.org", "example.org", true),
            ("example.org", "EXAMPLE.org", true),
            ("example.org", "www.example.org", false),
            ("*.example.org", "www.example.org", true),
            ("*.example.org", "a.www.example.org", false),
            ("*.example.org", "example.org", false),
            ("*.org", "example.org", false),
            ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.1", "10.0.0.2", false),
            ("::1", "0:0::1", true),
            ("::1", "example.org", false),
        ] {
            let names = SubjectAltName(vec![Host::parse(name).unwrap().to_name().unwrap()]);
            assert_eq!(
                Host::parse(asked).unwrap().is_among(&names),
                is,
                "{name} {asked}"
            );
        }
        let long = "a".repeat(64);
        for (bad, says) in [
            ("", "neither"),
            (".", "neither"),
            ("a..b", "neither"),
            ("a b", "neither"),
            ("-a", "neither"),
            ("a-", "neither"),
            ("*", "neither"),
            ("a.*", "neither"),
            ("**.a", "neither"),
            (&long, "neither"),
            ("ä", "xn--"),
            ("a.example.org.", "leave out the dot"),
            ("256.1.1.1", "its last part is a number"),
            ("*.0.0.256", "its last part is a number"),
            ("1.2.3", "its last part is a number"),
            ("7", "its last part is a number"),
        ] {
            let error = Host::parse(bad).unwrap_err();
            assert!(error.contains(says), "{bad}: {error}");
        }
        Host::parse("*.example.org").unwrap();
        Host::parse_one("*.example.org").unwrap_err();
        // The text of an address is not the name of a host.
        let address = GeneralName::DnsName(Ia5String::new("10.0.0.1").unwrap());
        assert!(Host::of(&address).is_none());
    }
}
