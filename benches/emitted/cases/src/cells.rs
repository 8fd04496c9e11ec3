//! The choice of targets and of levels of optimisation.

use std::process::Command;

use anyhow::{Result, ensure};

use crate::targets::{LEVELS, TARGETS, Target};

/// A target and a level of optimisation.
pub type Cell = (&'static Target, &'static str);

/// Returns the pairs of the named targets and levels. An empty list names all.
pub fn cells(targets: &[String], levels: &[String]) -> Result<Vec<Cell>> {
    for name in targets {
        ensure!(
            TARGETS.iter().any(|target| target.name == name),
            "there is no target {name}"
        );
    }
    for name in levels {
        ensure!(
            LEVELS.contains(&name.as_str()),
            "there is no optimisation level {name}"
        );
    }
    let chosen = TARGETS
        .iter()
        .filter(|target| is_wanted(targets, target.name));
    let cells = chosen.flat_map(|target| LEVELS.map(|level| (target, level)));
    Ok(cells
        .filter(|(_, level)| is_wanted(levels, level))
        .collect())
}

/// Whether a list contains a name, or is empty.
#[must_use]
pub fn is_wanted(list: &[String], name: &str) -> bool {
    list.is_empty() || list.iter().any(|one| one == name)
}

/// Keeps one pair, which the hash of the named commit chooses. The execution of unoptimised code takes too long
/// for a sample.
pub fn sample(cells: &mut Vec<Cell>, commit: &str) -> Result<()> {
    let output = Command::new("git")
        .args(["rev-parse", "--verify", commit])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()?;
    ensure!(output.status.success(), "there is no commit {commit}");
    let hash = String::from_utf8(output.stdout)?;
    cells.retain(|(_, level)| *level != "0");
    choose(cells, hash.trim());
    Ok(())
}

/// Keeps the item that a text chooses.
fn choose<T>(items: &mut Vec<T>, text: &str) {
    // FNV-1a. The upper bits depend on all bytes.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let chosen = (hash >> 32).checked_rem(items.len() as u64);
    let mut index = 0;
    items.retain(|_| {
        index += 1;
        Some(index - 1) == chosen
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_choose() {
        let all = TARGETS.len() * LEVELS.len();
        assert_eq!(cells(&[], &[]).unwrap().len(), all);
        let both = cells(&["x86_64".to_owned()], &["2".to_owned(), "s".to_owned()]).unwrap();
        let both: Vec<_> = both
            .into_iter()
            .map(|(target, level)| (target.name, level))
            .collect();
        assert_eq!(both, [("x86_64", "2"), ("x86_64", "s")]);
        assert!(cells(&["x86".to_owned()], &[]).is_err());
        assert!(cells(&[], &["4".to_owned()]).is_err());
    }

    /// Each item is the sample of some commit, and the same commit has the same sample.
    #[test]
    fn commits_choose() {
        let chosen = |commit: u32| {
            let mut items = (0..7).collect::<Vec<_>>();
            choose(&mut items, &format!("{commit:08x}"));
            items
        };
        let mut seen = [false; 7];
        for commit in 0..100 {
            let [item] = chosen(commit)[..] else {
                panic!("one item is chosen");
            };
            assert_eq!(chosen(commit), [item]);
            seen[item] = true;
        }
        assert_eq!(seen, [true; 7]);
        let mut nothing: Vec<u8> = Vec::new();
        choose(&mut nothing, "0");
        assert_eq!(nothing, []);
    }
}
