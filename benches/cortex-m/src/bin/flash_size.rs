//! One operation of one set and nothing else, for the flash and the RAM that it uses. The program is not
//! run: its input and output are at addresses that the linker does not allocate.

#![no_std]
#![no_main]

use core::hint::black_box;

use bench::Set;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    loop {
        black_box(operation());
    }
}

/// `N` bytes of input.
fn input<const N: usize>() -> &'static [u8; N] {
    // SAFETY: the address is in RAM that the program does not use otherwise, and any bytes are a
    // valid array of bytes.
    unsafe { &*black_box(0x2000_0000 as *const [u8; N]) }
}

/// A byte of output.
#[allow(dead_code, reason = "verification has none")]
fn output(piece: &[u8]) -> Result<(), core::convert::Infallible> {
    black_box(piece);
    Ok(())
}

#[cfg(all(feature = "keygen", not(feature = "whole")))]
fn operation() -> bool {
    let mut seeds = moissanite::stream::Seeds::new();
    let seed = moissanite::Seed::from_bytes(input());
    let key = moissanite::stream::SigningKey::<Set, _>::from_seed_in(&mut seeds, &seed);
    key.write_public_key(output).is_ok()
}

#[cfg(all(feature = "sign-seed", not(feature = "whole")))]
fn operation() -> bool {
    let mut seeds = moissanite::stream::Seeds::new();
    let seed = moissanite::Seed::from_bytes(input());
    let key = moissanite::stream::SigningKey::<Set, _>::from_seed_in(&mut seeds, &seed);
    key.try_sign_pieces(b"", |mu| mu.update(input::<32>()), output)
        .is_ok()
}

#[cfg(all(feature = "sign-expanded", not(feature = "whole")))]
fn operation() -> bool {
    let bytes = input::<{ <Set as moissanite::ParameterSet>::PRIVATE_KEY_LEN }>();
    let key = moissanite::stream::SigningKey::<Set, _>::from_expanded_bytes(bytes);
    key.is_ok_and(|key| {
        key.try_sign_pieces(b"", |mu| mu.update(input::<32>()), output)
            .is_ok()
    })
}

#[cfg(all(feature = "verify", not(feature = "whole")))]
fn operation() -> bool {
    let bytes = input::<{ <Set as moissanite::ParameterSet>::PUBLIC_KEY_LEN }>();
    let key = moissanite::stream::VerifyingKey::<Set, _>::from_bytes(bytes);
    let signature = input::<{ <Set as moissanite::ParameterSet>::SIGNATURE_LEN }>();
    key.is_ok_and(|mut key| {
        key.verify_pieces(b"", |mu| mu.update(input::<32>()), signature)
            .is_ok()
    })
}

#[cfg(all(feature = "keygen", feature = "whole"))]
fn operation() -> bool {
    let mut space = moissanite::SigningKeySpace::<Set>::new();
    let seed = moissanite::Seed::from_bytes(input());
    let key = moissanite::SigningKeyIn::from_seed_in(&mut space, &seed);
    output(key.verifying_key().as_ref()).is_ok()
}

#[cfg(all(feature = "sign-seed", feature = "whole"))]
fn operation() -> bool {
    use moissanite::prelude::*;
    let mut space = moissanite::SigningKeySpace::<Set>::new();
    let seed = moissanite::Seed::from_bytes(input());
    let key = moissanite::SigningKeyIn::from_seed_in(&mut space, &seed);
    let signature = key.try_sign(input::<32>());
    signature.is_ok_and(|signature| output(signature.as_ref()).is_ok())
}

#[cfg(all(feature = "sign-expanded", feature = "whole"))]
fn operation() -> bool {
    use moissanite::prelude::*;
    let bytes = input::<{ <Set as moissanite::ParameterSet>::PRIVATE_KEY_LEN }>();
    let mut space = moissanite::SigningKeySpace::<Set>::new();
    let key = moissanite::SigningKeyIn::from_expanded_bytes_in(&mut space, bytes);
    key.is_ok_and(|key| {
        let signature = key.try_sign(input::<32>());
        signature.is_ok_and(|signature| output(signature.as_ref()).is_ok())
    })
}

#[cfg(all(feature = "verify", feature = "whole"))]
fn operation() -> bool {
    use moissanite::{Signature, VerifyingKey, prelude::*};
    let key = VerifyingKey::<Set>::from_bytes(input::<
        { <Set as moissanite::ParameterSet>::PUBLIC_KEY_LEN },
    >());
    let signature =
        Signature::from_bytes(input::<{ <Set as moissanite::ParameterSet>::SIGNATURE_LEN }>());
    matches!((key, signature), (Ok(key), Ok(signature))
        if key.verify(input::<32>(), &signature).is_ok())
}
