#include <dlfcn.h>
#include <jq.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CJQ.h"

/* What is called of libjq, by the names of its headers. */
#define FUNCTIONS(use)                                                                                              \
    use(jq_init) use(jq_set_error_cb) use(jq_compile) use(jq_start) use(jq_next) use(jq_teardown) use(jq_halted)    \
    use(jv_parse_sized) use(jv_dump_string) use(jv_string_value) use(jv_string_length_bytes) use(jv_get_kind)       \
    use(jv_copy) use(jv_free) use(jv_invalid_get_msg) use(jv_invalid_has_msg)

#define DECLARE(name) __typeof__(name) *name;
static struct {
    FUNCTIONS(DECLARE)
} library;

static pthread_once_t started = PTHREAD_ONCE_INIT;
static int is_loaded;

/* Like libqrencode, and unlike the libraries that a command cannot do without, it may be missing. */
static void start(void)
{
    void *handle = dlopen("libjq.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
    int is_whole = 1;
#define FIND(name) is_whole &= (library.name = (__typeof__(name) *)dlsym(handle, #name)) != NULL;
    FUNCTIONS(FIND)
    is_loaded = is_whole;
}

struct cjq_program {
    jq_state *state;
    /* What the library said of the program while it compiled it. */
    char *messages;
};

static void add_message(void *context, jv value)
{
    struct cjq_program *program = context;
    if (library.jv_get_kind(value) == JV_KIND_STRING) {
        const char *text = library.jv_string_value(value);
        size_t before = program->messages ? strlen(program->messages) : 0;
        char *longer = realloc(program->messages, before + strlen(text) + 2);
        if (longer) {
            if (before) longer[before++] = '\n';
            strcpy(longer + before, text);
            program->messages = longer;
        }
    }
    library.jv_free(value);
}

enum cjq_result cjq_compile(const char *text, struct cjq_program **program, char **message)
{
    pthread_once(&started, start);
    if (!is_loaded) return CJQ_NO_LIBRARY;
    struct cjq_program *made = calloc(1, sizeof *made);
    if (!made) return CJQ_NO_MEMORY;
    made->state = library.jq_init();
    if (!made->state) {
        free(made);
        return CJQ_NO_MEMORY;
    }
    library.jq_set_error_cb(made->state, add_message, made);
    if (!library.jq_compile(made->state, text)) {
        *message = made->messages;
        made->messages = NULL;
        cjq_free(made);
        return CJQ_FAILED;
    }
    *program = made;
    return CJQ_DONE;
}

/* The message of an invalid value, which is consumed; a copy for the caller. */
static char *copied_message(jv invalid)
{
    jv value = library.jv_invalid_get_msg(invalid);
    if (library.jv_get_kind(value) != JV_KIND_STRING) value = library.jv_dump_string(value, 0);
    char *copy = strdup(library.jv_string_value(value));
    library.jv_free(value);
    return copy;
}

enum cjq_result cjq_run(struct cjq_program *program, const char *json, size_t length,
                        void (*take)(void *context, const char *text, size_t length, int is_text), void *context,
                        char **message)
{
    if (length > INT_MAX) {
        *message = strdup("the JSON is larger than 2 GB");
        return CJQ_FAILED;
    }
    jv input = library.jv_parse_sized(json, (int)length);
    if (library.jv_get_kind(input) == JV_KIND_INVALID) {
        *message = copied_message(input);
        return CJQ_FAILED;
    }
    library.jq_start(program->state, input, 0);
    jv value = library.jq_next(program->state);
    while (library.jv_get_kind(value) != JV_KIND_INVALID) {
        int is_text = library.jv_get_kind(value) == JV_KIND_STRING;
        if (!is_text) value = library.jv_dump_string(value, 0);
        take(context, library.jv_string_value(value), (size_t)library.jv_string_length_bytes(library.jv_copy(value)),
             is_text);
        library.jv_free(value);
        value = library.jq_next(program->state);
    }
    if (library.jq_halted(program->state) || !library.jv_invalid_has_msg(library.jv_copy(value))) {
        library.jv_free(value);
        return CJQ_DONE;
    }
    *message = copied_message(value);
    return CJQ_FAILED;
}

void cjq_free(struct cjq_program *program)
{
    library.jq_teardown(&program->state);
    free(program->messages);
    free(program);
}
