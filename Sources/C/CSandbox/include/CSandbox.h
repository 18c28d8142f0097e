#pragma once
#include <stdint.h>

/* The protections enabled by sandbox_enter(), as bits of its result. */
#define SANDBOX_LANDLOCK 1 /* no file can be opened, whatever its permissions */
#define SANDBOX_SECCOMP 2  /* only the system calls of the list are left */

/* Permanently drops all rights of the calling process that reading a hostile file from an open
   descriptor does not need. Call it with a single thread, before the first byte is read.

   bytes: the most address space, 0 for no limit. Left out in sanitizer builds, which reserve
   terabytes.
   cpu_seconds: the most processor time; the kernel then kills the process.

   Returns the SANDBOX_ bits that are in force: the resource limits always are; landlock and seccomp
   only where the kernel has them. Negative when a step failed that every kernel supports. */
int sandbox_enter(uint64_t bytes, unsigned cpu_seconds);

/* Closes every descriptor from `first` on. Returns 0, or -1 with errno. */
int sandbox_close_from(unsigned first);

/* Not in Swift's Glibc module: needs _GNU_SOURCE. Both ends are closed on exec. */
int sandbox_pipe(int ends[2]);

/* Not in Swift's Glibc module: an unnamed file in memory, closed on exec. */
int sandbox_memory_file(const char *name);
