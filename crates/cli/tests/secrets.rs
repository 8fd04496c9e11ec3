//! No message contains a part of a private key, neither from a damaged file with a key nor from an
//! argument that is a key in the wrong place.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;
use std::ffi::OsString;

use crate::common::{ALGORITHMS, Ended, Folder};
use base64ct::{Base64, Encoding};
use sha2::{Digest, Sha512};

/// This number of consecutive characters of a key is a leak.
const LEAK: usize = 12;

/// All secrets of the keys of a test, in pieces.
#[derive(Default)]
struct Secrets(HashSet<Vec<u8>>);

impl Secrets {
    /// Adds bytes as they are, in hex and in base64, in upper and lower case.
    fn add(&mut self, bytes: &[u8]) {
        // Zeros, for example, are not secret.
        let varied = |piece: &Vec<u8>| HashSet::<_>::from_iter(piece).len() > 3;
        self.0.extend(pieces(bytes).filter(varied));
    }

    /// Removes the pieces of public bytes, such as the public key in a certificate, at any position.
    fn remove_public(&mut self, bytes: &[u8]) {
        for start in 0..3 {
            for piece in pieces(&bytes[start..]) {
                self.0.remove(&piece);
            }
        }
    }

    /// A piece of them in a text.
    fn leak(&self, text: &[u8]) -> Option<String> {
        let text = text.to_ascii_lowercase();
        let mut pieces = text.windows(LEAK);
        let leak = pieces.find(|piece| self.0.contains(*piece));
        leak.map(|piece| String::from_utf8_lossy(piece).into_owned())
    }
}

fn pieces(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let (hex, base64) = (hex::encode(bytes), Base64::encode_string(bytes));
    let texts = [bytes.to_vec(), hex.into(), base64.into()];
    texts.into_iter().flat_map(|text| {
        let text = text.to_ascii_lowercase();
        let pieces: Vec<_> = text.windows(LEAK).map(<[u8]>::to_vec).collect();
        pieces
    })
}

/// A key of an algorithm, and the files that hold it in every form and format there is.
struct Key {
    algorithm: &'static str,
    seed: Vec<u8>,
    public: Vec<u8>,
    files: Vec<(String, Vec<u8>)>,
}

impl Key {
    /// Made in a folder with what else commands take.
    fn new(folder: &Folder, algorithm: &'static str) -> Self {
        let mut seed = Sha512::digest(algorithm).to_vec();
        if !algorithm.ends_with("-ed25519") {
            seed.truncate(32);
        }
        let text = hex::encode(&seed);
        let made = folder.run(&format!(
            "keygen {algorithm} --seed {text} --out made --force"
        ));
        assert_eq!(made.status, 0, "{}", made.stderr);
        let mut files = vec![("the seed".into(), seed.clone())];
        for form in ["seed", "expanded", "both"] {
            for format in ["pem", "der", "raw"] {
                let kind = format!("--form {form} --format {format} --algorithm {algorithm}");
                let ended = folder.run(&format!("convert made {kind}"));
                if ended.status == 0 {
                    files.push((format!("{algorithm} {form} {format}"), ended.stdout));
                }
            }
        }
        assert!(files.len() > 1);
        let public = folder.ok("convert made --public --format raw");
        Self {
            algorithm,
            seed,
            public,
            files,
        }
    }

    fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::default();
        secrets.add(&self.seed);
        for (_, bytes) in &self.files {
            // The words around the base64 of PEM are not secret.
            secrets.add(&der(bytes).unwrap_or(bytes.clone()));
        }
        let documents = self.files.iter().filter_map(|(_, bytes)| der(bytes));
        for der in documents {
            // The header and the algorithm.
            secrets.remove_public(&der[..20]);
        }
        // Wherever in a group of base64 it begins, after the zero of a BIT STRING.
        secrets.remove_public(&[&[0; 3], self.public.as_slice()].concat());
        secrets
    }
}

/// The content of a PEM text.
fn der(pem: &[u8]) -> Option<Vec<u8>> {
    let text = str::from_utf8(pem).ok()?;
    Some(Base64::decode_vec(&body(text)?.replace('\n', "")).unwrap())
}

/// The base64 of a PEM text.
fn body(pem: &str) -> Option<&str> {
    let (_, rest) = pem.split_once("KEY-----\n")?;
    Some(rest.split_once("\n-----END")?.0)
}

/// A file with a key, undamaged and damaged in many ways.
fn broken(bytes: &[u8]) -> Vec<Vec<u8>> {
    let length = bytes.len();
    let mut all = vec![
        bytes.to_vec(),
        bytes[..length >> 2].to_vec(),
        bytes[..length - 1].to_vec(),
        bytes[1..].to_vec(),
        [bytes, b"\0"].concat(),
        [b"garbage ", bytes].concat(),
        [bytes, bytes].concat(),
        bytes.to_ascii_lowercase(),
        hex::encode(bytes).into(),
        Base64::encode_string(bytes).into(),
    ];
    for part in 0..8 {
        let mut changed = bytes.to_vec();
        changed[(((part * length) >> 3) + 3).min(length - 1)] ^= 1 << part;
        all.push(changed);
    }
    let pem = match str::from_utf8(bytes) {
        Ok(pem) if pem.contains("KEY-----") => pem.to_owned(),
        _ => {
            let base64 = Base64::encode_string(bytes);
            format!("-----BEGIN PRIVATE KEY-----\n{base64}\n-----END PRIVATE KEY-----\n")
        }
    };
    let body = body(&pem).unwrap();
    let first = body.lines().next().unwrap();
    let text = [
        pem.replace('\n', " "),
        pem.replace('\n', "\\n"),
        pem.replace('\n', ""),
        pem.replace('\n', "\r\n"),
        pem.replace('\n', "\r"),
        pem.replace("-----\n", " ").replace('\n', ""),
        pem.replace('\n', "").replace("KEY-----", "KEY----"),
        pem.replace('\n', "").replace("KEY-----M", "KEYM"),
        pem.replace("PRIVATE KEY", "RSA PRIVATE KEY"),
        pem.replace("PRIVATE KEY", "PUBLIC KEY"),
        pem.replace("PRIVATE KEY", first),
        pem.replace("END PRIVATE KEY", &format!("END {first}")),
        pem.replace("BEGIN PRIVATE KEY", &format!("BEGIN {first}")),
        pem.replace("-----END PRIVATE KEY-----\n", ""),
        pem.replace("-----END", &format!("-----END {body}")),
        pem.replace("-----BEGIN", &format!("{first} -----BEGIN")),
        format!("{} {first}", pem.trim_end()),
        pem.to_lowercase(),
        pem.to_uppercase(),
        body.to_owned(),
        body.replace('\n', ""),
        hex::encode(&pem),
        format!("\"{}\"", pem.replace('\n', "\\n")),
        format!(r#"{{"vsId":1,"algorithm":"{first}"}}"#),
        format!(r#"{{"vsId":1,"algorithm":"ML-DSA","mode":"{body}"}}"#),
    ];
    all.extend(text.map(String::into_bytes));
    all
}

/// Commands that read a file, `@`, of a key of the algorithm `#`.
const READ: [&str; 18] = [
    "inspect @",
    "sign --key @ --in file",
    "inspect @ --algorithm #",
    "sign --key @ --in file --algorithm #",
    "inspect -",
    "convert @ --public",
    "convert @ --algorithm #",
    "convert @ --format raw --form seed",
    "convert @ --form both --format der",
    "verify --key @ --signature file.sig --in file",
    "verify --key @ --signature file.sig --in file --algorithm #",
    "verify --key public.pem --signature @ --in file",
    "acvp @",
    "cert self-sign --key @ --subject CN=a",
    "cert request --key - --subject CN=a",
    "cert issue @ --issuer @ --key @",
    "cert verify @ --root @",
    "demo @",
];

#[track_caller]
fn check(secrets: &Secrets, what: &str, args: &str, ended: &Ended) {
    let leak = secrets.leak(ended.stderr.as_bytes());
    assert_eq!(leak, None, "{what}: {args}");
    // These two write keys, where they succeed.
    let writes = ["convert", "keygen"]
        .iter()
        .any(|name| args.starts_with(name));
    if !(writes && ended.status == 0) {
        assert_eq!(secrets.leak(&ended.stdout), None, "{what}: {args}");
    }
}

/// Two tests, which run in parallel because they take longer than all others together.
#[test]
fn files_of_ml_dsa() {
    files(&ALGORITHMS[..3]);
}

#[test]
fn files_of_other_algorithms() {
    files(&ALGORITHMS[3..]);
}

fn files(algorithms: &[&'static str]) {
    let folder = Folder::signed();
    // In turns, so that each sees each damage of some keys.
    let mut commands = READ.iter().cycle();
    for algorithm in algorithms {
        let key = Key::new(&folder, algorithm);
        let secrets = key.secrets();
        for (name, bytes) in &key.files {
            for (number, bytes) in broken(bytes).iter().enumerate() {
                folder.write("bad", bytes);
                let what = format!("{name}, {number}");
                for args in commands.by_ref().take(3) {
                    let args = args.replace('@', "bad").replace('#', key.algorithm);
                    let ended = folder.run_with(&args, bytes);
                    check(&secrets, &what, &args, &ended);
                }
            }
        }
    }
}

/// Every position of every subcommand.
const POSITIONS: [&str; 78] = [
    "@",
    "-@",
    "--@",
    "--@=a",
    "help @",
    "help cert @",
    "--backend @ algorithms",
    "algorithms @",
    "keygen @",
    "keygen ml-dsa-44 @",
    "keygen ml-dsa-44 --@",
    "keygen ml-dsa-44 --seed @",
    "keygen ml-dsa-44 --seed=@",
    "keygen ml-dsa-44-ed25519 --seed @",
    "keygen ml-dsa-44 --out @",
    "keygen ml-dsa-44 --out @ --force",
    "keygen ml-dsa-44 --out @/@",
    "keygen ml-dsa-44 --out absent/@",
    "keygen ml-dsa-44 --out new --public-out @",
    "keygen ml-dsa-44 --format @",
    "keygen ml-dsa-44 --force=@",
    "sign --key @",
    "sign --key=@ --in file",
    "sign --key ./@ --in file",
    "sign --key key.pem --in @",
    "sign --key key.pem --in file --out @",
    "sign --key key.pem --in file --out @",
    "sign --key key.pem --in file --context @",
    "sign --key key.pem --in file --context-hex @",
    "sign --key key.pem --in file --prehash @",
    "sign --key key.pem --in file --algorithm @",
    "sign --key key.pem --in file --deterministic=@",
    "sign --key key.pem --in file @",
    "verify --key @ --signature file.sig --in file",
    "verify --key public.pem --signature @ --in file",
    "verify --key public.pem --signature file.sig --in @",
    "verify --key public.pem --signature file.sig --in file --context @",
    "verify --key public.pem --signature file.sig --in file --context-hex @",
    "verify --key public.pem --signature file.sig --in file --prehash @",
    "verify --key public.pem --signature file.sig --algorithm @",
    "verify --key public.pem --signature file.sig @",
    "inspect @",
    "inspect file @",
    "inspect file --algorithm @",
    "convert @",
    "convert key.pem @",
    "convert key.pem --form @",
    "convert key.pem --format @",
    "convert key.pem --public --out @",
    "convert key.pem --algorithm @",
    "acvp @",
    "acvp prompt --out @",
    "acvp prompt --out @",
    "bench @",
    "bench --n @",
    "man @",
    "man cert @",
    "completions @",
    "demo @",
    "demo file --algorithm @",
    "cert @",
    "cert self-sign --key @ --subject CN=a",
    "cert self-sign --key key.pem --subject @",
    "cert self-sign --key key.pem --subject CN=a --host @,@",
    "cert self-sign --key key.pem --subject CN=a --days @",
    "cert self-sign --key key.pem --subject CN=a --ca --path-length @",
    "cert self-sign --key key.pem --subject CN=a --format @",
    "cert self-sign --key key.pem --subject CN=a --out @/a",
    "cert request --key @ --subject CN=a",
    "cert request --key key.pem --subject CN=a --out @",
    "cert issue @ --issuer file --key key.pem",
    "cert issue file --issuer @ --key key.pem",
    "cert issue file --issuer file --key @",
    "cert verify @ --root file",
    "cert verify file --root @",
    "cert verify file --root file --intermediate @",
    "cert verify file --root file --host @,@",
    "cert verify file --root file --at @",
];

#[test]
fn arguments() {
    let prompt =
        r#"{"vsId":1,"algorithm":"ML-DSA","mode":"keyGen","revision":"FIPS204","testGroups":[]}"#;
    for algorithm in ["ml-dsa-44", "dilithium2", "ed25519", "ml-dsa-44-ed25519"] {
        let folder = Folder::signed();
        folder.write("prompt", prompt);
        let key = Key::new(&folder, algorithm);
        let secrets = key.secrets();
        let mut texts: Vec<OsString> = Vec::new();
        let (hex, base64) = (hex::encode(&key.seed), Base64::encode_string(&key.seed));
        texts.extend([hex[..40].into(), hex.to_uppercase().into(), hex.into()]);
        texts.extend([
            base64[..40].into(),
            base64.to_lowercase().into(),
            base64.into(),
        ]);
        for (_, bytes) in &key.files {
            if let Ok(pem) = str::from_utf8(bytes)
                && let Some(body) = body(pem)
            {
                for breaks in ["\n", " ", "\\n", ""] {
                    texts.push(pem.replace('\n', breaks).into());
                }
                texts.extend([pem[..pem.len() >> 1].into(), body.into()]);
            }
            #[cfg(unix)]
            if !bytes.contains(&0) {
                use std::os::unix::ffi::OsStringExt;
                texts.push(OsString::from_vec(bytes.clone()));
            }
        }
        for text in &texts {
            for position in POSITIONS {
                let place = |word: &str| {
                    let mut argument = OsString::new();
                    for (index, part) in word.split('@').enumerate() {
                        if index > 0 {
                            argument.push(text);
                        }
                        argument.push(part);
                    }
                    argument
                };
                let args: Vec<_> = position.split(' ').map(place).collect();
                let ended = folder.run_args(&args, b"");
                check(&secrets, &format!("{text:?}"), position, &ended);
            }
        }
    }
}

/// Replaced line breaks are not damage.
#[test]
fn flattened_keys_are_read() {
    let folder = Folder::signed();
    for name in ["key.pem", "public.pem"] {
        let pem = String::from_utf8(folder.read(name)).unwrap();
        for breaks in [" ", "\\n", "\\r\\n", "", "\r", "  "] {
            folder.write("flat", pem.replace('\n', breaks));
            assert_eq!(folder.ok("convert flat"), folder.read(name), "{breaks:?}");
        }
        for (bad, says) in [
            (
                pem.replace('\n', "").replace("BEGIN P", "BEGIN  P"),
                "(unknown)",
            ),
            (
                pem.replace('\n', "").replace("KEY-----M", "KEYM"),
                "is damaged",
            ),
            (pem.replace('\n', "\\t"), "is not base64"),
            (pem.replace('\n', "\\\\n"), "is not base64"),
        ] {
            folder.write("flat", bad);
            folder.fails(2, "convert flat", says);
        }
    }
}
