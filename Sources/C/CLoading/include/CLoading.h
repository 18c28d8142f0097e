/* Libraries that are loaded when the first of their functions is called. They bring others with them,
   for all of which every start of the program would wait, and few runs need them. */
#ifndef CLOADING_H
#define CLOADING_H

struct loading_library {
    const char *name;
    void *handle;
};

/* Loads the library, unless it is. Without it nothing that was asked for can be done: as with one that
   the program is linked with, the process ends, with the loader's exit status. */
void loading_load(struct loading_library *library);

/* The function of that name, which is remembered at `place`. */
void *loading_find(struct loading_library *library, void **place, const char *name);

#endif
