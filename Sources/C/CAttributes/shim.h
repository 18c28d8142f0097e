#pragma once
#include <sys/types.h>

/* Swift's module of the C library leaves these out: the first is in sys/xattr.h, the second is declared
   for GNU programs only. */
extern ssize_t getxattr(const char *path, const char *name, void *value, size_t size);
extern const char *sigabbrev_np(int number);
