//! `cargo xtask tokens-interop` exchanges keys and tokens of RFC 9964, envelopes of DSSE and keys of TUF with
//! other implementations, in both directions.
//!
//! Each counterpart is a folder of benches/interop/tokens: a program in its language, and the versions of
//! the packages that it uses. Its package manager installs them below the target folder. The program reads
//! the files that this job writes, fails if one of them is wrong, and writes its own files, which this job
//! reads. The files of one algorithm have its name and one of the endings below.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use moissanite::SysRng;
use moissanite_tokens::{Algorithm, Error, SigningKey, VerifyingKey, cose, jws};

use crate::counterpart::{Counterpart, PYTHON};
use crate::process;

const FOLDER: &str = "benches/interop/tokens";
const PAYLOAD: &[u8] = b"{\"sub\":\"\xc3\xa4\"}";
const AAD: &[u8] = b"external data";
/// The type of the payload in an envelope.
const TYPE: &str = "application/vnd.example+json";
/// What a signature of TUF is over.
const CANONICAL: &str = "{\"_type\":\"ä\n\",\"version\":1}";

/// Another implementation.
struct Peer {
    program: Counterpart,
    /// The endings of the files that it has to write for each algorithm.
    files: &'static [&'static str],
}

const PEERS: [Peer; 4] = [
    Peer {
        program: Counterpart {
            name: "jose",
            tools: &["npm"],
            commands: &[
                &["npm", "ci", "--no-audit", "--no-fund"],
                &["node_modules/.bin/node", "--no-warnings", "exchange.mjs"],
            ],
        },
        files: &[
            "public.jwk",
            "private.jwk",
            "thumbprint",
            "jws",
            "json",
            "general.json",
        ],
    },
    Peer {
        program: Counterpart {
            name: "jwcrypto",
            tools: &["python3"],
            commands: PYTHON,
        },
        files: &[
            "public.jwk",
            "private.jwk",
            "thumbprint",
            "jws",
            "json",
            "detached.jws",
            "rfc9964.jws",
        ],
    },
    Peer {
        program: Counterpart {
            name: "go-cose",
            tools: &["go"],
            commands: &[&["go", "run", "."]],
        },
        files: &[
            "public.cbor",
            "private.cbor",
            "thumbprint.bin",
            "sign1",
            "untagged.sign1",
        ],
    },
    Peer {
        program: Counterpart {
            name: "securesystemslib",
            tools: &["python3"],
            commands: PYTHON,
        },
        files: &[
            "tuf.key",
            "tuf.keyid",
            "tuf.sig",
            "tuf.dsse.json",
            "dsse.json",
        ],
    },
];

/// Exchanges keys and tokens with each counterpart whose tool is there.
pub(crate) fn run() -> Result<()> {
    let folder = process::target_directory()?.join("tokens-interop");
    process::make_empty(&folder)?;
    let ours = folder.join("ours");
    fs::create_dir(&ours)?;
    write_ours(&ours)?;
    for peer in &PEERS {
        if !peer.program.is_available() {
            continue;
        }
        let checked = peer.exchange(&folder, &ours);
        let count = checked.with_context(|| peer.program.name)?;
        println!(
            "tokens-interop: {} reads our files, and we read {count} of its files",
            peer.program.name
        );
    }
    Ok(())
}

impl Peer {
    /// Runs the program, and returns the number of its files, all of which are right.
    fn exchange(&self, folder: &Path, ours: &Path) -> Result<usize> {
        let work = folder.join(self.program.name);
        let theirs = work.join("theirs");
        fs::create_dir_all(&theirs)?;
        self.program.run(FOLDER, &work, &[ours, &theirs])?;
        let mut count = 0;
        for algorithm in Algorithm::ALL {
            let theirs = Theirs {
                folder: &theirs,
                algorithm,
            };
            for file in self.files {
                theirs
                    .check(file)
                    .with_context(|| format!("{algorithm}.{file}"))?;
                count += 1;
            }
        }
        Ok(count)
    }
}

/// Writes the files for the counterparts.
fn write_ours(folder: &Path) -> Result<()> {
    fs::write(folder.join("payload"), PAYLOAD)?;
    fs::write(folder.join("aad"), AAD)?;
    for algorithm in Algorithm::ALL {
        let write = |name: &str, contents: &[u8]| {
            fs::write(folder.join(format!("{algorithm}.{name}")), contents)
        };
        let key = SigningKey::try_generate(algorithm, &mut SysRng)?.with_kid("ours");
        let public = key.to_verifying_key();
        write("private.jwk", key.to_private_jwk()?.as_bytes())?;
        write("public.jwk", public.to_jwk()?.as_bytes())?;
        write("thumbprint", public.jwk_thumbprint().as_bytes())?;
        let header = jws::Header::new().with_kid("ours").with_typ("test");
        let token = key.sign_jws(&mut SysRng, &header, PAYLOAD)?;
        write("jws", token.as_bytes())?;
        // Another character in the middle of the signature.
        let middle = token.len() - 1000;
        let (before, after) = (token.get(..middle), token.get(middle + 1..));
        let (before, after) = before.zip(after).context("a token is long")?;
        let other = if token.as_bytes().get(middle) == Some(&b'A') {
            "B"
        } else {
            "A"
        };
        write("changed.jws", [before, other, after].concat().as_bytes())?;
        let json = key.sign_jws_json(&mut SysRng, &header, PAYLOAD)?;
        write("json", json.as_bytes())?;
        let detached = key.sign_jws_detached(&mut SysRng, &header, PAYLOAD)?;
        write("detached.jws", detached.as_bytes())?;

        let envelope = key.sign_dsse(&mut SysRng, TYPE, PAYLOAD)?;
        write("dsse.json", envelope.as_bytes())?;
        write("tuf.key", public.to_tuf_key()?.as_bytes())?;
        write("tuf.keyid", public.tuf_key_id()?.as_bytes())?;
        let signature = key.sign_tuf(&mut SysRng, CANONICAL.as_bytes())?;
        write("tuf.sig", signature.as_bytes())?;

        write("private.cbor", &key.to_private_cose_key()?)?;
        write("public.cbor", &public.to_cose_key())?;
        write("thumbprint.bin", &public.cose_thumbprint())?;
        let header = cose::Header::new().with_kid("ours");
        let mut message = key.sign_sign1(&mut SysRng, &header, PAYLOAD, AAD)?;
        write("sign1", &message)?;
        if let Some(last) = message.last_mut() {
            *last ^= 1;
        }
        write("changed.sign1", &message)?;
        write(
            "detached.sign1",
            &key.sign_sign1_detached(&mut SysRng, &header, PAYLOAD, AAD)?,
        )?;
    }
    Ok(())
}

/// The files of a counterpart for one algorithm.
struct Theirs<'a> {
    folder: &'a Path,
    algorithm: Algorithm,
}

impl Theirs<'_> {
    fn bytes(&self, name: &str) -> Result<Vec<u8>> {
        let file = self.folder.join(format!("{}.{name}", self.algorithm));
        fs::read(&file).with_context(|| file.display().to_string())
    }

    fn text(&self, name: &str) -> Result<String> {
        Ok(String::from_utf8(self.bytes(name)?)?)
    }

    fn jwk(&self) -> Result<VerifyingKey> {
        Ok(VerifyingKey::from_jwk(&self.text("public.jwk")?)?)
    }

    fn cose_key(&self) -> Result<VerifyingKey> {
        Ok(VerifyingKey::from_cose_key(&self.bytes("public.cbor")?)?)
    }

    fn tuf_key(&self) -> Result<VerifyingKey> {
        Ok(VerifyingKey::from_tuf_key(&self.text("tuf.key")?)?)
    }

    /// Checks that a file is what its ending says.
    fn check(&self, name: &str) -> Result<()> {
        match name {
            "public.jwk" => ensure!(
                self.jwk()?.algorithm() == self.algorithm,
                "another algorithm"
            ),
            "private.jwk" => {
                let key = SigningKey::from_jwk(&self.text(name)?)?;
                ensure!(key.to_verifying_key() == self.jwk()?, "another public key");
            }
            "thumbprint" => {
                ensure!(
                    self.jwk()?.jwk_thumbprint() == self.text(name)?,
                    "another thumbprint"
                );
            }
            "jws" => {
                let (key, token) = (self.jwk()?, self.text(name)?);
                check_token(&key.verify_jws(&token)?)?;
                let (content, _) = token.rsplit_once('.').context("a token has parts")?;
                let unsigned = format!("{content}.");
                ensure!(
                    key.verify_jws(&unsigned) == Err(Error::EmptySignature),
                    "unsigned"
                );
            }
            "json" | "general.json" => {
                check_token(&self.jwk()?.verify_jws_json(&self.text(name)?)?)?;
            }
            "detached.jws" => {
                let (key, token) = (self.jwk()?, self.text(name)?);
                let header = key.verify_jws_detached(&token, PAYLOAD)?;
                ensure!(header.kid() == Some("theirs"), "another header");
                let other = key.verify_jws_detached(&token, b"other");
                ensure!(
                    other == Err(Error::InvalidSignature),
                    "another payload is accepted"
                );
            }
            "rfc9964.jws" => self.check_example()?,
            "public.cbor" => {
                let key = self.cose_key()?;
                ensure!(key.algorithm() == self.algorithm, "another algorithm");
                ensure!(key.kid() == Some(b"theirs"), "another identifier");
                ensure!(key.to_cose_key() == self.bytes(name)?, "another encoding");
            }
            "private.cbor" => {
                let bytes = self.bytes(name)?;
                let key = SigningKey::from_cose_key(&bytes)?;
                ensure!(
                    key.to_verifying_key() == self.cose_key()?,
                    "another public key"
                );
                ensure!(*key.to_private_cose_key()? == bytes, "another encoding");
            }
            "thumbprint.bin" => {
                let thumbprint = self.cose_key()?.cose_thumbprint();
                ensure!(thumbprint[..] == self.bytes(name)?, "another thumbprint");
            }
            "sign1" | "untagged.sign1" => {
                let (key, message) = (self.cose_key()?, self.bytes(name)?);
                let found = key.verify_sign1(&message, AAD)?;
                ensure!(found.payload == PAYLOAD, "another payload");
                ensure!(found.unprotected.kid() == Some(b"theirs"), "another header");
                let other = key.verify_sign1(&message, b"");
                ensure!(
                    other == Err(Error::InvalidSignature),
                    "other data is accepted"
                );
            }
            "tuf.key" => ensure!(
                self.tuf_key()?.algorithm() == self.algorithm,
                "another algorithm"
            ),
            "tuf.keyid" => ensure!(
                self.tuf_key()?.tuf_key_id()? == self.text(name)?,
                "another identifier"
            ),
            "tuf.sig" => {
                let (key, signature) = (self.tuf_key()?, self.text(name)?);
                key.verify_tuf(CANONICAL.as_bytes(), &signature)?;
                let other = key.verify_tuf(b"{}", &signature);
                ensure!(other == Err(Error::InvalidSignature), "other metadata");
            }
            "dsse.json" => {
                let payload = self.tuf_key()?.verify_dsse(&self.text(name)?, TYPE)?;
                ensure!(payload == PAYLOAD, "another payload");
            }
            "tuf.dsse.json" => {
                let found = self.tuf_key()?.verify_dsse(&self.text(name)?, TYPE);
                ensure!(found == Err(Error::InvalidSignature), "TUF's pre-hash");
            }
            _ => anyhow::bail!("nothing checks such a file"),
        }
        Ok(())
    }

    /// Checks the example of RFC 9964, appendix A.1: the key of a seed of zeros signs the same token.
    fn check_example(&self) -> Result<()> {
        let (kid, example) = (self.text("rfc9964.kid")?, self.text("rfc9964.jws")?);
        let key = SigningKey::from_seed(self.algorithm, &[0; 32].into());
        let public = key.to_verifying_key();
        ensure!(
            hex::encode(public.as_bytes()) == self.text("rfc9964.pub")?,
            "another public key"
        );
        ensure!(public.jwk_thumbprint() == kid, "another thumbprint");
        let token = public.verify_jws(&example)?;
        let again = key.sign_jws(
            moissanite_tokens::Deterministic,
            &token.header,
            &token.payload,
        )?;
        ensure!(again == example, "another signature");
        Ok(())
    }
}

/// Checks the contents of a verified token.
fn check_token(token: &jws::Token) -> Result<()> {
    ensure!(token.payload == PAYLOAD, "another payload");
    ensure!(token.header.kid() == Some("theirs"), "another identifier");
    ensure!(token.header.typ() == Some("test"), "another type");
    Ok(())
}
