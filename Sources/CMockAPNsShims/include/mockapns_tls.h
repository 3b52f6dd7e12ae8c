#ifndef MOCKAPNS_TLS_H
#define MOCKAPNS_TLS_H

#include <openssl/ssl.h>
#include <stdint.h>

/// Enables partial and moving writes, which a caller with one outbound buffer per connection needs, and
/// releases the record buffers of idle connections, 33 kB in total.
void mockapns_SSL_CTX_set_modes(SSL_CTX *context);
int mockapns_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version);
int mockapns_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version);
/// Disables renegotiation and compression, and enforces the server's cipher order.
void mockapns_SSL_CTX_set_server_options(SSL_CTX *context);
/// Disables the session cache and tickets, so that every connection has a full handshake.
void mockapns_SSL_CTX_disable_resumption(SSL_CTX *context);
int mockapns_SSL_CTX_add_extra_chain_cert(SSL_CTX *context, X509 *certificate);

/// Makes a client send the name of its server, and accept only certificates for it; for an address, only the second.
/// Returns 0 on failure.
int mockapns_SSL_expect_host(SSL *connection, const char *host);

void mockapns_BIO_clear_retry_flags(BIO *bio);
void mockapns_BIO_set_retry_read(BIO *bio);
int mockapns_BIO_type_source_sink(void);

/// Returns whether a BIO control command is a flush.
int mockapns_BIO_ctrl_is_flush(int command);

/// Removes the oldest error from this thread's queue; returns 0 if there is none.
///
/// Writes its text, and its number if it is one of SSL_R_..., else 0. The number of the peer's alert n is
/// SSL_AD_REASON_OFFSET + n.
int mockapns_ERR_take(char *text, size_t size, int *ssl_reason);

#endif
