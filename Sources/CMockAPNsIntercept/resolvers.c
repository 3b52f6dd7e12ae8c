#define _GNU_SOURCE
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include "resolvers.h"
#include "memory.h"

#include <stddef.h>
#include <sys/stat.h>

/// The latest sockets, by the number that each has in the system. A resolver connects its socket at once.
static ino_t known[256];
static size_t next;

/// The number of a socket; 0 if the descriptor is not one.
static ino_t number(pid_t process, uint64_t descriptor) {
    char path[MOCKAPNS_PROCESS_PATH_SIZE];
    struct stat file;
    mockapns_process_path(path, process, "/fd/", (uint32_t)descriptor);
    return stat(path, &file) == 0 && S_ISSOCK(file.st_mode) ? file.st_ino : 0;
}

void mockapns_resolver_note(pid_t process, uint64_t descriptor) {
    ino_t socket = number(process, descriptor);
    if (socket != 0) known[next++ % (sizeof(known) / sizeof(known[0]))] = socket;
}

bool mockapns_resolver_is_known(pid_t process, uint64_t descriptor) {
    ino_t socket = number(process, descriptor);
    for (size_t index = 0; socket != 0 && index < sizeof(known) / sizeof(known[0]); index++) {
        if (known[index] == socket) return true;
    }
    return false;
}

#endif
