/* One HTTP request or one mail at a time by libcurl, whose own functions are variadic. */
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>

/* Takes bytes that came; gives back how many it took: fewer end the request. */
typedef size_t (*ccurl_sink)(char *bytes, size_t size, size_t count, void *context);

struct ccurl_request {
    const char *method;
    const char *url;
    const char *agent;
    /* PEM: whose certificates count; NULL for those of the machine. */
    const char *authorities;
    const char *const *headers;
    size_t header_count;
    /* Not copied: it stays the caller's. */
    const void *body;
    size_t body_size;
    /* In seconds: until the connection stands, and without a byte either way. */
    long connect_within;
    long silent_within;
    /* For all of it together; 0 for any time. */
    long within;
    ccurl_sink on_header;
    ccurl_sink on_body;
    void *context;
};

/* Room for words about a failure. */
enum { ccurl_words = 256 };

/* A handle keeps its connection for the next request; NULL where there is no memory. */
void *ccurl_open(void);
void ccurl_close(void *handle);

/* Gives back 0 and the status, or a number of libcurl with words. */
int ccurl_perform(void *handle, const struct ccurl_request *request, long *status, char *words);

struct ccurl_mail {
    /* smtp: or smtps: */
    const char *url;
    /* PEM: whose certificates count; NULL for those of the machine. */
    const char *authorities;
    /* Whether smtp: has to change to TLS before anything else. */
    int needs_tls;
    /* NULL for nobody. */
    const char *user;
    const char *password;
    const char *sender;
    const char *const *recipients;
    size_t recipient_count;
    /* With its headers; not copied: it stays the caller's. */
    const char *message;
    size_t message_size;
    /* In seconds. */
    long connect_within;
    long within;
};

/* Gives back 0 and the last code of the mail server, or a number of libcurl with words. */
int ccurl_send_mail(void *handle, const struct ccurl_mail *mail, long *status, char *words);

#endif
