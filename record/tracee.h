/* tracee.h - one provider as the manager sees it: its connection, its state, its buffer
 * (fxttrace(7), "States").
 *
 * Nothing that a provider sends is trusted. A provider that breaks the protocol is aborted: it gets
 * TERMINATE, and its data is ignored from then on. All descriptors are non-blocking. */
#ifndef FXTOP_TRACEE_H
#define FXTOP_TRACEE_H

#include <sys/types.h>

#include "record/output.h"
#include "record/readout.h"
#include "record/ticks.h"
#include "record/watch/numbers.h"

enum tracee_state {
    TRACEE_NEW, /* connected, not registered */
    TRACEE_READY,
    TRACEE_INITIALIZED,
    TRACEE_STARTING,
    TRACEE_STARTED,
    TRACEE_STOPPING,
    TRACEE_STOPPED,
    TRACEE_TERMINATED, /* nothing more comes from it; the rest of its buffer is being taken */
    TRACEE_GONE,       /* all is taken and closed */
};

enum tracee_taking { TAKES_NOTHING, TAKES_NEWS, TAKES_SAVE, TAKES_REST };

struct tracee {
    enum tracee_state state;
    uint32_t id; /* in the file */
    int control, packets;
    int watch;              /* of its death; -1: none */
    pid_t pid;              /* by the kernel */
    struct numbers numbers; /* of its threads, in another pid namespace */
    char name[WIRE_NAME_MAX + 1];
    const void *buffer; /* mapped for reading; NULL: none */
    struct readout readout;
    bool reads; /* the readout is open */
    enum tracee_taking taking;
    struct wire_packet answer; /* to a save, when all is taken */
    bool was_started;          /* STARTED has come since the last START */
    bool has_rest;             /* after a save, too: */
    enum readout_when rest;
    bool paused; /* it was stopped, and is to be started again */
    /* number of records in the file's events about losses, since the last start */
    uint64_t dropped;
    /* until the last start; faults: places that could not be read, with a loss record each */
    uint64_t dropped_before, faults_before;
    uint64_t early;                    /* records that it dropped before its session */
    uint64_t since;                    /* ns of CLOCK_MONOTONIC: it connected */
    bool false_count;                  /* it claims to have dropped more records than can be */
    bool missed;                       /* it ended, or was given up, before it was started */
    bool came_late;                    /* its connection waited for so long that events are lost */
    enum wire_disposition disposition; /* of the last start */
    uint64_t taken_until; /* ns of CLOCK_MONOTONIC: when its data were allowed to come, at 1 GB/s */
    uint64_t save_at;     /* ns: the save begins then, because more came; 0: at once */
    uint64_t deadline;    /* ns of CLOCK_MONOTONIC: of REGISTER, STARTED, STOPPED; 0: none */
    bool died, late;      /* it ended without stopping; it did not answer in time */
    int signal;           /* that has ended it; 0: none is known */
    bool named;           /* in the file */
    char fault[120];      /* why it was aborted; "": it was not */
};

#define TRACEE_REPORTS 20 /* providers of each sort that have lines of their own */

struct tracee_reports { /* providers */
    /* that did not end as they should, or are damaged; that dropped records */
    unsigned bad_ends, droppers;
};

struct tracee_config { /* of the session, borrowed */
    enum wire_mode mode;
    uint64_t buffer_size;
    const char *const *categories;
    unsigned ncategories;
    const struct ticks *ticks;
};

/* Takes over a connection; false: it is of another user, and closed. */
bool tracee_accept(struct tracee *tracee, int control, uint32_t id);
/* Refuses a connection: enum wire_status. */
void tracee_refuse(int control, uint32_t status);

/* Reads one control message. runs: the session is on, so the provider is initialized and started at
 * once. */
void tracee_control(struct tracee *tracee, const struct tracee_config *config, bool runs);
/* Reads one packet. *alert: a name, if it was one; else "". */
void tracee_packet(struct tracee *tracee, const struct tracee_config *config,
                   char alert[WIRE_ALERT_MAX + 1]);
/* Begins to take new records, if nothing is being taken. */
void tracee_news(struct tracee *tracee);
/* A step of what is being taken, into the file; true: there is more. *got: bytes were written. */
bool tracee_take(struct tracee *tracee, struct output *output, struct readout_news *news,
                 bool *got);

/* The time at which it has to be looked at without an event, or `until` if that is earlier. */
uint64_t tracee_due(const struct tracee *tracee, uint64_t until);

void tracee_stop(struct tracee *tracee, uint64_t deadline);
/* Stops it for a while; and starts it again, or for the first time, once what it had written is
 * taken. */
void tracee_pause(struct tracee *tracee, uint64_t deadline);
void tracee_resume(struct tracee *tracee, const struct tracee_config *config);
/* Ends the connection; what is in the buffer is taken. */
void tracee_terminate(struct tracee *tracee);
/* Lines on standard error about one that has ended, if few of each sort had any so far. */
void tracee_report(const struct tracee *tracee, struct tracee_reports *told, bool ascii);
void tracee_free(struct tracee *tracee);

#endif
