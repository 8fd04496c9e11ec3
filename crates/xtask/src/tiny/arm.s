// The functions of memory that a compiler calls, in loops of bytes from the end: for a Cortex-M, with the least
// code. `global_asm!` or an assembler puts them in a program, where they replace those of the compiler.

    .syntax unified
    .thumb

    .macro function name
    .global \name
    .type \name, %function
    .thumb_func
\name:
    .endm

    .section .text.memset, "ax", %progbits
    function memset
    // The arguments of `__aeabi_memset` have another order.
    mov r3, r1
    mov r1, r2
    mov r2, r3
    b 2f
    function __aeabi_memclr
    function __aeabi_memclr4
    function __aeabi_memclr8
    movs r2, #0
    function __aeabi_memset
    function __aeabi_memset4
    function __aeabi_memset8
    b 2f
1:  strb r2, [r0, r1]
2:  subs r1, #1
    bcs 1b
    bx lr

    .section .text.memcpy, "ax", %progbits
    function memcpy
    function __aeabi_memcpy
    function __aeabi_memcpy4
    function __aeabi_memcpy8
    b 2f
1:  ldrb r3, [r1, r2]
    strb r3, [r0, r2]
2:  subs r2, #1
    bcs 1b
    bx lr
