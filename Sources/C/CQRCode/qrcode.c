#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <qrencode.h>
#include <stddef.h>

#include "CQRCode.h"

typedef QRcode *(*encode_data)(int size, const unsigned char *data, int version, QRecLevel level);
typedef void (*free_code)(QRcode *code);

static pthread_once_t started = PTHREAD_ONCE_INIT;
static encode_data encode;
static free_code release;

/* Unlike the libraries that a request cannot do without, this one may be missing: the page has its address as text.
   It has the version of its interface since libqrencode 4. */
static void start(void)
{
    void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    encode = (encode_data)dlsym(library, "QRcode_encodeData");
    release = (free_code)dlsym(library, "QRcode_free");
}

enum cqrcode_result cqrcode_draw(const unsigned char *text, size_t length, unsigned char *modules, int *size)
{
    pthread_once(&started, start);
    if (!encode || !release) return CQRCODE_NO_LIBRARY;
    if (length == 0 || length > INT_MAX) return CQRCODE_TOO_LONG;
    errno = 0;
    QRcode *code = encode((int)length, text, 0, QR_ECLEVEL_M);
    if (!code) return errno == ENOMEM ? CQRCODE_NO_MEMORY : CQRCODE_TOO_LONG;
    if (code->width < 1 || code->width > CQRCODE_LARGEST) {
        release(code);
        return CQRCODE_TOO_LONG;
    }
    *size = code->width;
    /* The lowest bit of a module is its colour, the others say what it is for. */
    for (int index = 0; index < code->width * code->width; index++) modules[index] = code->data[index] & 1;
    release(code);
    return CQRCODE_DRAWN;
}
