//! The code that the fuzz targets share. The first byte of an input chooses the parameter set.
//!
//! The bytes of an input have the same meaning on every machine, so that `cargo xtask fuzz-corpus`
//! can write seeds. Missing bytes at the end of an input are zero.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Mutex;

use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87};

/// One run of a target, for any parameter set.
pub trait Target {
    /// Runs the target on an input without its first byte, and panics if a property does not hold.
    fn run<P: Fips204>(input: Input<'_>);
}

/// Runs a target with the parameter set that the input asks for.
pub fn run<T: Target>(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    match input.byte() % 3 {
        0 => T::run::<MlDsa44>(input),
        1 => T::run::<MlDsa65>(input),
        _ => T::run::<MlDsa87>(input),
    }
}

/// The unread rest of an input.
#[derive(Clone, Copy)]
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// All of it.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }

    /// The next two bytes as a number.
    pub fn number(&mut self) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()]))
    }

    /// The next bytes, or fewer at the end.
    pub fn take(&mut self, most: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(most.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Fills `bytes`.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        let taken = self.take(bytes.len());
        bytes[..taken.len()].copy_from_slice(taken);
        bytes[taken.len()..].fill(0);
    }

    /// The next `LEN` bytes.
    pub fn array<const LEN: usize>(&mut self) -> [u8; LEN] {
        let mut array = [0; LEN];
        self.fill(&mut array);
        array
    }

    /// A length in one byte, and this number of bytes.
    pub fn short(&mut self) -> &'a [u8] {
        let len = self.byte();
        self.take(len.into())
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Everything.
    pub fn rest(self) -> &'a [u8] {
        self.0
    }
}

/// Returns the only value of its type, which is made at the first call and never freed.
pub fn once<T: Send + Sync + 'static>(make: impl FnOnce() -> T) -> &'static T {
    type CachedMatrix = HashMap<TypeId, &'static (dyn Any + Send + Sync)>;
    static KEPT: Mutex<Option<CachedMatrix>> = Mutex::new(None);
    let mut kept = KEPT.lock().expect("no run panics and goes on");
    let value = *kept
        .get_or_insert_default()
        .entry(TypeId::of::<T>())
        .or_insert_with(|| Box::leak(Box::new(make())));
    value.downcast_ref().expect("it is kept under its type")
}

/// Fails if a message repeats `most` characters of base64 that stand together in the input, where they could
/// be part of a key.
pub fn assert_hidden(message: &str, input: &[u8], most: usize) {
    let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let windows = message.as_bytes().windows(most);
    for window in windows.filter(|window| window.iter().all(is_of_key)) {
        let repeated = input.windows(most).any(|other| other == window);
        assert!(!repeated, "the message repeats its input: {message}");
    }
}
