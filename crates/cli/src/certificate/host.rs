//! Names of hosts: in certificates, and asked for.

use std::net::IpAddr;

use der::asn1::Ia5String;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;

use super::extensions::address_of;

/// A name in the DNS or an IP address.
#[derive(Clone, Debug)]
pub(crate) enum Host {
    /// In lower case; its first label can be `*`.
    Dns(String),
    /// IPv4 or IPv6.
    Address(IpAddr),
}

impl Host {
    /// From the command line.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if let Ok(address) = text.parse() {
            return Ok(Self::Address(address));
        }
        let name = text.to_ascii_lowercase();
        let rest = name.strip_prefix("*.").unwrap_or(&name);
        let is_label = |label: &str| {
            let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            (1..64).contains(&label.len())
                && label.bytes().all(inner)
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        if name.len() > 253 || !rest.split('.').all(is_label) {
            return Err("it is neither the name of a host nor an IP address".into());
        }
        Ok(Self::Dns(name))
    }

    /// As it stands in a certificate.
    pub(crate) fn to_name(&self) -> Result<GeneralName, der::Error> {
        match self {
            Self::Dns(name) => Ok(GeneralName::DnsName(Ia5String::new(name)?)),
            Self::Address(address) => Ok((*address).into()),
        }
    }

    /// Whether one of these names is this one (RFC 9525, section 6): a `*` stands for one whole
    /// label, the first.
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

fn matches(name: &str, asked: &str) -> bool {
    if name.eq_ignore_ascii_case(asked) {
        return true;
    }
    match (name.strip_prefix("*."), asked.split_once('.')) {
        // Not all of a top-level domain.
        (Some(rest), Some((_, asked))) => rest.contains('.') && rest.eq_ignore_ascii_case(asked),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn which_hosts_a_name_is_for() {
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
        for bad in [
            "", ".", "a..b", "a b", "-a", "a-", "*", "a.*", "**.a", &long, "ä",
        ] {
            assert!(Host::parse(bad).is_err(), "{bad}");
        }
    }
}
