#define _GNU_SOURCE
#include "CMockAPNsIntercept.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include "answer.h"
#include "filter.h"
#include "memory.h"
#include "relay.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

/// What the child reports before it executes the command: a step that failed, or the listener as a descriptor.
struct report {
    enum mockapns_intercept_step step;
    int error;
};

/// Set once, before the thread that uses it starts.
static struct mockapns_answers answers = {.listener = -1};

/// Written by the parent into the child's copy, to see whether it may.
static volatile uint64_t memory_probe;

static void send_report(int channel, enum mockapns_intercept_step step, int error, int descriptor) {
    struct report report = {step, error};
    struct iovec part = {&report, sizeof(report)};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        memset(&control, 0, sizeof(control));
        message.msg_control = &control;
        message.msg_controllen = sizeof(control);
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(head), &descriptor, sizeof(int));
    }
    // If the parent is gone, nobody is left to tell.
    while (sendmsg(channel, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {}
}

/// Returns false at the end of the channel, which is the success of an execution.
static bool receive_report(int channel, struct report *report, int *descriptor) {
    struct iovec part = {report, sizeof(*report)};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
    ssize_t count;
    while ((count = recvmsg(channel, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
    *descriptor = -1;
    if (count != sizeof(*report)) return false;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_type == SCM_RIGHTS) memcpy(descriptor, CMSG_DATA(head), sizeof(int));
    return true;
}

/// In the child, after fork: only calls that are safe in a process of which one thread is left.
static _Noreturn void become_command(const struct mockapns_intercept_plan *plan, int channel) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (size_t index = 0; index < plan->default_signal_count; index++) sigaction(plan->default_signals[index], &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    // The handlers of this process are gone, so signals may come.
    sigprocmask(SIG_SETMASK, &none, NULL);
    int listener = mockapns_filter_install(plan->reports_opens);
    if (listener < 0) {
        send_report(channel, MOCKAPNS_INTERCEPT_FILTER, -listener, -1);
        _exit(127);
    }
    send_report(channel, MOCKAPNS_INTERCEPT_STARTED, 0, listener);
    char consent;
    ssize_t count;
    while ((count = read(channel, &consent, 1)) < 0 && errno == EINTR) {}
    if (count != 1) _exit(127);
    execvpe(plan->arguments[0], plan->arguments, plan->environment);
    send_report(channel, MOCKAPNS_INTERCEPT_EXECUTION, errno, -1);
    _exit(127);
}

static void *answer(void *context) {
    (void)context;
    mockapns_answer_all(&answers, false);
    return NULL;
}

/// Starts a thread with all signals blocked.
static int start_thread(void *(*work)(void *)) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int problem = pthread_create(&thread, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (problem == 0) pthread_detach(thread);
    return problem;
}

/// Copies what the answers need, until the end of the process.
static bool keep(const struct mockapns_intercept_plan *plan) {
    struct mockapns_intercept_route *routes = calloc(plan->route_count + 1, sizeof(*routes));
    struct mockapns_intercept_name *names = calloc(plan->name_count + 1, sizeof(*names));
    char *hosts = malloc(plan->hosts_size + 1);
    bool is_complete = routes && names && hosts;
    for (size_t index = 0; is_complete && index < plan->name_count; index++) {
        names[index] = (struct mockapns_intercept_name){strdup(plan->names[index].name), plan->names[index].address};
        is_complete = names[index].name != NULL;
    }
    // The process ends if it is not complete.
    if (!is_complete) return false;
    memcpy(routes, plan->routes, plan->route_count * sizeof(*routes));
    memcpy(hosts, plan->hosts, plan->hosts_size);
    answers = (struct mockapns_answers){-1, routes, plan->route_count, hosts, plan->hosts_size};
    return plan->reports_opens || mockapns_intercept_relay_open(names, plan->name_count);
}

/// Everything that has to work before the command may run.
static enum mockapns_intercept_step begin(pid_t process, int channel, int *error) {
    struct report report;
    int listener;
    if (!receive_report(channel, &report, &listener)) {
        *error = ECHILD;
        return MOCKAPNS_INTERCEPT_PROCESS;
    }
    *error = report.error;
    if (report.step != MOCKAPNS_INTERCEPT_STARTED) return report.step;
    if (listener < 0) {
        *error = EMFILE;
        return MOCKAPNS_INTERCEPT_PROCESS;
    }
    answers.listener = listener;
    if (!mockapns_answer_can_pass_files(listener)) {
        *error = errno;
        return MOCKAPNS_INTERCEPT_FILES;
    }
    if (!mockapns_memory_is_open(process, (uint64_t)(uintptr_t)&memory_probe)) {
        *error = errno;
        return MOCKAPNS_INTERCEPT_MEMORY;
    }
    if ((*error = start_thread(answer)) != 0) return MOCKAPNS_INTERCEPT_PROCESS;
    if (mockapns_relay_descriptor() >= 0 && (*error = start_thread(mockapns_intercept_relay_run)) != 0) {
        return MOCKAPNS_INTERCEPT_PROCESS;
    }
    if (send(channel, "", 1, MSG_NOSIGNAL) != 1) {
        *error = errno;
        return MOCKAPNS_INTERCEPT_PROCESS;
    }
    int none;
    if (!receive_report(channel, &report, &none)) return MOCKAPNS_INTERCEPT_STARTED;
    *error = report.error;
    return report.step;
}

enum mockapns_intercept_step mockapns_intercept_start(const struct mockapns_intercept_plan *plan, pid_t *process, int *error) {
    int channel[2];
    // Daemons of the command become children of this process: where Yama restricts it, only descendants may be written to.
    if (!keep(plan) || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0
        || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) != 0) {
        *error = errno;
        return MOCKAPNS_INTERCEPT_PROCESS;
    }
    // A handler of this process must not run in the child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *process = fork();
    if (*process == 0) {
        close(channel[0]);
        become_command(plan, channel[1]);
    }
    int problem = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(channel[1]);
    enum mockapns_intercept_step step = MOCKAPNS_INTERCEPT_PROCESS;
    if (*process < 0) {
        *error = problem;
    } else {
        step = begin(*process, channel[0], error);
        if (step != MOCKAPNS_INTERCEPT_STARTED) {
            kill(*process, SIGKILL);
            while (waitpid(*process, NULL, 0) < 0 && errno == EINTR) {}
        }
    }
    close(channel[0]);
    return step;
}

/// Closes all descriptors besides the first three and those that answers need.
static void close_others(void) {
    int first = 3;
    for (;;) {
        int kept = mockapns_relay_next_descriptor(first);
        if (answers.listener >= first && (kept < 0 || answers.listener < kept)) kept = answers.listener;
        if (kept != first) syscall(SYS_close_range, (unsigned)first, kept < 0 ? ~0U : (unsigned)kept - 1, 0U);
        if (kept < 0) return;
        first = kept + 1;
    }
}

bool mockapns_intercept_leave(void) {
    struct pollfd state = {answers.listener, POLLIN, 0};
    if (answers.listener < 0 || poll(&state, 1, 0) < 0 || state.revents & POLLHUP) return false;
    pid_t process = fork();
    if (process != 0) return process > 0;
    setsid();
    // It holds nothing that others wait for the end of: no pipe, no listener of the server.
    int nowhere = open("/dev/null", O_RDWR);
    for (int number = 0; number <= 2; number++) dup2(nowhere, number);
    close_others();
    // Nothing answers for Apple's hosts any more: connections to their addresses are refused.
    answers.route_count = 0;
    mockapns_answer_all(&answers, true);
    _exit(0);
}

#else

enum mockapns_intercept_step mockapns_intercept_start(const struct mockapns_intercept_plan *plan, pid_t *process, int *error) {
    (void)plan;
    (void)process;
    *error = ENOSYS;
    return MOCKAPNS_INTERCEPT_PLATFORM;
}

bool mockapns_intercept_leave(void) { return false; }

#endif
