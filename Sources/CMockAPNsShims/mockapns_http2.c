#include "mockapns_http2.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Upstream has these functions since 1.57 and 1.61. Distributions backport them, with the limits that they
// set, without changing the version number; so below these versions, the linker checks whether they exist.
#if NGHTTP2_VERSION_NUM < 0x013900 && defined(__ELF__)
extern void nghttp2_option_set_stream_reset_rate_limit(nghttp2_option *, uint64_t, uint64_t)
    __attribute__((weak));
#endif
#if NGHTTP2_VERSION_NUM < 0x013d00 && defined(__ELF__)
extern void nghttp2_option_set_max_continuations(nghttp2_option *, size_t) __attribute__((weak));
#endif

void mockapns_nghttp2_option_lift_limits(nghttp2_option *option) {
#if NGHTTP2_VERSION_NUM >= 0x013900
    nghttp2_option_set_stream_reset_rate_limit(option, 1000000, 1000000);
#elif defined(__ELF__)
    if (nghttp2_option_set_stream_reset_rate_limit != NULL) {
        nghttp2_option_set_stream_reset_rate_limit(option, 1000000, 1000000);
    }
#endif
    // Not disabled completely: in a block that nghttp2 skips, it does not report CONTINUATION frames.
#if NGHTTP2_VERSION_NUM >= 0x013d00
    nghttp2_option_set_max_continuations(option, 1024);
#elif defined(__ELF__)
    if (nghttp2_option_set_max_continuations != NULL) {
        nghttp2_option_set_max_continuations(option, 1024);
    }
#endif
    (void)option;
}

int mockapns_nghttp2_is_flood(int code) {
    // NGHTTP2_ERR_FLOODED and NGHTTP2_ERR_TOO_MANY_CONTINUATIONS; old headers do not name the second.
    return code == NGHTTP2_ERR_FLOODED || code == -905;
}

// nghttp2's allocations for a request are small, and hundreds of them are freed at a time: more than glibc's
// own free lists hold. So the pieces are kept here, in one list per size. If the C library does not report
// their sizes, none are kept. Sanitizers must see each piece being freed.
#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define KEEPS_PIECES 1
#endif

enum { STEP = 16, SIZES = 33, MOST_KEPT = 1024 };

struct piece {
    struct piece *next;
};

struct mockapns_memory {
    /// Pieces of at least `STEP * index + 8` bytes, which are glibc's sizes.
    struct piece *pieces[SIZES];
    size_t count[SIZES];
};

struct mockapns_memory *mockapns_memory_new(void) { return calloc(1, sizeof(struct mockapns_memory)); }

void mockapns_memory_free(struct mockapns_memory *memory) {
    for (size_t index = 0; memory != NULL && index < SIZES; index++) {
        while (memory->pieces[index] != NULL) {
            struct piece *piece = memory->pieces[index];
            memory->pieces[index] = piece->next;
            free(piece);
        }
    }
    free(memory);
}

static void *allocate(size_t size, void *user) {
    struct mockapns_memory *kept = user;
    size_t index = (size + STEP - 9) / STEP;
    if (index < SIZES && kept->pieces[index] != NULL) {
        struct piece *piece = kept->pieces[index];
        kept->pieces[index] = piece->next;
        kept->count[index]--;
        return piece;
    }
    if (size < 16384) return malloc(size);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *memory = NULL;
    if (posix_memalign(&memory, page, size) != 0) return NULL;
    // Otherwise memory that was used before would stay resident.
    (void)madvise(memory, size / page * page, MADV_DONTNEED);
    return memory;
}

static void release(void *freed, void *user) {
#ifdef KEEPS_PIECES
    struct mockapns_memory *kept = user;
    size_t index = (malloc_usable_size(freed) + STEP - 8) / STEP - 1;
    if (freed != NULL && index < SIZES && kept->count[index] < MOST_KEPT) {
        struct piece *piece = freed;
        piece->next = kept->pieces[index];
        kept->pieces[index] = piece;
        kept->count[index]++;
        return;
    }
#else
    (void)user;
#endif
    free(freed);
}

static void *allocate_zeroed(size_t count, size_t size, void *user) {
    (void)user;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    // The table of streams: empty, and on a separate page. valgrind does not know that madvise makes it zero, and
    // reports its values as uninitialised.
    if (size == 0 || count > SIZE_MAX / size || count * size != page) return calloc(count, size);
    void *memory = NULL;
    if (posix_memalign(&memory, page, page) != 0) return NULL;
#ifdef __linux__
    // The memory reads as zero, and becomes resident when it is written to.
    if (madvise(memory, page, MADV_DONTNEED) == 0) return memory;
#endif
    return memset(memory, 0, page);
}

static void *reallocate(void *memory, size_t size, void *user) {
    // nghttp2 allocates its frame buffer this way: large, and mostly unused on most connections.
    return memory == NULL ? allocate(size, user) : realloc(memory, size);
}

nghttp2_session *mockapns_nghttp2_session_server_new(const nghttp2_session_callbacks *callbacks, void *user,
                                                     const nghttp2_option *option, struct mockapns_memory *memory) {
    if (memory == NULL) return NULL;
    nghttp2_mem functions = {memory, allocate, release, allocate_zeroed, reallocate};
    nghttp2_session *session = NULL;
    return nghttp2_session_server_new3(&session, callbacks, user, option, &functions) == 0 ? session : NULL;
}
