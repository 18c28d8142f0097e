/* Sends one HTTP request or one mail at a time with libcurl, whose own functions are variadic. */
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>

/* Takes received bytes; returns how many it took: fewer end the request. */
typedef size_t (*ccurl_sink)(char *bytes, size_t size, size_t count, void *context);

struct ccurl_request {
    const char *method;
    const char *url;
    const char *agent;
    /* PEM: the trusted certificates; NULL for those of the machine. */
    const char *authorities;
    const char *const *headers;
    size_t header_count;
    /* Not copied: the caller owns it. */
    const void *body;
    size_t body_size;
    /* The answer has no body, whatever its header says: HEAD. */
    int is_bare;
    /* The path is sent as it is, with its ".." and "//", which names of objects may have. */
    int path_as_is;
    /* No proxy is asked, whatever the environment says. */
    int no_proxy;
    /* In seconds: until the connection is established, and with fewer bytes a second than least_speed. */
    long connect_within;
    long silent_within;
    long least_speed;
    /* For the whole transfer; 0 for no limit. */
    long within;
    ccurl_sink on_header;
    ccurl_sink on_body;
    void *context;
};

/* The size of the buffer for a failure's message. */
enum { ccurl_words = 256 };

/* A handle keeps its connection for the next request; NULL where memory is short. */
void *ccurl_open(void);
void ccurl_close(void *handle);

/* Returns 0 and the status, or an error number of libcurl with a message. */
int ccurl_perform(void *handle, const struct ccurl_request *request, long *status, char *words);

/* The whole address to which the last answer redirects, until the next request; NULL for none. */
const char *ccurl_redirection(void *handle);

/* Error numbers of libcurl: those that do not change by a retry, and that of a sink that took less. */
int ccurl_is_permanent(int error);
int ccurl_is_stopped(int error);

struct ccurl_mail {
    /* smtp: or smtps: */
    const char *url;
    /* PEM: the trusted certificates; NULL for those of the machine. */
    const char *authorities;
    /* Whether smtp: has to switch to TLS before anything else. */
    int needs_tls;
    /* NULL for no login. */
    const char *user;
    const char *password;
    const char *sender;
    const char *const *recipients;
    size_t recipient_count;
    /* With its headers; not copied: the caller owns it. */
    const char *message;
    size_t message_size;
    /* In seconds. */
    long connect_within;
    long within;
};

/* Returns 0 and the last code of the mail server, or an error number of libcurl with a message. */
int ccurl_send_mail(void *handle, const struct ccurl_mail *mail, long *status, char *words);

#endif
