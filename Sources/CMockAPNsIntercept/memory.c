#define _GNU_SOURCE
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include "memory.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static char *put_number(char *place, uint32_t number) {
    char digits[10];
    size_t count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0) *place++ = digits[--count];
    return place;
}

void mockapns_process_path(char *path, pid_t process, const char *folder, uint32_t descriptor) {
    char *place = stpcpy(put_number(stpcpy(path, "/proc/"), (uint32_t)process), folder);
    *put_number(place, descriptor) = 0;
}

/// Opens a process's memory; the file stays that of the process, also if another one gets its number.
static int open_memory(pid_t process, int mode) {
    char path[MOCKAPNS_PROCESS_PATH_SIZE];
    stpcpy(put_number(stpcpy(path, "/proc/"), (uint32_t)process), "/mem");
    return open(path, mode | O_CLOEXEC);
}

/// Copies from or to a file of memory.
static ssize_t transfer(pid_t process, uint64_t address, void *bytes, size_t size, bool writes) {
    int memory = open_memory(process, writes ? O_WRONLY : O_RDONLY);
    if (memory < 0) return -1;
    ssize_t count = writes ? pwrite(memory, bytes, size, (off_t)address) : pread(memory, bytes, size, (off_t)address);
    int problem = errno;
    close(memory);
    errno = problem;
    return count;
}

size_t mockapns_memory_read(pid_t process, uint64_t address, void *target, size_t size) {
    // A read ends before a part that is not mapped, so no part crosses a page.
    size_t first = 4096 - (address & 4095);
    if (first > size) first = size;
    struct iovec local = {target, size};
    struct iovec remote[2] = {{(void *)address, first}, {(void *)(address + first), size - first}};
    ssize_t count = process_vm_readv(process, &local, 1, remote, size > first ? 2 : 1, 0);
    // Some containers permit only the file: the default profile of Podman does.
    if (count < 0 && (errno == EPERM || errno == ENOSYS)) count = transfer(process, address, target, size, false);
    return count < 0 ? 0 : (size_t)count;
}

bool mockapns_is_waiting(int listener, uint64_t call) { return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &call) == 0; }

bool mockapns_memory_write(int listener, uint64_t call, pid_t process, uint64_t address, const void *bytes, size_t size) {
    int memory = open_memory(process, O_WRONLY);
    bool is_written = false;
    if (mockapns_is_waiting(listener, call)) {
        is_written = memory >= 0 && pwrite(memory, bytes, size, (off_t)address) == (ssize_t)size;
        if (!is_written) {
            struct iovec local = {(void *)bytes, size}, remote = {(void *)address, size};
            is_written = process_vm_writev(process, &local, 1, &remote, 1, 0) == (ssize_t)size;
        }
    }
    if (memory >= 0) close(memory);
    return is_written;
}

bool mockapns_memory_is_open(pid_t process, uint64_t probe) {
    uint64_t value = 1;
    struct iovec local = {&value, sizeof(value)}, remote = {(void *)probe, sizeof(value)};
    bool is_written = transfer(process, probe, &value, sizeof(value), true) == sizeof(value)
        || process_vm_writev(process, &local, 1, &remote, 1, 0) == sizeof(value);
    value = 0;
    return is_written && mockapns_memory_read(process, probe, &value, sizeof(value)) == sizeof(value) && value == 1;
}

#endif
