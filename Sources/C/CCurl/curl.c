#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CCurl.h"
#include "CLoading.h"

/* The version of its interface since libcurl 7.16. */
static struct loading_library library = {.name = "libcurl.so.4"};

typedef CURLcode (*global_init)(long flags);
typedef CURL *(*easy_init)(void);
typedef void (*easy_cleanup)(CURL *handle);
typedef CURLSH *(*share_init)(void);
typedef CURLSHcode (*share_setopt)(CURLSH *share, CURLSHoption option, ...);
typedef CURLSHcode (*share_cleanup)(CURLSH *share);
typedef CURLcode (*easy_perform)(CURL *handle);
typedef CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
typedef CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
typedef const char *(*easy_strerror)(CURLcode code);
typedef struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
typedef void (*slist_free_all)(struct curl_slist *list);

/* Connections, and the easy handle of the last request. Each request has its own: one of libcurl 7.88 that is
   used again keeps a pointer to the last header of the answer before, which is read and reallocated after it
   was freed where the next answer's first header begins with a blank. */
struct sender {
    CURLSH *share;
    CURL *easy;
};

static pthread_once_t started = PTHREAD_ONCE_INIT;

static void start(void)
{
    static void *place;
    ((global_init)loading_find(&library, &place, "curl_global_init"))(CURL_GLOBAL_DEFAULT);
}

static void end_request(struct sender *sender)
{
    static void *place;
    if (sender->easy) ((easy_cleanup)loading_find(&library, &place, "curl_easy_cleanup"))(sender->easy);
    sender->easy = NULL;
}

void *ccurl_open(void)
{
    static void *places[2];
    pthread_once(&started, start);
    struct sender *sender = calloc(1, sizeof *sender);
    if (!sender) return NULL;
    sender->share = ((share_init)loading_find(&library, &places[0], "curl_share_init"))();
    share_setopt set = (share_setopt)loading_find(&library, &places[1], "curl_share_setopt");
    if (!sender->share || set(sender->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT) ||
        set(sender->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS) ||
        set(sender->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION)) {
        ccurl_close(sender);
        return NULL;
    }
    return sender;
}

void ccurl_close(void *handle)
{
    static void *place;
    struct sender *sender = handle;
    end_request(sender);
    if (sender->share)
        ((share_cleanup)loading_find(&library, &place, "curl_share_cleanup"))(sender->share);
    free(sender);
}

static easy_setopt option_setter(void)
{
    static void *place;
    return (easy_setopt)loading_find(&library, &place, "curl_easy_setopt");
}

static void free_list(struct curl_slist *list)
{
    static void *place;
    ((slist_free_all)loading_find(&library, &place, "curl_slist_free_all"))(list);
}

/* NULL where there is not enough memory, or nothing in the list. */
static struct curl_slist *list_of(const char *const *texts, size_t count)
{
    static void *place;
    slist_append append = (slist_append)loading_find(&library, &place, "curl_slist_append");
    struct curl_slist *list = NULL;
    for (size_t index = 0; index < count; index++) {
        struct curl_slist *longer = append(list, texts[index]);
        if (!longer) {
            free_list(list);
            return NULL;
        }
        list = longer;
    }
    return list;
}

/* Makes the handle of a request, and sets the options common to all transfers. */
static CURLcode begin(struct sender *sender, const char *url, const char *protocols,
                      const char *authorities, long connect_within, char *words)
{
    static void *place;
    words[0] = 0;
    end_request(sender);
    CURL *handle = ((easy_init)loading_find(&library, &place, "curl_easy_init"))();
    sender->easy = handle;
    if (!handle) return CURLE_OUT_OF_MEMORY;
    easy_setopt set = option_setter();
    CURLcode code = set(handle, CURLOPT_SHARE, sender->share);
    if (!code) code = set(handle, CURLOPT_URL, url);
    if (!code) code = set(handle, CURLOPT_ERRORBUFFER, words);
    if (!code) code = set(handle, CURLOPT_PROTOCOLS_STR, protocols);
    if (!code) code = set(handle, CURLOPT_NOSIGNAL, 1L);
    if (!code && authorities) {
        /* They replace the machine's certificates, wherever those are. */
        code = set(handle, CURLOPT_CAINFO, authorities);
        if (!code) code = set(handle, CURLOPT_CAPATH, NULL);
    }
    if (!code) code = set(handle, CURLOPT_CONNECTTIMEOUT, connect_within);
    return code;
}

/* Runs the transfer unless an option failed, and frees its list. */
static int finish(CURL *handle, CURLcode code, struct curl_slist *list, long *status, char *words)
{
    static void *places[3];
    easy_perform perform = (easy_perform)loading_find(&library, &places[0], "curl_easy_perform");
    easy_getinfo get = (easy_getinfo)loading_find(&library, &places[1], "curl_easy_getinfo");
    easy_strerror text = (easy_strerror)loading_find(&library, &places[2], "curl_easy_strerror");
    if (!code) code = perform(handle);
    /* A mail server's refusal fails the transfer, and has a code, too. */
    CURLcode got = handle ? get(handle, CURLINFO_RESPONSE_CODE, status) : CURLE_OUT_OF_MEMORY;
    if (!code) code = got;
    if (code && !words[0]) snprintf(words, ccurl_words, "%s", text(code));
    /* The caller may free the buffer. */
    if (handle) option_setter()(handle, CURLOPT_ERRORBUFFER, NULL);
    free_list(list);
    return (int)code;
}

int ccurl_perform(void *opened, const struct ccurl_request *request, long *status, char *words)
{
    struct sender *sender = opened;
    easy_setopt set = option_setter();
    struct curl_slist *headers = list_of(request->headers, request->header_count);
    if (!headers && request->header_count) return CURLE_OUT_OF_MEMORY;
    /* A file: address is not a server, and a redirection would take the token elsewhere. */
    CURLcode code = begin(sender, request->url, "http,https", request->authorities,
                          request->connect_within, words);
    CURL *handle = sender->easy;
    if (!code) code = set(handle, CURLOPT_FOLLOWLOCATION, 0L);
    if (!code) code = set(handle, CURLOPT_USERAGENT, request->agent);
    /* The head of a proxy's answer is not that of the server. */
    if (!code) code = set(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (!code && request->path_as_is) code = set(handle, CURLOPT_PATH_AS_IS, 1L);
    if (!code && request->no_proxy) code = set(handle, CURLOPT_PROXY, "");
    if (!code) code = set(handle, CURLOPT_LOW_SPEED_LIMIT, request->least_speed);
    if (!code) code = set(handle, CURLOPT_LOW_SPEED_TIME, request->silent_within);
    if (!code && request->within) code = set(handle, CURLOPT_TIMEOUT, request->within);
    if (!code) code = set(handle, CURLOPT_HTTPHEADER, headers);
    if (!code) code = set(handle, CURLOPT_HEADERFUNCTION, request->on_header);
    if (!code) code = set(handle, CURLOPT_HEADERDATA, request->context);
    if (!code) code = set(handle, CURLOPT_WRITEFUNCTION, request->on_body);
    if (!code) code = set(handle, CURLOPT_WRITEDATA, request->context);
    if (!code && request->body) {
        curl_off_t size = (curl_off_t)request->body_size;
        code = set(handle, CURLOPT_POSTFIELDSIZE_LARGE, size);
        if (!code) code = set(handle, CURLOPT_POSTFIELDS, request->body);
    }
    if (!code && request->is_bare) code = set(handle, CURLOPT_NOBODY, 1L);
    /* After the body, which would make it a POST. */
    if (!code) code = set(handle, CURLOPT_CUSTOMREQUEST, request->method);
    return finish(handle, code, headers, status, words);
}

const char *ccurl_redirection(void *opened)
{
    static void *place;
    CURL *handle = ((struct sender *)opened)->easy;
    char *address = NULL;
    if (!handle) return NULL;
    easy_getinfo get = (easy_getinfo)loading_find(&library, &place, "curl_easy_getinfo");
    return get(handle, CURLINFO_REDIRECT_URL, &address) ? NULL : address;
}

int ccurl_is_permanent(int error)
{
    switch (error) {
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CIPHER:
        return 1;
    default:
        return 0;
    }
}

int ccurl_is_stopped(int error)
{
    return error == CURLE_WRITE_ERROR;
}

struct unsent {
    const char *bytes;
    size_t size;
};

static size_t read_unsent(char *bytes, size_t size, size_t count, void *context)
{
    struct unsent *unsent = context;
    size_t taken = size * count < unsent->size ? size * count : unsent->size;
    memcpy(bytes, unsent->bytes, taken);
    unsent->bytes += taken;
    unsent->size -= taken;
    return taken;
}

int ccurl_send_mail(void *opened, const struct ccurl_mail *mail, long *status, char *words)
{
    easy_setopt set = option_setter();
    struct curl_slist *recipients = list_of(mail->recipients, mail->recipient_count);
    if (!recipients && mail->recipient_count) return CURLE_OUT_OF_MEMORY;
    struct unsent unsent = {mail->message, mail->message_size};
    struct sender *sender = opened;
    CURLcode code = begin(sender, mail->url, "smtp,smtps", mail->authorities,
                          mail->connect_within, words);
    CURL *handle = sender->easy;
    if (!code && mail->needs_tls) code = set(handle, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
    if (!code && mail->user) {
        code = set(handle, CURLOPT_USERNAME, mail->user);
        if (!code) code = set(handle, CURLOPT_PASSWORD, mail->password);
    }
    if (!code) code = set(handle, CURLOPT_TIMEOUT, mail->within);
    if (!code) code = set(handle, CURLOPT_MAIL_FROM, mail->sender);
    if (!code) code = set(handle, CURLOPT_MAIL_RCPT, recipients);
    /* Others get the mail where one is refused. Spelt with two Ls since libcurl 8.2, and with three. */
    if (!code) code = set(handle, CURLOPT_MAIL_RCPT_ALLLOWFAILS, 1L);
    if (!code) code = set(handle, CURLOPT_READFUNCTION, read_unsent);
    if (!code) code = set(handle, CURLOPT_READDATA, &unsent);
    if (!code) code = set(handle, CURLOPT_UPLOAD, 1L);
    return finish(handle, code, recipients, status, words);
}
