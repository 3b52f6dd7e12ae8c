// The sockets of resolvers that take answers from another address than the one they asked.
#ifndef MOCKAPNS_RESOLVERS_H
#define MOCKAPNS_RESOLVERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// The socket options that such resolvers set before they connect, and hardly anything else sets.
///
/// Others may compare addresses, as c-ares does, so their questions are left alone.
#define MOCKAPNS_RESOLVER_MARKS(MARK) \
    MARK(IPPROTO_IP, IP_RECVERR) /* the C library, since 2.26 */ \
    MARK(IPPROTO_IPV6, IPV6_RECVERR) /* the same */ \
    MARK(SOL_SOCKET, SO_BROADCAST) /* Go, for all sockets of UDP */

/// Remembers a socket that such an option is set for.
void mockapns_resolver_note(pid_t process, uint64_t descriptor);

/// Whether a socket is one of those.
bool mockapns_resolver_is_known(pid_t process, uint64_t descriptor);

#endif
