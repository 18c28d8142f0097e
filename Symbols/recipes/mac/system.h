/* What the app uses of the system; there is no SDK where this is compiled. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opaque_thread *thread_t;

void abort(void) __attribute__((noreturn));
void free(void *);
void objc_exception_throw(const void *) __attribute__((noreturn));
void *malloc(unsigned long);
int pthread_create(thread_t *, const void *, void *(*)(void *), void *);
int pthread_join(thread_t, void **);
int puts(const char *);
unsigned sleep(unsigned);
int strcmp(const char *, const char *);
unsigned long strlen(const char *);

#ifdef __cplusplus
}
#endif
