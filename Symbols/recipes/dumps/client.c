/* Preloaded into a program, asks Crashpad's handler for a minidump when the program crashes:
 *
 *     DUMPS=FOLDER HANDLER=chrome_crashpad_handler LD_PRELOAD=client.so tern sell pen
 *
 * The handler reads the crashed program through ptrace, and learns of the crash from the structure whose
 * address it is given (ExceptionInformation in Crashpad, util/linux/exception_information.h).
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#pragma pack(push, 4)
static struct {
  uint64_t siginfo, context;
  int32_t thread;
} information;
#pragma pack(pop)

static char stack[1 << 16];

static void crashed(int number, siginfo_t *info, void *context) {
  information.siginfo = (uint64_t)info;
  information.context = (uint64_t)context;
  information.thread = (int32_t)syscall(SYS_gettid);
  pid_t child = fork();
  if (child == 0) {
    char address[64], database[512];
    snprintf(address, sizeof address, "--trace-parent-with-exception=%p", (void *)&information);
    snprintf(database, sizeof database, "--database=%s", getenv("DUMPS"));
    const char *version = getenv("VERSION");
    const char *product = getenv("PRODUCT");
    char name[64], release[64];
    snprintf(name, sizeof name, "--annotation=prod=%s", product ? product : "tern");
    snprintf(release, sizeof release, "--annotation=ver=%s", version ? version : "0");
    unsetenv("LD_PRELOAD");
    char *handler = getenv("HANDLER");
    execl(handler, handler, address, database, name, release, "--no-rate-limit", NULL);
    _exit(1);
  }
  prctl(PR_SET_PTRACER, child);
  int status;
  waitpid(child, &status, 0);
  signal(number, SIG_DFL);
  raise(number);
}

/* Threads have no alternate stack of their own; only an overflow of the main thread's stack needs one. */
__attribute__((constructor)) static void start(void) {
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, NULL);
  struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  int numbers[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGTRAP};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, NULL);
}
