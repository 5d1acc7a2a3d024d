/* recover.h - makes a trace of trace buffers as they were left in memory: fxtop record
 * --recover. */
#ifndef FXTOP_RECOVER_H
#define FXTOP_RECOVER_H

#include "src/base/err.h"

struct recovered {                            /* what the trace holds */
    uint64_t records, bytes, dropped, faults; /* faults: places at which records were given up */
    bool unplaced; /* some of the dropped records: it is not known when */
    bool doubted;  /* more are said to have been dropped than can be */
};

/* Reads n buffers from files and writes one trace. False with one line in err; *wrong is the path
 * that it is about. No output is made unless all of the buffers can be read. */
bool recover(char *const *paths, int n, const char *output, struct recovered *recovered,
             const char **wrong, struct err *err);

#endif
