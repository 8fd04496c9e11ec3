//! The power is lost at each word of each write and erasure of an update. After each start, the device runs the
//! old or the new image, and in the end one of them is confirmed.

use std::cell::RefCell;

use embassy_sync::blocking_mutex::Mutex;
use moissanite_mcuboot::Image;

use crate::device::{Application, Device, End, Layout};
use crate::flash::{Cut, Flash, Power, Tear, WORD};
use crate::{image, vendor};

const PAGE: usize = 256;
const LAYOUT: Layout = Layout {
    active: 12 * PAGE,
    state: PAGE,
    page: PAGE,
};
/// More starts than any run needs.
const STARTS: usize = 8;

/// Cuts the power at given operations, counted from the first start on, and records the length of all of them.
#[derive(Clone, Default)]
struct Plan {
    cuts: Vec<(usize, Cut)>,
    lengths: Vec<usize>,
    /// For each operation, the number of the start in which it happens.
    starts: Vec<usize>,
    start: usize,
}

impl Power for &RefCell<Plan> {
    fn next(&mut self, length: usize) -> Option<Cut> {
        let mut plan = self.borrow_mut();
        let operation = plan.lengths.len();
        plan.lengths.push(length);
        let start = plan.start;
        plan.starts.push(start);
        let mut cuts = plan.cuts.iter();
        cuts.find(|(at, _)| *at == operation).map(|(_, cut)| *cut)
    }

    fn lost(&mut self) {}
}

/// The images and their programs.
struct Images {
    old: Vec<u8>,
    new: Vec<u8>,
    works: bool,
}

impl Images {
    fn new(works: bool) -> Self {
        Self {
            old: image(1, &[0x11; 300]),
            new: image(2, &[0x22; 400]),
            works,
        }
    }

    /// The content of flash before the update: the old image, and nothing else.
    fn flash(&self) -> Vec<u8> {
        let mut memory = vec![0xff; LAYOUT.total()];
        memory[..self.old.len()].copy_from_slice(&self.old);
        memory
    }

    /// Starts the device until it ends, and returns how, with the operations.
    fn run(&self, cuts: &[(usize, Cut)]) -> (End, Plan) {
        let mut memory = self.flash();
        let plan = RefCell::new(Plan {
            cuts: cuts.to_vec(),
            ..Plan::default()
        });
        for start in 0..STARTS {
            plan.borrow_mut().start = start;
            if let Some(end) = self.start(&mut memory, &plan) {
                if end == End::RolledBack {
                    assert_eq!(memory[..self.old.len()], self.old);
                }
                return (end, plan.into_inner());
            }
        }
        panic!("{cuts:?}: no end after {STARTS} starts");
    }

    /// One start. There is no end if the device resets or its power is lost.
    fn start(&self, memory: &mut [u8], plan: &RefCell<Plan>) -> Option<End> {
        let flash = Mutex::new(RefCell::new(Flash::<_, PAGE>::new(memory, plan)));
        let device = Device::new(&flash, LAYOUT);
        let started = device.boot(&vendor()).ok()?;
        let started = started.unwrap_or_else(|| panic!("{:?}: no image", plan.borrow().cuts));
        let mut active = vec![0; LAYOUT.active];
        embedded_storage::nor_flash::ReadNorFlash::read(&mut device.active(), 0, &mut active)
            .ok()?;
        self.check(&started, &active);
        let application = Application {
            vendor: &vendor(),
            offered: &self.new,
            counter: started.counter(),
            newest: 2,
            works: self.works,
        };
        device
            .run(&application)
            .ok()
            .filter(|end| *end != End::Reset)
    }

    /// The started image is one of the two, byte for byte.
    fn check(&self, started: &Image, active: &[u8]) {
        let expected = if started.counter() == 1 {
            &self.old
        } else {
            &self.new
        };
        assert_eq!(active[..started.len()], expected[..]);
    }

    fn expected(&self) -> End {
        if self.works {
            End::Updated
        } else {
            End::RolledBack
        }
    }

    /// The cuts of an operation over `length` bytes: at each word, and with torn bytes at the beginning, in the middle
    /// and at the end.
    fn cuts(length: usize) -> impl Iterator<Item = Cut> {
        let words = (0..=length).step_by(WORD);
        let clean = words.map(|done| Cut {
            done,
            tear: Tear::Clean,
        });
        let places = [0, (length / 2).next_multiple_of(WORD), length - WORD];
        let torn = places.into_iter().flat_map(|done| {
            [Tear::Word(1), Tear::Word(3), Tear::Noise].map(|tear| Cut { done, tear })
        });
        clean.chain(torn)
    }
}

/// Without a loss of power: the update, and the roll-back of an image that does not work.
#[test]
fn no_cut() {
    for works in [true, false] {
        let images = Images::new(works);
        let (end, plan) = images.run(&[]);
        assert_eq!(end, images.expected());
        assert!(plan.lengths.len() > 60, "{}", plan.lengths.len());
    }
}

/// Every place of every operation. Some of the cuts end with the old image although the new one works: those
/// after the swap, before the new image is confirmed.
fn every_cut(works: bool) {
    let images = Images::new(works);
    let (_, plan) = images.run(&[]);
    let (mut count, mut rolled_back) = (0, 0);
    for (operation, length) in plan.lengths.iter().enumerate() {
        for cut in Images::cuts(*length) {
            let (end, _) = images.run(&[(operation, cut)]);
            count += 1;
            rolled_back += usize::from(end == End::RolledBack);
            assert!(works || end == End::RolledBack, "{operation} {cut:?}");
        }
    }
    println!(
        "{count} cuts of {} operations, {rolled_back} ended with the old image",
        plan.lengths.len()
    );
    assert!(!works || rolled_back < count / 50);
}

#[test]
fn every_cut_of_an_update() {
    every_cut(true);
}

#[test]
fn every_cut_of_a_roll_back() {
    every_cut(false);
}

/// Two losses of power: each operation, and then every ninth of those that follow, in the middle of both.
#[test]
fn two_cuts() {
    for works in [true, false] {
        let images = Images::new(works);
        let (_, plan) = images.run(&[]);
        let middle = |length: usize| Cut {
            done: (length / 2).next_multiple_of(WORD),
            tear: Tear::Noise,
        };
        for (first, length) in plan.lengths.iter().enumerate() {
            let one = (first, middle(*length));
            let (_, plan) = images.run(&[one]);
            for second in ((first + 1)..plan.lengths.len()).step_by(9) {
                images.run(&[one, (second, middle(plan.lengths[second]))]);
            }
        }
    }
}
