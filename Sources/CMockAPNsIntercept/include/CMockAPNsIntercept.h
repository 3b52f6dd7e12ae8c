// Runs a command that finds some hosts at other addresses: its questions to name servers are answered, it reads further lines in
// /etc/hosts, and its connections to some addresses go to others.
//
// Linux only: a seccomp filter reports a few system calls of the command and of its children to this process, which answers
// them. Elsewhere every start fails with MOCKAPNS_INTERCEPT_PLATFORM.
#ifndef CMOCKAPNSINTERCEPT_H
#define CMOCKAPNSINTERCEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// An address and a port, and where connections to it go instead; all numbers as the processor has them.
struct mockapns_intercept_route {
    uint32_t host;
    uint32_t target_host;
    uint16_t port;
    uint16_t target_port;
};

/// A host, in small letters, and the IPv4 address that a name server gives it.
struct mockapns_intercept_name {
    const char *name;
    uint32_t address;
};

/// What a start failed at; the error number says why.
enum mockapns_intercept_step {
    /// Nothing: the command runs.
    MOCKAPNS_INTERCEPT_STARTED,
    /// This system or processor is not supported.
    MOCKAPNS_INTERCEPT_PLATFORM,
    /// The command could not be started, or its process ended before.
    MOCKAPNS_INTERCEPT_PROCESS,
    /// The kernel did not take the filter.
    MOCKAPNS_INTERCEPT_FILTER,
    /// The kernel cannot pass a file in answer to a system call.
    MOCKAPNS_INTERCEPT_FILES,
    /// The command's memory may not be read or written.
    MOCKAPNS_INTERCEPT_MEMORY,
    /// The command could not be executed.
    MOCKAPNS_INTERCEPT_EXECUTION,
};

/// A command and what it sees.
struct mockapns_intercept_plan {
    /// Ends with NULL; the first one is the command, which is searched in PATH.
    char *const *arguments;
    /// Ends with NULL.
    char *const *environment;
    /// The signals with their default handling in the command.
    const int *default_signals;
    size_t default_signal_count;
    const struct mockapns_intercept_route *routes;
    size_t route_count;
    /// The lines that /etc/hosts begins with.
    const char *hosts;
    size_t hosts_size;
    const struct mockapns_intercept_name *names;
    size_t name_count;
    /// Whether all programs see these lines, which makes opening a file slower; otherwise most ask name servers.
    bool reports_opens;
};

/// Starts the command and answers its system calls from now on, on a thread of its own. At most once in a process.
///
/// Sets the process to the command's, and the error to an error number if it was not started.
enum mockapns_intercept_step mockapns_intercept_start(const struct mockapns_intercept_plan *plan, pid_t *process, int *error);

/// Leaves a process behind that lets all system calls through, if processes are left that need one; returns whether it did.
///
/// Without it, they could make no connection any more after the end of this process. Questions to name servers are answered as before.
bool mockapns_intercept_leave(void);

/// The size of the largest answer to a question: header, name, type and class, and one record.
#define MOCKAPNS_INTERCEPT_ANSWER_SIZE 287

/// Writes the answer to a question of the domain name system, if it is for one of the names or one of them with a suffix.
///
/// Returns the size of the answer; 0 if the question is for another name or is not one.
size_t mockapns_intercept_answer_question(
    const struct mockapns_intercept_name *names, size_t count, const uint8_t *question, size_t size,
    uint8_t answer[MOCKAPNS_INTERCEPT_ANSWER_SIZE]
);

/// Prepares the relay that answers questions for these names, which live as long as the process; Linux only.
bool mockapns_intercept_relay_open(const struct mockapns_intercept_name *names, size_t count);

/// Answers questions, and passes others on, until the end of the process: the start of a thread.
void *mockapns_intercept_relay_run(void *context);

/// The port on 127.0.0.1 where questions for a name server, given by its socket address, are answered; 0 if it cannot be done.
///
/// For one thread.
uint16_t mockapns_intercept_relay_port(const void *server, size_t size);

#endif
