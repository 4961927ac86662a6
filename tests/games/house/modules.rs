//! Reads the modules of a crate and their imports from the sources.
//!
//! A module imports from another if it names one of its items in a `use` or a path, also through re-exports.
//! Re-exports themselves and tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// A path to a module or an item, from the root of the crate or as written in a module.
type Names = Vec<String>;

/// The modules of a crate by their paths from the root.
pub(super) struct Modules(BTreeMap<Names, Module>);

#[derive(Default)]
struct Module {
    /// The items that it defines.
    items: BTreeSet<String>,
    types: BTreeSet<String>,
    /// The meaning of the names that it imports or re-exports.
    uses: BTreeMap<String, Names>,
    globs: Vec<Names>,
    /// The paths that it names, without re-exports.
    paths: Vec<Names>,
}

impl Modules {
    /// Reads every file of a crate.
    pub(super) fn read(src: &Path) -> Self {
        let mut modules = BTreeMap::new();
        for path in super::sources(src) {
            let file = path.strip_prefix(src).unwrap().with_extension("");
            let mut name: Names = file.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if ["lib", "main", "mod"].contains(&name.last().unwrap().as_str()) {
                name.pop();
            }
            let file = syn::parse_file(&super::read(&path)).unwrap();
            let mut module = Module::default();
            module.visit_file(&file);
            modules.insert(name, module);
        }
        Self(modules)
    }

    /// Returns the types that each module defines.
    pub(super) fn types(&self) -> impl Iterator<Item = (String, Vec<String>)> {
        self.0.iter().map(|(name, module)| (name.join("::"), module.types.iter().cloned().collect()))
    }

    /// Returns the modules that each module imports from.
    pub(super) fn imports(&self) -> BTreeMap<String, BTreeSet<String>> {
        let shown = |name: &Names| if name.is_empty() { "the root".to_owned() } else { name.join("::") };
        let of = |(name, module): (&Names, &Module)| {
            let found = module.paths.iter().filter_map(|path| self.home(name, path, 0));
            let others = found.filter(|home| home != name).map(|home| shown(&home)).collect();
            (shown(name), others)
        };
        self.0.iter().map(of).collect()
    }

    /// Returns the modules that the paths of each module name literally. Re-exports belong to the
    /// re-exporting module.
    pub(super) fn named(&self) -> BTreeMap<String, BTreeSet<String>> {
        let of = |(name, module): (&Names, &Module)| {
            let found = module.paths.iter().chain(&module.globs).chain(module.uses.values());
            let found = found.filter_map(|path| self.written(name, path)).filter(|found| found != name);
            (name.join("::"), found.map(|found| found.join("::")).collect())
        };
        self.0.iter().map(of).collect()
    }

    /// Returns the last module on a path.
    fn written(&self, module: &Names, path: &[String]) -> Option<Names> {
        let mut at = module.clone();
        let mut is_here = false;
        for name in path {
            match name.as_str() {
                "crate" => at.clear(),
                "super" => drop(at.pop()),
                "self" => {}
                _ => {
                    at.push(name.clone());
                    if !self.0.contains_key(&at) {
                        at.pop();
                        break;
                    }
                }
            }
            is_here = true;
        }
        is_here.then_some(at)
    }

    /// Returns the paths that each module names in other crates.
    pub(super) fn outside(&self) -> BTreeMap<String, BTreeSet<String>> {
        let of = |(name, module): (&Names, &Module)| {
            let outside = |path: &&Names| {
                let first = path.first().map(String::as_str).unwrap_or_default();
                let here: Names = name.iter().cloned().chain([first.to_owned()]).collect();
                !["crate", "super", "self", "Self"].contains(&first)
                    && !module.items.contains(first)
                    && !module.uses.contains_key(first)
                    && !self.0.contains_key(&here)
            };
            let used = module.uses.values().chain(&module.globs).filter(|path| !path.is_empty());
            let named = module.paths.iter().chain(used).filter(outside).map(|path| path.join("::"));
            (name.join("::"), named.collect())
        };
        self.0.iter().map(of).collect()
    }

    /// Returns the module that defines an item named in a module. Returns `None` for modules and items of
    /// other crates.
    fn home(&self, module: &Names, path: &[String], depth: u8) -> Option<Names> {
        let mut at = module.clone();
        let mut rest = path;
        let mut is_here = false;
        while let [first, more @ ..] = rest {
            match first.as_str() {
                "crate" => at.clear(),
                "super" => drop(at.pop()),
                "self" => {}
                _ => break,
            }
            (rest, is_here) = (more, true);
        }
        while let [first, more @ ..] = rest {
            let child: Names = at.iter().chain([first]).cloned().collect();
            if self.0.contains_key(&child) {
                (at, rest, is_here) = (child, more, true);
                continue;
            }
            let here = self.0.get(&at)?;
            if here.items.contains(first) {
                return Some(at);
            }
            if depth > 8 {
                return None;
            }
            if let Some(used) = here.uses.get(first).filter(|used| *used != path || at != *module) {
                let whole: Names = used.iter().chain(more).cloned().collect();
                return self.home(&at, &whole, depth + 1);
            }
            let globbed = here.globs.iter().find_map(|glob| {
                let whole: Names = glob.iter().chain(rest).cloned().collect();
                self.home(&at, &whole, depth + 1)
            });
            return globbed.or(if is_here { Some(at) } else { None });
        }
        None
    }
}

impl<'ast> Visit<'ast> for Module {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the list of Rust's items is not ours and not closed")]
    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Struct(item) => Some((item.ident.to_string(), true)),
            Item::Enum(item) => Some((item.ident.to_string(), true)),
            Item::Trait(item) => Some((item.ident.to_string(), true)),
            Item::Type(item) => Some((item.ident.to_string(), true)),
            Item::Fn(item) => Some((item.sig.ident.to_string(), false)),
            Item::Const(item) => Some((item.ident.to_string(), false)),
            Item::Static(item) => Some((item.ident.to_string(), false)),
            _ => None,
        };
        if let Some((name, is_type)) = name {
            if is_type {
                self.types.insert(name.clone());
            }
            self.items.insert(name);
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_import = matches!(item.vis, Visibility::Inherited);
        self.take(&item.tree, &mut Vec::new(), is_import);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

impl Module {
    fn take(&mut self, tree: &UseTree, before: &mut Names, is_import: bool) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.take(&path.tree, before, is_import);
                before.pop();
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.take(tree, before, is_import));
            }
            UseTree::Glob(_) => {
                self.globs.push(before.clone());
            }
            UseTree::Name(name) => {
                self.name(name.ident.to_string(), name.ident.to_string(), before, is_import)
            }
            UseTree::Rename(name) => {
                self.name(name.ident.to_string(), name.rename.to_string(), before, is_import);
            }
        }
    }

    fn name(&mut self, name: String, here: String, before: &Names, is_import: bool) {
        let path: Names = before.iter().cloned().chain((name != "self").then_some(name)).collect();
        let here = if here == "self" { before.last().cloned().unwrap_or_default() } else { here };
        if is_import {
            self.paths.push(path.clone());
        }
        self.uses.insert(here, path);
    }
}

pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|argument| argument == "test")
    })
}

/// Returns a cycle of modules, if there is one.
pub(super) fn circle(graph: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    let mut way = Vec::new();
    graph.keys().find_map(|module| walk(graph, module, &mut way, &mut done))
}

fn walk(
    graph: &BTreeMap<String, BTreeSet<String>>,
    module: &str,
    way: &mut Vec<String>,
    done: &mut BTreeSet<String>,
) -> Option<Vec<String>> {
    if let Some(start) = way.iter().position(|passed| passed == module) {
        return Some(way[start..].iter().cloned().chain([module.to_owned()]).collect());
    }
    if !done.insert(module.to_owned()) {
        return None;
    }
    way.push(module.to_owned());
    let found =
        graph.get(module).and_then(|others| others.iter().find_map(|other| walk(graph, other, way, done)));
    way.pop();
    found
}

#[test]
fn a_circle_is_found_with_the_way_around_it_and_no_circle_is_found_where_there_is_none() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in edges {
            graph.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        graph
    };
    assert_eq!(circle(&graph(&[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])), None);
    let around = circle(&graph(&[("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")])).unwrap();
    assert_eq!(around, ["b", "c", "d", "b"]);
}
