//! The exchange with other implementations in both directions, as one test program.

mod certificates;
mod cms;
mod command;
mod crls;
mod ed25519;
mod exchange;
mod passphrases;
mod tls;
