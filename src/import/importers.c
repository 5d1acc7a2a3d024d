/* importers.c - the table of importers. The first one whose sniff() accepts the source converts
 * it. */
#include "src/import/importers.h"

#include "src/import/chrome/event_json.h"
#include "src/import/kernel/ftrace.h"
#include "src/import/kernel/perf.h"
#include "src/import/kernel/strace.h"
#include "src/import/perfetto/perfetto.h"
#include "src/import/profiles/collapsed.h"
#include "src/import/tables/nsys.h"
#include "src/import/tables/table.h"

const struct importer *const importers[] = {
#ifdef HAVE_SQLITE
    &nsys,
#endif
    &perfetto, &event_json, &strace, &perf, &ftrace, &table, &collapsed, NULL};
