// A QEMU TCG plugin that records the trace of a program: the address of each instruction and the address,
// the size and the direction of each access to memory. `record.rs` describes the words and the hash.
//
// The arguments: `out=` names the file for the trace; `panic=` is the address at which the program is given
// up; `from=` and `to=` are the numbers of the events to keep, and the program ends when these are recorded.
//
// The file consists of words of 64 bits: whether the program was given up, the number of events, the number
// of hashes, the hashes, the kept events.
//
// This file declares the used parts of QEMU's plugin interface (version 1, `qemu-plugin.h`), so that
// the headers are not needed.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef uint64_t plugin_id;
typedef uint32_t access_information;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct information;
enum { NO_REGISTERS = 0, LOADS_AND_STORES = 3 };

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *,
                                            void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *,
                                      void (*)(unsigned, access_information, uint64_t, void *), int,
                                      int, void *);
void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
unsigned qemu_plugin_mem_size_shift(access_information);
bool qemu_plugin_mem_is_store(access_information);

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int qemu_plugin_version = 1;

#define INTERVAL (UINT64_C(1) << 16)
#define ADDRESS ((UINT64_C(1) << 56) - 1)
enum { SIZE = 56, KIND = 60 };

struct list {
  uint64_t *words, count, room;
};

static struct list hashes, events;
static uint64_t count, hash, from, to, panic_address = UINT64_MAX;
static char out[4096];

static void push(struct list *list, uint64_t word) {
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 1024;
    list->words = realloc(list->words, list->room * sizeof word);
    if (!list->words) abort();
  }
  list->words[list->count++] = word;
}

static void write_trace(bool gave_up) {
  FILE *file = fopen(out, "wb");
  if (!file) return;
  push(&hashes, hash);
  uint64_t header[3] = {gave_up, count, hashes.count};
  fwrite(header, sizeof *header, 3, file);
  fwrite(hashes.words, sizeof hash, hashes.count, file);
  fwrite(events.words, sizeof hash, events.count, file);
  fclose(file);
}

static void event(uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  hash ^= hash >> 32;
  if (from <= count && count < to) push(&events, word);
  count++;
  if (count % INTERVAL == 0) push(&hashes, hash);
  if (count == to) {
    write_trace(false);
    _exit(0);
  }
}

static void executes(unsigned cpu, void *address) {
  (void)cpu;
  event(((uintptr_t)address & ADDRESS) | UINT64_C(1) << KIND);
}

static void accesses(unsigned cpu, access_information information, uint64_t address, void *unused) {
  (void)cpu, (void)unused;
  uint64_t kind = qemu_plugin_mem_is_store(information) ? 3 : 2;
  uint64_t size = qemu_plugin_mem_size_shift(information) & 15;
  event((address & ADDRESS) | size << SIZE | kind << KIND);
}

static void gives_up(unsigned cpu, void *unused) {
  (void)cpu, (void)unused;
  write_trace(true);
  _exit(0);
}

static void translated(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
    uint64_t address = qemu_plugin_insn_vaddr(insn);
    if (address == panic_address)
      qemu_plugin_register_vcpu_insn_exec_cb(insn, gives_up, NO_REGISTERS, NULL);
    qemu_plugin_register_vcpu_insn_exec_cb(insn, executes, NO_REGISTERS, (void *)(uintptr_t)address);
    qemu_plugin_register_vcpu_mem_cb(insn, accesses, NO_REGISTERS, LOADS_AND_STORES, NULL);
  }
}

static void ended(plugin_id id, void *unused) {
  (void)id, (void)unused;
  write_trace(false);
}

EXPORTED int qemu_plugin_install(plugin_id id, const struct information *info, int argc,
                                 char **argv) {
  (void)info;
  for (int i = 0; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    if (!value) return 1;
    *value++ = 0;
    if (!strcmp(argv[i], "out")) snprintf(out, sizeof out, "%s", value);
    else if (!strcmp(argv[i], "from")) from = strtoull(value, NULL, 0);
    else if (!strcmp(argv[i], "to")) to = strtoull(value, NULL, 0);
    else if (!strcmp(argv[i], "panic")) panic_address = strtoull(value, NULL, 0);
    else return 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
