/* err.c - one-line errors, and allocation that cannot fail.
 *
 * Without memory the program ends: the hook restores the terminal, one line goes to standard error,
 * and _exit() follows, since exit() runs code that may allocate. One thread does this if several
 * have none. */
#include "src/base/err.h"

#ifdef HAVE_MALLOC_H
#include <malloc.h>
#endif
#include <ctype.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void (*err_no_memory_hook)(void);

/* The length of a text that is cut at n bytes: never inside a UTF-8 sequence. */
static size_t whole_characters(const char *text, size_t n) {
    size_t start = n;
    while (start > 0 && n - start < 3 && ((unsigned char)text[start - 1] & 0xc0) == 0x80)
        start--;
    if (start == 0)
        return n;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t length = 1u + (lead >= 0xc0) + (lead >= 0xe0) + (lead >= 0xf0);
    return start - 1 + length > n ? start - 1 : n;
}

bool err_set(struct err *err, uint64_t at, const char *fmt, ...) {
    if (err == NULL)
        return false;
    char text[sizeof err->text]; /* not err->text itself: it may be among the arguments */
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (n < 0)
        text[0] = '\0';
    else if ((size_t)n >= sizeof text)
        text[whole_characters(text, sizeof text - 1)] = '\0';
    memcpy(err->text, text, sizeof text);
    err->at = at;
    return false;
}

_Noreturn void err_no_memory(void) {
    static const char line[] = "fxtop: out of memory\n";
    static atomic_flag ends = ATOMIC_FLAG_INIT;
    static _Thread_local bool here;
    if (!here && atomic_flag_test_and_set(&ends))
        for (;;)
            pause(); /* another thread has none, either: it ends the program */
    here = true;
    void (*hook)(void) = err_no_memory_hook;
    err_no_memory_hook = NULL; /* a hook that runs out of memory itself ends here */
    if (hook != NULL)
        hook();
    ssize_t n = write(STDERR_FILENO, line, sizeof line - 1);
    (void)n;
    _exit(2); /* not exit(): what it would flush and call may need memory */
}

bool err_errno(struct err *err, const char *what, int number) {
    char text[128]; /* the messages of libc are shorter */
    snprintf(text, sizeof text, "%s", strerror(number));
    if (isupper((unsigned char)text[0]) && !isupper((unsigned char)text[1]))
        text[0] = (char)tolower((unsigned char)text[0]);
    return err_set(err, ERR_NO_OFFSET, "%s%s", what, text);
}

void *err_malloc(size_t size) {
    void *p = malloc(size > 0 ? size : 1);
    if (p == NULL)
        err_no_memory();
    return p;
}

void *err_calloc(size_t n, size_t size) {
    if (size > 0 && n > SIZE_MAX / size)
        err_no_memory();
    void *p = n * size > 0 ? calloc(n, size) : calloc(1, 1);
    if (p == NULL)
        err_no_memory();
    return p;
}

/* realloc() stays in the heap that a block is from, and so waits for the other thread if that has
 * the heap. The blocks that it frees go to the thread that asked, so those of both heaps mix.
 * malloc() and free() of small blocks mostly need no lock. Returns NULL for another block. */
static void *grow_small(void *p, size_t bytes) {
#if defined HAVE_MALLOC_H && defined HAVE_MALLOC_USABLE_SIZE
    enum { SMALL = 1032 };
    size_t has = p ? malloc_usable_size(p) : 0;
    if (has == 0 || has > SMALL)
        return NULL;
    if (has >= bytes)
        return p;
    void *to = err_malloc(bytes);
    memcpy(to, p, has);
    free(p);
    return to;
#else
    (void)p;
    (void)bytes;
    return NULL;
#endif
}

void *err_realloc(void *p, size_t n, size_t size) {
    if (size > 0 && n > SIZE_MAX / size)
        err_no_memory();
    void *to = grow_small(p, n * size);
    if (to)
        return to;
    p = realloc(p, n * size > 0 ? n * size : 1);
    if (p == NULL)
        err_no_memory();
    return p;
}

char *err_copy(const char *s, size_t n) {
    char *copy = err_malloc(n + 1);
    if (n > 0)
        memcpy(copy, s, n);
    copy[n] = '\0';
    return copy;
}
