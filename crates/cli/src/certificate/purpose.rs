//! The purposes of a key (RFC 5280, section 4.2.1.12), and what a certificate for one of them has to state.

use der::oid::ObjectIdentifier;
use der::oid::db::rfc5280::{
    ANY_EXTENDED_KEY_USAGE, ID_KP_CLIENT_AUTH, ID_KP_CODE_SIGNING, ID_KP_EMAIL_PROTECTION,
    ID_KP_OCSP_SIGNING, ID_KP_SERVER_AUTH, ID_KP_TIME_STAMPING,
};

/// The names on the command line, and in RFC 5280.
const NAMES: &[(&str, &str, ObjectIdentifier)] = &[
    ("server-auth", "serverAuth", ID_KP_SERVER_AUTH),
    ("client-auth", "clientAuth", ID_KP_CLIENT_AUTH),
    ("code-signing", "codeSigning", ID_KP_CODE_SIGNING),
    (
        "email-protection",
        "emailProtection",
        ID_KP_EMAIL_PROTECTION,
    ),
    ("time-stamping", "timeStamping", ID_KP_TIME_STAMPING),
    ("ocsp-signing", "OCSPSigning", ID_KP_OCSP_SIGNING),
    ("any", "anyExtendedKeyUsage", ANY_EXTENDED_KEY_USAGE),
];

/// The purpose of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Purpose(ObjectIdentifier);

impl Purpose {
    /// That of a server in TLS.
    pub(crate) const SERVER: Self = Self(ID_KP_SERVER_AUTH);

    /// Any purpose.
    pub(crate) const ANY: Self = Self(ANY_EXTENDED_KEY_USAGE);

    /// Parses a purpose of the command line: a name in either notation, or an object identifier.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let is_named = |own: &str, standard: &str| {
            text.eq_ignore_ascii_case(own) || text.eq_ignore_ascii_case(standard)
        };
        let known = NAMES
            .iter()
            .find(|(own, standard, _)| is_named(own, standard));
        let oid = match known {
            Some((.., oid)) => Ok(*oid),
            None => text.parse(),
        };
        oid.map(Self).map_err(|_| {
            let names: Vec<_> = NAMES.iter().map(|(name, ..)| *name).collect();
            format!(
                "it is neither one of {} nor an object identifier such as 1.3.6.1.5.5.7.3.17",
                names.join(", ")
            )
        })
    }

    /// The purpose with this object identifier.
    pub(crate) const fn of(oid: ObjectIdentifier) -> Self {
        Self(oid)
    }

    /// The object identifier.
    pub(crate) const fn oid(self) -> ObjectIdentifier {
        self.0
    }

    /// The name on the command line, or the object identifier.
    pub(crate) fn name(self) -> String {
        let known = NAMES.iter().find(|(.., oid)| *oid == self.0);
        known.map_or_else(|| self.0.to_string(), |(name, ..)| (*name).into())
    }

    /// Whether the certificate itself has to state this purpose: a certificate for all purposes is none for
    /// it. This holds for signatures that speak for others (CA/Browser Forum; RFC 3161, section 2.3; RFC
    /// 6960, section 4.2.2.2).
    pub(crate) fn is_explicit(self) -> bool {
        [ID_KP_CODE_SIGNING, ID_KP_TIME_STAMPING, ID_KP_OCSP_SIGNING].contains(&self.0)
    }

    /// RFC 3161, section 2.3: the purpose is the only one, and its extension is critical.
    pub(crate) fn is_exclusive(self) -> bool {
        self.0 == ID_KP_TIME_STAMPING
    }

    /// RFC 5280, section 4.2.1.12: whether a key for nonRepudiation alone can serve this purpose.
    pub(crate) fn includes_commitment(self) -> bool {
        [
            ID_KP_EMAIL_PROTECTION,
            ID_KP_TIME_STAMPING,
            ID_KP_OCSP_SIGNING,
        ]
        .contains(&self.0)
    }
}
