//! Small crates, and what they import.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use super::Allowed;
use super::arrows::Imports;
use super::syntax::Crate;

/// The imports of a crate of these files.
fn imports(files: &[(&str, &str)]) -> Imports {
    let read = |path: &Path| {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        file.map(|(_, text)| (*text).to_owned())
    };
    Imports::of(&Crate::read(Path::new(files[0].0), &read).unwrap())
}

fn arrows(files: &[(&str, &str)]) -> Vec<String> {
    let arrows = imports(files).arrows;
    arrows
        .keys()
        .map(|(from, to)| format!("{from} {to}"))
        .collect()
}

fn upward(files: &[(&str, &str)]) -> Vec<String> {
    let upward = imports(files).upward;
    upward
        .keys()
        .map(|(from, to)| format!("{from} {to}"))
        .collect()
}

fn cycles(files: &[(&str, &str)]) -> Vec<String> {
    let imports = imports(files);
    let cycles = imports.cycles();
    cycles
        .into_iter()
        .map(|cycle| cycle.into_iter().collect::<Vec<_>>().join(" "))
        .collect()
}

const ROOT: &str = "mod a; mod b; mod c;";

#[test]
fn one_direction_is_no_cycle() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c; pub use c::C;"),
        ("a.rs", "pub struct A;"),
        ("b.rs", "use crate::a::A; pub struct B(A);"),
        (
            "c.rs",
            "use super::{a, b::{self as other}}; pub struct C(a::A, other::B);",
        ),
    ];
    assert_eq!(arrows(&files), ["b.rs a.rs", "c.rs a.rs", "c.rs b.rs"]);
    assert_eq!(cycles(&files), [""; 0]);
    assert_eq!(upward(&files), [""; 0]);
}

#[test]
fn cycle_by_use() {
    let files = [
        ("lib.rs", ROOT),
        ("a.rs", "use crate::b::B; pub struct A;"),
        ("b.rs", "use crate::c::{inner, C}; pub struct B;"),
        (
            "c.rs",
            "use super::a::A as Other; pub mod inner { pub fn f() {} } pub struct C;",
        ),
    ];
    assert_eq!(cycles(&files), ["a.rs b.rs c.rs"]);
    let fault = Allowed::default().check("small", &imports(&files));
    assert_eq!(
        fault,
        ["small: a cycle of 3 files: a.rs, b.rs, c.rs\
          \n  a.rs -> b.rs: crate::b::B (line 1)\
          \n  b.rs -> c.rs: crate::c::C (line 1)\
          \n  c.rs -> a.rs: super::a::A (line 1)"]
    );
}

#[test]
fn cycle_by_paths_in_bodies() {
    let body = "fn f() { let c = 1; if c > 0 { crate::b::g(); } }";
    for a in [
        body,
        "use crate::b; pub fn f() { b::g() }",
        "pub fn f() { println!(\"{}\", crate::b::g()) }",
        "pub fn f(b: &dyn Fn(crate::b::G)) {}",
        "impl crate::b::Trait for u8 {}",
        "macro_rules! m { () => { $crate::b::g() } }",
    ] {
        let b = "pub trait Trait {} pub struct G; pub fn g() { super::a::f() }";
        let files = [("lib.rs", ROOT), ("a.rs", a), ("b.rs", b), ("c.rs", "")];
        assert_eq!(cycles(&files), ["a.rs b.rs"], "{a}");
    }
}

#[test]
fn cycle_of_parent_and_child() {
    let parent = "mod b; pub struct A; pub fn f() { b::g() }";
    for (child, expected) in [
        ("use super::A; pub fn g() {}", ["a.rs a/b.rs"].as_slice()),
        ("pub fn g() {}", &[]),
    ] {
        let files = [("lib.rs", "mod a;"), ("a.rs", parent), ("a/b.rs", child)];
        assert_eq!(cycles(&files), expected);
    }
    // A declaration is not an import.
    let files = [
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod b; pub struct A;"),
        ("a/b.rs", "use super::A;"),
    ];
    assert_eq!(cycles(&files), [""; 0]);
    assert_eq!(upward(&files), [""; 0]);
    // Nor is a re-export, but the use of what it names is.
    for (parent, expected) in [
        (
            "pub(crate) mod b; pub use b::g; pub struct A;",
            [].as_slice(),
        ),
        (
            "mod b; pub use b::g; pub struct A; fn f() { g() }",
            &["a.rs a/b.rs"],
        ),
    ] {
        let child = "use super::A; pub fn g() {}";
        let files = [("lib.rs", "mod a;"), ("a.rs", parent), ("a/b.rs", child)];
        assert_eq!(cycles(&files), expected);
    }
}

#[test]
fn cycle_through_a_reexport() {
    let files = [
        ("lib.rs", "mod a; mod b; pub use b::B;"),
        ("a.rs", "use crate::B; pub struct A;"),
        ("b.rs", "use crate::a::A; pub struct B;"),
    ];
    assert_eq!(cycles(&files), ["a.rs b.rs"]);
    assert_eq!(upward(&files), ["a.rs lib.rs"]);
}

#[test]
fn globs() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c; pub use b::*;"),
        ("a.rs", "use crate::*; pub fn f() { B::new() }"),
        ("b.rs", "pub struct B; use super::c::*;"),
        ("c.rs", "use crate::a::*; use crate::b::*;"),
    ];
    // The struct is in b.rs, and the glob of the root re-exports it.
    assert!(arrows(&files).contains(&"a.rs b.rs".to_owned()));
    assert!(arrows(&files).contains(&"a.rs lib.rs".to_owned()));
    assert_eq!(cycles(&files), ["a.rs b.rs c.rs"]);
    assert_eq!(upward(&files), ["a.rs lib.rs"]);
}

#[test]
fn what_is_upward() {
    let child = |text| {
        let root = "mod a; mod b; pub struct Root; pub use std::fmt::Debug;";
        let a = "use crate::b; mod child; pub const N: usize = 1;";
        upward(&[
            ("lib.rs", root),
            ("a.rs", a),
            ("a/child.rs", text),
            ("b.rs", "pub fn g() {}"),
        ])
    };
    assert_eq!(child("use crate::b::g; use super::super::b;"), [""; 0]);
    assert_eq!(child("use super::N;"), [""; 0]);
    assert_eq!(child("fn f() { super::b::g() }"), ["a/child.rs a.rs"]);
    assert_eq!(child("use crate::Root;"), ["a/child.rs lib.rs"]);
    assert_eq!(child("use crate::Debug;"), ["a/child.rs lib.rs"]);
}

#[test]
fn macros() {
    let files = [
        ("lib.rs", "#[macro_use] mod a; mod b; mod c;"),
        (
            "a.rs",
            "macro_rules! local { () => {} } #[macro_export] macro_rules! public { () => {} }",
        ),
        ("b.rs", "local!(); pub fn local() {}"),
        ("c.rs", "use crate::public; fn f() { let local = 1; }"),
    ];
    assert_eq!(arrows(&files), ["b.rs a.rs", "c.rs a.rs"]);
    assert_eq!(upward(&files), [""; 0]);
}

#[test]
fn tests_are_not_read() {
    let a = "
        #[cfg(test)] mod tests { use crate::b::B; }
        #[cfg(all(test, feature = \"x\"))] mod missing;
        #[cfg(test)] use crate::b::C;
        #[cfg(not(any(test)))] use crate::c::D;
        impl A { #[cfg(test)] fn f() { crate::b::g() } }
        pub struct A;";
    let b = "use crate::a::A;";
    let files = [("lib.rs", ROOT), ("a.rs", a), ("b.rs", b), ("c.rs", "")];
    assert_eq!(arrows(&files), ["a.rs c.rs", "b.rs a.rs"]);
}

#[test]
fn what_is_allowed() {
    let imports = imports(&[
        ("lib.rs", "mod a; pub struct Root;"),
        ("a.rs", "use super::Root;"),
    ]);
    let check = |text: &str| {
        let mut allowed = Allowed::parse(text).unwrap();
        (
            allowed.check("small", &imports).len(),
            allowed.unused().is_some(),
        )
    };
    assert_eq!(check(""), (1, false));
    assert_eq!(
        check("a.rs -> lib.rs: as the standard has it\n"),
        (0, false)
    );
    assert_eq!(check("small: for now"), (0, false));
    assert_eq!(check("# nothing\nother: for now"), (1, true));
    assert_eq!(check("a.rs -> lib.rs: so\nsmall: for now"), (0, true));
    assert!(Allowed::parse("small").is_err());
}
