/* QR codes of texts by libqrencode, which is loaded when the first is drawn. */
#ifndef CQRCODE_H
#define CQRCODE_H

#include <stddef.h>

enum cqrcode_result {
    CQRCODE_DRAWN,
    /* The library, or a function of it, is not there. */
    CQRCODE_NO_LIBRARY,
    /* More bytes than the largest code holds. */
    CQRCODE_TOO_LONG,
    CQRCODE_NO_MEMORY,
};

/* Modules on each side of the largest code, version 40. */
enum { CQRCODE_LARGEST = 177 };

/* Draws the code of a text, of medium error correction. Writes a byte a module, row by row, 1 where it is dark, to
   `modules`, which has room for CQRCODE_LARGEST * CQRCODE_LARGEST of them, and the modules on a side to `size`. */
enum cqrcode_result cqrcode_draw(const unsigned char *text, size_t length, unsigned char *modules, int *size);

#endif
