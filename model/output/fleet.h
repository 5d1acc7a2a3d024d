/* fleet.h - one question asked of many traces, with the answers in the order of the traces.
 *
 * Each trace of several is read by a process of its own. So one that crashes or takes too much
 * memory does not stop the rest. At most `jobs` of them run at a time, and no more than memory is
 * free for. Their output is kept in files without a name until it is printed. */
#ifndef FXTOP_FLEET_H
#define FXTOP_FLEET_H

#include <stdbool.h>

#include "model/output/relation.h"
#include "src/base/vec.h"

#define FLEET_JOBS 64   /* traces that are read at a time, at most */
#define FLEET_LABELS 16 /* columns of --label, at most */

struct fleet_trace {
    const char *name; /* its label, or the path */
    const char *path;
    char *file; /* of its answer in a folder: fleet_name_files() */
};

struct fleet_list {
    VEC(char) text; /* of a list in a file; the names and paths point into it */
    VEC(struct fleet_trace) traces;
};

void fleet_add(struct fleet_list *list, const char *path);
/* Adds the traces that a file lists, "-": standard input. Entries end with NUL if there is one in
 * the file, else with a line feed, also after a carriage return. Empty ones are left out. An
 * entry is a path, or a name, a tab and a path. The text must be empty. */
bool fleet_read(struct fleet_list *list, const char *path, struct err *err);
void fleet_free(struct fleet_list *list);

/* Gives each a file for its answer in the folder: its name without folder and the endings of
 * traces, with a number if others have it, and this ending. */
void fleet_name_files(struct fleet_list *list, const char *folder, const char *ending);

/* How the name of a trace comes to its answer. */
enum fleet_how {
    FLEET_OWN,   /* the answer has it */
    FLEET_ROWS,  /* as a first column of CSV and ndjson; above a table */
    FLEET_TEXT,  /* in a line above */
    FLEET_STACKS /* as the first frame of each line */
};

struct fleet {
    const struct fleet_list *list;
    unsigned jobs;
    enum relation_format format;
    enum fleet_how how;
    bool named; /* the answer about a single trace is joined with its name, too */
    const char *labels[FLEET_LABELS]; /* "host=a": further columns, before all others */
    int nlabels;
    bool ascii;
    /* Prints the answer of one trace to standard output, faults to standard error; returns an exit
     * status. */
    int (*ask)(void *ctx, const struct fleet_trace *trace);
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
