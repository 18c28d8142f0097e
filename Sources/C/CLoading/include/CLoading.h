/* Libraries that are loaded when the first of their functions is called. They load others in turn,
   which would delay every start of the program, and few runs need them. */
#ifndef CLOADING_H
#define CLOADING_H

struct loading_library {
    const char *name;
    void *handle;
};

/* Loads the library, unless it is loaded. Without it the request cannot be fulfilled: as for a library
   that the program is linked with, the process ends, with the loader's exit status. */
void loading_load(struct loading_library *library);

/* The function of that name, which is cached at `place`. */
void *loading_find(struct loading_library *library, void **place, const char *name);

#endif
