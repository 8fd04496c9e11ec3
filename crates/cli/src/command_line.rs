//! The command line, and the exit status.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, ColorChoice, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::backend::Backend;
use crate::commands::ssh::signatures::{self, Signatures};
use crate::error::Error;
use crate::report::Report;
use crate::{commands, diagnostics, display, output};

/// Post-quantum signatures: ML-DSA (FIPS 204) and related schemes
#[derive(Debug, Parser)]
#[command(
    name = "moissanite",
    version,
    after_help = "\
Examples:
  moissanite keygen ml-dsa-65 --out key.pem --public-out public.pem
  moissanite sign --key key.pem --in letter.txt --out letter.sig
  moissanite verify --key public.pem --signature letter.sig --in letter.txt
  moissanite demo letter.txt

Exit status: 0 on success or if a signature is valid, 1 if a signature is not valid or if doctor finds a
defect, 2 for wrong usage or wrong input. '-' means standard input or output. An output is written
completely or not at all, and never replaces an input.

With --json, a command that succeeds writes one object to standard output, and one that fails writes an
object with the field error to standard error. REPORTS.md in the source directory of the command lists
all fields.

Limits: 1 MiB for a key, a certificate or a request, 64 KiB for a signature, 32 MiB for an ACVP prompt.
A message can have any size. Ed25519 keeps a message that is not a regular file in memory, up to 64 MiB."
)]
struct Cli {
    /// Use this backend, one of those that `moissanite bench` lists [env: MOISSANITE_BACKEND]
    #[arg(
        long,
        global = true,
        value_name = "NAME",
        help_heading = "Global options"
    )]
    backend: Option<String>,
    #[command(flatten)]
    presentation: Presentation,
    #[command(subcommand)]
    command: Command,
}

/// How the results of all subcommands are presented.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
struct Presentation {
    /// Report in JSON on standard output, and print warnings and errors in JSON on standard error
    #[arg(long, global = true)]
    json: bool,
    /// Print nothing but errors and what --json reports
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Use colours [default: auto, on a terminal unless NO_COLOR is in the environment]
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true
    )]
    color: ColorChoice,
}

impl Presentation {
    /// The options among arguments that cannot be parsed, which have no effect if they are wrong too.
    fn among(arguments: &[OsString]) -> Self {
        let arguments = arguments.iter().map(|argument| argument.to_string_lossy());
        let options: Vec<_> = arguments.take_while(|argument| argument != "--").collect();
        let has = |names: &[&str]| {
            options
                .iter()
                .any(|option| names.contains(&option.as_ref()))
        };
        let values = options.iter().zip(options.iter().skip(1));
        let color = values
            .filter_map(|(option, value)| (option == "--color").then_some(value.as_ref()))
            .chain(
                options
                    .iter()
                    .filter_map(|option| option.strip_prefix("--color=")),
            )
            .find_map(|value| ColorChoice::from_str(value, true).ok());
        Self {
            json: has(&["--json"]),
            quiet: has(&["--quiet", "-q"]),
            color: color.unwrap_or_default(),
        }
    }

    /// Applies the options to all streams of this process.
    fn apply(&self) {
        let Self { json, quiet, color } = *self;
        diagnostics::set_format(diagnostics::Format { json, quiet });
        let color = match color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        color.write_global();
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Generate a key
    Keygen(commands::keygen::Keygen),
    /// Sign a file of any size
    Sign(commands::sign::Sign),
    /// Verify a signature; exit status 1 if it is not valid
    Verify(commands::verify::Verify),
    /// Compute mu, the hash of a message and a public key that ML-DSA signs
    Mu(commands::mu::ComputeMu),
    /// Describe a key, a signature, a certificate or a request, and check its consistency
    Inspect(commands::inspect::Inspect),
    /// Convert a key to another form or format
    Convert(commands::convert::Convert),
    /// Say why a key is refused, which programs write such keys, and how to repair it
    Doctor(commands::doctor::Doctor),
    /// Create, request, issue and verify certificates (X.509)
    #[command(subcommand)]
    Cert(Box<commands::cert::Cert>),
    /// Generate a key of OpenSSH, with which git signs commits
    #[command(subcommand)]
    Ssh(commands::ssh::Ssh),
    /// List the algorithms with their categories and sizes in bytes
    Algorithms,
    /// Answer NIST's ACVP test vectors for ML-DSA
    Acvp(commands::acvp::Acvp),
    /// Measure all operations on every backend of this CPU
    Bench(commands::bench::Bench),
    /// Print a manual page
    Man(commands::man::Manual),
    /// Print a script that completes the command line in a shell
    Completions(commands::completions::Completions),
    /// Generate a key, sign a file, verify the signature, and see it fail after one bit is changed
    Demo(commands::demo::Demo),
}

/// Runs the command with the arguments of this process, and returns its exit status.
pub fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    if signatures::is_meant(&arguments) {
        return match Signatures::try_parse_from(arguments) {
            Ok(args) => exit(signatures::run(&args)),
            Err(error) => exit(usage(error)),
        };
    }
    match Cli::try_parse_from(&arguments) {
        Ok(cli) => {
            cli.presentation.apply();
            exit(run(&cli))
        }
        Err(error) => {
            Presentation::among(&arguments).apply();
            exit(usage(error))
        }
    }
}

/// Prints an error, and returns the exit status.
fn exit(done: Result<(), Error>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            diagnostics::fail(&error);
            ExitCode::from(error.status())
        }
    }
}

fn run(cli: &Cli) -> Result<(), Error> {
    let backend = Backend::choose(cli.backend.as_deref())?;
    let mut report = Report::new(cli.presentation.json, cli.presentation.quiet);
    let to = &mut report;
    let done = match &cli.command {
        Command::Keygen(args) => commands::keygen::run(args, backend, to),
        Command::Sign(args) => commands::sign::run(args, backend, to),
        Command::Verify(args) => commands::verify::run(args, backend, to),
        Command::Mu(args) => commands::mu::run(args, backend, to),
        Command::Inspect(args) => commands::inspect::run(args, backend, to),
        Command::Convert(args) => commands::convert::run(args, backend, to),
        Command::Doctor(args) => commands::doctor::run(args, backend, to),
        Command::Algorithms => commands::algorithms::run(to),
        Command::Acvp(args) => commands::acvp::run(args, backend, to),
        Command::Bench(args) => commands::bench::run(args, backend, to),
        Command::Cert(args) => commands::cert::run(args, backend, to),
        Command::Ssh(args) => commands::ssh::run(args, to),
        Command::Demo(args) => commands::demo::run(args, backend, to),
        // These print a document of another format.
        Command::Man(args) => return commands::man::run(args, Cli::command()),
        Command::Completions(args) => return commands::completions::run(args, Cli::command()),
    };
    match done {
        // What was found is in the report.
        Ok(()) | Err(Error::Defects { .. } | Error::Listed(_)) => report.finish().and(done),
        error => error,
    }
}

/// Prints help to standard output, and returns any other result of the parser as an error on one line.
fn usage(error: clap::Error) -> Result<(), Error> {
    let error = without_secrets(error);
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return output::print_styled(&error.render().ansi().to_string());
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let text = "a subcommand is missing; `moissanite help` lists them";
        return Err(Error::Usage(text.into()));
    }
    // The error is all of clap's text before the usage.
    let text = error.to_string();
    let mut lines: Vec<_> = text.lines().map(str::trim).collect();
    let rest = lines
        .iter()
        .position(|line| line.starts_with("Usage:") || line.starts_with("For more information"));
    lines.truncate(rest.unwrap_or(lines.len()));
    lines.retain(|line| !line.is_empty());
    let text = lines.join(" ").replace(" tip: ", "; ");
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let text = format!("{text}; `moissanite help` shows how");
    Err(Error::Usage(text))
}

/// Removes possible key material: clap repeats a wrong value, which could be a key.
fn without_secrets(mut error: clap::Error) -> clap::Error {
    // For any other kind of error, this context is the name of the argument in the help text.
    let argument = (error.kind() == ErrorKind::UnknownArgument).then_some(ContextKind::InvalidArg);
    let is_seed = matches!(error.get(ContextKind::InvalidArg),
        Some(ContextValue::String(argument)) if argument.starts_with("--seed"));
    let repeated = [ContextKind::InvalidSubcommand, ContextKind::InvalidValue];
    for kind in repeated.into_iter().chain(argument) {
        if let Some(ContextValue::String(text)) = error.get(kind) {
            let shown = if is_seed {
                display::hidden(text.chars().count())
            } else {
                display::value(text)
            };
            let shown = ContextValue::String(shown);
            error.insert(kind, shown);
        }
    }
    // A suggestion can repeat the value.
    error.remove(ContextKind::Suggested);
    error
}
