/*
 * Moissanite: signatures of ML-DSA (FIPS 204) and of round-3 Dilithium.
 *
 * There are two layers. Programs on an operating system use keys on the heap: moissanite_signing_key and
 * moissanite_verifying_key. Firmware uses the functions whose names begin with moissanite_stream_: they need no heap
 * and no operating system, keep their objects in memory of the caller, and read and write by callbacks. Both layers
 * give the same signatures.
 *
 * Results. A function returns MOISSANITE_OK, which is zero, or an error, a constant MOISSANITE_ERROR_...; it never
 * ends the program, except if memory cannot be allocated. A signature is accepted only if the result is MOISSANITE_OK:
 * compare with this constant. The comment of each function lists its errors. After an error, memory that the function
 * writes has no defined content, unless the comment says otherwise.
 *
 * Pointers. Memory must be valid for its length, and other threads must not write to it during the call. A function
 * reads memory to which it has a const pointer, and writes other memory. Memory that is written must not overlap any
 * other memory of the call. A byte string of length zero may have a null pointer. These rules are checked as far as a
 * function can: null pointers, lengths, alignment, overlaps, and objects that are not there give errors.
 *
 * Objects in memory of the caller, moissanite_message and moissanite_stream_key, may be anywhere, but must not be
 * copied. Their size and alignment are those of the types. Memory without an object gives MOISSANITE_ERROR_STATE, and
 * so does an object that was wiped, was copied, or is used by the operation that has called a callback.
 *
 * Threads. All functions can run at the same time in several threads, with different objects. An object that a
 * function only reads, by a pointer to const, can be used by several threads at the same time.
 *
 * Secrets. Seeds, private keys in any form, random bytes and the objects that contain them are secret. No branch,
 * address or division depends on them, and the library wipes its copies. The caller wipes its own, with
 * moissanite_wipe or the functions of each object. Messages are not secret, but only their lengths influence the time.
 * Public keys, signatures, contexts and lengths are public.
 *
 * This file is made by `cargo xtask c-interface --write`.
 */

#ifndef MOISSANITE_H
#define MOISSANITE_H

#include <stddef.h>
#include <stdint.h>

/* Firmware defines MOISSANITE_BARE_METAL before it includes this file. The functions that need an operating system,
 * and that the library for firmware does not have, are then not declared. */
#if !defined(MOISSANITE_BARE_METAL)
#define MOISSANITE_HOST
#endif

/*
 ML-DSA-44 of FIPS 204, of NIST category 2.
 */
#define MOISSANITE_ML_DSA_44 44

/*
 ML-DSA-65 of FIPS 204, of NIST category 3. Use this one unless there is a reason for another.
 */
#define MOISSANITE_ML_DSA_65 65

/*
 ML-DSA-87 of FIPS 204, of NIST category 5.
 */
#define MOISSANITE_ML_DSA_87 87

/*
 Dilithium2 of round 3, for old signatures. It has no contexts, documents and hash functions.
 */
#define MOISSANITE_DILITHIUM2 2

/*
 Dilithium3 of round 3, for old signatures. It has no contexts, documents and hash functions.
 */
#define MOISSANITE_DILITHIUM3 3

/*
 Dilithium5 of round 3, for old signatures. It has no contexts, documents and hash functions.
 */
#define MOISSANITE_DILITHIUM5 5

/*
 The bytes of the seed of a private key, of every algorithm. A seed is secret.
 */
#define MOISSANITE_SEED_LENGTH 32

/*
 The bytes of a message representative, of every algorithm. It is as secret as the message.
 */
#define MOISSANITE_MU_LENGTH 64

/*
 The most bytes of a context.
 */
#define MOISSANITE_MAX_CONTEXT_LENGTH 255

/*
 The bytes of a public key of ML-DSA-44, and of Dilithium2.
 */
#define MOISSANITE_ML_DSA_44_PUBLIC_KEY_LENGTH 1312

/*
 The bytes of an expanded private key of ML-DSA-44.
 */
#define MOISSANITE_ML_DSA_44_EXPANDED_KEY_LENGTH 2560

/*
 The bytes of a signature of ML-DSA-44, and of Dilithium2.
 */
#define MOISSANITE_ML_DSA_44_SIGNATURE_LENGTH 2420

/*
 The bytes of a public key of ML-DSA-65, and of Dilithium3.
 */
#define MOISSANITE_ML_DSA_65_PUBLIC_KEY_LENGTH 1952

/*
 The bytes of an expanded private key of ML-DSA-65.
 */
#define MOISSANITE_ML_DSA_65_EXPANDED_KEY_LENGTH 4032

/*
 The bytes of a signature of ML-DSA-65.
 */
#define MOISSANITE_ML_DSA_65_SIGNATURE_LENGTH 3309

/*
 The bytes of a public key of ML-DSA-87, and of Dilithium5. No other algorithm has longer ones.
 */
#define MOISSANITE_ML_DSA_87_PUBLIC_KEY_LENGTH 2592

/*
 The bytes of an expanded private key of ML-DSA-87. No other algorithm has longer ones.
 */
#define MOISSANITE_ML_DSA_87_EXPANDED_KEY_LENGTH 4896

/*
 The bytes of a signature of ML-DSA-87. No other algorithm has longer ones.
 */
#define MOISSANITE_ML_DSA_87_SIGNATURE_LENGTH 4627

/*
 The bytes of an expanded private key of Dilithium2.
 */
#define MOISSANITE_DILITHIUM2_EXPANDED_KEY_LENGTH 2528

/*
 The bytes of an expanded private key of Dilithium3.
 */
#define MOISSANITE_DILITHIUM3_EXPANDED_KEY_LENGTH 4000

/*
 The bytes of a signature of Dilithium3.
 */
#define MOISSANITE_DILITHIUM3_SIGNATURE_LENGTH 3293

/*
 The bytes of an expanded private key of Dilithium5.
 */
#define MOISSANITE_DILITHIUM5_EXPANDED_KEY_LENGTH 4864

/*
 The bytes of a signature of Dilithium5.
 */
#define MOISSANITE_DILITHIUM5_SIGNATURE_LENGTH 4595

/*
 SHA2-256, with digests of 32 bytes, for ML-DSA-44.
 */
#define MOISSANITE_SHA2_256 1

/*
 SHA2-384, with digests of 48 bytes, for ML-DSA-44 and ML-DSA-65.
 */
#define MOISSANITE_SHA2_384 2

/*
 SHA2-512, with digests of 64 bytes, for all algorithms of FIPS 204.
 */
#define MOISSANITE_SHA2_512 3

/*
 SHA2-224, with digests of 28 bytes, which is too weak for all algorithms.
 */
#define MOISSANITE_SHA2_224 4

/*
 SHA2-512/224, with digests of 28 bytes, which is too weak for all algorithms.
 */
#define MOISSANITE_SHA2_512_224 5

/*
 SHA2-512/256, with digests of 32 bytes, for ML-DSA-44.
 */
#define MOISSANITE_SHA2_512_256 6

/*
 SHA3-224, with digests of 28 bytes, which is too weak for all algorithms.
 */
#define MOISSANITE_SHA3_224 7

/*
 SHA3-256, with digests of 32 bytes, for ML-DSA-44.
 */
#define MOISSANITE_SHA3_256 8

/*
 SHA3-384, with digests of 48 bytes, for ML-DSA-44 and ML-DSA-65.
 */
#define MOISSANITE_SHA3_384 9

/*
 SHA3-512, with digests of 64 bytes, for all algorithms of FIPS 204.
 */
#define MOISSANITE_SHA3_512 10

/*
 SHAKE128 with an output of 32 bytes, for ML-DSA-44.
 */
#define MOISSANITE_SHAKE128 11

/*
 SHAKE256 with an output of 64 bytes, for all algorithms of FIPS 204.
 */
#define MOISSANITE_SHAKE256 12

#if defined(MOISSANITE_HOST)
/*
 DER, in bytes.
 */
#define MOISSANITE_DER 1
#endif

#if defined(MOISSANITE_HOST)
/*
 PEM, in text of ASCII with lines that end in a line feed. Texts that functions write do not end with a zero byte.
 */
#define MOISSANITE_PEM 2
#endif

#if defined(MOISSANITE_HOST)
/*
 The seed only, in 54 bytes of DER. This is the form to use, if the seed is known.
 */
#define MOISSANITE_FORM_SEED 1
#endif

#if defined(MOISSANITE_HOST)
/*
 The expanded key only.
 */
#define MOISSANITE_FORM_EXPANDED 2
#endif

#if defined(MOISSANITE_HOST)
/*
 The seed and the expanded key, for programs that need the expanded key.
 */
#define MOISSANITE_FORM_BOTH 3
#endif

#if defined(MOISSANITE_HOST)
/*
 With 32 random bytes from the operating system. Use this mode: it makes attacks by faults and side channels
 harder.
 */
#define MOISSANITE_HEDGED 1
#endif

#if defined(MOISSANITE_HOST)
/*
 Without randomness: the same message gives the same signature.
 */
#define MOISSANITE_DETERMINISTIC 2
#endif

/*
 The bytes of a message in pieces.
 */
#define MOISSANITE_MESSAGE_SIZE 512

/*
 The function has done what it is documented to do.
 */
#define MOISSANITE_OK 0

/*
 The signature is not valid for this message, context and public key. The result does not say why.
 */
#define MOISSANITE_ERROR_SIGNATURE 1

/*
 A pointer is null that must not be. A null pointer is accepted for a byte string of length zero.
 */
#define MOISSANITE_ERROR_NULL 2

/*
 A length is not the length that the algorithm has, or is too large for a byte string in memory.
 */
#define MOISSANITE_ERROR_LENGTH 3

/*
 Memory that the function writes overlaps other memory that it was given.
 */
#define MOISSANITE_ERROR_OVERLAP 4

/*
 Memory for an object is not aligned as its type needs.
 */
#define MOISSANITE_ERROR_ALIGNMENT 5

/*
 The memory has no object of this kind: it was not started, it was finished or wiped, it was copied to another
 address, or a callback uses the object that has called it.
 */
#define MOISSANITE_ERROR_STATE 6

/*
 The algorithm is unknown, or this library was built without it.
 */
#define MOISSANITE_ERROR_ALGORITHM 7

/*
 The context has more than 255 bytes, or a context is given to an algorithm of round 3, which has none.
 */
#define MOISSANITE_ERROR_CONTEXT 8

/*
 The mode of signing is unknown.
 */
#define MOISSANITE_ERROR_MODE 9

/*
 The hash function is unknown, or weaker than the algorithm.
 */
#define MOISSANITE_ERROR_HASH 10

/*
 The bytes have the right length, but are not a private key: a secret coefficient is out of range, or the parts
 of the key do not belong together.
 */
#define MOISSANITE_ERROR_KEY 11

/*
 The bytes are not a document of PKCS#8 or SubjectPublicKeyInfo in the expected encoding, or its key is of an
 algorithm that this library does not have.
 */
#define MOISSANITE_ERROR_DOCUMENT 12

/*
 The private key was read in expanded form, so its seed is not known.
 */
#define MOISSANITE_ERROR_SEED 13

/*
 The form of a private key in a document is unknown.
 */
#define MOISSANITE_ERROR_FORM 14

/*
 The memory for the output is too small. The length that is needed was stored.
 */
#define MOISSANITE_ERROR_BUFFER 15

/*
 The algorithms of round 3 do not have this operation.
 */
#define MOISSANITE_ERROR_UNSUPPORTED 16

/*
 The generator of random numbers failed. Nothing was signed or generated.
 */
#define MOISSANITE_ERROR_RANDOM 17

/*
 A callback that reads failed.
 */
#define MOISSANITE_ERROR_READ 18

/*
 A callback that writes failed. It may have a part of the output.
 */
#define MOISSANITE_ERROR_WRITE 19

/*
 The machine is faulty: no attempt to sign succeeded, or a result was different when it was computed again.
 Discard the output.
 */
#define MOISSANITE_ERROR_FAULT 20

/*
 A self-test failed: the library does not compute its known answers.
 */
#define MOISSANITE_ERROR_SELF_TEST 21

/*
 There is a bug in this library. Discard the output, and free or wipe the objects that were used.
 */
#define MOISSANITE_ERROR_INTERNAL 22

/*
 The bytes of a private key of the streams.
 */
#define MOISSANITE_STREAM_KEY_SIZE 320

/*
 The bytes of an entry of a matrix.
 */
#define MOISSANITE_MATRIX_ENTRY_SIZE 768

#if defined(MOISSANITE_HOST)
/*
 A private key with its public key, on the heap. It is secret, and wiped when it is freed.

 Several threads can use it at the same time with functions that take a pointer to a const key.
 */
typedef struct moissanite_signing_key moissanite_signing_key;
#endif

#if defined(MOISSANITE_HOST)
/*
 A public key, on the heap.

 Several threads can use it at the same time with functions that take a pointer to a const key.
 */
typedef struct moissanite_verifying_key moissanite_verifying_key;
#endif

/*
 A parameter set: MOISSANITE_ML_DSA_44, _65 or _87 of FIPS 204, or MOISSANITE_DILITHIUM2, 3 or 5 of round 3.
 */
typedef uint32_t moissanite_algorithm;

/*
 The result of a function: zero, which is MOISSANITE_OK, or one of the errors MOISSANITE_ERROR_....
 */
typedef int32_t moissanite_status;

#if defined(MOISSANITE_HOST)
/*
 A public key, a message and a signature, for moissanite_verify_batch.
 */
typedef struct moissanite_batch_item {
    /*
     The public key. Prepare a key that several items have.
     */
    const struct moissanite_verifying_key *key;
    /*
     The message.
     */
    const uint8_t *message;
    /*
     The bytes of the message.
     */
    size_t message_length;
    /*
     The signature.
     */
    const uint8_t *signature;
    /*
     The bytes of the signature.
     */
    size_t signature_length;
} moissanite_batch_item;
#endif

#if defined(MOISSANITE_HOST)
/*
 The mode of signing: MOISSANITE_HEDGED or MOISSANITE_DETERMINISTIC.
 */
typedef uint32_t moissanite_mode;
#endif

/*
 A hash function of HashML-DSA: MOISSANITE_SHA2_256 and so on. FIPS 204 allows those whose collision strength is
 not below that of the algorithm: 128 bits for ML-DSA-44, 192 for ML-DSA-65 and 256 for ML-DSA-87.
 */
typedef uint32_t moissanite_hash;

#if defined(MOISSANITE_HOST)
/*
 A private key and a message, for moissanite_sign_batch.
 */
typedef struct moissanite_sign_item {
    /*
     The private key. Prepare a key that signs several batches.
     */
    const struct moissanite_signing_key *key;
    /*
     The message.
     */
    const uint8_t *message;
    /*
     The bytes of the message.
     */
    size_t message_length;
} moissanite_sign_item;
#endif

#if defined(MOISSANITE_HOST)
/*
 The encoding of a document: MOISSANITE_DER or MOISSANITE_PEM.
 */
typedef uint32_t moissanite_encoding;
#endif

#if defined(MOISSANITE_HOST)
/*
 The form of a private key in a document: MOISSANITE_FORM_SEED and so on.
 */
typedef uint32_t moissanite_form;
#endif

/*
 A message in pieces, in memory of the caller: a variable, a static, or memory from malloc.

 A function that starts a message puts it there, moissanite_message_update takes its pieces, and
 moissanite_message_finish ends it. It must not be copied. It is as secret as the message. It contains no pointers
 to other memory, so that the key that started it may be freed before it ends.
 */
typedef struct moissanite_message {
    /*
     Not to be used by programs.
     */
    uint64_t memory[64];
} moissanite_message;

/*
 A generator of random numbers that is suitable for keys.
 */
typedef struct moissanite_random {
    /*
     Writes length random bytes to the given place and returns zero. Any other result ends the operation with
     MOISSANITE_ERROR_RANDOM. The bytes are secret. The function must return: it must not call longjmp or throw an
     exception.
     */
    int (*fill)(void *user, uint8_t *to, size_t length);
    /*
     The first argument of fill.
     */
    void *user;
} moissanite_random;

/*
 Bytes that are read in pieces, in any order and repeatedly, such as those of a flash chip. The bytes must not
 change while a function has the source. moissanite_read_memory reads memory.
 */
typedef struct moissanite_source {
    /*
     Copies length bytes, from the byte number offset on, to the given place, and returns zero. Any other result
     means that the bytes cannot be read, and ends the operation with MOISSANITE_ERROR_READ. length is at most
     128. The function must return: it must not call longjmp or throw an exception.
     */
    int (*read)(void *user, size_t offset, uint8_t *to, size_t length);
    /*
     The first argument of read.
     */
    void *user;
} moissanite_source;

/*
 Takes bytes that are written in pieces, in order.
 */
typedef struct moissanite_sink {
    /*
     Takes the next length bytes and returns zero. Any other result ends the operation with
     MOISSANITE_ERROR_WRITE. length is at most 128. The function must return: it must not call longjmp or throw an
     exception.
     */
    int (*write)(void *user, const uint8_t *piece, size_t length);
    /*
     The first argument of write.
     */
    void *user;
} moissanite_sink;

/*
 A private key for firmware, in memory of the caller: a variable, a static, or memory from malloc. It must not be
 copied. Except for the hash of its public key, it is secret. moissanite_stream_key_wipe wipes it.
 */
typedef struct moissanite_stream_key {
    /*
     Not to be used by programs.
     */
    uint64_t memory[40];
} moissanite_stream_key;

/*
 Memory for an entry of the matrix of a public key, for moissanite_stream_key_keep. It is not secret.
 */
typedef struct moissanite_matrix_entry {
    /*
     Not to be used by programs.
     */
    uint64_t memory[96];
} moissanite_matrix_entry;

/*
 The bytes of a source in memory: the argument user of moissanite_read_memory.
 */
typedef struct moissanite_bytes {
    /*
     The first byte.
     */
    const uint8_t *bytes;
    /*
     The number of bytes.
     */
    size_t length;
} moissanite_bytes;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Returns the bytes of a public key, or zero if this library does not have the algorithm.
 */
size_t moissanite_public_key_length(moissanite_algorithm algorithm);

/*
 Returns the bytes of an expanded private key, or zero if this library does not have the algorithm.
 */
size_t moissanite_expanded_key_length(moissanite_algorithm algorithm);

/*
 Returns the bytes of a signature, or zero if this library does not have the algorithm.
 */
size_t moissanite_signature_length(moissanite_algorithm algorithm);

/*
 Returns the name of an algorithm, such as "ML-DSA-65", which is a constant string; or null if it is unknown.
 */
const char *moissanite_algorithm_name(moissanite_algorithm algorithm);

#if defined(MOISSANITE_HOST)
/*
 Verifies many signatures, which takes less time than one after the other. The keys can be of any algorithms, in any
 order; all items have the same context, as in moissanite_verify. For each item, verdicts gets 1 if its signature is
 valid, and otherwise 0.

 Besides the results, less than 256 KiB are allocated, and less than 1 KiB and a signature for each item.

 Errors: MOISSANITE_ERROR_SIGNATURE if not all signatures are valid. After any other error, the verdicts are 0:
 MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP,
 MOISSANITE_ERROR_CONTEXT.
 */
moissanite_status moissanite_verify_batch(const uint8_t *context,
                                          size_t context_length,
                                          const struct moissanite_batch_item *items,
                                          size_t items_count,
                                          uint8_t *verdicts,
                                          size_t verdicts_count);
#endif

#if defined(MOISSANITE_HOST)
/*
 Overwrites memory with zeros, in a way that a compiler does not remove. Seeds, private keys in any form and random
 bytes are secret: wipe them when they are not needed any more.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH.
 */
moissanite_status moissanite_wipe(uint8_t *memory, size_t length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Checks that this library computes known answers of an algorithm of FIPS 204: of key generation, of signing, and of
 verification, which must refuse changed signatures. A cryptographic module of FIPS 140-3 runs such tests.
 moissanite_stream_self_test does the same for the streams.

 Errors: MOISSANITE_ERROR_SELF_TEST, MOISSANITE_ERROR_ALGORITHM; MOISSANITE_ERROR_UNSUPPORTED for round 3.
 */
moissanite_status moissanite_self_test(moissanite_algorithm algorithm);
#endif

#if defined(MOISSANITE_HOST)
/*
 Signs a message (FIPS 204, Algorithm 2, ML-DSA.Sign). signature_length is the length of a signature of the
 algorithm.

 The context has at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and may be empty; the verifier must use the same one.
 Algorithms of round 3 have none. No address, branch or division depends on the key or the random bytes.

 Errors: MOISSANITE_ERROR_RANDOM, MOISSANITE_ERROR_FAULT, after both of which the signature is all zero;
 MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP, MOISSANITE_ERROR_CONTEXT,
 MOISSANITE_ERROR_MODE.
 */
moissanite_status moissanite_sign(const struct moissanite_signing_key *key,
                                  moissanite_mode mode,
                                  const uint8_t *context,
                                  size_t context_length,
                                  const uint8_t *message,
                                  size_t message_length,
                                  uint8_t *signature,
                                  size_t signature_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Signs a message representative of MOISSANITE_MU_LENGTH bytes (FIPS 204, Algorithm 7, from line 7 on). It must have
 been computed with the public key of this key: the signature of another one is not valid.

 Errors: as moissanite_sign.
 */
moissanite_status moissanite_sign_mu(const struct moissanite_signing_key *key,
                                     moissanite_mode mode,
                                     const uint8_t *mu,
                                     size_t mu_length,
                                     uint8_t *signature,
                                     size_t signature_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Signs a digest (FIPS 204, Algorithm 4, HashML-DSA.Sign), of the length of the hash function. Such a signature does
 not verify as one of the message. Use it only if a protocol requires it: moissanite_signing_key_start_message takes
 long messages too.

 Errors: MOISSANITE_ERROR_HASH if the hash function is unknown or too weak; MOISSANITE_ERROR_LENGTH also for the
 digest; MOISSANITE_ERROR_UNSUPPORTED for round 3; and as moissanite_sign.
 */
moissanite_status moissanite_sign_digest(const struct moissanite_signing_key *key,
                                         moissanite_mode mode,
                                         moissanite_hash hash,
                                         const uint8_t *context,
                                         size_t context_length,
                                         const uint8_t *digest,
                                         size_t digest_length,
                                         uint8_t *signature,
                                         size_t signature_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Signs many messages, which takes less time than one after the other. The keys can be of any algorithms, in any
 order; all items have the same mode and the same context, as in moissanite_sign. The signatures are written one
 after the other, in the order of the items: signatures_length is the sum of their lengths.

 A key that is not prepared is prepared for this call, on the heap, in 44 to 103 KiB, which are wiped. The signatures
 are also on the heap before they are written.

 Errors: MOISSANITE_ERROR_RANDOM and MOISSANITE_ERROR_FAULT if not all messages were signed: the signatures of those
 that were not are all zero, and the others are valid. After any other error, all are zero, unless the memory for
 them is null, too long or overlaps: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_LENGTH,
 MOISSANITE_ERROR_OVERLAP, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_MODE.
 */
moissanite_status moissanite_sign_batch(moissanite_mode mode,
                                        const uint8_t *context,
                                        size_t context_length,
                                        const struct moissanite_sign_item *items,
                                        size_t items_count,
                                        uint8_t *signatures,
                                        size_t signatures_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Generates a private key with the random number generator of the operating system (FIPS 204, Algorithm 1,
 ML-DSA.KeyGen), and stores its address, or null after an error. moissanite_signing_key_free frees it.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALGORITHM, MOISSANITE_ERROR_RANDOM.
 */
moissanite_status moissanite_signing_key_generate(moissanite_algorithm algorithm, struct moissanite_signing_key **key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Generates the private key of a seed (FIPS 204, Algorithm 6, ML-DSA.KeyGen_internal). Every seed of
 MOISSANITE_SEED_LENGTH random bytes gives a key. The seed is secret; the caller wipes it with moissanite_wipe.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_ALGORITHM.
 */
moissanite_status moissanite_signing_key_from_seed(moissanite_algorithm algorithm,
                                                   const uint8_t *seed,
                                                   size_t seed_length,
                                                   struct moissanite_signing_key **key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Reads an expanded private key (FIPS 204, Algorithm 25, skDecode), of as many bytes as the algorithm has. The
 ranges of its coefficients are checked, and that its parts belong together. It is secret.

 Errors: MOISSANITE_ERROR_KEY, MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_ALGORITHM.
 */
moissanite_status moissanite_signing_key_from_expanded(moissanite_algorithm algorithm,
                                                       const uint8_t *expanded,
                                                       size_t expanded_length,
                                                       struct moissanite_signing_key **key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Reads a private key of FIPS 204 in PKCS#8 (RFC 9881), in any of its forms. The document names the algorithm. The
 parts of the document must belong together. It is secret.

 Errors: MOISSANITE_ERROR_DOCUMENT, MOISSANITE_ERROR_KEY, MOISSANITE_ERROR_NULL; MOISSANITE_ERROR_FORM if the
 encoding is unknown.
 */
moissanite_status moissanite_signing_key_read(moissanite_encoding encoding,
                                              const uint8_t *document,
                                              size_t document_length,
                                              struct moissanite_signing_key **key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Writes a private key of FIPS 204 in PKCS#8 (RFC 9881), and stores the length in length. If capacity is too small,
 only the length is stored, so that a call with a null pointer and the capacity zero asks for it. The output is
 secret; the caller wipes it with moissanite_wipe.

 Errors: MOISSANITE_ERROR_BUFFER; MOISSANITE_ERROR_FORM if the form or the encoding is unknown;
 MOISSANITE_ERROR_SEED if the form has the seed, and it is not known; MOISSANITE_ERROR_UNSUPPORTED for round 3;
 MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_signing_key_write(const struct moissanite_signing_key *key,
                                               moissanite_form form,
                                               moissanite_encoding encoding,
                                               uint8_t *document,
                                               size_t capacity,
                                               size_t *length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Writes the seed, of MOISSANITE_SEED_LENGTH bytes, which is the form to store a key in. It is secret; the caller
 wipes it with moissanite_wipe.

 Errors: MOISSANITE_ERROR_SEED if the key was read in expanded form; MOISSANITE_ERROR_NULL,
 MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_signing_key_seed(const struct moissanite_signing_key *key,
                                              uint8_t *seed,
                                              size_t seed_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Writes the expanded private key (FIPS 204, Algorithm 24, skEncode), of as many bytes as the algorithm has. It is
 secret; the caller wipes it with moissanite_wipe. Store the seed instead, if it is known.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_signing_key_expanded(const struct moissanite_signing_key *key,
                                                  uint8_t *expanded,
                                                  size_t expanded_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Returns the algorithm of a key, or zero if key is null.
 */
moissanite_algorithm moissanite_signing_key_algorithm(const struct moissanite_signing_key *key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Makes a copy of the public key, and stores its address, or null after an error. moissanite_verifying_key_free
 frees it.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_signing_key_public(const struct moissanite_signing_key *key,
                                                struct moissanite_verifying_key **public_key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Computes the values that every signature with this key needs, and keeps them: 26 to 75 KiB, which are secret.
 Signatures have the same bytes as before, and take less time. No other thread may use the key meanwhile.

 Errors: MOISSANITE_ERROR_NULL.
 */
moissanite_status moissanite_signing_key_prepare(struct moissanite_signing_key *key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Signs a message and verifies the signature, as a cryptographic module of FIPS 140-3 does with a new key.

 Errors: MOISSANITE_ERROR_FAULT if the signature is not valid; MOISSANITE_ERROR_NULL.
 */
moissanite_status moissanite_signing_key_check_pair(const struct moissanite_signing_key *key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Starts a message that is to be signed, in pieces. moissanite_message_update takes the pieces,
 moissanite_message_finish gives the message representative, and moissanite_sign_mu signs it with the same key. The
 context has at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and may be empty; algorithms of round 3 have none.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_signing_key_start_message(const struct moissanite_signing_key *key,
                                                       struct moissanite_message *message,
                                                       const uint8_t *context,
                                                       size_t context_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Wipes and frees a private key, and stores null, so that a second call has no effect. Nothing happens if the stored
 address is null.

 Errors: MOISSANITE_ERROR_NULL if key itself is null.
 */
moissanite_status moissanite_signing_key_free(struct moissanite_signing_key **key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Verifies a signature of a message (FIPS 204, Algorithm 3, ML-DSA.Verify), with the context of the signer, which has
 at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and may be empty. Algorithms of round 3 have none.

 Errors: MOISSANITE_ERROR_SIGNATURE if the signature is not valid, also if it has another length than the algorithm;
 MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_CONTEXT.
 */
moissanite_status moissanite_verify(const struct moissanite_verifying_key *key,
                                    const uint8_t *context,
                                    size_t context_length,
                                    const uint8_t *message,
                                    size_t message_length,
                                    const uint8_t *signature,
                                    size_t signature_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Verifies a signature of a message representative of MOISSANITE_MU_LENGTH bytes (FIPS 204, Algorithm 8, from line 8
 on), which must have been computed with the same public key.

 Errors: MOISSANITE_ERROR_SIGNATURE as in moissanite_verify; MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH.
 */
moissanite_status moissanite_verify_mu(const struct moissanite_verifying_key *key,
                                       const uint8_t *mu,
                                       size_t mu_length,
                                       const uint8_t *signature,
                                       size_t signature_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Verifies a signature of a digest (FIPS 204, Algorithm 5, HashML-DSA.Verify), of the length of the hash function.

 Errors: MOISSANITE_ERROR_SIGNATURE as in moissanite_verify; MOISSANITE_ERROR_HASH if the hash function is unknown
 or too weak; MOISSANITE_ERROR_UNSUPPORTED for round 3; MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH,
 MOISSANITE_ERROR_CONTEXT.
 */
moissanite_status moissanite_verify_digest(const struct moissanite_verifying_key *key,
                                           moissanite_hash hash,
                                           const uint8_t *context,
                                           size_t context_length,
                                           const uint8_t *digest,
                                           size_t digest_length,
                                           const uint8_t *signature,
                                           size_t signature_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Reads a public key (FIPS 204, Algorithm 23, pkDecode): any bytes of the length of the algorithm. The address is
 stored, or null after an error. moissanite_verifying_key_free frees it.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_ALGORITHM.
 */
moissanite_status moissanite_verifying_key_from_bytes(moissanite_algorithm algorithm,
                                                      const uint8_t *bytes,
                                                      size_t bytes_length,
                                                      struct moissanite_verifying_key **key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Reads a public key of FIPS 204 in SubjectPublicKeyInfo (RFC 9881). The document names the algorithm.

 Errors: MOISSANITE_ERROR_DOCUMENT, MOISSANITE_ERROR_NULL; MOISSANITE_ERROR_FORM if the encoding is unknown.
 */
moissanite_status moissanite_verifying_key_read(moissanite_encoding encoding,
                                                const uint8_t *document,
                                                size_t document_length,
                                                struct moissanite_verifying_key **key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Writes a public key of FIPS 204 in SubjectPublicKeyInfo (RFC 9881), and stores the length in length. If capacity
 is too small, only the length is stored, so that a call with a null pointer and the capacity zero asks for it.

 Errors: MOISSANITE_ERROR_BUFFER; MOISSANITE_ERROR_FORM if the encoding is unknown; MOISSANITE_ERROR_UNSUPPORTED for
 round 3; MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_verifying_key_write(const struct moissanite_verifying_key *key,
                                                 moissanite_encoding encoding,
                                                 uint8_t *document,
                                                 size_t capacity,
                                                 size_t *length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Writes the bytes of a public key (FIPS 204, Algorithm 22, pkEncode), of the length of the algorithm.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_verifying_key_bytes(const struct moissanite_verifying_key *key,
                                                 uint8_t *bytes,
                                                 size_t bytes_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Returns the algorithm of a key, or zero if key is null.
 */
moissanite_algorithm moissanite_verifying_key_algorithm(const struct moissanite_verifying_key *key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Computes the values that every verification with this key needs, and keeps them: 21 to 63 KiB. The results are the
 same as before, and take less time. No other thread may use the key meanwhile.

 Errors: MOISSANITE_ERROR_NULL.
 */
moissanite_status moissanite_verifying_key_prepare(struct moissanite_verifying_key *key);
#endif

#if defined(MOISSANITE_HOST)
/*
 Starts a message that is to be verified, in pieces. moissanite_message_update takes the pieces,
 moissanite_message_finish gives the message representative, and moissanite_verify_mu verifies it with the same
 key. The context has at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and may be empty; algorithms of round 3 have none.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_verifying_key_start_message(const struct moissanite_verifying_key *key,
                                                         struct moissanite_message *message,
                                                         const uint8_t *context,
                                                         size_t context_length);
#endif

#if defined(MOISSANITE_HOST)
/*
 Frees a public key, and stores null, so that a second call has no effect. Nothing happens if the stored address is
 null.

 Errors: MOISSANITE_ERROR_NULL if key itself is null.
 */
moissanite_status moissanite_verifying_key_free(struct moissanite_verifying_key **key);
#endif

/*
 Takes the next piece of a message.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_STATE if no message was started,
 MOISSANITE_ERROR_OVERLAP if the piece overlaps the memory of the message.
 */
moissanite_status moissanite_message_update(struct moissanite_message *message,
                                            const uint8_t *piece,
                                            size_t piece_length);

/*
 Ends a message: computes its representative, of MOISSANITE_MU_LENGTH bytes, and wipes the memory of the message.
 The functions whose names end in _mu sign and verify it.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_STATE if no message was started,
 MOISSANITE_ERROR_LENGTH if mu_length is not MOISSANITE_MU_LENGTH, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_message_finish(struct moissanite_message *message, uint8_t *mu, size_t mu_length);

/*
 Wipes the memory of a message, which may have any content. A message in it ends without a result.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT.
 */
moissanite_status moissanite_message_wipe(struct moissanite_message *message);

/*
 Returns a sentence about a status, in English, which is a constant string and ends without a full stop.
 */
const char *moissanite_error_message(moissanite_status status);

/*
 Returns the version of this library, such as "0.1.0", which is a constant string.
 */
const char *moissanite_version(void);

/*
 The function read of a source in memory. user points to the bytes, a struct moissanite_bytes.

 Returns zero, or MOISSANITE_ERROR_READ if the bytes end before, or MOISSANITE_ERROR_NULL,
 MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP.
 */
int moissanite_read_memory(void *user, size_t offset, uint8_t *to, size_t length);

/*
 Signs a message with an expanded private key (FIPS 204, Algorithm 25, skDecode) of the length of the algorithm,
 which is read in place, for example in flash. It is secret, and must not change during the call.

 The key is checked each time, which takes as long as generating it: the ranges of its secret coefficients, and that
 its parts belong together. The rest is as in moissanite_stream_sign. This needs about 5 to 8 KiB of stack on a
 Cortex-M4, by the algorithm.

 Errors: MOISSANITE_ERROR_KEY if the bytes are not a consistent key; MOISSANITE_ERROR_LENGTH,
 MOISSANITE_ERROR_ALGORITHM; and as moissanite_stream_sign, except MOISSANITE_ERROR_STATE.
 */
moissanite_status moissanite_stream_expanded_sign(moissanite_algorithm algorithm,
                                                  const uint8_t *expanded_key,
                                                  size_t expanded_key_length,
                                                  const struct moissanite_random *random,
                                                  const uint8_t *context,
                                                  size_t context_length,
                                                  const struct moissanite_source *message,
                                                  size_t message_length,
                                                  const struct moissanite_sink *signature);

/*
 Signs a message representative of MOISSANITE_MU_LENGTH bytes with an expanded private key, which is as in
 moissanite_stream_expanded_sign. It must have been computed with the public key of this key.

 Errors: as moissanite_stream_expanded_sign.
 */
moissanite_status moissanite_stream_expanded_sign_mu(moissanite_algorithm algorithm,
                                                     const uint8_t *expanded_key,
                                                     size_t expanded_key_length,
                                                     const struct moissanite_random *random,
                                                     const uint8_t *mu,
                                                     size_t mu_length,
                                                     const struct moissanite_sink *signature);

/*
 Signs a digest with an expanded private key, as moissanite_stream_sign_digest does. The key is as in
 moissanite_stream_expanded_sign.

 Errors: MOISSANITE_ERROR_HASH, MOISSANITE_ERROR_LENGTH and MOISSANITE_ERROR_UNSUPPORTED as
 moissanite_stream_sign_digest; and as moissanite_stream_expanded_sign.
 */
moissanite_status moissanite_stream_expanded_sign_digest(moissanite_algorithm algorithm,
                                                         const uint8_t *expanded_key,
                                                         size_t expanded_key_length,
                                                         const struct moissanite_random *random,
                                                         moissanite_hash hash,
                                                         const uint8_t *context,
                                                         size_t context_length,
                                                         const uint8_t *digest,
                                                         size_t digest_length,
                                                         const struct moissanite_sink *signature);

/*
 Starts a message that is to be signed with an expanded private key, in pieces. moissanite_message_update takes the
 pieces, moissanite_message_finish gives the message representative, and moissanite_stream_expanded_sign_mu signs
 it. The key is as in moissanite_stream_expanded_sign.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_KEY, MOISSANITE_ERROR_LENGTH,
 MOISSANITE_ERROR_ALGORITHM, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_stream_expanded_start_message(moissanite_algorithm algorithm,
                                                           const uint8_t *expanded_key,
                                                           size_t expanded_key_length,
                                                           struct moissanite_message *message,
                                                           const uint8_t *context,
                                                           size_t context_length);

/*
 Writes the public key of an expanded private key, of as many bytes as the algorithm has. The key is as in
 moissanite_stream_expanded_sign.

 Errors: MOISSANITE_ERROR_WRITE if the sink failed, and may have a part; MOISSANITE_ERROR_NULL,
 MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_KEY, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_ALGORITHM.
 */
moissanite_status moissanite_stream_expanded_write_public_key(moissanite_algorithm algorithm,
                                                              const uint8_t *expanded_key,
                                                              size_t expanded_key_length,
                                                              const struct moissanite_sink *public_key);

/*
 Checks that the streams compute known answers of an algorithm of FIPS 204: of key generation, of signing, and of
 verification, which must refuse changed messages. A cryptographic module of FIPS 140-3 runs such tests.

 Errors: MOISSANITE_ERROR_SELF_TEST, MOISSANITE_ERROR_ALGORITHM; MOISSANITE_ERROR_UNSUPPORTED for round 3.
 */
moissanite_status moissanite_stream_self_test(moissanite_algorithm algorithm);

/*
 Starts a key: generates the key of a seed (FIPS 204, Algorithm 6, ML-DSA.KeyGen_internal). Every seed of
 MOISSANITE_SEED_LENGTH random bytes gives a key. The seed is secret; it is not needed afterwards, and the caller
 wipes it. The memory can have any content; a key that is there is overwritten.

 Errors: MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_ALGORITHM,
 MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_stream_key_from_seed(struct moissanite_stream_key *key,
                                                  moissanite_algorithm algorithm,
                                                  const uint8_t *seed,
                                                  size_t seed_length);

/*
 Writes the public key, of as many bytes as the algorithm has. It is computed again, which takes as long as
 generating the key.

 Errors: MOISSANITE_ERROR_WRITE if the sink failed, and may have a part; MOISSANITE_ERROR_NULL,
 MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_STATE if there is no key, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_stream_key_write_public_key(struct moissanite_stream_key *key,
                                                         const struct moissanite_sink *public_key);

/*
 Starts a message that is to be signed, in pieces. moissanite_message_update takes the pieces,
 moissanite_message_finish gives the message representative, and moissanite_stream_sign_mu signs it with the same
 key. The context has at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and may be empty; algorithms of round 3 have
 none.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_STATE if
 there is no key, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_stream_key_start_message(struct moissanite_stream_key *key,
                                                      struct moissanite_message *message,
                                                      const uint8_t *context,
                                                      size_t context_length);

/*
 Signs a message (FIPS 204, Algorithm 2, ML-DSA.Sign), and writes the signature, of as many bytes as the algorithm
 has. This needs about 6 to 9 KiB of stack on a Cortex-M4, by the algorithm.

 The message is the first message_length bytes of its source. The signature is hedged with 32 bytes of the
 generator, or deterministic if random is null: then the same message gives the same signature. The context is as
 in moissanite_stream_key_start_message. No address, branch or division depends on the key or the random bytes.

 Errors: MOISSANITE_ERROR_RANDOM, MOISSANITE_ERROR_READ or MOISSANITE_ERROR_WRITE if a callback failed;
 MOISSANITE_ERROR_FAULT if the machine is faulty; MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT,
 MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_STATE if there is no key, MOISSANITE_ERROR_OVERLAP. After
 MOISSANITE_ERROR_WRITE and MOISSANITE_ERROR_FAULT, the sink may have the beginning of a signature: discard it.
 */
moissanite_status moissanite_stream_sign(struct moissanite_stream_key *key,
                                         const struct moissanite_random *random,
                                         const uint8_t *context,
                                         size_t context_length,
                                         const struct moissanite_source *message,
                                         size_t message_length,
                                         const struct moissanite_sink *signature);

/*
 Signs a message representative of MOISSANITE_MU_LENGTH bytes (FIPS 204, Algorithm 7, from line 7 on), which must
 have been computed with the public key of this key: the signature of another one is not valid.

 Errors: as moissanite_stream_sign, and MOISSANITE_ERROR_LENGTH.
 */
moissanite_status moissanite_stream_sign_mu(struct moissanite_stream_key *key,
                                            const struct moissanite_random *random,
                                            const uint8_t *mu,
                                            size_t mu_length,
                                            const struct moissanite_sink *signature);

/*
 Signs a digest (FIPS 204, Algorithm 4, HashML-DSA.Sign), of the length of the hash function. Such a signature does
 not verify as one of the message. Use it only if a protocol requires it: moissanite_stream_sign takes long messages
 too. The generator, the context and the signature are as there.

 Errors: MOISSANITE_ERROR_HASH if the hash function is unknown or too weak; MOISSANITE_ERROR_LENGTH for the digest;
 MOISSANITE_ERROR_UNSUPPORTED for round 3; and as moissanite_stream_sign.
 */
moissanite_status moissanite_stream_sign_digest(struct moissanite_stream_key *key,
                                                const struct moissanite_random *random,
                                                moissanite_hash hash,
                                                const uint8_t *context,
                                                size_t context_length,
                                                const uint8_t *digest,
                                                size_t digest_length,
                                                const struct moissanite_sink *signature);

/*
 Computes entries of the matrix of the public key, and keeps them in the given memory: signing then takes fewer
 cycles, and gives the same signatures. The matrix has 16 entries for ML-DSA-44, 30 for ML-DSA-65 and 56 for
 ML-DSA-87; fewer can be kept, and more are not used. They replace those that the key has kept before.

 The memory must stay valid, and must not be written to, until the key is wiped or moissanite_stream_key_keep is
 called again. With other entries, signatures can reveal the key. A count of zero keeps no entries.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_STATE if there
 is no key, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_stream_key_keep(struct moissanite_stream_key *key,
                                             struct moissanite_matrix_entry *entries,
                                             size_t entries_count);

/*
 Wipes the memory of a key, which may have any content.

 Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT.
 */
moissanite_status moissanite_stream_key_wipe(struct moissanite_stream_key *key);

/*
 Verifies a signature of a message (FIPS 204, Algorithm 3, ML-DSA.Verify). This is the function for a boot loader:
 it needs less than 4 KiB of stack on a Cortex-M4, and no other memory.

 The public key and the signature must have the bytes of the algorithm; the message is the first message_length
 bytes of its source, each of which is read once. The context has at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and
 may be empty; it must be that of the signer. Algorithms of round 3 have no context. Nothing here is secret; the
 content of the message does not influence the time.

 Errors: MOISSANITE_ERROR_SIGNATURE if the signature is not valid; MOISSANITE_ERROR_READ if a source failed;
 MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_ALGORITHM, MOISSANITE_ERROR_CONTEXT,
 MOISSANITE_ERROR_LENGTH.
 */
moissanite_status moissanite_stream_verify(moissanite_algorithm algorithm,
                                           const struct moissanite_source *public_key,
                                           const uint8_t *context,
                                           size_t context_length,
                                           const struct moissanite_source *message,
                                           size_t message_length,
                                           const struct moissanite_source *signature);

/*
 Starts a message that is to be verified, in pieces. moissanite_message_update takes the pieces,
 moissanite_message_finish gives the message representative, and moissanite_stream_verify_mu verifies it. The
 public key and the context are as in moissanite_stream_verify.

 Errors: MOISSANITE_ERROR_READ if the source failed; MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT,
 MOISSANITE_ERROR_ALGORITHM, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_OVERLAP.
 */
moissanite_status moissanite_stream_start_message(struct moissanite_message *message,
                                                  moissanite_algorithm algorithm,
                                                  const struct moissanite_source *public_key,
                                                  const uint8_t *context,
                                                  size_t context_length);

/*
 Verifies a signature of a message representative of MOISSANITE_MU_LENGTH bytes (FIPS 204, Algorithm 8, from line
 8 on), which must have been computed with the same public key.

 Errors: as moissanite_stream_verify.
 */
moissanite_status moissanite_stream_verify_mu(moissanite_algorithm algorithm,
                                              const struct moissanite_source *public_key,
                                              const uint8_t *mu,
                                              size_t mu_length,
                                              const struct moissanite_source *signature);

/*
 Verifies a signature of a digest (FIPS 204, Algorithm 5, HashML-DSA.Verify), of the length of the hash function. The
 public key, the context and the signature are as in moissanite_stream_verify.

 Errors: MOISSANITE_ERROR_HASH if the hash function is unknown or too weak; MOISSANITE_ERROR_LENGTH for the digest;
 MOISSANITE_ERROR_UNSUPPORTED for round 3; and as moissanite_stream_verify.
 */
moissanite_status moissanite_stream_verify_digest(moissanite_algorithm algorithm,
                                                  const struct moissanite_source *public_key,
                                                  moissanite_hash hash,
                                                  const uint8_t *context,
                                                  size_t context_length,
                                                  const uint8_t *digest,
                                                  size_t digest_length,
                                                  const struct moissanite_source *signature);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MOISSANITE_H */
