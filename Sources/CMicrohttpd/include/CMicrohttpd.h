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
const struct sockaddr *cmhd_peer(struct MHD_Connection *connection);
void *cmhd_socket_context(struct MHD_Connection *connection);

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
