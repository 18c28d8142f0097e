/* The compiled grouping rules, as read-only bytes of the program. Swift has no way to embed a file but as a list of
   numbers, which takes the compiler 20 seconds, and which a debug build copies at each start. */
#ifndef CRULES_H
#define CRULES_H

#include <stddef.h>

/* The bytes of version 1, and their number. */
const void *crules_v1(size_t *size);

#endif
