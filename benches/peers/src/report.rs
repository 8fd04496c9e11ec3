//! The output, as tables or as JSON lines.

use moissanite_benches::hashing::Keccak;
use moissanite_benches::times::{Times, cpu};
use serde_json::json;

use crate::arguments::Arguments;
use crate::entry::Entry;
use crate::peer::{KeyForm, Level, Op, Peer};

/// Prints the description of each peer.
pub fn list(peers: &[&dyn Peer]) {
    for peer in peers {
        println!("{:20}{}", peer.name(), peer.about());
    }
}

/// The definition of the statistics, for the output.
const STATISTIC: &str = "min, median, mean and max over the messages, where each message counts with its \
    shortest time of all rounds; for random keys and signatures, over all times of all rounds";

/// Prints what is measured, and on which machine.
pub fn begin(arguments: &Arguments, peers: &[&dyn Peer]) {
    let Arguments {
        messages,
        rounds,
        block,
        ..
    } = arguments;
    if arguments.json {
        let run = json!({
            "cpu": cpu(), "features": features(), "messages": messages, "rounds": rounds,
            "statistic": STATISTIC,
        });
        println!("{}", json!({ "run": run }));
        for peer in peers {
            println!("{}", json!({ "peer": peer.name(), "about": peer.about() }));
        }
        return;
    }
    println!("{}: {}", cpu(), features().join(", "));
    println!("{messages} messages of 32 bytes, {rounds} rounds, blocks of {block}; times in us");
    println!("{STATISTIC}.");
    println!("Rows are ordered by the mean; those of random keys (~) by the median.");
    println!("x: this time divided by the lowest of the operation.");
    println!("faster: the time of the fastest peer divided by this time, for rows of Moissanite.");
    println!("budget: this time divided by the Keccak budget of the backend.\n");
}

/// The names of the relevant instruction sets that this CPU has.
fn features() -> Vec<&'static str> {
    let mut features = Vec::new();
    macro_rules! add {
        ($detected:ident: $($name:tt)*) => {
            $(if std::arch::$detected!($name) { features.push($name); })*
        };
    }
    #[cfg(target_arch = "x86_64")]
    add!(is_x86_feature_detected: "avx2" "bmi2" "avx512f" "avx512vl" "avx512bw" "avx512vbmi" "avx512vbmi2" "avx512ifma");
    #[cfg(target_arch = "aarch64")]
    add!(is_aarch64_feature_detected: "neon" "sha3");
    features
}

/// One peer's times of one operation.
struct Row<'a> {
    peer: &'a dyn Peer,
    op: Op,
    n: usize,
    times: Times,
    keccak: Option<Keccak>,
}

impl Row<'_> {
    /// The time to compare: the mean, which covers all numbers of attempts. The times of a peer with random
    /// keys include interruptions. Its keys all take about the same time, so the median excludes these.
    fn typical(&self) -> f64 {
        match self.op {
            Op::Keygen if self.peer.is_random(self.op) => self.times.median,
            _ => self.times.mean,
        }
    }

    fn budget(&self, level: Level) -> Option<f64> {
        Some(self.keccak?.budget(level.hashing(self.op)?))
    }

    /// The fastest row of another implementation for the same operation. A row with a prepared key is
    /// compared with the faster of the two forms of the other implementation.
    fn rival<'a>(&self, rows: &'a [Row<'_>]) -> Option<&'a Row<'a>> {
        self.keccak?;
        let same = |row: &&Row<'_>| {
            let any_form = matches!(
                self.op,
                Op::Sign(KeyForm::Prepared) | Op::Verify(KeyForm::Prepared)
            );
            row.keccak.is_none()
                && row.op.name() == self.op.name()
                && (any_form || row.op == self.op)
        };
        let others = rows.iter().filter(same);
        others.min_by(|a, b| a.typical().total_cmp(&b.typical()))
    }
}

/// Prints all rows of a level.
pub fn level(as_json: bool, level: Level, ops: &[Op], entries: &[Entry]) {
    let mut rows = Vec::new();
    for entry in entries {
        let keccak = entry.peer.keccak();
        for (op, samples) in ops.iter().zip(&entry.rows) {
            if samples.count() > 0 {
                rows.push(Row {
                    peer: entry.peer,
                    op: *op,
                    n: samples.count(),
                    // Each call of a random operation does different work, so all times count.
                    times: match entry.peer.is_random(*op) {
                        true => samples.all(),
                        false => samples.shortest(),
                    },
                    keccak,
                });
            }
        }
    }
    if as_json {
        rows.iter().for_each(|row| line(row, level, &rows));
        return;
    }
    rows.sort_by(|a, b| a.typical().total_cmp(&b.typical()));
    for name in ["keygen", "sign", "verify"] {
        table(name, level, &rows);
    }
}

fn line(row: &Row, level: Level, rows: &[Row]) {
    // Nanoseconds to microseconds, rounded to the nanosecond.
    let us = |ns: f64| ns.round() / 1e3;
    let rival = row.rival(rows);
    let Times {
        min,
        median,
        mean,
        max,
        ..
    } = row.times;
    let line = json!({
        "peer": row.peer.name(), "level": level.name(), "op": row.op.name(), "key": row.op.key(),
        "random": row.peer.is_random(row.op), "n": row.n,
        "min_us": us(min), "median_us": us(median), "mean_us": us(mean), "max_us": us(max),
        "typical_us": us(row.typical()),
        "permutation": row.keccak.map(|keccak| {
            json!({ "lanes": keccak.lanes, "wide_us": us(keccak.wide), "scalar_us": us(keccak.scalar) })
        }),
        "budget_us": row.budget(level).map(us),
        "rival": rival.map(|rival| rival.peer.name()),
        "rival_us": rival.map(|rival| us(rival.typical())),
    });
    println!("{line}");
}

fn table(name: &str, level: Level, rows: &[Row]) {
    let some: Vec<&Row> = rows.iter().filter(|row| row.op.name() == name).collect();
    let Some(best) = some.first() else {
        return;
    };
    let heads = ["min", "median", "mean", "max", "x"].map(|head| format!("{head:>9}"));
    println!(
        "{:10}{name:8}{:20}{:9}{}{:>9}{:>9}",
        level.name(),
        "peer",
        "key",
        heads.concat(),
        "faster",
        "budget"
    );
    for row in &some {
        let Times {
            min,
            median,
            mean,
            max,
            ..
        } = row.times;
        let numbers = [min, median, mean, max].map(|ns| format!("{:9.1}", ns / 1e3));
        let random = if row.peer.is_random(row.op) { "~" } else { "" };
        let ratio = |ratio: Option<f64>| ratio.map_or(String::new(), |x| format!("{x:9.2}"));
        let faster = row.rival(rows).map(|rival| rival.typical() / row.typical());
        println!(
            "{:18}{:20}{:9}{}{:9.2}{}{}",
            "",
            format!("{}{random}", row.peer.name()),
            row.op.key(),
            numbers.concat(),
            row.typical() / best.typical(),
            ratio(faster),
            ratio(row.budget(level).map(|budget| row.typical() / budget)),
        );
    }
    println!();
}
