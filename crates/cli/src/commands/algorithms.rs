//! `moissanite algorithms`.

use crate::algorithm::ALL;
use crate::error::Error;
use crate::output;

pub(crate) fn run() -> Result<(), Error> {
    let mut table = format!(
        "{:<18} {:>8} {:>11} {:>12} {:>5} {:>10}\n",
        "algorithm", "category", "public key", "private key", "seed", "signature"
    );
    for algorithm in ALL {
        let sizes = algorithm.sizes();
        table += &format!(
            "{:<18} {:>8} {:>11} {:>12} {:>5} {:>10}\n",
            algorithm.name().to_ascii_lowercase(),
            algorithm
                .category()
                .map_or("-".into(), |category| category.to_string()),
            sizes.public,
            sizes.private,
            algorithm.seed_len(),
            sizes.signature
        );
    }
    output::print(&table)
}
