/* Starts the program in the slot only if its vendor signed it. */
#include "board.h"
#include "image.h"

/* The oldest accepted rollback counter. A product keeps it in a monotonic counter. */
#define OLDEST 3u

/* The register of the address of the vectors. */
#define VTOR ((volatile uint32_t *)0xe000ed08u)

/* The Makefile makes these of the vendor's public key. */
extern const uint8_t vendor_key[], vendor_hash[];

/* Returns whether the stack begins in RAM, and the first instruction is Thumb code in the program. */
static int can_run(const struct program *program, uint32_t stack, uint32_t reset)
{
    uint32_t start = (uint32_t)(uintptr_t)program->start;
    return stack % 8 == 0 && stack >= (uint32_t)(uintptr_t)ram_start + 8 &&
           stack <= (uint32_t)(uintptr_t)ram_end && reset % 2 == 1 && reset > start &&
           reset - start < program->length;
}

/* Sets the stack pointer and jumps. Both values are in registers, because there is no stack in between. */
static void jump(uint32_t stack, uint32_t reset)
{
    __asm__ volatile("msr msp, %0\n\tbx %1" : : "r"(stack), "r"(reset) : "memory");
}

static void boot(void)
{
    const struct slot slot = {slot_start, (size_t)(uintptr_t)slot_length, OLDEST, vendor_key, vendor_hash};
    struct program program;
    const char *refusal = image_verify(&slot, &program);
    const uint32_t *vectors;
    if (refusal != NULL) {
        stop(refusal, 1);
        return;
    }
    vectors = (const uint32_t *)(const void *)program.start;
    if ((uintptr_t)vectors % 512 != 0 || program.length < sizeof(struct vectors) ||
        !can_run(&program, vectors[0], vectors[1])) {
        stop("refused: vectors\n", 1);
        return;
    }
    *VTOR = (uint32_t)(uintptr_t)vectors;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    jump(vectors[0], vectors[1]);
}

void start(void)
{
    boot();
    hang();
}

__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    ram_end, start, hang, {hang, hang, hang, hang},
};
