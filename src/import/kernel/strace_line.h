/* strace_line.h - the parts of one line of strace.
 *
 * All texts point into the line. */
#ifndef FXTOP_STRACE_LINE_H
#define FXTOP_STRACE_LINE_H

#include <stdint.h>

#include "src/base/str.h"

#define STRACE_SECOND UINT64_C(1000000000) /* in ns */

enum strace_kind {
    STRACE_NONE,       /* nothing that strace writes with a time */
    STRACE_CALL,       /* name(args) = ret <T> */
    STRACE_UNFINISHED, /* name(args <unfinished ...> */
    STRACE_RESUMED,    /* <... name resumed>rest) = ret <T> */
    STRACE_AGAIN,      /* <... name resumed>rest <unfinished ...> */
    STRACE_SIGNAL,     /* --- SIGCHLD {...} --- */
    STRACE_EXIT,       /* +++ exited with 0 +++ */
    STRACE_MESSAGE,    /* of strace itself */
};

enum strace_clock {
    STRACE_NO_TIME,
    STRACE_EPOCH, /* -ttt: ns since 1970 */
    STRACE_DAY,   /* -t, -tt: ns since midnight */
    STRACE_SINCE, /* -r: ns since the line before */
};

struct strace_line {
    enum strace_kind kind;
    bool has_tid;
    uint64_t tid;
    struct str comm; /* -Y: the name of the thread, or empty */
    enum strace_clock clock;
    uint64_t time;
    struct str name, args;  /* of a call; or the name of a signal or an exit, and its details */
    struct str ret, errnum; /* errnum: ENOENT, or empty */
    struct str path, note;  /* path: -y, of a returned descriptor; note: in parentheses after it */
    bool has_dur;           /* -T */
    uint64_t dur;           /* ns */
    uint64_t attached; /* of a message, also within a call: a thread that is traced from now on */
};

/* NULL, or a text about the fault of the line; *at is its place then. */
const char *strace_line_read(struct str line, struct strace_line *to, const char **at);

/* On a screen, `strace: Process 123 attached` ends the line within a call, which goes on in the
 * next one: the place of the message, or 0. */
size_t strace_line_split(struct str line);

/* The frame in a line of strace -k, ` > file(symbol+0x1) [0x1234]`. False: it is no such line. */
bool strace_line_frame(struct str line, struct str *frame);

#endif
