/* libarchive's own functions, of a library that is loaded when the first of them is called: it brings
   seven other libraries, for which every start would wait, and few runs read an archive. */
#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

/* Loads the library now, for a process that soon may open no file. */
void archive_load(void);

#endif
