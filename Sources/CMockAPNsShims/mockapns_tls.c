#include "mockapns_tls.h"

#include "mockapns_crypto.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdio.h>

void mockapns_SSL_CTX_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
}

int mockapns_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

int mockapns_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_max_proto_version(context, version);
}

void mockapns_SSL_CTX_set_server_options(SSL_CTX *context) {
    SSL_CTX_set_options(context,
                        SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
}

void mockapns_SSL_CTX_disable_resumption(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(context, 0);
}

int mockapns_SSL_CTX_add_extra_chain_cert(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add_extra_chain_cert(context, certificate);
}

int mockapns_SSL_expect_host(SSL *connection, const char *host) {
    unsigned char address[16];
    int count = mockapns_ip_parse(host, address);
    if (count > 0) return X509_VERIFY_PARAM_set1_ip(SSL_get0_param(connection), address, (size_t)count);
    SSL_set_hostflags(connection, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set_tlsext_host_name(connection, host) == 1 && SSL_set1_host(connection, host) == 1;
}

void mockapns_BIO_clear_retry_flags(BIO *bio) { BIO_clear_retry_flags(bio); }

void mockapns_BIO_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }

int mockapns_BIO_type_source_sink(void) { return BIO_TYPE_SOURCE_SINK; }

int mockapns_BIO_ctrl_is_flush(int command) { return command == BIO_CTRL_FLUSH; }

int mockapns_ERR_take(char *text, size_t size, int *ssl_reason) {
    unsigned long error = ERR_get_error();
    if (error == 0) {
        return 0;
    }
    *ssl_reason = ERR_GET_LIB(error) == ERR_LIB_SSL ? ERR_GET_REASON(error) : 0;
    const char *reason = ERR_reason_error_string(error);
    if (reason != NULL) {
        snprintf(text, size, "%s", reason);
    } else {
        ERR_error_string_n(error, text, size);
    }
    return 1;
}
