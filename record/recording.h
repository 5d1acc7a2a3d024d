/* recording.h - the command line of fxtop record (fxtop-record(1)). */
#ifndef FXTOP_RECORDING_H
#define FXTOP_RECORDING_H

#include <stdbool.h>
#include <sys/types.h>

#include "src/command_line.h"
#include "src/import/profiles/symbols.h"

struct recording_live { /* a recording in another process, to be shown as it grows */
    pid_t pid;          /* 0: there is none */
    const char *path;   /* of the trace */
    int messages;       /* its standard error */
    bool program;       /* it is of a program, rather than of whatever connects */
    const char *report; /* a file that was recorded, to be reported; NULL: none */
};

/* argv[0] is "record". ascii: messages are in ASCII. Returns the exit status: 125 if recording
 * itself failed. With --live the recording goes on in another process: live->pid is set, and the
 * caller shows the trace. With --report the caller prints what live->report has. */
int recording_main(int argc, char **argv, bool ascii, struct recording_live *live);
/* After the screen has closed: asks whether to stop a recording that goes on, and returns its exit
 * status. */
int recording_live_end(struct recording_live *live);

/* Names for finished traces, from files in a folder (record/watch/finder.h). NULL with one line: it
 * is no folder, or this program finds no names. */
struct recording_names *recording_names_open(const char *folder, bool ascii, struct err *err);
void recording_names_close(struct recording_names *names); /* may be NULL */
const struct symbols_source *recording_names_source(const struct recording_names *names);
/* The first module whose file is damaged; NULL: none. *n: how many are. */
const char *recording_names_bad(const struct recording_names *names, unsigned *n);

/* The options of fxtop record; none on systems that cannot record. */
struct command_line_table recording_table(void);

#endif
