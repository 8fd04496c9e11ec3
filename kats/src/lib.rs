//! The known answers that the tests of several crates share, as texts in JSON, and the generators that
//! replay them. The README describes each file.
//!
//! ```
//! let rounds = moissanite_kats::ACCUMULATED.contains(r#""rounds""#);
//! assert!(rounds);
//! ```
#![allow(clippy::panic, reason = "a test fails by panicking")]

mod elsewhere;
mod generators;

pub use elsewhere::{DIRECTORY, directory, file, text};
pub use generators::{Failing, Failure, Recorded, Stuck};

/// `accumulated.json`
pub const ACCUMULATED: &str = include_str!("../accumulated.json");
/// `cms.json`
pub const CMS: &str = include_str!("../cms.json");
/// `composite.json`
pub const COMPOSITE: &str = include_str!("../composite.json");
/// `dilithium-round3.json`
pub const DILITHIUM_ROUND3: &str = include_str!("../dilithium-round3.json");
/// `dilithium2-readme-example.json`
pub const DILITHIUM2_README_EXAMPLE: &str = include_str!("../dilithium2-readme-example.json");
/// `killers.json`
pub const KILLERS: &str = include_str!("../killers.json");
/// `openssh.json`
pub const OPENSSH: &str = include_str!("../openssh.json");
/// `rejections.json`
pub const REJECTIONS: &str = include_str!("../rejections.json");
/// `tlog.json`
pub const TLOG: &str = include_str!("../tlog.json");
/// `zkdilithium.json`
pub const ZKDILITHIUM: &str = include_str!("../zkdilithium.json");
