//! The modules of one crate: the names that each defines, imports and mentions.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use syn::visit::Visit as _;
use syn::{Attribute, Item, ItemMacro, Meta};

use super::mentions::{Mention, Mentions, attributes, only_tests};

/// The modules of a library or of a program; the first is its root.
#[derive(Default)]
pub(super) struct Crate {
    pub(super) modules: Vec<Module>,
    /// The modules that define the macros of the crate.
    pub(super) macros: HashMap<String, Vec<usize>>,
}

/// A module: a file, or an inline module in it.
pub(super) struct Module {
    pub(super) file: String,
    pub(super) parent: Option<usize>,
    /// The meanings of each name: it can be a module, a type and a function.
    pub(super) names: HashMap<String, Vec<Name>>,
    pub(super) globs: Vec<Vec<String>>,
    pub(super) mentions: Vec<Mention>,
}

/// The meaning of a name in a module.
pub(super) enum Name {
    /// An item that this module defines.
    Item,
    Module(usize),
    /// A macro that another module exports to the root.
    Macro(usize),
    Import {
        path: Vec<String>,
        private: bool,
    },
}

/// A function that reads a file of the crate, and returns `None` if it does not exist.
pub(super) type Read<'a> = &'a dyn Fn(&Path) -> Option<String>;

impl Crate {
    /// Reads all modules of the crate whose root is this file, except those of its tests.
    pub(super) fn read(root: &Path, read: Read<'_>) -> Result<Self> {
        let mut krate = Self::default();
        let folder = root.parent().unwrap_or(Path::new(""));
        krate.file(root, folder, None, read)?;
        Ok(krate)
    }

    /// The number of files.
    pub(super) fn files(&self) -> usize {
        let files = self.modules.iter().map(|module| &module.file);
        files.collect::<HashSet<_>>().len()
    }

    /// Reads a file, whose child modules are in a folder.
    fn file(
        &mut self,
        file: &Path,
        children: &Path,
        parent: Option<usize>,
        read: Read<'_>,
    ) -> Result<usize> {
        let name = file.to_string_lossy().replace('\\', "/");
        let text = read(file).with_context(|| format!("{name} is missing"))?;
        let syntax = syn::parse_file(&text).with_context(|| name.clone())?;
        let module = self.add(name, parent);
        self.items(module, &syntax.items, children, read)?;
        Ok(module)
    }

    fn add(&mut self, file: String, parent: Option<usize>) -> usize {
        self.modules.push(Module {
            file,
            parent,
            names: HashMap::new(),
            globs: Vec::new(),
            mentions: Vec::new(),
        });
        self.modules.len() - 1
    }

    fn name(&mut self, module: usize, name: String, what: Name) {
        if let Some(module) = self.modules.get_mut(module) {
            module.names.entry(name).or_default().push(what);
        }
    }

    fn items(
        &mut self,
        module: usize,
        items: &[Item],
        children: &Path,
        read: Read<'_>,
    ) -> Result<()> {
        for item in items.iter().filter(|item| !only_tests(attributes(item))) {
            let Item::Mod(child) = item else {
                self.item(module, item);
                continue;
            };
            let name = child.ident.to_string();
            let folder = children.join(&name);
            let index = if let Some((_, items)) = &child.content {
                let file = self.modules[module].file.clone();
                let index = self.add(file, Some(module));
                self.items(index, items, &folder, read)?;
                index
            } else {
                let (file, folder) = self.find(module, child, children, read);
                self.file(&file, &folder, Some(module), read)?
            };
            self.name(module, name, Name::Module(index));
        }
        Ok(())
    }

    /// The file of a module, and the folder of its children.
    fn find(
        &self,
        module: usize,
        child: &syn::ItemMod,
        children: &Path,
        read: Read<'_>,
    ) -> (PathBuf, PathBuf) {
        let folder = children.join(child.ident.to_string());
        if let Some(path) = child.attrs.iter().find_map(path_attribute) {
            let here = Path::new(&self.modules[module].file).parent();
            let file = here.unwrap_or(Path::new("")).join(path);
            let folder = file.parent().map_or(folder, Path::to_owned);
            return (file, folder);
        }
        let own = folder.with_extension("rs");
        let file = if read(&own).is_some() {
            own
        } else {
            folder.join("mod.rs")
        };
        (file, folder)
    }

    /// Records the names that an item defines and mentions.
    fn item(&mut self, module: usize, item: &Item) {
        let defined = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::TraitAlias(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            Item::Union(item) => Some(&item.ident),
            _ => None,
        };
        if let Some(name) = defined {
            self.name(module, name.to_string(), Name::Item);
        }
        if let Item::Macro(ItemMacro {
            ident: Some(name),
            attrs,
            ..
        }) = item
        {
            let name = name.to_string();
            self.macros.entry(name.clone()).or_default().push(module);
            if attrs
                .iter()
                .any(|attr| attr.path().is_ident("macro_export"))
            {
                self.name(0, name.clone(), Name::Macro(module));
            }
            self.name(module, name, Name::Item);
        }
        let mut mentions = Mentions::default();
        mentions.visit_item(item);
        for (name, path, private) in mentions.imports {
            self.name(module, name, Name::Import { path, private });
        }
        let module = &mut self.modules[module];
        module.globs.extend(mentions.globs);
        module.mentions.extend(mentions.paths);
    }
}

/// The file that `#[path = "..."]` names.
fn path_attribute(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else {
        return None;
    };
    match &pair.value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(path),
            ..
        }) if pair.path.is_ident("path") => Some(path.value()),
        _ => None,
    }
}
