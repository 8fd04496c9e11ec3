//! Base64 and hex without a PEM frame, on one line or several.

use base64ct::{Base64, Encoding};
use zeroize::Zeroizing;

use crate::pem;

/// What `bytes` mean as hex, if that is possible, and then what they mean as base64.
pub(crate) fn decodings(bytes: &[u8]) -> impl Iterator<Item = Zeroizing<Vec<u8>>> {
    let text = pem::joined(bytes).ok().filter(|text| !text.is_empty());
    let text = text.unwrap_or_default();
    let hex = hex::decode(text.as_str()).ok();
    let base64 = Base64::decode_vec(&text).ok();
    let found = [hex, base64].map(|decoded| decoded.map(Zeroizing::new));
    let found = found.into_iter().flatten();
    found.filter(|decoded| !decoded.is_empty())
}

#[cfg(test)]
mod tests {
    use super::decodings;

    fn all(text: &str) -> Vec<Vec<u8>> {
        decodings(text.as_bytes())
            .map(|bytes| bytes.to_vec())
            .collect()
    }

    #[test]
    fn hex_and_base64() {
        assert_eq!(all("AQID"), [[1, 2, 3]]);
        assert_eq!(all(" AQ\r\nID \n"), [[1, 2, 3]]);
        assert_eq!(all("AQI=\n"), [[1, 2]]);
        assert_eq!(all("0a 0B\n0c"), [[10, 11, 12]]);
        assert_eq!(
            all("0a0b0c0d"),
            [
                vec![10, 11, 12, 13],
                vec![0xd1, 0xad, 0x1b, 0xd1, 0xcd, 0x1d]
            ]
        );
        for neither in [
            "", " \n", "AQI", "AQ=I", "A-Q=", "é", "AQID.", "-----", "AQJ=",
        ] {
            assert!(all(neither).is_empty(), "{neither}");
        }
    }
}
