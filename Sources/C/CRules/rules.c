#include "CRules.h"

/* The directive is of C23; Clang has it in every version of the language. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char v1[] = {
#embed "v1.table"
};

const void *crules_v1(size_t *size)
{
    *size = sizeof v1;
    return v1;
}
