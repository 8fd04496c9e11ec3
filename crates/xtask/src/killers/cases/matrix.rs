//! Seeds ρ with which the rejection of candidates for the matrix (Algorithms 14 and 30) decides.

use anyhow::Result;
use moissanite::Fips204;
use moissanite_core::field::Field;
use moissanite_core::reference as fips204;
use moissanite_core::shape::{Dim, N};

use super::collector::{Collector, Draft, Topic};
use crate::killers::defects::Defect as D;

/// What happens in the sampling of a polynomial.
struct Event {
    what: &'static str,
    defects: &'static [D],
    /// Is given the candidates that are read, and the number of them.
    happens: fn(&[u32], q: u32) -> bool,
}

const TOP_BIT: u32 = 1 << 23;

const EVENTS: [Event; 5] = [
    Event {
        what: "a candidate is q",
        defects: &[D::UniformQ],
        happens: |candidates, q| candidates.contains(&q),
    },
    Event {
        what: "a candidate is q, with the top bit",
        defects: &[D::UniformQWithTopBit, D::UniformQ, D::UniformTopBit],
        happens: |candidates, q| candidates.contains(&(q | TOP_BIT)),
    },
    Event {
        what: "a candidate is q - 1",
        defects: &[D::UniformQMinus1],
        happens: |candidates, q| candidates.contains(&(q - 1)),
    },
    Event {
        what: "the three bytes of a candidate are 00 00 80",
        defects: &[D::UniformZero, D::UniformTopBitAlone],
        happens: |candidates, _| candidates.contains(&TOP_BIT),
    },
    Event {
        what: "more than 260 candidates are read",
        defects: &[D::UniformFewCandidates],
        happens: |candidates, _| candidates.len() > 260,
    },
];

pub(super) fn add<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    cases.begin(Topic::Matrix);
    let mut found = [const { None }; EVENTS.len()];
    let mut seeds = cases.bytes("rho");
    while found.iter().any(Option::is_none) {
        let rho: [u8; 32] = fips204::first(&mut seeds);
        for (r, s) in (0..P::K::N).flat_map(|r| (0..P::L::N).map(move |s| (r, s))) {
            let candidates = candidates::<P>(&rho, r, s);
            for (event, found) in EVENTS.iter().zip(&mut found) {
                if found.is_none() && (event.happens)(&candidates, P::Field::Q.cast_unsigned()) {
                    *found = Some((rho, r, s));
                }
            }
        }
    }
    for (event, found) in EVENTS.iter().zip(found) {
        let Some((rho, r, s)) = found else { continue };
        let draft = Draft {
            public_key: Collector::<P>::zero_key(&rho),
            ..cases.draft()
        };
        let what = format!("{} in row {r}, column {s} of the matrix", event.what);
        cases.valid(&what, draft, event.defects)?;
    }
    Ok(())
}

/// The candidates that are read for an entry of the matrix.
fn candidates<P: Fips204>(rho: &[u8; 32], r: usize, s: usize) -> Vec<u32> {
    let mut xof = fips204::g(&[rho, &s.to_le_bytes()[..1], &r.to_le_bytes()[..1]]);
    let (mut candidates, mut accepted) = (Vec::with_capacity(N + 8), 0);
    while accepted < N {
        let [b0, b1, b2] = fips204::first(&mut xof);
        let candidate = u32::from_le_bytes([b0, b1, b2, 0]);
        candidates.push(candidate);
        accepted += usize::from(candidate % TOP_BIT < P::Field::Q.cast_unsigned());
    }
    candidates
}
