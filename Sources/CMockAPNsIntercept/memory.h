// The memory and the descriptors of processes that wait for the answer to a system call.
#ifndef MOCKAPNS_MEMORY_H
#define MOCKAPNS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A path with two numbers of ten digits at most.
enum { MOCKAPNS_PROCESS_PATH_SIZE = 40 };

/// Writes the path of what a process has for a descriptor; the folder is such as `/fd/`.
void mockapns_process_path(char *path, pid_t process, const char *folder, uint32_t descriptor);

/// Reads memory of a process, as far as it goes; returns the number of bytes.
size_t mockapns_memory_read(pid_t process, uint64_t address, void *target, size_t size);

/// Writes memory of the thread that waits for the answer to a call of this listener; constants, too.
bool mockapns_memory_write(int listener, uint64_t call, pid_t process, uint64_t address, const void *bytes, size_t size);

/// Whether a thread still waits for the answer to a call, so that its number is not that of another one.
bool mockapns_is_waiting(int listener, uint64_t call);

/// Whether a child's memory may be read and written; `probe` is the address of a number in it.
bool mockapns_memory_is_open(pid_t process, uint64_t probe);

#endif
