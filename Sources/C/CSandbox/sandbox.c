#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RESERVES_ADDRESS_SPACE 1
#endif
#endif

static int limit(int resource, uint64_t most)
{
    struct rlimit old, new;
    if (getrlimit(resource, &old)) return -1;
    /* A lower inherited limit stays. */
    new.rlim_cur = new.rlim_max = most < old.rlim_max ? most : old.rlim_max;
    return setrlimit(resource, &new);
}

/* The ruleset as of landlock's ABI 6; the older kernels take a shorter one.
   Source: linux/landlock.h. Written out because the header of the build machine may be older than
   the kernel that the program runs on. */
struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

/* 1 when the process cannot open files by name any more, 0 when the kernel has no landlock. */
static int forbid_files(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* ask for the version */);
    if (version < 1) return 0;
    struct ruleset rules = { 0 };
    /* 13 rights at first; then one more with ABI 2, 3 and 5. */
    unsigned rights = 13 + (version >= 2) + (version >= 3) + (version >= 5);
    rules.files = ((uint64_t)1 << rights) - 1;
    size_t size = offsetof(struct ruleset, network);
    if (version >= 4) {
        rules.network = 3; /* bind and connect */
        size = offsetof(struct ruleset, scopes);
    }
    if (version >= 6) {
        rules.scopes = 3; /* abstract sockets and signals */
        size = sizeof rules;
    }
    int file = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (file < 0) return 0;
    long failed = syscall(SYS_landlock_restrict_self, file, 0);
    close(file);
    return failed ? 0 : 1;
}

/* The calls needed to read a descriptor, compute and write to a pipe, including the housekeeping of the
   C library and the Swift runtime. */
static const int allowed[] = {
    SCMP_SYS(read),          SCMP_SYS(readv),         SCMP_SYS(pread64),
    SCMP_SYS(write),         SCMP_SYS(writev),        SCMP_SYS(lseek),
    SCMP_SYS(munmap),        SCMP_SYS(mremap),        SCMP_SYS(madvise),
    SCMP_SYS(brk),           SCMP_SYS(fstat),         SCMP_SYS(close),
    SCMP_SYS(futex),         SCMP_SYS(getrandom),     SCMP_SYS(clock_gettime),
    SCMP_SYS(gettid),        SCMP_SYS(getpid),        SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigaction),  SCMP_SYS(rt_sigreturn),  SCMP_SYS(sigaltstack),
    SCMP_SYS(sched_yield),   SCMP_SYS(exit),          SCMP_SYS(exit_group),
};

/* The C library queries a descriptor's size by newfstatat(fd, "", ...), but the call takes paths too, which
   a filter cannot read. It is never executed: it raises a signal whose handler calls fstat where the path
   is empty, and refuses any other path. */
static void answer_stat(int number, siginfo_t *info, void *context)
{
    (void)number;
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
    greg_t *result = &machine->gregs[REG_RAX];
    long descriptor = machine->gregs[REG_RDI];
    const char *path = (const char *)machine->gregs[REG_RSI];
    void *buffer = (void *)machine->gregs[REG_RDX];
    long flags = machine->gregs[REG_R10];
#elif defined(__aarch64__)
    unsigned long long *result = &machine->regs[0];
    long descriptor = (long)machine->regs[0];
    const char *path = (const char *)machine->regs[1];
    void *buffer = (void *)machine->regs[2];
    long flags = (long)machine->regs[3];
#else
#error "the registers of this processor are not known here"
#endif
    int before = errno;
    long answer = -EPERM;
    if (info->si_syscall == SYS_newfstatat && (flags & AT_EMPTY_PATH) && path && !*path)
        answer = syscall(SYS_fstat, (int)descriptor, buffer) ? -errno : 0;
    errno = before;
    *result = answer;
}

/* Calls that a library makes in good faith and can do without: opening a character table or the
   time zone, querying the type of a descriptor. They fail; everything else ends the process. */
static const int refused[] = {
    SCMP_SYS(open),     SCMP_SYS(openat),         SCMP_SYS(access),  SCMP_SYS(faccessat),
    SCMP_SYS(readlink), SCMP_SYS(readlinkat),     SCMP_SYS(ioctl),   SCMP_SYS(fcntl),
    SCMP_SYS(sysinfo),  SCMP_SYS(sched_getaffinity), SCMP_SYS(prlimit64),
};

/* 1 when the list is in force, 0 when the kernel has no seccomp. */
static int forbid_calls(void)
{
    struct sigaction action = { .sa_sigaction = answer_stat, .sa_flags = SA_SIGINFO };
    if (sigaction(SIGSYS, &action, NULL)) return 0;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return 0;
    int failed = 0;
    /* Memory, but none that can be executed. */
    if (!failed)
        failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
                                  SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    if (!failed)
        failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
                                  SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    /* abort() signals its own process only. */
    if (!failed)
        failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                                  SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
    if (!failed) failed = seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(newfstatat), 0);
    for (size_t i = 0; !failed && i < sizeof allowed / sizeof *allowed; i++)
        failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    for (size_t i = 0; !failed && i < sizeof refused / sizeof *refused; i++)
        failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
    if (!failed) failed = seccomp_load(filter);
    seccomp_release(filter);
    return failed ? 0 : 1;
}

int sandbox_enter(uint64_t bytes, unsigned cpu_seconds)
{
#ifndef RESERVES_ADDRESS_SPACE
    if (bytes && limit(RLIMIT_AS, bytes)) return -1;
#endif
    if (limit(RLIMIT_CPU, cpu_seconds) || limit(RLIMIT_CORE, 0) || limit(RLIMIT_FSIZE, 0)) return -1;
    /* Otherwise all readable memory would be executable. */
    int persona = personality(0xffffffff);
    if (persona >= 0 && (persona & READ_IMPLIES_EXEC)) personality(persona & ~READ_IMPLIES_EXEC);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return -2;
    int inForce = forbid_files() ? SANDBOX_LANDLOCK : 0;
    /* No further descriptors: effective where neither of the other two is. */
    if (limit(RLIMIT_NOFILE, 0)) return -1;
    if (forbid_calls()) inForce |= SANDBOX_SECCOMP;
    return inForce;
}

int sandbox_close_from(unsigned first) { return close_range(first, ~0U, 0); }

int sandbox_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int sandbox_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }
