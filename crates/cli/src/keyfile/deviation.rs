//! The known ways in which files with keys deviate from the standards, and the programs that write them.
//!
//! A program is named only if a source shows that it writes such files. The comments name the sources.

use std::fmt;

/// A deviation that the repair of a key corrects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deviation {
    /// The text is UTF-16.
    Utf16,
    /// One of the lines around the base64 text is damaged or missing.
    PemLines,
    /// The base64 text has wrong padding.
    Padding,
    /// The label is that of another kind of document.
    Label,
    /// The file has several documents, one of which is the key.
    Several,
    /// The file is base64 without the lines of PEM.
    Base64,
    /// The file is hexadecimal digits.
    Hex,
    /// Bytes follow the key.
    Trailing(usize),
    /// The algorithm has the parameters NULL.
    NullParameters,
    /// The algorithm has other parameters.
    Parameters,
    /// The identifier is that of round-3 Dilithium.
    Round3Oid,
    /// The identifier is that of the draft of FIPS 204.
    DraftOid,
    /// A key of round-3 Dilithium has the identifier of ML-DSA.
    Round3Key,
    /// The seed is not tagged.
    BareSeed,
    /// The seed has the tag of the expanded key.
    OctetSeed,
    /// The expanded key is not in an OCTET STRING.
    BareExpanded,
    /// The public key follows the private key in the same string.
    PublicAppended,
    /// The private key is wrapped once too often, or in another type.
    Wrapped,
    /// The private key is not wrapped in the OCTET STRING of PKCS#8.
    NotInOctetString,
    /// The version is 0, and there is a public key.
    VersionOfPublic,
    /// The version is 1, and there is no public key.
    VersionWithoutPublic,
    /// The version is neither 0 nor 1.
    Version,
    /// The public key beside the private one has another tag or type.
    PublicTag,
    /// The public key is in an OCTET STRING in place of a BIT STRING.
    PublicInOctetString,
    /// The public key is in a string within the BIT STRING.
    PublicWrapped,
    /// The BIT STRING states unused bits.
    UnusedBits(u8),
    /// tr is not the hash of the public key.
    Tr,
    /// A field of the document has another error.
    Other,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf16 => "the text is UTF-16; PEM is ASCII",
            Self::PemLines => {
                "the lines -----BEGIN and -----END around the base64 text are damaged, or one is missing"
            }
            Self::Padding => "the base64 text has wrong padding",
            Self::Label => "the PEM label does not match the content",
            Self::Several => "the file has several PEM documents; a key file has one",
            Self::Base64 => "the file is base64 without the lines of PEM",
            Self::Hex => "the file is hexadecimal digits",
            Self::Trailing(count) => {
                return write!(
                    f,
                    "{count} {} the key",
                    if *count == 1 {
                        "byte follows"
                    } else {
                        "bytes follow"
                    }
                );
            }
            Self::NullParameters => {
                "the algorithm has the parameters NULL, which have to be absent (RFC 9881, section 2)"
            }
            Self::Parameters => {
                "the algorithm has parameters, which have to be absent (RFC 9881, section 2)"
            }
            Self::Round3Oid => {
                "the identifier is that of round-3 Dilithium, which has no standard document"
            }
            Self::DraftOid => {
                "the identifier is that of the draft of FIPS 204; the standard has another"
            }
            Self::Round3Key => "the identifier is that of ML-DSA, and the key is one of Dilithium",
            Self::BareSeed => {
                "the seed has no tag: PKCS#8 holds its bytes themselves in place of [0] (RFC 9881, section 6)"
            }
            Self::OctetSeed => {
                "the seed is an OCTET STRING in place of [0] (RFC 9881, section 6)"
            }
            Self::BareExpanded => {
                "the expanded key is not wrapped in its OCTET STRING (RFC 9881, section 6)"
            }
            Self::PublicAppended => "the public key follows the private key in the same string",
            Self::Wrapped => "the private key is wrapped in another type, or once too often",
            Self::NotInOctetString => {
                "the private key is not in the OCTET STRING of PKCS#8 (RFC 5958, section 2)"
            }
            Self::VersionOfPublic => {
                "the version is 0 and there is a public key, which version 1 has (RFC 5958, section 2)"
            }
            Self::VersionWithoutPublic => {
                "the version is 1 and there is no public key (RFC 5958, section 2)"
            }
            Self::Version => "the version is neither 0 nor 1 (RFC 5958, section 2)",
            Self::PublicTag => {
                "the public key beside the private key is not [1] IMPLICIT BIT STRING (RFC 5958, section 2)"
            }
            Self::PublicInOctetString => {
                "the public key is an OCTET STRING in place of a BIT STRING (RFC 5280, section 4.1)"
            }
            Self::PublicWrapped => {
                "the BIT STRING holds the public key in one more string (RFC 9881, section 4)"
            }
            Self::UnusedBits(count) => {
                return write!(
                    f,
                    "the BIT STRING of the public key states {count} unused bits, and a key has whole bytes"
                );
            }
            Self::Tr => {
                "tr is not the hash of the public key that follows from rho, s1 and s2 (FIPS 204, Algorithm 6)"
            }
            Self::Other => "a field of the document that the key does not need is malformed",
        })
    }
}

impl Deviation {
    /// The programs that are known to write such files; empty if none is known.
    pub(crate) fn producers(self) -> &'static [&'static str] {
        match self {
            // Microsoft's page about_Character_Encoding.
            Self::Utf16 => &["Windows PowerShell 5.1, with `>` and Out-File"],
            // https://github.com/cloudflare/circl: MarshalPEMPrivateKey in pki/pki.go.
            Self::Label => &[],
            // https://github.com/indygreg/cryptography-rs/issues/26
            Self::NullParameters => &["the Rust crate x509-certificate"],
            // https://github.com/open-quantum-safe/oqs-provider: ALGORITHMS.md, "OIDs"; IBM's page "OID
            // file for post-quantum algorithms" of openCryptoki.
            Self::Round3Oid => &[
                "oqs-provider (dilithium2, dilithium3, dilithium5)",
                "openCryptoki",
            ],
            // The table of identifiers in oqsprov/oqsprov.c of oqs-provider with mldsa44; the decoder of
            // older keys in NXP's SPSDK.
            Self::DraftOid => &[
                "oqs-provider while FIPS 204 was a draft (mldsa44, mldsa65, mldsa87)",
                "NXP's SPSDK",
            ],
            // https://github.com/lamps-wg/dilithium-certificates/issues/4, a key of 2022.
            Self::Round3Key => &["oqs-provider of 2022, for experiments of the IETF"],
            Self::BareSeed => &[
                // https://github.com/randombit/botan/issues/5002 and pull request 5307.
                "Botan 3, before it followed RFC 9881",
                // https://github.com/RustCrypto/signatures/issues/1092
                "RustCrypto's ml-dsa, before it followed RFC 9881",
                // providers/implementations/encode_decode/ml_dsa_codecs.c, the format bare-seed.
                "OpenSSL 3.5 and later with the output format bare-seed",
                // https://github.com/lamps-wg/draft-composite-sigs/issues/210 and the examples of draft 07.
                "programs that follow the drafts of RFC 9881 before 2025",
            ],
            // https://github.com/bcgit/bc-java/issues/1969
            Self::OctetSeed => &["Bouncy Castle 1.79"],
            Self::BareExpanded => &[
                // providers/implementations/encode_decode/ml_dsa_codecs.c, the format bare-priv.
                "OpenSSL 3.5 and later with the output format bare-priv",
                // https://github.com/open-quantum-safe/oqs-provider/issues/658
                "the Java library IAIK-PQ",
            ],
            // https://github.com/open-quantum-safe/oqs-provider/issues/88, and the format oqskeypair in
            // providers/implementations/encode_decode/ml_dsa_codecs.c of OpenSSL.
            Self::PublicAppended => &[
                "oqs-provider",
                "OpenSSL 3.5 and later with the output format oqskeypair",
            ],
            // The decoder of older keys in NXP's SPSDK.
            Self::NotInOctetString => &["NXP's SPSDK, in its older format"],
            // https://github.com/wolfSSL/wolfssl/pull/10427
            Self::VersionOfPublic => &["wolfSSL before its pull request 10427 of May 2026"],
            _ => &[],
        }
    }
}
