//! What several tests share.

#![allow(dead_code, reason = "no test uses all of it")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::convert::Infallible;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;

use moissanite::rand_core::{TryCryptoRng, TryRng};

/// Other people's vectors are not in the tree. They are looked for in the
/// directory that this variable names.
const KATS: &str = "MOISSANITE_KATS";

/// A file of other people's vectors, or `None`, said aloud, where there are
/// none. Once the variable is set, nothing is skipped: a file that is not
/// there fails the test.
pub(crate) fn vectors(name: &str) -> Option<Vec<u8>> {
    let Some(directory) = std::env::var_os(KATS) else {
        // Past the test harness, which hides what a test that passes prints.
        let _ = writeln!(
            std::io::stderr().lock(),
            "SKIPPED: {name} is read only where {KATS} names the directory that has it"
        );
        return None;
    };
    let path = PathBuf::from(directory).join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) => panic!("{KATS} is set, but {}: {error}", path.display()),
    }
}

/// [`vectors`], of a text.
pub(crate) fn text(name: &str) -> Option<String> {
    vectors(name).map(|bytes| String::from_utf8(bytes).unwrap())
}

/// A generator that gives what it is told, once.
pub(crate) struct Given<'a>(pub(crate) &'a [u8]);

impl TryRng for Given<'_> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("signing reads bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("signing reads bytes")
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        assert_eq!(bytes.len(), self.0.len(), "all at once");
        bytes.copy_from_slice(self.0);
        self.0 = &[];
        Ok(())
    }
}
impl TryCryptoRng for Given<'_> {}

/// A generator that gives zeros for ever.
pub(crate) struct Stuck;

impl TryRng for Stuck {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("signing reads bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("signing reads bytes")
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(0);
        Ok(())
    }
}
impl TryCryptoRng for Stuck {}

/// A generator that fails, after having written something.
pub(crate) struct Failing;

/// What it says.
#[derive(Debug)]
pub(crate) struct Failure;
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no entropy")
    }
}
impl std::error::Error for Failure {}

impl TryRng for Failing {
    type Error = Failure;
    fn try_next_u32(&mut self) -> Result<u32, Failure> {
        Err(Failure)
    }
    fn try_next_u64(&mut self) -> Result<u64, Failure> {
        Err(Failure)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Failure> {
        let half = bytes.len() >> 1;
        bytes[..half].fill(1);
        Err(Failure)
    }
}
impl TryCryptoRng for Failing {}

/// Runs a test on every backend: those of this CPU, and those in software
/// that stand for any width.
#[cfg(feature = "hazmat")]
pub(crate) fn on_every_backend<O>(test: O)
where
    O: moissanite::backend::WithBackend<Output = ()> + Clone,
{
    use moissanite::backend::{Lanes, available, dispatch_to};

    let mut count = 0;
    for name in available() {
        dispatch_to(name, test.clone()).unwrap();
        count += 1;
    }
    assert!(count >= 1);
    // The core is tested on lanes of every width; on AArch64 they are what they are elsewhere.
    if cfg!(not(target_arch = "aarch64")) {
        test.call(Lanes::<16>);
    }
}
