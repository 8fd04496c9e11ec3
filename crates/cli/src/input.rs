//! Inputs: sources of bytes, and messages of any size that are read piece by piece.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::error::Error;
use crate::{display, standard};

/// The largest part of a message in memory, in bytes.
const PIECE: usize = 256 << 10;

/// The expected largest size of a file that is read completely.
const READ_AHEAD: usize = (1 << 20) + 64;

/// The time after which hashing shows its progress.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// The source of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Standard input: `-`.
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

    /// The name in messages.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Stdin => "standard input".into(),
            Self::File(path) => display::file(path),
        }
    }

    /// The metadata of the source, without opening it.
    pub(crate) fn metadata(&self) -> Option<Metadata> {
        match self {
            Self::Stdin => standard::metadata(&io::stdin()),
            Self::File(path) => fs::metadata(path).ok(),
        }
    }

    /// The number of the open file that this is; 0 for standard input, under whatever name.
    pub(crate) fn number(&self) -> Option<u32> {
        match self {
            Self::Stdin => Some(0),
            Self::File(path) => standard::number(path),
        }
    }

    /// Refuses a closed stream, which would be read as an empty input.
    fn check_open(&self) -> Result<(), Error> {
        match self.number().and_then(standard::closed) {
            Some(name) => Err(Error::Usage(format!(
                "{name} is closed, or /dev/null opened for reading and writing; name a file, or redirect one to it"
            ))),
            None => Ok(()),
        }
    }

    /// Reads at most `limit` bytes from the beginning.
    pub(crate) fn read_at_most(&self, limit: u64) -> Result<Vec<u8>, Error> {
        self.check_open()?;
        // The capacity is large enough that no reallocation leaves copies of a key in memory.
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
    /// The position of a byte in which one bit is changed while reading.
    flip: Option<u64>,
    /// The file, if it can be read again.
    file: Option<File>,
}

impl Message {
    /// Opens a message.
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

    /// A message in memory.
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

    /// The same message from its beginning.
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

    /// Reads the message to its end, and returns its length in bytes.
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
            let read = u64::try_from(read).unwrap_or(u64::MAX);
            done = done.saturating_add(read);
            progress.advance(read);
        }
    }
}

/// A message that can be read several times.
pub(crate) enum Repeatable {
    /// A file, which is read from its beginning each time.
    File(Message),
    /// The whole message.
    Held(Vec<u8>),
}

/// The largest message that is kept in memory because its source cannot be read again.
const HELD: u64 = 64 << 20;

impl Message {
    /// Makes the message readable several times.
    pub(crate) fn repeatable(mut self) -> Result<Repeatable, Error> {
        if self.file.is_some() {
            return Ok(Repeatable::File(self));
        }
        let (mut held, place) = (Vec::new(), self.place.clone());
        self.reader = Box::new(self.reader.take(HELD + 1));
        if self.absorb(|piece| held.extend_from_slice(piece))? > HELD {
            let most = HELD >> 20;
            return Err(Error::Usage(format!(
                "this algorithm reads a message twice, so {place} is kept in memory, and exceeds the limit of {most} MiB; name a file with --in"
            )));
        }
        Ok(Repeatable::Held(held))
    }
}

impl Repeatable {
    /// Reads the message from its beginning to its end.
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

/// A progress bar on the terminal, which appears after [`PROGRESS_DELAY`].
pub(crate) struct Progress {
    start: Instant,
    /// It counts from the beginning, while hidden, so that its speed is right.
    bar: ProgressBar,
    shown: bool,
}

impl Progress {
    /// Nothing is done of a number of bytes, which may be unknown.
    pub(crate) fn new(length: Option<u64>) -> Self {
        Self {
            start: Instant::now(),
            bar: ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden()),
            shown: false,
        }
    }

    /// More bytes are done.
    pub(crate) fn advance(&mut self, done: u64) {
        self.bar.inc(done);
        if !self.shown && self.start.elapsed() > PROGRESS_DELAY {
            self.shown = true;
            self.show();
        }
    }

    /// Shows the bar, if standard error is a terminal.
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
