//! `cargo xtask cms-interop` exchanges messages of CMS with Bouncy Castle, in both directions.
//!
//! The program in benches/interop/cms makes keys, certificates and messages, which this job verifies. This job
//! signs with the same keys, and the program verifies that.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use moissanite::pkcs8::DecodePrivateKey;
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, PreparedVerifyingKey, SigningKey};
use moissanite_cms::{
    Certificate, Content, DigestAlgorithm, Message, SignedData, Signer, SysRng, TrustedSigner,
};

use crate::process;

const PROGRAM: &str = "benches/interop/cms";
const CONTENT: &[u8] = b"a content\n";

/// Exchanges the messages, if there are Java and Maven.
pub(crate) fn run() -> Result<()> {
    for tool in ["java", "mvn"] {
        if Command::new(tool).arg("-version").output().is_err() {
            println!("NOT CHECKED: there is no {tool}");
            return Ok(());
        }
    }
    let folder = process::target_directory()?.join("cms-interop");
    let packages = folder.join("packages");
    process::make_empty(&folder)?;
    fs::create_dir(&packages)?;
    let program = process::root().join(PROGRAM);
    let mut maven = Command::new("mvn");
    maven.args(["-q", "-B", "dependency:copy-dependencies"]);
    maven.arg(format!("-DoutputDirectory={}", packages.display()));
    process::run(maven.current_dir(&program))?;
    let java = |job: &str| {
        let mut java = Command::new("java");
        java.arg("-cp")
            .arg(packages.join("*"))
            .args(["Main.java", job]);
        process::run(java.arg(&folder).current_dir(&program))
    };
    java("make")?;
    exchange::<MlDsa44>(&folder)?;
    exchange::<MlDsa65>(&folder)?;
    exchange::<MlDsa87>(&folder)?;
    java("check")?;
    println!("cms-interop: Bouncy Castle reads our messages, and we read its messages");
    Ok(())
}

fn exchange<P: Fips204>(folder: &Path) -> Result<()>
where
    PreparedVerifyingKey<P>: Send + Sync,
{
    let file = |name: &str| folder.join(format!("{}{name}", P::NAME));
    let certificate = Certificate::from_der(&fs::read(file(".crt"))?)?;
    let trusted = TrustedSigner::from_certificate(&certificate)?;
    for (kind, content) in [
        ("attached", Content::Attached),
        ("attached-direct", Content::Attached),
        ("attached-sha512", Content::Attached),
        ("detached", Content::Detached(CONTENT)),
        ("detached-direct", Content::Detached(CONTENT)),
    ] {
        let name = file(&format!("-{kind}.theirs"));
        let context = || name.display().to_string();
        let signed = SignedData::from_der(&fs::read(&name)?).with_context(context)?;
        let verified = signed.verify(content, &trusted).with_context(context)?;
        ensure!(verified.content() == Some(CONTENT), context());
    }
    let key = SigningKey::<P>::from_pkcs8_der(&fs::read(file(".key"))?);
    let key = key.map_err(|error| anyhow::anyhow!("{error}"))?;
    for digest in DigestAlgorithm::ALL {
        let Ok(signer) = Signer::new(&key, certificate.clone())?.with_digest(digest) else {
            continue;
        };
        for (kind, message) in [
            ("attached", Message::attached(CONTENT)),
            (
                "attached-direct",
                Message::attached(CONTENT).without_signed_attributes(),
            ),
            (
                "detached",
                Message::detached(CONTENT).with_signing_time(1_795_392_000),
            ),
            (
                "detached-direct",
                Message::detached(CONTENT).without_signed_attributes(),
            ),
        ] {
            let signed = signer.try_sign_with_rng(&mut SysRng, &message)?;
            fs::write(file(&format!("-{digest:?}-{kind}.ours")), signed.as_der())?;
        }
    }
    Ok(())
}
