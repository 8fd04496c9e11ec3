//! ITSTATE, the conditions of the instructions of an IT block (Armv7-M Architecture Reference Manual, A7.3.2).
//! Unicorn does not keep it where it stops outside of such a block, so that it is computed here.

/// The bits of XPSR that have ITSTATE.
const BITS: u32 = 0x0600_fc00;

/// Returns ITSTATE after an instruction that begins with this halfword.
pub(crate) fn after(halfword: u16, before: u8) -> u8 {
    if begins(halfword) {
        return halfword as u8;
    }
    if before & 0b111 == 0 {
        0
    } else {
        before & 0b1110_0000 | before << 1 & 0b1_1111
    }
}

/// Returns whether the instruction that follows is executed, with these flags.
pub(crate) fn passes(xpsr: u32) -> bool {
    let it = of(xpsr);
    if it & 0xf == 0 {
        return true;
    }
    let [n, z, c, v] = [31, 30, 29, 28].map(|bit| xpsr >> bit & 1 == 1);
    let condition = match it >> 5 {
        0 => z,
        1 => c,
        2 => n,
        3 => v,
        4 => c && !z,
        5 => n == v,
        6 => n == v && !z,
        _ => return true,
    };
    condition != (it >> 4 & 1 == 1)
}

/// Returns the length of an instruction that begins with this halfword.
pub(crate) fn length(halfword: u16) -> u64 {
    if halfword >> 11 >= 0b11101 { 4 } else { 2 }
}

/// Returns whether a halfword is an IT instruction.
pub(crate) fn begins(halfword: u16) -> bool {
    halfword & 0xff00 == 0xbf00 && halfword & 0xf != 0
}

/// Returns whether a 16-bit instruction sets the flags also in an IT block: CMP, CMN and TST.
pub(crate) fn compares(halfword: u16) -> bool {
    halfword & 0xf800 == 0x2800
        || halfword & 0xff00 == 0x4500
        || [0x4200, 0x4280, 0x42c0].contains(&(halfword & 0xffc0))
}

/// Reads ITSTATE from XPSR.
pub(crate) fn of(xpsr: u32) -> u8 {
    (xpsr >> 8 & 0b1111_1100) as u8 | (xpsr >> 25 & 0b11) as u8
}

/// Writes ITSTATE into XPSR.
pub(crate) fn set(xpsr: &mut u32, it: u8) {
    let it = u32::from(it);
    *xpsr = *xpsr & !BITS | (it & 0b1111_1100) << 8 | (it & 0b11) << 25;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_two_ends_after_them() {
        // ite ne
        let first = after(0xbf14, 0);
        let second = after(0x2001, first);
        assert_eq!((first >> 4, second >> 4), (0b0001, 0b0000));
        assert_eq!(after(0x2000, second), 0);
    }

    #[test]
    fn xpsr_keeps_it() {
        let mut xpsr = 0xf100_0000;
        for it in 0..=u8::MAX {
            set(&mut xpsr, it);
            assert_eq!((of(xpsr), xpsr & !BITS), (it, 0xf100_0000));
        }
    }
}
