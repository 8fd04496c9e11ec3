//! COSE messages (RFC 9052). The functions are methods of [`SigningKey`](crate::SigningKey) and
//! [`VerifyingKey`](crate::VerifyingKey).

mod cbor;
mod header;
mod key;
mod sign1;

pub use self::cbor::Label;
pub use self::header::Header;
pub use self::sign1::{Message, unverified_headers};
