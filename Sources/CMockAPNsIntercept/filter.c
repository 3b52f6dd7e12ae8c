#define _GNU_SOURCE
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include "filter.h"
#include "resolvers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(place) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place)
/// The lower half of an argument: all flags are there.
#define LOAD_ARGUMENT(index) LOAD(offsetof(struct seccomp_data, args[index]))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define NOTIFY RETURN(SECCOMP_RET_USER_NOTIF)
#define ALLOW RETURN(SECCOMP_RET_ALLOW)

/// Reports a system call with any arguments.
#define ALWAYS(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), NOTIFY
/// Reports a system call if one of the bits of an argument is set.
#define IF_SET(number, index, bits) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), LOAD_ARGUMENT(index), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), NOTIFY, ALLOW
/// Reports a system call that opens a file to read it: with one of the bits `always`, or else without those of `never`.
#define IF_READING(number, index, always, never) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 6), LOAD_ARGUMENT(index), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NOT_READING, 3, 0), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, always, 1, 0), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, never, 1, 0), NOTIFY, ALLOW
/// Reports that an option of a socket is set.
#define IF_OPTION(level, option) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setsockopt, 0, 6), LOAD_ARGUMENT(1), \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, level, 0, 3), LOAD_ARGUMENT(2), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, option, 0, 1), \
        NOTIFY, LOAD(offsetof(struct seccomp_data, nr)),

/// No resolver opens /etc/hosts with one of these; what is left are files that are only read.
#define NOT_READING \
    (O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | (__O_TMPFILE & ~O_DIRECTORY) | O_DIRECTORY | O_PATH | O_NOFOLLOW \
     | O_NONBLOCK | O_NOATIME)

/// musl sets O_LARGEFILE for every file, other libraries never for 64 bits. On x86-64 it has `open` to itself.
#ifdef SYS_open
#define MUSL 0
#else
#define MUSL 0400000
#endif

int mockapns_filter_install(bool reports_opens) {
    // The C library and Go open /etc/hosts with it, as most programs open most files; they ask name servers then. Java and c-ares
    // read the file without, and musl asks without a connection.
    uint32_t unreported = reports_opens ? 0 : O_CLOEXEC;
    struct sock_filter instructions[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        ALLOW,
        // The numbers of x32 have a bit of their own, so they match none of these.
        LOAD(offsetof(struct seccomp_data, nr)),
        IF_READING(SYS_openat, 2, MUSL, unreported),
#ifdef SYS_open
        IF_READING(SYS_open, 1, 0, 0),
#endif
        ALWAYS(SYS_connect),
        IF_SET(SYS_sendto, 3, MSG_FASTOPEN),
        IF_SET(SYS_sendmsg, 2, MSG_FASTOPEN),
#ifdef SYS_openat2
        ALWAYS(SYS_openat2),
#endif
        MOCKAPNS_RESOLVER_MARKS(IF_OPTION)
        ALLOW,
    };
    struct sock_fprog program = {sizeof(instructions) / sizeof(instructions[0]), instructions};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    // Signals would interrupt a call that is being answered, and Go sends itself many; Linux 5.19 and newer can wait.
    unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
    long listener = syscall(
        SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program
    );
    if (listener < 0 && errno == EINVAL) listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    return listener < 0 ? -errno : (int)listener;
}

#endif
