/* libmicrohttpd has no callback for bytes read from a client, and its parser is lenient: input that two
   parsers could read as different requests must be judged before it sees a byte. Its two calls that read
   from a client, recv and gnutls_record_recv, go through slots of its own table of functions; they are
   redirected here once it is loaded. Nothing else in the process is changed. Where a slot is missing, no
   server starts; and a request that bypassed this code is refused (Exchange). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CLoading.h"
#pragma GCC visibility push(hidden)
#include "CMicrohttpd.h"
#pragma GCC visibility pop
#include "reading.h"

#if defined(__x86_64__)
#define IS_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_SLOT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#else
#error "the relocations of this processor are not known here"
#endif

/* GNUTLS_E_AGAIN and GNUTLS_E_INTERRUPTED of gnutls.h, which is not needed for anything else. */
enum { TLS_AGAIN = -28, TLS_INTERRUPTED = -52 };

static cmhd_reader reader;
static ssize_t (*tls_receive)(void *session, void *buffer, size_t size);
static int (*tls_descriptor)(void *session);
/* The contexts by descriptor: set while libmicrohttpd has the connection, whose descriptor stays open. */
static void *contexts[CMHD_DESCRIPTORS];

void cmhd_set_context(int descriptor, void *context)
{
    if (descriptor >= 0 && descriptor < CMHD_DESCRIPTORS)
        __atomic_store_n(&contexts[descriptor], context, __ATOMIC_RELEASE);
}

static void *find_context(int descriptor)
{
    if (descriptor < 0 || descriptor >= CMHD_DESCRIPTORS) return NULL;
    return __atomic_load_n(&contexts[descriptor], __ATOMIC_ACQUIRE);
}

static pthread_key_t scratch_key;
static pthread_once_t scratch_once = PTHREAD_ONCE_INIT;

static void make_scratch_key(void)
{
    if (pthread_key_create(&scratch_key, free) != 0) abort();
}

/* Allocated on first use: in thread-local storage each of a server's many threads would have it. */
void *cmhd_scratch(void)
{
    pthread_once(&scratch_once, make_scratch_key);
    void *scratch = pthread_getspecific(scratch_key);
    if (scratch) return scratch;
    scratch = malloc(CMHD_SCRATCH);
    if (!scratch || pthread_setspecific(scratch_key, scratch) != 0) abort();
    return scratch;
}

ssize_t cmhd_receive(struct cmhd_source *source, void *buffer, size_t size)
{
    for (;;) {
        ssize_t count = source->session ? tls_receive(source->session, buffer, size)
                                        : recv(source->descriptor, buffer, size, MSG_DONTWAIT);
        if (count >= 0) return count;
        if (source->session ? count == TLS_INTERRUPTED : errno == EINTR) continue;
        if (source->session ? count == TLS_AGAIN : errno == EAGAIN) return CMHD_NOTHING_YET;
        source->code = count;
        source->error = errno;
        return CMHD_FAILED;
    }
}

static ssize_t read_client(void *context, struct cmhd_source *source, void *buffer, size_t size)
{
    ssize_t count = reader(context, source, buffer, size);
    if (count >= 0) return count;
    if (count == CMHD_NOTHING_YET) {
        errno = EAGAIN;
        return source->session ? TLS_AGAIN : -1;
    }
    errno = source->error;
    return source->code;
}

static ssize_t instead_of_recv(int descriptor, void *buffer, size_t size, int flags)
{
    void *context = find_context(descriptor);
    if (!context) return recv(descriptor, buffer, size, flags);
    struct cmhd_source source = {.descriptor = descriptor};
    return read_client(context, &source, buffer, size);
}

static ssize_t instead_of_tls(void *session, void *buffer, size_t size)
{
    int descriptor = tls_descriptor(session);
    void *context = find_context(descriptor);
    if (!context) return tls_receive(session, buffer, size);
    struct cmhd_source source = {.descriptor = descriptor, .session = session};
    return read_client(context, &source, buffer, size);
}

/* The part of a loaded library that the loader made read-only after relocation. */
struct range {
    ElfW(Addr) base, start, end;
};

static int find_relro(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct range *range = context;
    if (info->dlpi_addr != range->base) return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_GNU_RELRO) continue;
        range->start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        range->end = range->start + info->dlpi_phdr[i].p_memsz;
    }
    return 1;
}

static int point(void **slot, void *function, const struct range *relro)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)((uintptr_t)slot & ~(page - 1));
    int is_protected = (uintptr_t)slot >= relro->start && (uintptr_t)slot < relro->end;
    if (is_protected && mprotect(start, page, PROT_READ | PROT_WRITE)) return 0;
    __atomic_store_n(slot, function, __ATOMIC_RELEASE);
    if (is_protected && mprotect(start, page, PROT_READ)) return 0;
    return 1;
}

/* Redirects the library's slots for a function; returns their number, or -1 when one could not be changed. */
static int redirect(const struct link_map *map, const char *name, void *function)
{
    const ElfW(Sym) *symbols = NULL;
    const char *strings = NULL;
    /* The slots of calls, and all other relocations. */
    const ElfW(Rela) *tables[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB: symbols = (const void *)entry->d_un.d_ptr; break;
        case DT_STRTAB: strings = (const void *)entry->d_un.d_ptr; break;
        case DT_JMPREL: tables[0] = (const void *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: sizes[0] = entry->d_un.d_val; break;
        case DT_RELA: tables[1] = (const void *)entry->d_un.d_ptr; break;
        case DT_RELASZ: sizes[1] = entry->d_un.d_val; break;
        }
    }
    if (!symbols || !strings) return 0;
    struct range relro = {.base = map->l_addr};
    dl_iterate_phdr(find_relro, &relro);
    int count = 0;
    for (int table = 0; table < 2; table++) {
        if (!tables[table]) continue;
        for (size_t i = 0; i < sizes[table] / sizeof(ElfW(Rela)); i++) {
            const ElfW(Rela) *entry = &tables[table][i];
            if (!IS_SLOT(ELF64_R_TYPE(entry->r_info))) continue;
            if (strcmp(strings + symbols[ELF64_R_SYM(entry->r_info)].st_name, name)) continue;
            if (!point((void **)(map->l_addr + entry->r_offset), function, &relro)) return -1;
            count++;
        }
    }
    return count;
}

int cmhd_read_through(struct loading_library *library, cmhd_reader new_reader)
{
    static int is_done;
    loading_load(library);
    reader = new_reader;
    if (is_done) return 1;
    struct link_map *map;
    if (dlinfo(library->handle, RTLD_DI_LINKMAP, &map)) return 0;
    /* Found among the libraries loaded with libmicrohttpd; absent where it was built without TLS. */
    tls_receive = (ssize_t(*)(void *, void *, size_t))dlsym(library->handle, "gnutls_record_recv");
    tls_descriptor = (int (*)(void *))dlsym(library->handle, "gnutls_transport_get_int");
    if (tls_receive) {
        if (!tls_descriptor) return 0;
        if (redirect(map, "gnutls_record_recv", (void *)instead_of_tls) < 1) return 0;
    }
    if (redirect(map, "recv", (void *)instead_of_recv) < 1) return 0;
    is_done = 1;
    return 1;
}
