/* report_page.h - one page about a recording, to be pasted into a report: the summary, the tree of
 * processes, the heaviest stacks, the slowest slices (fxtop record --report).
 *
 * The trace must be complete. False if out cannot be written; errno has the reason. */
#ifndef FXTOP_REPORT_PAGE_H
#define FXTOP_REPORT_PAGE_H

#include <stdio.h>

#include "model/trace/trace.h"

bool report_page(struct trace *trace, FILE *out, bool ascii);

#endif
