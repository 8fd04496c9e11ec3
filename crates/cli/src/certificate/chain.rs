//! Certificate path validation (RFC 5280, section 6), with CRLs if there are any. Policies are refused
//! where they are critical. `CERTIFICATES.md` lists each decision.

use std::cell::Cell;
use std::time::Duration;

use super::crl::parsed::ParsedCrl;
use super::crl::text::revocation;
use super::error::CertificateError;
use super::extensions::Extensions;
use super::host::Host;
use super::parsed::ParsedCertificate;
use super::purpose::Purpose;
use crate::algorithm::scheme::PublicKey;
use crate::backend::Backend;
use crate::error::Error;

/// The number of signatures after which a search for a path ends.
const MAX_SIGNATURES: u32 = 100;

/// Validates paths with these certificates, for this time and host.
pub(crate) struct PathValidator<'a> {
    /// Trusted certificates.
    pub(crate) roots: &'a [ParsedCertificate],
    /// Certificates that a path may contain before the root.
    pub(crate) others: &'a [ParsedCertificate],
    /// The time of validation, since 1970.
    pub(crate) at: Duration,
    /// The host that the first certificate has to be for.
    pub(crate) host: Option<&'a Host>,
    /// The purpose that all certificates have to allow.
    pub(crate) purpose: Option<Purpose>,
    /// The CRLs of the issuers.
    pub(crate) crls: &'a [ParsedCrl],
    /// The certificates of a path that need a CRL.
    pub(crate) crls_required: Required,
    /// The backend that verifies signatures.
    pub(crate) backend: Backend,
}

/// The certificates of a path that need a CRL. The root needs none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Required {
    /// None.
    Nothing,
    /// The first one.
    First,
    /// All.
    Each,
}

/// Why there is no path.
enum Failure {
    /// The certificate of this title is refused.
    Refused(String, CertificateError),
    /// The validation itself failed.
    Error(Error),
}

impl Failure {
    /// Whether the reason may only be that a candidate is not the issuer.
    fn is_vague(&self) -> bool {
        matches!(
            self,
            Self::Refused(
                _,
                CertificateError::Signature(_) | CertificateError::IssuerKey(..)
            )
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
            Failure::Refused(place, error) => Self::NotValid(format!("{place}: {error}")),
            Failure::Error(error) => error,
        }
    }
}

impl ParsedCertificate {
    fn refused(&self, error: CertificateError) -> Failure {
        Failure::Refused(self.title.clone(), error)
    }
}

impl<'a> PathValidator<'a> {
    /// The path from the certificate to a root; or [`Error::NotValid`] with the refused certificate.
    pub(crate) fn verify(
        &self,
        leaf: &'a ParsedCertificate,
    ) -> Result<Vec<&'a ParsedCertificate>, Error> {
        let extensions = self.check_self(leaf)?;
        self.check_key(leaf)?;
        if let Some(purpose) = self.purpose {
            check_purpose(&extensions, purpose, self.is_root(leaf))
                .map_err(|error| leaf.refused(error))?;
        }
        if let Some(host) = self.host
            && !extensions.names.is_some_and(|names| host.is_among(&names))
        {
            return Err(leaf.refused(CertificateError::Host).into());
        }
        let mut path = vec![leaf];
        self.extend(&mut path, leaf, &Cell::new(MAX_SIGNATURES))?;
        Ok(path)
    }

    /// Checks a certificate without its path.
    fn check_self(&self, certificate: &ParsedCertificate) -> Result<Extensions, Failure> {
        certificate
            .check_time(self.at)
            .map_err(|error| certificate.refused(error))?;
        let extensions = certificate
            .check()
            .map_err(|error| certificate.refused(error))?;
        if let Some(purpose) = self.purpose
            && !extensions.is_for(purpose)
        {
            let error = CertificateError::NotForPurpose(purpose.name());
            return Err(certificate.refused(error));
        }
        Ok(extensions)
    }

    /// Checks the certified key of the first certificate, if its algorithm is known here. A key of
    /// another algorithm, such as RSA, verifies no signature of the path.
    fn check_key(&self, leaf: &ParsedCertificate) -> Result<(), Error> {
        if !leaf.is_key_known() {
            return Ok(());
        }
        let key = leaf.key(self.backend);
        key.map(drop)
            .map_err(|error| Error::file(&leaf.title, error))
    }

    fn is_root(&self, certificate: &ParsedCertificate) -> bool {
        self.roots.iter().any(|root| root.is(certificate))
    }

    /// Extends a path from its last certificate to a root, by depth-first search.
    fn extend(
        &self,
        path: &mut Vec<&'a ParsedCertificate>,
        last: &'a ParsedCertificate,
        budget: &Cell<u32>,
    ) -> Result<(), Failure> {
        if self.is_root(last) {
            return Ok(());
        }
        let depth = path.len();
        let mut refused: Option<Failure> = None;
        for candidate in self.roots.iter().chain(self.others) {
            let is_new = path.iter().all(|certificate| !certificate.is(candidate));
            if !is_new || !candidate.is_named_as_issuer_of(last) {
                continue;
            }
            let attempt = self
                .check_issuer(candidate, path, last, budget)
                .and_then(|()| {
                    path.push(candidate);
                    let end = self.extend(path, candidate, budget);
                    end.inspect_err(|_| path.truncate(depth))
                });
            match attempt {
                Err(failure @ Failure::Refused(..)) => {
                    // Another certificate with the issuer's name must not hide the issuer's error.
                    if refused.is_none() || !failure.is_vague() {
                        refused = Some(failure);
                    }
                }
                other => return other,
            }
        }
        let issuer = last.body().issuer();
        let no_issuer = || last.refused(CertificateError::NoIssuer(issuer.to_string()));
        Err(refused.unwrap_or_else(no_issuer))
    }

    /// Checks that `candidate` is the issuer of `last`, and that it may be.
    fn check_issuer(
        &self,
        candidate: &ParsedCertificate,
        path: &[&ParsedCertificate],
        last: &ParsedCertificate,
        budget: &Cell<u32>,
    ) -> Result<(), Failure> {
        spend(budget, last)?;
        let place = || candidate.title.clone();
        let key = candidate.key(self.backend);
        let key =
            key.map_err(|error| last.refused(CertificateError::IssuerKey(place(), error.into())))?;
        if !last.is_signed_by(&*key)? {
            return Err(last.refused(CertificateError::Signature(place())));
        }
        let extensions = self.check_self(candidate)?;
        if !extensions.may_issue() {
            return Err(last.refused(CertificateError::NotAnAuthority(place())));
        }
        // RFC 5280, section 6.1.4 (l): self-issued certificates do not count.
        let between = path.iter().skip(1);
        let between = between
            .filter(|certificate| !certificate.is_self_issued())
            .count();
        let fits = |most: u8| between <= usize::from(most);
        if !extensions.path_length().is_none_or(fits) {
            return Err(last.refused(CertificateError::PathTooLong(place())));
        }
        check_names(&extensions, candidate, path)?;
        let required = match self.crls_required {
            Required::Nothing => false,
            Required::First => path.len() == 1,
            Required::Each => true,
        };
        self.check_revocation(candidate, &extensions, &*key, last, required, budget)
    }

    /// RFC 5280, section 6.3: looks up `last` in the newest CRL of `issuer`, which is its issuer.
    fn check_revocation(
        &self,
        issuer: &ParsedCertificate,
        extensions: &Extensions,
        key: &dyn PublicKey,
        last: &ParsedCertificate,
        required: bool,
        budget: &Cell<u32>,
    ) -> Result<(), Failure> {
        let (mut newest, mut refused): (Option<&ParsedCrl>, _) = (None, None);
        for crl in self.crls.iter().filter(|crl| crl.is_named_after(issuer)) {
            spend(budget, last)?;
            let checked = crl.check_issuer(issuer, extensions, key)?;
            match checked.and_then(|()| crl.check_time(self.at)) {
                Ok(()) if newest.is_some_and(|newest| !crl.is_newer_than(newest)) => {}
                Ok(()) => newest = Some(crl),
                Err(error) => refused = Some((crl, error)),
            }
        }
        let place = |crl: &ParsedCrl| crl.place.clone();
        match (newest, refused) {
            (Some(crl), _) => match crl.entry(last.body().serial_number()) {
                Some(entry) => {
                    let error = CertificateError::Revoked(revocation(entry), place(crl));
                    Err(last.refused(error))
                }
                None => Ok(()),
            },
            (None, Some((crl, error))) => {
                Err(last.refused(CertificateError::Crl(place(crl), error)))
            }
            (None, None) if required => {
                let issuer = last.body().issuer().to_string();
                Err(last.refused(CertificateError::NoCrl(issuer)))
            }
            (None, None) => Ok(()),
        }
    }

    /// Whether there is a CRL of this issuer. A path is valid only if it can be used.
    pub(crate) fn has_crl(&self, issuer: Option<&ParsedCertificate>) -> bool {
        let mut crls = self.crls.iter();
        issuer.is_some_and(|issuer| crls.any(|crl| crl.is_named_after(issuer)))
    }
}

/// Checks that an end entity can serve a purpose.
fn check_purpose(
    extensions: &Extensions,
    purpose: Purpose,
    is_root: bool,
) -> Result<(), CertificateError> {
    if !extensions.may_serve(purpose, is_root) {
        return Err(CertificateError::NotServing(purpose.name()));
    }
    if extensions.states(purpose) {
        return Ok(());
    }
    let how = if purpose.is_exclusive() {
        " alone, in a critical extension"
    } else {
        ""
    };
    Err(CertificateError::PurposeNotStated(purpose.name(), how))
}

/// Counts one signature.
fn spend(budget: &Cell<u32>, last: &ParsedCertificate) -> Result<(), Failure> {
    let left = budget.get().checked_sub(1);
    budget.set(left.ok_or_else(|| last.refused(CertificateError::TooManyWays))?);
    Ok(())
}

/// RFC 5280, section 6.1.3 (b) and (c): name constraints do not apply to a self-issued certificate,
/// unless it is the first one of `path`.
fn check_names(
    issuer: &Extensions,
    candidate: &ParsedCertificate,
    path: &[&ParsedCertificate],
) -> Result<(), Failure> {
    let Some(constraints) = &issuer.name_constraints else {
        return Ok(());
    };
    for (index, certificate) in path.iter().enumerate() {
        if index > 0 && certificate.is_self_issued() {
            continue;
        }
        let subject = certificate.body().subject();
        let checked = certificate.check().and_then(|extensions| {
            let names = extensions.names.map(|names| names.0).unwrap_or_default();
            constraints.check(&candidate.title, subject, &names)
        });
        checked.map_err(|error| certificate.refused(error))?;
    }
    Ok(())
}
