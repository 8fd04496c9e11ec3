//! Mail addresses and URIs of the command line, as names in certificates.

use der::asn1::Ia5String;
use x509_cert::ext::pkix::name::GeneralName;

use super::host::mailbox;

/// The schemes of URLs from which CRLs and certificates are fetched (RFC 5280, section 4.2.1.13).
const SCHEMES: [&str; 4] = ["http", "https", "ldap", "ldaps"];

/// The largest length of a mail address or a URI, in bytes.
const MAX_LENGTH: usize = 2048;

/// A mail address in ASCII.
pub(crate) fn mail(text: &str) -> Result<GeneralName, String> {
    let is_local = |local: &str| {
        let is_atom =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
        let mut atoms = local.split('.');
        atoms.all(|atom| !atom.is_empty() && atom.bytes().all(is_atom))
    };
    let found = mailbox(text).filter(|(local, _)| is_local(local) && text.len() <= MAX_LENGTH);
    let found = found.and_then(|_| Ia5String::new(text).ok());
    let name = found.map(GeneralName::Rfc822Name);
    name.ok_or_else(|| "it is not a mail address such as name@server.example".into())
}

/// A URI with any scheme.
pub(crate) fn uri(text: &str) -> Result<GeneralName, String> {
    let is_visible = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte);
    let parts = text.split_once(':').filter(|(scheme, rest)| {
        let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(is_scheme)
            && !rest.is_empty()
            && rest.bytes().all(is_visible)
            && text.len() <= MAX_LENGTH
    });
    let name = parts.and_then(|_| Ia5String::new(text).ok());
    let name = name.map(GeneralName::UniformResourceIdentifier);
    name.ok_or_else(|| "it is not a URI such as https://server.example/".into())
}

/// A URL from which a file can be fetched.
pub(crate) fn url(text: &str) -> Result<GeneralName, String> {
    let name = uri(text)?;
    let scheme = text
        .split_once("://")
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme {
        Some(scheme) if SCHEMES.contains(&scheme.as_str()) => Ok(name),
        _ => Err("it is not a URL with http, https, ldap or ldaps".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::{mail, uri, url};

    #[test]
    fn addresses() {
        for (text, is) in [
            ("a@b.example", true),
            ("a.b+c@b.example", true),
            ("a@b", true),
            ("a", false),
            ("@b.example", false),
            ("a..b@b.example", false),
            (".a@b.example", false),
            ("a b@b.example", false),
            ("a@b@c.example", false),
            ("a@10.0.0.1", false),
            ("a@*.example", false),
            ("\u{e4}@b.example", false),
        ] {
            assert_eq!(mail(text).is_ok(), is, "{text}");
        }
        for (text, is_uri, is_url) in [
            ("http://a.example/root.crl", true, true),
            ("LDAPS://a.example/o=a?b", true, true),
            ("spiffe://a.example/b", true, false),
            ("urn:uuid:1", true, false),
            ("http:", false, false),
            ("//a.example", false, false),
            ("1a:b", false, false),
            ("http://a.example/a b", false, false),
            ("http://a.example/\u{e4}", false, false),
            ("http://a.example/\n", false, false),
            ("file:///etc", true, false),
        ] {
            assert_eq!(uri(text).is_ok(), is_uri, "{text}");
            assert_eq!(url(text).is_ok(), is_url, "{text}");
        }
    }
}
