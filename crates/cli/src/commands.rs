//! The subcommands, with their arguments. No subcommand imports another one.

pub(crate) mod acvp;
pub(crate) mod algorithms;
pub(crate) mod bench;
pub(crate) mod cert;
mod chain;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod inspect;
pub(crate) mod keygen;
pub(crate) mod man;
pub(crate) mod mu;
mod options;
pub(crate) mod sign;
pub(crate) mod ssh;
pub(crate) mod verify;

#[cfg(test)]
mod tests {
    use super::{acvp, bench, options};
    use crate::algorithm::{ALL, scheme::Algorithm};

    /// The tables of the commands have an entry for each algorithm that they apply to, and no other.
    #[test]
    fn tables_agree_with_the_registry() {
        let names = |is_in_table: fn(Algorithm) -> bool| -> Vec<_> {
            let found = ALL.iter().filter(|algorithm| is_in_table(**algorithm));
            found.map(|algorithm| algorithm.name()).collect()
        };
        let measured = names(|algorithm| bench::measure_of(algorithm).is_some());
        assert_eq!(measured, names(options::has_backends));
        assert_eq!(measured.len(), bench::TABLE.len());
        let tested = names(|algorithm| acvp::answers::of(algorithm.name()).is_some());
        let standard = names(|algorithm| {
            algorithm.name().starts_with("ML-DSA-") && options::has_backends(algorithm)
        });
        assert_eq!(tested, standard);
        assert_eq!(tested.len(), acvp::answers::TABLE.len());
        let other = ALL.len() - measured.len();
        assert_eq!(other, options::WITHOUT_BACKENDS.len());
    }
}
