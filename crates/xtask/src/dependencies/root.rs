//! What a crate of the tree depends on, by its features.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::linked::{self, Edges, Tree};

/// A crate and what it depends on by its features.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) name: &'static str,
    pub(crate) none: Tree,
    pub(crate) default: Tree,
    pub(crate) all: Tree,
    /// `all` without what only build scripts use.
    pub(crate) normal: Tree,
    /// What a feature alone brings.
    pub(crate) features: BTreeMap<String, Tree>,
}

impl Root {
    pub(crate) fn new<'a>(
        name: &'static str,
        features: impl Iterator<Item = &'a String>,
    ) -> Result<Self> {
        let tree = |arguments: &[&str]| linked::tree(name, arguments, Edges::WithBuild);
        let mut by_feature = BTreeMap::new();
        for feature in features.filter(|feature| *feature != "default") {
            let arguments = ["--no-default-features", "--features", feature.as_str()];
            by_feature.insert(feature.clone(), tree(&arguments)?);
        }
        Ok(Self {
            name,
            none: tree(&["--no-default-features"])?,
            default: tree(&[])?,
            all: tree(&["--all-features"])?,
            normal: linked::tree(name, &["--all-features"], Edges::Normal)?,
            features: by_feature,
        })
    }
}
