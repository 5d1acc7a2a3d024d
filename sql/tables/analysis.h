/* analysis.h - tables of answers that the model works out: slice_name, thread_life, gap, critical_path(slice_id). */
#ifndef FXTOP_ANALYSIS_H
#define FXTOP_ANALYSIS_H

#include "model/query/stat/names_table.h"
#include "sql/table.h"

extern const struct table analysis_names, analysis_lives, analysis_gaps, analysis_path;

/* The rows of slice_name with counts and sums, worked out when they are first asked for; NULL: stopped. */
struct names_table *analysis_names_of(struct source *source);
/* names_table_value(); the first percentile that is asked for works out all of them. False also if stopped. */
bool analysis_names_value(struct source *source, struct names_table *names, uint32_t row, enum names_column column,
                          int64_t *value);

#endif
