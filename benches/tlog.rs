//! Measures cosignatures of checkpoints by keys that are prepared once:
//! `cargo bench -p moissanite-benches --bench tlog`.
//!
//! The output has min, median, mean and max over 1,024 checkpoints of 8 logs, each of which has a key. Each
//! checkpoint counts with its shortest time of nine; in a batch of 64, it takes a part of the batch's time. A text
//! after `--` selects rows by a part of their names. The code is that for the best backend of the CPU.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a bench stops if something is broken"
)]

use std::hint::black_box;

use moissanite_benches::{Table, is_measuring, numbered};
use moissanite_tlog::{
    Checkpoint, Cosignature, Cosigner, CosignerKey, Item, SigningKey, verify_batch,
};

/// The number of logs, and of checkpoints in a batch.
const LOGS: usize = 8;
const BATCH: usize = 64;
const NOW: u64 = 1_795_392_000;

fn main() {
    let count = if is_measuring() { 1024 } else { BATCH };
    let cosigners = (0..LOGS).map(|i| {
        let key = SigningKey::from_seed(&numbered(b'k', i).into());
        Cosigner::new(&format!("log{i}.example.com"), key).expect("a name")
    });
    let logs: Vec<_> = cosigners
        .map(|cosigner| (cosigner.key(), cosigner))
        .collect();
    let signed: Vec<_> = (0..count)
        .zip(logs.iter().cycle())
        .map(Signed::new)
        .collect();
    let items: Vec<_> = signed.iter().map(Signed::item).collect();
    let batches: Vec<_> = items.chunks_exact(BATCH).collect();

    let mut table = Table::new("tlog", "checkpoints");
    table.row("verify a cosignature", 1, count, |i| {
        let (key, checkpoint, cosignature) = black_box(items[i]);
        key.verify_checkpoint(checkpoint, cosignature).is_ok()
    });
    let name = "verify cosignatures in batches";
    table.row(name, BATCH, batches.len(), |i| {
        verify_batch(black_box(batches[i])).is_ok()
    });
    table.row("read and verify a checkpoint", 1, count, |i| {
        let one = &signed[i];
        let origin = one.checkpoint.origin();
        Checkpoint::open(black_box(&one.note), origin, &[one.key]).is_ok()
    });
    table.row("cosign a checkpoint", 1, count, |i| {
        black_box(&signed[i]).is_signed_again()
    });
    table.end();
}

/// A checkpoint of a log, and its cosignature.
struct Signed<'a> {
    key: &'a CosignerKey,
    cosigner: &'a Cosigner,
    checkpoint: Checkpoint,
    cosignature: Cosignature,
    note: String,
}

impl<'a> Signed<'a> {
    fn new((i, (key, cosigner)): (usize, &'a (CosignerKey, Cosigner))) -> Self {
        let size = 1_000_000 + i as u64;
        let checkpoint = Checkpoint::new(cosigner.name(), size, numbered(b'r', i));
        let checkpoint = checkpoint.expect("a checkpoint");
        let line = cosigner.try_cosign(&checkpoint, NOW).expect("it signs");
        let cosignature = Cosignature::from_bytes(line.signature()).expect("a cosignature");
        let note = checkpoint.to_note(vec![line]).expect("a note").to_string();
        Self {
            key,
            cosigner,
            checkpoint,
            cosignature,
            note,
        }
    }

    fn item(&self) -> Item<'_> {
        (self.key, &self.checkpoint, &self.cosignature)
    }

    fn is_signed_again(&self) -> bool {
        let line = self.cosigner.try_cosign(&self.checkpoint, NOW);
        line.is_ok_and(|line| line.signature() == self.cosignature.to_bytes())
    }
}
