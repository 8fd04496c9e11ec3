//! The list of mutants, and of the builds that have their tests: the folder crates/xtask/mutants.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use moissanite_core::backend;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::verdict;
use crate::process;

const FOLDER: &str = "crates/xtask/mutants";
/// The file of the folder that is not a list of mutants.
const BUILDS: &str = "builds.toml";

/// The build of the tests with the vectors of kats/killers.json.
const VECTORS: &str = "facade-batch";

/// A defect, and the test that has to detect it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mutant {
    /// A name that no other mutant has.
    pub(crate) name: String,
    /// The file that has the defect; that of the list, if it names one.
    #[serde(default)]
    pub(crate) file: String,
    /// The text that is replaced.
    pub(crate) find: String,
    /// The text that replaces it.
    pub(crate) replace: String,
    /// Which of several occurrences of the text is replaced, from 1 on.
    pub(crate) occurrence: Option<usize>,
    /// The build of the test; that of the list, unless it names one.
    #[serde(default)]
    pub(crate) build: String,
    /// The full name of the test; for a program, that of the program.
    pub(crate) test: String,
    /// The test of the facade with vectors of kats/killers.json that has to detect the defect too.
    vectors: Option<String>,
    /// The backend that the CPU must have.
    needs: Option<String>,
    /// What defect of an implementation this is.
    pub(crate) defect: String,
}

/// A file of the folder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Area {
    /// The build of mutants that name none.
    build: String,
    /// The file of mutants that name none.
    #[serde(default)]
    file: String,
    mutant: Vec<Mutant>,
}

/// How cargo builds a program that contains tests, or is one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Build {
    /// Cargo's arguments, which choose one target of one package.
    pub(crate) arguments: Vec<String>,
    /// The folder of the workspace.
    #[serde(default)]
    pub(crate) workspace: PathBuf,
    /// Cargo's profile.
    #[serde(default = "profile")]
    pub(crate) profile: String,
    /// The target, if it is not the host.
    pub(crate) target: Option<String>,
    /// The emulator and its arguments.
    #[serde(default)]
    pub(crate) runner: Vec<String>,
    /// The file of a program without a test harness, which fails by a panic in this file.
    pub(crate) program: Option<String>,
}

fn profile() -> String {
    "mutants".to_owned()
}

/// All of the folder.
pub(crate) struct List {
    builds: BTreeMap<String, Build>,
    /// Those of one build are side by side.
    pub(crate) mutants: Vec<Mutant>,
}

impl List {
    /// Reads and checks the list of a tree: each text is found where the list says.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let builds: BTreeMap<String, Build> = parse(&root.join(FOLDER).join(BUILDS))?;
        let mut mutants = Vec::new();
        for path in process::files(&root.join(FOLDER))? {
            if path.file_name().is_some_and(|name| name == BUILDS) {
                continue;
            }
            let area: Area = parse(&path)?;
            for mut mutant in area.mutant {
                for (own, common) in [
                    (&mut mutant.build, &area.build),
                    (&mut mutant.file, &area.file),
                ] {
                    if own.is_empty() {
                        own.clone_from(common);
                    }
                }
                mutants.extend(mutant.by_vectors());
                mutants.push(mutant);
            }
        }
        mutants.sort_by(|a, b| a.build.cmp(&b.build));
        let list = Self { builds, mutants };
        list.check(root)?;
        Ok(list)
    }

    fn check(&self, root: &Path) -> Result<()> {
        let mut names = BTreeSet::new();
        for mutant in &self.mutants {
            let name = &mutant.name;
            ensure!(names.insert(name), "two mutants have the name {name}");
            ensure!(
                !verdict::is_test_file(&mutant.file),
                "{name}: {} is a test",
                mutant.file
            );
            self.build(&mutant.build).with_context(|| name.clone())?;
            mutant.patch(&process::read(&root.join(&mutant.file))?)?;
            let needs = mutant.needs.iter();
            for backend in needs.filter(|needed| backend::all().all(|(known, _)| known != **needed))
            {
                // A CPU of another architecture has other backends.
                ensure!(
                    !cfg!(target_arch = "x86_64"),
                    "{name}: there is no backend {backend}"
                );
            }
        }
        Ok(())
    }

    /// The build of this name.
    pub(crate) fn build(&self, name: &str) -> Result<&Build> {
        let build = self.builds.get(name);
        build.with_context(|| format!("{FOLDER}/{BUILDS} has no {name}"))
    }
}

fn parse<T: DeserializeOwned>(path: &Path) -> Result<T> {
    toml::from_str(&process::read(path)?).with_context(|| path.display().to_string())
}

impl Mutant {
    /// The same mutant for the test with vectors, if it names one.
    fn by_vectors(&self) -> Option<Self> {
        let test = self.vectors.as_ref()?;
        Some(Self {
            name: format!("{}-by-vectors", self.name),
            build: VECTORS.to_owned(),
            test: format!("killers::{test}"),
            ..self.clone()
        })
    }

    /// The text of the file with the defect.
    pub(crate) fn patch(&self, text: &str) -> Result<String> {
        let Self {
            name, file, find, ..
        } = self;
        let places: Vec<usize> = text
            .match_indices(find.as_str())
            .map(|(at, _)| at)
            .collect();
        let place = match (self.occurrence, &places[..]) {
            (_, []) => bail!(
                "{name}: {file} does not contain the text that this mutant replaces; change the list \
                 with the file:\n{find}"
            ),
            (None, [place]) => Some(place),
            (None, _) => bail!(
                "{name}: {file} contains the text {} times; `occurrence` has to say which is meant:\n{find}",
                places.len()
            ),
            (Some(number), _) => number.checked_sub(1).and_then(|index| places.get(index)),
        };
        let place = place.with_context(|| {
            format!(
                "{name}: {file} contains the text {} times:\n{find}",
                places.len()
            )
        })?;
        let (before, rest) = text.split_at(*place);
        let after = rest.strip_prefix(find.as_str()).unwrap_or(rest);
        Ok([before, &self.replace, after].concat())
    }

    /// Whether this CPU has the backend that the mutant changes.
    pub(crate) fn is_possible(&self) -> bool {
        let needs = self.needs.as_deref();
        needs.is_none_or(|needed| backend::available().any(|name| name == needed))
    }

    /// The backend that the mutant changes, if it is one that not every CPU has.
    pub(crate) fn needs(&self) -> &str {
        self.needs.as_deref().unwrap_or_default()
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            file,
            build,
            test,
            defect,
            ..
        } = self;
        write!(f, "{name}\n    {file}\n    {build}: {test}\n    {defect}")
    }
}

impl Build {
    /// What this machine lacks for the build, if something.
    pub(crate) fn missing(&self) -> Result<Option<String>> {
        if let Some(target) = &self.target
            && process::compiler_for(target).is_none()
        {
            return Ok(Some(format!("there is no library for {target}")));
        }
        let Some(emulator) = self.runner.first() else {
            return Ok(None);
        };
        let found = std::process::Command::new(emulator)
            .arg("--version")
            .output();
        Ok(found.is_err().then(|| format!("there is no {emulator}")))
    }
}
