use moissanite_mcuboot::format::PROTECTED_LEN;
use moissanite_mcuboot::{Header, Parser, Protected};
use proptest::prelude::*;

use crate::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A header that is read is written in the same way.
    #[test]
    fn any_header(mut bytes: [u8; 32], size in 30_u16..40, fixed: u8, reserved in 0_u8..2) {
        bytes[..4].copy_from_slice(&0x96f3_b83d_u32.to_le_bytes());
        bytes[8..10].copy_from_slice(&size.to_le_bytes());
        bytes[10..12].copy_from_slice(&48_u16.to_le_bytes());
        bytes[16..20].copy_from_slice(&[0, fixed & 1, 0, 0]);
        bytes[28..].copy_from_slice(&[reserved, 0, 0, 0]);
        if let Ok(header) = Header::from_bytes(&bytes) {
            prop_assert_eq!(header.to_bytes(), bytes);
        }
    }

    #[test]
    fn any_protected_area(counter: u32, vendor: [u8; 32]) {
        let area = Protected::new(counter, vendor);
        let read = Protected::from_bytes(area.as_bytes()).unwrap();
        prop_assert_eq!(read, area);
        prop_assert_eq!((read.counter(), read.vendor()), (counter, &vendor));
    }

    /// What is signed is accepted with the same values.
    #[test]
    fn any_image(
        body in prop::collection::vec(any::<u8>(), 1..300), size in 32_u16..200, counter: u32,
        version: (u8, u8, u16, u32), address: Option<u32>,
    ) {
        let version = Version::new(version.0, version.1, version.2, version.3);
        let mut draft = Draft::new(&body, version, counter).unwrap().with_header_size(size).unwrap();
        if let Some(address) = address {
            draft = draft.with_address(address);
        }
        let image = sign(&draft);
        let requirements = Requirements { minimum_counter: counter, address };
        let verified = check_with(&KEY, &image, &requirements).unwrap();
        prop_assert_eq!(&image[verified.body()], &body[..]);
        prop_assert_eq!((verified.version(), verified.counter()), (version, counter));
    }

    /// Changed bytes are refused, unless they are all in the digest, and the parser stays within the slot.
    #[test]
    fn changed_images(changes in prop::collection::vec((any::<prop::sample::Index>(), 1_u8..), 1..4)) {
        let mut image = IMAGE.clone();
        for (at, change) in changes {
            // Most bytes are those of the signature.
            let at = at.index(SIGNATURE + 100);
            image[at] ^= change;
        }
        let outside = |image: &[u8]| [&image[..AREA + 8], &image[AREA + 40..]].concat();
        prop_assert_eq!(check(&image).is_ok(), outside(&image) == outside(&IMAGE));
    }

    /// Any answers to the parser: it asks for no bytes outside of the slot, and ends.
    #[test]
    fn any_bytes(capacity in 0_usize..10_000, pieces in prop::collection::vec(any::<[u8; PROTECTED_LEN]>(), 8)) {
        let mut parser = Parser::new(capacity);
        for (step, piece) in pieces.iter().enumerate() {
            let Some(wanted) = parser.wanted() else { break };
            prop_assert!(wanted.len() <= Parser::LONGEST && wanted.end <= capacity);
            let mut piece = piece[..wanted.len()].to_vec();
            let front: &[u8] = match step {
                0 => &IMAGE[..32],
                1 => &IMAGE[PROTECTED..AREA],
                2 => &[7, 0x69],
                _ => &[0xa1, 0x4d, 0x74, 9],
            };
            for (to, from) in piece.iter_mut().zip(front) {
                *to = *from;
            }
            if parser.take(&piece).is_err() {
                break;
            }
        }
    }
}
