// Functions for the parts of OpenSSL and nghttp2 that Swift cannot import, mostly macros.
// Only this target contains `#if` on the version of a library.
#ifndef MOCKAPNS_SHIMS_H
#define MOCKAPNS_SHIMS_H

#include "mockapns_crypto.h"
#include "mockapns_tls.h"
#include "mockapns_http2.h"
#include "mockapns_hpack.h"
#include "mockapns_memory.h"

#endif
