//! Keys as JSON Web Keys (RFC 7517) of type AKP (RFC 9964, section 3), and their thumbprints (RFC 7638).

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::de::MapAccess;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::algorithm::Algorithm;
use crate::error::{Error, check_len};
use crate::jose::base64url;
use crate::jose::json::{self, Fault, Members, Text};
use crate::limits;
use crate::signing::SigningKey;
use crate::verifying::VerifyingKey;

/// The key type (RFC 9964, section 3).
const AKP: &str = "AKP";

/// What a key is used for: the value of `key_ops` (RFC 7517, section 4.3).
const SIGN: &str = "sign";
const VERIFY: &str = "verify";

impl VerifyingKey {
    /// Reads a public JWK, and prepares the key.
    ///
    /// The members `kty`, `alg` and `pub` are required. `use` must be `sig` and `key_ops` must contain
    /// `verify`, if they are there. `kid` is kept. Other members are read and ignored. The text has at
    /// most [`limits::KEY`] bytes.
    ///
    /// A private JWK is refused, because a verifier should not have it:
    /// [`SigningKey::to_verifying_key`] and [`Self::to_jwk`] make a public one.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Json`], [`Error::TrailingData`], [`Error::Duplicate`],
    /// [`Error::Missing`], [`Error::WrongType`], [`Error::KeyType`], [`Error::UnknownAlgorithm`],
    /// [`Error::PrivateKeyPresent`], [`Error::Use`], [`Error::KeyOps`], [`Error::Base64`],
    /// [`Error::Padding`], [`Error::TrailingBits`], [`Error::PublicKeyLength`].
    pub fn from_jwk(jwk: &str) -> Result<Self, Error> {
        let jwk = Jwk::read(jwk)?;
        if jwk.private.is_some() {
            return Err(Error::PrivateKeyPresent);
        }
        jwk.check_use(VERIFY)?;
        let key = Self::from_bytes(jwk.algorithm()?, &jwk.public()?)?;
        Ok(key.with_read_kid(jwk.kid.as_deref().map(str::as_bytes)))
    }

    /// Reads a JWK Set (RFC 7517, section 5), such as an issuer publishes, and prepares its keys of ML-DSA.
    ///
    /// Keys of other types and algorithms, and those whose `use` or `key_ops` do not permit
    /// verification, are left out. Any other fault of a key is an error. The text has at most
    /// [`limits::KEY_SET`] bytes.
    ///
    /// ```
    /// use moissanite_tokens::{Algorithm, SigningKey, SysRng, VerifyingKey};
    ///
    /// let key = SigningKey::try_generate(Algorithm::MlDsa44, &mut SysRng)?;
    /// let jwk = key.to_verifying_key().to_jwk()?;
    /// let set = format!(r#"{{"keys":[{jwk},{{"kty":"EC","crv":"P-256"}}]}}"#);
    /// assert_eq!(VerifyingKey::from_jwk_set(&set)?, [key.to_verifying_key()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::from_jwk`], for the set and for each key.
    pub fn from_jwk_set(set: &str) -> Result<Vec<Self>, Error> {
        check_len("JWK Set", set.len(), limits::KEY_SET)?;
        let mut set = json::read_map(set)?;
        let Value::Array(keys) = set.remove("keys").ok_or(Error::Missing("keys"))? else {
            return Err(Error::WrongType("keys"));
        };
        let keys = keys.iter().filter_map(|key| {
            let key = Self::from_jwk(&key.to_string());
            let unusable = [
                Error::KeyType,
                Error::UnknownAlgorithm,
                Error::Use,
                Error::KeyOps,
            ];
            let left_out = key.as_ref().is_err_and(|error| unusable.contains(error));
            (!left_out).then_some(key)
        });
        keys.collect()
    }

    /// Writes a public JWK: `alg`, `kid` if there is one, `kty` and `pub`.
    ///
    /// # Errors
    /// [`Error::KeyIdNotText`].
    pub fn to_jwk(&self) -> Result<String, Error> {
        let kid = kid_member(self.kid())?;
        Ok(public_jwk(self, &kid))
    }

    /// Returns the JWK thumbprint (RFC 7638) with SHA-256: base64url of 32 bytes, in 43 characters. It
    /// is often used as `kid`. It depends on the algorithm and the public key only.
    #[must_use]
    pub fn jwk_thumbprint(&self) -> String {
        let digest = Sha256::digest(public_jwk(self, "").as_bytes());
        let mut text = String::with_capacity(base64url::encoded_len(digest.len()));
        base64url::encode(&digest, &mut text);
        text
    }
}

impl SigningKey {
    /// Reads a private JWK, and prepares the key.
    ///
    /// The members `kty`, `alg`, `pub` and `priv` are required. `priv` is the seed, and must yield
    /// `pub`. `use` must be `sig` and `key_ops` must contain `sign`, if they are there. `kid` is kept.
    /// Other members are read and ignored. The text has at most [`limits::KEY`] bytes.
    ///
    /// `priv` is decoded in constant time without another copy of its text; the text itself is the
    /// caller's to wipe.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Json`], [`Error::TrailingData`], [`Error::Duplicate`],
    /// [`Error::Missing`], [`Error::WrongType`], [`Error::KeyType`], [`Error::UnknownAlgorithm`],
    /// [`Error::Use`], [`Error::KeyOps`], [`Error::Base64`], [`Error::Padding`],
    /// [`Error::TrailingBits`], [`Error::SeedLength`], [`Error::PublicKeyLength`],
    /// [`Error::PublicKeyMismatch`].
    pub fn from_jwk(jwk: &str) -> Result<Self, Error> {
        let jwk = Jwk::read(jwk)?;
        jwk.check_use(SIGN)?;
        let algorithm = jwk.algorithm()?;
        let seed = base64url::decode_seed(jwk.private.ok_or(Error::Missing("priv"))?)?;
        let public = jwk.public()?;
        let kid = jwk.kid.as_deref().map(str::as_bytes);
        let key = Self::from_seed(algorithm, &seed).with_read_kid(kid);
        key.check_public_key(&public)?;
        Ok(key)
    }

    /// Writes a private JWK: `alg`, `kid` if there is one, `kty`, `priv` and `pub`.
    ///
    /// The text is secret, and is wiped when it is dropped. No other copy of the seed is left.
    ///
    /// # Errors
    /// [`Error::SeedUnknown`], [`Error::KeyIdNotText`].
    pub fn to_private_jwk(&self) -> Result<Zeroizing<String>, Error> {
        let seed = self.as_seed()?;
        let kid = kid_member(self.kid())?;
        let name = self.algorithm().jose_name();
        // The text never grows, because that would leave a copy behind.
        let fixed = r#"{"alg":"","kty":"AKP","priv":"","pub":""}"#.len();
        let public = base64url::encoded_len(self.public_key_bytes().len());
        let length = fixed + name.len() + kid.len() + base64url::SEED + public;
        let mut text = Zeroizing::new(String::with_capacity(length));
        for part in [
            r#"{"alg":""#,
            name,
            r#"","#,
            &kid,
            r#""kty":"AKP","priv":""#,
        ] {
            text.push_str(part);
        }
        base64url::encode_seed(seed, &mut text)?;
        text.push_str(r#"","pub":""#);
        base64url::encode(self.public_key_bytes(), &mut text);
        text.push_str(r#""}"#);
        debug_assert_eq!(text.len(), length, "the text has grown");
        Ok(text)
    }
}

/// Writes the members that a thumbprint covers (RFC 9964, section 6), in their order, and between them
/// the member `kid`, which a thumbprint omits.
fn public_jwk(key: &VerifyingKey, kid: &str) -> String {
    let name = key.algorithm().jose_name();
    let fixed = r#"{"alg":"","kty":"AKP","pub":""}"#.len();
    let public = base64url::encoded_len(key.as_bytes().len());
    let mut text = String::with_capacity(fixed + name.len() + kid.len() + public);
    for part in [r#"{"alg":""#, name, r#"","#, kid, r#""kty":"AKP","pub":""#] {
        text.push_str(part);
    }
    base64url::encode(key.as_bytes(), &mut text);
    text.push_str(r#""}"#);
    text
}

/// Writes the member `kid` and a comma, or nothing.
fn kid_member(kid: Option<&[u8]>) -> Result<String, Error> {
    let Some(kid) = kid else {
        return Ok(String::new());
    };
    let kid = core::str::from_utf8(kid).map_err(|_| Error::KeyIdNotText)?;
    let mut text = String::from(r#""kid":"#);
    text.push_str(&json::quoted(kid));
    text.push(',');
    Ok(text)
}

/// The members of a JWK that are used.
#[derive(Default)]
struct Jwk<'a> {
    kid: Option<Cow<'a, str>>,
    public: Option<Cow<'a, str>>,
    /// Borrowed, so that there is no copy of the secret.
    private: Option<&'a str>,
    /// All other members.
    others: Map<String, Value>,
}

impl<'a> Jwk<'a> {
    /// Reads the text.
    fn read(text: &'a str) -> Result<Self, Error> {
        check_len("JWK", text.len(), limits::KEY)?;
        let mut jwk = Self::default();
        json::read(text, &mut jwk)?;
        match jwk.others.get("kty") {
            None => Err(Error::Missing("kty")),
            Some(Value::String(kty)) if kty == AKP => Ok(jwk),
            Some(Value::String(_)) => Err(Error::KeyType),
            Some(_) => Err(Error::WrongType("kty")),
        }
    }

    fn algorithm(&self) -> Result<Algorithm, Error> {
        match self.others.get("alg") {
            None => Err(Error::Missing("alg")),
            Some(Value::String(name)) => {
                Algorithm::from_jose_name(name).ok_or(Error::UnknownAlgorithm)
            }
            Some(_) => Err(Error::WrongType("alg")),
        }
    }

    /// Decodes the public key.
    fn public(&self) -> Result<Vec<u8>, Error> {
        let text = self.public.as_deref().ok_or(Error::Missing("pub"))?;
        base64url::decode("pub", text)
    }

    /// Checks that `use` and `key_ops` permit an operation.
    fn check_use(&self, operation: &str) -> Result<(), Error> {
        match self.others.get("use") {
            None => (),
            Some(Value::String(purpose)) if purpose == "sig" => (),
            Some(Value::String(_)) => return Err(Error::Use),
            Some(_) => return Err(Error::WrongType("use")),
        }
        let operations = match self.others.get("key_ops") {
            None => return Ok(()),
            Some(Value::Array(operations)) => operations,
            Some(_) => return Err(Error::WrongType("key_ops")),
        };
        let mut seen = BTreeSet::new();
        for each in operations {
            let each = each.as_str().ok_or(Error::WrongType("key_ops"))?;
            if !seen.insert(each) {
                return Err(Error::Duplicate);
            }
        }
        if !seen.contains(operation) {
            return Err(Error::KeyOps);
        }
        Ok(())
    }
}

impl<'de> Members<'de> for Jwk<'de> {
    fn member<A: MapAccess<'de>>(
        &mut self,
        name: Cow<'de, str>,
        object: &mut A,
        fault: &Fault,
    ) -> Result<(), A::Error> {
        let repeated = match name.as_ref() {
            "kid" => {
                let text = object.next_value_seed(Text { of: "kid", fault })?;
                self.kid.replace(text).is_some()
            }
            "pub" => {
                let text = object.next_value_seed(Text { of: "pub", fault })?;
                self.public.replace(text).is_some()
            }
            "priv" => match object.next_value_seed(Text { of: "priv", fault })? {
                Cow::Borrowed(text) => self.private.replace(text).is_some(),
                // base64url has no escape sequences.
                Cow::Owned(text) => {
                    drop(Zeroizing::new(text));
                    return Err(fault.stop(Error::Base64("priv")));
                }
            },
            _ => return self.others.member(name, object, fault),
        };
        fault.stop_if(repeated, Error::Duplicate)
    }
}
