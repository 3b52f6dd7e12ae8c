#include "mockapns_memory.h"

#if defined(__GLIBC__) || defined(__linux__)
#include <features.h>
#endif

#ifdef __GLIBC__
#include <malloc.h>

#if __GLIBC_PREREQ(2, 33)
size_t mockapns_heap_free_bytes(void) { return mallinfo2().fordblks; }
#else
size_t mockapns_heap_free_bytes(void) { return (unsigned int)mallinfo().fordblks; }
#endif

void mockapns_heap_trim(void) { (void)malloc_trim(0); }
#else
size_t mockapns_heap_free_bytes(void) { return 0; }

void mockapns_heap_trim(void) {}
#endif
