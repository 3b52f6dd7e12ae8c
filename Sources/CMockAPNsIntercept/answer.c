#define _GNU_SOURCE
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include "answer.h"
#include "filter.h"
#include "memory.h"
#include "relay.h"
#include "resolvers.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static const char hosts_path[] = "/etc/hosts";

/// Where other processes look names up for a command. The C library does so itself if it cannot reach them.
static const char *const name_services[] = {
    "/var/run/nscd/socket", "/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve",
};

/// Answers with an error number, or lets the call through.
static void respond(int listener, uint64_t id, int error) {
    struct seccomp_notif_resp response = {.id = id, .error = -error};
    if (error == 0) response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    // ENOENT: the caller is gone.
    while (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) != 0 && errno == EINTR) {}
}

static bool write_all(int file, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t count = write(file, bytes, size);
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) {
            bytes += count;
            size -= (size_t)count;
        }
    }
    return true;
}

/// A file in memory that cannot be changed: the given lines, and those of /etc/hosts as they are now.
static int make_hosts(const struct mockapns_answers *answers) {
    int file = memfd_create("hosts", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    bool is_written = write_all(file, answers->hosts, answers->hosts_size);
    int own = open(hosts_path, O_RDONLY | O_CLOEXEC);
    if (own >= 0) {
        char part[4096];
        ssize_t count;
        while (is_written && (count = read(own, part, sizeof(part))) > 0) is_written = write_all(file, part, (size_t)count);
        close(own);
    }
    if (is_written && fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0
        && lseek(file, 0, SEEK_SET) == 0) {
        return file;
    }
    close(file);
    return -1;
}

/// Gives the caller the file as the result of its call; returns whether the call is answered.
static bool pass_file(int listener, uint64_t id, int file, bool closes_on_execution) {
    struct seccomp_notif_addfd addition = {
        .id = id, .flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = (uint32_t)file, .newfd_flags = closes_on_execution ? O_CLOEXEC : 0,
    };
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &addition) >= 0) return true;
    if (errno != EINVAL) return false;
    // Before Linux 5.14 the file and the answer are two steps.
    addition.flags = 0;
    int number = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &addition);
    struct seccomp_notif_resp response = {.id = id, .val = number};
    return number >= 0 && ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) == 0;
}

static void answer_open(const struct mockapns_answers *answers, const struct seccomp_notif *call, uint64_t path, uint64_t flags) {
    char seen[sizeof(hosts_path)];
    size_t count = mockapns_memory_read((pid_t)call->pid, path, seen, sizeof(seen));
    if (count == sizeof(seen) && memcmp(seen, hosts_path, sizeof(seen)) == 0 && mockapns_is_waiting(answers->listener, call->id)) {
        int file = make_hosts(answers);
        bool is_answered = file >= 0 && pass_file(answers->listener, call->id, file, flags & O_CLOEXEC);
        if (file >= 0) close(file);
        if (is_answered) return;
    }
    respond(answers->listener, call->id, 0);
}

static const struct mockapns_intercept_route *route(const struct mockapns_answers *answers, uint32_t host, uint16_t port) {
    for (size_t index = 0; index < answers->route_count; index++) {
        const struct mockapns_intercept_route *next = &answers->routes[index];
        if (next->host == host && next->port == port) return next;
    }
    return NULL;
}

union address {
    sa_family_t family;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
};

/// An IPv4 address in one of IPv6 has these bytes before it.
static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

/// The host of an IPv4 address, also in one of IPv6; 0 for another one.
static uint32_t ipv4(const union address *address) {
    uint32_t host = 0;
    if (address->family == AF_INET) host = address->v4.sin_addr.s_addr;
    else if (memcmp(&address->v6.sin6_addr, mapped, sizeof(mapped)) == 0) {
        memcpy(&host, (const uint8_t *)&address->v6.sin6_addr + sizeof(mapped), sizeof(host));
    }
    return ntohl(host);
}

/// Changes where an address leads; returns how many of its bytes count.
static size_t redirect(union address *address, uint32_t host, uint16_t port) {
    host = htonl(host);
    if (address->family == AF_INET) {
        address->v4.sin_addr.s_addr = host;
        address->v4.sin_port = htons(port);
        return offsetof(struct sockaddr_in, sin_zero);
    }
    memcpy(&address->v6.sin6_addr, mapped, sizeof(mapped));
    memcpy((uint8_t *)&address->v6.sin6_addr + sizeof(mapped), &host, sizeof(host));
    address->v6.sin6_port = htons(port);
    return offsetof(struct sockaddr_in6, sin6_scope_id);
}

/// A connection to Apple's hosts goes to a listener, and one to a name server to the relay; another one stays as it is.
static void answer_internet(
    const struct mockapns_answers *answers, const struct seccomp_notif *call, uint64_t place, union address *address, size_t size
) {
    enum { NAME_SERVER = 53 };
    uint16_t port = ntohs(address->family == AF_INET ? address->v4.sin_port : address->v6.sin6_port);
    const struct mockapns_intercept_route *found = route(answers, ipv4(address), port);
    uint32_t target_host = found ? found->target_host : INADDR_LOOPBACK;
    uint16_t target_port = found ? found->target_port : 0;
    // What follows an IPv4 address has no meaning.
    if (address->family == AF_INET) memset(&address->v4.sin_zero, 0, sizeof(address->v4.sin_zero));
    if (!found && port == NAME_SERVER && mockapns_resolver_is_known((pid_t)call->pid, call->data.args[0])) {
        target_port = mockapns_intercept_relay_port(address, size);
    }
    if (target_port == 0) return;
    size_t end = redirect(address, target_host, target_port);
    // If it cannot be written, a connection to one of Apple's hosts is refused: nothing listens there.
    mockapns_memory_write(answers->listener, call->id, (pid_t)call->pid, place, address, end);
}

/// Sends a connection to another address, refuses it, or lets it through.
static void answer_address(const struct mockapns_answers *answers, const struct seccomp_notif *call, uint64_t place, uint64_t size) {
    union address seen;
    memset(&seen, 0, sizeof(seen));
    size_t count = size > sizeof(seen) ? sizeof(seen) : (size_t)size;
    count = mockapns_memory_read((pid_t)call->pid, place, &seen, count);
    int error = 0;
    if (count >= sizeof(seen.v4) && seen.family == AF_INET) {
        answer_internet(answers, call, place, &seen, sizeof(seen.v4));
    } else if (count >= offsetof(struct sockaddr_in6, sin6_scope_id) && seen.family == AF_INET6) {
        answer_internet(answers, call, place, &seen, sizeof(seen.v6));
    } else if (count > offsetof(struct sockaddr_un, sun_path) && seen.family == AF_UNIX) {
        size_t length = strnlen(seen.local.sun_path, sizeof(seen.local.sun_path));
        for (size_t index = 0; index < sizeof(name_services) / sizeof(name_services[0]); index++) {
            const char *path = name_services[index];
            if (strlen(path) == length && memcmp(path, seen.local.sun_path, length) == 0) error = ENOENT;
        }
    }
    respond(answers->listener, call->id, error);
}

/// A message with an address that opens the connection.
static void answer_message(const struct mockapns_answers *answers, const struct seccomp_notif *call, uint64_t message) {
    struct msghdr seen;
    if (mockapns_memory_read((pid_t)call->pid, message, &seen, sizeof(seen)) == sizeof(seen) && seen.msg_name) {
        answer_address(answers, call, (uint64_t)(uintptr_t)seen.msg_name, seen.msg_namelen);
    } else {
        respond(answers->listener, call->id, 0);
    }
}

static void answer_call(const struct mockapns_answers *answers, const struct seccomp_notif *call) {
    const uint64_t *arguments = (const uint64_t *)call->data.args;
    switch (call->data.nr) {
    case SYS_openat: return answer_open(answers, call, arguments[1], arguments[2]);
#ifdef SYS_open
    case SYS_open: return answer_open(answers, call, arguments[0], arguments[1]);
#endif
#ifdef SYS_openat2
    case SYS_openat2: {
        // The flags are the first number of a structure.
        uint64_t flags = 0;
        bool is_read = mockapns_memory_read((pid_t)call->pid, arguments[2], &flags, sizeof(flags)) == sizeof(flags);
        bool reads = is_read && (flags & (O_ACCMODE | O_CREAT | O_DIRECTORY | O_PATH)) == 0;
        return reads ? answer_open(answers, call, arguments[1], flags) : respond(answers->listener, call->id, 0);
    }
#endif
    case SYS_connect: return answer_address(answers, call, arguments[1], arguments[2]);
    case SYS_sendto: return answer_address(answers, call, arguments[4], arguments[5]);
    case SYS_sendmsg: return answer_message(answers, call, arguments[1]);
    case SYS_setsockopt: mockapns_resolver_note((pid_t)call->pid, arguments[0]); return respond(answers->listener, call->id, 0);
    default: return respond(answers->listener, call->id, 0);
    }
}

void mockapns_answer_all(const struct mockapns_answers *answers, bool until_alone) {
    for (;;) {
        if (until_alone) {
            // Older kernels wait for a call even if no process is left that could make one.
            struct pollfd states[2] = {{answers->listener, POLLIN, 0}, {mockapns_relay_descriptor(), POLLIN, 0}};
            int count = poll(states, 2, -1);
            if (count < 0 && errno == EINTR) continue;
            if (count > 0 && states[1].revents) mockapns_relay_step(false);
            if (count > 0 && !states[0].revents) continue;
            if (count < 0 || !(states[0].revents & POLLIN)) return;
        }
        struct seccomp_notif call;
        memset(&call, 0, sizeof(call));
        if (ioctl(answers->listener, SECCOMP_IOCTL_NOTIF_RECV, &call) == 0) {
            answer_call(answers, &call);
        } else if (errno != EINTR && errno != ENOENT) {
            return;
        } else if (errno == ENOENT) {
            // The caller is gone, or all are.
            struct pollfd state = {answers->listener, POLLIN, 0};
            if (poll(&state, 1, 0) == 1 && state.revents & POLLHUP) return;
        }
    }
}

bool mockapns_answer_can_pass_files(int listener) {
    // This answers the caller on the processor it runs on, which is several times as fast; Linux 6.6 and newer.
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
    struct seccomp_notif_addfd addition = {.srcfd = (uint32_t)listener};
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &addition) < 0 && errno == ENOENT;
}

#endif
