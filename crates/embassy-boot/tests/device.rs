//! A device with a boot loader and an application that updates itself. The tests and the program for QEMU share
//! this file, so it needs `core` only.

use core::cell::RefCell;

use embassy_boot::{
    BlockingFirmwareUpdater, BootLoader, BootLoaderConfig, FirmwareUpdaterConfig, State,
};
use embassy_embedded_hal::flash::partition::BlockingPartition;
use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embedded_storage::nor_flash::NorFlash;
use moissanite::MlDsa44;
use moissanite_embassy_boot::{Image, Requirements, blocking};

use crate::flash::{Flash, Power, WORD};

/// The places of the partitions, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// The size of the active partition, which is at the beginning. The DFU partition follows, with one page more.
    pub(crate) active: usize,
    /// The size of the state, which is after the DFU partition.
    pub(crate) state: usize,
    /// The size of a page.
    pub(crate) page: usize,
}

impl Layout {
    pub(crate) const fn total(&self) -> usize {
        self.active + self.active + self.page + self.state
    }
}

/// What an application is told when it starts.
pub(crate) struct Application<'a> {
    /// The vendor's public key.
    pub(crate) vendor: &'a [u8],
    /// The version that is offered, which is an image.
    pub(crate) offered: &'a [u8],
    /// The rollback counter of the running image.
    pub(crate) counter: u32,
    /// The rollback counter of the offered image.
    pub(crate) newest: u32,
    /// Whether the newest application works.
    pub(crate) works: bool,
}

/// How an application ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It resets the device.
    Reset,
    /// The newest image runs and is confirmed.
    Updated,
    /// The old image runs again after the newest did not work, and is confirmed.
    RolledBack,
}

/// The power was lost, or the flash reported another error.
#[derive(Debug)]
pub(crate) struct Lost;

type Shared<'m, P, const PAGE: usize> = Mutex<NoopRawMutex, RefCell<Flash<'m, P, PAGE>>>;
type Partition<'a, 'm, P, const PAGE: usize> =
    BlockingPartition<'a, NoopRawMutex, Flash<'m, P, PAGE>>;

/// The partitions of the device.
pub(crate) struct Device<'a, 'm, P: Power, const PAGE: usize> {
    flash: &'a Shared<'m, P, PAGE>,
    layout: Layout,
}

impl<'a, 'm, P: Power, const PAGE: usize> Device<'a, 'm, P, PAGE> {
    pub(crate) fn new(flash: &'a Shared<'m, P, PAGE>, layout: Layout) -> Self {
        Self { flash, layout }
    }

    fn partition(&self, from: usize, length: usize) -> Partition<'a, 'm, P, PAGE> {
        BlockingPartition::new(self.flash, from as u32, length as u32)
    }

    pub(crate) fn active(&self) -> Partition<'a, 'm, P, PAGE> {
        self.partition(0, self.layout.active)
    }

    fn dfu(&self) -> Partition<'a, 'm, P, PAGE> {
        self.partition(self.layout.active, self.layout.active + self.layout.page)
    }

    fn state(&self) -> Partition<'a, 'm, P, PAGE> {
        let dfu = self.layout.active + self.layout.page;
        self.partition(self.layout.active + dfu, self.layout.state)
    }

    /// The boot loader: swaps or reverts if necessary, and returns the image that it starts. There is none if the
    /// active image is not the vendor's.
    pub(crate) fn boot(&self, vendor: &[u8]) -> Result<Option<Image>, Lost> {
        let mut loader = BootLoader::new(BootLoaderConfig {
            active: self.active(),
            dfu: self.dfu(),
            state: self.state(),
        });
        let mut page = embassy_boot::AlignedBuffer([0; PAGE]);
        loader.prepare_boot(&mut page.0).map_err(|_| Lost)?;
        let requirements = Requirements {
            minimum_counter: 1,
            address: None,
        };
        let image =
            blocking::verify_partition::<MlDsa44, _, _>(&mut self.active(), vendor, &requirements);
        Ok(image.ok())
    }

    /// The application: confirms itself, or updates itself and resets.
    pub(crate) fn run(&self, application: &Application<'_>) -> Result<End, Lost> {
        let mut word = embassy_boot::AlignedBuffer([0; WORD]);
        let config = FirmwareUpdaterConfig {
            dfu: self.dfu(),
            state: self.state(),
        };
        let mut updater = BlockingFirmwareUpdater::new(config, &mut word.0);
        if application.counter == application.newest {
            if !application.works {
                return Ok(End::Reset);
            }
            updater.mark_booted().map_err(|_| Lost)?;
            return Ok(End::Updated);
        }
        if updater.get_state().map_err(|_| Lost)? == State::Revert {
            return Ok(End::RolledBack);
        }
        self.update(&mut updater, application)?;
        Ok(End::Reset)
    }

    fn update<DFU: NorFlash, STATE: NorFlash>(
        &self,
        updater: &mut BlockingFirmwareUpdater<'_, DFU, STATE>,
        application: &Application<'_>,
    ) -> Result<(), Lost> {
        let mut piece = embassy_boot::AlignedBuffer([0xff; PAGE]);
        for (index, bytes) in application.offered.chunks(PAGE).enumerate() {
            let length = bytes.len().next_multiple_of(WORD);
            piece.0.fill(0xff);
            piece.0[..bytes.len()].copy_from_slice(bytes);
            let written = updater.write_firmware(index * PAGE, &piece.0[..length]);
            written.map_err(|_| Lost)?;
        }
        let requirements = Requirements {
            minimum_counter: application.counter,
            address: None,
        };
        let marked = blocking::verify_and_mark_updated::<MlDsa44, _, _, _>(
            updater,
            self.layout.active,
            application.vendor,
            &requirements,
        );
        marked.map(|_| ()).map_err(|_| Lost)
    }
}
