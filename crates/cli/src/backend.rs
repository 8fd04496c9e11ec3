//! Which backend runs the operations.

use std::env;

use moissanite::backend::{WithBackend, available, dispatch, dispatch_to};

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::{report, warn};

const VARIABLE: &str = "MOISSANITE_BACKEND";

/// The best that this CPU has, or one asked for by name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backend(Option<&'static str>);

impl Backend {
    /// From `--backend`, else from the environment, else the best.
    pub(crate) fn choose(argument: Option<&str>) -> Result<Self, Error> {
        let variable = env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let (asked, place) = match (argument, &variable) {
            (Some(name), _) => (name.to_owned(), "--backend"),
            (None, Some(name)) => (name.to_string_lossy().into_owned(), VARIABLE),
            (None, None) => return Ok(Self(None)),
        };
        match available().find(|name| name.eq_ignore_ascii_case(&asked)) {
            Some(name) => Ok(Self(Some(name))),
            None => {
                let names: Vec<_> = available().collect();
                let names = names.join(", ");
                let asked = report::value(&asked);
                Err(Error::Usage(format!(
                    "{place}: this CPU has no backend '{asked}'; it has {names}"
                )))
            }
        }
    }

    /// All that this CPU has, or the one asked for.
    pub(crate) fn each(self) -> Vec<Self> {
        match self.0 {
            Some(_) => vec![self],
            None => available().map(|name| Self(Some(name))).collect(),
        }
    }

    /// A remark, where this algorithm has nothing of what was asked for.
    pub(crate) fn remark(self, algorithm: Algorithm) {
        if let Some(name) = self.0
            && !algorithm.has_backends()
        {
            let algorithm = algorithm.name();
            warn(&format!(
                "the backend {name} is not used for {algorithm}, which has none to choose from"
            ));
        }
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        self.0.or(available().next()).unwrap_or("portable")
    }

    pub(crate) fn run<O: WithBackend>(self, op: O) -> Result<O::Output, Error> {
        match self.0 {
            None => Ok(dispatch(op)),
            Some(name) => dispatch_to(name, op).ok_or(Error::Backend(name)),
        }
    }
}
