//! Requests for certificates (PKCS#10) in decoded form.

use std::collections::BTreeSet;

use der::Decode;
use der::oid::AssociatedOid;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralNames;
use x509_cert::request::{CertReq, ExtensionReq};

use super::error::CertificateError;
use super::host::Host;
use super::signed::Signed;
use super::text;
use crate::algorithm::scheme::PublicKey;
use crate::backend::Backend;
use crate::diagnostics::warn;
use crate::error::Error;
use crate::key_error::{KeyError, What};
use crate::keyfile::{Body, KeyFile};

/// A decoded request and its origin.
pub(crate) struct ParsedRequest {
    /// The file.
    pub(crate) place: String,
    /// The fields.
    pub(crate) request: CertReq,
    signed: Signed,
}

impl ParsedRequest {
    /// The request in a file.
    pub(crate) fn in_file(file: &KeyFile) -> Result<Self, Error> {
        let Some(Body::Request(request)) = &file.body else {
            return Err(file.unexpected(What::Request, ""));
        };
        let signed = Signed::new(&file.bytes, &request.info.public_key);
        Ok(Self {
            place: file.place.clone(),
            request: (**request).clone(),
            signed: signed.map_err(|error| Error::file(&file.place, error))?,
        })
    }

    /// The key that the certificate is to certify.
    pub(crate) fn key(&self, backend: Backend) -> Result<Box<dyn PublicKey>, Error> {
        let key = self.signed.key(backend);
        key.map_err(|error| Error::file(&self.place, error))
    }

    /// Checks that the request is signed by `key`, which is its own key.
    pub(crate) fn check_signature(&self, key: &dyn PublicKey) -> Result<(), Error> {
        let CertReq {
            algorithm,
            signature,
            ..
        } = &self.request;
        if self.signed.is_signed_by(key, algorithm, signature)? {
            return Ok(());
        }
        let place = &self.place;
        Err(Error::NotValid(format!(
            "{place} is not signed by its own key"
        )))
    }

    /// The requested extensions, of which each occurs once.
    pub(crate) fn extensions(&self) -> Result<Vec<Extension>, Error> {
        let extensions = requested(&self.request);
        extensions.map_err(|error| Error::file(&self.place, error))
    }

    /// The requested names that `--host` would accept. A warning names every other requested name and
    /// extension.
    pub(crate) fn hosts(&self) -> Result<GeneralNames, Error> {
        let place = &self.place;
        let malformed = |error: der::Error| Error::file(place, KeyError::from(error));
        let mut hosts = Vec::new();
        let refuse = |what: &str| warn(&format!("{place} asks for {what}, which is not granted"));
        for extension in self.extensions()? {
            if extension.extn_id != SubjectAltName::OID {
                refuse(&format!("the extension {}", extension.extn_id));
                continue;
            }
            let all = SubjectAltName::from_der(extension.extn_value.as_bytes());
            let all = all.map_err(malformed)?.0;
            if all.is_empty() {
                let none = KeyError::Malformed("its list of requested names is empty".into());
                return Err(Error::file(place, none));
            }
            for name in all {
                match Host::of(&name) {
                    Some(host) => hosts.push(host.to_name().map_err(malformed)?),
                    None => refuse(&format!("the name {}", text::name(&name))),
                }
            }
        }
        Ok(hosts)
    }
}

fn requested(request: &CertReq) -> Result<Vec<Extension>, KeyError> {
    let attributes = request.info.attributes.iter();
    let asking = attributes.filter(|attribute| attribute.oid == ExtensionReq::OID);
    let lists: Vec<_> = asking
        .flat_map(|attribute| attribute.values.iter())
        .collect();
    let extensions = match lists.as_slice() {
        [] => return Ok(Vec::new()),
        [list] => list.decode_as::<ExtensionReq>()?.0,
        _ => return Err(KeyError::Malformed("it asks for extensions twice".into())),
    };
    let mut seen = BTreeSet::new();
    match extensions
        .iter()
        .find(|extension| !seen.insert(extension.extn_id))
    {
        Some(extension) => {
            let error = CertificateError::RepeatedExtension(extension.extn_id);
            Err(KeyError::Malformed(error.to_string()))
        }
        None => Ok(extensions),
    }
}
