//! Requests for certificates (PKCS#10) in decoded form.

use std::collections::BTreeSet;

use der::Decode;
use der::oid::AssociatedOid;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::GeneralNames;
use x509_cert::ext::pkix::{ExtendedKeyUsage, SubjectAltName};
use x509_cert::request::{CertReq, ExtensionReq};

use super::error::CertificateError;
use super::host::Host;
use super::purpose::Purpose;
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

    /// The requested names that `--host` would accept; none if the issuer chooses the names. A warning names
    /// every other requested name, every purpose that is not among `purposes`, and every other extension.
    pub(crate) fn names(
        &self,
        are_chosen: bool,
        purposes: &[Purpose],
    ) -> Result<GeneralNames, Error> {
        let place = &self.place;
        let refuse = |what: &str| warn(&format!("{place} asks for {what}, which is not granted"));
        let mut granted = Vec::new();
        for extension in self.extensions()? {
            match extension.extn_id {
                SubjectAltName::OID if are_chosen => {}
                SubjectAltName::OID => {
                    let names: SubjectAltName = self.decode(&extension)?;
                    if names.0.is_empty() {
                        let none =
                            KeyError::Malformed("its list of requested names is empty".into());
                        return Err(Error::file(place, none));
                    }
                    for name in names.0 {
                        match Host::of(&name).map(|host| host.to_name()) {
                            Some(name) => {
                                granted.push(name.map_err(|error| self.malformed(error))?);
                            }
                            None => refuse(&format!("the name {}", text::name(&name))),
                        }
                    }
                }
                ExtendedKeyUsage::OID => {
                    let asked: ExtendedKeyUsage = self.decode(&extension)?;
                    let asked = asked.0.into_iter().map(Purpose::of);
                    for purpose in asked.filter(|purpose| !purposes.contains(purpose)) {
                        refuse(&format!("the purpose {}", purpose.name()));
                    }
                }
                oid => refuse(&format!("the extension {oid}")),
            }
        }
        Ok(granted)
    }

    fn decode<'a, T: Decode<'a, Error = der::Error>>(
        &self,
        extension: &'a Extension,
    ) -> Result<T, Error> {
        let decoded = T::from_der(extension.extn_value.as_bytes());
        decoded.map_err(|error| self.malformed(error))
    }

    fn malformed(&self, error: der::Error) -> Error {
        Error::file(&self.place, KeyError::from(error))
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
