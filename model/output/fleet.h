/* fleet.h - one question asked of many traces, with the answers in the order of the traces.
 *
 * Each trace of several is read by a process of its own. So one that crashes or takes too much
 * memory does not stop the rest. At most `jobs` of them run at a time. Their output is kept in
 * files without a name until it is printed. */
#ifndef FXTOP_FLEET_H
#define FXTOP_FLEET_H

#include <stdbool.h>

#include "model/output/relation.h"
#include "src/base/vec.h"

#define FLEET_JOBS 64 /* traces that are read at a time, at most */

struct fleet_list {
    VEC(char) text; /* of a list in a file; the paths point into it */
    VEC(const char *) paths;
};

/* Adds the paths that a file lists, "-": standard input. They end with NUL if there is one in the
 * file, else with a line feed; empty ones are left out. The text must be empty. */
bool fleet_read(struct fleet_list *list, const char *path, struct err *err);
void fleet_free(struct fleet_list *list);

struct fleet {
    const struct fleet_list *list;
    unsigned jobs;
    enum relation_format format;
    /* Prints the answer of one trace to standard output, faults to standard error; returns an exit
     * status. */
    int (*ask)(void *ctx, const char *path);
    void (*complain)(void *ctx, const char *path, const struct err *err);
    void *ctx;
};

/* Whether the temporary file of an answer leaves the disk its reserve; true of an answer that goes
 * nowhere else. */
bool fleet_fits(void);
/* The greatest status. CSV and Markdown get one head; a trace whose head differs from it has status
 * 2. */
int fleet_run(const struct fleet *fleet);

#endif
