//! Vector instructions that move lanes.

use anyhow::{Context, Result, ensure};
use iced_x86::{Instruction, Mnemonic as M, OpKind};

use super::operands::{sources, width};
use super::state::{X86, number};
use crate::lanes::{regroup, select};
use crate::terms::{Term, choose, constant};

impl X86<'_> {
    /// Executes an instruction that moves lanes; returns false if it is not one.
    pub(super) fn shuffle(&mut self, i: &Instruction) -> Result<bool> {
        let done = self.shuffle_within_128(i)? || self.shuffle_across(i)?;
        Ok(done || self.shift_bytes(i)? || self.blend(i)?)
    }

    /// Returns the units of the two sources.
    fn both(&mut self, i: &Instruction, unit: u32) -> Result<(Vec<Term>, Vec<Term>)> {
        let (first, second) = sources(i);
        let bits = width(i, 0)?;
        let a = self.units(i, first, bits, unit)?;
        Ok((a, self.units(i, second, bits, unit)?))
    }

    fn shuffle_within_128(&mut self, i: &Instruction) -> Result<bool> {
        let bits = || width(i, 0);
        let last = i.op_count().saturating_sub(1);
        match i.mnemonic() {
            M::Pshufd | M::Vpshufd | M::Vpermilps if i.op_kind(last) == OpKind::Immediate8 => {
                let order = Self::immediate(i, last)?;
                let a = self.units(i, 1, bits()?, 32)?;
                self.put(i, by_four(&a, |_, four, at| four[choice(order, at)]))?;
            }
            M::Vpermilpd if i.op_kind(last) == OpKind::Immediate8 => {
                let order = Self::immediate(i, last)?;
                let a = self.units(i, 1, bits()?, 64)?;
                let out = (0..a.len()).map(|at| a[at & !1 | usize::from(order >> at & 1)]);
                self.put(i, out.collect())?;
            }
            M::Pshuflw | M::Vpshuflw | M::Pshufhw | M::Vpshufhw => {
                // The half of each 128 bits that moves; the other half stays.
                let high = matches!(i.mnemonic(), M::Pshufhw | M::Vpshufhw);
                let order = Self::immediate(i, last)?;
                let a = self.units(i, 1, bits()?, 16)?;
                let moved = |number: usize, four: &[Term], at| {
                    if (number % 2 == 1) == high {
                        four[choice(order, at)]
                    } else {
                        four[at]
                    }
                };
                self.put(i, by_four(&a, moved))?;
            }
            M::Movshdup | M::Vmovshdup => {
                let a = self.units(i, 1, bits()?, 32)?;
                self.put(i, (0..a.len()).map(|at| a[at | 1]).collect())?;
            }
            M::Movsldup | M::Vmovsldup => {
                let a = self.units(i, 1, bits()?, 32)?;
                self.put(i, (0..a.len()).map(|at| a[at & !1]).collect())?;
            }
            M::Shufps | M::Vshufps => {
                let order = Self::immediate(i, last)?;
                let (a, b) = self.both(i, 32)?;
                let from = |at: usize| if at % 4 < 2 { &a } else { &b };
                let out = (0..a.len()).map(|at| from(at)[at / 4 * 4 + choice(order, at % 4)]);
                self.put(i, out.collect())?;
            }
            M::Shufpd | M::Vshufpd => {
                let order = Self::immediate(i, last)?;
                let (a, b) = self.both(i, 64)?;
                let from = |at: usize| if at.is_multiple_of(2) { &a } else { &b };
                let out =
                    (0..a.len()).map(|at| from(at)[at / 2 * 2 + usize::from(order >> at & 1)]);
                self.put(i, out.collect())?;
            }
            M::Pshufb | M::Vpshufb => {
                let (a, by) = self.both(i, 8)?;
                let out = by.iter().enumerate().map(|(at, by)| {
                    let by = index(*by)?;
                    let zero = by & 0x80 != 0;
                    Ok(if zero {
                        constant(8, 0)
                    } else {
                        a[at / 16 * 16 + by % 16]
                    })
                });
                let out: Result<_> = out.collect();
                self.put(i, out?)?;
            }
            _ => {
                let Some((unit, high)) = interleaving(i.mnemonic()) else {
                    return Ok(false);
                };
                let (a, b) = self.both(i, unit)?;
                let each = (128 / unit) as usize;
                let from = |at: usize| {
                    let base = at / each * each + if high { each / 2 } else { 0 };
                    let source = if at.is_multiple_of(2) { &a } else { &b };
                    source[base + at % each / 2]
                };
                self.put(i, (0..a.len()).map(from).collect())?;
            }
        }
        Ok(true)
    }

    fn shuffle_across(&mut self, i: &Instruction) -> Result<bool> {
        let bits = || width(i, 0);
        match i.mnemonic() {
            M::Vperm2i128 | M::Vperm2f128 => {
                let order = Self::immediate(i, 3)?;
                let (a, b) = self.both(i, 64)?;
                let sources = [&a[..2], &a[2..], &b[..2], &b[2..]];
                let zero = [constant(64, 0); 2];
                let out = [order, order >> 4].into_iter().flat_map(|order| {
                    let chosen = sources[usize::from(order & 3)];
                    if order & 8 == 0 { chosen } else { &zero }.to_vec()
                });
                self.put(i, out.collect())?;
            }
            M::Vpermq | M::Vpermpd if i.op_kind(2) == OpKind::Immediate8 => {
                let order = Self::immediate(i, 2)?;
                let a = self.units(i, 1, bits()?, 64)?;
                self.put(i, by_four(&a, |_, four, at| four[choice(order, at)]))?;
            }
            M::Vshufi32x4 | M::Vshuff32x4 => self.shuffle_128(i, 32)?,
            M::Vshufi64x2 | M::Vshuff64x2 => self.shuffle_128(i, 64)?,
            M::Vpcompressd => self.compress(i, 32)?,
            M::Vpcompressq => self.compress(i, 64)?,
            _ => {
                if let Some(unit) = permutation(i.mnemonic()) {
                    let by = self.units(i, 1, bits()?, unit)?;
                    let a = self.units(i, 2, bits()?, unit)?;
                    return self.permute(i, &by, &a);
                }
                let Some((unit, indices_in_target)) = permutation_of_two(i.mnemonic()) else {
                    return Ok(false);
                };
                let target = self.units(i, 0, bits()?, unit)?;
                let first = self.units(i, 1, bits()?, unit)?;
                let (by, mut table) = match indices_in_target {
                    true => (target, first),
                    false => (first, target),
                };
                table.extend(self.units(i, 2, bits()?, unit)?);
                return self.permute(i, &by, &table);
            }
        }
        Ok(true)
    }

    /// Chooses from a table, whose size is a power of two, by low bits.
    fn permute(&mut self, i: &Instruction, by: &[Term], table: &[Term]) -> Result<bool> {
        let out = by.iter().map(|by| select(*by, table));
        self.put(i, out.collect())?;
        Ok(true)
    }

    /// Moves the units that the mask selects to the front, in their order; the others become zero.
    fn compress(&mut self, i: &Instruction, unit: u32) -> Result<()> {
        ensure!(
            i.op0_kind() == OpKind::Register && i.zeroing_masking(),
            "there is no model of this form"
        );
        let units = self.units(i, 1, width(i, 0)?, unit)?;
        let mask = self.masks[number(i.op_mask())];
        let zero = constant(unit, 0);
        let mut front = vec![zero; units.len()];
        // The last unit first: a selected unit moves in before all selected ones above it.
        for (at, unit) in units.into_iter().enumerate().rev() {
            let mut moved = vec![unit];
            moved.extend(&front[..front.len() - 1]);
            let bit = mask.bit(at as u32);
            let chosen = moved.into_iter().zip(front);
            front = chosen
                .map(|(moved, kept)| choose(bit, moved, kept))
                .collect();
        }
        let lanes = regroup(&front, 32);
        let whole = std::array::from_fn(|at| lanes.get(at).copied().unwrap_or(constant(32, 0)));
        self.vectors[number(i.op0_register())] = whole;
        Ok(())
    }

    fn shuffle_128(&mut self, i: &Instruction, unit: u32) -> Result<()> {
        let order = usize::from(Self::immediate(i, 3)?);
        let (a, b) = self.both(i, unit)?;
        let each = (128 / unit) as usize;
        let count = a.len() / each;
        let bits = count.ilog2();
        let out = (0..count).flat_map(|at| {
            let from = if at < count / 2 { &a } else { &b };
            let chosen = order >> (at as u32 * bits) & (count - 1);
            from[each * chosen..][..each].to_vec()
        });
        self.put(i, out.collect())
    }

    fn shift_bytes(&mut self, i: &Instruction) -> Result<bool> {
        let (first, second) = sources(i);
        match i.mnemonic() {
            M::Pslldq | M::Vpslldq | M::Psrldq | M::Vpsrldq => {
                let count = usize::from(Self::immediate(i, second)?).min(16);
                let left = matches!(i.mnemonic(), M::Pslldq | M::Vpslldq);
                let a = self.units(i, first, width(i, 0)?, 8)?;
                let zeros = [constant(8, 0); 16];
                let out = a.chunks(16).flat_map(|a| {
                    let shifted = if left {
                        [&zeros[..count], &a[..16 - count]]
                    } else {
                        [&a[count..], &zeros[..count]]
                    };
                    shifted.concat()
                });
                self.put(i, out.collect())?;
            }
            M::Palignr | M::Vpalignr => {
                let count = usize::from(Self::immediate(i, second + 1)?).min(32);
                let (a, b) = self.both(i, 8)?;
                let out = a.chunks(16).zip(b.chunks(16)).flat_map(|(a, b)| {
                    let both = [b, a, &[constant(8, 0); 16], &[constant(8, 0); 16]].concat();
                    both[count..count + 16].to_vec()
                });
                self.put(i, out.collect())?;
            }
            M::Valignd | M::Valignq => {
                let unit = if i.mnemonic() == M::Valignd { 32 } else { 64 };
                let (a, b) = self.both(i, unit)?;
                let count = usize::from(Self::immediate(i, 3)?) % a.len();
                self.put(i, [&b[count..], &a[..count]].concat())?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn blend(&mut self, i: &Instruction) -> Result<bool> {
        let bits = width(i, 0);
        let unit = match i.mnemonic() {
            M::Pblendw | M::Vpblendw => 16,
            M::Vpblendd | M::Blendps | M::Vblendps => 32,
            M::Blendpd | M::Vblendpd => 64,
            // A choice by a mask: `put` keeps the first source.
            M::Vpblendmb => return self.blend_by_mask(i, 8),
            M::Vpblendmw => return self.blend_by_mask(i, 16),
            M::Vpblendmd | M::Vblendmps => return self.blend_by_mask(i, 32),
            M::Vpblendmq | M::Vblendmpd => return self.blend_by_mask(i, 64),
            _ => return Ok(false),
        };
        ensure!(bits? >= 128, "there is no model of this form");
        let order = Self::immediate(i, i.op_count() - 1)?;
        let (a, b) = self.both(i, unit)?;
        let out = a.into_iter().zip(b).enumerate();
        let out = out.map(|(at, (a, b))| if order >> (at % 8) & 1 == 1 { b } else { a });
        self.put(i, out.collect())?;
        Ok(true)
    }

    fn blend_by_mask(&mut self, i: &Instruction, unit: u32) -> Result<bool> {
        let (a, b) = self.both(i, unit)?;
        let mask = self.masks[number(i.op_mask())];
        let zeroing = i.zeroing_masking();
        let out = a.into_iter().zip(b).enumerate().map(|(at, (a, b))| {
            let other = if zeroing { constant(unit, 0) } else { a };
            choose(mask.bit(at as u32), b, other)
        });
        let out: Vec<_> = out.collect();
        let lanes = regroup(&out, 32);
        let whole = std::array::from_fn(|at| lanes.get(at).copied().unwrap_or(constant(32, 0)));
        self.vectors[number(i.op0_register())] = whole;
        Ok(true)
    }
}

/// Returns the choice of two bits at a position.
fn choice(order: u8, at: usize) -> usize {
    usize::from(order >> (2 * at) & 3)
}

/// Applies a function to each position of each four units.
fn by_four(a: &[Term], f: impl Fn(usize, &[Term], usize) -> Term) -> Vec<Term> {
    let fours = a.chunks(4).enumerate();
    fours
        .flat_map(|(number, four)| (0..4).map(move |at| (number, four, at)))
        .map(|(number, four, at)| f(number, four, at))
        .collect()
}

/// Returns the index of a choice.
fn index(by: Term) -> Result<usize> {
    let by = by
        .value()
        .context("the choice of a lane depends on an input")?;
    Ok(by as usize)
}

/// Returns the width of the units, and whether the upper halves are interleaved.
fn interleaving(mnemonic: M) -> Option<(u32, bool)> {
    Some(match mnemonic {
        M::Punpcklbw | M::Vpunpcklbw => (8, false),
        M::Punpckhbw | M::Vpunpckhbw => (8, true),
        M::Punpcklwd | M::Vpunpcklwd => (16, false),
        M::Punpckhwd | M::Vpunpckhwd => (16, true),
        M::Punpckldq | M::Vpunpckldq | M::Unpcklps | M::Vunpcklps => (32, false),
        M::Punpckhdq | M::Vpunpckhdq | M::Unpckhps | M::Vunpckhps => (32, true),
        M::Punpcklqdq | M::Vpunpcklqdq | M::Unpcklpd | M::Vunpcklpd => (64, false),
        M::Punpckhqdq | M::Vpunpckhqdq | M::Unpckhpd | M::Vunpckhpd => (64, true),
        _ => return None,
    })
}

/// Returns the width of the units that constants choose from one source.
fn permutation(mnemonic: M) -> Option<u32> {
    Some(match mnemonic {
        M::Vpermb => 8,
        M::Vpermw => 16,
        M::Vpermd | M::Vpermps => 32,
        M::Vpermq | M::Vpermpd => 64,
        _ => return None,
    })
}

/// Returns the width of the units that constants choose from two sources, and whether the constants are in
/// the target.
fn permutation_of_two(mnemonic: M) -> Option<(u32, bool)> {
    Some(match mnemonic {
        M::Vpermi2b => (8, true),
        M::Vpermi2w => (16, true),
        M::Vpermi2d | M::Vpermi2ps => (32, true),
        M::Vpermi2q | M::Vpermi2pd => (64, true),
        M::Vpermt2b => (8, false),
        M::Vpermt2w => (16, false),
        M::Vpermt2d | M::Vpermt2ps => (32, false),
        M::Vpermt2q | M::Vpermt2pd => (64, false),
        _ => return None,
    })
}
