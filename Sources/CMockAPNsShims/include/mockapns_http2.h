#ifndef MOCKAPNS_HTTP2_H
#define MOCKAPNS_HTTP2_H

#include <nghttp2/nghttp2.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// Disables the library's own limits on stream resets and CONTINUATION frames, if it has them: ours report a
/// reason.
void mockapns_nghttp2_option_lift_limits(nghttp2_option *option);

/// Creates an allocator that reuses freed memory, for the sessions of one thread; NULL for lack of memory.
struct mockapns_memory *mockapns_memory_new(void);
/// Frees the allocator; its sessions must have been deleted. Ignores NULL.
void mockapns_memory_free(struct mockapns_memory *memory);

/// Creates a server session whose large buffers use memory only for what is written to them; NULL for lack of
/// memory.
///
/// nghttp2 allocates a buffer for the largest frame in each session, and small frames only use its beginning.
/// `memory` must outlive the session.
nghttp2_session *mockapns_nghttp2_session_server_new(const nghttp2_session_callbacks *callbacks, void *user,
                                                     const nghttp2_option *option, struct mockapns_memory *memory);

/// Returns whether the library stopped because of too many frames of a kind.
int mockapns_nghttp2_is_flood(int code);

/// Returns whether every byte is at least `lowest`, which is at most 0x80, and none is DEL.
///
/// Inline, and 16 bytes at a time: every header value of every push is checked.
static inline bool mockapns_is_printable(const uint8_t *bytes, size_t count, uint8_t lowest) {
    typedef uint8_t block __attribute__((vector_size(16)));
    block found = {0};
    uint64_t halves[2] = {0};
    block last;
    if (count >= 16) {
        for (size_t offset = 0; offset + 16 <= count; offset += 16) {
            block next;
            memcpy(&next, bytes + offset, 16);
            found |= (block)(next < lowest) | (block)(next == 0x7f);
        }
        // The last blocks may overlap.
        memcpy(&last, bytes + count - 16, 16);
    } else if (count >= 8) {
        memcpy(&halves[0], bytes, 8);
        memcpy(&halves[1], bytes + count - 8, 8);
        memcpy(&last, halves, 16);
    } else if (count >= 4) {
        uint32_t quarters[2];
        memcpy(&quarters[0], bytes, 4);
        memcpy(&quarters[1], bytes + count - 4, 4);
        memcpy(&halves[0], quarters, 8);
        halves[1] = halves[0];
        memcpy(&last, halves, 16);
    } else {
        for (size_t offset = 0; offset < count; offset++) {
            if (bytes[offset] < lowest || bytes[offset] == 0x7f) return false;
        }
        return true;
    }
    found |= (block)(last < lowest) | (block)(last == 0x7f);
    memcpy(halves, &found, 16);
    return (halves[0] | halves[1]) == 0;
}

#endif
