//! Instructions of each operation on each backend, as a table that one can read.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

const HEAD: &str = "\
# Instructions that one operation takes, on average of the keys and messages that crates/xtask/probe
# has, as callgrind counts them. `cargo xtask instructions --write` writes this.
";

/// Set and operation.
pub(super) type Operation = String;

/// The table.
#[derive(Debug, PartialEq)]
pub(super) struct Record {
    compiler: String,
    backends: Vec<String>,
    /// One count for each backend.
    operations: BTreeMap<Operation, Vec<u64>>,
}

/// How one table differs from another.
pub(super) struct Comparison {
    pub(super) table: String,
    /// A line for each operation that takes too many.
    pub(super) more: Vec<String>,
}

impl Record {
    pub(super) fn new(compiler: String) -> Self {
        Self {
            compiler,
            backends: Vec::new(),
            operations: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, backend: &str, counts: Vec<(Operation, u64)>) {
        self.backends.push(backend.to_owned());
        for (operation, count) in counts {
            self.operations.entry(operation).or_default().push(count);
        }
    }

    pub(super) fn same_compiler(&self, other: &Self) -> bool {
        self.compiler == other.compiler
    }

    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut lines = text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut record = Self::new(lines.next().context("no compiler")?.to_owned());
        let backends = lines.next().context("no backends")?.split_whitespace();
        record.backends = backends.map(str::to_owned).collect();
        for line in lines {
            let mut counts = Vec::new();
            let mut operation = line;
            for _ in &record.backends {
                let (rest, count) = operation.trim_end().rsplit_once(' ').unwrap_or_default();
                counts.insert(0, count.parse().with_context(|| line.to_owned())?);
                operation = rest.trim_end();
            }
            ensure!(!operation.is_empty(), "no operation: {line}");
            record.operations.insert(operation.to_owned(), counts);
        }
        Ok(record)
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!("{HEAD}{}\n\n{:27}", self.compiler, "");
        for backend in &self.backends {
            text += &format!("{backend:>12}");
        }
        for (operation, counts) in &self.operations {
            text += &format!("\n{operation:27}");
            for count in counts {
                text += &format!("{count:>12}");
            }
        }
        text + "\n"
    }

    fn get(&self, operation: &str, backend: &str) -> Option<u64> {
        let at = self.backends.iter().position(|name| name == backend)?;
        self.operations.get(operation)?.get(at).copied()
    }

    /// Against what was recorded; an operation of which nothing was has no limit.
    pub(super) fn compare(&self, recorded: &Self) -> Comparison {
        let mut comparison = Comparison {
            table: String::new(),
            more: Vec::new(),
        };
        for operation in self.operations.keys() {
            for backend in &self.backends {
                let Some(found) = self.get(operation, backend) else {
                    continue;
                };
                let mut line = format!("{operation} on {backend}: {found} instructions");
                match recorded.get(operation, backend) {
                    None => line += ", not recorded",
                    Some(before) => {
                        let percent = 100.0 * (found as f64 / before as f64 - 1.0);
                        line += &format!(", {percent:+.2} % of {before}");
                        // 2 %, in whole numbers.
                        if 50 * found > 51 * before {
                            comparison.more.push(line.clone());
                        }
                    }
                }
                comparison.table += &format!("{line}\n");
            }
        }
        comparison
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn record(verify: u64) -> Record {
        let mut record = Record::new("rustc 1".to_owned());
        let counts = |verify| {
            vec![
                ("ML-DSA-44 sign, prepared".to_owned(), 7),
                ("ML-DSA-44 verify".to_owned(), verify),
            ]
        };
        record.add("portable", counts(1000));
        record.add("avx2", counts(verify));
        record
    }

    #[test]
    fn reads_what_it_writes() {
        let text = record(500).text();
        assert_eq!(Record::parse(&text).unwrap(), record(500));
        assert!(Record::parse(&text.replace("500", "")).is_err());
        assert!(Record::parse("rustc 1\navx2\n500\n").is_err());
    }

    #[test]
    fn two_percent() {
        let more = |found, recorded| record(found).compare(&record(recorded)).more;
        assert_eq!(more(500, 500), [""; 0]);
        assert_eq!(more(510, 500), [""; 0]);
        assert_eq!(more(100, 500), [""; 0]);
        assert_eq!(
            more(511, 500),
            ["ML-DSA-44 verify on avx2: 511 instructions, +2.20 % of 500"]
        );
        let other = Record {
            compiler: "rustc 2".to_owned(),
            ..record(500)
        };
        assert!(!record(500).same_compiler(&other));
    }
}
