#ifndef MOCKAPNS_MEMORY_H
#define MOCKAPNS_MEMORY_H

#include <stddef.h>

/// Returns the number of freed bytes that the C library keeps for reuse; 0 if it does not report this.
size_t mockapns_heap_free_bytes(void);

/// Returns the pages of freed memory to the system, if the C library supports it.
void mockapns_heap_trim(void);

#endif
