//! The arguments of the program.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Parser;

use crate::peer::Level;

/// Implementations of ML-DSA side by side; times in microseconds.
#[derive(Parser)]
pub struct Arguments {
    /// JSON lines instead of tables
    #[arg(long)]
    pub json: bool,
    /// Distinct messages, and seeds of keys
    #[arg(long, default_value = "1000")]
    pub messages: NonZero<usize>,
    /// How often each message is measured
    #[arg(long, default_value = "3")]
    pub rounds: NonZero<usize>,
    /// Messages per turn
    #[arg(long, default_value = "25")]
    pub block: NonZero<usize>,
    /// Only these sets
    #[arg(long, value_delimiter = ',')]
    pub levels: Vec<Level>,
    /// Only these operations: keygen, sign, verify
    #[arg(long, value_delimiter = ',')]
    pub ops: Vec<String>,
    /// Only peers whose name contains one of these
    #[arg(long, value_delimiter = ',')]
    pub peers: Vec<String>,
    /// One more peer, behind the C ABI of src/peers/plugin.rs
    #[arg(long)]
    pub plugin: Vec<PathBuf>,
    /// Say what the peers are, and stop
    #[arg(long)]
    pub list: bool,
}
