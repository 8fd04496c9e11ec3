/* Callbacks for the streams, which count their calls and fail when they are told to. */
#ifndef PIECES_H
#define PIECES_H

#include <string.h>

#include "moissanite.h"

/* A source. */
struct reading {
    const uint8_t *bytes;
    size_t length;
    /* The calls that succeed before one fails. */
    size_t calls;
};

static inline int read_pieces(void *user, size_t offset, uint8_t *to, size_t length)
{
    struct reading *reading = (struct reading *)user;
    if (reading->calls == 0 || length > 128 || offset > reading->length ||
        length > reading->length - offset) {
        return -1;
    }
    reading->calls--;
    memcpy(to, reading->bytes + offset, length);
    return 0;
}

/* A sink. */
struct writing {
    uint8_t bytes[MOISSANITE_ML_DSA_87_SIGNATURE_LENGTH];
    size_t length;
    size_t calls;
};

static inline int write_pieces(void *user, const uint8_t *piece, size_t length)
{
    struct writing *writing = (struct writing *)user;
    if (writing->calls == 0 || length > 128 || length > sizeof writing->bytes - writing->length) {
        return -1;
    }
    writing->calls--;
    memcpy(writing->bytes + writing->length, piece, length);
    writing->length += length;
    return 0;
}

/* A generator that is not random. */
static inline int fill_ones(void *user, uint8_t *to, size_t length)
{
    size_t *calls = (size_t *)user;
    if (*calls == 0) {
        return -1;
    }
    --*calls;
    memset(to, 1, length);
    return 0;
}

#endif
