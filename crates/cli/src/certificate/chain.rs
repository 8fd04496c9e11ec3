//! Whether a certificate is to be believed: RFC 5280, section 6, without policies and name
//! constraints, which are refused, and without revocation, which is not looked at.

use std::cell::Cell;
use std::time::Duration;

use der::oid::ObjectIdentifier;
use x509_cert::time::Time;

use super::Link;
use super::extensions::{Extensions, FOR_SERVERS};
use super::host::Host;
use crate::backend::Backend;
use crate::error::Error;

/// Why not.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// Its time has not come.
    #[error("it is not valid before {0}")]
    Early(Time),
    /// Its time is over.
    #[error("it expired on {0}")]
    Late(Time),
    /// Nobody vouches for it.
    #[error("no certificate of its issuer is there: {0}; name it with --root or --intermediate")]
    NoIssuer(String),
    /// Somebody else signed it, or it has changed.
    #[error("it is not signed by the key of {0}")]
    Signature(String),
    /// An end entity cannot vouch for anybody.
    #[error("{0} issued it, which may not issue certificates")]
    NotAnAuthority(String),
    /// Too many of them in a row.
    #[error("{0} allows fewer authorities between it and the end of the chain")]
    PathTooLong(String),
    /// A key that signs cannot do what it says.
    #[error("its key usage is not that of a key that signs")]
    NotForSigning,
    /// It says what is not understood here, and has to be.
    #[error("its extension {0} is not known here, and may not be passed over")]
    UnknownExtension(ObjectIdentifier),
    /// One of them could hide the other.
    #[error("its extension {0} is there twice")]
    RepeatedExtension(ObjectIdentifier),
    /// It does not say what it should.
    #[error("its extension {0} is malformed")]
    MalformedExtension(ObjectIdentifier),
    /// It is for something else.
    #[error("it is not for servers")]
    NotForServers,
    /// It is for somebody else.
    #[error("it is not for the host that --host names")]
    Host,
    /// Signatures that never end.
    #[error("there are too many ways from it to a root")]
    TooManyWays,
}

/// Signatures that are verified at most, whatever the certificates are.
const PATIENCE: u32 = 100;

/// What a chain is verified against.
pub(crate) struct Judge<'a> {
    /// Certificates that are believed.
    pub(crate) roots: &'a [Link],
    /// Certificates that may lead there.
    pub(crate) others: &'a [Link],
    /// When.
    pub(crate) at: Duration,
    /// By whom it is to be.
    pub(crate) host: Option<&'a Host>,
    /// With which code.
    pub(crate) backend: Backend,
}

impl Link {
    fn refused(&self, refusal: &Refusal) -> Error {
        Error::NotValid(format!("{}: {refusal}", self.place))
    }
}

impl<'a> Judge<'a> {
    /// The chain, from the certificate to a root; or [`Error::NotValid`], with the link that is
    /// refused.
    pub(crate) fn verify(&self, leaf: &'a Link) -> Result<Vec<&'a Link>, Error> {
        let extensions = self.alone(leaf)?;
        if let Some(host) = self.host
            && !extensions.names.is_some_and(|names| host.is_among(&names))
        {
            return Err(leaf.refused(&Refusal::Host));
        }
        let mut path = vec![leaf];
        self.extend(&mut path, leaf, &Cell::new(PATIENCE))?;
        Ok(path)
    }

    /// Checks what a certificate says of itself.
    fn alone(&self, link: &Link) -> Result<Extensions, Error> {
        let validity = link.certificate.tbs_certificate().validity();
        if self.at < validity.not_before.to_unix_duration() {
            return Err(link.refused(&Refusal::Early(validity.not_before)));
        }
        if self.at > validity.not_after.to_unix_duration() {
            return Err(link.refused(&Refusal::Late(validity.not_after)));
        }
        let extensions = Extensions::of(&link.certificate);
        let extensions = extensions.map_err(|refusal| link.refused(&refusal))?;
        let purposes = extensions.purposes.as_ref();
        if self.host.is_some()
            && purposes.is_some_and(|list| !list.0.iter().any(|oid| FOR_SERVERS.contains(oid)))
        {
            return Err(link.refused(&Refusal::NotForServers));
        }
        Ok(extensions)
    }

    /// Continues a chain from its last link to a root, in any way that there is.
    fn extend(
        &self,
        path: &mut Vec<&'a Link>,
        last: &'a Link,
        budget: &Cell<u32>,
    ) -> Result<(), Error> {
        let is = |link: &Link| link.certificate == last.certificate;
        if self.roots.iter().any(is) {
            return Ok(());
        }
        let issuer = last.certificate.tbs_certificate().issuer();
        let depth = path.len();
        let mut refused = last.refused(&Refusal::NoIssuer(issuer.to_string()));
        for candidate in self.roots.iter().chain(self.others) {
            let certificate = &candidate.certificate;
            let is_new = path.iter().all(|link| link.certificate != *certificate);
            if !is_new || certificate.tbs_certificate().subject() != issuer {
                continue;
            }
            let attempt = self.vouches(candidate, path, last, budget).and_then(|()| {
                path.push(candidate);
                let end = self.extend(path, candidate, budget);
                end.inspect_err(|_| path.truncate(depth))
            });
            match attempt {
                Err(error @ Error::NotValid(_)) => refused = error,
                other => return other,
            }
        }
        Err(refused)
    }

    /// Checks whether `candidate` is the issuer of `last`, and may be.
    fn vouches(
        &self,
        candidate: &Link,
        path: &[&Link],
        last: &Link,
        budget: &Cell<u32>,
    ) -> Result<(), Error> {
        let left = budget.get().checked_sub(1);
        budget.set(left.ok_or_else(|| last.refused(&Refusal::TooManyWays))?);
        let place = || candidate.place.clone();
        let key = candidate.key(self.backend);
        let key = key.map_err(|error| Error::key(place(), error))?;
        if !last.is_signed_by(&*key)? {
            return Err(last.refused(&Refusal::Signature(place())));
        }
        let extensions = self.alone(candidate)?;
        if !extensions.may_issue() {
            return Err(last.refused(&Refusal::NotAnAuthority(place())));
        }
        // RFC 5280, section 6.1.4 (l): what issued itself does not count.
        let between = path.iter().skip(1);
        let between = between.filter(|link| !is_self_issued(link)).count();
        let fits = |most: u8| between <= usize::from(most);
        if !extensions.path_length().is_none_or(fits) {
            return Err(last.refused(&Refusal::PathTooLong(place())));
        }
        Ok(())
    }
}

fn is_self_issued(link: &Link) -> bool {
    let body = link.certificate.tbs_certificate();
    body.subject() == body.issuer()
}
