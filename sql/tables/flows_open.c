/* flows_open.c - flows that have not arrived: the gap of their next hop is in no row of flow_hop.
 *
 * Such a gap is at least the time from the end of the last slice to the end of the trace. It is
 * judged by the greatest gap of the flows of its name. A name of which no hop has a gap is read as
 * soon as gaps are, unless another name is asked for. */
#include <stdlib.h>
#include <string.h>

#include "sql/family.h"
#include "sql/tables/flows.h"
#include "src/base/units.h"

static const char open_key;

struct named { /* the flows of a name */
    uint32_t name;
    uint64_t open;  /* of them, that have not arrived */
    int64_t lasted; /* the longest of these */
    int64_t most;   /* the greatest gap, if there is `any` */
    bool any;
};

struct open_flows {
    VEC(struct named) v;
    struct u64map by_name; /* -> place */
};

static void free_open(void *of) {
    struct open_flows *open = of;
    vec_free(&open->v);
    u64map_free(&open->by_name);
    free(open);
}

static struct named *named_of(struct open_flows *open, uint32_t name) {
    uint64_t place = u64map_get(&open->by_name, name);
    if (place == UINT64_MAX) {
        place = open->v.n;
        u64map_set(&open->by_name, name, place);
        vec_push(&open->v, ((struct named){.name = name}));
    }
    return &open->v.v[place];
}

static uint32_t name_of(const struct flows *flows, uint32_t flow) {
    return flow_name(flows, flows_at(flows, flow)->first);
}

/* A flow whose last point is in no slice has no hop, also if it arrives. */
static void add_open(struct open_flows *open, struct source *source, uint32_t number) {
    const struct flows *flows = trace_flows(source->trace);
    const struct flow *flow = flows_at(flows, number);
    const struct rows_lane *lane;
    uint32_t i;
    if (!flow->begun || flow->ended || trace_damaged_point(source->trace, flow->last) ||
        !rows_find(family_rows(source), flows_point_slice(source, flow->last), &lane, &i))
        return;
    int64_t since = source_time(source, flow_time(flows, flow->last)), dur = rows_dur(lane, i),
            end = source_time(source, trace_end(source->trace));
    if (dur >= 0 && !__builtin_add_overflow(rows_ts(source, lane, i), dur, &dur) && dur > since)
        since = dur; /* the end of the slice */
    struct named *named = named_of(open, name_of(flows, number));
    named->open++;
    if (end > since && units_since(since, end) > named->lasted)
        named->lasted = units_since(since, end);
}

static const struct open_flows *open_of(struct source *source) {
    struct open_flows *open = source_find(source, &open_key);
    const struct flows *flows = trace_flows(source->trace);
    unsigned left_out = source->left_out; /* the answer has not read these hops */
    int64_t gap;
    if (open)
        return open;
    open = err_calloc(1, sizeof *open);
    for (uint32_t k = 0; k < flow_count(flows) && !source_stopped(source); k++)
        add_open(open, source, k);
    for (uint32_t k = 0; open->v.n > 0 && k < flows_hops_count(source); k++) {
        const struct flows_hop *hop = flows_hop(source, k);
        uint64_t place = u64map_get(&open->by_name, name_of(flows, hop->flow));
        struct named *named = place == UINT64_MAX ? NULL : &open->v.v[place];
        if (named == NULL || !flows_gap(source, hop, &gap))
            continue;
        named->most = !named->any || gap > named->most ? gap : named->most;
        named->any = true;
    }
    source->left_out = left_out;
    source_keep(source, &open_key, open, free_open);
    return open;
}

static void report(struct source *source, const struct named *named, bool joined) {
    uint64_t key = UINT64_C(1) << 63 | (uint64_t)joined << 32 | named->name;
    source_read_open(source, key,
                     &(struct source_open){.kind = SOURCE_OPEN_FLOWS,
                                           .joined = joined,
                                           .name = named->name,
                                           .judged = true,
                                           .unsure = !named->any || named->lasted > named->most,
                                           .n = named->open,
                                           .lasted = named->lasted});
}

void flows_read_gap(struct source *source, uint32_t flow, bool joined) {
    const struct open_flows *open = open_of(source);
    uint64_t place = u64map_get(&open->by_name, name_of(trace_flows(source->trace), flow));
    if (place != UINT64_MAX)
        report(source, &open->v.v[place], joined);
}

void flows_read_gaps(struct source *source, const struct str *name, bool joined) {
    const struct open_flows *open = open_of(source);
    for (size_t k = 0; k < open->v.n; k++)
        if (!open->v.v[k].any &&
            (name == NULL || str_eq(*name, trace_name(source->trace, open->v.v[k].name))))
            report(source, &open->v.v[k], joined);
}
