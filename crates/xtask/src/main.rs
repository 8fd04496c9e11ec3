//! Developers' jobs: `cargo xtask help`.

#![allow(
    clippy::print_stdout,
    reason = "what a job found is for whoever started it"
)]

mod algorithms;
mod baseline;
mod bench_table;
mod bootloader;
mod codegen;
mod constant_time;
mod cortex_m;
mod dependencies;
mod document;
mod dudect;
mod elf;
mod features;
mod fuzz_corpus;
mod guides;
mod instructions;
mod kats;
mod layers;
mod leftovers;
mod mca;
mod msrv;
mod process;
mod stack;
mod wasm;

use clap::Parser;

/// Developers' jobs. Each fails with an error that says what is wrong.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Job {
    /// Run key generation and signing under valgrind, with the secrets marked as undefined
    Ct(constant_time::Arguments),
    /// Check that every kernel is inlined into the code of its backend, and count what that calls and spills; or,
    /// with --all, --sample or --target, whether the code shows secrets
    Codegen(codegen::Arguments),
    /// Search the memory of a process for secrets that an operation has left there
    Leftovers(leftovers::Arguments),
    /// Count the instructions of each operation, under valgrind on x86-64 or in QEMU on AArch64
    Instructions(instructions::Arguments),
    /// Time kernels and signing with fixed and with random secrets, and compare
    Dudect(dudect::Arguments),
    /// Measure beside other implementations, and write the README's table and chart
    BenchTable(bench_table::Arguments),
    /// Estimate the cycles of the loops of the NEON kernels on a Cortex-A72, by llvm-mca
    Mca(baseline::Arguments),
    /// Measure cycles, stack and flash on a Cortex-M in QEMU, with known answers
    CortexM(cortex_m::Arguments),
    /// Measure the stack of each operation, on a Cortex-M in QEMU and on x86-64, at three levels of optimisation
    Stack(baseline::Arguments),
    /// Run the accumulated vectors in WebAssembly
    Wasm,
    /// Start good and bad images with the bootloader of the examples, on a Cortex-M in QEMU
    Bootloader,
    /// Check the table of algorithms and files on the front page of the core
    Algorithms,
    /// Check that kats/README.md lists the files there, and print their sizes and hashes
    Kats,
    /// Check that the files of each crate import each other in one direction, without a cycle
    Layers,
    /// Check each feature of each published crate alone, and all at once; also on bare metal
    Features,
    /// Check that the facade depends on nothing but what is written down
    Dependencies,
    /// Follow each guide in an empty project, with the dependencies that it names
    Guides,
    /// Check the workspace with the oldest compiler that it is said to build with
    Msrv,
    /// Write the seed corpora of the fuzz targets, the same bytes each time
    FuzzCorpus(fuzz_corpus::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Job::parse() {
        Job::Ct(arguments) => constant_time::run(&arguments),
        Job::Codegen(arguments) => codegen::run(&arguments),
        Job::Leftovers(arguments) => leftovers::run(&arguments),
        Job::Instructions(arguments) => instructions::run(&arguments),
        Job::Dudect(arguments) => dudect::run(&arguments),
        Job::BenchTable(arguments) => bench_table::run(&arguments),
        Job::Mca(arguments) => mca::run(&arguments),
        Job::CortexM(arguments) => cortex_m::run(&arguments),
        Job::Stack(arguments) => stack::run(&arguments),
        Job::Wasm => wasm::run(),
        Job::Bootloader => bootloader::run(),
        Job::Algorithms => algorithms::run(),
        Job::Kats => kats::run(),
        Job::Layers => layers::run(),
        Job::Features => features::run(),
        Job::Dependencies => dependencies::run(),
        Job::Guides => guides::run(),
        Job::Msrv => msrv::run(),
        Job::FuzzCorpus(arguments) => fuzz_corpus::run(&arguments),
    }
}
