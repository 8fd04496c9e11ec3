//! `moissanite algorithms`.

use serde_json::{Value, json};

use crate::algorithm::ALL;
use crate::algorithm::scheme::Algorithm;
use crate::error::Error;
use crate::report::Report;

/// Runs the command.
pub(crate) fn run(report: &mut Report) -> Result<(), Error> {
    report.text(&format!(
        "{:<18} {:>8} {:>11} {:>12} {:>5} {:>10}\n",
        "algorithm", "category", "public key", "private key", "seed", "signature"
    ))?;
    for algorithm in ALL {
        let sizes = algorithm.sizes();
        report.text(&format!(
            "{:<18} {:>8} {:>11} {:>12} {:>5} {:>10}\n",
            algorithm.name().to_ascii_lowercase(),
            algorithm
                .category()
                .map_or("-".into(), |category| category.to_string()),
            sizes.public,
            sizes.private,
            algorithm.seed_len(),
            sizes.signature
        ))?;
    }
    let all: Vec<_> = ALL.iter().copied().map(described).collect();
    report.data("algorithms", all);
    Ok(())
}

/// An algorithm with its identifier, if it has documents, and its lengths.
fn described(algorithm: Algorithm) -> Value {
    let sizes = algorithm.sizes();
    json!({
        "name": algorithm.name(),
        "oid": algorithm.oid().map(|oid| oid.to_string()),
        "category": algorithm.category(),
        "public_key_length": sizes.public,
        "private_key_length": sizes.private,
        "seed_length": algorithm.seed_len(),
        "signature_length": sizes.signature,
    })
}
