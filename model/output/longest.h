/* longest.h - the slices that a filter holds for, the longest first, without a screen: --instances
 * (EXPORT 6.7).
 *
 * The trace must be complete. False if out cannot be written; errno has the reason. */
#ifndef FXTOP_LONGEST_H
#define FXTOP_LONGEST_H

#include "model/output/top.h"

bool longest_print(struct trace *trace, const struct question *asked,
                   const struct table_request *request, FILE *out);

#endif
