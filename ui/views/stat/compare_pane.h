/* compare_pane.h - changes of a name between two ranges: its children for each call, the durations of its slices on
 * both sides, and the longest one of each.
 *
 * Computed in steps for one row of a comparison (model/query/stat/compare.h), which must stay while this is in use.
 * Children are the slices whose parent has the name, recursion counted once. */
#ifndef FXTOP_COMPARE_PANE_H
#define FXTOP_COMPARE_PANE_H

#include "model/query/filter/filter_match.h"
#include "model/query/stat/compare.h"
#include "model/query/stat/spread.h"
#include "ui/session.h"

struct compare_pane {
    const struct compare *compare; /* NULL: nothing was asked */
    uint32_t row;
    uint64_t version;           /* of the trace; the owner begins again when that changes */
    struct filter *filter;      /* parent="NAME" */
    struct filter_match *match;
    struct slice_group group;   /* by name */
    struct names_table children[COMPARE_SIDES];
    struct spread spreads[COMPARE_SIDES];
    struct instances worst[COMPARE_SIDES];
    bool done;
};

void compare_pane_free(struct compare_pane *pane);
void compare_pane_begin(struct compare_pane *pane, const struct compare *compare, uint32_t row);
bool compare_pane_step(struct compare_pane *pane, struct budget *budget); /* true: done */
void compare_pane_draw(struct app *app, const struct compare_pane *pane, int y, int rows);
/* The longest slice of a side, once done; false: there is none. */
bool compare_pane_worst(const struct compare_pane *pane, enum compare_side side, struct instance *worst);

#endif
