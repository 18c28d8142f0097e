/* libcrypto's own functions, from a library that is loaded when the first of them is called. */
#ifndef CCRYPTO_H
#define CCRYPTO_H

/* The plain digests need no settings and no search for an implementation, unlike those of EVP, which
   cost a short run more than the digest itself. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

#endif
