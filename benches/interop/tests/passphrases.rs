//! Private keys that a passphrase protects: encrypted by OpenSSL and read by the command, and the other way round.

use std::ffi::{c_char, c_int};
use std::ptr;

use foreign_types::ForeignType;
use openssl::nid::Nid;
use openssl::pkey::{Id, KeyType, PKey, Private};
use openssl::symm::Cipher;
use openssl_sys::{EVP_CIPHER, PKCS8_PRIV_KEY_INFO, X509_ALGOR};

use crate::command::Folder;

const PASSPHRASE: &str = "ein Paßwort";
const ALGORITHMS: [&str; 4] = ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "ed25519"];
/// The number of HMAC with SHA3-256, which the crate `openssl` does not name.
const HMAC_WITH_SHA3_256: c_int = 1103;

/// EncryptedPrivateKeyInfo.
enum Encrypted {}

// The functions behind the options -v2prf and -scrypt of `openssl pkcs8`, which the crate does not have.
unsafe extern "C" {
    fn PKCS5_pbe2_set_iv(
        cipher: *const EVP_CIPHER,
        iterations: c_int,
        salt: *mut u8,
        salt_len: c_int,
        iv: *mut u8,
        prf: c_int,
    ) -> *mut X509_ALGOR;
    fn PKCS5_pbe2_set_scrypt(
        cipher: *const EVP_CIPHER,
        salt: *const u8,
        salt_len: c_int,
        iv: *mut u8,
        n: u64,
        r: u64,
        p: u64,
    ) -> *mut X509_ALGOR;
    fn PKCS8_set0_pbe(
        passphrase: *const c_char,
        passphrase_len: c_int,
        key: *mut PKCS8_PRIV_KEY_INFO,
        algorithm: *mut X509_ALGOR,
    ) -> *mut Encrypted;
    fn i2d_X509_SIG(key: *const Encrypted, out: *mut *mut u8) -> c_int;
    fn X509_SIG_free(key: *mut Encrypted);
    fn PKCS8_PRIV_KEY_INFO_free(key: *mut PKCS8_PRIV_KEY_INFO);
}

/// How OpenSSL derives a key from the passphrase.
#[derive(Clone, Copy, Debug)]
enum Derivation {
    /// PBKDF2 with this pseudorandom function, by its number in OpenSSL, and this number of iterations.
    Pbkdf2(c_int, c_int),
    /// scrypt with N, r and p.
    Scrypt(u64, u64, u64),
}

/// Encrypts a key with OpenSSL, in DER.
fn encrypt(key: &PKey<Private>, cipher: Cipher, derivation: Derivation) -> Vec<u8> {
    let length = c_int::try_from(PASSPHRASE.len()).expect("short");
    let (salt, iv) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the key and the cipher outlive the calls. Without a salt and an IV, OpenSSL chooses random ones. The
    // encrypted key owns the algorithm. The buffer has the length that the first call of the encoder returns.
    unsafe {
        let algorithm = match derivation {
            Derivation::Pbkdf2(prf, iterations) => {
                PKCS5_pbe2_set_iv(cipher.as_ptr(), iterations, salt, 0, iv, prf)
            }
            Derivation::Scrypt(n, r, p) => {
                PKCS5_pbe2_set_scrypt(cipher.as_ptr(), salt, 0, iv, n, r, p)
            }
        };
        assert!(!algorithm.is_null(), "{derivation:?}");
        let info = openssl_sys::EVP_PKEY2PKCS8(key.as_ptr());
        assert!(!info.is_null());
        let encrypted = PKCS8_set0_pbe(PASSPHRASE.as_ptr().cast(), length, info, algorithm);
        assert!(!encrypted.is_null(), "{derivation:?}");
        let length = i2d_X509_SIG(encrypted, ptr::null_mut());
        let mut der = vec![0; usize::try_from(length).expect("encoded")];
        i2d_X509_SIG(encrypted, &mut der.as_mut_ptr());
        X509_SIG_free(encrypted);
        PKCS8_PRIV_KEY_INFO_free(info);
        der
    }
}

fn generate(algorithm: &str) -> PKey<Private> {
    let seed = [9; 32];
    let key_type = match algorithm {
        "ml-dsa-44" => KeyType::ML_DSA_44,
        "ml-dsa-65" => KeyType::ML_DSA_65,
        "ml-dsa-87" => KeyType::ML_DSA_87,
        _ => return PKey::private_key_from_raw_bytes(&seed, Id::ED25519).expect("a key"),
    };
    PKey::private_key_from_seed(None, key_type, None, &seed).expect("a key")
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("pass", PASSPHRASE);
    folder.write("wrong", "ein Passwort");
    folder
}

/// The command reads a key with the passphrase, and with no other one.
fn is_read(folder: &Folder, file: &str, key: &PKey<Private>) {
    let convert = format!("convert {file} --public --out public.pem --force");
    folder.ok(&format!("{convert} --passphrase-file pass"));
    let public = key.public_key_to_pem().expect("PEM");
    assert!(folder.read("public.pem") == public, "{file}: another key");
    assert!(!folder.run(&format!("{convert} --passphrase-file wrong")).0);
}

#[test]
fn ours_are_read() {
    let folder = folder("passphrases-ours");
    for algorithm in ALGORITHMS {
        folder.ok(&format!(
            "keygen {algorithm} --passphrase-file pass --out key.pem --public-out public.pem --force"
        ));
        folder.ok(
            "convert key.pem --passphrase-file pass --new-passphrase-file pass --format der --out key.der --force",
        );
        let (pem, der) = (folder.read("key.pem"), folder.read("key.der"));
        let read = [
            PKey::private_key_from_pem_passphrase(&pem, PASSPHRASE.as_bytes()),
            PKey::private_key_from_pkcs8_passphrase(&der, PASSPHRASE.as_bytes()),
        ];
        for key in read {
            let public = key.expect(algorithm).public_key_to_pem().expect("PEM");
            assert!(public == folder.read("public.pem"), "{algorithm}");
        }
        assert!(PKey::private_key_from_pem_passphrase(&pem, b"ein Passwort").is_err());
    }
}

#[test]
fn theirs_are_read() {
    let folder = folder("passphrases-theirs");
    let sha256 = Nid::HMACWITHSHA256.as_raw();
    for algorithm in ALGORITHMS {
        let key = generate(algorithm);
        // PBKDF2 with HMAC-SHA-256, as OpenSSL encrypts by default.
        let default =
            key.private_key_to_pem_pkcs8_passphrase(Cipher::aes_256_cbc(), PASSPHRASE.as_bytes());
        folder.write("default.pem", default.expect("encrypted"));
        is_read(&folder, "default.pem", &key);
        for cipher in [
            Cipher::aes_128_cbc(),
            Cipher::aes_192_cbc(),
            Cipher::aes_256_cbc(),
        ] {
            folder.write(
                "key.der",
                encrypt(&key, cipher, Derivation::Pbkdf2(sha256, 2048)),
            );
            is_read(&folder, "key.der", &key);
        }
        for derivation in [
            Derivation::Pbkdf2(Nid::HMACWITHSHA1.as_raw(), 1000),
            Derivation::Pbkdf2(Nid::HMACWITHSHA224.as_raw(), 2048),
            Derivation::Pbkdf2(Nid::HMACWITHSHA384.as_raw(), 2048),
            Derivation::Pbkdf2(Nid::HMACWITHSHA512.as_raw(), 2048),
            Derivation::Pbkdf2(sha256, 600_000),
            Derivation::Scrypt(1 << 14, 8, 1),
            Derivation::Scrypt(1 << 10, 4, 3),
        ] {
            folder.write("key.der", encrypt(&key, Cipher::aes_256_cbc(), derivation));
            is_read(&folder, "key.der", &key);
        }
    }
}

#[test]
fn other_schemes_are_refused() {
    let folder = folder("passphrases-refused");
    let key = generate("ml-dsa-44");
    let sha256 = Nid::HMACWITHSHA256.as_raw();
    for (der, reason) in [
        (
            encrypt(
                &key,
                Cipher::des_ede3_cbc(),
                Derivation::Pbkdf2(sha256, 2048),
            ),
            "1.2.840.113549.3.7",
        ),
        (
            encrypt(
                &key,
                Cipher::aes_256_cbc(),
                Derivation::Pbkdf2(HMAC_WITH_SHA3_256, 2048),
            ),
            "2.16.840.1.101.3.4.2.14",
        ),
    ] {
        folder.write("key.der", der);
        let (read, text) = folder.run("convert key.der --public --passphrase-file pass");
        assert!(!read);
        assert!(
            text.contains("in a way that this command does not support"),
            "{text}"
        );
        assert!(text.contains(reason), "{text}");
    }
}
