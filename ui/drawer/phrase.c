/* phrase.c - threads, slices and flows in the words of tables and of the drawer. */
#include "ui/drawer/phrase.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/timeline/draw_gutter.h"

struct str phrase_join(char *buf, size_t cap, struct str a, const char *between, struct str b) {
    struct str parts[3] = {a, str_of(between), b};
    size_t n = 0;
    for (int i = 0; i < 3; i++) {
        size_t room = cap - n, k = parts[i].n < room ? parts[i].n : room;
        memmove(buf + n, parts[i].s, k);
        n += k;
    }
    return (struct str){buf, n};
}

/* A row that an importer made is called by its process, too: others have rows of the same name. */
static struct str phrase_row(struct trace *trace, const struct thread *t, struct str name,
                             char *buf, size_t cap) {
    char made[40];
    bool named;
    struct str of = trace_process_name(trace, trace_process(trace, t->process), made, &named);
    of.n = (size_t)str_head(of, cap / 2);
    return phrase_join(buf, cap, of, " ", name);
}

struct str phrase_thread(struct trace *trace, uint32_t thread, const char *before_id, char *buf,
                         size_t cap) {
    char made[40], number[24];
    bool named;
    if (thread == NO_THREAD)
        return STR("-");
    const struct thread *t = trace_thread(trace, thread);
    struct str name = trace_thread_name(trace, t, made, &named);
    bool id = draw_gutter_number(number, t->id.tid) > 0 && named && before_id;
    if (number[0] == '\0' && t->id.tid < 2 * DRAW_GUTTER_MADE && t->process != NO_PROCESS)
        return phrase_row(trace, t, name, buf, cap);
    if (name.n > cap - 32)
        name.n = cap - 32;
    return phrase_join(buf, cap, name, id ? before_id : "", str_of(id ? number : ""));
}

static struct str name_at(struct trace *trace, uint32_t thread, uint32_t row, uint32_t i) {
    return trace_slice_name(trace, lane_at(nest_row(&trace_thread(trace, thread)->nest, row), i));
}

struct str phrase_slice(struct trace *trace, const struct trace_point *point) {
    uint32_t row, i;
    return trace_point_slice(trace, point, &row, &i) ? name_at(trace, point->thread, row, i)
                                                     : STR("");
}

struct str phrase_place(struct trace *trace, const struct flow_slice_place *place) {
    return place->in_slice ? name_at(trace, place->thread, place->row, place->i) : STR("");
}

const char *phrase_rank(const struct quantiles *all, int64_t value, char buf[80]) {
    unsigned share;
    char rank[32], n[32];
    if (quantiles_share(all, value, &share))
        snprintf(buf, 80, "rank %s of %s (p%u.%u)",
                 units_count(quantiles_rank(all, value), false, rank),
                 units_count(all->v.n, false, n), share / 10, share % 10);
    else
        snprintf(buf, 80, "the only one");
    return buf;
}

/* ---- flows ---- */

const char *phrase_flow_state(const struct flow *flow) {
    if (flow->unresolved)
        return "unresolved";
    if (!flow->begun)
        return "no begin";
    return flow->ended ? "complete" : "no end";
}

/* One flow in a line: complete  4 points  3 hops  22.10 ms = hops 8.100 ms + within stops 14.00 ms 
 * rank 31 of 742 (p95.9)  in flight 7.000 ms */
int phrase_flow(struct app *app, uint32_t i, struct phrase words[PHRASE_FLOW]) {
    const struct flow_stats *stat = app->flow.stats.next;
    const struct flow *flow = flows_at(trace_flows(app->trace), i);
    const struct flow_stats_flow *s = stat ? flow_stats_flow(stat, i) : NULL;
    char a[32], rank[80];
    bool ascii = app->grid.ascii;
    words[0].role = flow_complete(flow) ? ROLE_TEXT : ROLE_WARN;
    snprintf(words[0].text, sizeof words->text, "%s", phrase_flow_state(flow));
    words[1].role = ROLE_DIM;
    int n = snprintf(words[1].text, sizeof words->text, "  %u point%s  ", flow->points,
                     flow->points == 1 ? "" : "s");
    if (s == NULL || flow->points == 1) /* one point has no times */
        return 2;
    snprintf(words[1].text + n, sizeof words->text - (size_t)n, "%u hop%s  ", s->stops - 1,
             s->stops == 2 ? "" : "s");
    words[2].role = ROLE_HEADER;
    snprintf(words[2].text, sizeof words->text, "%s", units_duration(s->total, ascii, a));
    words[3].role = ROLE_TEXT;
    n = snprintf(words[3].text, sizeof words->text, " = hops %s",
                 units_duration(units_since(s->within, s->total), ascii, a));
    if (s->within > 0)
        n += snprintf(words[3].text + n, sizeof words->text - (size_t)n, " + within stops %s",
                      units_duration(s->within, ascii, a));
    uint32_t name = flow_stats_place(stat, flow_name(trace_flows(app->trace), flow->first));
    const struct quantiles *all = &stat->totals.rows.v[name].durations;
    n = 4;
    if (s->damaged) {
        words[n].role = ROLE_WARN;
        snprintf(words[n++].text, sizeof words->text, "%s", PHRASE_DAMAGED);
    } else if (flow_complete(flow) && all->sorted && all->v.n > 1) {
        words[n].role = quantiles_slow(all, s->total) ? ROLE_WARN : ROLE_DIM;
        snprintf(words[n++].text, sizeof words->text, "  %.70s", phrase_rank(all, s->total, rank));
    }
    words[n].role = ROLE_DIM;
    snprintf(words[n++].text, sizeof words->text, "  in flight %s",
             units_duration(s->in_flight, ascii, a));
    return n;
}
