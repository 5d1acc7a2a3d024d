/* same.h - how the selected async operation stands among those of its group, sorted while nothing else is to do. */
#ifndef FXTOP_SAME_H
#define FXTOP_SAME_H

#include "model/spread.h"
#include "model/trace.h"
#include "ui/line.h"

struct same {
    struct spread spread;
    bool any;
    uint32_t group;   /* that it is of */
    uint64_t version; /* of the trace */
};

void same_free(struct same *same);
/* A step of the work for what is selected; true while there is more. *news: an answer is there that was not before. */
bool same_step(struct same *same, struct trace *trace, const struct pick *pick, uint64_t budget, bool *news);
/* The operations of the selected one's group in order; NULL: not yet, or none is selected. */
const struct spread *same_of(const struct same *same, const struct trace *trace, const struct pick *pick);

#endif
