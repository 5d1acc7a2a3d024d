/* processes.h - the processes of a recording as a tree: commands, how long they lived and what they
 * used (SEMANTICS 8.4).
 *
 * Operations of one process that follow each other, as after an exec, are one row, called by the
 * last. Made in a task, for one version of the trace. */
#ifndef FXTOP_PROCESSES_H
#define FXTOP_PROCESSES_H

#include "model/trace/trace.h"

#define PROCESSES_NONE UINT32_MAX

enum processes_peak { PEAK_UNKNOWN, PEAK_SAMPLED, PEAK_WITH_CHILDREN, PEAK_EXACT };
enum processes_end { END_UNKNOWN, END_STATUS, END_SIGNAL };

struct processes_row {
    uint32_t parent; /* its row, which is before this one; or PROCESSES_NONE */
    unsigned depth;
    uint32_t process; /* place in the trace's processes */
    uint32_t name;
    int64_t start, end; /* ns relative to the reader's base; open: the end of the trace */
    bool open, has_cpu;
    uint64_t begin, last; /* offsets of records: of the last program's begin, of the end; 0: none */
    size_t text, length;  /* of the command line, in bytes */
    uint64_t cpu, peak;   /* ns; bytes */
    enum processes_peak of_peak;
    enum processes_end how;
    uint64_t status; /* or the signal */
};

struct processes {
    struct trace *trace;
    VEC(struct processes_row) rows; /* parents before their children, these by their begin */
    VEC(char) bytes;
};

/* Fills an empty struct, but for `trace`. */
void processes_make(struct task *task, struct processes *processes);
void processes_free(struct processes *processes);
/* The command line, or the name if it is not known; valid as the rows are. */
struct str processes_command(const struct processes *processes, const struct processes_row *row);

#endif
