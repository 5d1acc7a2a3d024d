/* fleet_internal.h - copies the answer about one trace of many, and adds its name and labels. */
#ifndef FXTOP_FLEET_INTERNAL_H
#define FXTOP_FLEET_INTERNAL_H

#include "model/output/chars.h"
#include "model/output/fleet.h"

struct fleet_join {
    const struct fleet *fleet;
    FILE *out;
    struct chars line;  /* above the answer */
    struct chars cells; /* in each row */
    bool csv;           /* a line feed in quotes ends no row */
    bool head;          /* the next row is the head of CSV */
    bool begun, within, quoted;
};

/* trace: whose answer; NULL: bytes are copied as they are. The caller checks ferror(out). */
void fleet_join_begin(struct fleet_join *join, const struct fleet *fleet,
                      const struct fleet_trace *trace, FILE *out);
/* head: the bytes begin with the head of CSV. */
void fleet_join_put(struct fleet_join *join, const char *bytes, size_t n, bool head);
/* Ends half a line, and half a field in quotes. */
void fleet_join_end(struct fleet_join *join);

#endif
