#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The library's own calls of these functions must not bind here. The headers above, which its headers
   include too, are of the C library and stay as they are. */
#pragma GCC visibility push(hidden)
#include "CCrypto.h"
#pragma GCC visibility pop
#include "CLoading.h"

/* The version of its interface since OpenSSL 3.0. */
static struct loading_library library = {.name = "libcrypto.so.3"};

/* A function that passes its arguments to the library's function of the same name. */
#define FUNCTION(result, name, parameters, arguments) \
    result name parameters \
    { \
        static void *place; \
        return ((result (*) parameters)loading_find(&library, &place, #name)) arguments; \
    }

FUNCTION(int, SHA256_Init, (SHA256_CTX *context), (context))
FUNCTION(
    int, SHA256_Update, (SHA256_CTX *context, const void *data, size_t size),
    (context, data, size))
FUNCTION(int, SHA256_Final, (unsigned char *digest, SHA256_CTX *context), (digest, context))
FUNCTION(int, SHA1_Init, (SHA_CTX *context), (context))
FUNCTION(
    int, SHA1_Update, (SHA_CTX *context, const void *data, size_t size), (context, data, size))
FUNCTION(int, SHA1_Final, (unsigned char *digest, SHA_CTX *context), (digest, context))
FUNCTION(int, MD5_Init, (MD5_CTX *context), (context))
FUNCTION(
    int, MD5_Update, (MD5_CTX *context, const void *data, size_t size), (context, data, size))
FUNCTION(int, MD5_Final, (unsigned char *digest, MD5_CTX *context), (digest, context))
FUNCTION(
    EVP_PKEY *, EVP_PKEY_new_raw_private_key,
    (int type, ENGINE *engine, const unsigned char *key, size_t size), (type, engine, key, size))
FUNCTION(
    EVP_PKEY *, EVP_PKEY_new_raw_public_key,
    (int type, ENGINE *engine, const unsigned char *key, size_t size), (type, engine, key, size))
FUNCTION(
    int, EVP_PKEY_get_raw_public_key, (const EVP_PKEY *key, unsigned char *bytes, size_t *size),
    (key, bytes, size))
FUNCTION(void, EVP_PKEY_free, (EVP_PKEY *key), (key))
FUNCTION(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ())
FUNCTION(void, EVP_MD_CTX_free, (EVP_MD_CTX *context), (context))
FUNCTION(
    int, EVP_DigestSignInit,
    (EVP_MD_CTX *context, EVP_PKEY_CTX **inner, const EVP_MD *type, ENGINE *engine, EVP_PKEY *key),
    (context, inner, type, engine, key))
FUNCTION(
    int, EVP_DigestSign,
    (EVP_MD_CTX *context, unsigned char *signature, size_t *length, const unsigned char *data,
     size_t size),
    (context, signature, length, data, size))
FUNCTION(
    int, EVP_DigestVerifyInit,
    (EVP_MD_CTX *context, EVP_PKEY_CTX **inner, const EVP_MD *type, ENGINE *engine, EVP_PKEY *key),
    (context, inner, type, engine, key))
FUNCTION(
    int, EVP_DigestVerify,
    (EVP_MD_CTX *context, const unsigned char *signature, size_t length, const unsigned char *data,
     size_t size),
    (context, signature, length, data, size))
FUNCTION(const EVP_MD *, EVP_sha256, (void), ())
FUNCTION(
    EVP_PKEY *, d2i_PUBKEY, (EVP_PKEY **key, const unsigned char **bytes, long size),
    (key, bytes, size))
