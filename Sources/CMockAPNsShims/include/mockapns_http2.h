#ifndef MOCKAPNS_HTTP2_H
#define MOCKAPNS_HTTP2_H

#include <nghttp2/nghttp2.h>
#include <stdint.h>

/// Lifts the library's own limits on stream resets and CONTINUATION frames, where it has them: ours say why.
void mockapns_nghttp2_option_lift_limits(nghttp2_option *option);

/// Memory that sessions of one thread have given back and take again; NULL for want of memory.
struct mockapns_memory *mockapns_memory_new(void);
/// Frees it; its sessions must have been deleted. NULL is let be.
void mockapns_memory_free(struct mockapns_memory *memory);

/// A new server session, whose large buffers take memory only as far as they are written to; NULL for want of memory.
///
/// nghttp2 makes each session a buffer for the largest frame, of which small frames use the beginning alone. `memory` must
/// outlive the session.
nghttp2_session *mockapns_nghttp2_session_server_new(const nghttp2_session_callbacks *callbacks, void *user,
                                                     const nghttp2_option *option, struct mockapns_memory *memory);

/// Whether the library refused to go on because of too many frames of a kind.
int mockapns_nghttp2_is_flood(int code);

#endif
