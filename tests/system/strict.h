/* strict.h - shared by the checks of fxtop's output: the forms of printed text, the screen, and the
 * process.
 *
 * strict.c has main(); strict_run.c runs fxtop, strict_forms.c knows the forms, strict_screen.c the
 * sequences of a terminal. */
#ifndef FXTOP_STRICT_H
#define FXTOP_STRICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum {
    DEADLINE_MS = SANITIZED ? 120000 : 60000, /* of one answer: a hang, not a measurement */
    MARKS_MOST = 2,                           /* combining marks on one character */
};

/* ---- strict.c ---- */

struct strict {
    unsigned passed, failed;
    const char *fxtop, *subject;
};

extern struct strict strict;

/* Counts a failure, and prints why with the bytes around `at`; bytes may be NULL. */
void strict_complain(const char *what, const char *why, const char *bytes, size_t n, size_t at);
_Noreturn void strict_die(const char *what);

/* ---- strict_run.c ---- */

struct strict_output {
    char *v;
    size_t n, cap;
};

struct strict_run {
    int status; /* or -1: ended by a signal, or not in time */
    struct strict_output out, err;
};

/* Bytes of memory that are enough for a trace; 0: any. */
uint64_t strict_memory_for(const char *path);
/* In a child. */
void strict_limit_memory(uint64_t bytes);
/* Returns the exit status, or -1 after a signal. */
int strict_wait_for(pid_t pid);
void strict_run(struct strict_run *r, char *const argv[], uint64_t memory, const char *locale);
void strict_run_free(struct strict_run *r);

/* ---- strict_forms.c ---- */

enum { ASCII = 1, COLOURED = 2 }; /* allowed in a mode's text: ASCII alone, SGR sequences too */

/* Returns the bytes of the character, or 0 if it is no UTF-8. */
size_t strict_decode(const unsigned char *s, size_t n, uint32_t *cp);
bool strict_is_mark(uint32_t cp);
/* Returns why the character may not be drawn, or NULL. */
const char *strict_forbidden_cell(uint32_t cp);
/* Each complains if the bytes have not the form. */
bool strict_text_holds(const char *what, const char *bytes, size_t size, unsigned flags);
bool strict_json_holds(const char *what, const char *bytes, size_t size);
bool strict_lines_hold(const char *what, const char *bytes, size_t size);
bool strict_csv_holds(const char *what, const char *bytes, size_t size, bool lines);

/* ---- strict_screen.c ---- */

/* Walks through the views of a trace on a pseudo-terminal. */
void strict_screen(const char *path);
void strict_refused_screen(const char *path);

#endif
