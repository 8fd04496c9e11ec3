//! An implementation in a shared object with a small C ABI.
//!
//! The object exports:
//!
//!     const char *peer_name(void);
//!     const char *peer_about(void);
//!     int  peer_flags(void);   // 1: keygen takes the seed, 2: deterministic
//!     void *peer_open(int level, const uint8_t seed[32]);  // 44, 65, 87; NULL: unsupported
//!     int  peer_supports(void *s, int op);  // 0 keygen, 1 sign encoded, 2 sign prepared,
//!                                           // 3 verify encoded, 4 verify prepared
//!     void peer_public_key(void *s, uint8_t *pk);          // 1312, 1952 or 2592 bytes
//!     void peer_keygen(void *s, const uint8_t seed[32]);
//!     int  peer_sign(void *s, int prepared, const uint8_t *msg, size_t len, uint8_t *sig);
//!     int  peer_verify(void *s, int prepared, const uint8_t *msg, size_t len,
//!                      const uint8_t *sig, size_t sig_len); // 1: valid
//!     int  peer_verify_vector(int level, const uint8_t *pk, const uint8_t *ctx, size_t ctx_len,
//!                             const uint8_t *msg, size_t len,
//!                             const uint8_t *sig, size_t sig_len); // 1: valid; may be missing
//!     const char *peer_known_defects(void);  // names in kats/README.md, with spaces; may be missing
//!
//! `peer_sign` returns 1 and writes exactly the level's signature length.
//! The object is opened with RTLD_LOCAL and never closed.

use crate::peer::{KeyForm, Level, Op, Peer, Session, Vector};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;

type VerifyVector = unsafe extern "C" fn(
    c_int,
    *const u8,
    *const u8,
    usize,
    *const u8,
    usize,
    *const u8,
    usize,
) -> c_int;

#[derive(Clone, Copy)]
struct Abi {
    open: unsafe extern "C" fn(c_int, *const u8) -> *mut c_void,
    supports: unsafe extern "C" fn(*mut c_void, c_int) -> c_int,
    public_key: unsafe extern "C" fn(*mut c_void, *mut u8),
    keygen: unsafe extern "C" fn(*mut c_void, *const u8),
    sign: unsafe extern "C" fn(*mut c_void, c_int, *const u8, usize, *mut u8) -> c_int,
    verify: unsafe extern "C" fn(*mut c_void, c_int, *const u8, usize, *const u8, usize) -> c_int,
    verify_vector: Option<VerifyVector>,
}

pub struct Plugin {
    name: String,
    about: String,
    flags: c_int,
    known_defects: Vec<String>,
    abi: Abi,
}

struct S {
    abi: Abi,
    level: Level,
    state: *mut c_void,
}

impl Plugin {
    pub fn load(path: &Path) -> Result<Self, libloading::Error> {
        type Str = unsafe extern "C" fn() -> *const c_char;
        // SAFETY: the object is trusted, like any other dependency; its ABI is
        // the one above. The library is leaked, so the pointers stay valid.
        unsafe {
            let lib: &'static Library = Box::leak(Box::new(Library::new(path)?));
            let text = |f: Str| CStr::from_ptr(f()).to_string_lossy().into_owned();
            let known_defects = lib.get::<Str>(b"peer_known_defects\0");
            let known_defects = known_defects.map_or(String::new(), |symbol| text(*symbol));
            Ok(Self {
                known_defects: known_defects.split_whitespace().map(String::from).collect(),
                name: text(*lib.get::<Str>(b"peer_name\0")?),
                about: text(*lib.get::<Str>(b"peer_about\0")?),
                flags: lib.get::<unsafe extern "C" fn() -> c_int>(b"peer_flags\0")?(),
                abi: Abi {
                    open: *lib.get(b"peer_open\0")?,
                    supports: *lib.get(b"peer_supports\0")?,
                    public_key: *lib.get(b"peer_public_key\0")?,
                    keygen: *lib.get(b"peer_keygen\0")?,
                    sign: *lib.get(b"peer_sign\0")?,
                    verify: *lib.get(b"peer_verify\0")?,
                    verify_vector: lib.get(b"peer_verify_vector\0").ok().map(|symbol| *symbol),
                },
            })
        }
    }
}

impl Peer for Plugin {
    fn name(&self) -> String {
        self.name.clone()
    }
    fn about(&self) -> String {
        self.about.clone()
    }
    fn seeded(&self) -> bool {
        self.flags & 1 != 0
    }
    fn deterministic(&self) -> bool {
        self.flags & 2 != 0
    }
    fn open(&self, level: Level, seed: &[u8; 32]) -> Option<Box<dyn Session>> {
        if level == Level::Ed25519 {
            return None;
        }
        let abi = self.abi;
        // SAFETY: the seed has 32 bytes.
        let state = unsafe { (abi.open)(c_int::from(level.number()), seed.as_ptr()) };
        if state.is_null() {
            return None;
        }
        Some(Box::new(S { abi, level, state }))
    }
    fn known_defects(&self) -> Vec<String> {
        self.known_defects.clone()
    }
    fn verify(&self, level: Level, vector: &Vector<'_>) -> Option<bool> {
        let verify = self.abi.verify_vector?;
        let Vector {
            public_key,
            context,
            message,
            signature,
        } = vector;
        if level == Level::Ed25519 || public_key.len() != level.lengths().0 {
            return None;
        }
        // SAFETY: the pointers go with their lengths; the key has that of the level.
        let ok = unsafe {
            verify(
                c_int::from(level.number()),
                public_key.as_ptr(),
                context.as_ptr(),
                context.len(),
                message.as_ptr(),
                message.len(),
                signature.as_ptr(),
                signature.len(),
            )
        };
        Some(ok == 1)
    }
}

impl Session for S {
    fn supports(&self, op: Op) -> bool {
        let i = Op::ALL.iter().position(|&o| o == op).expect("listed") as c_int;
        // SAFETY: the state is of `open`.
        unsafe { (self.abi.supports)(self.state, i) != 0 }
    }
    fn public_key(&self) -> Vec<u8> {
        let (length, _) = self.level.lengths();
        let mut pk = vec![0; length];
        // SAFETY: the key has the level's length, and the state is of `open`.
        unsafe { (self.abi.public_key)(self.state, pk.as_mut_ptr()) };
        pk
    }
    fn keygen(&mut self, seed: &[u8; 32]) {
        // SAFETY: the seed has 32 bytes, and the state is of `open`.
        unsafe { (self.abi.keygen)(self.state, seed.as_ptr()) }
    }
    fn sign(&mut self, form: KeyForm, msg: &[u8], sig: &mut [u8]) {
        assert_eq!(sig.len(), self.level.lengths().1);
        let prepared = (form == KeyForm::Prepared) as c_int;
        // SAFETY: the pointers go with their lengths, and the state is of `open`.
        let ok = unsafe {
            (self.abi.sign)(
                self.state,
                prepared,
                msg.as_ptr(),
                msg.len(),
                sig.as_mut_ptr(),
            )
        };
        assert_eq!(ok, 1, "sign failed");
    }
    fn verify(&mut self, form: KeyForm, msg: &[u8], sig: &[u8]) -> bool {
        let prepared = (form == KeyForm::Prepared) as c_int;
        // SAFETY: the pointers go with their lengths, and the state is of `open`.
        let ok = unsafe {
            (self.abi.verify)(
                self.state,
                prepared,
                msg.as_ptr(),
                msg.len(),
                sig.as_ptr(),
                sig.len(),
            )
        };
        ok == 1
    }
}
