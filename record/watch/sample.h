/* sample.h - counters of the program and its descendants, from /proc: CPU time, waiting for it,
 * memory, I/O, threads.
 *
 * A sample costs some us for each process. The interval grows so that sampling takes less than a
 * hundredth of a processor. */
#ifndef FXTOP_SAMPLE_H
#define FXTOP_SAMPLE_H

#include <sys/types.h>

#include "record/output.h"
#include "record/ticks.h"
#include "src/base/u64map.h"

#define SAMPLE_UNREACHED 5 /* processes that are named */

struct sampled { /* a process */
    uint32_t pid, parent;
    uint64_t since;   /* ns: it was found; 0: the program. Others have counters after an interval */
    uint64_t at, cpu; /* ns: of the last sample, and its CPU time then */
    uint64_t ts;      /* ticks of that sample */
    uint64_t read, written; /* bytes in all */
    bool known, alive;
    bool single;     /* it had one thread at the last sample */
    uint64_t waited; /* ns that its threads were runnable without a processor */
    double percent, reading, writing, waiting; /* the counters as they were written last */
    uint64_t rss, threads;
    bool has_percent, has_io, has_rss, has_waiting; /* they were written */
    unsigned looks;                                 /* at whether it can connect */
    bool unreached;                                 /* it cannot, and has the library */
    char name[16];                                  /* as it was written last */
    uint64_t life; /* id of the operation that shows it, under that name; 0: none */
};

/* Processes with the library that cannot connect. */
struct sample_unreached {
    struct {
        uint32_t pid;
        char name[16];
        int error; /* that the library named; EPERM: it is another user's; 0: it sees no socket */
    } first[SAMPLE_UNREACHED];
    unsigned n; /* all */
};

struct sample {
    VEC(struct sampled) v;
    uint64_t interval, next; /* ns */
    bool silent;    /* nothing is written: it only looks for processes that do not see the socket */
    uint64_t begun; /* ns: the first sample; 0: none so far */
    uint64_t earliest; /* ticks: lives that began before it begin there */
    bool names;        /* the kernel's records lack them: names and lives are written, too */
    uint64_t lives;
    const char *socket; /* from the root; NULL: there is none */
    bool reached;       /* some provider has connected */
    uint32_t blind;     /* the first process that does not see the socket; 0: none so far */
    char blind_name[16];
    bool (*is_traced)(void *ctx, uint32_t pid); /* NULL: none is */
    void *ctx;
    struct sample_unreached unreached;
    struct u64map unreached_pids;
};

/* interval: 0 makes it silent. A counter is written when it changes. Most processes never have more
 * than one thread, or read or write anything: then these counters are left out. */
void sample_open(struct sample *sample, pid_t pid, uint64_t interval, bool names);
/* Adds a process that runs already. */
void sample_add(struct sample *sample, uint32_t pid, uint32_t parent);
void sample_close(struct sample *sample);
/* Counts a process that could not connect, once, and writes the loss. */
void sample_unreached(struct sample *sample, uint32_t pid, const char *name, int error,
                      struct output *output, const struct ticks *ticks);
/* Whether samples are to come. */
bool sample_goes_on(const struct sample *sample);
/* ns to the next sample: sooner at the begin of a recording, which was so long ago; later if a
 * sample took much CPU time. */
uint64_t sample_pause(uint64_t interval, uint64_t since, uint64_t took);
/* A sample of all processes that live, if it is time for one. The first ones come sooner than at
 * the interval, so that a program that runs for a short time has some. Its children have counters
 * once they have lived for an interval. */
void sample_take(struct sample *sample, struct output *output, const struct ticks *ticks,
                 uint64_t now);

/* The command line of a process, in `to`, if it still has that name; else "". */
#define SAMPLE_COMMAND 1000
struct str sample_command(uint32_t pid, const char *name, char *to, size_t size);
/* That of a process whose exec was just reported: waits some ms for it if it has none yet. */
struct str sample_executed(uint32_t pid, const char *name, char *to, size_t size);

#endif
