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
    OK(moissanite_stream_key_wipe(&signing));
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
    }
    printf("known answers: %u signatures and %u verdicts\n", signatures, verdicts);
    return signatures > 0 && verdicts > 0 ? 0 : 1;
}
