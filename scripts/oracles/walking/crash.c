// Crashes as its argument says, with a few calls on the stack.
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CALL __attribute__((noinline))
static volatile int *volatile nowhere;
static const char *how;
static volatile int depth;

static CALL int leaf(int a) { return *nowhere + a; }
static CALL void last(const char *text) {
  fprintf(stderr, "%s\n", text);
  abort();
}
static CALL int overflow(int n) {
  volatile char room[200];
  memset((void *)room, n, sizeof room);
  return overflow(n + 1) + room[n & 7];
}
static int (*volatile call)(int);

// The stub of the procedure linkage table reads an address that may not be read any more.
static CALL int throughStub(void) {
  extern char _GLOBAL_OFFSET_TABLE_[];
  uintptr_t page = (uintptr_t)_GLOBAL_OFFSET_TABLE_ & ~(uintptr_t)4095;
  mprotect((void *)page, 4096, PROT_NONE);
  return getppid() + 1;
}

static CALL int crash(int n) {
  if (!strcmp(how, "leaf")) return leaf(n) + 1;
  if (!strcmp(how, "noreturn")) last("the end");
  if (!strcmp(how, "overflow")) return overflow(n) + 1;
  if (!strcmp(how, "null-call")) return call(n) + 1;
  if (!strcmp(how, "stub")) return throughStub() + 1;
  if (!strcmp(how, "raise")) return raise(SIGABRT) + 1;
  if (!strcmp(how, "free")) { free((void *)&depth); return 1; }
  return *nowhere + 1;
}

static CALL int descend(int n) {
  volatile int local = n;
  depth = n;
  int result = n == 0 ? crash(local) : descend(n - 1);
  return result + local;
}

static CALL int sized(int n) {
  volatile char room[n * 16];
  room[0] = n;
  return descend(n) + room[0];
}

static int compare(const void *a, const void *b) {
  if (*(const int *)a == 3) return sized(4);
  return *(const int *)a - *(const int *)b;
}

static CALL int viaLibrary(void) {
  int numbers[] = {5, 3, 8, 1};
  qsort(numbers, 4, sizeof *numbers, compare);
  return numbers[0];
}

static void handler(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info, (void)context;
  volatile int local = viaLibrary();
  (void)local;
}

static void *thread(void *argument) {
  (void)argument;
  return (void *)(intptr_t)viaLibrary();
}

static void *waiting(void *argument) {
  int ends[2];
  char byte;
  if (pipe(ends)) return argument;
  return read(ends[0], &byte, 1) ? argument : NULL;
}

static CALL int interrupted(volatile int *place) {
  int value = *place;
  return value + 1;
}

int main(int argc, char **argv) {
  how = argc > 2 ? argv[2] : "null";
  const char *where = argc > 1 ? argv[1] : "main";
  pthread_t other;
  pthread_create(&other, NULL, waiting, NULL);
  usleep(20000);
  if (!strcmp(where, "thread")) {
    pthread_t id;
    pthread_create(&id, NULL, thread, NULL);
    pthread_join(id, NULL);
  } else if (!strcmp(where, "handler") || !strcmp(where, "other-stack")) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (where[0] == 'o') {
      stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
      sigaltstack(&stack, NULL);
      action.sa_flags |= SA_ONSTACK | SA_RESETHAND;
    }
    action.sa_flags |= SA_RESETHAND;
    sigaction(SIGSEGV, &action, NULL);
    return interrupted(nowhere);
  }
  return viaLibrary();
}
