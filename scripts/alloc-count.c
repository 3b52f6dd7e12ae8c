/* Counts allocations of a program it is preloaded into (LD_PRELOAD, Linux).
 *
 * The count is eight bytes, in the machine's order, in the file that ALLOC_COUNT_FILE names. It is mapped, so it
 * can be read at any moment while the program runs: before a load and after it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t before_mapping;
static uint64_t *counter = &before_mapping;

static void count(void) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

__attribute__((constructor)) static void map_counter(void) {
    const char *path = getenv("ALLOC_COUNT_FILE");
    if (path == NULL) return;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (ftruncate(file, sizeof *counter) == 0) {
        void *mapped = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped != MAP_FAILED) {
            uint64_t *shared = mapped;
            *shared = before_mapping;
            counter = shared;
        }
    }
    close(file);
}

/* The allocator that would have been called: the C library's, or another one that the program brings (nghttpd is
 * linked with jemalloc). What is replaced here must come from the allocator that `free` belongs to. */
static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void *(*next_aligned_alloc)(size_t, size_t);
static int (*next_posix_memalign)(void **, size_t, size_t);

#define FIND(name)                                                                                                   \
    do {                                                                                                             \
        if (next_##name == NULL) *(void **)&next_##name = dlsym(RTLD_NEXT, #name);                                   \
    } while (0)

void *malloc(size_t size) {
    FIND(malloc);
    count();
    return next_malloc(size);
}

void *calloc(size_t number, size_t size) {
    FIND(calloc);
    count();
    return next_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    FIND(realloc);
    count();
    return next_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    FIND(aligned_alloc);
    count();
    return next_aligned_alloc(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    FIND(posix_memalign);
    count();
    return next_posix_memalign(result, alignment, size);
}

/* C++'s `new`, by its mangled names: jemalloc answers it itself, where the C++ library calls malloc. */
void *_Znwm(size_t size) {
    FIND(malloc);
    count();
    void *memory = next_malloc(size);
    if (memory == NULL) abort();
    return memory;
}

void *_Znam(size_t size) { return _Znwm(size); }
