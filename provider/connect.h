/* connect.h - the way to a manager: the path in the environment, and a connection to one that may
 * be trusted. */
#ifndef FXTTRACE_CONNECT_H
#define FXTTRACE_CONNECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "provider/symbols.h"

#define CONNECT_MS 100 /* a connection waits so long for a queue that is full */

/* The path of the manager's socket, from the root if there is space for it: daemons change their
 * directory. False: there is none, or the program has rights that the caller, whose environment it
 * is, lacks. */
bool connect_path(char *path, size_t size);
/* The connection; -1 with errno: ECONNREFUSED if no process listens, EPERM if it is one of another
 * user than root. */
int connect_manager(const char *path);
/* One message with at most two descriptors, which are -1 else. Its bytes, or as recvmsg(); 0 also
 * for one that is too long. */
ssize_t connect_receive(int fd, unsigned char *buffer, size_t size, int fds[2]);
/* The memory of a buffer that was sent, which children do not have; NULL: it is not as the protocol
 * demands. */
void *connect_buffer(int fd, uint64_t size);

#endif
