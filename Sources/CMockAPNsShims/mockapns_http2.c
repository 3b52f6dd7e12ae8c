#include "mockapns_http2.h"

// Upstream has these calls since 1.57 and 1.61. Distributions carry them back to older versions under the old
// version number, with the limits they set; so below that, the linker is asked whether they are there.
#if NGHTTP2_VERSION_NUM < 0x013900 && defined(__ELF__)
extern void nghttp2_option_set_stream_reset_rate_limit(nghttp2_option *, uint64_t, uint64_t)
    __attribute__((weak));
#endif
#if NGHTTP2_VERSION_NUM < 0x013d00 && defined(__ELF__)
extern void nghttp2_option_set_max_continuations(nghttp2_option *, size_t) __attribute__((weak));
#endif

void mockapns_nghttp2_option_lift_limits(nghttp2_option *option) {
#if NGHTTP2_VERSION_NUM >= 0x013900
    nghttp2_option_set_stream_reset_rate_limit(option, 1000000, 1000000);
#elif defined(__ELF__)
    if (nghttp2_option_set_stream_reset_rate_limit != NULL) {
        nghttp2_option_set_stream_reset_rate_limit(option, 1000000, 1000000);
    }
#endif
    // Not lifted for good: in a block that nghttp2 skips, it tells of no CONTINUATION frames.
#if NGHTTP2_VERSION_NUM >= 0x013d00
    nghttp2_option_set_max_continuations(option, 1024);
#elif defined(__ELF__)
    if (nghttp2_option_set_max_continuations != NULL) {
        nghttp2_option_set_max_continuations(option, 1024);
    }
#endif
    (void)option;
}

int mockapns_nghttp2_is_flood(int code) {
    // NGHTTP2_ERR_FLOODED and NGHTTP2_ERR_TOO_MANY_CONTINUATIONS; old headers do not name the second.
    return code == NGHTTP2_ERR_FLOODED || code == -905;
}
