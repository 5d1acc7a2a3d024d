/* analysis.h - tables of answers that the model works out: slice_name, thread_life, gap, critical_path(slice_id). */
#ifndef FXTOP_ANALYSIS_H
#define FXTOP_ANALYSIS_H

#include "model/query/stat/names_table.h"
#include "sql/table.h"

extern const struct table analysis_names, analysis_lives, analysis_gaps, analysis_path;

/* The answers of slice_name, worked out when they are first asked for; NULL: stopped. */
struct names_table *analysis_names_of(struct source *source);

#endif
