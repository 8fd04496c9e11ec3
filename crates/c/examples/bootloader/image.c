#include "image.h"

/* The context prevents a signature for another purpose from being accepted for a program. */
static const uint8_t context[] = "firmware of the example board";

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

/* Finds the value of the only TLV of a type, or returns zero if there is none, a second one, or a malformed one. */
static int find(struct bytes area, uint32_t type, size_t length, struct bytes *value)
{
    int found = 0;
    while (area.length > 0) {
        struct bytes header, one;
        if (!take(&area, 4, &header) || !take(&area, number(header.start + 2, 2), &one)) {
            return 0;
        }
        if (number(header.start, 2) == type) {
            if (found || one.length != length) {
                return 0;
            }
            *value = one;
            found = 1;
        }
    }
    return found;
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

static moissanite_status verify(const struct slot *slot, struct bytes image, struct bytes signature)
{
    moissanite_bytes of_key, of_image, of_signature;
    const moissanite_source from_key = source(&of_key, slot->key, MOISSANITE_ML_DSA_44_PUBLIC_KEY_LENGTH);
    const moissanite_source from_image = source(&of_image, image.start, image.length);
    const moissanite_source from_signature = source(&of_signature, signature.start, signature.length);
    return moissanite_stream_verify(MOISSANITE_ML_DSA_44, &from_key, context, sizeof context - 1, &from_image,
                                    image.length, &from_signature);
}

const char *image_verify(const struct slot *slot, struct program *program)
{
    struct bytes rest = {slot->start, slot->length};
    struct bytes header, padding, body, area, tlvs, counter, key_hash, chosen, signature, image;
    size_t header_size, protected_size, image_size;
    if (!take(&rest, IMAGE_HEADER_SIZE, &header) || number(header.start, 4) != IMAGE_MAGIC) {
        return "refused: no image\n";
    }
    if (number(header.start + 16, 4) != IMAGE_F_ROM_FIXED ||
        number(header.start + 4, 4) != (uint32_t)(uintptr_t)slot->start) {
        return "refused: for another slot\n";
    }
    header_size = number(header.start + 8, 2);
    protected_size = number(header.start + 10, 2);
    image_size = number(header.start + 12, 4);
    if (header_size < IMAGE_HEADER_SIZE || !take(&rest, header_size - IMAGE_HEADER_SIZE, &padding) ||
        !take(&rest, image_size, &body)) {
        return "refused: length\n";
    }
    if (!take_area(&rest, IMAGE_TLV_PROTECTED_MAGIC, &area) || area.length + 4 != protected_size) {
        return "refused: protected TLVs\n";
    }
    image.start = slot->start;
    image.length = header_size + image_size + protected_size;
    if (!take_area(&rest, IMAGE_TLV_MAGIC, &tlvs) ||
        !find(tlvs, IMAGE_TLV_KEYHASH, KEY_HASH_LENGTH, &chosen) ||
        !find(tlvs, IMAGE_TLV_ML_DSA_44, MOISSANITE_ML_DSA_44_SIGNATURE_LENGTH, &signature)) {
        return "refused: TLVs\n";
    }
    if (!equal(chosen.start, slot->key_hash, KEY_HASH_LENGTH)) {
        return "refused: another key\n";
    }
    if (verify(slot, image, signature) != MOISSANITE_OK) {
        return "refused: signature\n";
    }
    if (!find(area, IMAGE_TLV_VENDOR_KEYHASH, KEY_HASH_LENGTH, &key_hash) ||
        !equal(key_hash.start, slot->key_hash, KEY_HASH_LENGTH)) {
        return "refused: another vendor\n";
    }
    if (!find(area, IMAGE_TLV_SEC_CNT, 4, &counter) || number(counter.start, 4) < slot->oldest) {
        return "refused: an old version\n";
    }
    program->start = body.start;
    program->length = body.length;
    return NULL;
}
