/* traces_sides.h - both sides of a name in two traces: its numbers, and its longest slices as a
 * table.
 *
 * It borrows both traces and remembers texts and numbers of the row, so that the comparison may be
 * made again meanwhile. */
#ifndef FXTOP_TRACES_SIDES_H
#define FXTOP_TRACES_SIDES_H

#include "model/query/answer.h"
#include "model/query/stat/between/two_traces.h"
#include "model/query/stat/instances.h"
#include "ui/views/view.h"

#define TRACES_SIDES_KEPT 100 /* slices a side */

struct traces_side {
    struct trace *trace;
    bool any;        /* the trace has the name */
    unsigned kind;   /* of its slices */
    uint32_t number; /* of the name */
    struct slice_group group;
    struct instances list;
};

struct traces_lists { /* the data of an answer */
    const struct range *whole;
    struct traces_side side[BETWEEN_SIDES];
};

struct traces_sides {
    struct app *app;
    struct table table;
    bool open;
    uint64_t opened;   /* counted */
    char *path, *name; /* the file of A; the name, with a NUL */
    size_t n;          /* bytes of the name */
    struct between_row row;
    struct trace_names_row like; /* to find it again; borrows `name` */
    struct range whole;
    struct answer lists; /* of one version of B */
};

void traces_sides_init(struct traces_sides *sides, struct app *app);
void traces_sides_free(struct traces_sides *sides);
/* Shows a row of an answer; A is two->other. */
void traces_sides_open(struct traces_sides *sides, const struct two_traces *two, const char *path,
                       const struct between *answer, const struct between_row *row);
/* Takes the row over from the next answer, of a later version of B; closes if it is gone. */
void traces_sides_again(struct traces_sides *sides, const struct two_traces *two,
                        const struct between *answer);
void traces_sides_close(struct traces_sides *sides);
/* true: there is more to do */
bool traces_sides_step(struct traces_sides *sides);
void traces_sides_draw(struct traces_sides *sides);
/* To the current slice in B; of A it gives the command that opens it. True: the timeline is
 * shown. */
bool traces_sides_enter(struct traces_sides *sides);
/* The record of the current slice, if it is of B. */
bool traces_sides_record(struct traces_sides *sides, uint64_t *offset);

#endif
