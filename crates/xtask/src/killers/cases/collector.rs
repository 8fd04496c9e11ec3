//! Makes signatures, and collects those that are checked.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use anyhow::{Context, Result, ensure};
use moissanite::Fips204;
use moissanite_core::reference::{self as fips204, Coefficients};
use moissanite_core::shape::Dim;

use crate::killers::defects::{Defect, Flaw, TABLE};
use crate::killers::verifier::{self, Input};

/// What the vectors of a topic are about: the first word of their comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Length,
    Message,
    CTilde,
    Norm,
    Hint,
    Rounding,
    Challenge,
    Matrix,
}

/// All topics with their names.
pub(crate) const TOPICS: [(Topic, &str); 8] = [
    (Topic::Length, "length"),
    (Topic::Message, "message"),
    (Topic::CTilde, "c-tilde"),
    (Topic::Norm, "norm"),
    (Topic::Hint, "hint"),
    (Topic::Rounding, "rounding"),
    (Topic::Challenge, "challenge"),
    (Topic::Matrix, "matrix"),
];

impl Topic {
    /// The name in the list.
    pub(crate) fn name(self) -> &'static str {
        let found = TOPICS.iter().find(|(topic, _)| *topic == self);
        found.map_or("", |(_, name)| name)
    }
}

/// A vector.
pub(crate) struct Case {
    pub(crate) topic: Topic,
    pub(crate) what: String,
    pub(crate) public_key: Vec<u8>,
    pub(crate) context: Vec<u8>,
    pub(crate) message: Vec<u8>,
    pub(crate) signature: Vec<u8>,
    pub(crate) valid: bool,
    /// The defects that the vector detects.
    pub(crate) defects: Vec<Defect>,
}

impl Case {
    fn input(&self) -> Input<'_> {
        Input {
            public_key: &self.public_key,
            context: &self.context,
            message: &self.message,
            signature: &self.signature,
        }
    }

    /// Whether t₁ of the public key is zero.
    pub(crate) fn has_zero_key(&self) -> bool {
        self.public_key.iter().skip(32).all(|byte| *byte == 0)
    }
}

/// A signature without its c̃, for a public key whose t₁ is zero. For such a key, w' = Az does not depend on
/// the challenge: c̃ follows from z and the hint, and no private key is needed.
#[derive(Clone)]
pub(crate) struct Draft {
    pub(crate) public_key: Vec<u8>,
    pub(crate) context: Vec<u8>,
    pub(crate) message: Vec<u8>,
    pub(crate) z: Vec<Coefficients>,
    /// The ω + K bytes of the hint.
    pub(crate) hint: Vec<u8>,
}

impl Draft {
    /// Returns the signature that a verifier accepts.
    pub(crate) fn signature<P: Fips204>(&self, flaw: Flaw) -> Result<Vec<u8>> {
        let gamma1 = P::GAMMA1.cast_signed();
        let pack = |z| fips204::bit_pack(fips204::z_bits::<P>(), gamma1, z);
        let z: Vec<u8> = self.z.iter().flat_map(pack).collect();
        let mut signature = [&vec![0; P::C_TILDE_LEN][..], &z, &self.hint].concat();
        let Self {
            public_key,
            context,
            message,
            ..
        } = self;
        let input = Input {
            public_key,
            context,
            message,
            signature: &[],
        };
        let mu = verifier::mu(flaw, input);
        let c_tilde =
            mu.and_then(|mu| verifier::commitment::<P>(flaw, &mu, public_key, &signature));
        let c_tilde =
            c_tilde.with_context(|| format!("a verifier with {flaw:?} refuses a draft"))?;
        signature[..P::C_TILDE_LEN].copy_from_slice(&c_tilde);
        Ok(signature)
    }

    /// Replaces the hint.
    pub(crate) fn with_hint<P: Fips204>(self, positions: &[u8], counts: &[usize]) -> Self {
        let mut hint = vec![0; P::OMEGA];
        hint[..positions.len()].copy_from_slice(positions);
        // The rows without a count of their own are empty.
        let last = counts.last().copied().unwrap_or_default();
        let counts = counts.iter().copied().chain(std::iter::repeat(last));
        hint.extend(counts.take(P::K::N).map(|count| count.to_le_bytes()[0]));
        Self { hint, ..self }
    }
}

/// The vectors so far.
pub(crate) struct Collector<P> {
    topic: Topic,
    cases: Vec<Case>,
    set: PhantomData<P>,
}

impl<P: Fips204> Collector<P> {
    pub(crate) fn new() -> Self {
        Self {
            topic: Topic::Length,
            cases: Vec::new(),
            set: PhantomData,
        }
    }

    /// Begins with the vectors of a topic.
    pub(crate) fn begin(&mut self, topic: Topic) {
        self.topic = topic;
    }

    /// Bytes without a pattern, which the set and the name determine.
    pub(crate) fn bytes(&self, name: &str) -> impl Iterator<Item = u8> + use<P> {
        fips204::h(&[
            P::NAME.as_bytes(),
            self.topic.name().as_bytes(),
            name.as_bytes(),
        ])
    }

    /// A public key with t₁ = 0.
    pub(crate) fn zero_key(rho: &[u8; 32]) -> Vec<u8> {
        let mut public_key = rho.to_vec();
        public_key.resize(P::PUBLIC_KEY_LEN, 0);
        public_key
    }

    /// A draft with a random short z, without hints and without a context. The number of vectors so far
    /// determines it.
    pub(crate) fn draft(&self) -> Draft {
        let name = self.cases.len().to_string();
        let mut random = self.bytes(&name);
        let most = P::GAMMA1 - P::BETA - 1;
        let coefficient = |_| {
            let random = u64::from(u32::from_le_bytes(fips204::first(&mut random)));
            let below = (random * u64::from(2 * most + 1)) >> 32;
            i32::try_from(below).unwrap_or_default() - most.cast_signed()
        };
        let z: Vec<i32> = (0..256 * P::L::N).map(coefficient).collect();
        Draft {
            public_key: Self::zero_key(&fips204::first(fips204::h(&[b"zero key"]))),
            context: Vec::new(),
            message: format!("{} {name}", self.topic.name()).into_bytes(),
            z: z.as_chunks().0.to_vec(),
            hint: vec![0; P::OMEGA + P::K::N],
        }
    }

    /// Adds a valid signature, which verifiers with these defects refuse.
    pub(crate) fn valid(&mut self, what: &str, draft: Draft, defects: &[Defect]) -> Result<()> {
        let signature = draft.signature::<P>(None)?;
        self.add(what, draft, signature, true, defects)
    }

    /// Adds a signature that a verifier with the first of these defects accepts, and those with the others
    /// too.
    pub(crate) fn invalid(&mut self, what: &str, draft: Draft, defects: &[Defect]) -> Result<()> {
        let signature = draft.signature::<P>(defects.first().copied())?;
        self.add(what, draft, signature, false, defects)
    }

    /// Adds a signature; only the key, the context and the message of the draft are used.
    pub(crate) fn add(
        &mut self,
        what: &str,
        draft: Draft,
        signature: Vec<u8>,
        valid: bool,
        defects: &[Defect],
    ) -> Result<()> {
        let defects = defects
            .iter()
            .copied()
            .filter(|defect| defect.is_one_of::<P>());
        let Draft {
            public_key,
            context,
            message,
            ..
        } = draft;
        let case = Case {
            topic: self.topic,
            what: what.to_owned(),
            public_key,
            context,
            message,
            signature,
            valid,
            defects: defects.collect(),
        };
        check::<P>(&case).with_context(|| format!("{}, {}: {what}", P::NAME, self.topic.name()))?;
        self.cases.push(case);
        Ok(())
    }

    /// Returns the vectors, which detect every defect.
    pub(crate) fn finish(self) -> Result<Vec<Case>> {
        let detected: BTreeSet<_> = self.cases.iter().flat_map(|case| &case.defects).collect();
        for (defect, name, _) in TABLE {
            let has = !defect.is_one_of::<P>() || detected.contains(defect);
            ensure!(has, "no vector of {} detects {name}", P::NAME);
        }
        Ok(self.cases)
    }
}

/// Checks the expected result with two correct verifiers, and the other result with each defect.
fn check<P: Fips204>(case: &Case) -> Result<()> {
    let input = case.input();
    let mu = verifier::mu(None, input).filter(|_| case.signature.len() == P::SIGNATURE_LEN);
    let reference = mu.is_some_and(|mu| {
        fips204::verify::<P>(
            &case.public_key,
            &mu,
            &case.signature,
            fips204::short_z::<P>,
        )
    });
    ensure!(
        reference == case.valid,
        "the reference does not give {}",
        case.valid
    );
    ensure!(
        verifier::accepts::<P>(None, input) == case.valid,
        "the verifier without a defect does not give {}",
        case.valid
    );
    for defect in &case.defects {
        let differs = verifier::accepts::<P>(Some(*defect), input) != case.valid;
        ensure!(differs, "{} is not detected", defect.described().0);
    }
    Ok(())
}
