//! Makes a signed image of a program.
//!
//! `sign_image KEY.pem PROGRAM.bin IMAGE VERSION COUNTER [HEADER_SIZE [ADDRESS]]` takes the ML-DSA-44, ML-DSA-65 or
//! ML-DSA-87 key that `moissanite keygen` makes, and a version such as `1.4.2+7`. Numbers are decimal, or
//! hexadecimal after `0x`.

use std::error::Error;
use std::{env, fs};

use moissanite::pkcs8::DecodePrivateKey;
use moissanite::{MlDsa44, MlDsa65, MlDsa87, SigningKey, SysRng};
use moissanite_mcuboot::{Draft, ImageSet, Version};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [key, program, to, version, counter, layout @ ..] = &arguments[..] else {
        return Err(
            "usage: sign_image KEY.pem PROGRAM IMAGE VERSION COUNTER [HEADER_SIZE [ADDRESS]]"
                .into(),
        );
    };
    let pem = fs::read_to_string(key)?;
    let program = fs::read(program)?;
    let mut draft = Draft::new(&program, read_version(version)?, number(counter)?)?;
    if let Some(size) = layout.first() {
        draft = draft.with_header_size(number(size)?.try_into()?)?;
    }
    if let Some(address) = layout.get(1) {
        draft = draft.with_address(number(address)?);
    }
    let image = sign::<MlDsa44>(&draft, &pem)
        .or_else(|_| sign::<MlDsa65>(&draft, &pem))
        .or_else(|_| sign::<MlDsa87>(&draft, &pem))?;
    fs::write(to, &image)?;
    println!("{to}: {} bytes", image.len());
    Ok(())
}

fn sign<P: ImageSet>(draft: &Draft<'_>, pem: &str) -> Result<Vec<u8>, Box<dyn Error>>
where
    SigningKey<P>: DecodePrivateKey,
{
    let key = SigningKey::<P>::from_pkcs8_pem(pem)?;
    Ok(draft.try_sign(&key, &mut SysRng)?)
}

/// Reads `major.minor.revision`, with or without `+build`.
fn read_version(text: &str) -> Result<Version, Box<dyn Error>> {
    let (numbers, build) = text.split_once('+').unwrap_or((text, "0"));
    let [major, minor, revision] = numbers.split('.').collect::<Vec<_>>()[..] else {
        return Err("a version is MAJOR.MINOR.REVISION, with or without +BUILD".into());
    };
    let (major, minor) = (major.parse()?, minor.parse()?);
    Ok(Version::new(
        major,
        minor,
        revision.parse()?,
        build.parse()?,
    ))
}

fn number(text: &str) -> Result<u32, Box<dyn Error>> {
    Ok(match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16)?,
        None => text.parse()?,
    })
}
