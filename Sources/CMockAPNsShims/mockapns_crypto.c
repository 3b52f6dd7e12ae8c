#include "mockapns_crypto.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pkcs12.h>
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

unsigned char *mockapns_java_trust_store(X509 *const *certificates, size_t count, const char *password, size_t *size) {
    STACK_OF(PKCS12_SAFEBAG) *bags = NULL;
    STACK_OF(PKCS7) *safes = NULL;
    PKCS12 *file = NULL;
    unsigned char *bytes = NULL;
    // Java takes a certificate for an authority only if it has this attribute: trusted for any usage. A value that is not a
    // string is passed as the object itself, with the length -1.
    static const char attribute[] = "2.16.840.1.113894.746875.1.1";
    const unsigned char *usage = (const unsigned char *)OBJ_nid2obj(NID_anyExtendedKeyUsage);
    int is_done = 1;
    for (size_t index = 0; is_done && index < count; index++) {
        PKCS12_SAFEBAG *bag = PKCS12_add_cert(&bags, certificates[index]);
        is_done = bag != NULL && PKCS12_add1_attr_by_txt(bag, attribute, V_ASN1_OBJECT, usage, -1);
    }
    // Not encrypted, because there is nothing secret. SHA-1 is what every version of Java can check.
    is_done = is_done && PKCS12_add_safe(&safes, bags, -1, 0, NULL) && (file = PKCS12_add_safes(safes, 0)) != NULL
        && PKCS12_set_mac(file, password, -1, NULL, 0, 1, EVP_sha1());
    int length = is_done ? i2d_PKCS12(file, &bytes) : -1;
    PKCS12_free(file);
    sk_PKCS7_pop_free(safes, PKCS7_free);
    sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
    *size = length > 0 ? (size_t)length : 0;
    return length > 0 ? bytes : NULL;
}

void mockapns_free(void *pointer) { OPENSSL_free(pointer); }
