//! OpenSSL 4, where OpenSSL 3 is asked for. Their build steps have the same interface.

pub use openssl_src_4::*;
