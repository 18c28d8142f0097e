// Steps a program one instruction at a time and writes, for each, the registers, the stack and the calls that are
// open: what a walk of the stack has to find.
//
//   stepper OUT COUNT STRIDE PROGRAM MAIN [ARG...]
//
// MAIN is the offset of main in the program (hexadecimal). Of every STRIDE-th instruction from there on, COUNT are
// written. The calls are known by following every call and return.
//
// OUT, all numbers little-endian: "MAYSTEPS"; u32 modules, for each u64 base, u64 end, u32 length and the path;
// then for each step u8 1, 17 u64 registers (by DWARF number), u64 address, u32 length and bytes of the stack, u32
// number of open calls and their return addresses (u64), the youngest first; at the end u8 0.
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS 65536
#define STACK_BYTES 8192

static pid_t child;
static FILE *out;
static struct { uint64_t slot, address; } calls[CALLS];
static int depth;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void put(uint64_t value, int size) { fwrite(&value, 1, size, out); }

static size_t peek(uint64_t address, void *bytes, size_t count) {
  struct iovec local = {bytes, count}, remote = {(void *)address, count};
  ssize_t got = process_vm_readv(child, &local, 1, &remote, 1, 0);
  return got < 0 ? 0 : got;
}

static void writeModules(void) {
  char path[64], line[4096], name[64][512];
  uint64_t base[64], end[64];
  int count = 0;
  snprintf(path, sizeof path, "/proc/%d/maps", child);
  FILE *maps = fopen(path, "r");
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long low, high, offset;
    char file[512] = "";
    if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %511s", &low, &high, &offset, file) < 4 || file[0] != '/') continue;
    int at = 0;
    while (at < count && strcmp(name[at], file)) at++;
    if (at == 64) continue;
    if (at == count) {
      strcpy(name[count], file);
      base[count++] = low - offset;
    }
    end[at] = high;
  }
  if (maps) fclose(maps);
  fwrite("MAYSTEPS", 1, 8, out);
  put(count, 4);
  for (int at = 0; at < count; at++) {
    put(base[at], 8);
    put(end[at], 8);
    put(strlen(name[at]), 4);
    fwrite(name[at], 1, strlen(name[at]), out);
  }
}

static uint64_t programBase(const char *program) {
  char path[64], line[4096], real[4096];
  if (!realpath(program, real)) fail(program);
  snprintf(path, sizeof path, "/proc/%d/maps", child);
  FILE *maps = fopen(path, "r");
  uint64_t base = 0;
  while (maps && !base && fgets(line, sizeof line, maps))
    if (strstr(line, real)) base = strtoull(line, NULL, 16);
  if (maps) fclose(maps);
  return base;
}

static void writeStep(struct user_regs_struct *r) {
  static uint8_t stack[STACK_BYTES];
  // The red zone belongs to the function.
  uint64_t start = r->rsp - 128;
  size_t size = peek(start, stack, sizeof stack);
  put(1, 1);
  uint64_t registers[17] = {r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp, r->r8,
                            r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15, r->rip};
  fwrite(registers, 8, 17, out);
  put(start, 8);
  put(size, 4);
  fwrite(stack, 1, size, out);
  // Calls beyond the bytes that are written cannot be found.
  int first = depth;
  while (first > 0 && calls[first - 1].slot + 8 <= start + size) first--;
  put(depth - first, 4);
  for (int at = depth - 1; at >= first; at--) put(calls[at].address, 8);
}

// Whether the instruction is a call, and how many bytes it has.
static int isCall(const uint8_t *code, int *length) {
  int at = 0;
  while (code[at] == 0xf2 || code[at] == 0x3e || code[at] == 0x66 || code[at] == 0x67) at++;
  if ((code[at] & 0xf0) == 0x40) at++;
  if (code[at] == 0xe8) return *length = at + 5, 1;
  if (code[at] != 0xff || (code[at + 1] >> 3 & 7) != 2) return 0;
  int mode = code[at + 1] >> 6, base = code[at + 1] & 7, size = 2;
  if (mode != 3 && base == 4) size++, base = code[at + 2] & 7;
  if (mode == 1) size += 1;
  if (mode == 2 || (mode == 0 && base == 5)) size += 4;
  *length = at + size;
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 6) return fprintf(stderr, "usage: stepper OUT COUNT STRIDE PROGRAM MAIN [ARG...]\n"), 2;
  long count = atol(argv[2]), stride = atol(argv[3]), written = 0, steps = 0;
  out = fopen(argv[1], "wb");
  if (!out) fail(argv[1]);
  child = fork();
  if (child == 0) {
    personality(ADDR_NO_RANDOMIZE);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    argv[5] = argv[4];
    execv(argv[4], argv + 5);
    _exit(127);
  }
  int status;
  waitpid(child, &status, 0);
  uint64_t start = programBase(argv[4]) + strtoull(argv[5], NULL, 16);
  long word = ptrace(PTRACE_PEEKTEXT, child, start, 0);
  ptrace(PTRACE_POKETEXT, child, start, (word & ~0xffL) | 0xcc);
  ptrace(PTRACE_CONT, child, 0, 0);
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status) || WSTOPSIG(status) != 5) return fprintf(stderr, "main was not reached\n"), 1;
  struct user_regs_struct r;
  ptrace(PTRACE_GETREGS, child, 0, &r);
  r.rip = start;
  ptrace(PTRACE_POKETEXT, child, start, word);
  ptrace(PTRACE_SETREGS, child, 0, &r);
  writeModules();
  calls[0].slot = r.rsp;
  peek(r.rsp, &calls[0].address, 8);
  depth = 1;
  while (written < count && depth > 0) {
    uint8_t code[16] = {0};
    int length = 0;
    peek(r.rip, code, sizeof code);
    if (steps++ % stride == 0) {
      writeStep(&r);
      written++;
    }
    uint64_t after = r.rip;
    int call = isCall(code, &length);
    if (ptrace(PTRACE_SINGLESTEP, child, 0, 0) < 0) break;
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) break;
    int signal = WSTOPSIG(status);
    // The crash that the program ends with.
    if (signal != 5) break;
    ptrace(PTRACE_GETREGS, child, 0, &r);
    if (call && depth < CALLS) {
      calls[depth].slot = r.rsp;
      calls[depth++].address = after + length;
    } else {
      while (depth > 0 && calls[depth - 1].slot < r.rsp) {
        depth--;
      }
    }
  }
  put(0, 1);
  fclose(out);
  ptrace(PTRACE_KILL, child, 0, 0);
  fprintf(stderr, "%ld steps of %ld instructions\n", written, steps);
  return 0;
}
