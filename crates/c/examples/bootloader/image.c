#include "image.h"

/* The context prevents a signature for another purpose from being accepted for a program. */
static const uint8_t context[] = "moissanite mcuboot image";

/* A part of an image. */
struct bytes {
    const uint8_t *start;
    size_t length;
};

static uint32_t number(const uint8_t *bytes, size_t length)
{
    uint32_t value = 0;
    while (length-- > 0) {
        value = value << 8 | bytes[length];
    }
    return value;
}

static int equal(const uint8_t *a, const uint8_t *b, size_t length)
{
    while (length-- > 0) {
        if (*a++ != *b++) {
            return 0;
        }
    }
    return 1;
}

/* Takes a part from the beginning of the rest, or returns zero if the rest is shorter. */
static int take(struct bytes *rest, size_t length, struct bytes *part)
{
    if (length > rest->length) {
        return 0;
    }
    part->start = rest->start;
    part->length = length;
    rest->start += length;
    rest->length -= length;
    return 1;
}

/* Takes an area of TLVs without its header, or returns zero if it is malformed. */
static int take_area(struct bytes *rest, uint32_t magic, struct bytes *area)
{
    struct bytes header;
    size_t length;
    if (!take(rest, 4, &header) || number(header.start, 2) != magic) {
        return 0;
    }
    length = number(header.start + 2, 2);
    return length >= 4 && take(rest, length - 4, area);
}

/* A TLV that an area can have. */
struct entry {
    uint32_t type;
    size_t length;
    int is_optional;
    /* Null until it is found. */
    const uint8_t *value;
};

/* Finds the values of an area, or returns zero if a TLV is malformed, unknown, missing, or there twice. */
static int find(struct bytes area, struct entry *entries, size_t count)
{
    size_t i;
    while (area.length > 0) {
        struct bytes header, one;
        if (!take(&area, 4, &header) || !take(&area, number(header.start + 2, 2), &one)) {
            return 0;
        }
        for (i = 0; i < count && entries[i].type != number(header.start, 2); i++) {
        }
        if (i == count || entries[i].value != NULL || entries[i].length != one.length) {
            return 0;
        }
        entries[i].value = one.start;
    }
    for (i = 0; i < count; i++) {
        if (entries[i].value == NULL && !entries[i].is_optional) {
            return 0;
        }
    }
    return 1;
}

/* A source in flash. */
static moissanite_source source(moissanite_bytes *bytes, const uint8_t *start, size_t length)
{
    moissanite_source source;
    bytes->bytes = start;
    bytes->length = length;
    source.read = moissanite_read_memory;
    source.user = bytes;
    return source;
}

static moissanite_status verify(const struct slot *slot, struct bytes image, const uint8_t *signature)
{
    moissanite_bytes of_key, of_image, of_signature;
    const moissanite_source from_key = source(&of_key, slot->key, MOISSANITE_ML_DSA_44_PUBLIC_KEY_LENGTH);
    const moissanite_source from_image = source(&of_image, image.start, image.length);
    const moissanite_source from_signature = source(&of_signature, signature, MOISSANITE_ML_DSA_44_SIGNATURE_LENGTH);
    return moissanite_stream_verify(MOISSANITE_ML_DSA_44, &from_key, context, sizeof context - 1, &from_image,
                                    image.length, &from_signature);
}

const char *image_verify(const struct slot *slot, struct program *program)
{
    struct bytes rest = {slot->start, slot->length};
    struct bytes header, padding, body, area, image;
    struct entry in_protected[] = {
        {IMAGE_TLV_SEC_CNT, 4, 0, NULL},
        {IMAGE_TLV_VENDOR, HASH_LENGTH, 0, NULL},
    };
    struct entry unsigned_ones[] = {
        {IMAGE_TLV_ML_DSA_44, MOISSANITE_ML_DSA_44_SIGNATURE_LENGTH, 0, NULL},
        {IMAGE_TLV_SHA256, HASH_LENGTH, 1, NULL},
    };
    size_t header_size, protected_size, image_size;
    if (!take(&rest, IMAGE_HEADER_SIZE, &header) || number(header.start, 4) != IMAGE_MAGIC) {
        return "refused: no image\n";
    }
    if (number(header.start + 16, 4) != IMAGE_F_ROM_FIXED || number(header.start + 28, 4) != 0 ||
        number(header.start + 4, 4) != (uint32_t)(uintptr_t)slot->start) {
        return "refused: for another slot\n";
    }
    header_size = number(header.start + 8, 2);
    protected_size = number(header.start + 10, 2);
    image_size = number(header.start + 12, 4);
    if (image_size == 0 || header_size < IMAGE_HEADER_SIZE || !take(&rest, header_size - IMAGE_HEADER_SIZE, &padding) ||
        !take(&rest, image_size, &body)) {
        return "refused: length\n";
    }
    if (!take_area(&rest, IMAGE_TLV_PROTECTED_MAGIC, &area) || area.length + 4 != protected_size ||
        !find(area, in_protected, 2)) {
        return "refused: protected TLVs\n";
    }
    image.start = slot->start;
    image.length = header_size + image_size + protected_size;
    if (!take_area(&rest, IMAGE_TLV_MAGIC, &area) || !find(area, unsigned_ones, 2)) {
        return "refused: TLVs\n";
    }
    if (verify(slot, image, unsigned_ones[0].value) != MOISSANITE_OK) {
        return "refused: signature\n";
    }
    if (!equal(in_protected[1].value, slot->vendor, HASH_LENGTH)) {
        return "refused: another vendor\n";
    }
    if (number(in_protected[0].value, 4) < slot->oldest) {
        return "refused: an old version\n";
    }
    program->start = body.start;
    program->length = body.length;
    return NULL;
}
