//! The paths in the text of an item, and what its `use` declarations import.

use std::iter::Peekable;

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Ident, ImplItem, Item, ItemMacro, ItemUse, Meta, Token, TraitItem, UseTree,
    Visibility,
};

/// A path in the text of a module.
pub(super) struct Mention {
    pub(super) path: Vec<String>,
    pub(super) line: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// A path in a signature or a body.
    Path,
    /// The name of a macro that is called.
    Macro,
    /// A private `use` declaration of one name.
    Import,
    /// A private `use` declaration of all names at the path.
    Glob,
    /// A name, or all names at the path, that a `use` declaration re-exports.
    Reexport,
}

/// All paths in an item, and what its `use` declarations, or those in its bodies, import.
#[derive(Default)]
pub(super) struct Mentions {
    pub(super) paths: Vec<Mention>,
    /// The name, the path, and whether the declaration is private.
    pub(super) imports: Vec<(String, Vec<String>, bool)>,
    pub(super) globs: Vec<Vec<String>>,
}

impl Mentions {
    fn add(&mut self, path: Vec<String>, line: usize, kind: Kind) {
        self.paths.push(Mention { path, line, kind });
    }

    fn path(&mut self, path: &syn::Path, kind: Kind) {
        if let (None, Some(first)) = (&path.leading_colon, path.segments.first()) {
            let words = path.segments.iter().map(|word| word.ident.to_string());
            self.add(words.collect(), line(first.ident.span()), kind);
        }
    }

    /// The paths of the branches of a `use` declaration.
    fn branches(&mut self, mut path: Vec<String>, tree: &UseTree, hands_on: bool) {
        match tree {
            UseTree::Path(branch) => {
                path.push(branch.ident.to_string());
                self.branches(path, &branch.tree, hands_on);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.branches(path.clone(), tree, hands_on);
                }
            }
            UseTree::Glob(glob) => {
                self.globs.push(path.clone());
                let kind = if hands_on { Kind::Reexport } else { Kind::Glob };
                self.add(path, line(glob.star_token.spans[0]), kind);
            }
            UseTree::Name(name) => self.import(path, &name.ident, &name.ident, hands_on),
            UseTree::Rename(name) => self.import(path, &name.ident, &name.rename, hands_on),
        }
    }

    fn import(&mut self, mut path: Vec<String>, name: &Ident, here: &Ident, hands_on: bool) {
        // `use a::{self}` imports `a`.
        let here = if name == "self" && name == here {
            path.last().cloned().unwrap_or_default()
        } else {
            here.to_string()
        };
        if name != "self" {
            path.push(name.to_string());
        }
        self.imports.push((here, path.clone(), !hands_on));
        let kind = if hands_on {
            Kind::Reexport
        } else {
            Kind::Import
        };
        self.add(path, line(name.span()), kind);
    }

    /// The paths in the arguments of a macro. In the definition of a macro, single words belong to its
    /// callers.
    fn tokens(&mut self, tokens: TokenStream, single_words: bool) {
        let mut tokens = tokens.into_iter().peekable();
        let mut path: Vec<String> = Vec::new();
        let (mut start, mut after_dot) = (0, false);
        while let Some(token) = tokens.next() {
            let is_member = after_dot;
            after_dot = is_punct(Some(&token), '.');
            match token {
                TokenTree::Ident(word) if !is_member => {
                    if path.is_empty() {
                        start = line(word.span());
                    }
                    path.push(word.to_string());
                    if joins(&mut tokens) {
                        continue;
                    }
                }
                TokenTree::Group(group) => self.tokens(group.stream(), single_words),
                _ => {}
            }
            let found = std::mem::take(&mut path);
            if found.len() > usize::from(!single_words) {
                let kind = if is_punct(tokens.peek(), '!') {
                    Kind::Macro
                } else {
                    Kind::Path
                };
                self.add(found, start, kind);
            }
        }
    }
}

fn line(span: proc_macro2::Span) -> usize {
    span.start().line
}

/// Returns whether `::` and a word come next, and skips the `::`.
fn joins(tokens: &mut Peekable<impl Iterator<Item = TokenTree> + Clone>) -> bool {
    let mut ahead = tokens.clone();
    let joins = is_punct(ahead.next().as_ref(), ':')
        && is_punct(ahead.next().as_ref(), ':')
        && matches!(ahead.next(), Some(TokenTree::Ident(_)));
    if joins {
        tokens.nth(1);
    }
    joins
}

fn is_punct(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_item(&mut self, item: &'ast Item) {
        if !only_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => return,
        };
        if !only_tests(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if !matches!(item, TraitItem::Fn(function) if only_tests(&function.attrs)) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if item.leading_colon.is_none() {
            let hands_on = !matches!(item.vis, Visibility::Inherited);
            self.branches(Vec::new(), &item.tree, hands_on);
        }
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        if item.ident.is_some() {
            self.tokens(item.mac.tokens.clone(), false);
        } else {
            self.visit_macro(&item.mac);
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.path(&mac.path, Kind::Macro);
        self.tokens(mac.tokens.clone(), true);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.path(path, Kind::Path);
        visit::visit_path(self, path);
    }
}

pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an item is compiled for tests alone.
pub(super) fn only_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let condition = attribute
            .path()
            .is_ident("cfg")
            .then(|| attribute.parse_args());
        matches!(condition, Some(Ok(condition)) if holds(&condition) == Some(false))
    })
}

/// Whether a condition holds outside tests, where that follows from `test` alone.
fn holds(condition: &Meta) -> Option<bool> {
    let Meta::List(list) = condition else {
        return condition.path().is_ident("test").then_some(false);
    };
    let inner = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let inner: Vec<_> = inner.ok()?.iter().map(holds).collect();
    let decided_by = |value| inner.contains(&Some(value)).then_some(value);
    let all = |value| inner.iter().all(|found| *found == Some(value));
    if list.path.is_ident("not") {
        inner.first()?.map(|holds| !holds)
    } else if list.path.is_ident("all") {
        decided_by(false).or_else(|| all(true).then_some(true))
    } else {
        decided_by(true).or_else(|| all(false).then_some(false))
    }
}
