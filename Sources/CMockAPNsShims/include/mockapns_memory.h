#ifndef MOCKAPNS_MEMORY_H
#define MOCKAPNS_MEMORY_H

#include <stddef.h>

/// The bytes that have been freed and are kept by the C library for later; 0 where it does not say.
size_t mockapns_heap_free_bytes(void);

/// Gives the pages of freed memory back to the system, where the C library can.
void mockapns_heap_trim(void);

#endif
