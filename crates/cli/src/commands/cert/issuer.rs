//! The issuer of a certificate or a CRL: its certificate and its key.

use x509_cert::ext::pkix::SubjectKeyIdentifier;
use x509_cert::time::Time;

use crate::algorithm::scheme::PrivateKey;
use crate::backend::Backend;
use crate::certificate::build::{Issuer, computed_identifier};
use crate::certificate::extensions::Extensions;
use crate::certificate::parsed::ParsedCertificate;
use crate::error::Error;
use crate::input::Source;
use crate::key_error::{KeyError, What};
use crate::keyfile::{Expected, KeyFile};

/// Reads the certificate of this private key.
pub(super) fn read(
    source: &Source,
    key: &dyn PrivateKey,
    backend: Backend,
) -> Result<ParsedCertificate, Error> {
    let file = KeyFile::read(source, Expected::document(Some(What::Certificate)))?;
    let issuer = ParsedCertificate::in_file(&file)?;
    let place = &issuer.place;
    let certified = issuer.key(backend);
    let certified = certified.map_err(|error| Error::file(place, error))?;
    if certified.to_raw() == key.public_key().to_raw() {
        Ok(issuer)
    } else {
        let why = format!("{place} is not the certificate of that private key");
        Err(Error::Usage(why))
    }
}

/// Refuses an issuer whose own certificate is refused, or is not valid at the beginning of a new `document`.
pub(super) fn check(
    issuer: &ParsedCertificate,
    document: &str,
    begin: Time,
) -> Result<Extensions, Error> {
    let checked = issuer.check().and_then(|extensions| {
        issuer.check_time(begin.to_unix_duration())?;
        Ok(extensions)
    });
    checked.map_err(|error| {
        let place = &issuer.place;
        Error::Usage(format!("{place} cannot issue a valid {document}: {error}"))
    })
}

/// The issuer with its private key.
pub(super) fn signing<'a>(
    issuer: &ParsedCertificate,
    key: &'a dyn PrivateKey,
    deterministic: bool,
) -> Result<Issuer<'a>, Error> {
    let body = issuer.body();
    let own = body.get_extension::<SubjectKeyIdentifier>();
    let own = own.map_err(|error| Error::file(&issuer.place, KeyError::from(error)))?;
    let identifier = match own {
        Some((_, identifier)) => identifier.0,
        None => computed_identifier(&*key.public_key())?,
    };
    Ok(Issuer {
        name: body.subject().clone(),
        key_identifier: Some(identifier),
        key,
        deterministic,
    })
}
