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
/* The number of connections of a server. */
unsigned cmhd_connection_count(struct MHD_Daemon *daemon);
const struct sockaddr *cmhd_peer(struct MHD_Connection *connection);
void *cmhd_socket_context(struct MHD_Connection *connection);

/* Descriptors of clients must be below this. */
enum { CMHD_DESCRIPTORS = 1 << 16 };
/* Space for an incomplete head, and for bytes read beyond it. */
enum { CMHD_SCRATCH = 256 << 10 };
enum { CMHD_NOTHING_YET = -1, CMHD_FAILED = -2 };

/* The source of a client's bytes, and the error with which it failed. */
struct cmhd_source {
    int descriptor;
    /* The GnuTLS session; NULL without TLS. */
    void *session;
    ssize_t code;
    int error;
};

/* Fills the buffer with bytes that libmicrohttpd may see; returns their number, 0 at the end, or one of the
   two negative numbers above. Less than a full buffer means that there is no more for now. */
typedef ssize_t (*cmhd_reader)(void *context, struct cmhd_source *source, void *buffer, size_t size);

/* Makes libmicrohttpd read all clients that have a context through `reader`; returns 0 when this library
   reads by unknown means. Called under a lock. */
int cmhd_start_reading(cmhd_reader reader);
/* The context of a client, from before libmicrohttpd reads from it until it closes it. */
void cmhd_set_context(int descriptor, void *context);
/* Bytes as the client sent them, decrypted; negative results as for a reader. Never waits. */
ssize_t cmhd_receive(struct cmhd_source *source, void *buffer, size_t size);
/* CMHD_SCRATCH bytes of this thread's own. */
void *cmhd_scratch(void);

/* A macro with a cast. */
static inline uint64_t cmhd_size_unknown(void) { return MHD_SIZE_UNKNOWN; }

/* Mayday decodes the path itself: MHD would put a NUL for %00 into a C string. */
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
