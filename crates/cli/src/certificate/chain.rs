//! Whether a certificate is to be believed: RFC 5280, section 6, without policies and name
//! constraints, which are refused, and without revocation, which is not looked at. Times in UTCTime
//! before 1970 make a certificate unreadable.

use std::cell::Cell;
use std::time::Duration;

use der::oid::ObjectIdentifier;
use x509_cert::Certificate;
use x509_cert::time::Time;

use super::Link;
use super::extensions::Extensions;
use super::host::Host;
use crate::backend::Backend;
use crate::error::Error;
use crate::keyfile::KeyError;

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
    /// Whoever is called like its issuer has a key that says nothing here.
    #[error("the key in {0}, which is called like its issuer, cannot be used: {1}")]
    IssuerKey(String, Box<KeyError>),
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
    /// RFC 5280, section 4.1.2.4.
    #[error("it does not say who issued it")]
    Nameless,
    /// RFC 5280, section 4.1.2.1.
    #[error("it has extensions, and not the version 3 that they take")]
    OldVersion,
    /// RFC 5280, section 4.1.2.8.
    #[error("it has a unique identifier, which RFC 5280 forbids")]
    UniqueIdentifier,
    /// It is for something else.
    #[error("it is not for servers")]
    NotForServers,
    /// It is for something else.
    #[error("it is not a server's own: an authority's, or of a key that does not sign handshakes")]
    NotServing,
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

/// Why there is no chain.
enum Failure {
    /// This certificate is refused, with its place.
    Refused(String, Refusal),
    /// Nothing can be said.
    Error(Error),
}

impl Failure {
    /// Whether it only says that a candidate is not the issuer.
    fn is_vague(&self) -> bool {
        matches!(
            self,
            Self::Refused(_, Refusal::Signature(_) | Refusal::IssuerKey(..))
        )
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(place, refusal) => Self::NotValid(format!("{place}: {refusal}")),
            Failure::Error(error) => error,
        }
    }
}

impl Link {
    fn refused(&self, refusal: Refusal) -> Failure {
        Failure::Refused(self.place.clone(), refusal)
    }
}

impl<'a> Judge<'a> {
    /// The chain, from the certificate to a root; or [`Error::NotValid`], with the link that is
    /// refused.
    pub(crate) fn verify(&self, leaf: &'a Link) -> Result<Vec<&'a Link>, Error> {
        let extensions = self.alone(leaf)?;
        if let Some(host) = self.host {
            if !extensions.may_serve() {
                return Err(leaf.refused(Refusal::NotServing).into());
            }
            if !extensions.names.is_some_and(|names| host.is_among(&names)) {
                return Err(leaf.refused(Refusal::Host).into());
            }
        }
        let mut path = vec![leaf];
        self.extend(&mut path, leaf, &Cell::new(PATIENCE))?;
        Ok(path)
    }

    /// Checks what a certificate says of itself.
    fn alone(&self, link: &Link) -> Result<Extensions, Failure> {
        check_time(&link.certificate, self.at).map_err(|refusal| link.refused(refusal))?;
        if link.certificate.tbs_certificate().issuer().is_empty() {
            return Err(link.refused(Refusal::Nameless));
        }
        let extensions = Extensions::of(&link.certificate);
        let extensions = extensions.map_err(|refusal| link.refused(refusal))?;
        if self.host.is_some() && !extensions.is_for_servers() {
            return Err(link.refused(Refusal::NotForServers));
        }
        Ok(extensions)
    }

    /// Continues a chain from its last link to a root, in any way that there is.
    fn extend(
        &self,
        path: &mut Vec<&'a Link>,
        last: &'a Link,
        budget: &Cell<u32>,
    ) -> Result<(), Failure> {
        let is = |link: &Link| link.certificate == last.certificate;
        if self.roots.iter().any(is) {
            return Ok(());
        }
        let issuer = last.certificate.tbs_certificate().issuer();
        let depth = path.len();
        let mut refused: Option<Failure> = None;
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
                Err(failure @ Failure::Refused(..)) => {
                    // Others of the issuer's name do not hide what is wrong with the issuer.
                    if refused.is_none() || !failure.is_vague() {
                        refused = Some(failure);
                    }
                }
                other => return other,
            }
        }
        let nobody = || last.refused(Refusal::NoIssuer(issuer.to_string()));
        Err(refused.unwrap_or_else(nobody))
    }

    /// Checks whether `candidate` is the issuer of `last`, and may be.
    fn vouches(
        &self,
        candidate: &Link,
        path: &[&Link],
        last: &Link,
        budget: &Cell<u32>,
    ) -> Result<(), Failure> {
        let left = budget.get().checked_sub(1);
        budget.set(left.ok_or_else(|| last.refused(Refusal::TooManyWays))?);
        let place = || candidate.place.clone();
        let key = candidate.key(self.backend);
        let key = key.map_err(|error| last.refused(Refusal::IssuerKey(place(), error.into())))?;
        if !last.is_signed_by(&*key)? {
            return Err(last.refused(Refusal::Signature(place())));
        }
        let extensions = self.alone(candidate)?;
        if !extensions.may_issue() {
            return Err(last.refused(Refusal::NotAnAuthority(place())));
        }
        // RFC 5280, section 6.1.4 (l): what issued itself does not count.
        let between = path.iter().skip(1);
        let between = between.filter(|link| !is_self_issued(link)).count();
        let fits = |most: u8| between <= usize::from(most);
        if !extensions.path_length().is_none_or(fits) {
            return Err(last.refused(Refusal::PathTooLong(place())));
        }
        Ok(())
    }
}

/// RFC 5280, section 4.1.2.5: both ends belong to it.
pub(crate) fn check_time(certificate: &Certificate, at: Duration) -> Result<(), Refusal> {
    let validity = certificate.tbs_certificate().validity();
    if at < validity.not_before.to_unix_duration() {
        return Err(Refusal::Early(validity.not_before));
    }
    // To the second, as it is written.
    if at.as_secs() > validity.not_after.to_unix_duration().as_secs() {
        return Err(Refusal::Late(validity.not_after));
    }
    Ok(())
}

fn is_self_issued(link: &Link) -> bool {
    let body = link.certificate.tbs_certificate();
    body.subject() == body.issuer()
}
