// Sockets that take a command's questions to its name servers.
#ifndef MOCKAPNS_RELAY_H
#define MOCKAPNS_RELAY_H

#include "CMockAPNsIntercept.h"

/// The descriptor that is readable when there is something to do; -1 before the start.
int mockapns_relay_descriptor(void);

/// Waits for something to do, and does it: passes questions and answers on. Allocates nothing and takes no locks.
void mockapns_relay_step(bool waits);

/// The relay's first descriptor from a number on; -1 if there is none.
int mockapns_relay_next_descriptor(int first);

#endif
