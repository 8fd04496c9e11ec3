//! The job itself, on a crate with one function and mutants of every kind.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::integer_division_remainder_used,
    reason = "a test may panic and has no secrets"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::list::{Build, Mutant};
use super::order;
use super::scratch::Scratch;
use super::trial::Trial;
use super::verdict::{Verdict, is_test_file};

const MANIFEST: &str = r#"
[package]
name = "mutated"
edition = "2024"
[workspace]
[profile.mutants]
inherits = "dev"
"#;
const LOCK: &str = r#"
version = 4
[[package]]
name = "mutated"
version = "0.0.0"
"#;
/// The next of ten digits, after the last the first.
const LIBRARY: &str = "
pub fn next(digit: usize) -> usize {
    if digit == 9 { 0 } else { digit + 1 }
}
#[cfg(test)]
mod tests;
";
const TESTS: &str = "
#[test]
fn digits() {
    const DIGITS: [usize; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    assert_eq!(crate::next(3), 4);
    assert_eq!(DIGITS[crate::next(9)], 0);
}
#[test]
fn fails() {
    assert_eq!(crate::next(3), 5);
}
";

/// A crate in a folder of its own, which goes with it.
struct Crate(PathBuf);

impl Crate {
    fn new(test: &str) -> Self {
        let name = format!("moissanite-mutants-{}-{test}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let files = [
            ("Cargo.toml", MANIFEST),
            ("Cargo.lock", LOCK),
            ("src/lib.rs", LIBRARY),
            ("src/tests.rs", TESTS),
        ];
        fs::create_dir_all(folder.join("original/src")).unwrap();
        for (file, text) in files {
            fs::write(folder.join("original").join(file), text).unwrap();
        }
        Self(folder)
    }

    fn scratch(&self) -> Scratch {
        let scratch = Scratch::new(self.0.join("copy"), 1);
        let files = ["Cargo.toml", "Cargo.lock", "src/lib.rs", "src/tests.rs"];
        scratch.copy(&self.0.join("original"), &files).unwrap();
        scratch
    }
}

impl Drop for Crate {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn build() -> Build {
    toml::from_str(r#"arguments = ["--lib"]"#).unwrap()
}

fn mutant(find: &str, replace: &str) -> Mutant {
    let text = format!(
        "name = 'one'\nfile = 'src/lib.rs'\nbuild = 'lib'\ntest = 'tests::digits'\n\
         find = '{find}'\nreplace = '{replace}'\ndefect = 'A defect.'"
    );
    toml::from_str(&text).unwrap()
}

#[test]
fn verdicts() {
    let krate = Crate::new("verdicts");
    let (scratch, build) = (krate.scratch(), build());
    let trial = Trial::new(&scratch, &build).unwrap();
    assert!(trial.passes("tests::digits").unwrap() < Duration::from_secs(10));
    for (find, replace, expected) in [
        ("{ 0 }", "{ 1 }", Verdict::Killed),
        ("digit + 1", "digit + 2", Verdict::Killed),
        ("digit == 9", "digit >= 9", Verdict::Survived),
        ("{ 0 }", "{ 0 /* nothing */ }", Verdict::Survived),
    ] {
        let verdict = trial.of(&mutant(find, replace), Duration::from_secs(60));
        assert_eq!(verdict.unwrap(), expected, "{find} {replace}");
    }
    for (find, replace, says) in [
        ("{ 0 }", "{ nothing }", "it does not compile: error[E0425]"),
        // In the test, and in the library; neither is an assertion.
        ("{ 0 }", "{ 10 }", "index out of bounds"),
        (
            "digit + 1",
            "digit - 4",
            "attempt to subtract with overflow",
        ),
        (
            "{ 0 }",
            "{ panic!(\"hello\") }",
            "a panic at src/lib.rs:3: hello",
        ),
        ("{ 0 }", "{ std::process::abort() }", "signal"),
        ("{ 0 }", "{ std::process::exit(1) }", "without a panic"),
        ("{ 0 }", "{ loop {} }", "no end within 2 s"),
    ] {
        let limit = Duration::from_secs(if replace.contains("loop") { 2 } else { 60 });
        match trial.of(&mutant(find, replace), limit).unwrap() {
            Verdict::NotCounted(why) => assert!(why.contains(says), "{replace}: {why}"),
            verdict => panic!("{replace}: {verdict}"),
        }
    }
    let left = fs::read_to_string(scratch.tree().join("src/lib.rs")).unwrap();
    assert_eq!(left, LIBRARY, "the file is restored");
}

#[test]
fn a_test_has_to_exist_and_to_pass() {
    let krate = Crate::new("baseline");
    let (scratch, build) = (krate.scratch(), build());
    let trial = Trial::new(&scratch, &build).unwrap();
    let error = |test| trial.passes(test).unwrap_err().to_string();
    assert!(error("tests::absent").starts_with("there is no test tests::absent"));
    assert!(error("tests").starts_with("there is no test tests,"));
    assert!(error("tests::fails").starts_with("tests::fails fails without a mutant"));
}

/// A copy has the files of the tree, and no others, however it was left.
#[test]
fn copies() {
    let krate = Crate::new("copies");
    let scratch = krate.scratch();
    let file = |name: &str| scratch.tree().join(name);
    fs::write(file("src/lib.rs"), "left by a run that was ended").unwrap();
    fs::write(file("src/new.rs"), "").unwrap();
    let modified = |name: &str| fs::metadata(file(name)).unwrap().modified().unwrap();
    let before = modified("src/tests.rs");
    let scratch = krate.scratch();
    assert_eq!(fs::read_to_string(file("src/lib.rs")).unwrap(), LIBRARY);
    assert!(!file("src/new.rs").exists());
    assert_eq!(
        modified("src/tests.rs"),
        before,
        "what is the same is not written"
    );
    drop(scratch);
}

#[test]
fn texts_are_found() {
    let text = "one two two";
    assert_eq!(mutant("one", "1").patch(text).unwrap(), "1 two two");
    let error = |mutant: &Mutant| mutant.patch(text).unwrap_err().to_string();
    assert!(error(&mutant("three", "3")).contains("does not contain the text"));
    let mut second = mutant("two", "2");
    assert!(error(&second).contains("contains the text 2 times; `occurrence`"));
    second.occurrence = Some(2);
    assert_eq!(second.patch(text).unwrap(), "one two 2");
    for wrong in [0, 3] {
        second.occurrence = Some(wrong);
        assert!(error(&second).contains("contains the text 2 times"));
    }
}

#[test]
fn files_of_tests() {
    for file in [
        "crates/core/src/tests/hint.rs",
        "src/tests.rs",
        "crates/cli/tests/main.rs",
    ] {
        assert!(is_test_file(file), "{file}");
    }
    for file in ["crates/core/src/encode/hint.rs", "src/testing.rs"] {
        assert!(!is_test_file(file), "{file}");
    }
}

/// Wherever a sample begins, each mutant is tried once, and never with those of another build.
#[test]
fn order_of_a_sample() {
    let mutants: Vec<Mutant> = (0..25)
        .map(|i| {
            let mut mutant = mutant("a", "b");
            mutant.name = i.to_string();
            mutant.build = if i < 11 { "one" } else { "two" }.to_owned();
            mutant
        })
        .collect();
    let mutants: Vec<&Mutant> = mutants.iter().collect();
    for start in 0..mutants.len() {
        let slices = order::rotated(&mutants, start);
        let mut names = Vec::new();
        for slice in &slices {
            assert!(slice.mutants.len() <= 8);
            assert!(
                slice
                    .mutants
                    .iter()
                    .all(|mutant| mutant.build == slice.build)
            );
            names.extend(slice.mutants.iter().map(|mutant| mutant.name.clone()));
        }
        let expected: Vec<_> = (0..25).map(|i| ((start + i) % 25).to_string()).collect();
        assert_eq!(names, expected);
    }
    assert_eq!(order::slices(&mutants).len(), 2);
}

/// The list is of this tree: reading it checks that each text is there, and each name once.
#[test]
fn the_list() {
    let list = super::List::read(Path::new(crate::process::root())).unwrap();
    assert!(list.mutants.len() >= 120);
    for mutant in &list.mutants {
        assert!(mutant.find != mutant.replace, "{}", mutant.name);
        assert!(mutant.defect.ends_with('.'), "{}", mutant.name);
    }
}
