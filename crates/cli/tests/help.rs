//! The help text of every subcommand is that of the files in `tests/help`. With `MOISSANITE_WRITE_HELP`
//! in the environment, the test writes these files instead.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::common::Folder;

/// The subcommands that a help text lists, without `help` itself.
fn subcommands(help: &str) -> Vec<&str> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").collect()
}

/// The help texts of a subcommand and of all its subcommands, each with its file.
fn collect(folder: &Folder, path: &str, found: &mut Vec<(PathBuf, String)>) {
    let help = String::from_utf8(folder.ok(&format!("{path} --help"))).unwrap();
    // Windows has the name of the file in the usage.
    let help = help.replace("moissanite.exe", "moissanite");
    let names = format!("moissanite {path}");
    let names: Vec<_> = names.split_whitespace().collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help");
    for name in subcommands(&help) {
        collect(folder, &format!("{path} {name}"), found);
    }
    found.push((file.join(names.join("-") + ".txt"), help));
}

#[test]
fn help_texts_are_recorded() {
    let mut found = Vec::new();
    collect(&Folder::new(), "", &mut found);
    assert!(found.len() > 10, "{}", found.len());
    if env::var_os("MOISSANITE_WRITE_HELP").is_some() {
        for (file, help) in &found {
            fs::write(file, help).unwrap();
        }
    }
    for (file, help) in &found {
        let recorded = fs::read_to_string(file).unwrap_or_default();
        assert_eq!(
            recorded.replace("\r\n", "\n"),
            *help,
            "{} differs: MOISSANITE_WRITE_HELP=1 rewrites it",
            file.display()
        );
    }
    let folder = found[0].0.parent().unwrap();
    let count = fs::read_dir(folder).unwrap().count();
    assert_eq!(count, found.len(), "a file in tests/help has no subcommand");
}

#[test]
fn manual_pages() {
    let folder = Folder::new();
    let page = String::from_utf8(folder.ok("man")).unwrap();
    assert!(page.contains(".TH moissanite 1"), "{page}");
    let page = String::from_utf8(folder.ok("man cert verify")).unwrap();
    assert!(page.contains(".TH moissanite-cert-verify 1"), "{page}");
    assert!(page.contains("intermediate"), "{page}");
    folder.fails(2, "man nothing", "there is no such subcommand");
}

#[test]
fn completions() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = String::from_utf8(folder.ok(&format!("completions {shell}"))).unwrap();
        assert!(script.contains("self-sign"), "{shell}");
    }
    folder.fails(2, "completions tcsh", "invalid value");
}
