/* A program that the boot loader starts. */
#include "board.h"

void start(void)
{
    stop("booted\n", 0);
}

__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    ram_end, start, hang, {hang, hang, hang, hang},
};
