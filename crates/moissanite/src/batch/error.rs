//! The errors of batches.
//!
//! The error contains the result of each item, so that a caller that checks only the `Result` never
//! accepts a batch with an invalid item.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use moissanite_core::ParameterSet;

use crate::error::{ContextTooLong, SigningError};
use crate::sig::Signature;

/// The verdict on each item of a batch in which not all signatures are valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSignatures(Vec<bool>);

impl InvalidSignatures {
    /// Returns an error unless all of these are true.
    pub(super) fn unless_all(verdicts: Vec<bool>) -> Result<(), Self> {
        if verdicts.iter().all(|valid| *valid) {
            Ok(())
        } else {
            Err(Self(verdicts))
        }
    }

    /// For each item in order, whether its signature is valid.
    pub fn verdicts(&self) -> impl ExactSizeIterator<Item = bool> {
        self.0.iter().copied()
    }

    /// The indices of the items whose signatures are not valid, in order. There is at least one.
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

/// The reason why a batch was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyBatchError {
    /// The context has more than 255 bytes. No signature was checked.
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

/// The signature of each item of a batch, or its error, if not all items were signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingSignatures<P: ParameterSet>(Vec<Result<Signature<P>, SigningError>>);

impl<P: ParameterSet> MissingSignatures<P> {
    /// Returns the signatures, or an error unless all items were signed.
    pub(super) fn unless_all(
        results: Vec<Result<Signature<P>, SigningError>>,
    ) -> Result<Vec<Signature<P>>, Self> {
        if results.iter().all(Result::is_ok) {
            Ok(results.into_iter().filter_map(Result::ok).collect())
        } else {
            Err(Self(results))
        }
    }

    /// The signature of each item in order, or its error.
    pub fn results(&self) -> &[Result<Signature<P>, SigningError>] {
        &self.0
    }

    /// The signature of each item in order, or its error.
    pub fn into_results(self) -> Vec<Result<Signature<P>, SigningError>> {
        self.0
    }

    /// The indices of the items without a signature, in order, and their errors. There is at least
    /// one.
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

/// The reason why a batch was not signed.
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
