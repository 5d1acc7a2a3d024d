/* only_providers.h - the names of --providers. */
#ifndef FXTOP_ONLY_PROVIDERS_H
#define FXTOP_ONLY_PROVIDERS_H

#include "model/trace/trace.h"

/* The names of a list, "ktrace,app", which has to last; empty ones are left out. To be freed by
 * only_providers_free(). */
struct reader_providers only_providers(const char *list);
void only_providers_free(struct reader_providers providers);

/* Whether a trace that was read to its end has all wanted providers. If not, err has one line with
 * those that it has. A note on standard error has the number of those that are passed over. */
bool only_providers_check(const char *path, struct trace *trace, bool ascii, struct err *err);

#endif
