/* analysis.h - tables of answers that the model works out: slice_name, thread_life, gap, critical_path(slice_id). */
#ifndef FXTOP_ANALYSIS_H
#define FXTOP_ANALYSIS_H

#include "sql/table.h"

extern const struct table analysis_names, analysis_lives, analysis_gaps, analysis_path;

#endif
