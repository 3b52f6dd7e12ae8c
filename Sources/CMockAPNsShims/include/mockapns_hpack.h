#ifndef MOCKAPNS_HPACK_H
#define MOCKAPNS_HPACK_H

#include <stddef.h>
#include <stdint.h>

/// The most bytes that `mockapns_hpack_plain` writes.
enum { MOCKAPNS_HPACK_MOST = 16384 };

/// How many strings are kept, and the sizes of those, in Huffman code: provider tokens have about 170 bytes.
enum { MOCKAPNS_HPACK_KEPT = 8, MOCKAPNS_HPACK_LEAST_KEPT = 96, MOCKAPNS_HPACK_MOST_KEPT = 320 };

/// The last strings that were decoded, for all connections of a thread; zero at first.
struct mockapns_hpack_memory {
    struct {
        uint16_t coded_length, plain_length;
        uint8_t coded[MOCKAPNS_HPACK_MOST_KEPT];
        // No code has fewer than five bits.
        uint8_t plain[MOCKAPNS_HPACK_MOST_KEPT * 8 / 5];
    } kept[MOCKAPNS_HPACK_KEPT];
};

/// Writes a header block with its longer Huffman-coded values as plain text, which means the same (RFC 7541, 5.2).
///
/// nghttp2 decodes four bits at a time; this reads two characters at a time.
///
/// `target` has room for MOCKAPNS_HPACK_MOST bytes. Returns the length written; 0 if no value is worth it, if the
/// block is not well formed, or if the result would be longer: then nghttp2 gets the block as it is.
size_t mockapns_hpack_plain(const uint8_t *block, size_t length, uint8_t *target,
                            struct mockapns_hpack_memory *memory);

#endif
