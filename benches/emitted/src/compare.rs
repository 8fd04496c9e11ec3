//! Executes the schemes of a program with several secrets, and compares the traces.

use std::rc::Rc;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use moissanite_emitted_cases::probe::{NO_SUCH_BACKEND, SECRETS};
use moissanite_emitted_cases::targets::SCHEMES;

use crate::machine::Machine;
use crate::program::Program;
use crate::report::Report;
use crate::trace::{Branches, Record, Trace};

/// Runs schemes on a backend with several secrets, and returns whether there is such a backend.
pub(crate) fn compare(
    program: &Program,
    machine: &mut dyn Machine,
    (backend, number): (&str, u32),
    schemes: &[u32],
    report: &mut Report,
) -> Result<bool> {
    for scheme in schemes {
        let name = SCHEMES[*scheme as usize];
        let started = Instant::now();
        let mut run = |secret, branches, earlier: Option<&Rc<Record>>| {
            let trace = Trace::new(program.instructions.len(), branches, earlier.cloned());
            let (returned, trace) = machine.run(program, [number, *scheme, secret], trace)?;
            anyhow::Ok((returned, trace.end()?))
        };
        let (returned, (record, _)) = run(0, Branches::OwnPath, None)?;
        match returned {
            Some(0) => {}
            Some(NO_SUCH_BACKEND) => return Ok(false),
            Some(status) => bail!("{name}: the results are wrong ({status})"),
            None => bail!("{name}: the probe panicked"),
        }
        let named = record.steps.first().map(|(name, _)| name.as_str());
        ensure!(
            named == Some(backend),
            "{backend} is {named:?} in the core's list"
        );
        report.saw(&record);
        let record = Rc::new(record);
        let mut followed = None;
        for secret in 1..SECRETS {
            let (_, (other, mut findings)) = run(secret, Branches::OwnPath, Some(&record))?;
            if !other.has_path_of(&record) {
                let first = match followed.take() {
                    Some(first) => first,
                    None => Rc::new(run(0, Branches::OfFirstRun, None)?.1.0),
                };
                (_, findings) = run(secret, Branches::OfFirstRun, Some(&first))?.1;
                followed = Some(first);
            }
            report.found(name, findings);
        }
        let seconds = started.elapsed().as_secs_f64();
        println!("{backend} {name}: executed for {SECRETS} secrets in {seconds:.0} s");
    }
    Ok(true)
}
