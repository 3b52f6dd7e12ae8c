// The seccomp filter of a command, and the parts of the kernel's interface that older headers lack.
#ifndef MOCKAPNS_FILTER_H
#define MOCKAPNS_FILTER_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/ioctl.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
#ifndef SECCOMP_ADDFD_FLAG_SEND
#define SECCOMP_ADDFD_FLAG_SEND (1UL << 1)
#endif
#ifndef SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif

/// Installs the filter in this process, and returns the descriptor that gets its system calls, or a negative error number.
///
/// Reports files that are opened to be read by programs that look names up themselves, or by all.
int mockapns_filter_install(bool reports_opens);

#endif
