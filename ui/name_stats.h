/* same.h - how the selected slice or async operation stands among those of its name, found out while nothing else is to
 * do. Slices: of all threads. Operations: of all groups. What has no end yet is not among them. */
#ifndef FXTOP_NAME_STATS_H
#define FXTOP_NAME_STATS_H

#include "model/trace/trace.h"
#include "src/base/quantiles.h"
#include "ui/timeline/selection.h"

struct name_stats {
    struct quantiles quantiles; /* lengths in ns */
    int64_t total;        /* of them; INT64_MAX where that is more */
    uint32_t threads;     /* that they are on; of operations 0 */
    /* what it is about */
    bool any, gathered;
    enum selection_kind kind;
    uint32_t of;      /* name */
    uint64_t version; /* of the trace */
    /* where gathering goes on; of operations the group instead of the thread */
    uint32_t thread, row, i, counted;
};

void name_stats_free(struct name_stats *same);
/* A step of the work for what is selected, about 100 ns a unit; true while there is more. *news: an answer is there
 * that was not before. */
bool name_stats_step(struct name_stats *same, struct trace *trace, const struct selection *selection, uint64_t budget,
                     bool *news);
/* Those of the selected one's name, in order; NULL: not yet, or nothing of the kind is selected. */
const struct name_stats *same_of(const struct name_stats *same, struct trace *trace, const struct selection *selection);

#endif
