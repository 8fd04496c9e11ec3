//! The defects of verifiers that the vectors detect.

use moissanite::Fips204;
use moissanite_core::shape::Dim;

/// A defect; [`TABLE`] describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Defect {
    SignatureTrailing,
    SignaturePadded,

    ContextIgnored,
    ContextLengthMissing,
    ContextLengthModulo,
    ContextCut,
    ContextLongestRefused,
    DomainMissing,
    DomainPreHashed,
    FrameMissing,
    EmptyMessageRefused,
    TrMissing,
    TrOf32Bytes,
    TrOfRho,
    TrZero,
    MuOf32Bytes,
    PaddingInOneByte,
    PaddingInItsOwnBlock,

    HintOrderUnchecked,
    HintOrderOfTheFirstPair,
    HintOrderOfTheLastPair,
    HintOrderOfTheLastRow,
    HintEqual,
    HintOrderAcrossRows,
    HintPositionZeroRefused,
    HintCountDecreasing,
    HintCountDecreasingInTheLastRow,
    HintCountReset,
    HintCountAboveOmega,
    HintCountClamped,
    HintCountOmegaRefused,
    HintNoneRefused,
    HintRestUnchecked,
    HintRestFirst,
    HintRestLast,
    HintRestWithoutOnes,

    ZUnchecked,
    ZBoundAbove,
    ZBoundBelow,
    ZBoundWithoutBeta,
    ZBeta(u32),
    ZGamma1OfAnotherSet,
    ZPositiveOnly,
    ZNegativeOnly,
    ZEquality,
    ZPolynomial(usize),
    ZFirstCoefficients,
    ZLastCoefficients,
    ZLastVerdict,

    CTildeUncompared,
    CTildePrefix,
    CTildeFirstByte,
    CTildeLastByte,
    CTildeTopBits,
    CTildeString,

    BallOf32Bytes,
    BallSignsFromTheTop,
    BallSignsInverted,
    BallSignsMissing,
    BallPositionBelow,
    BallTauMinusOne,
    BallWithoutExchange,

    T1NotShifted,
    T1ShiftedBy12,
    T1Added,

    MatrixIndexSwapped,
    MatrixRowsReversed,
    UniformQ,
    UniformQWithTopBit,
    UniformQMinus1,
    UniformZero,
    UniformTopBit,
    UniformTopBitAlone,
    UniformFewCandidates,

    RoundHalfUp,
    RoundHalfDown,
    TopIntervalMissing,
    TopIntervalClamped,
    TopIntervalEarly,
    TopIntervalLate,
    UseHintIgnored,
    UseHintUpAlone,
    UseHintUpAtZero,
    UseHintDownAtOne,
    UseHintUpClamped,
    UseHintDownClamped,
}

use Defect as D;

/// The defect of a verifier; a correct one has none.
pub(crate) type Flaw = Option<Defect>;

/// Each defect with its name and what a verifier with it does.
pub(crate) const TABLE: &[(Defect, &str, &str)] = &[
    (
        D::SignatureTrailing,
        "signature-trailing",
        "ignores bytes after the signature",
    ),
    (
        D::SignaturePadded,
        "signature-padded",
        "takes zeros for missing bytes at the end of a signature",
    ),
    (
        D::ContextIgnored,
        "context-ignored",
        "hashes an empty context",
    ),
    (
        D::ContextLengthMissing,
        "context-length-missing",
        "hashes the context without its length",
    ),
    (
        D::ContextLengthModulo,
        "context-length-modulo",
        "accepts a context of 256 bytes, with its length modulo 256",
    ),
    (
        D::ContextCut,
        "context-cut",
        "takes the first 255 bytes of a longer context",
    ),
    (
        D::ContextLongestRefused,
        "context-longest-refused",
        "refuses a context of 255 bytes",
    ),
    (
        D::DomainMissing,
        "domain-missing",
        "hashes no domain separator: the length of the context is first",
    ),
    (
        D::DomainPreHashed,
        "domain-pre-hashed",
        "hashes the domain separator of HashML-DSA",
    ),
    (
        D::FrameMissing,
        "frame-missing",
        "hashes the message alone, as in round 3",
    ),
    (
        D::EmptyMessageRefused,
        "empty-message-refused",
        "refuses an empty message",
    ),
    (D::TrMissing, "tr-missing", "computes mu without tr"),
    (
        D::TrOf32Bytes,
        "tr-of-32-bytes",
        "hashes 32 bytes of tr, as in round 3",
    ),
    (
        D::TrOfRho,
        "tr-of-rho",
        "computes tr of rho, and not of the whole key: t1 can be exchanged",
    ),
    (D::TrZero, "tr-zero", "takes zeros for tr"),
    (D::MuOf32Bytes, "mu-of-32-bytes", "hashes 32 bytes of mu"),
    (
        D::PaddingInOneByte,
        "padding-in-one-byte",
        "pads wrongly if one byte of a block of SHAKE256 is left",
    ),
    (
        D::PaddingInItsOwnBlock,
        "padding-in-its-own-block",
        "pads wrongly if a block of SHAKE256 is full",
    ),
    (
        D::HintOrderUnchecked,
        "hint-order-unchecked",
        "accepts positions in any order",
    ),
    (
        D::HintOrderOfTheFirstPair,
        "hint-order-of-the-first-pair",
        "does not compare the first two positions of a row",
    ),
    (
        D::HintOrderOfTheLastPair,
        "hint-order-of-the-last-pair",
        "does not compare the last two positions of a row",
    ),
    (
        D::HintOrderOfTheLastRow,
        "hint-order-of-the-last-row",
        "does not compare the positions of the last row",
    ),
    (
        D::HintEqual,
        "hint-equal",
        "accepts a repeated position: > in place of >=",
    ),
    (
        D::HintOrderAcrossRows,
        "hint-order-across-rows",
        "compares the first position of a row with the last one of the row before",
    ),
    (
        D::HintPositionZeroRefused,
        "hint-position-zero-refused",
        "refuses position 0 at the start of a row",
    ),
    (
        D::HintCountDecreasing,
        "hint-count-decreasing",
        "accepts a count below the one before, for an empty row",
    ),
    (
        D::HintCountDecreasingInTheLastRow,
        "hint-count-decreasing-in-the-last-row",
        "accepts a count below the one before in the last row",
    ),
    (
        D::HintCountReset,
        "hint-count-reset",
        "accepts a count below the one before, and continues from it",
    ),
    (
        D::HintCountAboveOmega,
        "hint-count-above-omega",
        "accepts a count above omega, and reads counts as positions",
    ),
    (
        D::HintCountClamped,
        "hint-count-clamped",
        "takes omega for a count above omega",
    ),
    (
        D::HintCountOmegaRefused,
        "hint-count-omega-refused",
        "refuses a hint with omega ones: >= in place of >",
    ),
    (
        D::HintNoneRefused,
        "hint-none-refused",
        "refuses a hint without ones",
    ),
    (
        D::HintRestUnchecked,
        "hint-rest-unchecked",
        "accepts any bytes after the last position",
    ),
    (
        D::HintRestFirst,
        "hint-rest-first",
        "does not check the first byte after the last position",
    ),
    (
        D::HintRestLast,
        "hint-rest-last",
        "does not check the last of the omega bytes",
    ),
    (
        D::HintRestWithoutOnes,
        "hint-rest-without-ones",
        "accepts any positions if the hint has no ones",
    ),
    (D::ZUnchecked, "z-unchecked", "does not check the norm of z"),
    (
        D::ZBoundAbove,
        "z-bound-above",
        "accepts a norm of gamma1 - beta: > in place of >=",
    ),
    (
        D::ZBoundBelow,
        "z-bound-below",
        "refuses a norm of gamma1 - beta - 1",
    ),
    (
        D::ZBoundWithoutBeta,
        "z-bound-without-beta",
        "compares the norm with gamma1",
    ),
    (
        D::ZBeta(78),
        "z-beta-78",
        "compares the norm with gamma1 - 78, the beta of ML-DSA-44",
    ),
    (
        D::ZBeta(196),
        "z-beta-196",
        "compares the norm with gamma1 - 196, the beta of ML-DSA-65",
    ),
    (
        D::ZBeta(120),
        "z-beta-120",
        "compares the norm with gamma1 - 120, the beta of ML-DSA-87",
    ),
    (
        D::ZGamma1OfAnotherSet,
        "z-gamma1-of-another-set",
        "compares the norm with a bound that has gamma1 of another set",
    ),
    (
        D::ZPositiveOnly,
        "z-positive-only",
        "takes no absolute value: only z >= bound is refused",
    ),
    (
        D::ZNegativeOnly,
        "z-negative-only",
        "takes no absolute value: only z <= -bound is refused",
    ),
    (
        D::ZEquality,
        "z-equality",
        "refuses only a norm that equals the bound",
    ),
    (
        D::ZPolynomial(0),
        "z-polynomial-0",
        "does not check polynomial 0 of z",
    ),
    (
        D::ZPolynomial(1),
        "z-polynomial-1",
        "does not check polynomial 1 of z",
    ),
    (
        D::ZPolynomial(2),
        "z-polynomial-2",
        "does not check polynomial 2 of z",
    ),
    (
        D::ZPolynomial(3),
        "z-polynomial-3",
        "does not check polynomial 3 of z",
    ),
    (
        D::ZPolynomial(4),
        "z-polynomial-4",
        "does not check polynomial 4 of z",
    ),
    (
        D::ZPolynomial(5),
        "z-polynomial-5",
        "does not check polynomial 5 of z",
    ),
    (
        D::ZPolynomial(6),
        "z-polynomial-6",
        "does not check polynomial 6 of z",
    ),
    (
        D::ZFirstCoefficients,
        "z-first-coefficients",
        "does not check the first coefficient of each polynomial of z",
    ),
    (
        D::ZLastCoefficients,
        "z-last-coefficients",
        "does not check the last coefficient of each polynomial of z",
    ),
    (
        D::ZLastVerdict,
        "z-last-verdict",
        "keeps only the verdict on the last polynomial of z",
    ),
    (
        D::CTildeUncompared,
        "c-tilde-uncompared",
        "does not compare c-tilde",
    ),
    (
        D::CTildePrefix,
        "c-tilde-prefix",
        "compares only 32 bytes of c-tilde, as in round 3",
    ),
    (
        D::CTildeFirstByte,
        "c-tilde-first-byte",
        "does not compare the first byte of c-tilde",
    ),
    (
        D::CTildeLastByte,
        "c-tilde-last-byte",
        "does not compare the last byte of c-tilde",
    ),
    (
        D::CTildeTopBits,
        "c-tilde-top-bits",
        "does not compare the top bit of each byte of c-tilde",
    ),
    (
        D::CTildeString,
        "c-tilde-string",
        "compares c-tilde up to the first zero, as a string",
    ),
    (
        D::BallOf32Bytes,
        "ball-of-32-bytes",
        "samples the challenge from 32 bytes of c-tilde, as in the draft of FIPS 204",
    ),
    (
        D::BallSignsFromTheTop,
        "ball-signs-from-the-top",
        "takes the signs of the challenge from the last bit on",
    ),
    (
        D::BallSignsInverted,
        "ball-signs-inverted",
        "takes the sign bit 1 for +1",
    ),
    (
        D::BallSignsMissing,
        "ball-signs-missing",
        "samples a challenge without signs",
    ),
    (
        D::BallPositionBelow,
        "ball-position-below",
        "leaves no coefficient of the challenge in its place: < in place of <=",
    ),
    (
        D::BallTauMinusOne,
        "ball-tau-minus-one",
        "samples a challenge with tau - 1 coefficients",
    ),
    (
        D::BallWithoutExchange,
        "ball-without-exchange",
        "loses a coefficient of the challenge that is drawn again",
    ),
    (
        D::T1NotShifted,
        "t1-not-shifted",
        "does not multiply t1 by 2^13",
    ),
    (
        D::T1ShiftedBy12,
        "t1-shifted-by-12",
        "multiplies t1 by 2^12",
    ),
    (
        D::T1Added,
        "t1-added",
        "adds c t1 2^13 in place of subtracting it",
    ),
    (
        D::MatrixIndexSwapped,
        "matrix-index-swapped",
        "exchanges row and column in the seeds of the matrix",
    ),
    (
        D::MatrixRowsReversed,
        "matrix-rows-reversed",
        "takes the rows of the matrix from the last on",
    ),
    (
        D::UniformQ,
        "uniform-q",
        "accepts q as a coefficient of the matrix",
    ),
    (
        D::UniformQWithTopBit,
        "uniform-q-with-top-bit",
        "accepts q as a coefficient of the matrix if the top bit of the three bytes is set",
    ),
    (
        D::UniformQMinus1,
        "uniform-q-minus-1",
        "rejects q - 1 as a coefficient of the matrix",
    ),
    (
        D::UniformZero,
        "uniform-zero",
        "rejects 0 as a coefficient of the matrix",
    ),
    (
        D::UniformTopBit,
        "uniform-top-bit",
        "does not clear the top bit of three bytes, and rejects candidates that have it",
    ),
    (
        D::UniformTopBitAlone,
        "uniform-top-bit-alone",
        "rejects the three bytes 00 00 80, which are 0 without the top bit",
    ),
    (
        D::UniformFewCandidates,
        "uniform-few-candidates",
        "reads 260 candidates for each polynomial of the matrix, and leaves zeros if more are needed",
    ),
    (
        D::RoundHalfUp,
        "round-half-up",
        "Decompose rounds up where the low bits are gamma2",
    ),
    (
        D::RoundHalfDown,
        "round-half-down",
        "Decompose rounds down where the low bits are -gamma2 + 1",
    ),
    (
        D::TopIntervalMissing,
        "top-interval-missing",
        "Decompose gives (q - 1) / (2 gamma2) as the high bits in the topmost interval",
    ),
    (
        D::TopIntervalClamped,
        "top-interval-clamped",
        "Decompose gives the largest high bits in the topmost interval, and not 0",
    ),
    (
        D::TopIntervalEarly,
        "top-interval-early",
        "Decompose begins the topmost interval one too early, at q - 1 - gamma2",
    ),
    (
        D::TopIntervalLate,
        "top-interval-late",
        "Decompose begins the topmost interval one too late, after q - gamma2",
    ),
    (
        D::UseHintIgnored,
        "use-hint-ignored",
        "does not apply hints",
    ),
    (
        D::UseHintUpAlone,
        "use-hint-up-alone",
        "UseHint never goes down",
    ),
    (
        D::UseHintUpAtZero,
        "use-hint-up-at-zero",
        "UseHint goes up where the low bits are 0: >= in place of >",
    ),
    (
        D::UseHintDownAtOne,
        "use-hint-down-at-one",
        "UseHint goes down where the low bits are 1",
    ),
    (
        D::UseHintUpClamped,
        "use-hint-up-clamped",
        "UseHint stays at the largest high bits, and does not go up to 0",
    ),
    (
        D::UseHintDownClamped,
        "use-hint-down-clamped",
        "UseHint stays at 0, and does not go down to the largest high bits",
    ),
];

impl Defect {
    /// The name and the description in the table.
    pub(crate) fn described(self) -> (&'static str, &'static str) {
        let found = TABLE.iter().find(|(defect, ..)| *defect == self);
        found.map_or(("", ""), |(_, name, what)| (name, what))
    }

    /// Whether a verifier of this set with the defect differs from a correct one.
    pub(crate) fn is_one_of<P: Fips204>(self) -> bool {
        match self {
            Self::ZBeta(beta) => beta != P::BETA,
            Self::ZPolynomial(i) => i < P::L::N,
            // c-tilde has 32 bytes in ML-DSA-44.
            Self::CTildePrefix | Self::BallOf32Bytes => P::C_TILDE_LEN > 32,
            // (q - 1) / (2 gamma2) is 16 in the other sets, and its low four bits are right.
            Self::TopIntervalMissing => P::HIGH_VALUES == 44,
            _ => true,
        }
    }
}
