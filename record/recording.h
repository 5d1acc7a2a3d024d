/* recording.h - the command line of fxtop record (fxtop-record(1)). */
#ifndef FXTOP_RECORDING_H
#define FXTOP_RECORDING_H

#include <stdbool.h>
#include <sys/types.h>

#include "src/command_line.h"

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

/* The options of fxtop record; none on systems that cannot record. */
struct command_line_table recording_table(void);

#endif
