/* Compares the verdicts of the boot loader's image.c with those of the crate moissanite-mcuboot. The file that the
 * first argument names has the vendor's key and its hash, and images: the length of the slot and the verdict, in four
 * bytes each, and the content of the slot. No byte behind the slot may be read. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include <sanitizer/asan_interface.h>

#include "../examples/bootloader/image.h"
#include "check.h"

#define SLOT ((uint8_t *)0x20000000)
#define SLOT_LENGTH (64u << 10)
#define OLDEST 3

int main(int count, char **arguments)
{
    static uint8_t key[MOISSANITE_ML_DSA_44_PUBLIC_KEY_LENGTH], vendor[HASH_LENGTH];
    uint32_t about[2];
    unsigned images = 0, accepted = 0;
    FILE *file;
    CHECK(count == 2);
    file = fopen(arguments[1], "rb");
    CHECK(file != NULL);
    CHECK(fread(key, 1, sizeof key, file) == sizeof key && fread(vendor, 1, sizeof vendor, file) == sizeof vendor);
    CHECK(mmap(SLOT, SLOT_LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) ==
          SLOT);
    while (fread(about, 1, sizeof about, file) == sizeof about) {
        struct slot slot = {SLOT, about[0], OLDEST, key, vendor};
        struct program program;
        const char *reason;
        CHECK(about[0] <= SLOT_LENGTH && fread(SLOT, 1, about[0], file) == about[0]);
        ASAN_POISON_MEMORY_REGION(SLOT + about[0], SLOT_LENGTH - about[0]);
        reason = image_verify(&slot, &program);
        ASAN_UNPOISON_MEMORY_REGION(SLOT, SLOT_LENGTH);
        if ((reason == NULL) != (about[1] != 0)) {
            fprintf(stderr, "image %u: %s, but the verdict of the crate is %u\n", images,
                    reason == NULL ? "accepted" : reason, about[1]);
            return 1;
        }
        if (reason == NULL) {
            CHECK(program.start >= SLOT && program.length > 0);
            CHECK(program.length <= (size_t)(SLOT + about[0] - program.start));
            accepted++;
        }
        images++;
    }
    fclose(file);
    printf("images: %u of %u are accepted\n", accepted, images);
    return accepted > 0 && accepted < images ? 0 : 1;
}
