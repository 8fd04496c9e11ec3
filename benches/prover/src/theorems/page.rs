//! The page about the proofs names the theorems that there are.

use std::collections::BTreeSet;

use super::all;
use crate::image::Architecture;

const PAGE: &str = include_str!("../../../../crates/moissanite/docs/proofs.md");

/// Returns the names in the column "theorems" of each table.
fn named() -> BTreeSet<String> {
    let mut column = None;
    let mut names = BTreeSet::new();
    for line in PAGE.lines() {
        // A bar within a cell has a backslash.
        let line = line.replace("\\|", "");
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        if cells.len() < 3 {
            column = None;
        } else if let Some(column) = column {
            let cell: &str = cells[column];
            let quoted = cell.split('`').skip(1).step_by(2);
            names.extend(quoted.map(str::to_owned));
        } else {
            column = cells.iter().position(|cell| *cell == "theorems");
        }
    }
    names
}

#[test]
fn the_page_names_all_theorems_and_no_others() {
    let architectures = [Architecture::X86_64, Architecture::Aarch64];
    let theorems = architectures.into_iter().flat_map(all);
    let names: BTreeSet<_> = theorems.map(|theorem| theorem.name).collect();
    assert_eq!(named(), names);
}

#[test]
fn every_backend_has_the_theorems_about_its_kernels() {
    for architecture in [Architecture::X86_64, Architecture::Aarch64] {
        let theorems = all(architecture);
        let of = |backend: &str| -> BTreeSet<_> {
            let own = theorems.iter().filter(|theorem| theorem.backend == backend);
            let names = own.map(|theorem| theorem.name.as_str());
            let shared = |name: &&str| !name.contains("keccak") && !name.contains("streams");
            names.filter(shared).collect()
        };
        let portable = of("portable");
        assert!(!portable.is_empty());
        for theorem in &theorems {
            let own = of(theorem.backend);
            assert!(own.is_empty() || own == portable, "{}", theorem.backend);
        }
    }
}
