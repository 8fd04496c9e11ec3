//! Wycheproof's cases of verification, with one set.

#![no_std]
#![no_main]

use bench::{Set, board, say};
use moissanite::{MuBuilder, stream::VerifyingKey};

static CASES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/wycheproof"));

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    say!("{info}");
    board::exit(1)
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let mut rest = CASES;
    let mut verdicts = [0; 2];
    while let Some((valid, cases)) = rest.split_first() {
        rest = cases;
        let [public_key, context, message, signature] = core::array::from_fn(|_| part(&mut rest));
        let accepted = VerifyingKey::<Set, _>::from_bytes(public_key).is_ok_and(|mut key| {
            let message = |mu: &mut MuBuilder| mu.update(message);
            let accepted = key.verify_pieces(context, message, signature);
            let once = key.cache_z().verify_pieces(context, message, signature);
            assert!(once == accepted);
            accepted.is_ok()
        });
        let case = verdicts[0] + verdicts[1];
        assert!(
            accepted == (*valid == 1),
            "case {case}: accepted: {accepted}"
        );
        verdicts[usize::from(accepted)] += 1;
    }
    let [refused, accepted] = verdicts;
    assert!(accepted > 0 && refused > 0, "cases are missing");
    say!("Wycheproof: {accepted} accepted, {refused} refused");
    board::exit(0)
}

fn part(rest: &mut &'static [u8]) -> &'static [u8] {
    let (length, bytes) = rest.split_first_chunk().unwrap();
    let (part, after) = bytes.split_at(u32::from_le_bytes(*length) as usize);
    *rest = after;
    part
}
