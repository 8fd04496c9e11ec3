/* Compares both layers with the vectors in the file that the first argument names. vectors.rs of the job describes
 * its lines. */
#include <string.h>

#include "check.h"
#include "moissanite.h"
#include "pieces.h"

#define LONGEST_LINE (1 << 17)
#define LONGEST_STRING (1 << 14)

static char line[LONGEST_LINE];

struct string {
    uint8_t bytes[LONGEST_STRING];
    size_t length;
};

static struct string key, context, message, signature;

static unsigned digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *found = strchr(digits, c);
    CHECK(c != '\0' && found != NULL);
    return (unsigned)(found - digits);
}

/* Reads the next word of the line. */
static void next(struct string *string)
{
    const char *word = strtok(NULL, " \n");
    size_t i;
    CHECK(word != NULL);
    string->length = strcmp(word, "-") == 0 ? 0 : strlen(word) / 2;
    CHECK(string->length <= LONGEST_STRING);
    for (i = 0; i < string->length; i++) {
        string->bytes[i] = (uint8_t)(digit(word[2 * i]) << 4 | digit(word[2 * i + 1]));
    }
}

static moissanite_source source(struct reading *reading, const struct string *string)
{
    moissanite_source source;
    reading->bytes = string->bytes;
    reading->length = string->length;
    reading->calls = (size_t)-1;
    source.read = read_pieces;
    source.user = reading;
    return source;
}

static void check_written(struct writing *writing, const struct string *expected)
{
    CHECK(writing->length == expected->length);
    CHECK(memcmp(writing->bytes, expected->bytes, expected->length) == 0);
    writing->length = 0;
}

/* The heap: in one piece, with a prepared key, and in pieces of seven bytes. */
static void sign_on_heap(moissanite_algorithm algorithm)
{
    static uint8_t made[LONGEST_STRING], expanded[LONGEST_STRING], mu[MOISSANITE_MU_LENGTH];
    moissanite_signing_key *signing = NULL, *imported = NULL;
    moissanite_verifying_key *verifying = NULL;
    moissanite_message pieces;
    moissanite_sign_item items[3];
    size_t length = moissanite_signature_length(algorithm);
    size_t expanded_length = moissanite_expanded_key_length(algorithm);
    size_t i;
    int prepared;
    CHECK(length == signature.length);
    OK(moissanite_signing_key_from_seed(algorithm, key.bytes, key.length, &signing));
    OK(moissanite_signing_key_public(signing, &verifying));
    CHECK(moissanite_signing_key_algorithm(signing) == algorithm);
    CHECK(moissanite_verifying_key_algorithm(verifying) == algorithm);
    OK(moissanite_signing_key_check_pair(signing));
    for (prepared = 0; prepared < 2; prepared++) {
        memset(made, 0, sizeof made);
        OK(moissanite_sign(signing, MOISSANITE_DETERMINISTIC, context.bytes, context.length, message.bytes,
                           message.length, made, length));
        CHECK(memcmp(made, signature.bytes, length) == 0);
        OK(moissanite_verify(verifying, context.bytes, context.length, message.bytes, message.length, made, length));
        OK(moissanite_sign(signing, MOISSANITE_HEDGED, context.bytes, context.length, message.bytes, message.length,
                           made, length));
        CHECK(memcmp(made, signature.bytes, length) != 0);
        OK(moissanite_verify(verifying, context.bytes, context.length, message.bytes, message.length, made, length));
        OK(moissanite_signing_key_start_message(signing, &pieces, context.bytes, context.length));
        for (i = 0; i < message.length; i += 7) {
            size_t rest = message.length - i;
            OK(moissanite_message_update(&pieces, message.bytes + i, rest < 7 ? rest : 7));
        }
        OK(moissanite_message_finish(&pieces, mu, sizeof mu));
        memset(made, 0, sizeof made);
        OK(moissanite_sign_mu(signing, MOISSANITE_DETERMINISTIC, mu, sizeof mu, made, length));
        CHECK(memcmp(made, signature.bytes, length) == 0);
        OK(moissanite_verifying_key_start_message(verifying, &pieces, context.bytes, context.length));
        OK(moissanite_message_update(&pieces, message.bytes, message.length));
        OK(moissanite_message_finish(&pieces, mu, sizeof mu));
        OK(moissanite_verify_mu(verifying, mu, sizeof mu, made, length));
        OK(moissanite_signing_key_prepare(signing));
        OK(moissanite_verifying_key_prepare(verifying));
    }
    OK(moissanite_signing_key_expanded(signing, expanded, expanded_length));
    OK(moissanite_signing_key_from_expanded(algorithm, expanded, expanded_length, &imported));
    /* The first key is prepared, and the other one is not. */
    for (i = 0; i < 3; i++) {
        items[i].key = i == 1 ? signing : imported;
        items[i].message = message.bytes;
        items[i].message_length = message.length;
    }
    OK(moissanite_sign_batch(MOISSANITE_DETERMINISTIC, context.bytes, context.length, items, 3, made, 3 * length));
    for (i = 0; i < 3; i++) {
        CHECK(memcmp(made + i * length, signature.bytes, length) == 0);
    }
    OK(moissanite_sign_batch(MOISSANITE_HEDGED, context.bytes, context.length, items, 3, made, 3 * length));
    for (i = 0; i < 3; i++) {
        CHECK(memcmp(made + i * length, signature.bytes, length) != 0);
        OK(moissanite_verify(verifying, context.bytes, context.length, message.bytes, message.length,
                             made + i * length, length));
    }
    memset(made, 0, sizeof made);
    OK(moissanite_sign(imported, MOISSANITE_DETERMINISTIC, context.bytes, context.length, message.bytes,
                       message.length, made, length));
    CHECK(memcmp(made, signature.bytes, length) == 0);
    RETURNS(MOISSANITE_ERROR_SEED, moissanite_signing_key_seed(imported, made, MOISSANITE_SEED_LENGTH));
    OK(moissanite_signing_key_seed(signing, made, MOISSANITE_SEED_LENGTH));
    CHECK(memcmp(made, key.bytes, MOISSANITE_SEED_LENGTH) == 0);
    OK(moissanite_wipe(made, MOISSANITE_SEED_LENGTH));
    CHECK(made[0] == 0 && memcmp(made, made + 1, MOISSANITE_SEED_LENGTH - 1) == 0);
    OK(moissanite_signing_key_free(&signing));
    OK(moissanite_signing_key_free(&imported));
    OK(moissanite_verifying_key_free(&verifying));
    CHECK(signing == NULL && imported == NULL && verifying == NULL);
}

/* The streams: from sources, and in pieces of seven bytes. */
static void sign_in_pieces(moissanite_algorithm algorithm)
{
    static uint8_t mu[MOISSANITE_MU_LENGTH];
    static struct writing writing;
    static struct string public_key;
    /* All entries of ML-DSA-87, and more. */
    static moissanite_matrix_entry matrix[57];
    static const size_t counts[] = {1, 16, 0, 57};
    moissanite_stream_key signing;
    moissanite_message pieces;
    struct reading of_message, of_key, of_signature;
    moissanite_source from_message = source(&of_message, &message);
    moissanite_source from_signature = source(&of_signature, &signature);
    moissanite_source from_key;
    moissanite_sink sink;
    moissanite_random random;
    size_t calls = 1, i;
    writing.calls = (size_t)-1;
    writing.length = 0;
    sink.write = write_pieces;
    sink.user = &writing;
    random.fill = fill_ones;
    random.user = &calls;
    OK(moissanite_stream_key_from_seed(&signing, algorithm, key.bytes, key.length));
    OK(moissanite_stream_key_write_public_key(&signing, &sink));
    CHECK(writing.length == moissanite_public_key_length(algorithm));
    memcpy(public_key.bytes, writing.bytes, writing.length);
    public_key.length = writing.length;
    writing.length = 0;
    from_key = source(&of_key, &public_key);
    OK(moissanite_stream_sign(&signing, NULL, context.bytes, context.length, &from_message, message.length, &sink));
    check_written(&writing, &signature);
    OK(moissanite_stream_verify(algorithm, &from_key, context.bytes, context.length, &from_message, message.length,
                                &from_signature));
    OK(moissanite_stream_key_start_message(&signing, &pieces, context.bytes, context.length));
    for (i = 0; i < message.length; i += 7) {
        size_t rest = message.length - i;
        OK(moissanite_message_update(&pieces, message.bytes + i, rest < 7 ? rest : 7));
    }
    OK(moissanite_message_finish(&pieces, mu, sizeof mu));
    OK(moissanite_stream_sign_mu(&signing, NULL, mu, sizeof mu, &sink));
    check_written(&writing, &signature);
    OK(moissanite_stream_start_message(&pieces, algorithm, &from_key, context.bytes, context.length));
    OK(moissanite_message_update(&pieces, message.bytes, message.length));
    OK(moissanite_message_finish(&pieces, mu, sizeof mu));
    OK(moissanite_stream_verify_mu(algorithm, &from_key, mu, sizeof mu, &from_signature));
    OK(moissanite_stream_sign(&signing, &random, context.bytes, context.length, &from_message, message.length, &sink));
    CHECK(calls == 0 && memcmp(writing.bytes, signature.bytes, signature.length) != 0);
    writing.length = 0;
    for (i = 0; i < sizeof counts / sizeof *counts; i++) {
        memset(matrix, 0xa5, sizeof matrix);
        OK(moissanite_stream_key_keep(&signing, matrix, counts[i]));
        OK(moissanite_stream_sign_mu(&signing, NULL, mu, sizeof mu, &sink));
        check_written(&writing, &signature);
        OK(moissanite_stream_key_write_public_key(&signing, &sink));
        check_written(&writing, &public_key);
    }
    OK(moissanite_stream_key_wipe(&signing));
}

/* The streams with an expanded key, which is read in place. */
static void sign_expanded(moissanite_algorithm algorithm)
{
    static uint8_t mu[MOISSANITE_MU_LENGTH], expanded[LONGEST_STRING];
    static struct writing writing;
    static struct string public_key;
    moissanite_signing_key *signing = NULL;
    moissanite_verifying_key *verifying = NULL;
    moissanite_message pieces;
    struct reading of_message;
    moissanite_source from_message = source(&of_message, &message);
    moissanite_sink sink;
    moissanite_random random;
    size_t length = moissanite_expanded_key_length(algorithm);
    size_t calls = 1;
    writing.calls = (size_t)-1;
    writing.length = 0;
    sink.write = write_pieces;
    sink.user = &writing;
    random.fill = fill_ones;
    random.user = &calls;
    OK(moissanite_signing_key_from_seed(algorithm, key.bytes, key.length, &signing));
    OK(moissanite_signing_key_public(signing, &verifying));
    OK(moissanite_signing_key_expanded(signing, expanded, length));
    public_key.length = moissanite_public_key_length(algorithm);
    OK(moissanite_verifying_key_bytes(verifying, public_key.bytes, public_key.length));
    OK(moissanite_stream_expanded_write_public_key(algorithm, expanded, length, &sink));
    check_written(&writing, &public_key);
    OK(moissanite_stream_expanded_sign(algorithm, expanded, length, NULL, context.bytes, context.length,
                                       &from_message, message.length, &sink));
    check_written(&writing, &signature);
    OK(moissanite_stream_expanded_start_message(algorithm, expanded, length, &pieces, context.bytes, context.length));
    OK(moissanite_message_update(&pieces, message.bytes, message.length));
    OK(moissanite_message_finish(&pieces, mu, sizeof mu));
    OK(moissanite_stream_expanded_sign_mu(algorithm, expanded, length, NULL, mu, sizeof mu, &sink));
    check_written(&writing, &signature);
    OK(moissanite_stream_expanded_sign_mu(algorithm, expanded, length, &random, mu, sizeof mu, &sink));
    CHECK(calls == 0 && memcmp(writing.bytes, signature.bytes, signature.length) != 0);
    OK(moissanite_verify_mu(verifying, mu, sizeof mu, writing.bytes, writing.length));
    OK(moissanite_signing_key_free(&signing));
    OK(moissanite_verifying_key_free(&verifying));
}

/* Both layers sign digests alike, and verify each other's signatures. */
static void sign_digests(moissanite_algorithm algorithm)
{
    static const struct {
        moissanite_hash hash;
        size_t length;
        /* The strongest algorithm that it is strong enough for. */
        moissanite_algorithm strongest;
    } hashes[] = {
        {MOISSANITE_SHA2_224, 28, 0},     {MOISSANITE_SHA2_256, 32, 44},     {MOISSANITE_SHA2_384, 48, 65},
        {MOISSANITE_SHA2_512, 64, 87},    {MOISSANITE_SHA2_512_224, 28, 0},  {MOISSANITE_SHA2_512_256, 32, 44},
        {MOISSANITE_SHA3_224, 28, 0},     {MOISSANITE_SHA3_256, 32, 44},     {MOISSANITE_SHA3_384, 48, 65},
        {MOISSANITE_SHA3_512, 64, 87},    {MOISSANITE_SHAKE128, 32, 44},     {MOISSANITE_SHAKE256, 64, 87},
    };
    static uint8_t expanded[LONGEST_STRING], digest[64];
    static struct writing writing;
    static struct string seed, public_key, made;
    moissanite_signing_key *signing = NULL;
    moissanite_verifying_key *verifying = NULL;
    moissanite_stream_key in_pieces;
    struct reading of_key, of_signature;
    moissanite_source from_key, from_signature;
    moissanite_sink sink;
    size_t expanded_length = moissanite_expanded_key_length(algorithm);
    size_t i;
    memset(digest, 0x5a, sizeof digest);
    writing.calls = (size_t)-1;
    writing.length = 0;
    sink.write = write_pieces;
    sink.user = &writing;
    made.length = moissanite_signature_length(algorithm);
    seed.length = MOISSANITE_SEED_LENGTH;
    OK(moissanite_signing_key_from_seed(algorithm, seed.bytes, seed.length, &signing));
    OK(moissanite_signing_key_expanded(signing, expanded, expanded_length));
    OK(moissanite_signing_key_public(signing, &verifying));
    public_key.length = moissanite_public_key_length(algorithm);
    OK(moissanite_verifying_key_bytes(verifying, public_key.bytes, public_key.length));
    OK(moissanite_stream_key_from_seed(&in_pieces, algorithm, seed.bytes, seed.length));
    from_key = source(&of_key, &public_key);
    from_signature = source(&of_signature, &made);
    for (i = 0; i < sizeof hashes / sizeof *hashes; i++) {
        moissanite_hash hash = hashes[i].hash;
        size_t length = hashes[i].length;
        moissanite_status expected = algorithm <= hashes[i].strongest ? MOISSANITE_OK : MOISSANITE_ERROR_HASH;
        RETURNS(expected, moissanite_sign_digest(signing, MOISSANITE_DETERMINISTIC, hash, digest, 3, digest, length,
                                                 made.bytes, made.length));
        RETURNS(expected, moissanite_stream_sign_digest(&in_pieces, NULL, hash, digest, 3, digest, length, &sink));
        if (expected == MOISSANITE_OK) {
            check_written(&writing, &made);
        }
        RETURNS(expected, moissanite_stream_expanded_sign_digest(algorithm, expanded, expanded_length, NULL, hash,
                                                                 digest, 3, digest, length, &sink));
        if (expected == MOISSANITE_OK) {
            check_written(&writing, &made);
        }
        RETURNS(expected, moissanite_stream_verify_digest(algorithm, &from_key, hash, digest, 3, digest, length,
                                                          &from_signature));
        RETURNS(MOISSANITE_ERROR_LENGTH, moissanite_stream_verify_digest(algorithm, &from_key, hash, digest, 3, digest,
                                                                         length - 1, &from_signature));
        if (expected == MOISSANITE_OK) {
            RETURNS(MOISSANITE_ERROR_SIGNATURE,
                    moissanite_stream_verify_digest(algorithm, &from_key, hash, digest, 2, digest, length,
                                                    &from_signature));
            digest[0] ^= 1;
            RETURNS(MOISSANITE_ERROR_SIGNATURE,
                    moissanite_stream_verify_digest(algorithm, &from_key, hash, NULL, 0, digest, length,
                                                    &from_signature));
            digest[0] ^= 1;
        }
    }
    OK(moissanite_stream_key_wipe(&in_pieces));
    OK(moissanite_signing_key_free(&signing));
    OK(moissanite_verifying_key_free(&verifying));
}

static void verify(moissanite_algorithm algorithm, int valid)
{
    moissanite_verifying_key *verifying = NULL;
    struct reading of_message, of_key, of_signature;
    moissanite_source from_message = source(&of_message, &message);
    moissanite_source from_key = source(&of_key, &key);
    moissanite_source from_signature = source(&of_signature, &signature);
    moissanite_batch_item items[2];
    uint8_t verdicts[2] = {7, 7};
    int prepared;
    moissanite_status expected = valid                  ? MOISSANITE_OK
                                 : context.length > 255 ? MOISSANITE_ERROR_CONTEXT
                                                        : MOISSANITE_ERROR_SIGNATURE;
    OK(moissanite_verifying_key_from_bytes(algorithm, key.bytes, key.length, &verifying));
    for (prepared = 0; prepared < 2; prepared++) {
        RETURNS(expected, moissanite_verify(verifying, context.bytes, context.length, message.bytes, message.length,
                                            signature.bytes, signature.length));
        OK(moissanite_verifying_key_prepare(verifying));
    }
    items[0].key = verifying;
    items[0].message = message.bytes;
    items[0].message_length = message.length;
    items[0].signature = signature.bytes;
    items[0].signature_length = signature.length;
    items[1] = items[0];
    items[1].signature_length = 3;
    RETURNS(expected == MOISSANITE_OK ? MOISSANITE_ERROR_SIGNATURE : expected,
            moissanite_verify_batch(context.bytes, context.length, items, 2, verdicts, 2));
    CHECK(verdicts[0] == valid && verdicts[1] == 0);
    OK(moissanite_verifying_key_free(&verifying));
    /* A source has no length of its own. */
    if (signature.length == moissanite_signature_length(algorithm)) {
        RETURNS(expected, moissanite_stream_verify(algorithm, &from_key, context.bytes, context.length, &from_message,
                                                   message.length, &from_signature));
    }
}

int main(int count, char **arguments)
{
    const moissanite_algorithm tested[] = {MOISSANITE_ML_DSA_44, MOISSANITE_ML_DSA_65, MOISSANITE_ML_DSA_87};
    unsigned signatures = 0, verdicts = 0;
    size_t i;
    FILE *file;
    CHECK(count == 2);
    file = fopen(arguments[1], "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *what = strtok(line, " \n");
        const char *number = strtok(NULL, " \n");
        moissanite_algorithm algorithm;
        CHECK(what != NULL && number != NULL);
        algorithm = (moissanite_algorithm)atoi(number);
        next(&key);
        next(&context);
        next(&message);
        next(&signature);
        if (strcmp(what, "sign") == 0) {
            sign_on_heap(algorithm);
            sign_in_pieces(algorithm);
            sign_expanded(algorithm);
            signatures++;
        } else {
            const char *valid = strtok(NULL, " \n");
            CHECK(valid != NULL);
            verify(algorithm, atoi(valid));
            verdicts++;
        }
    }
    fclose(file);
    for (i = 0; i < sizeof tested / sizeof *tested; i++) {
        OK(moissanite_self_test(tested[i]));
        OK(moissanite_stream_self_test(tested[i]));
        sign_digests(tested[i]);
    }
    printf("known answers: %u signatures and %u verdicts\n", signatures, verdicts);
    return signatures > 0 && verdicts > 0 ? 0 : 1;
}
