//! The jobs for developers; `cargo xtask help` lists them.

#![allow(clippy::print_stdout, reason = "jobs print their results")]

mod acvp;
mod algorithms;
mod baseline;
mod bench_table;
mod boards;
mod bootloader;
mod c_interface;
mod cms_interop;
mod codegen;
mod compat;
mod constant_time;
mod cortex_m;
mod counterpart;
mod coverage;
mod declassified;
mod dependencies;
mod document;
mod dudect;
mod elf;
mod evidence;
mod faults;
mod features;
mod fuzz_corpus;
mod guides;
mod instructions;
mod kats;
mod killers;
mod layers;
mod leftovers;
mod linked;
mod mca;
mod msrv;
mod mutants;
mod package;
mod packages;
mod passphrase_interop;
mod power_loss;
mod process;
mod prove;
mod public_api;
mod published;
mod rejections;
mod reproducible;
mod riscv;
mod sbom;
mod size;
mod ssh_interop;
mod stack;
mod tiny;
mod tlog_interop;
mod tokens_interop;
mod trace;
mod unsafe_code;
mod wasm;

use clap::Parser;

/// Jobs for developers of Moissanite. A job that finds a fault prints it and fails.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Job {
    /// Check that no branch and no address depends on a secret, with valgrind
    Ct(constant_time::Arguments),
    /// Check that kernels are inlined, call and spill no more than recorded; with --all, --sample or
    /// --target, check that no branch, division or address in the code depends on a secret; with --panics,
    /// check that no operation can panic
    Codegen(codegen::Arguments),
    /// Check that the executed instructions and the accessed memory do not depend on a secret, on this CPU and
    /// in QEMU
    Trace(trace::Arguments),
    /// Prove for all inputs that the machine code of the kernels computes what the standards say
    Prove(prove::Arguments),
    /// Check that operations leave no secrets in the memory of a process
    Leftovers(leftovers::Arguments),
    /// Count the instructions of each operation, under valgrind on x86-64 or in QEMU on AArch64
    Instructions(instructions::Arguments),
    /// Check that the time of kernels and of signing does not depend on secrets, by a t-test
    Dudect(dudect::Arguments),
    /// Compare the table and chart of the page on speed with the recorded run; with --write, measure the
    /// speed of all implementations
    BenchTable(bench_table::Arguments),
    /// Estimate the cycles of the loops of the NEON kernels on a Cortex-A72, with llvm-mca
    Mca(baseline::Arguments),
    /// Check known answers on a Cortex-M in QEMU, and measure cycles, stack and flash
    CortexM(cortex_m::Arguments),
    /// Check vectors with the streams on boards with Cortex-M and RISC-V, in QEMU
    Boards(boards::Arguments),
    /// Measure the stack of each operation, on a Cortex-M in QEMU and on x86-64
    Stack(baseline::Arguments),
    /// Measure how many bytes the facade adds to a program, on x86-64
    Size,
    /// Measure the flash of the streams with the feature `tiny`, on bare metal
    Tiny(tiny::Arguments),
    /// Count the instructions of each operation on RISC-V with words of 32 bits, in QEMU, and measure its stack
    Riscv(baseline::Arguments),
    /// Compare the table of the figures that other projects publish with the recorded ones
    Published(baseline::Arguments),
    /// Check the accumulated vectors in WebAssembly, with Node
    Wasm,
    /// Inject faults into the verification of invalid signatures on a Cortex-M4, and count wrong acceptances
    Faults(faults::Arguments),
    /// Check that the bootloader of the examples starts only signed images, on a Cortex-M in QEMU
    Bootloader,
    /// Check the C interface: its header, tests in C with sanitizers, and its boot loader on a Cortex-M4 in QEMU
    CInterface(c_interface::Arguments),
    /// Cut the power of a device at each write of an update, on a Cortex-M in QEMU
    PowerLoss,
    /// Check the table of algorithms and files on the front page of the core
    Algorithms,
    /// Check that kats/README.md lists the vectors of its folder, and print their sizes and hashes
    Kats,
    /// Compare the vectors that detect defects of verifiers with those that --write writes
    Killers(killers::Arguments),
    /// Compare the vectors whose signing fails at each check with those that --write writes
    Rejections(baseline::Arguments),
    /// Convert the ACVP vectors that NIST publishes for ML-DSA into the file that the tests read
    Acvp(acvp::Arguments),
    /// Check that the tests, mutants, theorems and commands in the table of defects exist
    Evidence,
    /// Compare the list of values that become public with the code, or write it
    Declassified(baseline::Arguments),
    /// Check that the files of each crate import each other in one direction, without a cycle
    Layers,
    /// Build each feature of each crate for users alone and with all others, also for bare metal
    Features,
    /// Check that there is a note about each package of others that users link, and compare the page on
    /// dependencies with the notes and the sources
    Dependencies(baseline::Arguments),
    /// Write the bills of materials of the command and of the facade, in CycloneDX
    Sbom(sbom::Arguments),
    /// Build the command twice, in different folders and environments, and compare the bytes
    Reproducible(reproducible::Arguments),
    /// Check that each guide works in an empty project, with the dependencies that it names
    Guides,
    /// Run the tests of RustCrypto's ml-dsa, and of published crates that depend on it, with the crate of this
    /// tree in its place
    Compat(compat::Arguments),
    /// Check that the workspace builds with the oldest supported compiler, rust-version
    Msrv,
    /// Check the packages as they would be published, and run their tests outside of the tree
    Package(package::Arguments),
    /// Compare the public items of the libraries with the recorded ones
    PublicApi(baseline::Arguments),
    /// Compare the amount of `unsafe` code of each file with the recorded one
    UnsafeCode(baseline::Arguments),
    /// Exchange keys, signatures and lists of allowed signers with the ssh-keygen of OpenSSH 10.6 or later, which
    /// MOISSANITE_SSH_KEYGEN can name
    SshInterop,
    /// Exchange messages of CMS with Bouncy Castle, which Maven downloads
    CmsInterop,
    /// Exchange keys, checkpoints and cosignatures with implementations in Go
    TlogInterop,
    /// Exchange keys and tokens of JOSE and COSE with other implementations, which their package managers
    /// install
    TokensInterop,
    /// Exchange encrypted private keys with cryptography and Bouncy Castle, which their package managers install
    PassphraseInterop,
    /// Measure which lines and branches the tests or the fuzz targets do not reach
    Coverage(coverage::Arguments),
    /// Compare the seed corpora of the fuzz targets with those that --write writes
    FuzzCorpus(fuzz_corpus::Arguments),
    /// Check that the tests detect each defect of a list, in copies of the tree
    Mutants(mutants::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Job::parse() {
        Job::Ct(arguments) => constant_time::run(&arguments),
        Job::Codegen(arguments) => codegen::run(&arguments),
        Job::Trace(arguments) => trace::run(&arguments),
        Job::Prove(arguments) => prove::run(&arguments),
        Job::Leftovers(arguments) => leftovers::run(&arguments),
        Job::Instructions(arguments) => instructions::run(&arguments),
        Job::Dudect(arguments) => dudect::run(&arguments),
        Job::BenchTable(arguments) => bench_table::run(&arguments),
        Job::Mca(arguments) => mca::run(&arguments),
        Job::CortexM(arguments) => cortex_m::run(&arguments),
        Job::Boards(arguments) => boards::run(&arguments),
        Job::Stack(arguments) => stack::run(&arguments),
        Job::Size => size::run(),
        Job::Tiny(arguments) => tiny::run(&arguments),
        Job::Riscv(arguments) => riscv::run(&arguments),
        Job::Published(arguments) => published::run(&arguments),
        Job::Wasm => wasm::run(),
        Job::Faults(arguments) => faults::run(&arguments),
        Job::Bootloader => bootloader::run(),
        Job::CInterface(arguments) => c_interface::run(&arguments),
        Job::PowerLoss => power_loss::run(),
        Job::Algorithms => algorithms::run(),
        Job::Kats => kats::run(),
        Job::Killers(arguments) => killers::run(&arguments),
        Job::Rejections(arguments) => rejections::run(&arguments),
        Job::Acvp(arguments) => acvp::run(&arguments),
        Job::Evidence => evidence::run(),
        Job::Declassified(arguments) => declassified::run(&arguments),
        Job::Layers => layers::run(),
        Job::Features => features::run(),
        Job::Dependencies(arguments) => dependencies::run(&arguments),
        Job::Sbom(arguments) => sbom::run(&arguments),
        Job::Reproducible(arguments) => reproducible::run(&arguments),
        Job::Guides => guides::run(),
        Job::Compat(arguments) => compat::run(&arguments),
        Job::Msrv => msrv::run(),
        Job::Package(arguments) => package::run(&arguments),
        Job::PublicApi(arguments) => public_api::run(&arguments),
        Job::UnsafeCode(arguments) => unsafe_code::run(&arguments),
        Job::SshInterop => ssh_interop::run(),
        Job::CmsInterop => cms_interop::run(),
        Job::TlogInterop => tlog_interop::run(),
        Job::TokensInterop => tokens_interop::run(),
        Job::PassphraseInterop => passphrase_interop::run(),
        Job::Coverage(arguments) => coverage::run(&arguments),
        Job::FuzzCorpus(arguments) => fuzz_corpus::run(&arguments),
        Job::Mutants(arguments) => mutants::run(&arguments),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use clap::CommandFactory;

    use super::{Job, process};

    #[test]
    fn arguments_are_consistent() {
        Job::command().debug_assert();
    }

    /// The table of commands lists each job.
    #[test]
    fn contributors_find_each_job() {
        let page = process::read(&process::root().join(".github/CONTRIBUTING.md")).unwrap();
        for job in Job::command().get_subcommands() {
            let row = format!("| `cargo xtask {}", job.get_name());
            assert!(page.contains(&row), "CONTRIBUTING.md has no row {row}");
        }
    }
}
