/* lines.h - the output of the program, line by line: into the trace as log records, and to where it
 * goes anyway.
 *
 * Standard output and standard error are pseudoterminals. Into a pipe the program's stdio would
 * write whole blocks, and the times of lines would be wrong. While its reader is slow, the program
 * has to wait, as it would without us. */
#ifndef FXTOP_LINES_H
#define FXTOP_LINES_H

#include <poll.h>
#include <sys/types.h>

#include "record/output.h"
#include "record/ticks.h"

#define LINES_MAX 4096 /* bytes of a log record; longer lines are several */

struct lines_stream {
    int master, slave; /* -1: closed */
    int to;            /* where the bytes go on; -1: nowhere */
    int lost;          /* errno of bytes that could not go on; 0: all did */
    char text[LINES_MAX];
    size_t n;
};

struct lines {
    struct lines_stream streams[2]; /* standard output, standard error */
    bool only_pass;                 /* nothing is recorded any more */
    uint64_t at;                    /* ticks: the time of lines that are taken; 0: now */
};

/* Makes the pseudoterminals. to: two descriptors, borrowed. False with one line in err. */
bool lines_open(struct lines *lines, const int to[2], struct err *err);
/* In the child: makes them its standard output and error. */
void lines_become(const struct lines *lines);
/* In the parent, after the child was started. */
void lines_started(struct lines *lines);
/* The descriptor to wait for: the stream's `master` if that is to be taken; else bytes cannot go on
 * so far. */
struct pollfd lines_polled(const struct lines *lines, int stream);
/* Takes what one of the streams has, if it is readable; false: it is closed. */
bool lines_take(struct lines *lines, int stream, pid_t pid, struct output *output,
                const struct ticks *ticks);
/* Takes all that the streams have at the end of the program. */
void lines_take_rest(struct lines *lines, pid_t pid, struct output *output,
                     const struct ticks *ticks);
void lines_close(struct lines *lines);

#endif
