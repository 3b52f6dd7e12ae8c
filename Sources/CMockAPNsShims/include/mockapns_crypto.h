#ifndef MOCKAPNS_CRYPTO_H
#define MOCKAPNS_CRYPTO_H

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stddef.h>

/// Returns a new key on P-256; NULL on failure, with the reason in the error queue.
EVP_PKEY *mockapns_EVP_EC_gen_p256(void);

/// Returns the number of bytes written to a memory BIO; `*data` is valid until the BIO is written to or
/// freed.
long mockapns_BIO_get_mem_data(BIO *bio, const char **data);

/// Writes a name in the format of RFC 2253, with unescaped UTF-8; returns a negative number on failure.
int mockapns_X509_NAME_print(BIO *bio, const X509_NAME *name);

/// Returns the number of names in an extension value; 0 for NULL.
int mockapns_GENERAL_NAMES_count(const GENERAL_NAMES *names);
/// Returns a name's kind (GEN_DNS, GEN_IPADD, ...) and, for these two kinds, its bytes; otherwise no bytes.
int mockapns_GENERAL_NAMES_get(const GENERAL_NAMES *names, int index,
                               const unsigned char **bytes, int *count);

/// Returns whether a certificate's name constraints contain an IP address, permitted or excluded.
int mockapns_X509_constrains_addresses(const X509 *certificate);

/// Parses an IPv4 or IPv6 address: returns 4 or 16 bytes in network order, or 0 if the text is neither.
int mockapns_ip_parse(const char *text, unsigned char bytes[16]);
/// Writes an address of 4 or 16 bytes as text, in the shortest form; returns NULL for any other count.
const char *mockapns_ip_print(const unsigned char *bytes, int count, char *text, size_t capacity);

/// Returns a PKCS#12 file with certificates that Java trusts as authorities, in DER; `*size` is the number of bytes.
///
/// NULL on failure, with the reason in the error queue; free it with `mockapns_free`.
unsigned char *mockapns_java_trust_store(X509 *const *certificates, size_t count, const char *password, size_t *size);
void mockapns_free(void *pointer);

#endif
