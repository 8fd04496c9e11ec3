/* What depends on the board, together with memory.ld. This version is for QEMU, with semihosting. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/* Symbols of memory.ld, whose addresses are the values. */
extern const uint8_t slot_start[], slot_length[], ram_start[], ram_end[];

/* The vectors of a Cortex-M that these programs use. */
struct vectors {
    const void *stack;
    void (*reset)(void);
    void (*nmi)(void);
    void (*faults[4])(void);
};

/* Prints a line and stops. A product would signal the error, and wait for a new image or for its watchdog. */
void stop(const char *line, uint32_t status);

/* The handler of faults: an endless loop. */
void hang(void);

#endif
