// The functions of memory that a compiler calls, in loops of bytes from the end, and those that save and restore
// registers for functions that are compiled with `-C target-feature=+save-restore`: for RISC-V with words of 32
// bits, with the least code. `global_asm!` or an assembler puts them in a program. The C library of a program,
// or the library of its C compiler, has the same functions.

    .macro function name
    .global \name
    .type \name, @function
\name:
    .endm

    .section .text.memset, "ax", @progbits
    function memset
    add a2, a2, a0
    mv a3, a0
1:  beq a3, a2, 2f
    sb a1, 0(a3)
    addi a3, a3, 1
    j 1b
2:  ret

    .section .text.memcpy, "ax", @progbits
    function memcpy
    add a2, a2, a1
    mv a3, a0
1:  beq a1, a2, 2f
    lbu a4, 0(a1)
    sb a4, 0(a3)
    addi a1, a1, 1
    addi a3, a3, 1
    j 1b
2:  ret

    // A caller jumps here with the return address in t0. The frame has a multiple of 16 bytes: the return address
    // is at its end, and s0, s1, ... are before it.
    .section .text.save, "ax", @progbits
    function __riscv_save_12
    addi sp, sp, -64
    li t1, 0
    sw s11, 12(sp)
    j 1f
    function __riscv_save_11
    function __riscv_save_10
    function __riscv_save_9
    function __riscv_save_8
    addi sp, sp, -64
    li t1, 16
1:  sw s10, 16(sp)
    sw s9, 20(sp)
    sw s8, 24(sp)
    sw s7, 28(sp)
    j 2f
    function __riscv_save_7
    function __riscv_save_6
    function __riscv_save_5
    function __riscv_save_4
    addi sp, sp, -64
    li t1, 32
2:  sw s6, 32(sp)
    sw s5, 36(sp)
    sw s4, 40(sp)
    sw s3, 44(sp)
    j 3f
    function __riscv_save_3
    function __riscv_save_2
    function __riscv_save_1
    function __riscv_save_0
    addi sp, sp, -64
    li t1, 48
3:  sw s2, 48(sp)
    sw s1, 52(sp)
    sw s0, 56(sp)
    sw ra, 60(sp)
    add sp, sp, t1
    jr t0

    .section .text.restore, "ax", @progbits
    function __riscv_restore_12
    lw s11, 12(sp)
    addi sp, sp, 16
    function __riscv_restore_11
    function __riscv_restore_10
    function __riscv_restore_9
    function __riscv_restore_8
    lw s10, 0(sp)
    lw s9, 4(sp)
    lw s8, 8(sp)
    lw s7, 12(sp)
    addi sp, sp, 16
    function __riscv_restore_7
    function __riscv_restore_6
    function __riscv_restore_5
    function __riscv_restore_4
    lw s6, 0(sp)
    lw s5, 4(sp)
    lw s4, 8(sp)
    lw s3, 12(sp)
    addi sp, sp, 16
    function __riscv_restore_3
    function __riscv_restore_2
    function __riscv_restore_1
    function __riscv_restore_0
    lw s2, 0(sp)
    lw s1, 4(sp)
    lw s0, 8(sp)
    lw ra, 12(sp)
    addi sp, sp, 16
    ret
