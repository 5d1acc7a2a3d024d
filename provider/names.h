/* names.h - strings, threads and categories of a session: what is registered once and then referred
 * to by index.
 *
 * A lookup takes no lock if the string is known. Registering takes one; a signal handler cannot
 * meet it, because its thread is busy then (write.h). Tables that are full are no error: references
 * are inline from then on. */
#ifndef FXTTRACE_NAMES_H
#define FXTTRACE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "provider/symbols.h"

#define NAMES_STRINGS 32767
#define NAMES_THREADS 255

/* Index of a string, registered if it is new; 0: it is empty, or has to be inline. */
uint16_t names_index(const char *text, size_t n);
/* Index of a thread of this process, with its name; 0: inline. */
uint8_t names_thread(uint64_t tid);
/* Registers the name of a virtual thread, once. */
void names_virtual(uint64_t koid, const char *name);
/* The records at a start: initialization, and the name of the process. */
void names_session(uint64_t ticks_per_second);

/* Forgets all: no writer is inside. */
void names_clear(void);
void names_forked(void);

/* Categories: exact names, or a prefix that ends with '*'. No list at all enables all. */
void names_categories_clear(void);
/* Adds strings as they are in a message: a byte of length and the text. False: they are not `n`
 * bytes. */
bool names_categories_take(const unsigned char *strings, size_t n, unsigned count);
bool names_enabled(const char *category);

#endif
