//! Guides, each of which describes a complete task.

/// Sign and check a firmware image.
pub mod firmware {
    #![doc = include_str!("../docs/guides/firmware.md")]
}

/// Import a key that another program made.
pub mod import {
    #![doc = include_str!("../docs/guides/import.md")]
}

/// Sign a file that is on another machine than the key.
pub mod large_files {
    #![doc = include_str!("../docs/guides/large_files.md")]
}

/// Move from another crate.
pub mod moving {
    #![doc = include_str!("../docs/guides/moving.md")]
}

/// The blocks of Rust in the pages that are not guides.
#[cfg(doctest)]
#[doc = include_str!("../docs/introduction.md")]
struct Introduction;
#[cfg(doctest)]
#[doc = include_str!("../docs/recipes.md")]
struct Recipes;
