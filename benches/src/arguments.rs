//! The arguments that `cargo bench` and `cargo test` give to a bench.

/// Ends the process with exit status 1 if `cargo bench` was called with a filter that no benchmark of this
/// target matches. `ran` says whether a benchmark has run.
pub fn check_filter(target: &str, ran: bool) {
    let mut arguments = std::env::args().skip(1);
    // With these arguments, criterion runs no benchmark.
    let idle = arguments.any(|argument| {
        let name = argument.split('=').next();
        matches!(name, Some("--list" | "--ignored" | "--load-baseline"))
    });
    if is_measuring() && !ran && !idle {
        eprintln!(
            "error: no benchmark of `{target}` matches the filter\n\
             help: `cargo bench -p moissanite-benches --bench {target} -- --list` lists them; \
             --bench chooses `operations` or `components`"
        );
        std::process::exit(1);
    }
}

/// Whether the process is to measure. `cargo test` only checks that everything runs.
pub fn is_measuring() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}
