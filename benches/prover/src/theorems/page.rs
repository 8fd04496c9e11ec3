//! The page about the proofs names the theorems that there are.

use std::collections::BTreeSet;

use super::{Theorem, all};
use crate::image::Architecture;

const PAGE: &str = include_str!("../../../../crates/moissanite/docs/proofs.md");

const ARCHITECTURES: [Architecture; 3] = [
    Architecture::X86_64,
    Architecture::Aarch64,
    Architecture::Armv7m,
];

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
    let theorems = ARCHITECTURES.into_iter().flat_map(all);
    let names: BTreeSet<_> = theorems.map(|theorem| theorem.name).collect();
    assert_eq!(named(), names);
}

#[test]
fn every_backend_has_the_theorems_about_its_kernels() {
    let kernels = |theorems: &[Theorem], backend: &str| -> BTreeSet<_> {
        let own = theorems.iter().filter(|theorem| theorem.backend == backend);
        let names = own.map(|theorem| theorem.name.clone());
        let others = ["keccak", "streams", "hint-", "ball"];
        let is_kernel = |name: &String| !others.iter().any(|other| name.contains(other));
        names.filter(is_kernel).collect()
    };
    let portable = kernels(&all(Architecture::X86_64), "portable");
    assert!(!portable.is_empty());
    for architecture in ARCHITECTURES {
        let theorems = all(architecture);
        for theorem in &theorems {
            let own = kernels(&theorems, theorem.backend);
            assert!(own.is_empty() || own == portable, "{}", theorem.backend);
        }
    }
}
