//! OpenSSL 4 in place of OpenSSL 3. The build steps of both have the same interface.

pub use openssl_src_4::*;
