/* Programs of jq by libjq, which is loaded when the first is compiled. */
#ifndef CJQ_H
#define CJQ_H

#include <stddef.h>

enum cjq_result {
    CJQ_DONE,
    /* The library, or a function of it, is not there. */
    CJQ_NO_LIBRARY,
    CJQ_NO_MEMORY,
    /* The program is wrong, the text is not JSON, or the program failed; `message` says how. */
    CJQ_FAILED,
};

struct cjq_program;

/* Compiles `text`. `message`, which the caller frees, is set where the result is CJQ_FAILED. */
enum cjq_result cjq_compile(const char *text, struct cjq_program **program, char **message);

/* Runs a program on the JSON value in `json`, and passes each value that it yields to `take`: a string as it is,
   with `is_text` 1, others as JSON in one line. `message` as above. */
enum cjq_result cjq_run(struct cjq_program *program, const char *json, size_t length,
                        void (*take)(void *context, const char *text, size_t length, int is_text), void *context,
                        char **message);

void cjq_free(struct cjq_program *program);

#endif
