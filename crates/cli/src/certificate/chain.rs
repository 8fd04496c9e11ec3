//! Certificate path validation: RFC 5280, section 6, without policies, which are refused where they
//! are critical, and without revocation, which is not checked. The decisions are in
//! `CERTIFICATES.md`.

use std::cell::Cell;
use std::time::Duration;

use x509_cert::Certificate;

use super::Link;
use super::extensions::Extensions;
use super::host::Host;
use super::refusal::Refusal;
use crate::algorithm::by_oid;
use crate::backend::Backend;
use crate::error::Error;

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
    /// This certificate is refused, with its title.
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
        Failure::Refused(self.title.clone(), refusal)
    }
}

impl<'a> Judge<'a> {
    /// The chain, from the certificate to a root; or [`Error::NotValid`], with the link that is
    /// refused.
    pub(crate) fn verify(&self, leaf: &'a Link) -> Result<Vec<&'a Link>, Error> {
        let extensions = self.alone(leaf)?;
        self.check_key(leaf)?;
        if let Some(host) = self.host {
            if !extensions.may_serve(self.is_root(leaf)) {
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
        let extensions = link.check().map_err(|refusal| link.refused(refusal))?;
        if self.host.is_some() && !extensions.is_for_servers() {
            return Err(link.refused(Refusal::NotForServers));
        }
        Ok(extensions)
    }

    /// Checks the key at the end of a chain, if its algorithm is known here. A key of another
    /// algorithm, such as RSA, verifies no signature of the path.
    fn check_key(&self, leaf: &Link) -> Result<(), Error> {
        let info = leaf.certificate.tbs_certificate();
        let info = info.subject_public_key_info();
        match by_oid(info.algorithm.oid).map(|_| leaf.key(self.backend)) {
            Some(Err(error)) => Err(Error::key(&leaf.title, error)),
            Some(Ok(_)) | None => Ok(()),
        }
    }

    fn is_root(&self, link: &Link) -> bool {
        self.roots.iter().any(|root| root.is(link))
    }

    /// Continues a chain from its last link to a root, in any way that there is.
    fn extend(
        &self,
        path: &mut Vec<&'a Link>,
        last: &'a Link,
        budget: &Cell<u32>,
    ) -> Result<(), Failure> {
        if self.is_root(last) {
            return Ok(());
        }
        let depth = path.len();
        let mut refused: Option<Failure> = None;
        for candidate in self.roots.iter().chain(self.others) {
            let is_new = path.iter().all(|link| !link.is(candidate));
            if !is_new || !candidate.is_called_like_issuer_of(last) {
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
        let issuer = last.certificate.tbs_certificate().issuer();
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
        let place = || candidate.title.clone();
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
        let between = between.filter(|link| !link.is_self_issued()).count();
        let fits = |most: u8| between <= usize::from(most);
        if !extensions.path_length().is_none_or(fits) {
            return Err(last.refused(Refusal::PathTooLong(place())));
        }
        check_names(&extensions, candidate, path)
    }
}

/// RFC 5280, section 6.1.3 (b) and (c): a self-issued certificate is not constrained unless it is the
/// last one of the path.
fn check_names(issuer: &Extensions, candidate: &Link, path: &[&Link]) -> Result<(), Failure> {
    let Some(constraints) = &issuer.name_constraints else {
        return Ok(());
    };
    for (index, link) in path.iter().enumerate() {
        if index > 0 && link.is_self_issued() {
            continue;
        }
        let subject = link.certificate.tbs_certificate().subject();
        let checked = link.check().and_then(|extensions| {
            let names = extensions.names.map(|names| names.0).unwrap_or_default();
            constraints.check(&candidate.title, subject, &names)
        });
        checked.map_err(|refusal| link.refused(refusal))?;
    }
    Ok(())
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
