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

/// The chain, from the certificate to a root, or its link that is refused.
pub(crate) type Verdict<'a> = Result<Vec<&'a Link>, (&'a Link, Refusal)>;

impl<'a> Judge<'a> {
    /// An error is something else than a refusal.
    pub(crate) fn verify(&self, leaf: &'a Link) -> Result<Verdict<'a>, Error> {
        if let Err(refusal) = self.end(leaf) {
            return Ok(Err((leaf, refusal)));
        }
        let mut path = vec![leaf];
        let budget = Cell::new(PATIENCE);
        let verdict = self.extend(&mut path, &budget)?;
        Ok(verdict.map(|()| path))
    }

    /// The end of the chain by itself.
    fn end(&self, leaf: &Link) -> Result<(), Refusal> {
        let extensions = self.alone(leaf)?;
        let Some(host) = self.host else {
            return Ok(());
        };
        match &extensions.names {
            Some(names) if host.is_among(names) => Ok(()),
            _ => Err(Refusal::Host),
        }
    }

    /// What a certificate says of itself.
    fn alone(&self, link: &Link) -> Result<Extensions, Refusal> {
        let validity = link.certificate.tbs_certificate().validity();
        if self.at < validity.not_before.to_unix_duration() {
            return Err(Refusal::Early(validity.not_before));
        }
        if self.at > validity.not_after.to_unix_duration() {
            return Err(Refusal::Late(validity.not_after));
        }
        let extensions = Extensions::of(&link.certificate)?;
        let purposes = extensions.purposes.as_ref();
        if self.host.is_some()
            && purposes.is_some_and(|list| !list.0.iter().any(|oid| FOR_SERVERS.contains(oid)))
        {
            return Err(Refusal::NotForServers);
        }
        Ok(extensions)
    }

    /// Continues a chain to a root, or says what stands in the way.
    fn extend(
        &self,
        path: &mut Vec<&'a Link>,
        budget: &Cell<u32>,
    ) -> Result<Result<(), (&'a Link, Refusal)>, Error> {
        let Some(last) = path.last().copied() else {
            return Ok(Ok(()));
        };
        let same = |link: &&Link| link.certificate == last.certificate;
        if self.roots.iter().any(|root| same(&root)) {
            return Ok(Ok(()));
        }
        let issuer = last.certificate.tbs_certificate().issuer();
        let mut found = (last, Refusal::NoIssuer(issuer.to_string()));
        for candidate in self.roots.iter().chain(self.others) {
            let is_new = !path
                .iter()
                .any(|link| link.certificate == candidate.certificate);
            if !is_new || candidate.certificate.tbs_certificate().subject() != issuer {
                continue;
            }
            if let Some(refusal) = self.refuses(candidate, path, last, budget)? {
                found = refusal;
                continue;
            }
            path.push(candidate);
            match self.extend(path, budget)? {
                Ok(()) => return Ok(Ok(())),
                Err(refusal) => found = refusal,
            }
            path.pop();
        }
        Ok(Err(found))
    }

    /// What is wrong with `candidate` as the issuer of `last`.
    fn refuses(
        &self,
        candidate: &'a Link,
        path: &[&'a Link],
        last: &'a Link,
        budget: &Cell<u32>,
    ) -> Result<Option<(&'a Link, Refusal)>, Error> {
        let Some(left) = budget.get().checked_sub(1) else {
            return Ok(Some((last, Refusal::TooManyWays)));
        };
        budget.set(left);
        let place = || candidate.place.clone();
        let key = candidate.key(self.backend);
        let key = key.map_err(|error| Error::key(place(), error))?;
        if !last.is_signed_by(&*key)? {
            return Ok(Some((last, Refusal::Signature(place()))));
        }
        let extensions = match self.alone(candidate) {
            Ok(extensions) => extensions,
            Err(refusal) => return Ok(Some((candidate, refusal))),
        };
        let may_sign = extensions.usage.is_none_or(|usage| usage.key_cert_sign());
        if !extensions.is_authority() || !may_sign {
            return Ok(Some((last, Refusal::NotAnAuthority(place()))));
        }
        // RFC 5280, section 6.1.4 (l): what issued itself does not count.
        let between = path.iter().skip(1);
        let between = between.filter(|link| !is_self_issued(link)).count();
        let fits = |most: u8| between <= usize::from(most);
        if !extensions.path_length().is_none_or(fits) {
            return Ok(Some((last, Refusal::PathTooLong(place()))));
        }
        Ok(None)
    }
}

fn is_self_issued(link: &Link) -> bool {
    let body = link.certificate.tbs_certificate();
    body.subject() == body.issuer()
}
