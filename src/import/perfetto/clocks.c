/* clocks.c - each clock keeps its difference to the clock of the trace, and to another one that was
 * in its latest snapshot. */
#include "src/import/perfetto/clocks.h"

#include "src/import/perfetto/proto.h"

#define HOPS 8 /* of clocks on the way to that of the trace */

void clocks_init(struct clocks *c) {
    *c = (struct clocks){.trace = CLOCKS_BOOTTIME};
}

void clocks_free(struct clocks *c) {
    vec_free(&c->v);
    u64map_free(&c->by_key);
}

static size_t get(struct clocks *c, uint64_t sequence, uint64_t clock) {
    bool own = clock >= 64 && clock < 128;
    uint64_t key = (clock & UINT32_MAX) | (own ? (sequence + 1) << 32 : 0);
    uint64_t i = u64map_get(&c->by_key, u64map_key(key));
    if (i == UINT64_MAX) {
        i = c->v.n;
        u64map_set(&c->by_key, u64map_key(key), i);
        vec_push(&c->v, (struct clock_state){.unit = 1});
    }
    return (size_t)i;
}

struct reading { /* of a clock in a snapshot */
    size_t clock;
    uint64_t number, ns;
};

/* Reads a clock of a snapshot. */
static struct reading read_clock(struct clocks *c, uint64_t sequence, struct str message) {
    struct proto p = proto_of(message);
    uint64_t number = 0, time = 0, unit = 1;
    bool incremental = false;
    while (proto_next(&p)) {
        if (p.tag == PROTO_V(1))
            number = p.value;
        else if (p.tag == PROTO_V(2))
            time = p.value;
        else if (p.tag == PROTO_V(3))
            incremental = p.value != 0;
        else if (p.tag == PROTO_V(4))
            unit = p.value > 0 ? p.value : 1;
    }
    size_t i = get(c, sequence, number);
    struct clock_state *s = &c->v.v[i];
    s->unit = unit;
    s->incremental = incremental;
    s->latest = time * unit;
    return (struct reading){i, number, s->latest};
}

static void link_clocks(struct clocks *c, const struct reading *from, const struct reading *to,
                        bool own) {
    struct clock_link link = {true, to->clock, to->ns - from->ns};
    if (from->clock == to->clock)
        return;
    if (own)
        c->v.v[from->clock].own = link;
    else
        c->v.v[from->clock].other = link;
}

void clocks_snapshot(struct clocks *c, uint64_t sequence, struct str snapshot,
                     struct clocks_wall *wall) {
    VEC(struct reading) readings = {0};
    struct proto p = proto_of(snapshot);
    const struct reading *trace = NULL, *real = NULL;
    wall->known = false;
    while (proto_next(&p)) {
        if (p.tag == PROTO_B(1))
            vec_push(&readings, read_clock(c, sequence, p.bytes));
        else if (p.tag == PROTO_V(2) && !c->decided) {
            c->trace = p.value;
            c->decided = true;
        }
    }
    c->decided = true; /* the first snapshot alone may choose it */
    for (size_t i = 0; i < readings.n; i++) {
        if (readings.v[i].number == c->trace)
            trace = &readings.v[i];
        if (readings.v[i].number == CLOCKS_REALTIME)
            real = &readings.v[i];
    }
    for (size_t i = 0; i < readings.n; i++) {
        if (trace)
            link_clocks(c, &readings.v[i], trace, true);
        else
            link_clocks(c, &readings.v[i], &readings.v[i == 0 ? readings.n - 1 : 0], false);
    }
    if (trace && real)
        *wall = (struct clocks_wall){true, trace->ns, real->ns};
    vec_free(&readings);
}

bool clocks_time(struct clocks *c, uint64_t sequence, uint64_t clock, uint64_t time, uint64_t *ns) {
    *ns = time;
    if (clock == c->trace) {
        uint64_t known = u64map_get(&c->by_key, u64map_key(clock));
        if (known != UINT64_MAX && !c->v.v[known].incremental)
            *ns = time * c->v.v[known].unit;
        return true;
    }
    size_t i = get(c, sequence, clock);
    struct clock_state *s = &c->v.v[i];
    if (s->incremental)
        s->latest += time * s->unit;
    uint64_t t = s->incremental ? s->latest : time * s->unit;
    for (int hop = 0; hop < HOPS; hop++) {
        const struct clock_state *at = &c->v.v[i];
        if (at->own.known) {
            *ns = t + at->own.offset;
            return true;
        }
        if (!at->other.known)
            break;
        t += at->other.offset;
        i = at->other.to;
    }
    *ns = s->incremental ? s->latest : time * s->unit;
    return false;
}
