//! The vectors of one parameter set. Each is checked when it is made: a correct verifier gives the expected
//! result, and a verifier with one of the defects that the vector is for gives the other.

mod c_tilde;
mod challenge;
mod collector;
mod hint;
mod length;
mod matrix;
mod message;
mod norm;
mod rounding;

use anyhow::Result;
use moissanite::Fips204;

use self::collector::Collector;
pub(crate) use self::collector::{Case, TOPICS, Topic};

/// All vectors of a set.
pub(crate) fn all<P: Fips204>() -> Result<Vec<Case>> {
    let mut collector = Collector::<P>::new();
    length::add(&mut collector)?;
    message::add(&mut collector)?;
    c_tilde::add(&mut collector)?;
    norm::add(&mut collector)?;
    hint::add(&mut collector)?;
    rounding::add(&mut collector)?;
    challenge::add(&mut collector)?;
    matrix::add(&mut collector)?;
    collector.finish()
}
