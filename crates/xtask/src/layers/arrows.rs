//! The imports between the files of a crate.

use std::collections::{BTreeMap, BTreeSet};

use super::mentions::{Kind, Mention};
use super::syntax::{Crate, Name};

/// An import from one file by another.
pub(super) type Arrow = (String, String);
/// The imported items, and the line that mentions each first.
pub(super) type Items = BTreeMap<String, usize>;

/// The imports of a crate.
#[derive(Default)]
pub(super) struct Imports {
    /// Imports of an item from the file that defines it.
    pub(super) arrows: BTreeMap<Arrow, Items>,
    /// Imports from the root, or from the file of a module above that only imports the item itself.
    pub(super) upward: BTreeMap<Arrow, Items>,
}

/// The target of a path.
#[derive(Clone, Copy)]
struct Found {
    place: Place,
    /// The module that defines or imports the item.
    taken_from: Option<usize>,
}

#[derive(Clone, Copy)]
enum Place {
    /// An item that the module defines.
    Item(usize),
    Module(usize),
}

/// The imports that are being resolved: a module, a name, and one of the meanings of the name.
type Trail = Vec<(usize, String, usize)>;

impl Imports {
    pub(super) fn of(krate: &Crate) -> Self {
        let mut imports = Self::default();
        for (index, module) in krate.modules.iter().enumerate() {
            for mention in &module.mentions {
                let Some(found) = krate.mentioned(index, mention) else {
                    continue;
                };
                let add = |to: &mut BTreeMap<Arrow, Items>, target: usize| {
                    let arrow = (module.file.clone(), krate.modules[target].file.clone());
                    let items = to.entry(arrow).or_default();
                    items.entry(mention.text()).or_insert(mention.line);
                };
                if let Place::Item(target) = found.place
                    && krate.modules[target].file != module.file
                {
                    add(&mut imports.arrows, target);
                }
                if let Some(target) = found.taken_from
                    && krate.is_above(target, index)
                    && (target == 0 || !matches!(found.place, Place::Item(at) if at == target))
                {
                    add(&mut imports.upward, target);
                }
            }
        }
        imports
    }

    /// Returns each set of files that import each other, directly or through other files of the set.
    pub(super) fn cycles(&self) -> Vec<BTreeSet<&str>> {
        let mut cycles: Vec<BTreeSet<&str>> = Vec::new();
        for (file, _) in self.arrows.keys() {
            let reached = self.reached(file);
            let cycle = reached
                .into_iter()
                .filter(|to| self.reached(to).contains(file.as_str()));
            let cycle: BTreeSet<_> = cycle.collect();
            if !cycle.is_empty() && !cycles.contains(&cycle) {
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// Returns all files that a file imports from, directly or indirectly.
    fn reached<'a>(&'a self, file: &'a str) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::new();
        let mut open = vec![file];
        while let Some(file) = open.pop() {
            let arrows = self.arrows.keys().filter(|(from, _)| from == file);
            open.extend(
                arrows
                    .map(|(_, to)| to.as_str())
                    .filter(|to| reached.insert(*to)),
            );
        }
        reached
    }
}

impl Mention {
    fn text(&self) -> String {
        self.path.join("::") + if self.kind == Kind::Glob { "::*" } else { "" }
    }
}

impl Crate {
    /// Whether a module is a parent of another, or a parent's parent, in another file.
    fn is_above(&self, module: usize, other: usize) -> bool {
        let parents = std::iter::successors(Some(other), |at| self.modules[*at].parent);
        self.modules[module].file != self.modules[other].file
            && parents.skip(1).any(|parent| parent == module)
    }

    /// Returns the target of a path in a module, unless the module imports the first name of the path:
    /// then the import counts.
    fn mentioned(&self, module: usize, mention: &Mention) -> Option<Found> {
        let path = mention.path.as_slice();
        match mention.kind {
            Kind::Reexport => return None,
            Kind::Path | Kind::Macro if self.imports_item(module, path) => return None,
            _ => {}
        }
        let found = self.follow(module, path, &mut Trail::new());
        match (found, mention.kind, path) {
            (
                Some(Found {
                    place: Place::Module(target),
                    ..
                }),
                Kind::Glob,
                _,
            ) => Some(Found::item(target)),
            // A macro need not be imported; its name does not stand for a function.
            (_, Kind::Macro, [name]) => {
                let definers = self.macros.get(name)?;
                let other = definers.first().filter(|_| !definers.contains(&module))?;
                Some(Found::item(*other))
            }
            _ => found,
        }
    }

    /// Whether the first name of a path is an item that a private `use` declaration of the module
    /// imports.
    fn imports_item(&self, module: usize, path: &[String]) -> bool {
        let Some(first) = path.first() else {
            return false;
        };
        let names = self.modules[module].names.get(first).into_iter().flatten();
        let imported = names
            .into_iter()
            .any(|name| matches!(name, Name::Import { private: true, .. }));
        let found = self.member(module, first, path.len() > 1, true, &mut Trail::new());
        imported
            && matches!(
                found,
                Some(Found {
                    place: Place::Item(_),
                    ..
                })
            )
    }

    /// Returns the target of a path in a module; `None` if it is in another crate.
    fn follow(&self, module: usize, path: &[String], trail: &mut Trail) -> Option<Found> {
        let mut found = Found {
            place: Place::Module(module),
            taken_from: None,
        };
        for (i, name) in path.iter().enumerate() {
            let Place::Module(at) = found.place else {
                break;
            };
            found.place = match name.as_str() {
                "crate" => Place::Module(0),
                "self" => continue,
                "super" => Place::Module(self.modules[at].parent?),
                _ => {
                    let member = self.member(at, name, i + 1 < path.len(), i == 0, trail);
                    // A macro of the module defines a name that its text does not contain.
                    let member = member.or((i > 0).then_some(Found::item(at)))?;
                    found.taken_from = found.taken_from.or(member.taken_from);
                    member.place
                }
            };
        }
        Some(found)
    }

    /// Returns the meaning of a name in a module: a module if the path continues, otherwise preferably an
    /// item. In the same module, an import stands for the imported item.
    fn member(
        &self,
        at: usize,
        name: &str,
        more: bool,
        own: bool,
        trail: &mut Trail,
    ) -> Option<Found> {
        let module = &self.modules[at];
        let mut meanings = Vec::new();
        for (i, meaning) in module.names.get(name).into_iter().flatten().enumerate() {
            let found = match meaning {
                Name::Item => Some(Found::item(at)),
                Name::Module(child) => Some(Found {
                    place: Place::Module(*child),
                    taken_from: None,
                }),
                Name::Macro(definer) => Some(Found {
                    place: Place::Item(*definer),
                    taken_from: None,
                }),
                Name::Import { path, .. } => {
                    let step = (at, name.to_owned(), i);
                    if trail.contains(&step) {
                        continue;
                    }
                    trail.push(step);
                    let found = self.follow(at, path, trail);
                    trail.pop();
                    match found {
                        _ if own => found,
                        Some(found) => Some(Found {
                            taken_from: Some(at),
                            ..found
                        }),
                        // The item is from another crate, and this module re-exports it.
                        None => Some(Found::item(at)),
                    }
                }
            };
            meanings.extend(found);
        }
        if !module.names.contains_key(name) {
            meanings.extend(self.through_globs(at, name, more, own, trail));
        }
        let preferred = |found: &&Found| matches!(found.place, Place::Module(_)) == more;
        meanings
            .iter()
            .find(preferred)
            .or(meanings.first())
            .copied()
    }

    /// Returns the meaning of a name in the modules whose names are all imported.
    fn through_globs(
        &self,
        at: usize,
        name: &str,
        more: bool,
        own: bool,
        trail: &mut Trail,
    ) -> Option<Found> {
        let step = (at, name.to_owned(), usize::MAX);
        if trail.contains(&step) {
            return None;
        }
        trail.push(step);
        let found = self.modules[at].globs.iter().find_map(|glob| {
            let Place::Module(target) = self.follow(at, glob, trail)?.place else {
                return None;
            };
            self.member(target, name, more, false, trail)
        });
        trail.pop();
        found.map(|found| Found {
            taken_from: if own { found.taken_from } else { Some(at) },
            ..found
        })
    }
}

impl Found {
    fn item(module: usize) -> Self {
        Self {
            place: Place::Item(module),
            taken_from: Some(module),
        }
    }
}
