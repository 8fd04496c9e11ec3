/* Images in the format of mcuboot, signed with ML-DSA-44, as the crate moissanite-mcuboot makes them:
 *
 *   header, of 32 bytes, and padding up to ih_hdr_size
 *   program, of ih_img_size bytes, which begins with its vectors
 *   protected TLVs: the rollback counter, and the hash of the vendor's key
 *   TLVs: the signature, and possibly a digest, which is not read
 *
 * The signature is of all bytes up to the end of the protected TLVs. Each area has these TLVs, each once, and no
 * other. Numbers are little-endian. */
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
#define IMAGE_TLV_SHA256 0x10u
#define IMAGE_TLV_SEC_CNT 0x50u
/* Of the range for vendors: the first 32 bytes of SHAKE256 of the vendor's key, and a signature of ML-DSA-44. */
#define IMAGE_TLV_VENDOR 0x4da0u
#define IMAGE_TLV_ML_DSA_44 0x4da1u

#define HASH_LENGTH 32u

/* The place of an image, and what it must be. */
struct slot {
    const uint8_t *start;
    size_t length;
    /* The oldest accepted rollback counter. A product keeps it in a monotonic counter. */
    uint32_t oldest;
    /* The vendor's public key, and its hash. */
    const uint8_t *key;
    const uint8_t *vendor;
};

/* A program that may be started. */
struct program {
    const uint8_t *start;
    size_t length;
};

/* Returns null and the program in the slot if the vendor signed it, and otherwise the reason as a line of text. */
const char *image_verify(const struct slot *slot, struct program *program);

#endif
