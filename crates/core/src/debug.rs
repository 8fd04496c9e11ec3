//! `Debug` output of long public values.

use core::fmt;

/// Writes a name and the first eight bytes in hex.
///
/// # Errors
/// The error of the formatter.
pub fn debug_bytes(
    f: &mut fmt::Formatter<'_>,
    name: fmt::Arguments<'_>,
    bytes: &[u8],
) -> fmt::Result {
    write!(f, "{name}(")?;
    for byte in bytes.iter().take(8) {
        write!(f, "{byte:02x}")?;
    }
    f.write_str("...)")
}
