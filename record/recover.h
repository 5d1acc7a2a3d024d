/* recover.h - makes a trace of trace buffers as they were left in memory, or of a trace without
 * names: fxtop record --recover. */
#ifndef FXTOP_RECOVER_H
#define FXTOP_RECOVER_H

#include "src/base/err.h"
#include "src/import/profiles/symbols.h"

struct recovered {                            /* what the trace holds */
    uint64_t records, bytes, dropped, faults; /* faults: places at which records were given up */
    bool unplaced; /* some of the dropped records: it is not known when */
    bool doubted;  /* more are said to have been dropped than can be */
};

/* Reads n buffers from files and writes one trace. False with one line in err; *wrong is the path
 * that it is about. No output is made unless all of the buffers can be read. */
bool recover(char *const *paths, int n, const char *output, struct recovered *recovered,
             const char **wrong, struct err *err);

struct recovered_trace {
    uint64_t bytes;
    uint64_t found, missed; /* addresses of modules that had no name, and have one now, or none */
    const char *wrong;      /* the path that an error is about */
};

/* Whether a file is no buffer but a trace, also a compressed one. */
bool recover_is_trace(const char *path);
/* Writes a trace again, without what is cut or damaged at its end, and with the names that a source
 * knows. False with one line. */
bool recover_trace(const char *path, const char *output, const struct symbols_source *source,
                   struct recovered_trace *recovered, struct err *err);

#endif
