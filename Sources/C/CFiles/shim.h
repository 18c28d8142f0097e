#pragma once
#include <sys/types.h>

/* Swift's module of the C library leaves it out: fcntl.h declares it for GNU programs only. */
extern int fallocate(int file, int mode, off_t offset, off_t length);

/* Frees the disk space of a part of a file; the part reads as zeros, and the file keeps its size. */
static inline int files_punch_hole(int file, off_t offset, off_t length)
{
    return fallocate(file, 3 /* FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE */, offset, length);
}
/* Likewise missing there. */
extern int pipe2(int ends[2], int flags);
extern int memfd_create(const char *name, unsigned int flags);
extern int eventfd(unsigned int count, int flags);
