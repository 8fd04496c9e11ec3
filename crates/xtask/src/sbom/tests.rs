//! The bills of materials of this tree are complete.

use std::collections::BTreeSet;

use serde_json::Value;

use super::*;

/// The lines of `cargo tree` without duplicates, read apart from `linked`: names and versions.
fn names(package: &str, features: &[&str]) -> Result<BTreeSet<(String, String)>> {
    let arguments = "tree --locked --target all --edges normal,build --prefix none --package";
    let mut cargo = process::cargo(arguments.split(' '));
    cargo.args([package, "--format", "{p}"]);
    let text = process::output(cargo.args(features))?;
    let lines = text.lines().map(|line| {
        let mut words = line.split(' ');
        let mut word = || words.next().unwrap_or_default().to_owned();
        (word(), word().trim_start_matches('v').to_owned())
    });
    Ok(lines.collect())
}

/// The checksums in the text of the lock file.
fn checksum(name: &str, version: &str) -> Result<Option<String>> {
    let text = process::read(&process::root().join("Cargo.lock"))?;
    let head = format!("name = \"{name}\"\nversion = \"{version}\"\n");
    let (_, rest) = text.split_once(&head).context("the package is locked")?;
    let entry = rest.split("\n\n").next().unwrap_or_default();
    let line = entry
        .lines()
        .find_map(|line| line.strip_prefix("checksum = "));
    Ok(line.map(|quoted| quoted.trim_matches('"').to_owned()))
}

#[test]
fn every_linked_package_has_version_licence_and_checksum() -> Result<()> {
    let locked = packages::all()?;
    let origin = Origin::of_head()?;
    for (package, features, kind) in PRODUCTS {
        let tree = linked::tree(package, features, Edges::WithBuild)?;
        let bom = serde_json::to_value(bom(&tree, features, kind, &locked, &origin)?)?;
        let mut found = BTreeSet::new();
        let top = &bom["metadata"]["component"];
        let components = bom["components"].as_array().context("components")?;
        for component in components.iter().chain([top]) {
            let field = |name: &str| component[name].as_str().unwrap_or_default().to_owned();
            let (name, version) = (field("name"), field("version"));
            let license = &component["licenses"][0]["expression"];
            let text = license.as_str().unwrap_or_default();
            assert!(!text.is_empty() && !text.contains('/'), "{name}: {license}");
            let hash = component["hashes"][0]["content"].as_str();
            assert_eq!(hash, checksum(&name, &version)?.as_deref(), "{name}");
            let is_of_tree = name.starts_with("moissanite");
            assert_eq!(hash.is_none(), is_of_tree, "{name}");
            assert_eq!(component["pedigree"].is_object(), is_of_tree, "{name}");
            // A macro, what only build scripts use, and two packages that are in the program.
            let scope = match name.as_str() {
                "clap_derive" | "rustc_version" | "serde_derive" => Some("excluded"),
                "clap" | "zeroize" => Some("required"),
                _ => None,
            };
            assert!(
                scope.is_none_or(|scope| component["scope"] == scope),
                "{name}"
            );
            found.insert((name, version));
        }
        assert_eq!(found, names(package, features)?, "{package}");
        assert!(found.len() > 20, "{package}: {} packages", found.len());

        // Each reference in the graph is a component, and each component is in the graph.
        let refs = |values: &[Value], field: &str| -> BTreeSet<String> {
            let texts = values.iter().filter_map(|value| value[field].as_str());
            texts.map(str::to_owned).collect()
        };
        let mut known = refs(components, "bom-ref");
        known.extend(refs(std::slice::from_ref(top), "bom-ref"));
        let graph = bom["dependencies"].as_array().context("dependencies")?;
        assert_eq!(refs(graph, "ref"), known, "{package}");
        for entry in graph {
            for target in entry["dependsOn"].as_array().context("dependsOn")? {
                assert!(
                    known.contains(target.as_str().unwrap_or_default()),
                    "{target}"
                );
            }
        }
    }
    Ok(())
}

#[test]
fn two_runs_write_the_same() -> Result<()> {
    let folder = std::env::temp_dir().join(format!("moissanite-sbom-{}", std::process::id()));
    let mut files = Vec::new();
    for _ in 0..2 {
        run(&Arguments { to: folder.clone() })?;
        let paths = process::files(&folder)?;
        let texts = paths.iter().map(|path| process::read(path));
        files.push(texts.collect::<Result<Vec<_>>>()?);
        fs::remove_dir_all(&folder)?;
    }
    assert_eq!(files[0].len(), PRODUCTS.len());
    assert_eq!(files[0], files[1]);
    // The paths of this machine are not in the files.
    let root = process::root().to_string_lossy().into_owned();
    assert!(files[0].iter().all(|text| !text.contains(&root)));
    Ok(())
}
