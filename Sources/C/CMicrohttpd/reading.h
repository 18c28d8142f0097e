/* Between microhttpd.c, which loads the library, and reading.c. */
#ifndef READING_H
#define READING_H

#include "CLoading.h"
#include "CMicrohttpd.h"

int cmhd_read_through(struct loading_library *library, cmhd_reader reader);

#endif
