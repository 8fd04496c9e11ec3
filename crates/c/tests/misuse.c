/* Misuse of each function gives an error, and neither a crash nor an access that a sanitizer reports. */
#include <string.h>

#include "check.h"
#include "moissanite.h"
#include "pieces.h"

#define SET MOISSANITE_ML_DSA_44
#define KEY_LENGTH MOISSANITE_ML_DSA_44_PUBLIC_KEY_LENGTH
#define EXPANDED_LENGTH MOISSANITE_ML_DSA_44_EXPANDED_KEY_LENGTH
#define SIGNATURE_LENGTH MOISSANITE_ML_DSA_44_SIGNATURE_LENGTH

/* An unknown number, for algorithms, modes, hash functions, forms and encodings. */
#define UNKNOWN 4711

static uint8_t seed[MOISSANITE_SEED_LENGTH];
static const uint8_t text[] = "message";
static const uint8_t long_context[256];
static uint8_t public_key[KEY_LENGTH], expanded[EXPANDED_LENGTH], signature[SIGNATURE_LENGTH];
static uint8_t mu[MOISSANITE_MU_LENGTH];
static uint8_t document[1 << 13];
/* A pointer to any object that is not aligned. */
static uint64_t room[128];
#define MISALIGNED(type) ((type *)(void *)((char *)room + 1))

static moissanite_signing_key *signing, *old, *read_expanded;
static moissanite_verifying_key *verifying;

static void test_signing_keys(void)
{
    moissanite_signing_key *made = signing;
    moissanite_verifying_key *public_half = NULL;
    moissanite_message pieces;
    size_t length = 0;
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_generate(SET, NULL));
    RETURNS(MOISSANITE_ERROR_ALGORITHM, moissanite_signing_key_generate(UNKNOWN, &made));
    CHECK(made == NULL);
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_from_seed(SET, NULL, 32, &made));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_from_seed(SET, seed, 32, NULL));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_signing_key_from_seed(SET, seed, 31, &made));
    RETURNS(MOISSANITE_ERROR_ALGORITHM, moissanite_signing_key_from_seed(UNKNOWN, seed, 32, &made));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_from_expanded(SET, NULL, EXPANDED_LENGTH, &made));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_signing_key_from_expanded(SET, expanded, EXPANDED_LENGTH - 1, &made));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_signing_key_from_expanded(SET, expanded, (size_t)-1, &made));
    RETURNS(MOISSANITE_ERROR_ALGORITHM, moissanite_signing_key_from_expanded(0, expanded, EXPANDED_LENGTH, &made));
    expanded[64] ^= 1;
    RETURNS(MOISSANITE_ERROR_KEY, moissanite_signing_key_from_expanded(SET, expanded, EXPANDED_LENGTH, &made));
    expanded[64] ^= 1;
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_read(MOISSANITE_DER, NULL, 54, &made));
    RETURNS(MOISSANITE_ERROR_DOCUMENT, moissanite_signing_key_read(MOISSANITE_DER, NULL, 0, &made));
    RETURNS(MOISSANITE_ERROR_DOCUMENT, moissanite_signing_key_read(MOISSANITE_DER, text, sizeof text, &made));
    RETURNS(MOISSANITE_ERROR_DOCUMENT, moissanite_signing_key_read(MOISSANITE_PEM, text, sizeof text, &made));
    RETURNS(MOISSANITE_ERROR_DOCUMENT, moissanite_signing_key_read(MOISSANITE_PEM, expanded, sizeof expanded, &made));
    RETURNS(MOISSANITE_ERROR_FORM, moissanite_signing_key_read(UNKNOWN, text, sizeof text, &made));
    CHECK(made == NULL);
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_write(NULL, MOISSANITE_FORM_SEED, MOISSANITE_DER, document,
                                                                sizeof document, &length));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_write(signing, MOISSANITE_FORM_SEED, MOISSANITE_DER, NULL,
                                                                sizeof document, &length));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_write(signing, MOISSANITE_FORM_SEED, MOISSANITE_DER,
                                                                document, sizeof document, NULL));
    RETURNS(MOISSANITE_ERROR_ALIGNMENT,
            moissanite_signing_key_write(signing, MOISSANITE_FORM_SEED, MOISSANITE_DER, document, sizeof document,
                                         MISALIGNED(size_t)));
    RETURNS(MOISSANITE_ERROR_OVERLAP,
            moissanite_signing_key_write(signing, MOISSANITE_FORM_SEED, MOISSANITE_DER, (uint8_t *)room,
                                         sizeof room, (size_t *)(void *)(room + 1)));
    RETURNS(MOISSANITE_ERROR_FORM, moissanite_signing_key_write(signing, UNKNOWN, MOISSANITE_DER, document,
                                                                sizeof document, &length));
    RETURNS(MOISSANITE_ERROR_FORM, moissanite_signing_key_write(signing, MOISSANITE_FORM_SEED, UNKNOWN, document,
                                                                sizeof document, &length));
    RETURNS(MOISSANITE_ERROR_SEED, moissanite_signing_key_write(read_expanded, MOISSANITE_FORM_BOTH, MOISSANITE_DER,
                                                                document, sizeof document, &length));
    RETURNS(MOISSANITE_ERROR_UNSUPPORTED, moissanite_signing_key_write(old, MOISSANITE_FORM_SEED, MOISSANITE_DER,
                                                                       document, sizeof document, &length));
    RETURNS(MOISSANITE_ERROR_BUFFER,
            moissanite_signing_key_write(signing, MOISSANITE_FORM_SEED, MOISSANITE_DER, NULL, 0, &length));
    CHECK(length == 54);
    document[53] = 0x5a;
    RETURNS(MOISSANITE_ERROR_BUFFER,
            moissanite_signing_key_write(signing, MOISSANITE_FORM_SEED, MOISSANITE_DER, document, 53, &length));
    CHECK(length == 54 && document[53] == 0x5a);
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_seed(NULL, seed, sizeof seed));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_seed(signing, NULL, 32));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_signing_key_seed(signing, document, 33));
    RETURNS(MOISSANITE_ERROR_SEED, moissanite_signing_key_seed(read_expanded, document, 32));
    RETURNS(MOISSANITE_ERROR_OVERLAP, moissanite_signing_key_seed(signing, (uint8_t *)(void *)signing, 32));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_expanded(NULL, expanded, EXPANDED_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_expanded(signing, NULL, EXPANDED_LENGTH));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_signing_key_expanded(signing, expanded, EXPANDED_LENGTH - 1));
    CHECK(moissanite_signing_key_algorithm(NULL) == 0);
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_public(NULL, &public_half));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_public(signing, NULL));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_prepare(NULL));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_check_pair(NULL));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_start_message(NULL, &pieces, NULL, 0));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_start_message(signing, NULL, NULL, 0));
    RETURNS(MOISSANITE_ERROR_ALIGNMENT,
            moissanite_signing_key_start_message(signing, MISALIGNED(moissanite_message), NULL, 0));
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_signing_key_start_message(signing, &pieces, long_context, 256));
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_signing_key_start_message(old, &pieces, text, 1));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_message_update(&pieces, text, 1));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_signing_key_free(NULL));
    OK(moissanite_signing_key_free(&made));
}

static void test_verifying_keys(void)
{
    moissanite_verifying_key *made = verifying;
    moissanite_message pieces;
    size_t length = 0;
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verifying_key_from_bytes(SET, NULL, KEY_LENGTH, &made));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verifying_key_from_bytes(SET, public_key, KEY_LENGTH, NULL));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_verifying_key_from_bytes(SET, public_key, KEY_LENGTH - 1, &made));
    RETURNS(MOISSANITE_ERROR_ALGORITHM, moissanite_verifying_key_from_bytes(UNKNOWN, public_key, KEY_LENGTH, &made));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verifying_key_read(MOISSANITE_DER, NULL, 1, &made));
    RETURNS(MOISSANITE_ERROR_DOCUMENT, moissanite_verifying_key_read(MOISSANITE_DER, text, sizeof text, &made));
    RETURNS(MOISSANITE_ERROR_DOCUMENT, moissanite_verifying_key_read(MOISSANITE_PEM, text, sizeof text, &made));
    RETURNS(MOISSANITE_ERROR_FORM, moissanite_verifying_key_read(0, text, sizeof text, &made));
    CHECK(made == NULL);
    RETURNS(MOISSANITE_ERROR_NULL,
            moissanite_verifying_key_write(NULL, MOISSANITE_DER, document, sizeof document, &length));
    RETURNS(MOISSANITE_ERROR_NULL,
            moissanite_verifying_key_write(verifying, MOISSANITE_DER, document, sizeof document, NULL));
    RETURNS(MOISSANITE_ERROR_FORM,
            moissanite_verifying_key_write(verifying, UNKNOWN, document, sizeof document, &length));
    RETURNS(MOISSANITE_ERROR_BUFFER, moissanite_verifying_key_write(verifying, MOISSANITE_PEM, NULL, 0, &length));
    CHECK(length > KEY_LENGTH);
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verifying_key_bytes(NULL, public_key, KEY_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verifying_key_bytes(verifying, NULL, KEY_LENGTH));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_verifying_key_bytes(verifying, public_key, KEY_LENGTH - 1));
    CHECK(moissanite_verifying_key_algorithm(NULL) == 0);
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verifying_key_prepare(NULL));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verifying_key_start_message(NULL, &pieces, NULL, 0));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verifying_key_start_message(verifying, NULL, NULL, 0));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verifying_key_start_message(verifying, &pieces, NULL, 1));
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_verifying_key_start_message(verifying, &pieces, long_context, 256));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verifying_key_free(NULL));
    OK(moissanite_verifying_key_free(&made));
}

static void test_signatures(void)
{
    const moissanite_mode mode = MOISSANITE_DETERMINISTIC;
    uint8_t digest[64] = {0};
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign(NULL, mode, NULL, 0, text, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign(signing, mode, NULL, 1, text, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign(signing, mode, NULL, 0, NULL, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign(signing, mode, NULL, 0, text, 7, NULL, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_MODE, moissanite_sign(signing, UNKNOWN, NULL, 0, text, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_sign(signing, mode, NULL, 0, text, 7, signature, SIGNATURE_LENGTH - 1));
    RETURNS(MOISSANITE_ERROR_LENGTH,
            moissanite_sign(signing, mode, NULL, 0, text, (size_t)-1, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_CONTEXT,
            moissanite_sign(signing, mode, long_context, 256, text, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_sign(old, mode, text, 1, text, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_OVERLAP,
            moissanite_sign(signing, mode, NULL, 0, signature + SIGNATURE_LENGTH - 1, 1, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_OVERLAP,
            moissanite_sign(signing, mode, signature, 1, text, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign_mu(NULL, mode, mu, sizeof mu, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign_mu(signing, mode, NULL, sizeof mu, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_sign_mu(signing, mode, mu, 63, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_MODE, moissanite_sign_mu(signing, 0, mu, sizeof mu, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign_digest(NULL, mode, MOISSANITE_SHA2_512, NULL, 0, digest, 64,
                                                          signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_HASH, moissanite_sign_digest(signing, mode, UNKNOWN, NULL, 0, digest, 64, signature,
                                                          SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_HASH, moissanite_sign_digest(signing, mode, MOISSANITE_SHA2_224, NULL, 0, digest, 28,
                                                          signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_sign_digest(signing, mode, MOISSANITE_SHA2_512, NULL, 0, digest, 63,
                                                            signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_UNSUPPORTED, moissanite_sign_digest(old, mode, MOISSANITE_SHA2_512, NULL, 0, digest, 64,
                                                                 signature, SIGNATURE_LENGTH));
    OK(moissanite_sign_digest(signing, mode, MOISSANITE_SHA3_256, text, 7, digest, 32, signature, SIGNATURE_LENGTH));
    OK(moissanite_verify_digest(verifying, MOISSANITE_SHA3_256, text, 7, digest, 32, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_SIGNATURE, moissanite_verify_digest(verifying, MOISSANITE_SHA2_256, text, 7, digest, 32,
                                                                 signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_HASH, moissanite_verify_digest(verifying, UNKNOWN, text, 7, digest, 32, signature,
                                                            SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verify_digest(NULL, MOISSANITE_SHA2_256, text, 7, digest, 32, signature,
                                                            SIGNATURE_LENGTH));
    OK(moissanite_sign(signing, mode, NULL, 0, text, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verify(NULL, NULL, 0, text, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verify(verifying, NULL, 0, NULL, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verify(verifying, NULL, 0, text, 7, NULL, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_CONTEXT,
            moissanite_verify(verifying, long_context, 256, text, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_SIGNATURE, moissanite_verify(verifying, NULL, 0, text, 7, signature, 0));
    RETURNS(MOISSANITE_ERROR_SIGNATURE, moissanite_verify(verifying, NULL, 0, text, 6, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_SIGNATURE, moissanite_verify(verifying, text, 1, text, 7, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verify_mu(NULL, mu, sizeof mu, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_verify_mu(verifying, mu, 65, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_SIGNATURE, moissanite_verify_mu(verifying, mu, sizeof mu, signature, SIGNATURE_LENGTH));
    OK(moissanite_verify(verifying, NULL, 0, text, 7, signature, SIGNATURE_LENGTH));
}

static void test_batches(void)
{
    moissanite_batch_item items[5];
    uint8_t verdicts[5];
    moissanite_verifying_key *prepared = NULL, *of_old = NULL;
    static uint8_t old_signature[SIGNATURE_LENGTH];
    size_t i;
    OK(moissanite_signing_key_public(signing, &prepared));
    OK(moissanite_verifying_key_prepare(prepared));
    OK(moissanite_signing_key_public(old, &of_old));
    OK(moissanite_sign(old, MOISSANITE_HEDGED, NULL, 0, text, 7, old_signature, SIGNATURE_LENGTH));
    for (i = 0; i < 5; i++) {
        items[i].key = i == 1 ? prepared : i == 2 ? of_old : verifying;
        items[i].message = text;
        items[i].message_length = i == 3 ? 6 : 7;
        items[i].signature = i == 2 ? old_signature : signature;
        items[i].signature_length = SIGNATURE_LENGTH;
    }
    memset(verdicts, 7, sizeof verdicts);
    RETURNS(MOISSANITE_ERROR_SIGNATURE, moissanite_verify_batch(NULL, 0, items, 5, verdicts, 5));
    CHECK(verdicts[0] == 1 && verdicts[1] == 1 && verdicts[2] == 1 && verdicts[3] == 0 && verdicts[4] == 1);
    OK(moissanite_verify_batch(NULL, 0, items, 3, verdicts, 3));
    OK(moissanite_verify_batch(NULL, 0, NULL, 0, NULL, 0));
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_verify_batch(long_context, 256, items, 3, verdicts, 3));
    CHECK(verdicts[0] == 0 && verdicts[1] == 0 && verdicts[2] == 0);
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verify_batch(NULL, 0, NULL, 3, verdicts, 3));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verify_batch(NULL, 0, items, 3, NULL, 3));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_verify_batch(NULL, 0, items, 3, verdicts, 4));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_verify_batch(NULL, 0, items, (size_t)-1, verdicts, (size_t)-1));
    RETURNS(MOISSANITE_ERROR_OVERLAP, moissanite_verify_batch(NULL, 0, items, 3, (uint8_t *)items, 3));
    RETURNS(MOISSANITE_ERROR_ALIGNMENT,
            moissanite_verify_batch(NULL, 0, MISALIGNED(moissanite_batch_item), 1, verdicts, 1));
    items[2].message = verdicts;
    items[2].message_length = 1;
    RETURNS(MOISSANITE_ERROR_OVERLAP, moissanite_verify_batch(NULL, 0, items, 3, verdicts, 3));
    items[2].key = NULL;
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_verify_batch(NULL, 0, items, 3, verdicts, 3));
    OK(moissanite_verifying_key_free(&prepared));
    OK(moissanite_verifying_key_free(&of_old));
}

static void test_batches_of_messages(void)
{
    const moissanite_mode mode = MOISSANITE_DETERMINISTIC;
    static uint8_t made[3 * SIGNATURE_LENGTH + MOISSANITE_ML_DSA_87_SIGNATURE_LENGTH];
    moissanite_signing_key *large = NULL;
    moissanite_sign_item items[4];
    size_t i, length = 3 * SIGNATURE_LENGTH;
    OK(moissanite_signing_key_from_seed(MOISSANITE_ML_DSA_87, seed, sizeof seed, &large));
    for (i = 0; i < 4; i++) {
        items[i].key = i == 1 ? old : i == 3 ? large : signing;
        items[i].message = text;
        items[i].message_length = 7;
    }
    /* The signatures are in the order of the items, and not in the order of the groups. */
    OK(moissanite_sign_batch(mode, NULL, 0, items, 4, made, sizeof made));
    CHECK(memcmp(made, signature, SIGNATURE_LENGTH) == 0);
    CHECK(memcmp(made + 2 * SIGNATURE_LENGTH, signature, SIGNATURE_LENGTH) == 0);
    OK(moissanite_sign(old, mode, NULL, 0, text, 7, document, SIGNATURE_LENGTH));
    CHECK(memcmp(made + SIGNATURE_LENGTH, document, SIGNATURE_LENGTH) == 0);
    OK(moissanite_sign(large, mode, NULL, 0, text, 7, document, MOISSANITE_ML_DSA_87_SIGNATURE_LENGTH));
    CHECK(memcmp(made + length, document, MOISSANITE_ML_DSA_87_SIGNATURE_LENGTH) == 0);
    OK(moissanite_sign_batch(mode, NULL, 0, NULL, 0, NULL, 0));
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_sign_batch(mode, text, 1, items, 3, made, length));
    for (i = 0; i < length; i++) {
        CHECK(made[i] == 0);
    }
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_sign_batch(mode, long_context, 256, items, 3, made, length));
    RETURNS(MOISSANITE_ERROR_MODE, moissanite_sign_batch(UNKNOWN, NULL, 0, items, 3, made, length));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_sign_batch(mode, NULL, 0, items, 3, made, length - 1));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_sign_batch(mode, NULL, 0, items, 3, made, length + 1));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_sign_batch(mode, NULL, 0, items, (size_t)-1, made, length));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_sign_batch(mode, NULL, 0, items, 3, NULL, 0));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_sign_batch(mode, NULL, 0, NULL, 0, made, 1));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign_batch(mode, NULL, 0, items, 3, NULL, length));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign_batch(mode, NULL, 0, NULL, 3, made, length));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign_batch(mode, NULL, 1, items, 3, made, length));
    RETURNS(MOISSANITE_ERROR_ALIGNMENT,
            moissanite_sign_batch(mode, NULL, 0, MISALIGNED(moissanite_sign_item), 1, made, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_OVERLAP,
            moissanite_sign_batch(mode, made + 9, 1, items, 3, made, length));
    items[2].message = made + length - 1;
    items[2].message_length = 1;
    RETURNS(MOISSANITE_ERROR_OVERLAP, moissanite_sign_batch(mode, NULL, 0, items, 3, made, length));
    items[2].message = NULL;
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign_batch(mode, NULL, 0, items, 3, made, length));
    items[2].message_length = 0;
    OK(moissanite_sign_batch(mode, NULL, 0, items, 3, made, length));
    items[2].key = NULL;
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_sign_batch(mode, NULL, 0, items, 3, made, length));
    OK(moissanite_signing_key_free(&large));
}

static void test_messages(void)
{
    moissanite_message pieces, copy;
    memset(&pieces, 0xa5, sizeof pieces);
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_message_update(&pieces, text, 7));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_message_finish(&pieces, mu, sizeof mu));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_message_update(NULL, text, 7));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_message_finish(NULL, mu, sizeof mu));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_message_wipe(NULL));
    RETURNS(MOISSANITE_ERROR_ALIGNMENT, moissanite_message_update(MISALIGNED(moissanite_message), text, 7));
    RETURNS(MOISSANITE_ERROR_ALIGNMENT, moissanite_message_finish(MISALIGNED(moissanite_message), mu, sizeof mu));
    RETURNS(MOISSANITE_ERROR_ALIGNMENT, moissanite_message_wipe(MISALIGNED(moissanite_message)));
    OK(moissanite_verifying_key_start_message(verifying, &pieces, NULL, 0));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_message_update(&pieces, NULL, 7));
    RETURNS(MOISSANITE_ERROR_OVERLAP, moissanite_message_update(&pieces, (uint8_t *)&pieces + 40, 8));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_message_finish(&pieces, mu, 63));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_message_finish(&pieces, NULL, sizeof mu));
    RETURNS(MOISSANITE_ERROR_OVERLAP, moissanite_message_finish(&pieces, (uint8_t *)&pieces, sizeof mu));
    memcpy(&copy, &pieces, sizeof copy);
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_message_update(&copy, text, 7));
    OK(moissanite_message_update(&pieces, NULL, 0));
    OK(moissanite_message_update(&pieces, text, 7));
    OK(moissanite_message_finish(&pieces, mu, sizeof mu));
    OK(moissanite_verify_mu(verifying, mu, sizeof mu, signature, SIGNATURE_LENGTH));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_message_update(&pieces, text, 7));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_message_finish(&pieces, mu, sizeof mu));
    OK(moissanite_verifying_key_start_message(verifying, &pieces, NULL, 0));
    OK(moissanite_message_wipe(&pieces));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_message_update(&pieces, text, 7));
    OK(moissanite_message_wipe(&copy));
    memset(&copy, 0, sizeof copy);
    CHECK(memcmp(&copy, &pieces, sizeof copy) == 0);
}

/* A sink that uses the object that has called it. */
static int use_again(void *user, const uint8_t *piece, size_t length)
{
    moissanite_stream_key *key = (moissanite_stream_key *)user;
    moissanite_sink sink;
    sink.write = use_again;
    sink.user = user;
    (void)piece;
    (void)length;
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_stream_key_write_public_key(key, &sink));
    return 1;
}

static void test_streams(void)
{
    static const uint8_t zeros[SIGNATURE_LENGTH];
    static struct writing writing;
    moissanite_stream_key key, copy;
    moissanite_message pieces;
    moissanite_bytes of_text, of_key, of_signature;
    moissanite_source from_text, from_key, from_signature, without;
    moissanite_sink sink, no_sink;
    moissanite_random no_random, failing;
    struct reading reading;
    size_t calls = 0, limit;
    uint8_t byte;
    of_text.bytes = text;
    of_text.length = 7;
    of_key.bytes = public_key;
    of_key.length = KEY_LENGTH;
    of_signature.bytes = signature;
    of_signature.length = SIGNATURE_LENGTH;
    from_text.read = from_key.read = from_signature.read = moissanite_read_memory;
    from_text.user = &of_text;
    from_key.user = &of_key;
    from_signature.user = &of_signature;
    without.read = NULL;
    without.user = NULL;
    no_sink.write = NULL;
    no_sink.user = NULL;
    sink.write = write_pieces;
    sink.user = &writing;
    no_random.fill = NULL;
    no_random.user = NULL;
    failing.fill = fill_ones;
    failing.user = &calls;

    CHECK(moissanite_read_memory(&of_text, 6, &byte, 1) == 0 && byte == text[6]);
    CHECK(moissanite_read_memory(&of_text, 7, &byte, 1) == MOISSANITE_ERROR_READ);
    CHECK(moissanite_read_memory(&of_text, (size_t)-1, &byte, 1) == MOISSANITE_ERROR_READ);
    CHECK(moissanite_read_memory(NULL, 0, &byte, 1) == MOISSANITE_ERROR_NULL);
    CHECK(moissanite_read_memory(&of_text, 0, NULL, 1) == MOISSANITE_ERROR_NULL);

    OK(moissanite_stream_verify(SET, &from_key, NULL, 0, &from_text, 7, &from_signature));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_verify(SET, NULL, NULL, 0, &from_text, 7, &from_signature));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_verify(SET, &from_key, NULL, 1, &from_text, 7, &from_signature));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_verify(SET, &from_key, NULL, 0, NULL, 7, &from_signature));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_verify(SET, &from_key, NULL, 0, &from_text, 7, NULL));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_verify(SET, &without, NULL, 0, &from_text, 7, &from_signature));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_verify(SET, &from_key, NULL, 0, &without, 7, &from_signature));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_verify(SET, &from_key, NULL, 0, &from_text, 7, &without));
    RETURNS(MOISSANITE_ERROR_ALIGNMENT, moissanite_stream_verify(SET, MISALIGNED(moissanite_source), NULL, 0,
                                                                 &from_text, 7, &from_signature));
    RETURNS(MOISSANITE_ERROR_ALGORITHM,
            moissanite_stream_verify(UNKNOWN, &from_key, NULL, 0, &from_text, 7, &from_signature));
    RETURNS(MOISSANITE_ERROR_CONTEXT,
            moissanite_stream_verify(SET, &from_key, long_context, 256, &from_text, 7, &from_signature));
    RETURNS(MOISSANITE_ERROR_SIGNATURE,
            moissanite_stream_verify(SET, &from_key, NULL, 0, &from_text, 6, &from_signature));
    RETURNS(MOISSANITE_ERROR_READ, moissanite_stream_verify(SET, &from_key, NULL, 0, &from_text, 8, &from_signature));
    of_signature.length--;
    RETURNS(MOISSANITE_ERROR_READ, moissanite_stream_verify(SET, &from_key, NULL, 0, &from_text, 7, &from_signature));
    of_signature.length++;
    of_signature.bytes = zeros;
    RETURNS(MOISSANITE_ERROR_SIGNATURE,
            moissanite_stream_verify(SET, &from_key, NULL, 0, &from_text, 7, &from_signature));
    of_signature.bytes = signature;
    /* A source that fails at each of its calls. */
    reading.bytes = public_key;
    reading.length = KEY_LENGTH;
    from_key.read = read_pieces;
    from_key.user = &reading;
    for (limit = 0;; limit++) {
        moissanite_status status;
        reading.calls = limit;
        status = moissanite_stream_verify(SET, &from_key, NULL, 0, &from_text, 7, &from_signature);
        if (status == MOISSANITE_OK) {
            break;
        }
        RETURNS(MOISSANITE_ERROR_READ, status);
    }
    CHECK(limit > 10);
    reading.calls = (size_t)-1;

    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_start_message(NULL, SET, &from_key, NULL, 0));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_start_message(&pieces, SET, NULL, NULL, 0));
    RETURNS(MOISSANITE_ERROR_ALGORITHM, moissanite_stream_start_message(&pieces, UNKNOWN, &from_key, NULL, 0));
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_stream_start_message(&pieces, SET, &from_key, long_context, 256));
    RETURNS(MOISSANITE_ERROR_CONTEXT,
            moissanite_stream_start_message(&pieces, MOISSANITE_DILITHIUM2, &from_key, text, 1));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_message_update(&pieces, text, 7));
    RETURNS(MOISSANITE_ERROR_OVERLAP,
            moissanite_stream_start_message((moissanite_message *)(void *)room, SET, &from_key, (uint8_t *)room, 1));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_verify_mu(SET, &from_key, NULL, sizeof mu, &from_signature));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_stream_verify_mu(SET, &from_key, mu, 63, &from_signature));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_verify_mu(SET, NULL, mu, sizeof mu, &from_signature));
    RETURNS(MOISSANITE_ERROR_ALGORITHM, moissanite_stream_verify_mu(0, &from_key, mu, sizeof mu, &from_signature));
    OK(moissanite_stream_verify_mu(SET, &from_key, mu, sizeof mu, &from_signature));

    memset(&key, 0xa5, sizeof key);
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_stream_key_write_public_key(&key, &sink));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_stream_key_start_message(&key, &pieces, NULL, 0));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_stream_sign(&key, NULL, NULL, 0, &from_text, 7, &sink));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_stream_sign_mu(&key, NULL, mu, sizeof mu, &sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_key_from_seed(NULL, SET, seed, sizeof seed));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_key_from_seed(&key, SET, NULL, sizeof seed));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_stream_key_from_seed(&key, SET, seed, 33));
    RETURNS(MOISSANITE_ERROR_ALGORITHM, moissanite_stream_key_from_seed(&key, UNKNOWN, seed, sizeof seed));
    RETURNS(MOISSANITE_ERROR_OVERLAP,
            moissanite_stream_key_from_seed(&key, SET, (uint8_t *)&key + sizeof key - 32, sizeof seed));
    RETURNS(MOISSANITE_ERROR_ALIGNMENT,
            moissanite_stream_key_from_seed(MISALIGNED(moissanite_stream_key), SET, seed, sizeof seed));
    OK(moissanite_stream_key_from_seed(&key, SET, seed, sizeof seed));
    memcpy(&copy, &key, sizeof copy);
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_stream_sign_mu(&copy, NULL, mu, sizeof mu, &sink));
    OK(moissanite_stream_key_wipe(&copy));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_key_write_public_key(&key, NULL));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_key_write_public_key(&key, &no_sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_key_write_public_key(NULL, &sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_key_start_message(&key, NULL, NULL, 0));
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_stream_key_start_message(&key, &pieces, long_context, 256));
    RETURNS(MOISSANITE_ERROR_OVERLAP,
            moissanite_stream_key_start_message(&key, (moissanite_message *)(void *)&key, NULL, 0));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_sign(&key, NULL, NULL, 0, NULL, 7, &sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_sign(&key, NULL, NULL, 0, &from_text, 7, &no_sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_sign(&key, &no_random, NULL, 0, &from_text, 7, &sink));
    RETURNS(MOISSANITE_ERROR_RANDOM, moissanite_stream_sign(&key, &failing, NULL, 0, &from_text, 7, &sink));
    RETURNS(MOISSANITE_ERROR_READ, moissanite_stream_sign(&key, NULL, NULL, 0, &from_text, 8, &sink));
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_stream_sign(&key, NULL, long_context, 256, &from_text, 7, &sink));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_stream_sign_mu(&key, NULL, mu, 1, &sink));
    RETURNS(MOISSANITE_ERROR_RANDOM, moissanite_stream_sign_mu(&key, &failing, mu, sizeof mu, &sink));
    CHECK(writing.length == 0);
    /* A sink that fails at each of its calls. */
    for (limit = 0;; limit++) {
        moissanite_status status;
        writing.calls = limit;
        writing.length = 0;
        status = moissanite_stream_sign_mu(&key, NULL, mu, sizeof mu, &sink);
        if (status == MOISSANITE_OK) {
            break;
        }
        RETURNS(MOISSANITE_ERROR_WRITE, status);
    }
    CHECK(writing.length == SIGNATURE_LENGTH && memcmp(writing.bytes, signature, SIGNATURE_LENGTH) == 0);
    sink.write = use_again;
    sink.user = &key;
    RETURNS(MOISSANITE_ERROR_WRITE, moissanite_stream_key_write_public_key(&key, &sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_key_wipe(NULL));
    OK(moissanite_stream_key_wipe(&key));
    CHECK(memcmp(&key, zeros, sizeof key) == 0);
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_stream_sign_mu(&key, NULL, mu, sizeof mu, &sink));
    RETURNS(MOISSANITE_ERROR_ALGORITHM, moissanite_stream_self_test(UNKNOWN));
    RETURNS(MOISSANITE_ERROR_UNSUPPORTED, moissanite_stream_self_test(MOISSANITE_DILITHIUM3));
}

static void test_more_streams(void)
{
    static struct writing writing;
    static moissanite_matrix_entry matrix[4];
    uint8_t digest[64] = {0};
    moissanite_stream_key key;
    moissanite_message pieces;
    moissanite_bytes of_key, of_text, of_signature;
    moissanite_source from_key, from_text, from_signature;
    moissanite_sink sink;
    const moissanite_hash hash = MOISSANITE_SHA2_256;
    of_text.bytes = text;
    of_text.length = 7;
    of_key.bytes = public_key;
    of_key.length = KEY_LENGTH;
    of_signature.bytes = signature;
    of_signature.length = SIGNATURE_LENGTH;
    from_text.read = from_key.read = from_signature.read = moissanite_read_memory;
    from_text.user = &of_text;
    from_key.user = &of_key;
    from_signature.user = &of_signature;
    sink.write = write_pieces;
    sink.user = &writing;
    writing.calls = (size_t)-1;

    /* Digests. */
    OK(moissanite_stream_key_from_seed(&key, SET, seed, sizeof seed));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_sign_digest(NULL, NULL, hash, NULL, 0, digest, 32, &sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_sign_digest(&key, NULL, hash, NULL, 1, digest, 32, &sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_sign_digest(&key, NULL, hash, NULL, 0, NULL, 32, &sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_sign_digest(&key, NULL, hash, NULL, 0, digest, 32, NULL));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_stream_sign_digest(&key, NULL, hash, NULL, 0, digest, 33, &sink));
    RETURNS(MOISSANITE_ERROR_HASH, moissanite_stream_sign_digest(&key, NULL, UNKNOWN, NULL, 0, digest, 32, &sink));
    RETURNS(MOISSANITE_ERROR_CONTEXT,
            moissanite_stream_sign_digest(&key, NULL, hash, long_context, 256, digest, 32, &sink));
    RETURNS(MOISSANITE_ERROR_NULL,
            moissanite_stream_verify_digest(SET, NULL, hash, NULL, 0, digest, 32, &from_signature));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_verify_digest(SET, &from_key, hash, NULL, 0, digest, 32, NULL));
    RETURNS(MOISSANITE_ERROR_NULL,
            moissanite_stream_verify_digest(SET, &from_key, hash, NULL, 0, NULL, 32, &from_signature));
    RETURNS(MOISSANITE_ERROR_LENGTH,
            moissanite_stream_verify_digest(SET, &from_key, hash, NULL, 0, NULL, 0, &from_signature));
    RETURNS(MOISSANITE_ERROR_HASH,
            moissanite_stream_verify_digest(SET, &from_key, UNKNOWN, NULL, 0, digest, 32, &from_signature));
    RETURNS(MOISSANITE_ERROR_CONTEXT,
            moissanite_stream_verify_digest(SET, &from_key, hash, long_context, 256, digest, 32, &from_signature));
    RETURNS(MOISSANITE_ERROR_ALGORITHM,
            moissanite_stream_verify_digest(UNKNOWN, &from_key, hash, NULL, 0, digest, 32, &from_signature));
    RETURNS(MOISSANITE_ERROR_UNSUPPORTED, moissanite_stream_verify_digest(MOISSANITE_DILITHIUM2, &from_key, hash, NULL,
                                                                          0, digest, 32, &from_signature));
    RETURNS(MOISSANITE_ERROR_SIGNATURE,
            moissanite_stream_verify_digest(SET, &from_key, hash, NULL, 0, digest, 32, &from_signature));
    of_key.length--;
    RETURNS(MOISSANITE_ERROR_READ,
            moissanite_stream_verify_digest(SET, &from_key, hash, NULL, 0, digest, 32, &from_signature));
    of_key.length++;

    /* Kept entries, which no function may write to while the key has them. */
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_key_keep(NULL, matrix, 2));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_key_keep(&key, NULL, 2));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_stream_key_keep(&key, matrix, (size_t)-1));
    RETURNS(MOISSANITE_ERROR_ALIGNMENT, moissanite_stream_key_keep(&key, MISALIGNED(moissanite_matrix_entry), 1));
    RETURNS(MOISSANITE_ERROR_OVERLAP, moissanite_stream_key_keep(&key, (moissanite_matrix_entry *)(void *)&key, 1));
    OK(moissanite_stream_key_keep(&key, matrix, 2));
    RETURNS(MOISSANITE_ERROR_OVERLAP,
            moissanite_stream_key_start_message(&key, (moissanite_message *)(void *)&matrix[1], NULL, 0));
    OK(moissanite_stream_key_start_message(&key, &pieces, NULL, 0));
    OK(moissanite_message_wipe(&pieces));
    writing.length = 0;
    OK(moissanite_stream_sign(&key, NULL, NULL, 0, &from_text, 7, &sink));
    CHECK(memcmp(writing.bytes, signature, SIGNATURE_LENGTH) == 0);
    OK(moissanite_stream_key_keep(&key, NULL, 0));
    OK(moissanite_stream_key_start_message(&key, (moissanite_message *)(void *)&matrix[1], NULL, 0));
    OK(moissanite_stream_key_wipe(&key));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_stream_key_keep(&key, matrix, 2));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_stream_sign_digest(&key, NULL, hash, NULL, 0, digest, 32, &sink));

    /* Expanded keys. */
    writing.length = 0;
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_expanded_sign(SET, NULL, EXPANDED_LENGTH, NULL, NULL, 0,
                                                                   &from_text, 7, &sink));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_stream_expanded_sign(SET, NULL, 0, NULL, NULL, 0, &from_text, 7,
                                                                     &sink));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_stream_expanded_sign(SET, expanded, EXPANDED_LENGTH - 1, NULL, NULL, 0,
                                                                     &from_text, 7, &sink));
    RETURNS(MOISSANITE_ERROR_ALGORITHM, moissanite_stream_expanded_sign(UNKNOWN, expanded, EXPANDED_LENGTH, NULL, NULL,
                                                                        0, &from_text, 7, &sink));
    RETURNS(MOISSANITE_ERROR_LENGTH,
            moissanite_stream_expanded_sign(MOISSANITE_ML_DSA_65, expanded, EXPANDED_LENGTH, NULL, NULL, 0, &from_text,
                                            7, &sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_expanded_sign(SET, expanded, EXPANDED_LENGTH, NULL, NULL, 1,
                                                                   &from_text, 7, &sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_expanded_sign(SET, expanded, EXPANDED_LENGTH, NULL, NULL, 0, NULL,
                                                                   7, &sink));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_stream_expanded_sign(SET, expanded, EXPANDED_LENGTH, NULL, NULL, 0,
                                                                   &from_text, 7, NULL));
    RETURNS(MOISSANITE_ERROR_READ, moissanite_stream_expanded_sign(SET, expanded, EXPANDED_LENGTH, NULL, NULL, 0,
                                                                   &from_text, 8, &sink));
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_stream_expanded_sign(SET, expanded, EXPANDED_LENGTH, NULL,
                                                                      long_context, 256, &from_text, 7, &sink));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_stream_expanded_sign_mu(SET, expanded, EXPANDED_LENGTH, NULL, mu, 63,
                                                                        &sink));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_stream_expanded_sign_mu(SET, expanded, 3, NULL, mu, 64, &sink));
    RETURNS(MOISSANITE_ERROR_HASH,
            moissanite_stream_expanded_sign_digest(SET, expanded, EXPANDED_LENGTH, NULL, UNKNOWN, NULL, 0, digest, 32,
                                                   &sink));
    RETURNS(MOISSANITE_ERROR_LENGTH,
            moissanite_stream_expanded_sign_digest(SET, expanded, EXPANDED_LENGTH, NULL, hash, NULL, 0, digest, 31,
                                                   &sink));
    RETURNS(MOISSANITE_ERROR_NULL,
            moissanite_stream_expanded_start_message(SET, expanded, EXPANDED_LENGTH, NULL, NULL, 0));
    RETURNS(MOISSANITE_ERROR_OVERLAP,
            moissanite_stream_expanded_start_message(SET, (uint8_t *)matrix, EXPANDED_LENGTH,
                                                     (moissanite_message *)(void *)&matrix[1], NULL, 0));
    RETURNS(MOISSANITE_ERROR_CONTEXT, moissanite_stream_expanded_start_message(SET, expanded, EXPANDED_LENGTH, &pieces,
                                                                               long_context, 256));
    RETURNS(MOISSANITE_ERROR_STATE, moissanite_message_update(&pieces, text, 7));
    RETURNS(MOISSANITE_ERROR_NULL,
            moissanite_stream_expanded_write_public_key(SET, expanded, EXPANDED_LENGTH, NULL));
    expanded[64] ^= 1;
    RETURNS(MOISSANITE_ERROR_KEY, moissanite_stream_expanded_sign(SET, expanded, EXPANDED_LENGTH, NULL, NULL, 0,
                                                                  &from_text, 7, &sink));
    RETURNS(MOISSANITE_ERROR_KEY, moissanite_stream_expanded_sign_mu(SET, expanded, EXPANDED_LENGTH, NULL, mu,
                                                                     sizeof mu, &sink));
    RETURNS(MOISSANITE_ERROR_KEY,
            moissanite_stream_expanded_start_message(SET, expanded, EXPANDED_LENGTH, &pieces, NULL, 0));
    RETURNS(MOISSANITE_ERROR_KEY,
            moissanite_stream_expanded_write_public_key(SET, expanded, EXPANDED_LENGTH, &sink));
    expanded[64] ^= 1;
    CHECK(writing.length == 0);
    writing.calls = 1;
    RETURNS(MOISSANITE_ERROR_WRITE, moissanite_stream_expanded_sign(SET, expanded, EXPANDED_LENGTH, NULL, NULL, 0,
                                                                    &from_text, 7, &sink));
}

static void test_documents(void)
{
    static const moissanite_form forms[] = {MOISSANITE_FORM_SEED, MOISSANITE_FORM_EXPANDED, MOISSANITE_FORM_BOTH};
    size_t form, length = 0;
    moissanite_encoding encoding;
    for (encoding = MOISSANITE_DER; encoding <= MOISSANITE_PEM; encoding++) {
        moissanite_verifying_key *same = NULL;
        for (form = 0; form < 3; form++) {
            moissanite_signing_key *read = NULL;
            OK(moissanite_signing_key_write(signing, forms[form], encoding, document, sizeof document, &length));
            OK(moissanite_signing_key_read(encoding, document, length, &read));
            OK(moissanite_sign(read, MOISSANITE_DETERMINISTIC, NULL, 0, text, 7, document, SIGNATURE_LENGTH));
            CHECK(memcmp(document, signature, SIGNATURE_LENGTH) == 0);
            OK(moissanite_signing_key_free(&read));
        }
        OK(moissanite_verifying_key_write(verifying, encoding, document, sizeof document, &length));
        OK(moissanite_verifying_key_read(encoding, document, length, &same));
        OK(moissanite_verify(same, NULL, 0, text, 7, signature, SIGNATURE_LENGTH));
        OK(moissanite_verifying_key_free(&same));
        RETURNS(MOISSANITE_ERROR_DOCUMENT, moissanite_verifying_key_read(encoding, document, length / 2, &same));
    }
}

static void test_others(void)
{
    moissanite_status status;
    CHECK(strcmp(moissanite_version(), VERSION) == 0);
    CHECK(moissanite_public_key_length(UNKNOWN) == 0 && moissanite_signature_length(UNKNOWN) == 0);
    CHECK(moissanite_expanded_key_length(UNKNOWN) == 0 && moissanite_algorithm_name(UNKNOWN) == NULL);
    CHECK(strcmp(moissanite_algorithm_name(MOISSANITE_DILITHIUM5), "Dilithium5") == 0);
    for (status = MOISSANITE_OK; status <= MOISSANITE_ERROR_INTERNAL; status++) {
        CHECK(strcmp(moissanite_error_message(status), moissanite_error_message(-1)) != 0);
    }
    CHECK(strcmp(moissanite_error_message(status), moissanite_error_message(-1)) == 0);
    RETURNS(MOISSANITE_ERROR_ALGORITHM, moissanite_self_test(UNKNOWN));
    RETURNS(MOISSANITE_ERROR_UNSUPPORTED, moissanite_self_test(MOISSANITE_DILITHIUM2));
    RETURNS(MOISSANITE_ERROR_NULL, moissanite_wipe(NULL, 1));
    OK(moissanite_wipe(NULL, 0));
    RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_wipe(seed, (size_t)-1));
}

int main(void)
{
    OK(moissanite_signing_key_from_seed(SET, seed, sizeof seed, &signing));
    OK(moissanite_signing_key_from_seed(MOISSANITE_DILITHIUM2, seed, sizeof seed, &old));
    OK(moissanite_signing_key_public(signing, &verifying));
    OK(moissanite_verifying_key_bytes(verifying, public_key, KEY_LENGTH));
    OK(moissanite_signing_key_expanded(signing, expanded, EXPANDED_LENGTH));
    OK(moissanite_signing_key_from_expanded(SET, expanded, EXPANDED_LENGTH, &read_expanded));
    test_signing_keys();
    test_verifying_keys();
    test_signatures();
    test_batches();
    test_batches_of_messages();
    test_messages();
    test_streams();
    test_more_streams();
    test_documents();
    test_others();
    OK(moissanite_signing_key_free(&signing));
    OK(moissanite_signing_key_free(&signing));
    OK(moissanite_signing_key_free(&old));
    OK(moissanite_signing_key_free(&read_expanded));
    OK(moissanite_verifying_key_free(&verifying));
    puts("misuse: each function returns errors");
    return 0;
}
