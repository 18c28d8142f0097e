#include <microhttpd.h>

/* MHD_start_daemon() and the MHD_get_..._info() functions are variadic. */

static inline struct MHD_Daemon *cmhd_start(unsigned flags, MHD_AccessHandlerCallback handler,
                                            void *context, struct MHD_OptionItem *options) {
  return MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, options,
                          MHD_OPTION_END);
}

static inline int cmhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *cmhd_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/* A macro with a cast. */
static inline uint64_t cmhd_size_unknown(void) { return MHD_SIZE_UNKNOWN; }

/* The path is decoded on our side: MHD would put a NUL for %00 into a C string. */
static inline size_t cmhd_keep_escapes(void *context, struct MHD_Connection *connection,
                                       char *text) {
  (void)context;
  (void)connection;
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

static inline intptr_t cmhd_unescape_callback(void) { return (intptr_t)&cmhd_keep_escapes; }
