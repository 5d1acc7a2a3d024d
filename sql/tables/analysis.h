/* analysis.h - tables of answers that the model works out: slice_name, thread_life, gap,
 * critical_path(slice_id). */
#ifndef FXTOP_ANALYSIS_H
#define FXTOP_ANALYSIS_H

#include "model/query/stat/names_table.h"
#include "sql/table.h"

extern const struct table analysis_names, analysis_lives, analysis_gaps, analysis_path;

struct analysis_names {         /* the names of the slices, or operations, of a range */
    struct range range;         /* zero: all times and tracks */
    struct names_table numbers; /* counts, durations, percentiles */
    struct names_table covered; /* totals, once one is asked for: they cost several times as much */
    /* names of which all slices are damaged: rows of slice_name after the others, once `looked` */
    VEC(uint32_t) lacking;
    bool looked;
};

/* The rows of slice_name with their counts, worked out when they are first asked for; NULL:
 * stopped. */
struct analysis_names *analysis_names_of(struct source *source);
struct analysis_names *analysis_operations_of(struct source *source); /* the same of operations */
/* Works out counts for a caller that keeps them; they were zero. part: of a track, divides names
 * (names_table.h); or NULL. False: stopped. */
bool analysis_names_count(struct source *source, struct analysis_names *names, unsigned kinds,
                          uint32_t (*part)(const void *ctx, uint32_t track), const void *part_ctx);
void analysis_names_free(struct analysis_names *names);
/* The row of a name: of its measured slices, else of a profiler's; or AGGREGATE_ANY. */
uint32_t analysis_names_row(const struct analysis_names *names, struct aggregate_key key);
/* names_table_value(); the first percentile that is asked for works out all of them, as does the
 * first total. False also if stopped. The source notes slices of the name that have no duration. */
bool analysis_names_value(struct source *source, struct analysis_names *names, uint32_t row,
                          enum names_column column, int64_t *value);

#endif
