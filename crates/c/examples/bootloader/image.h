/* Images in the format of mcuboot, signed with ML-DSA-44:
 *
 *   header, of 32 bytes and padding up to ih_hdr_size
 *   program, of ih_img_size bytes, which begins with its vectors
 *   protected TLVs: the rollback counter and the hash of the vendor's key
 *   TLVs: the hash of the vendor's key, by which a loader chooses the key, and the signature
 *
 * The signature is of all bytes up to the end of the protected TLVs. Numbers are little-endian. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "moissanite.h"

#define IMAGE_MAGIC 0x96f3b83du
#define IMAGE_HEADER_SIZE 32u
/* The image runs in place, at the address ih_load_addr. */
#define IMAGE_F_ROM_FIXED 0x100u
#define IMAGE_TLV_MAGIC 0x6907u
#define IMAGE_TLV_PROTECTED_MAGIC 0x6908u
#define IMAGE_TLV_KEYHASH 0x01u
#define IMAGE_TLV_SEC_CNT 0x50u
/* Of the range for vendors: a signature of ML-DSA-44, and the hash of the vendor's key in the protected TLVs. */
#define IMAGE_TLV_ML_DSA_44 0xa0a0u
#define IMAGE_TLV_VENDOR_KEYHASH 0xa0a1u

#define KEY_HASH_LENGTH 32u

/* The place of an image, and what it must be. */
struct slot {
    const uint8_t *start;
    size_t length;
    /* The oldest accepted rollback counter. A product keeps it in a monotonic counter. */
    uint32_t oldest;
    const uint8_t *key;
    const uint8_t *key_hash;
};

/* A program that may be started. */
struct program {
    const uint8_t *start;
    size_t length;
};

/* Returns null and the program in the slot if the vendor signed it, and otherwise the reason as a line of text. */
const char *image_verify(const struct slot *slot, struct program *program);

#endif
