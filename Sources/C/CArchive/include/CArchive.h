/* libarchive's own functions, from a library that is loaded when the first of them is called: it loads
   seven other libraries, which would delay every start, and few runs read an archive. */
#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

/* Loads the library now, for a process that soon cannot open files any more. */
void archive_load(void);

#endif
