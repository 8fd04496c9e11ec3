//! Messages of any size, read piece by piece.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::error::Error;
use crate::{report, standard};

/// What is held of a message at once.
const PIECE: usize = 256 << 10;

/// What files that are read whole are expected to have at most.
const READ_AHEAD: usize = (1 << 20) + 64;

/// Hashing that takes longer shows how far it is.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// Where something is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    pub(crate) fn new(path: &Path) -> Self {
        if path == Path::new("-") {
            Self::Stdin
        } else {
            Self::File(path.into())
        }
    }

    /// What messages call it.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Stdin => "standard input".into(),
            Self::File(path) => report::file(path),
        }
    }

    /// What the system knows of it, without opening it.
    pub(crate) fn metadata(&self) -> Option<Metadata> {
        match self {
            Self::Stdin => standard::metadata(&io::stdin()),
            Self::File(path) => fs::metadata(path).ok(),
        }
    }

    /// Refuses standard input that has been closed: the nothing in it is not what was meant.
    fn check_open(&self) -> Result<(), Error> {
        let is_standard = match self {
            Self::Stdin => true,
            Self::File(path) => standard::is_name(path, 0),
        };
        if is_standard && standard::is_closed(&io::stdin()) {
            return Err(Error::Usage(
                "standard input is closed, or /dev/null opened for reading and writing; name a file, or redirect one to it".into(),
            ));
        }
        Ok(())
    }

    /// Its beginning, at most `limit` bytes.
    pub(crate) fn read_at_most(&self, limit: u64) -> Result<Vec<u8>, Error> {
        self.check_open()?;
        // So much at once that a key leaves no copies behind by growing.
        let mut bytes = Vec::with_capacity(usize::try_from(limit).unwrap_or(0).min(READ_AHEAD));
        let read = match self {
            Self::Stdin => io::stdin().lock().take(limit).read_to_end(&mut bytes),
            Self::File(path) => {
                File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
            }
        };
        read.map_err(|error| Error::io("read", self.place(), error))?;
        Ok(bytes)
    }
}

/// A message that has not been read yet.
pub(crate) struct Message {
    reader: Box<dyn Read>,
    place: String,
    length: Option<u64>,
    /// Where a bit is to be changed on the way.
    flip: Option<u64>,
    /// The same file, where it can be read again.
    file: Option<File>,
}

impl Message {
    pub(crate) fn open(source: &Source) -> Result<Self, Error> {
        source.check_open()?;
        let place = source.place();
        let (reader, length, file): (Box<dyn Read>, _, _) = match source {
            Source::Stdin => (Box::new(io::stdin().lock()), None, None),
            Source::File(path) => {
                let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
                let opened = opened.and_then(|(metadata, file)| {
                    let again = metadata.is_file().then(|| file.try_clone());
                    Ok((metadata, file, again.transpose()?))
                });
                let (metadata, file, again) =
                    opened.map_err(|error| Error::io("read", place.as_str(), error))?;
                let length = metadata.is_file().then_some(metadata.len());
                (Box::new(file), length, again)
            }
        };
        Ok(Self {
            reader,
            place,
            length,
            flip: None,
            file,
        })
    }

    /// A message that is there already.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self {
            reader: Box::new(io::Cursor::new(bytes.to_vec())),
            place: String::new(),
            length: None,
            flip: None,
            file: None,
        }
    }

    /// The same message with the lowest bit of one byte changed.
    pub(crate) fn with_flipped_bit(mut self, position: u64) -> Self {
        self.flip = Some(position);
        self
    }

    /// The same message from its start.
    fn again(&self) -> Result<Self, Error> {
        let file = self.file.as_ref().ok_or(io::ErrorKind::NotSeekable.into());
        let file = file.and_then(|mut file| {
            file.rewind()?;
            file.try_clone()
        });
        let file = file.map_err(|error| Error::io("read", self.place.as_str(), error))?;
        Ok(Self {
            reader: Box::new(file),
            place: self.place.clone(),
            length: self.length,
            flip: self.flip,
            file: None,
        })
    }

    /// Reads it to its end; how many bytes it has.
    pub(crate) fn absorb(mut self, mut take: impl FnMut(&[u8])) -> Result<u64, Error> {
        let mut piece = vec![0; PIECE];
        let mut progress = Progress::new(self.length);
        let mut done = 0_u64;
        loop {
            let read = match self.reader.read(&mut piece) {
                Ok(0) => return Ok(done),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Error::io("read", self.place, error)),
            };
            let piece = piece.get_mut(..read).unwrap_or_default();
            if let Some(index) = self.flip.and_then(|position| position.checked_sub(done))
                && let Some(byte) = usize::try_from(index).ok().and_then(|i| piece.get_mut(i))
            {
                *byte ^= 1;
            }
            take(piece);
            done = done.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
            progress.set(done);
        }
    }
}

/// A message that is read more than once.
pub(crate) enum Repeatable {
    /// Each time from the start.
    File(Message),
    /// All of it.
    Held(Vec<u8>),
}

/// What is held of a message that cannot be read again from where it comes.
const HELD: u64 = 64 << 20;

impl Message {
    pub(crate) fn repeatable(mut self) -> Result<Repeatable, Error> {
        if self.file.is_some() {
            return Ok(Repeatable::File(self));
        }
        let (mut held, place) = (Vec::new(), self.place.clone());
        self.reader = Box::new(self.reader.take(HELD + 1));
        if self.absorb(|piece| held.extend_from_slice(piece))? > HELD {
            let most = HELD >> 20;
            return Err(Error::Usage(format!(
                "this algorithm reads a message twice, so {place} is held in memory, up to {most} MiB; name a file with --in"
            )));
        }
        Ok(Repeatable::Held(held))
    }
}

impl Repeatable {
    /// Reads it to its end, from its start.
    pub(crate) fn read(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        match self {
            Self::File(message) => message.again()?.absorb(take).map(drop),
            Self::Held(bytes) => {
                take(bytes);
                Ok(())
            }
        }
    }
}

/// A bar on the terminal, once hashing has taken a while.
struct Progress {
    start: Instant,
    /// Hidden at first, but counting, so that its speed is right.
    bar: ProgressBar,
    shown: bool,
}

impl Progress {
    fn new(length: Option<u64>) -> Self {
        Self {
            start: Instant::now(),
            bar: ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden()),
            shown: false,
        }
    }

    fn set(&mut self, done: u64) {
        self.bar.set_position(done);
        if !self.shown && self.start.elapsed() > PROGRESS_DELAY {
            self.shown = true;
            self.show();
        }
    }

    /// Draws nothing where standard error is no terminal.
    fn show(&self) {
        let template = match self.bar.length() {
            Some(_) => "hashing {wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
            None => "hashing {spinner} {bytes}, {bytes_per_sec}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_draw_target(ProgressDrawTarget::stderr());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
