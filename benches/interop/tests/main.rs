//! What others make is read here, and what is made here is read by others; as one program.

mod certificates;
mod command;
mod ed25519;
mod exchange;
mod tls;
