/* err.h - errors of the environment (no file, not a trace, disk full), with the offset if there is
 * one.
 *
 * A function that can fail takes a struct err * last and returns false through err_set():
 *     return err_set(err, ERR_NO_OFFSET, "cannot open: %s", strerror(errno));
 * Damage inside a trace is not an error: the reader counts it as a problem. */
#ifndef FXTOP_ERR_H
#define FXTOP_ERR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ERR_NO_OFFSET UINT64_MAX

struct err {
    char text[256]; /* one line, no full stop, already safe to print */
    uint64_t at;    /* byte of the uncompressed trace, or ERR_NO_OFFSET */
};

/* Fills err (which may be NULL) and returns false. Text that is too long is cut between
 * characters. */
bool err_set(struct err *err, uint64_t at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts `what` before the message of a number of errno: "cannot be read: no such file or
 * directory". */
bool err_errno(struct err *err, const char *what, int number);

/* No memory: calls the hook (main restores the terminal there), prints one line, exits with status
 * 2. */
extern void (*err_no_memory_hook)(void);
_Noreturn void err_no_memory(void);

/* malloc, calloc, realloc that end in err_no_memory(); sizes that overflow do too. */
void *err_malloc(size_t size);
void *err_calloc(size_t n, size_t size);
void *err_realloc(void *p, size_t n, size_t size);
/* with a NUL after the n bytes; s may be NULL if there are none */
char *err_copy(const char *s, size_t n);

#endif
