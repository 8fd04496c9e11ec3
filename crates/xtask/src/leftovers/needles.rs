//! The sequences that must not be in memory, and the search for them.

use std::collections::HashMap;

/// The number of consecutive bytes that must not be left.
const BYTES: usize = 8;
/// The number of consecutive coefficients that must not be left.
const COEFFICIENTS: usize = 32;
/// The number of consecutive bytes of packed y that must not be left. A signature contains shorter
/// sequences, where consecutive coefficients of cs₁ are zero.
const MASK_BYTES: usize = 16;
/// The lengths of the sequences; [`COEFFICIENTS`] have one, two or four bytes each.
const WIDTHS: [usize; 5] = [
    BYTES,
    MASK_BYTES,
    COEFFICIENTS,
    2 * COEFFICIENTS,
    4 * COEFFICIENTS,
];
/// An odd number without structure.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const FILTER_BITS: u32 = 20;
const PAGE: usize = 4096;

/// Sequences that must not be in memory.
pub(crate) struct Needles {
    secrets: Vec<Secret>,
    /// For each of [`WIDTHS`].
    windows: [Windows; WIDTHS.len()],
}

struct Secret {
    name: String,
    bytes: Vec<u8>,
}

/// All sequences of one length, by their hashes.
struct Windows {
    /// The secret, and the offset in it.
    known: HashMap<u64, (usize, usize)>,
    /// Whether a hash can be among them, by its highest bits.
    filter: Vec<bool>,
}

/// A sequence that was found.
pub(crate) struct Found {
    /// The secret and its representation.
    pub(crate) name: String,
    /// The offset in the secret, in bytes.
    pub(crate) at: usize,
    /// The offset in the searched memory, in bytes.
    pub(crate) place: usize,
    /// The number of consecutive bytes.
    pub(crate) len: usize,
}

impl Needles {
    pub(crate) fn new() -> Self {
        Self {
            secrets: Vec::new(),
            windows: WIDTHS.map(|_| Windows {
                known: HashMap::new(),
                filter: vec![false; 1 << FILTER_BITS],
            }),
        }
    }

    /// Adds a secret of which no [`BYTES`] consecutive bytes may be left.
    pub(crate) fn add_bytes(&mut self, name: &str, bytes: &[u8]) {
        self.add(name.to_owned(), bytes.to_vec(), BYTES, 1);
    }

    /// Adds packed coefficients of y.
    pub(crate) fn add_mask(&mut self, name: &str, bytes: &[u8]) {
        self.add(name.to_owned(), bytes.to_vec(), MASK_BYTES, 1);
    }

    /// Adds a polynomial, of which no [`COEFFICIENTS`] consecutive coefficients may be left in any integer
    /// type that holds them. With an offset, which bounds the coefficients, the packed form is added too.
    pub(crate) fn add_polynomial(&mut self, name: &str, coefficients: &[i32], eta: Option<i32>) {
        let fits = |max: i32| coefficients.iter().all(|c| c.abs() <= max);
        let in_words = |sign: i32| {
            coefficients
                .iter()
                .flat_map(move |c| (sign * c).to_le_bytes())
        };
        self.add(
            format!("{name}, i32"),
            in_words(1).collect(),
            4 * COEFFICIENTS,
            4,
        );
        self.add(
            format!("−{name}, i32"),
            in_words(-1).collect(),
            4 * COEFFICIENTS,
            4,
        );
        for sign in [1, -1] {
            let prefix = if sign == 1 { "" } else { "−" };
            if fits(i16::MAX.into()) {
                let bytes = coefficients
                    .iter()
                    .flat_map(|c| ((sign * c) as i16).to_le_bytes());
                let name = format!("{prefix}{name}, i16");
                self.add(name, bytes.collect(), 2 * COEFFICIENTS, 2);
            }
            if fits(i8::MAX.into()) {
                let bytes = coefficients.iter().map(|c| (sign * c) as u8);
                self.add(
                    format!("{prefix}{name}, i8"),
                    bytes.collect(),
                    COEFFICIENTS,
                    1,
                );
            }
        }
        if let Some(eta) = eta {
            let offset: Vec<_> = coefficients.iter().map(|c| eta - c).collect();
            let bytes = offset.iter().map(|c| *c as u8);
            self.add(format!("η − {name}, i8"), bytes.collect(), COEFFICIENTS, 1);
            let bytes = offset.iter().flat_map(|c| c.to_le_bytes());
            self.add(
                format!("η − {name}, i32"),
                bytes.collect(),
                4 * COEFFICIENTS,
                4,
            );
        }
    }

    fn add(&mut self, name: String, bytes: Vec<u8>, width: usize, step: usize) {
        let Some(windows) = WIDTHS.iter().position(|known| *known == width) else {
            return;
        };
        let windows = &mut self.windows[windows];
        for (at, hash) in hashes(&bytes, width).enumerate().step_by(step) {
            // Constant sequences also occur without a secret.
            if bytes[at..at + width].iter().all(|byte| *byte == bytes[at]) {
                continue;
            }
            windows.known.insert(hash, (self.secrets.len(), at));
            windows.filter[filtered(hash)] = true;
        }
        self.secrets.push(Secret { name, bytes });
    }

    /// Returns the longest sequences in this memory.
    pub(crate) fn search(&self, memory: &[u8]) -> Vec<Found> {
        let mut found = Vec::new();
        for (windows, width) in self.windows.iter().zip(WIDTHS) {
            for part in occupied(memory) {
                // The memory around these pages is zero, and a sequence can begin and end with zeros.
                let start = part.start.saturating_sub(width);
                let end = memory.len().min(part.end + width);
                self.search_part(windows, width, memory, start..end, &mut found);
            }
        }
        found
    }

    fn search_part(
        &self,
        windows: &Windows,
        width: usize,
        memory: &[u8],
        part: std::ops::Range<usize>,
        found: &mut Vec<Found>,
    ) {
        let mut next = part.start;
        for (place, hash) in (part.start..).zip(hashes(&memory[part], width)) {
            if place < next || !windows.filter[filtered(hash)] {
                continue;
            }
            let Some((secret, at)) = windows.known.get(&hash) else {
                continue;
            };
            let Secret { name, bytes } = &self.secrets[*secret];
            let pairs = bytes[*at..].iter().zip(&memory[place..]);
            let len = pairs.take_while(|(a, b)| a == b).count();
            if len >= width {
                next = place + len;
                found.push(Found {
                    name: name.clone(),
                    at: *at,
                    place,
                    len,
                });
            }
        }
    }
}

/// The hashes of all sequences of `width` bytes, from the first on.
fn hashes(bytes: &[u8], width: usize) -> impl Iterator<Item = u64> {
    let power = (0..=width).fold(1_u64, |power, _| power.wrapping_mul(FACTOR));
    let mut hash = 0_u64;
    let hashes = bytes.iter().enumerate().map(move |(at, byte)| {
        hash = hash.wrapping_add(u64::from(*byte)).wrapping_mul(FACTOR);
        if let Some(gone) = at.checked_sub(width) {
            hash = hash.wrapping_sub(power.wrapping_mul(bytes[gone].into()));
        }
        hash
    });
    hashes.skip(width - 1)
}

fn filtered(hash: u64) -> usize {
    (hash >> (u64::BITS - FILTER_BITS)) as usize
}

/// The parts of memory that are not all zero, in whole pages.
fn occupied(memory: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
    for (page, bytes) in memory.chunks(PAGE).enumerate() {
        if bytes.iter().all(|byte| *byte == 0) {
            continue;
        }
        let start = page * PAGE;
        match parts.last_mut() {
            Some(last) if last.end == start => last.end += bytes.len(),
            _ => parts.push(start..start + bytes.len()),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_memory_is_found_where_it_is() {
        let secret: Vec<u8> = (0..32).map(|i: u8| i.wrapping_mul(37) ^ 0x5a).collect();
        let poly: Vec<i32> = (0..256_i32)
            .map(|i| (i * i + 3 * i).rem_euclid(5) - 2)
            .collect();
        let mut needles = Needles::new();
        needles.add_bytes("seed", &secret);
        needles.add_polynomial("s1", &poly, Some(2));
        let mut memory = vec![0; 5 * PAGE];
        assert!(needles.search(&memory).is_empty());
        // Seven bytes are too few. The other cases are across pages and at the end.
        memory[100..107].copy_from_slice(&secret[3..10]);
        assert!(needles.search(&memory).is_empty());
        memory[2 * PAGE - 4..2 * PAGE + 4].copy_from_slice(&secret[24..]);
        let coefficients: Vec<u8> = poly[100..132].iter().map(|c| *c as u8).collect();
        let end = memory.len() - COEFFICIENTS;
        memory[end..].copy_from_slice(&coefficients);
        let found = needles.search(&memory);
        let found: Vec<_> = found
            .iter()
            .map(|f| (f.name.as_str(), f.place, f.len))
            .collect();
        assert_eq!(
            found,
            [("seed", 2 * PAGE - 4, 8), ("s1, i8", end, COEFFICIENTS)]
        );
    }
}
