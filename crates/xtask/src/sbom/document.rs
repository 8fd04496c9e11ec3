//! The part of CycloneDX 1.5 that the bills of materials use. The names of the fields are those of that format.

use serde::Serialize;

/// The version of the format.
pub(crate) const SPEC_VERSION: &str = "1.5";

/// A bill of materials.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Bom {
    pub(crate) bom_format: &'static str,
    pub(crate) spec_version: &'static str,
    pub(crate) version: u32,
    pub(crate) metadata: Metadata,
    pub(crate) components: Vec<Component>,
    pub(crate) dependencies: Vec<Dependencies>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Metadata {
    /// The date of the commit, so that everyone gets the same file.
    pub(crate) timestamp: String,
    pub(crate) lifecycles: [Lifecycle; 1],
    pub(crate) tools: Tools,
    pub(crate) component: Component,
    pub(crate) properties: Vec<Property>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Lifecycle {
    pub(crate) phase: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct Tools {
    pub(crate) components: [Tool; 1],
}

#[derive(Debug, Serialize)]
pub(crate) struct Tool {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Component {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    #[serde(rename = "bom-ref")]
    pub(crate) bom_ref: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) author: Option<String>,
    pub(crate) name: String,
    pub(crate) version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scope: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) hashes: Vec<Hash>,
    pub(crate) licenses: [License; 1],
    pub(crate) purl: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) external_references: Vec<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pedigree: Option<Pedigree>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) properties: Vec<Property>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Hash {
    pub(crate) alg: &'static str,
    pub(crate) content: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct License {
    pub(crate) expression: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Reference {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) url: String,
}

/// The origin of a component of this project.
#[derive(Debug, Serialize)]
pub(crate) struct Pedigree {
    pub(crate) commits: [Commit; 1],
}

#[derive(Debug, Serialize)]
pub(crate) struct Commit {
    pub(crate) uid: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Property {
    pub(crate) name: &'static str,
    pub(crate) value: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Dependencies {
    #[serde(rename = "ref")]
    pub(crate) bom_ref: String,
    pub(crate) depends_on: Vec<String>,
}
