// What Swift cannot import of OpenSSL and nghttp2 (macros, mostly), as functions of the same meaning.
// Every `#if` on a library's version lives in this target and nowhere else.
#ifndef MOCKAPNS_SHIMS_H
#define MOCKAPNS_SHIMS_H

#include "mockapns_crypto.h"
#include "mockapns_tls.h"
#include "mockapns_http2.h"
#include "mockapns_memory.h"

#endif
