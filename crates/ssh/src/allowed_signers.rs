//! Lists of trusted keys: the section ALLOWED SIGNERS of the manual of `ssh-keygen`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::date::{Date, Instant};
use crate::error::Error;
use crate::limits;
use crate::message::MessageHash;
use crate::patterns;
use crate::public::PublicKey;
use crate::signature::SshSignature;

/// A list of principals and of the keys that sign for them: the file that git's `gpg.ssh.allowedSignersFile`
/// names.
///
/// Each line has principals, options, an algorithm, base64, and optionally a comment, separated by spaces. Lines that
/// begin with `#` are comments. Principals are separated by commas, and can have the wildcards `*` and `?` and
/// exceptions that begin with `!`, such as `*@example.com,!mallory@example.com`. The options are separated by commas:
/// `namespaces="git,file"`, `valid-after="20260101Z"`, `valid-before="20270101Z"` and `cert-authority`.
///
/// Lines with keys of other algorithms and with `cert-authority` are checked for their syntax, and permit
/// nothing here.
///
/// ```
/// use moissanite_ssh::{AllowedSigners, Date, Hash, Instant, MessageHash, PrivateKey, SysRng};
///
/// let key = PrivateKey::try_generate(&mut SysRng)?;
/// let hash = MessageHash::of(Hash::Sha512, b"message");
/// let signature = key.try_sign_with_rng(&mut SysRng, "file", &hash)?;
///
/// let line = format!("alice@example.com namespaces=\"file\" {}", key.public_key().to_openssh());
/// let signers = AllowedSigners::parse(&line)?;
/// let now = Instant::utc("20261123150000Z".parse()?);
/// signers.verify("alice@example.com", "file", &hash, &signature, now)?;
/// assert!(signers.verify("bob@example.com", "file", &hash, &signature, now).is_err());
/// assert_eq!(signers.principals(&signature, now).collect::<Vec<_>>(), ["alice@example.com"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AllowedSigners(Vec<Signer>);

/// One line.
#[derive(Clone, Debug)]
struct Signer {
    principals: String,
    options: Options,
    /// The key, if it is of the algorithm of this crate.
    key: Option<PublicKey>,
}

#[derive(Clone, Debug, Default)]
struct Options {
    /// The key signs certificates, and no messages.
    certificate_authority: bool,
    namespaces: Option<String>,
    valid_after: Option<Date>,
    valid_before: Option<Date>,
}

/// The error of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The number of the line, beginning with 1. It is 0 if the text is too long.
    pub line: usize,
    /// The reason.
    pub error: Error,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => self.error.fmt(f),
            line => write!(f, "line {line}: {}", self.error),
        }
    }
}

impl core::error::Error for LineError {}

impl AllowedSigners {
    /// Reads a list, of at most [`limits::ALLOWED_SIGNERS`] bytes. A malformed line is an error.
    ///
    /// # Errors
    /// [`Error::TooLong`], and with the number of the line [`Error::Principals`], [`Error::SignerOption`],
    /// [`Error::Date`], and the errors of [`PublicKey::from_openssh`] except [`Error::UnknownAlgorithm`].
    pub fn parse(text: &str) -> Result<Self, LineError> {
        limits::check("list of signers", text, limits::ALLOWED_SIGNERS)
            .map_err(|error| LineError { line: 0, error })?;
        let lines = (1..).zip(text.lines().map(str::trim));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let signers = lines.map(|(number, line)| {
            Signer::parse(line).map_err(|error| LineError {
                line: number,
                error,
            })
        });
        Ok(Self(signers.collect::<Result<_, _>>()?))
    }

    /// Verifies that a principal, such as the address of a person, is permitted to sign in a namespace with the
    /// key of a signature at an instant, and that the signature is valid.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Error::NotValidThen`], and the errors of [`SshSignature::verify`].
    pub fn verify(
        &self,
        principal: &str,
        namespace: &str,
        hash: &MessageHash,
        signature: &SshSignature,
        at: Instant,
    ) -> Result<(), Error> {
        let lines = self.lines_of(signature, namespace);
        let mut refused = Error::NotAllowed;
        for line in lines.filter(|line| patterns::match_list(&line.principals, principal)) {
            if line.options.is_valid(at) {
                return signature.verify(namespace, hash);
            }
            refused = Error::NotValidThen;
        }
        Err(refused)
    }

    /// Returns the principals of the lines that permit the key of a signature to sign in its namespace at an
    /// instant, as the lines write them: patterns with commas. This does not verify the signature.
    pub fn principals<'a>(
        &'a self,
        signature: &'a SshSignature,
        at: Instant,
    ) -> impl Iterator<Item = &'a str> {
        self.lines_of(signature, signature.namespace())
            .filter(move |line| line.options.is_valid(at))
            .map(|line| &line.principals[..])
    }

    /// Returns the principals of the lines that match a principal, as the lines write them.
    pub fn matching<'a>(&'a self, principal: &'a str) -> impl Iterator<Item = &'a str> {
        let lines = self.0.iter().map(|line| &line.principals[..]);
        lines.filter(move |patterns| patterns::match_list(patterns, principal))
    }

    /// Returns the lines that permit the key of a signature to sign in a namespace.
    fn lines_of<'a>(
        &'a self,
        signature: &'a SshSignature,
        namespace: &'a str,
    ) -> impl Iterator<Item = &'a Signer> {
        self.0.iter().filter(move |line| {
            line.key.as_ref() == Some(signature.public_key())
                && !line.options.certificate_authority
                && line.options.permits(namespace)
        })
    }
}

impl Signer {
    fn parse(line: &str) -> Result<Self, Error> {
        let (principals, rest) = principals(line)?;
        // The key follows at once, or after options.
        let (options, key) = match PublicKey::from_openssh(rest) {
            Err(Error::UnknownAlgorithm) if !is_algorithm(rest) => {
                let (options, key) = split_options(rest.trim_start())?;
                (Options::parse(options)?, PublicKey::from_openssh(key))
            }
            key => (Options::default(), key),
        };
        let key = match key {
            Ok(key) => Some(key),
            Err(Error::UnknownAlgorithm) => None,
            Err(error) => return Err(error),
        };
        Ok(Self {
            principals: principals.to_owned(),
            options,
            key,
        })
    }
}

/// Splits off the principals, which may be in quotation marks.
fn principals(line: &str) -> Result<(&str, &str), Error> {
    let (principals, rest) = match line.strip_prefix('"') {
        Some(line) => line.split_once('"').ok_or(Error::Principals)?,
        None => line.split_once([' ', '\t']).ok_or(Error::Principals)?,
    };
    if principals.is_empty() {
        return Err(Error::Principals);
    }
    Ok((principals, rest))
}

/// Whether the first word is the name of an algorithm and the second one is base64 that begins like a key: the
/// length of a short string.
fn is_algorithm(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next();
    words.next().is_some_and(|word| word.starts_with("AAAA"))
}

/// Splits a text where its options end: at the first space outside quotation marks.
fn split_options(text: &str) -> Result<(&str, &str), Error> {
    let mut quoted = false;
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '"' if previous != '\\' => quoted = !quoted,
            ' ' | '\t' if !quoted => return Ok(text.split_at(at)),
            _ => (),
        }
        previous = character;
    }
    Err(Error::Line)
}

impl Options {
    fn parse(mut text: &str) -> Result<Self, Error> {
        let mut options = Self::default();
        loop {
            let end = text.find(['=', ',']).unwrap_or(text.len());
            let (name, rest) = text.split_at(end);
            let (value, rest) = match rest.strip_prefix('=') {
                Some(value) => {
                    let value = value.strip_prefix('"').ok_or(Error::SignerOption)?;
                    let (value, rest) = value.split_once('"').ok_or(Error::SignerOption)?;
                    (Some(value), rest)
                }
                None => (None, rest),
            };
            options.set(name, value)?;
            text = match rest.strip_prefix(',') {
                Some(rest) => rest,
                None if rest.is_empty() => return options.checked(),
                None => return Err(Error::SignerOption),
            };
        }
    }

    /// Sets one option. The names do not depend on case.
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), Error> {
        let is = |known| name.eq_ignore_ascii_case(known);
        let repeated = match value {
            None if is("cert-authority") => {
                core::mem::replace(&mut self.certificate_authority, true)
            }
            Some(list) if is("namespaces") => self.namespaces.replace(list.to_owned()).is_some(),
            Some(date) if is("valid-after") => self.valid_after.replace(date.parse()?).is_some(),
            Some(date) if is("valid-before") => self.valid_before.replace(date.parse()?).is_some(),
            _ => return Err(Error::SignerOption),
        };
        if repeated {
            return Err(Error::SignerOption);
        }
        Ok(())
    }

    fn checked(self) -> Result<Self, Error> {
        if self.namespaces.as_deref() == Some("") {
            return Err(Error::SignerOption);
        }
        Ok(self)
    }

    fn permits(&self, namespace: &str) -> bool {
        let namespaces = self.namespaces.as_deref();
        namespaces.is_none_or(|patterns| patterns::match_list(patterns, namespace))
    }

    /// Whether an instant is in the time of validity, whose ends belong to it.
    fn is_valid(&self, at: Instant) -> bool {
        let begun = self.valid_after.is_none_or(|date| at.is_from(date));
        begun && self.valid_before.is_none_or(|date| at.is_until(date))
    }
}
