/* keep_set.h - what a session keeps of several traces on one timeline: offsets and hosts. They are
 * needed before the traces are read, so they are taken from its text then. */
#ifndef FXTOP_KEEP_SET_H
#define FXTOP_KEEP_SET_H

#include "model/output/chars.h"
#include "model/trace/trace.h"

/* The lines; none of one trace. */
void keep_set_write(const struct trace *trace, struct chars *out);

struct keep_set { /* of n traces */
    size_t n;
    int64_t *offsets;
    uint16_t *worlds;
    bool *moved;  /* the text has an offset of it */
    bool *hosted; /* a value: the text has the hosts of all */
};

/* Takes what a text has; places that it has not keep their values. */
void keep_set_read(const char *text, struct keep_set *set);

#endif
