//! Which updates are marked, with both kinds of updaters.

use std::cell::RefCell;

use embassy_boot::{
    BlockingFirmwareUpdater, FirmwareUpdater, FirmwareUpdaterConfig, FirmwareUpdaterError, State,
};
use embassy_embedded_hal::adapter::BlockingAsync;
use embassy_embedded_hal::flash::partition::{BlockingPartition, Partition};
use embassy_futures::block_on;
use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use moissanite::stream::EndOfSlice;
use moissanite_embassy_boot::{Image, Requirements, UpdateError, asynch, blocking};
use moissanite_mcuboot::{Error, Malformed, Refused};

use crate::flash::{Cut, Flash, Power};
use crate::*;

const PAGE: usize = 256;
const DFU: usize = 14 * PAGE;
const ACTIVE: usize = 13 * PAGE;

type Verdict = Result<Image, UpdateError<EndOfSlice>>;

/// The power is never lost.
struct Mains;
impl Power for Mains {
    fn next(&mut self, _: usize) -> Option<Cut> {
        None
    }
    fn lost(&mut self) {}
}

/// Returns the flash: the DFU partition with an image, and the state, whose first word is `magic`.
fn flash(image: &[u8], magic: u8) -> Vec<u8> {
    let mut memory = vec![0xff; DFU + PAGE];
    memory[..image.len()].copy_from_slice(image);
    memory[DFU..DFU + 4].fill(magic);
    memory
}

const SWAP: u8 = 0xf0;
const BOOT: u8 = 0xd0;

fn requirements() -> Requirements {
    Requirements {
        minimum_counter: 2,
        address: None,
    }
}

/// Updates with the updater without `async`, and returns whether the image was marked.
fn blocking(memory: &mut [u8], active: usize) -> (Verdict, bool) {
    let flash = Flash::<_, PAGE>::new(memory, Mains);
    let flash = Mutex::<NoopRawMutex, _>::new(RefCell::new(flash));
    let config = FirmwareUpdaterConfig {
        dfu: BlockingPartition::new(&flash, 0, DFU as u32),
        state: BlockingPartition::new(&flash, DFU as u32, PAGE as u32),
    };
    let mut word = [0; 4];
    let mut updater = BlockingFirmwareUpdater::new(config, &mut word);
    let verdict = blocking::verify_and_mark_updated::<MlDsa44, _, _, _>(
        &mut updater,
        active,
        &vendor()[..],
        &requirements(),
    );
    (verdict, updater.get_state().unwrap() == State::Swap)
}

/// The same with `async`.
fn asynch(memory: &mut [u8], active: usize, buffer: &mut [u8]) -> (Verdict, bool) {
    let flash = BlockingAsync::new(Flash::<_, PAGE>::new(memory, Mains));
    let flash = embassy_sync::mutex::Mutex::<NoopRawMutex, _>::new(flash);
    let config = FirmwareUpdaterConfig {
        dfu: Partition::new(&flash, 0, DFU as u32),
        state: Partition::new(&flash, DFU as u32, PAGE as u32),
    };
    let mut word = [0; 4];
    let mut updater = FirmwareUpdater::new(config, &mut word);
    let (vendor, requirements) = (vendor(), requirements());
    block_on(async {
        let verdict = asynch::verify_and_mark_updated::<MlDsa44, _, _, _>(
            &mut updater,
            active,
            &vendor[..],
            &requirements,
            buffer,
        );
        let verdict = verdict.await;
        (verdict, updater.get_state().await.unwrap() == State::Swap)
    })
}

/// Both kinds return the same, and mark only what they return.
fn both(image: &[u8], active: usize) -> Verdict {
    let (first, marked) = blocking(&mut flash(image, BOOT), active);
    assert_eq!(marked, first.is_ok());
    let (second, marked) = asynch(&mut flash(image, BOOT), active, &mut [0; 2420]);
    assert_eq!(marked, second.is_ok());
    assert_eq!(format!("{first:?}"), format!("{second:?}"));
    second
}

fn refuses(image: &[u8], reason: Refused) {
    let verdict = both(image, ACTIVE);
    assert!(matches!(verdict, Err(UpdateError::Image(Error::Refused(found))) if found == reason));
}

#[test]
fn good_images() {
    for counter in [2, 3, u32::MAX] {
        for length in [1, 63, 64, 65, 300] {
            let verified = both(&image(counter, &[7; 300][..length]), ACTIVE).unwrap();
            assert_eq!(verified.counter(), counter);
            assert_eq!(verified.body().len(), length);
        }
    }
}

#[test]
fn bad_images() {
    let good = image(2, &[7; 300]);
    for at in (32..332).step_by(13).chain([20, 27, 340, good.len() - 1]) {
        let mut changed = good.clone();
        changed[at] ^= 1;
        if (332..380).contains(&at) {
            assert!(both(&changed, ACTIVE).is_err());
        } else {
            refuses(&changed, Refused::Signature);
        }
    }
    refuses(&image(1, &[7; 300]), Refused::Counter);
    let other = SigningKey::<MlDsa44>::from_seed(&Seed::from_bytes(&[4; 32]));
    let draft = Draft::new(&[7; 300], Version::new(1, 0, 0, 2), 2).unwrap();
    refuses(
        &draft.try_sign(&other, &mut SysRng).unwrap(),
        Refused::Vendor,
    );
    refuses(
        &draft
            .with_address(0x8000)
            .try_sign(&*KEY, &mut SysRng)
            .unwrap(),
        Refused::Address,
    );
    let none = both(&[], ACTIVE);
    assert!(matches!(
        none,
        Err(UpdateError::Image(Error::Malformed(Malformed::NoImage)))
    ));
}

/// An image fits the active partition, and not only the DFU partition.
#[test]
fn sizes() {
    let image = image(2, &[7; 300]);
    assert!(both(&image, image.len()).is_ok());
    let verdict = both(&image, image.len() - 1);
    assert!(matches!(
        verdict,
        Err(UpdateError::Image(Error::Malformed(Malformed::TooLong)))
    ));
}

/// The DFU partition has the image to which the device would return.
#[test]
fn not_booted() {
    let image = image(2, &[7; 300]);
    let mut memory = flash(&image, SWAP);
    let before = memory.clone();
    let (verdict, _) = blocking(&mut memory, ACTIVE);
    assert!(matches!(verdict, Err(UpdateError::NotBooted)));
    let (verdict, _) = asynch(&mut memory, ACTIVE, &mut [0; 2420]);
    assert!(matches!(verdict, Err(UpdateError::NotBooted)));
    assert_eq!(memory, before);
}

#[test]
fn short_buffer() {
    let (verdict, marked) = asynch(
        &mut flash(&image(2, &[7; 300]), BOOT),
        ACTIVE,
        &mut [0; 2419],
    );
    assert!(matches!(verdict, Err(UpdateError::Buffer)));
    assert!(!marked);
}

/// A size that is larger than the partition gives the error of the flash.
#[test]
fn outside() {
    let mut long = image(2, &[7; 300]);
    long[12..16].copy_from_slice(&(DFU as u32).to_le_bytes());
    let verdict = both(&long, 2 * DFU);
    assert!(matches!(
        verdict,
        Err(UpdateError::Image(Error::Slot(
            FirmwareUpdaterError::Flash(_)
        )))
    ));
}
