//! Runs one operation with a secret, and then waits so that the memory of the process can be read.
//!
//! `cargo xtask leftovers` runs `leftovers SCHEME OPERATION BACKEND LENGTH`, with LENGTH bytes of input on
//! standard input. The program writes a line when the operation has ended and its input is wiped, and exits
//! when standard input is closed. `leftovers list` prints the operations: the scheme, the name, the kind
//! of input, and whether the operation runs on a named backend.

mod composite;
mod formats;
mod lattice;
mod operation;
mod tls;
mod zk_dilithium;

use std::fs::File;
use std::io::{Read, Result, Write};
use std::process::ExitCode;

use zeroize::Zeroizing;

use operation::{Input, Operation};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["list"] => list(),
        [scheme, operation, backend, len] => run(scheme, operation, backend, len),
        _ => Err(std::io::Error::other("the arguments are not as documented")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("leftovers: {error}");
            ExitCode::FAILURE
        }
    }
}

fn operations() -> impl Iterator<Item = Operation> {
    lattice::operations()
        .into_iter()
        .chain(zk_dilithium::operations())
        .chain(composite::operations())
        .chain(formats::operations())
}

fn list() -> Result<()> {
    let mut out = std::io::stdout().lock();
    for Operation {
        scheme,
        name,
        input,
        on_backend,
        ..
    } in operations()
    {
        let backends = if on_backend { "each" } else { "best" };
        writeln!(out, "{scheme} {name} {input} {backends}")?;
    }
    Ok(())
}

fn run(scheme: &str, name: &str, backend: &str, len: &str) -> Result<()> {
    let operation = operations().find(|known| known.scheme == scheme && known.name == name);
    let operation = operation.ok_or(std::io::Error::other("there is no such operation"))?;
    let len = len.parse().map_err(std::io::Error::other)?;
    // A file has no buffer, unlike the standard input of the standard library.
    let mut stdin = File::open("/dev/stdin")?;
    let mut bytes = Zeroizing::new(vec![0; len]);
    stdin.read_exact(&mut bytes)?;
    below(|| {
        (operation.run)(&Input {
            operation: name,
            bytes: &bytes,
            backend,
        });
    });
    drop(bytes);
    println!("done");
    stdin.read_exact(&mut [0]).or(Ok(()))
}

/// Runs the operation so deep in the stack that later calls do not overwrite what it leaves.
#[inline(never)]
fn below(operation: impl FnOnce()) {
    let mut distance = [0_u8; 32 << 10];
    std::hint::black_box(&mut distance);
    operation();
    std::hint::black_box(&mut distance);
}
