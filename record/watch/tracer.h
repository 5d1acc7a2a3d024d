/* tracer.h - system calls by ptrace(2), where the kernel shows no events of them.
 *
 * A process of its own stops each thread of the program at the begin and at the end of each call,
 * and sends a message. There it sees names of files in the memory of the program, and the files of
 * descriptors. */
#ifndef FXTOP_TRACER_H
#define FXTOP_TRACER_H

#include "record/apart.h"
#include "record/output.h"
#include "record/ticks.h"
#include "record/watch/calls.h"

struct tracer {
    struct apart apart;
    pid_t program;
    struct calls calls;
    VEC(char) bytes; /* that have come and are no whole message */
    struct err why;  /* calls are missing; text is "" if none are */
    bool ready;
    uint64_t sent; /* ns: all up to then has come */
};

/* Begins with a process that has not begun to run, and lets itself be traced. False with one line
 * in err. */
bool tracer_start(struct tracer *tracer, pid_t program, struct err *err);
/* To be polled; -1: there is none. */
int tracer_fd(const struct tracer *tracer);
/* Writes the calls that have come. */
void tracer_take(struct tracer *tracer, struct output *output, const struct ticks *ticks);
/* Writes all up to now, and the begins of calls that go on. */
void tracer_finish(struct tracer *tracer, struct output *output, const struct ticks *ticks);
/* The program goes on without it. */
void tracer_close(struct tracer *tracer);

/* The process: it traces until there is no thread left, and sends struct tracer_news. */
void tracer_serve(pid_t program, int fd);

#endif
