// Definitions of what is newer than glibc 2.34, which take the place of the system's when scripts/build-portable links the
// program, so that it runs with glibc 2.34. scripts/check-libraries names symbols that are missing here.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <features.h>
#include <link.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// A function of libswiftGlibc.a calls it; glibc 2.35 has a new version of it.
float hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    // The squares of two floats, and their sum, are neither too large nor too small for a double.
    return (float)sqrt((double)x * x + (double)y * y);
}

// libstdc++'s random_device calls it; new in glibc 2.36.
uint32_t arc4random(void) {
    uint32_t value;
    if (getrandom(&value, sizeof value, 0) != sizeof value) abort();
    return value;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE
// libgcc's unwinder calls it, to find the frames of the code at an address; new in glibc 2.35.
struct search {
    uintptr_t address;
    struct dl_find_object *found;
};

static int look(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    struct search *search = data;
    struct dl_find_object found = {0};
    int is_inside = 0;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[index];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME) found.dlfo_eh_frame = (void *)start;
        if (part->p_type != PT_LOAD) continue;
        if (!found.dlfo_map_end || (void *)start < found.dlfo_map_start) found.dlfo_map_start = (void *)start;
        if ((void *)(start + part->p_memsz) > found.dlfo_map_end) found.dlfo_map_end = (void *)(start + part->p_memsz);
        is_inside |= search->address >= start && search->address - start < part->p_memsz;
    }
    if (!is_inside || !found.dlfo_eh_frame) return 0;
    *search->found = found;
    return 1;
}

int _dl_find_object(void *address, struct dl_find_object *found) {
    struct search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}
#endif
