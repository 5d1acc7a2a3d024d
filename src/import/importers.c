/* importers.c - the table of importers. The first one whose sniff() accepts the source converts
 * it. */
#include "src/import/importers.h"

#include "src/import/collapsed.h"
#include "src/import/event_json.h"
#include "src/import/ftrace.h"
#include "src/import/nsys.h"
#include "src/import/perf.h"
#include "src/import/perfetto/perfetto.h"
#include "src/import/strace.h"
#include "src/import/table.h"

const struct importer *const importers[] = {
#ifdef HAVE_SQLITE
    &nsys,
#endif
    &perfetto, &event_json, &strace, &perf, &ftrace, &table, &collapsed, NULL};
