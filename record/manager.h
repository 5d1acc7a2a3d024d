/* manager.h - a recording: providers connect, their records go into one file, until something ends
 * it.
 *
 * One thread and one poll() do all of it. A provider gets one step of readout_step() a turn, so
 * none keeps others waiting. Times are ns of CLOCK_MONOTONIC. */
#ifndef FXTOP_MANAGER_H
#define FXTOP_MANAGER_H

#include "record/child.h"
#include "record/preload.h"
#include "record/tracee.h"
#include "record/until.h"
#include "record/watch/attach.h"
#include "record/watch/sample.h"
#include "record/watch/switches.h"
#include "record/watch/unseen.h"

struct manager_options { /* borrowed */
    /* listen: the socket's path; NULL: a directory of its own is made */
    const char *output, *listen;
    void (*listens)(const char *path, bool ascii); /* called once providers may connect; or NULL */
    char *const *argv;                             /* the program; NULL: none */
    struct attach *attach;                         /* processes that run already; NULL: none */
    const struct preload *preload;                 /* into it; NULL: nothing */
    enum wire_mode mode;
    uint64_t buffer_size;
    const char *const *categories;
    unsigned ncategories;
    uint64_t duration;        /* ns; 0: none */
    const char *until;        /* an alert; NULL: none */
    const char *until_filter; /* of events; NULL: none */
    uint64_t max_size;
    uint64_t timeout;    /* ns that providers have for stopping */
    bool wait;           /* for all providers after the program's end */
    bool switches;       /* context switches of the program */
    uint64_t stacks;     /* ns of CPU time between samples of its stacks; 0: none */
    const char *symbols; /* a folder with more files that have names; NULL: none */
    bool ptrace;         /* system calls by ptrace(2) */
    bool syscalls;       /* of it */
    bool stacks_asked;   /* all of them that is missing is printed */
    uint64_t sample;     /* ns between counters of it; 0: none */
    bool to_error;       /* standard output of the program goes to standard error */
    bool log;            /* the output of the program becomes log records */
    int log_to[2];       /* and goes on there; -1: nowhere */
    bool no_input;       /* the program has none */
    bool live;           /* a screen follows the file: ticks do not become rare */
    int ready;           /* closed when the file is there; -1: none */
    bool ascii;
};

struct manager_result {
    unsigned providers, died, late, aborted;
    unsigned refused;          /* connections that were one too many; a provider tries again */
    unsigned late_connections; /* accepted when others had ended: events before that are lost */
    unsigned strangers;        /* connections of other users */
    size_t room;               /* providers that there can be at once */
    struct tracee_reports told;
    unsigned missed;       /* providers that had gone when their buffer was to be sent */
    uint64_t faults;       /* damaged places of buffers */
    unsigned unregistered; /* connections without a provider's name, in time and in due form */
    uint64_t records, threads, bytes, dropped, took; /* took: ns */
    uint64_t missing; /* records that came when the file was full, or could not be written */
    struct switches_sums sums;
    uint64_t processes;             /* that they are of; 0: not known */
    uint64_t samples, lost_samples; /* of stacks */
    uint64_t lost_switches, lost_wakes;
    uint64_t lost_calls; /* begins and ends of system calls */
    struct err no_calls; /* why they are missing; text is "" if they are not */
    char heaviest[256];  /* the function that most of them were in; "": not known */
    uint64_t heaviest_samples;
    char unnamed[256]; /* the first file whose names could not be read because of a fault in it */
    unsigned nunnamed; /* such files */
    int unaccepted; /* errno of the last connection that could not be accepted; 0: there was none */
    int lost_output; /* errno of the program's output that could not be passed on; 0: all was */
    struct unseen_programs unseen; /* whose context switches ended before they did */
    uint32_t blind; /* a process that did not see the socket; 0: all did, as far as is known */
    char blind_name[16];
    struct sample_unreached unreached;
    char until[UNTIL_TEXT]; /* the event that ended it; "": none did */
    bool limit;             /* the file has reached its size */
    bool left_alone;        /* the program goes on */
    bool left_others;       /* it has ended, and processes that it started go on */
    int exec_error;         /* errno of exec(); 0: the program began */
    int status;             /* of the program */
    int signal;             /* that ended it; 0: none */
    bool core;              /* its memory was kept */
};

/* Records. False with one line in err: the recording failed; what is in the file stays. Notices go
 * to standard error at the end. */
bool manager_run(const struct manager_options *options, struct manager_result *result,
                 struct err *err);

/* At the end of the process without memory: writes what is whole, and removes the socket. */
void manager_rescue(void);

#endif
