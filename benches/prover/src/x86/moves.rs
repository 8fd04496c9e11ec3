//! Vector instructions that load, store, convert and insert.

use anyhow::{Result, bail, ensure};
use iced_x86::{EncodingKind, Instruction, Mnemonic as M, OpKind, Register};

use super::operands::{sources, width};
use super::state::X86;
use crate::terms::{Term, constant, join};

impl X86<'_> {
    /// Executes an instruction that moves data; returns false if it is not one.
    pub(super) fn vector_move(&mut self, i: &Instruction) -> Result<bool> {
        Ok(self.whole_move(i)?
            || self.low_move(i)?
            || self.conversion(i)?
            || self.repetition(i)?
            || self.part(i)?)
    }

    /// Moves all units.
    fn whole_move(&mut self, i: &Instruction) -> Result<bool> {
        let unit = match i.mnemonic() {
            M::Vpmaskmovd | M::Vmaskmovps => return self.store_by_signs(i, 32),
            M::Vpmaskmovq | M::Vmaskmovpd => return self.store_by_signs(i, 64),
            M::Vmovdqu8 => 8,
            M::Vmovdqu16 => 16,
            M::Vmovdqa32 | M::Vmovdqu32 | M::Movaps | M::Vmovaps | M::Movups | M::Vmovups => 32,
            M::Movapd | M::Vmovapd | M::Movupd | M::Vmovupd | M::Vmovdqa64 | M::Vmovdqu64 => 64,
            M::Movdqa | M::Vmovdqa | M::Movdqu | M::Vmovdqu | M::Lddqu | M::Vlddqu => 32,
            M::Vzeroupper => {
                for vector in &mut self.vectors[..16] {
                    vector[4..].fill(constant(32, 0));
                }
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let bits = width(i, 0)?;
        let masked = i.op_mask() != Register::None && i.op_kind(1) == OpKind::Memory;
        let units = if masked {
            self.selected_units(i, bits, unit)?
        } else {
            self.units(i, 1, bits, unit)?
        };
        self.put(i, units)?;
        Ok(true)
    }

    /// Stores the units where the sign of the first source is set; the others are not accessed.
    fn store_by_signs(&mut self, i: &Instruction, unit: u32) -> Result<bool> {
        ensure!(
            i.op0_kind() == OpKind::Memory,
            "there is no model of this form"
        );
        let bits = width(i, 1)?;
        let at = self.address(i)?;
        let units = self.units(i, 2, bits, unit)?.into_iter();
        for (number, unit) in units.zip(self.units(i, 1, bits, unit)?).enumerate() {
            let (unit, mask) = unit;
            let what = "the mask of an access depends on an input";
            if self.memory.decide(mask.sign(), what)? == 1 {
                let bytes = u64::from(unit.width() / 8);
                self.memory.store(at + number as u64 * bytes, unit)?;
            }
        }
        Ok(true)
    }

    /// Loads the units that the mask selects; the others are not accessed.
    fn selected_units(&mut self, i: &Instruction, bits: u32, unit: u32) -> Result<Vec<Term>> {
        let at = self.address(i)?;
        let mut load = |index: u32| match self.is_selected(i, index as usize)? {
            true => self.memory.load(at + u64::from(index * unit / 8), unit),
            false => Ok(constant(unit, 0)),
        };
        (0..bits / unit).map(&mut load).collect()
    }

    /// Moves the lowest 32 or 64 bits.
    fn low_move(&mut self, i: &Instruction) -> Result<bool> {
        let bits = match i.mnemonic() {
            M::Movd | M::Vmovd | M::Movss | M::Vmovss => 32,
            M::Movq | M::Vmovq | M::Movsd | M::Vmovsd => 64,
            M::Movhps | M::Vmovhps | M::Movhpd | M::Vmovhpd => return self.high_move(i),
            M::Movlhps | M::Vmovlhps => {
                let (first, second) = sources(i);
                let low = self.units(i, first, 64, 64)?[0];
                let high = self.units(i, second, 64, 64)?[0];
                self.put(i, vec![low, high])?;
                return Ok(true);
            }
            M::Movhlps | M::Vmovhlps => {
                let (first, second) = sources(i);
                let low = self.units(i, second, 128, 64)?[1];
                let high = self.units(i, first, 128, 64)?[1];
                self.put(i, vec![low, high])?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        ensure!(
            i.op_mask() == Register::None,
            "there is no model of this form"
        );
        let is_vector = |operand: u32| {
            i.op_kind(operand) == OpKind::Register && i.op_register(operand).is_vector_register()
        };
        let last = i.op_count() - 1;
        let low = if is_vector(last) {
            self.units(i, last, bits, bits)?[0]
        } else {
            self.read(i, last)?.slice(0, bits)
        };
        if !is_vector(0) {
            self.write(i, 0, low)?;
            return Ok(true);
        }
        // Between registers, the moves of floating-point numbers keep the rest of the first source.
        let merges = matches!(i.mnemonic(), M::Movss | M::Vmovss | M::Movsd | M::Vmovsd);
        let mut units = vec![constant(bits, 0); (128 / bits) as usize];
        if merges && is_vector(last) {
            units = self.units(i, last - 1, 128, bits)?;
        }
        units[0] = low;
        self.put(i, units)?;
        Ok(true)
    }

    /// Moves the upper 64 bits of 128 to or from memory.
    fn high_move(&mut self, i: &Instruction) -> Result<bool> {
        let at = self.address(i)?;
        if i.op0_kind() == OpKind::Memory {
            let high = self.units(i, 1, 128, 64)?[1];
            self.memory.store(at, high)?;
        } else {
            let (first, _) = sources(i);
            let low = self.units(i, first, 64, 64)?[0];
            let high = self.memory.load(at, 64)?;
            self.put(i, vec![low, high])?;
        }
        Ok(true)
    }

    /// Extends or cuts each unit.
    fn conversion(&mut self, i: &Instruction) -> Result<bool> {
        type Extend = fn(Term, u32) -> Term;
        let (from, to, extend): (_, _, Extend) = match i.mnemonic() {
            M::Pmovzxbw | M::Vpmovzxbw => (8, 16, Term::zero_extend),
            M::Pmovzxbd | M::Vpmovzxbd => (8, 32, Term::zero_extend),
            M::Pmovzxbq | M::Vpmovzxbq => (8, 64, Term::zero_extend),
            M::Pmovzxwd | M::Vpmovzxwd => (16, 32, Term::zero_extend),
            M::Pmovzxwq | M::Vpmovzxwq => (16, 64, Term::zero_extend),
            M::Pmovzxdq | M::Vpmovzxdq => (32, 64, Term::zero_extend),
            M::Pmovsxbw | M::Vpmovsxbw => (8, 16, Term::sign_extend),
            M::Pmovsxbd | M::Vpmovsxbd => (8, 32, Term::sign_extend),
            M::Pmovsxbq | M::Vpmovsxbq => (8, 64, Term::sign_extend),
            M::Pmovsxwd | M::Vpmovsxwd => (16, 32, Term::sign_extend),
            M::Pmovsxwq | M::Vpmovsxwq => (16, 64, Term::sign_extend),
            M::Pmovsxdq | M::Vpmovsxdq => (32, 64, Term::sign_extend),
            _ => return self.cut(i),
        };
        let count = width(i, 0)? / to;
        // A source register may have fewer bits than a unit of the model.
        let units = match i.op_kind(1) {
            OpKind::Memory => {
                let at = self.effective_address(i)?;
                self.load_units(at, count * from, from)?
            }
            _ => self.units(i, 1, count * from, from)?,
        };
        let units = units.into_iter().take(count as usize);
        self.put(i, units.map(|unit| extend(unit, to)).collect())?;
        Ok(true)
    }

    fn cut(&mut self, i: &Instruction) -> Result<bool> {
        let (from, to) = match i.mnemonic() {
            M::Vpmovwb => (16, 8),
            M::Vpmovdb => (32, 8),
            M::Vpmovdw => (32, 16),
            M::Vpmovqb => (64, 8),
            M::Vpmovqw => (64, 16),
            M::Vpmovqd => (64, 32),
            _ => return Ok(false),
        };
        let units = self.units(i, 1, width(i, 1)?, from)?.into_iter();
        let mut units: Vec<_> = units.map(|unit| unit.slice(0, to)).collect();
        if i.op0_kind() == OpKind::Register {
            let whole = (128 / to) as usize;
            ensure!(
                i.op_mask() == Register::None,
                "there is no model of this form"
            );
            units.resize(units.len().max(whole), constant(to, 0));
        }
        self.put(i, units)?;
        Ok(true)
    }

    /// Repeats an element or a part.
    fn repetition(&mut self, i: &Instruction) -> Result<bool> {
        let (part, unit) = match i.mnemonic() {
            M::Vpbroadcastb => (8, 8),
            M::Vpbroadcastw => (16, 16),
            M::Vpbroadcastd | M::Vbroadcastss => (32, 32),
            M::Vpbroadcastq | M::Vbroadcastsd | M::Vmovddup | M::Movddup => (64, 64),
            M::Vbroadcasti32x2 | M::Vbroadcastf32x2 => (64, 32),
            M::Vbroadcasti128 | M::Vbroadcastf128 | M::Vbroadcasti32x4 | M::Vbroadcastf32x4 => {
                (128, 32)
            }
            M::Vbroadcasti64x2 | M::Vbroadcastf64x2 => (128, 64),
            M::Vbroadcasti32x8 | M::Vbroadcastf32x8 => (256, 32),
            M::Vbroadcasti64x4 | M::Vbroadcastf64x4 => (256, 64),
            _ => return Ok(false),
        };
        let bits = width(i, 0)?;
        if matches!(i.mnemonic(), M::Vmovddup | M::Movddup) && bits > 128 {
            bail!("there is no model of this form");
        }
        let general = i.op_kind(1) == OpKind::Register && i.op_register(1).is_gpr();
        let units = if general {
            vec![self.read(i, 1)?.slice(0, unit)]
        } else {
            self.units(i, 1, part, unit)?
        };
        let units = &units[..(part / unit) as usize];
        self.put(i, units.repeat((bits / part) as usize))?;
        Ok(true)
    }

    /// Inserts or extracts a part.
    fn part(&mut self, i: &Instruction) -> Result<bool> {
        let (part, unit) = match i.mnemonic() {
            M::Vextracti128 | M::Vextractf128 | M::Vextracti32x4 | M::Vextractf32x4 => (128, 32),
            M::Vextracti64x2 | M::Vextractf64x2 => (128, 64),
            M::Vextracti32x8 | M::Vextractf32x8 => (256, 32),
            M::Vextracti64x4 | M::Vextractf64x4 => (256, 64),
            _ => return Ok(self.insertion(i)? || self.element(i)?),
        };
        let from = width(i, 1)?;
        let units = self.units(i, 1, from, unit)?;
        let at = u32::from(Self::immediate(i, 2)?) % (from / part);
        let each = (part / unit) as usize;
        self.put(i, units[each * at as usize..][..each].to_vec())?;
        Ok(true)
    }

    fn insertion(&mut self, i: &Instruction) -> Result<bool> {
        let (part, unit) = match i.mnemonic() {
            M::Vinserti128 | M::Vinsertf128 | M::Vinserti32x4 | M::Vinsertf32x4 => (128, 32),
            M::Vinserti64x2 | M::Vinsertf64x2 => (128, 64),
            M::Vinserti32x8 | M::Vinsertf32x8 => (256, 32),
            M::Vinserti64x4 | M::Vinsertf64x4 => (256, 64),
            _ => return Ok(false),
        };
        let bits = width(i, 0)?;
        let mut units = self.units(i, 1, bits, unit)?;
        let new = self.units(i, 2, part, unit)?;
        let at = u32::from(Self::immediate(i, 3)?) % (bits / part);
        let each = (part / unit) as usize;
        units[each * at as usize..][..each].copy_from_slice(&new);
        self.put(i, units)?;
        Ok(true)
    }

    /// Inserts or extracts an element, to or from a general register or memory.
    fn element(&mut self, i: &Instruction) -> Result<bool> {
        let unit = match i.mnemonic() {
            M::Pextrb | M::Vpextrb | M::Pinsrb | M::Vpinsrb => 8,
            M::Pextrw | M::Vpextrw | M::Pinsrw | M::Vpinsrw => 16,
            M::Pextrd | M::Vpextrd | M::Pinsrd | M::Vpinsrd | M::Extractps | M::Vextractps => 32,
            M::Pextrq | M::Vpextrq | M::Pinsrq | M::Vpinsrq => 64,
            M::Pmovmskb | M::Vpmovmskb => return self.signs(i, 8),
            M::Movmskps | M::Vmovmskps => return self.signs(i, 32),
            M::Movmskpd | M::Vmovmskpd => return self.signs(i, 64),
            _ => return Ok(false),
        };
        let inserts = matches!(
            i.mnemonic(),
            M::Pinsrb
                | M::Vpinsrb
                | M::Pinsrw
                | M::Vpinsrw
                | M::Pinsrd
                | M::Vpinsrd
                | M::Pinsrq
                | M::Vpinsrq
        );
        let at = usize::from(Self::immediate(i, i.op_count() - 1)?) % (128 / unit) as usize;
        if inserts {
            let legacy = i.code().encoding() == EncodingKind::Legacy;
            let (first, second) = if legacy { (0, 1) } else { (1, 2) };
            let mut units = self.units(i, first, 128, unit)?;
            units[at] = self.read(i, second)?.slice(0, unit);
            self.put(i, units)?;
        } else {
            let element = self.units(i, 1, 128, unit)?[at];
            let target = match i.op0_kind() {
                OpKind::Memory => unit,
                _ => width(i, 0)?,
            };
            self.write(i, 0, element.zero_extend(target))?;
        }
        Ok(true)
    }

    /// Collects the signs of all units.
    fn signs(&mut self, i: &Instruction, unit: u32) -> Result<bool> {
        let units = self.units(i, 1, width(i, 1)?, unit)?;
        let signs: Vec<_> = units.into_iter().map(Term::sign).collect();
        let signs = join(&signs).zero_extend(width(i, 0)?);
        self.write(i, 0, signs)?;
        Ok(true)
    }
}
