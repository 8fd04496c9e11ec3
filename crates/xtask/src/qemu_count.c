// A QEMU TCG plugin that counts the instructions of a program between the return of its function
// `start_counting` and its call of `stop_counting`, and writes one line for each pair to standard error.
// For a Cortex-M, the line also contains an estimate of the cycles of a Cortex-M4.
//
// This file declares the used parts of QEMU's plugin interface (version 1, `qemu-plugin.h`), so that
// the headers are not needed.
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct information {
  const char *target;
};
enum { NO_REGISTERS = 0, ADD_U64 = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *,
                                            void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, int, void *, uint64_t);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *);
const uint8_t *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int qemu_plugin_version = 1;

static uint64_t executed, cycles;
static bool counting, cortex_m;

// QEMU calls this at each instruction of `start_counting`; the last call sets the start.
static void start(unsigned cpu, void *unused) {
  (void)cpu, (void)unused;
  executed = cycles = 0;
  counting = true;
}

static void stop(unsigned cpu, void *unused) {
  (void)cpu, (void)unused;
  // The branch to `stop_counting` does not count.
  if (counting && cortex_m) fprintf(stderr, "%" PRIu64 " %" PRIu64 "\n", executed - 1, cycles - 4);
  if (counting && !cortex_m) fprintf(stderr, "%" PRIu64 "\n", executed - 1);
  counting = false;
}

// The cycles of an instruction by Arm's Technical Reference Manual of the Cortex-M4, with memory without
// wait states. The cost of a conditional branch assumes that half of the branches are taken. Instructions
// that are not in the table take one cycle.
enum kind {
  ONE = 1, TWO = 2, PAIR = 3, JUMP = 3, CALL = 4, DIVISION = 7, // cycles
  LOAD = 16, STORE, LIST, WIDE_LIST, FLOAT_LIST
};
// The first matching entry applies. Instructions of two bytes are in the upper half.
static const struct {
  uint32_t mask, bits;
  enum kind kind;
} KINDS[] = {
    {0xfc000000, 0x50000000, STORE}, {0xfe000000, 0x54000000, STORE}, // register offset
    {0xf0000000, 0x50000000, LOAD},  {0xf8000000, 0x48000000, LOAD},  // the same; literal
    {0xe8000000, 0x60000000, STORE}, {0xe8000000, 0x68000000, LOAD},  // words, bytes
    {0xe8000000, 0x80000000, STORE}, {0xe8000000, 0x88000000, LOAD},  // halves, stack
    {0xf6000000, 0xb4000000, LIST},  {0xf0000000, 0xc0000000, LIST},  // push, pop; stm, ldm
    {0xf5000000, 0xb1000000, TWO},   {0xf0000000, 0xd0000000, TWO},   // cbz; b<c>
    {0xf8000000, 0xe0000000, JUMP},  {0xff000000, 0x47000000, JUMP},  // b; bx
    {0xfff0ffe0, 0xe8d0f000, CALL},  {0xfe400000, 0xe8400000, PAIR},  // tbb, tbh; ldrd, strd
    {0xfe400000, 0xe8000000, WIDE_LIST},                              // stm.w, ldm.w
    {0xfe100000, 0xf8000000, STORE}, {0xfe100000, 0xf8100000, LOAD},
    {0xffd00000, 0xfb900000, DIVISION},
    {0xf800d000, 0xf000d000, CALL},  {0xf800d000, 0xf0009000, JUMP},  // bl; b.w
    {0xfb80d000, 0xf3808000, ONE},   {0xf800d000, 0xf0008000, TWO},   // hints; b<c>.w
    {0xffe00000, 0xec400000, TWO},   {0xff200000, 0xed000000, PAIR},  // vmov of two; vldr, vstr
    {0xfe000000, 0xec000000, FLOAT_LIST},                             // vldm, vstm
};

// A load right after another one overlaps with it.
static unsigned cortex_m4_cycles(struct qemu_plugin_insn *insn, bool *after_memory) {
  const uint8_t *byte = qemu_plugin_insn_data(insn);
  uint32_t code = (uint32_t)(byte[0] | byte[1] << 8) << 16;
  if (qemu_plugin_insn_size(insn) == 4) code |= (uint32_t)(byte[2] | byte[3] << 8);
  enum kind kind = ONE;
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
    if ((code & KINDS[i].mask) == KINDS[i].bits) {
      kind = KINDS[i].kind;
      break;
    }
  bool overlaps = *after_memory;
  *after_memory = kind == LOAD || kind == STORE;
  bool to_pc = (code & 0xff000000) == 0xbd000000 || (code & 0x00108000) == 0x00108000;
  switch (kind) {
  case LOAD: return overlaps ? 1 : 2;
  case STORE: return 1;
  case LIST: return 1 + __builtin_popcount(code & 0x00ff0000) + ((code & 0xf7000000) == 0xb5000000)
                    + (to_pc ? 3 : 0);
  case WIDE_LIST: return 1 + __builtin_popcount(code & 0xffff) + (to_pc ? 3 : 0);
  case FLOAT_LIST: return 1 + (code & 0xff);
  default: return kind;
  }
}

static void translated(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  bool after_memory = false;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
    const char *symbol = qemu_plugin_insn_symbol(insn);
    if (symbol && strstr(symbol, "start_counting")) {
      qemu_plugin_register_vcpu_insn_exec_cb(insn, start, NO_REGISTERS, NULL);
    } else if (symbol && strstr(symbol, "stop_counting")) {
      qemu_plugin_register_vcpu_insn_exec_cb(insn, stop, NO_REGISTERS, NULL);
    } else {
      qemu_plugin_register_vcpu_insn_exec_inline(insn, ADD_U64, &executed, 1);
      if (cortex_m)
        qemu_plugin_register_vcpu_insn_exec_inline(insn, ADD_U64, &cycles,
                                                   cortex_m4_cycles(insn, &after_memory));
    }
  }
}

EXPORTED int qemu_plugin_install(plugin_id id, const struct information *info, int argc,
                                 char **argv) {
  (void)argc, (void)argv;
  cortex_m = !strcmp(info->target, "arm");
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}
