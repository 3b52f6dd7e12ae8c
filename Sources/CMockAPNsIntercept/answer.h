// The answers to the system calls that a filter reports.
#ifndef MOCKAPNS_ANSWER_H
#define MOCKAPNS_ANSWER_H

#include "CMockAPNsIntercept.h"

struct mockapns_answers {
    /// The descriptor of the filter.
    int listener;
    const struct mockapns_intercept_route *routes;
    size_t route_count;
    const char *hosts;
    size_t hosts_size;
};

/// Answers system calls until an error; `until_alone` ends it when no process with the filter is left, too, and does the relay's
/// work in between.
///
/// Allocates nothing and takes no locks, so that a forked process may call it.
void mockapns_answer_all(const struct mockapns_answers *answers, bool until_alone);

/// Whether the kernel can pass a file in an answer (Linux 5.9 and newer).
bool mockapns_answer_can_pass_files(int listener);

#endif
