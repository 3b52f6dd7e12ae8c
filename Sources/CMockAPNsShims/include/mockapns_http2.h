#ifndef MOCKAPNS_HTTP2_H
#define MOCKAPNS_HTTP2_H

#include <nghttp2/nghttp2.h>

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

#endif
