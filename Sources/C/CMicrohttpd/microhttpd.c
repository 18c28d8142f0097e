#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>

/* The library's own calls of these functions must not bind here. The headers above, which its header
   includes too, are of the C library and stay as they are. */
#pragma GCC visibility push(hidden)
#include "CMicrohttpd.h"
#pragma GCC visibility pop
#include "CLoading.h"
#include "reading.h"

/* The version of its interface since libmicrohttpd 0.9.50. */
static struct loading_library library = {.name = "libmicrohttpd.so.12"};

/* A function that passes its arguments to the library's function of the same name. */
#define FUNCTION(result, name, parameters, arguments) \
    result name parameters \
    { \
        static void *place; \
        return ((result (*) parameters)loading_find(&library, &place, #name)) arguments; \
    }

/* Likewise for functions without a result. */
#define PROCEDURE(name, parameters, arguments) \
    void name parameters \
    { \
        static void *place; \
        ((void (*) parameters)loading_find(&library, &place, #name)) arguments; \
    }

FUNCTION(
    enum MHD_Result, MHD_add_connection,
    (struct MHD_Daemon *daemon, MHD_socket client, const struct sockaddr *address, socklen_t size),
    (daemon, client, address, size))
FUNCTION(
    enum MHD_Result, MHD_add_response_header,
    (struct MHD_Response *response, const char *header, const char *content),
    (response, header, content))
FUNCTION(
    struct MHD_PostProcessor *, MHD_create_post_processor,
    (struct MHD_Connection *connection, size_t size, MHD_PostDataIterator iterator, void *context),
    (connection, size, iterator, context))
FUNCTION(
    struct MHD_Response *, MHD_create_response_from_buffer,
    (size_t size, void *buffer, enum MHD_ResponseMemoryMode mode), (size, buffer, mode))
FUNCTION(
    struct MHD_Response *, MHD_create_response_from_callback,
    (uint64_t size, size_t block, MHD_ContentReaderCallback reader, void *context,
     MHD_ContentReaderFreeCallback end),
    (size, block, reader, context, end))
FUNCTION(
    struct MHD_Response *, MHD_create_response_from_fd_at_offset64,
    (uint64_t size, int descriptor, uint64_t offset), (size, descriptor, offset))
FUNCTION(
    enum MHD_Result, MHD_destroy_post_processor, (struct MHD_PostProcessor *processor), (processor))
PROCEDURE(MHD_destroy_response, (struct MHD_Response *response), (response))
FUNCTION(
    int, MHD_get_connection_values_n,
    (struct MHD_Connection *connection, enum MHD_ValueKind kind, MHD_KeyValueIteratorN iterator,
     void *context),
    (connection, kind, iterator, context))
FUNCTION(
    enum MHD_Result, MHD_post_process,
    (struct MHD_PostProcessor *processor, const char *data, size_t size), (processor, data, size))
FUNCTION(
    enum MHD_Result, MHD_queue_response,
    (struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response),
    (connection, status, response))
PROCEDURE(MHD_resume_connection, (struct MHD_Connection *connection), (connection))
PROCEDURE(MHD_stop_daemon, (struct MHD_Daemon *daemon), (daemon))
PROCEDURE(MHD_suspend_connection, (struct MHD_Connection *connection), (connection))

struct MHD_Daemon *cmhd_start(unsigned flags, MHD_AccessHandlerCallback handler, void *context,
                              struct MHD_OptionItem *options)
{
    typedef struct MHD_Daemon *(*start)(
        unsigned int, uint16_t, MHD_AcceptPolicyCallback, void *, MHD_AccessHandlerCallback, void *,
        ...);
    static void *place;
    return ((start)loading_find(&library, &place, "MHD_start_daemon"))(
        flags, 0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

int cmhd_start_reading(cmhd_reader reader) { return cmhd_read_through(&library, reader); }

static const union MHD_ConnectionInfo *info(struct MHD_Connection *connection,
                                            enum MHD_ConnectionInfoType type)
{
    typedef const union MHD_ConnectionInfo *(*get)(
        struct MHD_Connection *, enum MHD_ConnectionInfoType, ...);
    static void *place;
    return ((get)loading_find(&library, &place, "MHD_get_connection_info"))(connection, type);
}

int cmhd_accept(int listener, struct sockaddr_storage *address, socklen_t *size)
{
    return accept4(listener, (struct sockaddr *)address, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

unsigned cmhd_connection_count(struct MHD_Daemon *daemon)
{
    typedef const union MHD_DaemonInfo *(*get)(struct MHD_Daemon *, enum MHD_DaemonInfoType, ...);
    static void *place;
    const union MHD_DaemonInfo *found =
        ((get)loading_find(&library, &place, "MHD_get_daemon_info"))(
            daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return found ? found->num_connections : 0;
}

int cmhd_descriptor(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *found = info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return found ? found->connect_fd : -1;
}

const struct sockaddr *cmhd_peer(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *found =
        info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return found ? found->client_addr : NULL;
}

void *cmhd_socket_context(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *found =
        info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return found ? found->socket_context : NULL;
}
