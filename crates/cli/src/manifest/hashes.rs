//! The hashes of many files, on all cores.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Write};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use sha2::{Digest, Sha512};

use super::error::ManifestError;
use super::folder::Folder;
use super::format::Hash;
use super::name::{Name, shown};
use crate::error::Error;
use crate::input::Progress;

/// The size of the buffer of each thread, in bytes.
const BUFFER: usize = 256 << 10;

/// Hashes files of a folder. Each one comes with its expected length in bytes, for the progress.
pub(crate) fn hash_all(folder: &Folder, files: &[(&Name, u64)]) -> Vec<Result<Hash, Error>> {
    let total = files
        .iter()
        .fold(0, |total: u64, (_, length)| total.saturating_add(*length));
    let progress = Mutex::new(Progress::new(Some(total)));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut hashed = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((name, _)) = files.get(index) else {
                return hashed;
            };
            hashed.push((index, hash(folder, name, &progress)));
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let mut hashed = thread::scope(|scope| {
        let others = 1..cores.min(files.len());
        let others: Vec<_> = others.map(|_| scope.spawn(work)).collect();
        let mut hashed = work();
        for other in others {
            hashed.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        hashed
    });
    hashed.sort_unstable_by_key(|(index, _)| *index);
    hashed.into_iter().map(|(_, hash)| hash).collect()
}

/// Hashes one file, which must not change in the meantime.
fn hash(folder: &Folder, name: &Name, progress: &Mutex<Progress>) -> Result<Hash, Error> {
    let read_error = |error| Error::io("read", shown(name.as_bytes()), error);
    let refused = |error| Error::file(shown(name.as_bytes()), error);
    let file = folder.open_file(&name.to_path()).map_err(read_error)?;
    let before = file.metadata().map_err(read_error)?;
    if !before.is_file() {
        return Err(refused(ManifestError::Special));
    }
    let mut sink = Sink {
        hash: Sha512::new(),
        length: 0,
        progress,
    };
    let mut reader = BufReader::with_capacity(BUFFER, file);
    io::copy(&mut reader, &mut sink).map_err(read_error)?;
    let after = File::metadata(reader.get_ref()).map_err(read_error)?;
    if sink.length != before.len() || state(&before) != state(&after) {
        return Err(refused(ManifestError::Changed));
    }
    Ok(sink.hash.finalize().into())
}

/// What a write to a file changes: its length, and the times of the last changes in seconds and nanoseconds.
#[cfg(unix)]
fn state(metadata: &Metadata) -> (u64, [i64; 4]) {
    use std::os::unix::fs::MetadataExt;

    let (content, all) = (metadata.mtime(), metadata.ctime());
    let times = [content, metadata.mtime_nsec(), all, metadata.ctime_nsec()];
    (metadata.len(), times)
}

#[cfg(not(unix))]
fn state(metadata: &Metadata) -> (u64, Option<std::time::SystemTime>) {
    (metadata.len(), metadata.modified().ok())
}

/// A hash that counts its input.
struct Sink<'a> {
    hash: Sha512,
    length: u64,
    progress: &'a Mutex<Progress>,
}

impl Write for Sink<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.hash.update(piece);
        let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        self.length = self.length.saturating_add(length);
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.advance(length);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
