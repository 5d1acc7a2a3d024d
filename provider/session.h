/* session.h - the provider's side of a session: connection, states, the helper thread, fork and
 * exit. */
#ifndef FXTTRACE_SESSION_H
#define FXTTRACE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "provider/symbols.h"

/* In a child after fork(), at its first event: connects it as a provider of its own. */
void session_revive(void);
/* Whether this is a copy of the process that fork() has not made, as _Fork() or clone() do. From
 * then on it is a process without tracing. */
bool session_is_copy(void);
/* Sends an alert to the manager. */
void session_alert(const char *name);
/* The name for the next connection; NULL: the program's. */
void session_name(const char *name);

/* A thread that has written events has ended. */
void session_thread_ended(void);

/* Ticks in a second of the session that the generation is of; 0: there was none so far. */
uint64_t session_rate(void);

#endif
