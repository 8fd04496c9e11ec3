//! `cargo xtask sbom` writes the bills of materials of the command and of the facade, in CycloneDX.
//!
//! Each file lists the packages for all targets. The file depends only on the commit: two runs give the same
//! bytes.

mod document;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use self::document::{
    Bom, Commit, Component, Dependencies, Hash, License, Lifecycle, Metadata, Pedigree, Property,
    Reference, SPEC_VERSION, Tool, Tools,
};
use crate::linked::{self, Edges, Id, Node, Tree};
use crate::packages::{self, Locked};
use crate::process;

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the files, which is made if it does not exist
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

/// The packages that get a bill, each with the features of the bill and its kind in CycloneDX.
const PRODUCTS: [(&str, &[&str], &str); 2] = [
    ("moissanite", &["--all-features"], "library"),
    // As a release builds it.
    ("moissanite-cli", &[], "application"),
];

/// The commit that the bill is of.
struct Origin {
    commit: String,
    date: String,
}

/// Writes the files.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let folder = &arguments.to;
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let origin = Origin::of_head()?;
    let locked = packages::all()?;
    for (package, features, kind) in PRODUCTS {
        let tree = linked::tree(package, features, Edges::WithBuild)?;
        let bom = bom(&tree, features, kind, &locked, &origin)?;
        let path = write(folder, &tree.root, &bom)?;
        println!(
            "sbom: {} packages in {}",
            bom.components.len(),
            path.display()
        );
    }
    Ok(())
}

impl Origin {
    fn of_head() -> Result<Self> {
        let show = |format: &str| {
            let mut git = Command::new("git");
            process::output(git.env("TZ", "UTC").args([
                "show",
                "--no-patch",
                "--date=format-local:%Y-%m-%dT%H:%M:%SZ",
                format,
            ]))
        };
        Ok(Self {
            commit: show("--format=%H")?,
            date: show("--format=%cd")?,
        })
    }
}

fn write(folder: &Path, root: &Id, bom: &Bom) -> Result<PathBuf> {
    let path = folder.join(format!("{}-{}.cdx.json", root.name, root.version));
    let text = serde_json::to_string_pretty(bom)? + "\n";
    fs::write(&path, text).with_context(|| path.display().to_string())?;
    Ok(path)
}

/// The bill of what a crate depends on.
fn bom(
    tree: &Tree,
    features: &[&str],
    kind: &'static str,
    locked: &BTreeMap<Id, Locked>,
    origin: &Origin,
) -> Result<Bom> {
    // Packages that are not among these run only while the crate is built.
    let normal = linked::tree(&tree.root.name, features, Edges::Normal)?;
    let in_program = normal.without_macros(|id| locked.get(id).is_some_and(Locked::is_macro));
    let listed = |id: &Id, node: &Node| -> Result<Component> {
        let locked = locked
            .get(id)
            .with_context(|| format!("Cargo.lock has no {id}"))?;
        let scope = match in_program.contains(id) {
            true => "required",
            false => "excluded",
        };
        component(id, node, scope, locked, origin)
    };
    let root = tree.nodes.get(&tree.root).context("a tree has its root")?;
    let components = tree.nodes.iter().filter(|(id, _)| **id != tree.root);
    let dependencies = tree.nodes.iter().map(|(id, node)| Dependencies {
        bom_ref: purl(id),
        depends_on: node.depends_on.iter().map(purl).collect(),
    });
    Ok(Bom {
        bom_format: "CycloneDX",
        spec_version: SPEC_VERSION,
        version: 1,
        metadata: Metadata {
            timestamp: origin.date.clone(),
            lifecycles: [Lifecycle { phase: "build" }],
            tools: Tools {
                components: [Tool {
                    kind: "application",
                    name: env!("CARGO_PKG_NAME"),
                    version: env!("CARGO_PKG_VERSION"),
                }],
            },
            component: Component {
                kind,
                scope: None,
                ..listed(&tree.root, root)?
            },
            properties: vec![Property {
                name: "cdx:rustc:sbom:target:all_targets",
                value: "true".to_owned(),
            }],
        },
        components: components
            .map(|(id, node)| listed(id, node))
            .collect::<Result<_>>()?,
        dependencies: dependencies.collect(),
    })
}

fn component(
    id: &Id,
    node: &Node,
    scope: &'static str,
    locked: &Locked,
    origin: &Origin,
) -> Result<Component> {
    let Locked { package, checksum } = locked;
    let license = package.license.as_ref();
    // Old manifests separate alternatives by a slash, which is not an expression of SPDX.
    let license = license.map(|text| text.replace('/', " OR "));
    let references = [
        ("vcs", &package.repository),
        ("website", &package.homepage),
        ("documentation", &package.documentation),
    ];
    let references = references.into_iter().filter_map(|(kind, url)| {
        let url = url.clone()?;
        Some(Reference { kind, url })
    });
    let features = node.features.iter().map(|feature| Property {
        name: "cdx:rustc:feature",
        value: feature.clone(),
    });
    Ok(Component {
        kind: "library",
        bom_ref: purl(id),
        author: (!package.authors.is_empty()).then(|| package.authors.join(", ")),
        name: id.name.clone(),
        version: id.version.clone(),
        description: package.description.clone(),
        scope: Some(scope),
        hashes: checksum
            .iter()
            .map(|checksum| Hash {
                alg: "SHA-256",
                content: checksum.clone(),
            })
            .collect(),
        licenses: [License {
            expression: license.with_context(|| format!("{id} states no licence"))?,
        }],
        purl: purl(id),
        external_references: references.collect(),
        pedigree: package.source.is_none().then(|| Pedigree {
            commits: [Commit {
                uid: origin.commit.clone(),
            }],
        }),
        properties: features.collect(),
    })
}

/// The name of a package of cargo among packages of all kinds.
fn purl(id: &Id) -> String {
    // `+` begins build metadata, and stands for a space if it is not escaped.
    format!("pkg:cargo/{}@{}", id.name, id.version.replace('+', "%2B"))
}

#[cfg(test)]
mod tests;
