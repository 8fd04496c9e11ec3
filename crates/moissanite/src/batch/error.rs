//! What can go wrong with a batch.
//!
//! What is known of each item is in the error, so that whoever looks at nothing but the `Result`
//! takes no batch with a bad item for a good one.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use moissanite_core::ParameterSet;

use crate::error::{ContextTooLong, SigningError};
use crate::sig::Signature;

/// Not all signatures of a batch are valid: the verdict on each item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSignatures(Vec<bool>);

impl InvalidSignatures {
    /// An error, unless all of these are true.
    pub(super) fn unless_all(verdicts: Vec<bool>) -> Result<(), Self> {
        if verdicts.iter().all(|valid| *valid) {
            Ok(())
        } else {
            Err(Self(verdicts))
        }
    }

    /// Whether its signature is valid, of each item in order.
    pub fn verdicts(&self) -> impl ExactSizeIterator<Item = bool> {
        self.0.iter().copied()
    }

    /// The indices of the items whose signatures are not valid, in order; one at least.
    pub fn invalid(&self) -> impl Iterator<Item = usize> {
        let items = self.verdicts().enumerate();
        items.filter_map(|(i, valid)| (!valid).then_some(i))
    }
}

impl fmt::Display for InvalidSignatures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (invalid, all) = (self.invalid().count(), self.0.len());
        write!(f, "{invalid} of {all} signatures are not valid")
    }
}
impl Error for InvalidSignatures {}

/// Why a batch is not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyBatchError {
    /// The context has more than 255 bytes. No signature was looked at.
    ContextTooLong(ContextTooLong),
    /// Not all signatures are valid.
    Invalid(InvalidSignatures),
}

impl fmt::Display for VerifyBatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ContextTooLong(error) => error.fmt(f),
            Self::Invalid(error) => error.fmt(f),
        }
    }
}
impl Error for VerifyBatchError {}

impl From<ContextTooLong> for VerifyBatchError {
    fn from(error: ContextTooLong) -> Self {
        Self::ContextTooLong(error)
    }
}
impl From<InvalidSignatures> for VerifyBatchError {
    fn from(error: InvalidSignatures) -> Self {
        Self::Invalid(error)
    }
}

/// Not all items of a batch were signed: a signature for each, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingSignatures<P: ParameterSet>(Vec<Result<Signature<P>, SigningError>>);

impl<P: ParameterSet> MissingSignatures<P> {
    /// The signatures, or an error, unless there are all.
    pub(super) fn unless_all(
        results: Vec<Result<Signature<P>, SigningError>>,
    ) -> Result<Vec<Signature<P>>, Self> {
        if results.iter().all(Result::is_ok) {
            Ok(results.into_iter().filter_map(Result::ok).collect())
        } else {
            Err(Self(results))
        }
    }

    /// A signature for each item, in order, or why there is none.
    pub fn results(&self) -> &[Result<Signature<P>, SigningError>] {
        &self.0
    }

    /// A signature for each item, in order, or why there is none.
    pub fn into_results(self) -> Vec<Result<Signature<P>, SigningError>> {
        self.0
    }

    /// The indices of the items that have no signature, in order, and why; one at least.
    pub fn missing(&self) -> impl Iterator<Item = (usize, SigningError)> {
        let items = self.0.iter().enumerate();
        items.filter_map(|(i, result)| Some((i, *result.as_ref().err()?)))
    }
}

impl<P: ParameterSet> fmt::Display for MissingSignatures<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (missing, all) = (self.missing().count(), self.0.len());
        write!(f, "{missing} of {all} messages were not signed")?;
        match self.missing().next() {
            Some((_, first)) => write!(f, ": {first}"),
            None => Ok(()),
        }
    }
}
impl<P: ParameterSet> Error for MissingSignatures<P> {}

/// Why a batch is not signed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignBatchError<P: ParameterSet> {
    /// The context has more than 255 bytes. Nothing was signed.
    ContextTooLong(ContextTooLong),
    /// Not all items were signed.
    Missing(MissingSignatures<P>),
}

impl<P: ParameterSet> fmt::Display for SignBatchError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ContextTooLong(error) => error.fmt(f),
            Self::Missing(error) => error.fmt(f),
        }
    }
}
impl<P: ParameterSet> Error for SignBatchError<P> {}

impl<P: ParameterSet> From<ContextTooLong> for SignBatchError<P> {
    fn from(error: ContextTooLong) -> Self {
        Self::ContextTooLong(error)
    }
}
impl<P: ParameterSet> From<MissingSignatures<P>> for SignBatchError<P> {
    fn from(error: MissingSignatures<P>) -> Self {
        Self::Missing(error)
    }
}
