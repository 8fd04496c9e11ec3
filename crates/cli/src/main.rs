//! The command `moissanite`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    moissanite_cli::main()
}
