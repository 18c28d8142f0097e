/* libmicrohttpd's own functions, and its variadic ones in a form that can be called. */
#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <microhttpd.h>

struct MHD_Daemon *cmhd_start(unsigned flags, MHD_AccessHandlerCallback handler, void *context,
                              struct MHD_OptionItem *options);
/* The next client, closed on exec and not blocking; -1 with errno. Not in Swift's Glibc module: needs
   _GNU_SOURCE. */
int cmhd_accept(int listener, struct sockaddr_storage *address, socklen_t *size);
int cmhd_descriptor(struct MHD_Connection *connection);
/* How many connections a server has. */
unsigned cmhd_connection_count(struct MHD_Daemon *daemon);
const struct sockaddr *cmhd_peer(struct MHD_Connection *connection);
void *cmhd_socket_context(struct MHD_Connection *connection);

/* Descriptors of clients must be below this. */
enum { CMHD_DESCRIPTORS = 1 << 16 };
/* Room for a head that is not whole yet, and for what is read beyond it. */
enum { CMHD_SCRATCH = 256 << 10 };
enum { CMHD_NOTHING_YET = -1, CMHD_FAILED = -2 };

/* Where a client's bytes come from, and with what it failed. */
struct cmhd_source {
    int descriptor;
    /* Of GnuTLS; NULL without TLS. */
    void *session;
    ssize_t code;
    int error;
};

/* Fills the buffer with what libmicrohttpd may see: the number of bytes, 0 at the end, or one of the
   two negative numbers above. Less than a full buffer means that there is no more for now. */
typedef ssize_t (*cmhd_reader)(void *context, struct cmhd_source *source, void *buffer, size_t size);

/* From here on libmicrohttpd reads all clients that have a context through `reader`; 0 when this library
   reads by other means than those that are known. Called under a lock. */
int cmhd_start_reading(cmhd_reader reader);
/* The context of a client, from before libmicrohttpd reads from it until it closes it. */
void cmhd_set_context(int descriptor, void *context);
/* Bytes as the client sent them, decrypted; negative as a reader's. Never waits. */
ssize_t cmhd_receive(struct cmhd_source *source, void *buffer, size_t size);
/* CMHD_SCRATCH bytes of this thread's own. */
void *cmhd_scratch(void);

/* A macro with a cast. */
static inline uint64_t cmhd_size_unknown(void) { return MHD_SIZE_UNKNOWN; }

/* The path is decoded on our side: MHD would put a NUL for %00 into a C string. */
static inline size_t cmhd_keep_escapes(void *context, struct MHD_Connection *connection,
                                       char *text)
{
    (void)context;
    (void)connection;
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

static inline intptr_t cmhd_unescape_callback(void) { return (intptr_t)&cmhd_keep_escapes; }

#endif
