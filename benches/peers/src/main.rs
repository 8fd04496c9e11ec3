//! Measures implementations of ML-DSA side by side.
//!
//! All implementations get the same key seed, the same messages and, for verification, the same signatures.
//! The messages are divided into blocks. For each block and operation, the implementations take turns, and
//! another one is first each time, so that the noise of a shared machine affects all of them equally.
//! Before the measurement, the implementations are checked against each other.

mod arguments;
mod check;
mod clock;
mod entry;
mod peer;
mod peers;
mod report;
mod vectors;

use clap::Parser as _;
use moissanite_benches::{Samples, numbered};

use arguments::Arguments;
use entry::Entry;
use peer::{Level, Op, Peer};

/// The inputs of all implementations.
struct Inputs {
    key: [u8; 32],
    messages: Vec<[u8; 32]>,
    seeds: Vec<[u8; 32]>,
}

fn main() {
    let arguments = Arguments::parse();
    let peers = peers::all(&arguments.plugin);
    let asked = |peer: &&dyn Peer| {
        let name = peer.name();
        arguments.peers.is_empty() || arguments.peers.iter().any(|part| name.contains(part))
    };
    let peers: Vec<&dyn Peer> = peers.iter().map(AsRef::as_ref).filter(asked).collect();
    if arguments.list {
        report::list(&peers);
        return;
    }
    if let Some(file) = &arguments.vectors {
        vectors::check(file, &peers);
        return;
    }
    report::begin(&arguments, &peers);
    let levels = match arguments.levels.as_slice() {
        [] => <Level as clap::ValueEnum>::value_variants(),
        some => some,
    };
    for level in levels {
        run(&arguments, &peers, *level);
    }
    if !arguments.json {
        report::list(&peers);
    }
}

fn run<'a>(arguments: &Arguments, peers: &[&'a dyn Peer], level: Level) {
    let numbers = 0..arguments.messages.get();
    let inputs = Inputs {
        key: numbered(b'k', 0),
        messages: numbers.clone().map(|i| numbered(b'm', i)).collect(),
        seeds: numbers.map(|i| numbered(b's', i)).collect(),
    };
    let asked = |op: &Op| arguments.ops.is_empty() || arguments.ops.iter().any(|s| s == op.name());
    let ops: Vec<Op> = Op::ALL.into_iter().filter(asked).collect();
    let open = |peer: &&'a dyn Peer| {
        Some(Entry {
            peer: *peer,
            session: peer.open(level, &inputs.key)?,
            signatures: Vec::new(),
            rows: ops
                .iter()
                .map(|_| Samples::new(inputs.messages.len()))
                .collect(),
        })
    };
    let mut entries: Vec<Entry> = peers.iter().filter_map(open).collect();
    if entries.is_empty() {
        return;
    }
    check::against_each_other(&mut entries, level, &inputs.messages);

    let block = arguments.block.get();
    for _ in 0..arguments.rounds.get() {
        for start in (0..inputs.messages.len()).step_by(block) {
            let end = inputs.messages.len().min(start + block);
            for (index, op) in ops.iter().enumerate() {
                entries.rotate_left(1);
                for entry in &mut entries {
                    if entry.session.supports(*op) {
                        turn(entry, level, *op, index, &inputs, start..end);
                    }
                }
            }
        }
    }
    entries.sort_by_key(|entry| {
        peers
            .iter()
            .position(|peer| peer.name() == entry.peer.name())
    });
    report::level(arguments.json, level, &ops, &entries);
}

/// Measures one operation of one implementation on a block of messages.
fn turn(
    entry: &mut Entry,
    level: Level,
    op: Op,
    index: usize,
    inputs: &Inputs,
    block: std::ops::Range<usize>,
) {
    let (_, length) = level.lengths();
    let mut out = vec![0; length];
    let repeatable = !entry.peer.is_random(op);
    let (session, signatures) = (entry.session.as_mut(), &entry.signatures);
    let clock = |call: &mut dyn FnMut()| clock::undisturbed(repeatable, call);
    entry.rows[index].turn(block, clock, |i| match op {
        Op::Keygen => session.keygen(&inputs.seeds[i]),
        Op::Sign(form) => session.sign(form, &inputs.messages[i], &mut out),
        Op::Verify(form) => assert!(session.verify(form, &inputs.messages[i], &signatures[i])),
    });
}
