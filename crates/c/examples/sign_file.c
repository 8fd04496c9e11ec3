/* Generates a key, signs a file of any length, and verifies the signature:
 *
 *   sign_file new KEY.pem PUBLIC.pem
 *   sign_file sign KEY.pem FILE SIGNATURE
 *   sign_file verify PUBLIC.pem FILE SIGNATURE
 *
 * The exit status is 0, or 1 if the signature is not valid, or 2 after any other error. */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <moissanite.h>

static const uint8_t context[] = "files";
#define CONTEXT context, sizeof context - 1

/* A private key as PEM text has less than 200 bytes in the form of a seed, and a public key less than 4,000. */
static uint8_t document[4096];
static uint8_t signature[MOISSANITE_ML_DSA_87_SIGNATURE_LENGTH];
static uint8_t mu[MOISSANITE_MU_LENGTH];

static int failed(const char *what, moissanite_status status)
{
    fprintf(stderr, "%s: %s\n", what, moissanite_error_message(status));
    return status == MOISSANITE_ERROR_SIGNATURE ? 1 : 2;
}

static int failed_file(const char *path)
{
    perror(path);
    return 2;
}

/* Reads at most capacity bytes, and returns their number, or -1 after an error. */
static long read_file(const char *path, uint8_t *bytes, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    size_t length;
    int error;
    if (file == NULL) {
        return -1;
    }
    length = fread(bytes, 1, capacity, file);
    error = ferror(file);
    fclose(file);
    return error ? -1 : (long)length;
}

/* Writes a file that only its owner can read. */
static int write_file(const char *path, const uint8_t *bytes, size_t length)
{
    mode_t mask = umask(S_IRWXG | S_IRWXO);
    FILE *file = fopen(path, "wb");
    size_t written;
    umask(mask);
    if (file == NULL) {
        return -1;
    }
    written = fwrite(bytes, 1, length, file);
    return fclose(file) == 0 && written == length ? 0 : -1;
}

static int new_key(const char *private_path, const char *public_path)
{
    moissanite_signing_key *key = NULL;
    moissanite_verifying_key *public_key = NULL;
    size_t length = 0;
    int result = 0;
    moissanite_status status = moissanite_signing_key_generate(MOISSANITE_ML_DSA_65, &key);
    if (status == MOISSANITE_OK) {
        status = moissanite_signing_key_public(key, &public_key);
    }
    if (status == MOISSANITE_OK) {
        status = moissanite_signing_key_write(key, MOISSANITE_FORM_SEED, MOISSANITE_PEM, document, sizeof document,
                                              &length);
    }
    if (status == MOISSANITE_OK && write_file(private_path, document, length) != 0) {
        result = failed_file(private_path);
    }
    moissanite_wipe(document, sizeof document);
    if (status == MOISSANITE_OK) {
        status = moissanite_verifying_key_write(public_key, MOISSANITE_PEM, document, sizeof document, &length);
    }
    if (status == MOISSANITE_OK && write_file(public_path, document, length) != 0) {
        result = failed_file(public_path);
    }
    moissanite_signing_key_free(&key);
    moissanite_verifying_key_free(&public_key);
    return status == MOISSANITE_OK ? result : failed("key", status);
}

/* Passes a file to a message, and computes its representative. */
static int hash_file(const char *path, moissanite_message *message)
{
    uint8_t piece[4096];
    size_t length;
    int error;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        moissanite_message_wipe(message);
        return failed_file(path);
    }
    while ((length = fread(piece, 1, sizeof piece, file)) > 0) {
        moissanite_status status = moissanite_message_update(message, piece, length);
        if (status != MOISSANITE_OK) {
            fclose(file);
            return failed(path, status);
        }
    }
    error = ferror(file);
    fclose(file);
    if (error) {
        moissanite_message_wipe(message);
        return failed_file(path);
    }
    if (moissanite_message_finish(message, mu, sizeof mu) != MOISSANITE_OK) {
        return 2;
    }
    return 0;
}

static int sign(const char *key_path, const char *path, const char *signature_path)
{
    moissanite_signing_key *key = NULL;
    moissanite_message message;
    moissanite_status status;
    size_t signature_length = 0;
    int result = 0;
    long length = read_file(key_path, document, sizeof document);
    if (length < 0) {
        return failed_file(key_path);
    }
    status = moissanite_signing_key_read(MOISSANITE_PEM, document, (size_t)length, &key);
    moissanite_wipe(document, sizeof document);
    if (status == MOISSANITE_OK) {
        status = moissanite_signing_key_start_message(key, &message, CONTEXT);
    }
    if (status == MOISSANITE_OK) {
        result = hash_file(path, &message);
    }
    if (status == MOISSANITE_OK && result == 0) {
        signature_length = moissanite_signature_length(moissanite_signing_key_algorithm(key));
        status = moissanite_sign_mu(key, MOISSANITE_HEDGED, mu, sizeof mu, signature, signature_length);
    }
    moissanite_signing_key_free(&key);
    if (status != MOISSANITE_OK) {
        return failed(key_path, status);
    }
    if (result == 0 && write_file(signature_path, signature, signature_length) != 0) {
        result = failed_file(signature_path);
    }
    return result;
}

static int verify(const char *key_path, const char *path, const char *signature_path)
{
    moissanite_verifying_key *key = NULL;
    moissanite_message message;
    moissanite_status status;
    int result = 0;
    long length = read_file(key_path, document, sizeof document);
    long signature_length = read_file(signature_path, signature, sizeof signature);
    if (length < 0 || signature_length < 0) {
        return failed_file(length < 0 ? key_path : signature_path);
    }
    status = moissanite_verifying_key_read(MOISSANITE_PEM, document, (size_t)length, &key);
    if (status == MOISSANITE_OK) {
        status = moissanite_verifying_key_start_message(key, &message, CONTEXT);
    }
    if (status == MOISSANITE_OK) {
        result = hash_file(path, &message);
    }
    if (status == MOISSANITE_OK && result == 0) {
        status = moissanite_verify_mu(key, mu, sizeof mu, signature, (size_t)signature_length);
    }
    moissanite_verifying_key_free(&key);
    return status == MOISSANITE_OK ? result : failed(signature_path, status);
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "new") == 0) {
        return new_key(arguments[2], arguments[3]);
    }
    if (count == 5 && strcmp(arguments[1], "sign") == 0) {
        return sign(arguments[2], arguments[3], arguments[4]);
    }
    if (count == 5 && strcmp(arguments[1], "verify") == 0) {
        return verify(arguments[2], arguments[3], arguments[4]);
    }
    fprintf(stderr, "usage: sign_file new KEY.pem PUBLIC.pem\n"
                    "       sign_file sign KEY.pem FILE SIGNATURE\n"
                    "       sign_file verify PUBLIC.pem FILE SIGNATURE\n");
    return 2;
}
