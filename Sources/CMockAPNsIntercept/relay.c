#define _GNU_SOURCE
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include "relay.h"
#include "questions.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SERVERS = 64, MOST_QUESTIONS = 128, PATIENCE_SECONDS = 30, LARGEST_PACKET = 65535 };

/// A name server of the command, and the socket that stands for it.
struct server {
    struct sockaddr_storage address;
    socklen_t size;
    int socket;
    uint16_t port;
};

/// A question that was passed on, with a socket of its own until it is answered.
struct question {
    int socket;
    int server;
    struct sockaddr_in asker;
    time_t deadline;
    /// Its beginning, for an answer that says that it failed.
    uint8_t start[MOCKAPNS_INTERCEPT_ANSWER_SIZE];
    size_t start_size;
};

/// Servers are added by the thread that answers system calls, before the epoll instance shows them to the one that waits for it.
static struct server servers[MOST_SERVERS];
static int server_count;
static struct question questions[MOST_QUESTIONS];
static int pending_count;
static const struct mockapns_intercept_name *names;
static size_t name_count;
static int events = -1;

int mockapns_relay_descriptor(void) { return events; }

bool mockapns_intercept_relay_open(const struct mockapns_intercept_name *known, size_t count) {
    names = known;
    name_count = count;
    for (int index = 0; index < MOST_QUESTIONS; index++) questions[index].socket = -1;
    events = epoll_create1(EPOLL_CLOEXEC);
    return events >= 0;
}

static bool watch(int socket, int number) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)number};
    return epoll_ctl(events, EPOLL_CTL_ADD, socket, &event) == 0;
}

uint16_t mockapns_intercept_relay_port(const void *address, size_t size) {
    struct server *server = servers;
    for (int index = 0; index < server_count; index++, server++) {
        if (server->size == size && memcmp(&server->address, address, size) == 0) return server->port;
    }
    if (events < 0 || server_count == MOST_SERVERS || size > sizeof(server->address)) return 0;
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t own_size = sizeof(own);
    int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return 0;
    memcpy(&server->address, address, size);
    server->size = (socklen_t)size;
    server->socket = descriptor;
    if (bind(descriptor, (struct sockaddr *)&own, sizeof(own)) == 0
        && getsockname(descriptor, (struct sockaddr *)&own, &own_size) == 0) {
        server->port = ntohs(own.sin_port);
        server_count += 1;
        if (watch(descriptor, server_count - 1)) return server->port;
        server_count -= 1;
    }
    close(descriptor);
    return 0;
}

static time_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static void end(struct question *question) {
    if (question->socket < 0) return;
    // Also forgets its events.
    close(question->socket);
    question->socket = -1;
    pending_count -= 1;
}

/// An answer that cannot be sent is lost, as others are.
static void answer(int server, const struct sockaddr_in *asker, const uint8_t *bytes, size_t size) {
    sendto(servers[server].socket, bytes, size, MSG_DONTWAIT, (const struct sockaddr *)asker, sizeof(*asker));
}

static void fail(int server, const struct sockaddr_in *asker, const uint8_t *bytes, size_t size) {
    uint8_t failure[MOCKAPNS_INTERCEPT_ANSWER_SIZE];
    size_t length = mockapns_fail_question(bytes, size, failure);
    if (length > 0) answer(server, asker, failure, length);
}

/// A free place, or that of the question that has waited longest.
static struct question *place(void) {
    struct question *oldest = questions;
    for (int index = 0; index < MOST_QUESTIONS; index++) {
        if (questions[index].socket < 0) return &questions[index];
        if (questions[index].deadline < oldest->deadline) oldest = &questions[index];
    }
    end(oldest);
    return oldest;
}

/// Sends a question to the server it was meant for; returns whether an answer may come.
static bool pass_on(int server, const struct sockaddr_in *asker, const uint8_t *bytes, size_t size) {
    const struct server *target = &servers[server];
    int family = target->address.ss_family, yes = 1;
    int descriptor = socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return false;
    // A host that cannot be reached is an error at once, as the C library has it. If it is not possible, the asker waits.
    if (family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_RECVERR, &yes, sizeof(yes));
    else setsockopt(descriptor, IPPROTO_IP, IP_RECVERR, &yes, sizeof(yes));
    struct question *question = place();
    if (connect(descriptor, (const struct sockaddr *)&target->address, target->size) != 0
        || send(descriptor, bytes, size, 0) < 0 || !watch(descriptor, MOST_SERVERS + (int)(question - questions))) {
        close(descriptor);
        return false;
    }
    question->socket = descriptor;
    question->server = server;
    question->asker = *asker;
    question->deadline = now() + PATIENCE_SECONDS;
    question->start_size = size < sizeof(question->start) ? size : sizeof(question->start);
    memcpy(question->start, bytes, question->start_size);
    pending_count += 1;
    return true;
}

static void take_question(int server, uint8_t *bytes) {
    struct sockaddr_in asker;
    socklen_t asker_size = sizeof(asker);
    ssize_t size = recvfrom(servers[server].socket, bytes, LARGEST_PACKET, MSG_DONTWAIT, (struct sockaddr *)&asker, &asker_size);
    if (size < 0) return;
    uint8_t own[MOCKAPNS_INTERCEPT_ANSWER_SIZE];
    size_t length = mockapns_intercept_answer_question(names, name_count, bytes, (size_t)size, own);
    if (length > 0) answer(server, &asker, own, length);
    else if (!pass_on(server, &asker, bytes, (size_t)size)) fail(server, &asker, bytes, (size_t)size);
}

static void take_answer(struct question *question, uint8_t *bytes) {
    if (question->socket < 0) return;
    ssize_t size = recv(question->socket, bytes, LARGEST_PACKET, MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size < 0) fail(question->server, &question->asker, question->start, question->start_size);
    else answer(question->server, &question->asker, bytes, (size_t)size);
    end(question);
}

void mockapns_relay_step(bool waits) {
    static uint8_t bytes[LARGEST_PACKET];
    struct epoll_event ready[16];
    int count = epoll_wait(events, ready, sizeof(ready) / sizeof(ready[0]), !waits ? 0 : pending_count > 0 ? 1000 : -1);
    for (int index = 0; index < count; index++) {
        int number = (int)ready[index].data.u32;
        if (number < MOST_SERVERS) take_question(number, bytes);
        else take_answer(&questions[number - MOST_SERVERS], bytes);
    }
    if (pending_count == 0) return;
    time_t time = now();
    for (int index = 0; index < MOST_QUESTIONS; index++) {
        if (questions[index].socket >= 0 && questions[index].deadline < time) end(&questions[index]);
    }
}

void *mockapns_intercept_relay_run(void *context) {
    (void)context;
    for (;;) mockapns_relay_step(true);
}

/// The smaller one of two descriptors, if it is not less than the first that counts.
static int nearer(int found, int descriptor, int first) {
    return descriptor >= first && (found < 0 || descriptor < found) ? descriptor : found;
}

int mockapns_relay_next_descriptor(int first) {
    int found = nearer(-1, events, first);
    for (int index = 0; index < server_count; index++) found = nearer(found, servers[index].socket, first);
    for (int index = 0; index < MOST_QUESTIONS; index++) found = nearer(found, questions[index].socket, first);
    return found;
}

#endif
