//! The order in which mutants are tried: those of one build after each other.

use super::list::Mutant;

/// Mutants whose tests are in one program.
pub(crate) struct Slice<'a> {
    /// The name of the build.
    pub(crate) build: &'a str,
    pub(crate) mutants: Vec<&'a Mutant>,
}

/// A sample ends within so many mutants of the first, most of the time; the tests of the others need not pass
/// before.
const SAMPLE: usize = 8;

/// All of them, by build.
pub(crate) fn slices<'a>(mutants: &[&'a Mutant]) -> Vec<Slice<'a>> {
    let runs = mutants.chunk_by(|a, b| a.build == b.build);
    runs.filter_map(|run| {
        let build = run.first()?.build.as_str();
        let mutants = run.to_vec();
        Some(Slice { build, mutants })
    })
    .collect()
}

/// All of them, from the one of this number on, a few at a time.
pub(crate) fn rotated<'a>(mutants: &[&'a Mutant], start: usize) -> Vec<Slice<'a>> {
    let (before, from) = mutants.split_at(start.min(mutants.len()));
    let runs = [from, before].into_iter().flat_map(slices);
    runs.flat_map(|Slice { build, mutants }| {
        let few = mutants.chunks(SAMPLE).map(<[_]>::to_vec);
        let few: Vec<_> = few.map(|mutants| Slice { build, mutants }).collect();
        few
    })
    .collect()
}
