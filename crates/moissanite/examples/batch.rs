//! Many signatures at once, which take less time than one after the other.

use std::error::Error;

use moissanite::batch::{VerifyBatchError, sign_batch_with_rng, verify_batch};
use moissanite::{MlDsa65, SigningKey, SysRng};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
    let messages: Vec<String> = (0..20).map(|number| format!("invoice {number}")).collect();
    let messages: Vec<&[u8]> = messages.iter().map(String::as_bytes).collect();

    // Signing a batch takes prepared keys, which can differ from item to item. The context is empty.
    let signer = key.prepare();
    let items: Vec<_> = messages.iter().map(|message| (&signer, *message)).collect();
    let signatures = sign_batch_with_rng(&mut SysRng, b"", &items)?;

    let public_key = key.verifying_key().prepare();
    let items = messages.iter().zip(&signatures);
    let mut items: Vec<_> = items.map(|(m, s)| (&public_key, *m, s)).collect();
    verify_batch(b"", &items)?;

    // An error lists the items that are not valid. The others are valid.
    items[7].1 = b"invoice 8";
    let Err(VerifyBatchError::Invalid(invalid)) = verify_batch(b"", &items) else {
        return Err("the batch has an item that is not valid".into());
    };
    println!("{invalid}");
    Ok(())
}
