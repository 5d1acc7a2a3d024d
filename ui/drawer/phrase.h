/* phrase.h - threads, slices and flows in the words of tables and of the drawer. Times are ns. */
#ifndef FXTOP_PHRASE_H
#define FXTOP_PHRASE_H

#include "model/query/flow_slice.h"
#include "src/base/units.h"
#include "ui/session.h"

#define PHRASE_TEXT 400 /* bytes of names joined in a cell */

/* "main", or "main/2107" with its id: before_id is "/", or NULL for none. "thread 2107" if it has
 * no name; "auth 3", with its process, if an importer made the id; "-" for NO_THREAD. The bytes of
 * the names are the trace's. buf has at least 64 bytes. */
struct str phrase_thread(struct trace *trace, uint32_t thread, const char *before_id, char *buf,
                         size_t cap);
/* The name of the slice that a point belongs to, or of that at a stop of a flow; "": there is
 * none. */
struct str phrase_slice(struct trace *trace, const struct trace_point *point);
struct str phrase_place(struct trace *trace, const struct flow_slice_place *place);
/* a, between and b in buf, cut at its end. a may lie in buf. */
struct str phrase_join(char *buf, size_t cap, struct str a, const char *between, struct str b);

/* "rank 6 of 742 (p99.3)": 1 is the longest; the percentage of the others that are shorter. "the
 * only one" of one. */
const char *phrase_rank(const struct quantiles *all, int64_t value, char buf[80]);

const char *phrase_flow_state(const struct flow *flow);

struct phrase { /* a text of one look */
    enum role role;
    char text[80];
};
#define PHRASE_DAMAGED "  damaged time: not counted"
#define PHRASE_FLOW 6
/* The facts of a flow, for one line: state, points, total, its parts, its rank if it has one, in
 * flight. Returns how many phrases there are. */
int phrase_flow(struct app *app, uint32_t flow, struct phrase words[PHRASE_FLOW]);

#endif
