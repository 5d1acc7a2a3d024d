/* between_relation.h - the rows of a comparison of traces as a relation: to print, and on the
 * screen. */
#ifndef FXTOP_BETWEEN_RELATION_H
#define FXTOP_BETWEEN_RELATION_H

#include "model/output/chars.h"
#include "model/output/relation.h"
#include "model/query/stat/between/between.h"

enum between_column {
    COMPARED_NAME,
    COMPARED_KIND,
    COMPARED_COUNT_A,
    COMPARED_COUNT_B,
    COMPARED_RATE_A, /* slices per second */
    COMPARED_RATE_B,
    COMPARED_RATE_BY,
    COMPARED_TOTAL_A,
    COMPARED_TOTAL_B,
    COMPARED_TOTAL_BY,
    COMPARED_P50_A,
    COMPARED_P50_B,
    COMPARED_P50_BY,
    COMPARED_P99_A,
    COMPARED_P99_B,
    COMPARED_P99_BY,
    COMPARED_P,
    COMPARED_VERDICT,
    COMPARED_CONTAINS,
    COMPARED_PROCESS, /* from here on: of pools of threads */
    COMPARED_THREAD,
    COMPARED_COLUMNS
};

extern const struct relation_column between_relation_columns[COMPARED_COLUMNS];

/* A cell. texts: changes and probabilities are texts for a reader: "+10.0%"; else numbers: 0.1. */
void between_relation_get(const struct between *between, uint64_t row, enum between_column column,
                          bool texts, struct relation_value *value);

/* The reason of a change as safe text: "step +600 ms: big +600 ms (6 calls)". False: nothing else
 * is known to have made it; its own time is said then. */
bool between_relation_reason(const struct between *between, const struct between_row *row,
                             bool ascii, struct chars *out);
/* "0.3177", "< 0.0001". Returns buf. */
const char *between_relation_p(double probability, char buf[16]);

#endif
