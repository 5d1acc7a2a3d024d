/* compare_pane.h - changes of a name between two ranges.
 *
 * It shows the reason of the change, the children for each call, and the durations on both sides.
 * Below is whether these differ by more than chance, and the longest slice of each.
 *
 * The answer to a question about one row of a comparison (compare.h), which must stay while this is
 * in use. Children are the slices whose parent has the name, recursion counted once. */
#ifndef FXTOP_COMPARE_PANE_H
#define FXTOP_COMPARE_PANE_H

#include "model/query/answer.h"
#include "model/query/stat/between/compare.h"
#include "model/query/stat/spread.h"
#include "model/query/stat/two_samples.h"
#include "ui/session.h"

/* a child name; or the time without children, the rest that does not fit, or the sum */
struct compare_child {
    uint32_t name;
    uint32_t others; /* names that are not drawn; 0: it is one name */
    bool self, sum;
    bool any[COMPARE_SIDES];
    int64_t ns[COMPARE_SIDES]; /* for each call */
};

struct compare_pane {
    const struct compare *compare; /* the owner sets both */
    uint32_t row;
    uint32_t name;
    struct slice_group group; /* by name */
    struct names_table children[COMPARE_SIDES];
    struct spread spreads[COMPARE_SIDES];
    struct instances worst[COMPARE_SIDES];
    struct two_samples samples;          /* of the durations that the verdict is of */
    VEC(struct compare_child) by_change; /* once it is done: the greatest change first */
    bool done;
};

extern const struct answer_ops compare_pane_ops;

/* NULL: there is no answer so far. */
void compare_pane_draw(struct app *app, const struct compare_pane *pane, int y, int rows);
/* The range of a side: "A  from +0.000000 s  1.000 s  3 of 48 tracks". */
void compare_pane_side(struct app *app, const struct range *range, enum compare_side side, int y);
/* The longest slice of a side, once done; false: there is none. */
bool compare_pane_worst(const struct compare_pane *pane, enum compare_side side,
                        struct instance *worst);

#endif
