/* processes_list.h - the tree of processes (processes.h) as a relation: commands, below their
 * parents, with what they used. Its context is a struct processes. */
#ifndef FXTOP_PROCESSES_LIST_H
#define FXTOP_PROCESSES_LIST_H

#include "model/output/relation.h"
#include "model/query/stat/tables/processes.h"

enum processes_column {
    PROCESSES_COMMAND,
    PROCESSES_WALL,
    PROCESSES_CPU,
    PROCESSES_PEAK,
    PROCESSES_PEAK_OF,
    PROCESSES_END,
    PROCESSES_BEGIN,
    PROCESSES_PID,
    PROCESSES_PARENT,
    PROCESSES_DEPTH,
    PROCESSES_COLUMNS
};

extern const struct relation_column processes_list_columns[PROCESSES_COLUMNS];
extern const struct relation processes_list;
/* A line a process for a reader, or that there are none. */
void processes_list_print(struct trace *trace, FILE *out, bool ascii);

#endif
