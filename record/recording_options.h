/* recording_options.h - the options of fxtop record (fxtop-record(1)). One table makes the parser
 * and --help. */
#ifndef FXTOP_RECORDING_OPTIONS_H
#define FXTOP_RECORDING_OPTIONS_H

#include <stdio.h>
#include <sys/types.h>

#include "provider/wire.h"
#include "record/preload.h"
#include "src/base/err.h"
#include "src/base/vec.h"
#include "src/command_line.h"

struct recording_options {
    const char *output; /* "trace.fxt" */
    const char *listen; /* the socket; "": where --listen listens by default; NULL: not given */
    enum wire_mode mode;
    uint64_t buffer_size, max_size; /* bytes; max_size 0: nine tenths of the free disk */
    uint64_t duration, timeout;     /* ns; duration 0: none */
    const char *until;              /* an alert */
    const char *until_filter;       /* of events; NULL: none */
    VEC(const char *) categories;
    uint64_t sample;       /* ns between counters; 0: none */
    uint64_t stacks;       /* ns of CPU time between samples of stacks; 0: none */
    char symbols[4096];    /* a folder with files that have names of functions; "": none */
    bool syscalls, ptrace; /* by events of the kernel, or by stopping the program */
    bool stacks_asked;     /* by name: all that is missing is said */
    VEC(pid_t) pids;       /* processes that run already */
    bool all;              /* all of them */
    struct preload_options preload;
    bool wait, no_sched, log, live, recover, report, help;
    char **rest; /* the program and its arguments, or buffers */
    int nrest;
};

/* Strings point into argv. Fails with one line. */
bool recording_options_parse(struct recording_options *options, int argc, char **argv, bool ascii,
                             struct err *err);
void recording_options_free(struct recording_options *options);
void recording_options_help(FILE *out);
struct command_line_table recording_options_table(void);

#endif
