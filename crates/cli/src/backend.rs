//! The choice of the backend that runs the operations.

use std::env;

use moissanite::backend::{WithBackend, available, dispatch, dispatch_to};

use crate::display;
use crate::error::Error;

const VARIABLE: &str = "MOISSANITE_BACKEND";

/// The requested backend, or `None` for the best one of this CPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backend(Option<&'static str>);

impl Backend {
    /// Takes the backend from `--backend`, else from the environment, else the best one.
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
                let asked = display::value(&asked);
                Err(Error::Usage(format!(
                    "{place}: this CPU has no backend '{asked}'; it has {names}"
                )))
            }
        }
    }

    /// The requested backend, or all backends of this CPU.
    pub(crate) fn each(self) -> Vec<Self> {
        match self.0 {
            Some(_) => vec![self],
            None => available().map(|name| Self(Some(name))).collect(),
        }
    }

    /// The name that the command line or the environment asks for.
    pub(crate) fn requested(self) -> Option<&'static str> {
        self.0
    }

    /// The name of the backend that runs.
    pub(crate) fn name(self) -> &'static str {
        self.0.or(available().next()).unwrap_or("portable")
    }

    /// Runs an operation on this backend.
    pub(crate) fn run<O: WithBackend>(self, op: O) -> Result<O::Output, Error> {
        match self.0 {
            None => Ok(dispatch(op)),
            Some(name) => dispatch_to(name, op).ok_or(Error::Backend(name)),
        }
    }
}
