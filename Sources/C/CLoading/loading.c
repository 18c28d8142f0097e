#include "CLoading.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void stop(const char *name)
{
    fprintf(stderr, "mayday: %s: %s\n", name, dlerror());
    exit(127);
}

void loading_load(struct loading_library *library)
{
    if (__atomic_load_n(&library->handle, __ATOMIC_ACQUIRE)) return;
    pthread_mutex_lock(&lock);
    if (!library->handle) {
        void *handle = dlopen(library->name, RTLD_NOW | RTLD_LOCAL);
        if (!handle) stop(library->name);
        __atomic_store_n(&library->handle, handle, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
}

void *loading_find(struct loading_library *library, void **place, const char *name)
{
    void *found = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (found) return found;
    loading_load(library);
    found = dlsym(library->handle, name);
    if (!found) stop(name);
    __atomic_store_n(place, found, __ATOMIC_RELEASE);
    return found;
}
