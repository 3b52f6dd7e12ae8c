#include "mockapns_crypto.h"

#include <arpa/inet.h>
#include <sys/socket.h>

EVP_PKEY *mockapns_EVP_EC_gen_p256(void) { return EVP_EC_gen("P-256"); }

long mockapns_BIO_get_mem_data(BIO *bio, const char **data) {
    char *bytes = NULL;
    long count = BIO_get_mem_data(bio, &bytes);
    *data = bytes;
    return count;
}

int mockapns_X509_NAME_print(BIO *bio, const X509_NAME *name) {
    return X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

int mockapns_GENERAL_NAMES_count(const GENERAL_NAMES *names) {
    return names == NULL ? 0 : sk_GENERAL_NAME_num(names);
}

int mockapns_GENERAL_NAMES_get(const GENERAL_NAMES *names, int index,
                               const unsigned char **bytes, int *count) {
    int kind = -1;
    void *value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, index), &kind);
    *bytes = NULL;
    *count = 0;
    if (value != NULL && (kind == GEN_DNS || kind == GEN_IPADD)) {
        *bytes = ASN1_STRING_get0_data(value);
        *count = ASN1_STRING_length(value);
    }
    return kind;
}

static int has_address(const STACK_OF(GENERAL_SUBTREE) *subtrees) {
    for (int i = 0; i < sk_GENERAL_SUBTREE_num(subtrees); i++) {
        if (sk_GENERAL_SUBTREE_value(subtrees, i)->base->type == GEN_IPADD) return 1;
    }
    return 0;
}

int mockapns_X509_constrains_addresses(const X509 *certificate) {
    NAME_CONSTRAINTS *constraints = X509_get_ext_d2i(certificate, NID_name_constraints, NULL, NULL);
    if (constraints == NULL) return 0;
    int found = has_address(constraints->permittedSubtrees) || has_address(constraints->excludedSubtrees);
    NAME_CONSTRAINTS_free(constraints);
    return found;
}

int mockapns_ip_parse(const char *text, unsigned char bytes[16]) {
    if (inet_pton(AF_INET, text, bytes) == 1) return 4;
    if (inet_pton(AF_INET6, text, bytes) == 1) return 16;
    return 0;
}

const char *mockapns_ip_print(const unsigned char *bytes, int count, char *text, size_t capacity) {
    if (count != 4 && count != 16) return NULL;
    return inet_ntop(count == 4 ? AF_INET : AF_INET6, bytes, text, (socklen_t)capacity);
}
