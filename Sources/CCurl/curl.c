#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>

#include "CCurl.h"
#include "CLoading.h"

/* The version of its interface since libcurl 7.16. */
static struct loading_library library = {.name = "libcurl.so.4"};

typedef CURLcode (*global_init)(long flags);
typedef CURL *(*easy_init)(void);
typedef void (*easy_cleanup)(CURL *handle);
typedef void (*easy_reset)(CURL *handle);
typedef CURLcode (*easy_perform)(CURL *handle);
typedef CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
typedef CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
typedef const char *(*easy_strerror)(CURLcode code);
typedef struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
typedef void (*slist_free_all)(struct curl_slist *list);

static pthread_once_t started = PTHREAD_ONCE_INIT;

static void start(void)
{
    static void *place;
    ((global_init)loading_find(&library, &place, "curl_global_init"))(CURL_GLOBAL_DEFAULT);
}

void *ccurl_open(void)
{
    static void *place;
    pthread_once(&started, start);
    return ((easy_init)loading_find(&library, &place, "curl_easy_init"))();
}

void ccurl_close(void *handle)
{
    static void *place;
    ((easy_cleanup)loading_find(&library, &place, "curl_easy_cleanup"))(handle);
}

int ccurl_perform(void *handle, const struct ccurl_request *request, long *status, char *words)
{
    static void *places[7];
    easy_reset reset = (easy_reset)loading_find(&library, &places[0], "curl_easy_reset");
    easy_setopt set = (easy_setopt)loading_find(&library, &places[1], "curl_easy_setopt");
    easy_getinfo get = (easy_getinfo)loading_find(&library, &places[2], "curl_easy_getinfo");
    easy_perform perform = (easy_perform)loading_find(&library, &places[3], "curl_easy_perform");
    slist_append append = (slist_append)loading_find(&library, &places[4], "curl_slist_append");
    slist_free_all release =
        (slist_free_all)loading_find(&library, &places[5], "curl_slist_free_all");
    easy_strerror text = (easy_strerror)loading_find(&library, &places[6], "curl_easy_strerror");

    struct curl_slist *headers = NULL;
    for (size_t index = 0; index < request->header_count; index++) {
        struct curl_slist *longer = append(headers, request->headers[index]);
        if (!longer) {
            release(headers);
            return CURLE_OUT_OF_MEMORY;
        }
        headers = longer;
    }
    reset(handle);
    words[0] = 0;
    CURLcode code = set(handle, CURLOPT_URL, request->url);
    if (!code) code = set(handle, CURLOPT_ERRORBUFFER, words);
    /* A file: address is no server, and a redirection would take the token elsewhere. */
    if (!code) code = set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    if (!code) code = set(handle, CURLOPT_FOLLOWLOCATION, 0L);
    if (!code) code = set(handle, CURLOPT_NOSIGNAL, 1L);
    if (!code) code = set(handle, CURLOPT_USERAGENT, request->agent);
    if (!code && request->authorities) {
        /* Those of the machine do not count beside it, wherever they stand. */
        code = set(handle, CURLOPT_CAINFO, request->authorities);
        if (!code) code = set(handle, CURLOPT_CAPATH, NULL);
    }
    if (!code) code = set(handle, CURLOPT_CONNECTTIMEOUT, request->connect_within);
    if (!code) code = set(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    if (!code) code = set(handle, CURLOPT_LOW_SPEED_TIME, request->silent_within);
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
    /* After the body, which would make it a POST. */
    if (!code) code = set(handle, CURLOPT_CUSTOMREQUEST, request->method);
    if (!code) code = perform(handle);
    if (!code) code = get(handle, CURLINFO_RESPONSE_CODE, status);
    if (code && !words[0]) snprintf(words, ccurl_words, "%s", text(code));
    /* The buffer is the caller's and may go. */
    set(handle, CURLOPT_ERRORBUFFER, NULL);
    release(headers);
    return (int)code;
}
