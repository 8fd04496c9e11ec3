//! The folder of a manifest, whose files anybody can have replaced: no symbolic link in it is followed.

use std::collections::BTreeMap;
use std::fs::{self, DirEntry, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::error::ManifestError;
use super::name::{self, MANIFEST, SIGNATURE, shown};
use crate::display::file as place;
use crate::error::Error;

/// What is in the folder under a name.
#[derive(Debug)]
pub(crate) enum Node {
    /// A file of this length in bytes.
    File(u64),
    /// A symbolic link with this target.
    Link(Vec<u8>),
    /// A pipe, a socket or a device.
    Special,
    /// A folder that cannot be read, or a name that cannot be written in a manifest.
    Unreadable(Error),
}

/// An open folder.
pub(crate) struct Folder {
    path: PathBuf,
    #[cfg(unix)]
    open: File,
}

impl Folder {
    /// Opens a folder.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let wrong = |error| Error::io("read", place(path), error);
        if !fs::metadata(path).map_err(wrong)?.is_dir() {
            return Err(wrong(io::ErrorKind::NotADirectory.into()));
        }
        Ok(Self {
            path: path.into(),
            #[cfg(unix)]
            open: File::open(path).map_err(wrong)?,
        })
    }

    /// The path of a file in it.
    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The name of the folder in messages.
    pub(crate) fn place(&self) -> String {
        place(&self.path)
    }

    /// The name of a file in messages.
    pub(crate) fn place_of(&self, name: &str) -> String {
        place(&self.join(name))
    }

    /// Reads the first bytes of one of the two files of the manifest.
    pub(crate) fn read_at_most(&self, name: &str, limit: u64) -> Result<Vec<u8>, Error> {
        let place = self.place_of(name);
        let file = self.open_file(name.as_ref());
        let mut file = file.map_err(|error| Error::io("read", place.as_str(), error))?;
        let mut bytes = Vec::new();
        let metadata = file.metadata();
        let is_file = metadata.is_ok_and(|metadata| metadata.is_file());
        if !is_file {
            return Err(Error::file(place, ManifestError::Special));
        }
        match file.by_ref().take(limit).read_to_end(&mut bytes) {
            Ok(_) => Ok(bytes),
            Err(error) => Err(Error::io("read", place, error)),
        }
    }

    /// Opens a file below the folder. A symbolic link is an error, in place of the file or of a folder on the
    /// way to it, and a pipe does not block.
    #[cfg(unix)]
    pub(super) fn open_file(&self, path: &Path) -> io::Result<File> {
        use std::os::fd::{AsFd, OwnedFd};

        use rustix::fs::{Mode, OFlags, openat};

        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let mut folder: Option<OwnedFd> = None;
        let mut parts = path.iter().peekable();
        while let Some(part) = parts.next() {
            let within = folder.as_ref().map_or(self.open.as_fd(), AsFd::as_fd);
            if parts.peek().is_none() {
                return Ok(openat(within, part, flags, Mode::empty())?.into());
            }
            folder = Some(openat(
                within,
                part,
                flags | OFlags::DIRECTORY,
                Mode::empty(),
            )?);
        }
        Err(io::ErrorKind::InvalidInput.into())
    }

    #[cfg(not(unix))]
    pub(super) fn open_file(&self, path: &Path) -> io::Result<File> {
        let mut all = self.path.clone();
        for part in path {
            all.push(part);
            if all.symlink_metadata()?.is_symlink() {
                return Err(io::ErrorKind::InvalidInput.into());
            }
        }
        File::open(all)
    }

    /// Everything below the folder but folders, the manifest and its signature. Other programs can write to the
    /// folder at the same time.
    pub(crate) fn scan(&self) -> BTreeMap<Vec<u8>, Node> {
        let mut nodes = BTreeMap::new();
        let mut folders = vec![(Vec::new(), self.path.clone())];
        while let Some((name, path)) = folders.pop() {
            match children(&name, &path) {
                Ok(children) => {
                    for child in children {
                        match child.node {
                            Some(node) => drop(nodes.insert(child.name, node)),
                            None => folders.push((child.name, child.path)),
                        }
                    }
                }
                Err(error) => {
                    let place = if name.is_empty() {
                        place(&path)
                    } else {
                        shown(&name)
                    };
                    nodes.insert(name, Node::Unreadable(Error::io("read", place, error)));
                }
            }
        }
        nodes
    }
}

/// What a folder directly contains: `None` is another folder.
struct Child {
    name: Vec<u8>,
    path: PathBuf,
    node: Option<Node>,
}

/// Lists a folder of this name. The outermost folder has no name.
fn children(folder: &[u8], path: &Path) -> io::Result<Vec<Child>> {
    let mut children = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let own = entry.file_name();
        if folder.is_empty() && (own == MANIFEST || own == SIGNATURE) {
            continue;
        }
        let lossy = || own.to_string_lossy().into_owned().into_bytes();
        let (bytes, node) = match name::bytes(&own) {
            Ok(bytes) => (bytes, node(&entry)),
            Err(error) => (lossy(), Err(error.into())),
        };
        let name = match folder {
            [] => bytes,
            folder => [folder, b"/", &bytes].concat(),
        };
        let node = node.unwrap_or_else(|error| {
            let place = shown(&name);
            Some(Node::Unreadable(match error {
                NodeError::Io(error) => Error::io("read", place, error),
                NodeError::Name(error) => Error::file(place, error),
            }))
        });
        let path = entry.path();
        children.push(Child { name, path, node });
    }
    Ok(children)
}

/// Why something in a folder cannot be recorded.
enum NodeError {
    Io(io::Error),
    Name(ManifestError),
}

impl From<io::Error> for NodeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ManifestError> for NodeError {
    fn from(error: ManifestError) -> Self {
        Self::Name(error)
    }
}

fn node(entry: &DirEntry) -> Result<Option<Node>, NodeError> {
    let metadata = entry.metadata()?;
    Ok(if metadata.is_dir() {
        None
    } else if metadata.is_symlink() {
        let target = fs::read_link(entry.path())?;
        Some(Node::Link(name::bytes(target.as_os_str())?))
    } else if metadata.is_file() {
        Some(Node::File(metadata.len()))
    } else {
        Some(Node::Special)
    })
}
