// A QEMU TCG plugin: how many instructions a program executes between the return of its function
// `start_counting` and its call of `stop_counting`, one line for each time, on standard error.
//
// Of QEMU's plugin interface (version 1, `qemu-plugin.h`) only what is used is declared, so that
// its headers are not needed.
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { NO_REGISTERS = 0, ADD_U64 = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *,
                                            void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, int, void *, uint64_t);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *);

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int qemu_plugin_version = 1;

static uint64_t executed;
static int counting;

// Once for each instruction of `start_counting`: the last time counts.
static void start(unsigned cpu, void *unused) {
  (void)cpu, (void)unused;
  executed = 0;
  counting = 1;
}

static void stop(unsigned cpu, void *unused) {
  (void)cpu, (void)unused;
  // Without the branch to `stop_counting`.
  if (counting) fprintf(stderr, "%" PRIu64 "\n", executed - 1);
  counting = 0;
}

static void translated(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
    const char *symbol = qemu_plugin_insn_symbol(insn);
    if (symbol && strstr(symbol, "start_counting"))
      qemu_plugin_register_vcpu_insn_exec_cb(insn, start, NO_REGISTERS, NULL);
    else if (symbol && strstr(symbol, "stop_counting"))
      qemu_plugin_register_vcpu_insn_exec_cb(insn, stop, NO_REGISTERS, NULL);
    else
      qemu_plugin_register_vcpu_insn_exec_inline(insn, ADD_U64, &executed, 1);
  }
}

EXPORTED int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
  (void)info, (void)argc, (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}
