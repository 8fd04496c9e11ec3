//! The arguments of the program.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Parser;

use crate::peer::Level;

/// Measures implementations of ML-DSA side by side, in microseconds.
#[derive(Parser)]
pub struct Arguments {
    /// Print JSON lines instead of tables
    #[arg(long)]
    pub json: bool,
    /// The number of messages, and of seeds for keys
    #[arg(long, default_value = "1000")]
    pub messages: NonZero<usize>,
    /// The number of measurements of each message
    #[arg(long, default_value = "3")]
    pub rounds: NonZero<usize>,
    /// The number of messages in each turn of a peer
    #[arg(long, default_value = "25")]
    pub block: NonZero<usize>,
    /// Measure only these parameter sets
    #[arg(long, value_delimiter = ',')]
    pub levels: Vec<Level>,
    /// Measure only these operations: keygen, sign, verify
    #[arg(long, value_delimiter = ',')]
    pub ops: Vec<String>,
    /// Measure only peers whose names contain one of these texts
    #[arg(long, value_delimiter = ',')]
    pub peers: Vec<String>,
    /// Add a peer: a shared object with the C ABI of src/peers/plugin.rs
    #[arg(long)]
    pub plugin: Vec<PathBuf>,
    /// Measure nothing: verify the signatures of a file in the schema of kats/killers.json, and fail unless all
    /// peers give its results, or have a known defect that explains the difference
    #[arg(long, value_name = "FILE")]
    pub vectors: Option<PathBuf>,
    /// Print descriptions of the peers, and measure nothing
    #[arg(long)]
    pub list: bool,
}
