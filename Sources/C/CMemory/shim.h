#pragma once
/* Swift's module of the C library leaves this header out. */
#include <malloc.h>
#include <stddef.h>

/* Takes a variable number of arguments, which Swift cannot call. */
extern void *mremap(void *block, size_t size, size_t new_size, int flags, ...);

/* Moves a mapping to `target`, over what is mapped there, and makes it larger. The mapping, or -1. */
static inline void *memory_move(void *block, size_t size, size_t new_size, void *target)
{
    return mremap(block, size, new_size, 3 /* MREMAP_MAYMOVE | MREMAP_FIXED */, target);
}
