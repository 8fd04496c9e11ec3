//! `moissanite sign`.

use crate::args::{self, Sign};
use crate::backend::Backend;
use crate::error::Error;
use crate::identity;
use crate::keyfile::{Expected, KeyFile, What};
use crate::message::Message;
use crate::output::{self, Output, Target};

pub(crate) fn run(args: &Sign, backend: Backend) -> Result<(), Error> {
    let framing = args.framing.framing()?;
    let [key, message] = args::sources([&args.key, &args.input])?;
    let target = Target::new(Some(&args.out));
    identity::refuse_inputs(&[&key, &message], &target)?;
    output::check(&target, args.force, false)?;
    let (key, _) = KeyFile::read(&key, Expected::key(What::PrivateKey, args.algorithm))?
        .private_key(backend)?;
    let message = Message::open(&message)?;
    let signature = key.sign(message, &framing, args.deterministic)?;
    let output = Output {
        target,
        bytes: &signature,
        secret: false,
        text: false,
    };
    output::write(&[output], args.force)
}
