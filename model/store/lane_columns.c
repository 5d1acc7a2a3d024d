/* lane_columns.c - the columns of a window: their edges, their spans, and the name that covers most
 * (vote.h).
 *
 * Edges are asked in their order; the blocks of several are found and prefetched before the first
 * is used. One pass over a block gives the busy time before an edge, and the slice that may reach
 * over it. Drawing needs no other look at a column of many slices, but for its name.
 *
 * A vote over a part of a column decides nearly all of them: over slices if they are few, over the
 * votes of blocks, four at a time, or over those of a level. It stops when the surplus of its name,
 * or the rest, is half of the busy time. The others are decided by the votes and the slices at both
 * ends together, or by all slices.
 *
 * A frame asks for 10,000 names. A branch on a name costs more than the cache lines that are read,
 * so there is none. */
#include "model/store/lane_internal.h"

/* ---- the name that covers most ---- */

enum care { ENDS, ALL_SLICES };

#define SLICES_TO 32                       /* slices of a column up to which they vote themselves */
#define BLOCKS_TO (4 * BLOCK * VOTE_FIRST) /* up to which blocks vote */

struct column {
    const struct lane *lane;
    int64_t from, to;
    uint32_t first, last; /* slices [first, last) begin in it */
    uint64_t busy;
};

struct ballot {
    struct vote vote;
    uint64_t total; /* time that it covers; of votes that are rounded a little less */
};

#define BALLOT_EMPTY ((struct ballot){VOTE_EMPTY, 0})

static uint64_t busy_before(const struct lane_index *x, size_t block) {
    return block < x->blocks.n ? x->blocks.v[block].busy : x->busy;
}

/* Whether a vote over a part of a column decides all of it, which is busy so long. */
static inline bool decides(const struct ballot *b, uint64_t busy) {
    bool named = b->vote.surplus >= busy - busy / 2, mixed = b->total - b->vote.surplus > busy / 2;
    return named | mixed; /* one branch */
}

static uint32_t name_by(const struct ballot *b, uint64_t busy) {
    return b->vote.surplus >= busy - busy / 2 && b->vote.name < LANE_NO_NAME ? b->vote.name
                                                                             : LANE_NO_NAME;
}

static inline void add(struct ballot *b, uint64_t name, uint64_t dur) {
    vote_add(&b->vote, name < EVENT_NAME_MAX ? (uint32_t)name : EVENT_NAME_MAX, dur);
    b->total += dur;
}

/* Adds n slices of a packed block. */
static void add_packed(struct ballot *b, const unsigned char *block, unsigned i, unsigned n) {
    uint64_t head = pack_word(block);
    struct pack_values name = pack_values(block, head, PACK_NAME, i),
                       low = pack_values(block, head, PACK_LOW, i);
    if (head & PACK_PLAIN) {
        for (; n > 0; n--)
            add(b, pack_next(&name), pack_next(&low));
    } else {
        for (; n > 0; n--)
            add(b, pack_next(&name), (uint64_t)pack_dur(block, i++));
    }
}

/* Adds whole slices. */
static void vote_slices(const struct lane *lane, uint32_t i, uint32_t j, struct ballot *b) {
    while (i < j && i < lane->first) {
        uint32_t end = (i / BLOCK + 1) * BLOCK;
        end = end < j ? end : j;
        add_packed(b, packed(lane, i / BLOCK), i % BLOCK, end - i);
        i = end;
    }
    for (; i < j; i++) {
        const struct slice *s = &lane->tail[i - lane->first];
        add(b, s->begin_word >> 37, (uint64_t)slice_dur(s));
    }
}

void lane_vote(const struct lane *lane, uint32_t i, uint32_t j, struct vote *vote) {
    struct ballot b = {*vote, 0};
    vote_slices(lane, i, j, &b);
    *vote = b.vote;
}

/* Adds a vote that is rounded down; `lost` is the most that it lacks. */
static inline void add_rounded(struct ballot *b, struct vote vote, uint64_t total, uint64_t lost) {
    uint64_t rest = total - vote.surplus, some = -(uint64_t)(rest > lost);
    vote_add(&b->vote, vote.name, vote.surplus);
    b->total += vote.surplus + ((rest - lost) & some);
}

/* The part of slice i that is in the column. */
static uint64_t part(const struct column *c, uint32_t i, struct vote *vote) {
    const struct slice *s = lane_at(c->lane, i);
    int64_t a = s->start > c->from ? s->start : c->from,
            b = slice_end(s) < c->to ? slice_end(s) : c->to;
    uint64_t time = a < b ? (uint64_t)b - (uint64_t)a : 0;
    vote_add(vote, slice_name(s), time);
    return time;
}

/* Blocks [b, end). */
static void vote_blocks(const struct column *c, size_t b, size_t end, enum care care,
                        struct ballot *ballot) {
    const struct lane_index *x = c->lane->index;
    while (b < end) {
        struct vote some;
        size_t n = b % VOTE_FIRST == 0 ? votes_above(&x->votes, b, end, &some) : 0;
        uint64_t busy = busy_before(x, b + (n > 0 ? n : 1)) - busy_before(x, b), lost = 0;
        if (n > 0 || care == ENDS) {
            if (n == 0)
                some = votes_block(&x->votes, b, busy, &lost);
            add_rounded(ballot, some, busy, lost);
        } else {
            lane_vote(c->lane, (uint32_t)b * BLOCK, (uint32_t)(b + 1) * BLOCK, &ballot->vote);
            ballot->total += busy;
        }
        b += n > 0 ? n : 1;
    }
}

/* All of a column: the blocks in it and the slices at both ends. */
static struct ballot ballot_of(const struct column *c, enum care care) {
    const struct lane_index *x = c->lane->index;
    struct ballot b = BALLOT_EMPTY;
    /* Whole slices, without the last one, which may reach out. */
    uint32_t i = c->first, j = c->last > c->first ? c->last - 1 : c->first;
    size_t from = i / BLOCK + (i % BLOCK > 0), to = j / BLOCK;
    if (x && to > x->blocks.n)
        to = x->blocks.n;
    if (x == NULL || from > to)
        from = to = 0;
    if (i > 0)
        b.total += part(c, i - 1, &b.vote);
    if (j < c->last)
        b.total += part(c, j, &b.vote);
    vote_slices(c->lane, i, from < to ? (uint32_t)from * BLOCK : j, &b);
    if (from < to) {
        vote_slices(c->lane, (uint32_t)to * BLOCK, j, &b);
        vote_blocks(c, from, to, care, &b);
    }
    return b;
}

/* The slices before the whole slices [i, j), and after them, which reach in or out. */
static bool by_parts(const struct column *c, uint32_t i, uint32_t j, struct ballot *b) {
    if (i > 0)
        b->total += part(c, i - 1, &b->vote);
    if (j < c->last)
        b->total += part(c, j, &b->vote);
    return decides(b, c->busy);
}

/* The whole slices [i, j), block by block, then those that reach in or out. */
static bool by_slices(const struct column *c, uint32_t i, uint32_t j, struct ballot *b) {
    for (uint32_t k = i, end; k < j; k = end) {
        end = (k / BLOCK + 1) * BLOCK < j ? (k / BLOCK + 1) * BLOCK : j;
        vote_slices(c->lane, k, end, b);
        /* no name has enough; one that has may lose it to the others */
        if (b->total - b->vote.surplus > c->busy / 2)
            return true;
    }
    return decides(b, c->busy) || by_parts(c, i, j, b);
}

/* Votes of blocks [k, end). */
static bool by_blocks(const struct column *c, size_t k, size_t end, struct ballot *b) {
    const struct lane_index *x = c->lane->index;
    if (k >= end)
        return false;
    for (uint64_t before = x->blocks.v[k].busy; k < end; k++) {
        uint64_t after = busy_before(x, k + 1), lost = 0;
        struct vote some = votes_block(&x->votes, k, after - before, &lost);
        add_rounded(b, some, after - before, lost);
        if (decides(b, c->busy))
            return true;
        before = after;
    }
    return false;
}

/* Votes of the fours and blocks in [k, end). */
static bool by_fours(const struct column *c, size_t k, size_t end, struct ballot *b) {
    const struct lane_index *x = c->lane->index;
    size_t first = (k + VOTE_FOUR - 1) / VOTE_FOUR, last = end / VOTE_FOUR;
    if (first >= last || last > x->votes.fours.n)
        return by_blocks(c, k, end, b);
    for (size_t at = first; at < last; at++) {
        struct vote_four some = x->votes.fours.v[at];
        vote_add(&b->vote, some.name, vote_time(some.surplus));
        b->total += vote_time(some.surplus) + vote_time(some.rest);
        if (decides(b, c->busy))
            return true;
    }
    return by_blocks(c, k, first * VOTE_FOUR, b) || by_blocks(c, last * VOTE_FOUR, end, b);
}

/* The blocks in the whole slices [i, j), then the slices at both ends, which are in the processor's
 * cache: their blocks were read for the edges. */
static bool by_index(const struct column *c, uint32_t i, uint32_t j, struct ballot *b) {
    const struct lane_index *x = c->lane->index;
    size_t k = i / BLOCK + (i % BLOCK > 0), end = j / BLOCK;
    if (x == NULL || k >= end || end > x->blocks.n)
        return by_slices(c, i, j, b);
    if (by_fours(c, k, end, b))
        return true;
    vote_slices(c->lane, i, (uint32_t)k * BLOCK, b);
    vote_slices(c->lane, (uint32_t)end * BLOCK, j, b);
    return decides(b, c->busy) || by_parts(c, i, j, b);
}

/* The largest level that has at least three votes for n whole slices. */
static inline unsigned level_for(uint32_t n) {
    unsigned level = 0;
    while (level + 1 < VOTE_LEVELS && n / votes_size(level + 1) >= 4)
        level++;
    return level;
}

static bool by_level(const struct column *c, uint32_t i, uint32_t j, struct ballot *b) {
    unsigned level = level_for(j - i);
    uint32_t size = votes_size(level), n;
    const struct vote *v =
        c->lane->index ? votes_of_level(&c->lane->index->votes, level, &n) : NULL;
    for (uint32_t k = i / size + (i % size > 0); v && k < j / size && k < n; k++) {
        vote_add(&b->vote, v[k].name, v[k].surplus);
        b->total += v[k].surplus + vote_rest(&v[k]);
        if (decides(b, c->busy))
            return true;
    }
    return false;
}

static uint32_t name_of(const struct column *c) {
    struct ballot b = BALLOT_EMPTY;
    uint32_t i = c->first, j = c->last > i ? c->last - 1 : i; /* the last one may reach out */
    bool known = c->busy == 0;
    if (!known && j - i < SLICES_TO)
        known = by_slices(c, i, j, &b);
    else if (!known)
        known = j - i < BLOCKS_TO ? by_index(c, i, j, &b) : by_level(c, i, j, &b);
    for (enum care care = j - i < BLOCKS_TO ? ALL_SLICES : ENDS; !known && care <= ALL_SLICES;
         care++) {
        b = ballot_of(c, care);
        known = decides(&b, c->busy);
    }
    return known && c->busy > 0 ? name_by(&b, c->busy) : LANE_NO_NAME;
}

/* Prefetches the votes or slices that decide the name of a column, in which the slices [i, i + n)
 * begin. */
static void prefetch_name(const struct lane *lane, uint32_t i, uint32_t n) {
    const struct votes *votes = lane->index ? &lane->index->votes : NULL;
    /* the blocks of the edges were read; there is one between them at most */
    if (votes == NULL || n < SLICES_TO) {
        if (n > BLOCK)
            lane_prefetch(lane, i + BLOCK);
    } else if (n < BLOCKS_TO) {
        size_t block = i / BLOCK, four = block / VOTE_FOUR;
        if (four < votes->fours.n)
            __builtin_prefetch(&votes->fours.v[four]);
        if (block < votes->blocks.n)
            __builtin_prefetch(&votes->blocks.v[block]);
    } else {
        unsigned level = level_for(n);
        uint32_t count, k = i / votes_size(level) + 1;
        const struct vote *v = votes_of_level(votes, level, &count);
        if (v && k < count)
            __builtin_prefetch(&v[k]);
    }
}

uint32_t lane_span_name(const struct lane *lane, const struct span *span) {
    struct column c = {lane,
                       span->start,
                       span->end,
                       span->first + span->reached_in,
                       span->first + span->n + span->reaches_out,
                       (uint64_t)span->busy};
    return name_of(&c);
}

int64_t lane_column(struct lane *lane, int64_t from, int64_t to, uint32_t *name) {
    struct column c = {lane,
                       from,
                       to,
                       lane_from(lane, from),
                       lane_from(lane, to),
                       (uint64_t)lane_busy(lane, from, to)};
    *name = name_of(&c);
    return (int64_t)c.busy;
}

/* ---- edges, asked in their order ---- */

struct times {
    int64_t start, end;
};

/* Start and end of slice i; *next: the start of the slice after it, INT64_MAX if there is none. */
static inline struct times times_of(const struct lane *lane, uint32_t i, int64_t *next) {
    *next = INT64_MAX;
    if (i >= lane->first) {
        const struct slice *s = &lane->tail[i - lane->first];
        if (i + 1 < lane->n)
            *next = s[1].start;
        return (struct times){s->start, slice_end(s)};
    }
    uint64_t first = (uint64_t)lane->index->blocks.v[i / BLOCK].start, start = first;
    const unsigned char *block = packed(lane, i / BLOCK);
    int64_t dur = pack_times(block, i % BLOCK, &start);
    if (i % BLOCK < BLOCK - 1)
        *next = (int64_t)(first + pack_start(block, i % BLOCK + 1));
    else if (i + 1 < lane->n)
        *next = lane_start(lane, i + 1);
    return (struct times){(int64_t)start, (int64_t)(start + (uint64_t)dur)};
}

#define AHEAD 16 /* edges whose blocks are found and prefetched before the first of them is used */

struct edges {
    const struct lane *lane;
    const int64_t *t; /* rising */
    int n;
    int first, found; /* edges [first, first + found), whose blocks are known: */
    size_t blocks[AHEAD];
    /* the latest coarse entry, and its distance from the one before: a guess for the next */
    size_t coarse, stride;
};

struct edge {
    uint32_t i;        /* the first slice that starts at or after it */
    uint64_t busy;     /* time before it that slices cover, modulo 2^64 */
    struct times last; /* of the slice before i, if i > 0 */
};

/* The last of v[from, n), sorted, that is before t; `from` if none is. Looks around from + guess
 * first. */
static size_t last_before(const int64_t *v, size_t n, size_t from, size_t guess, int64_t t) {
    size_t lo = from, hi, step = 1;
    hi = guess < n - from ? from + guess : n;
    if (hi < n && v[hi] < t) {
        for (lo = hi; step < n - lo && v[lo + step] < t; step *= 2)
            lo += step;
        hi = step < n - lo ? lo + step : n;
    } else {
        for (; step < hi - lo && v[hi - step] >= t; step *= 2)
            hi -= step;
        lo = step < hi - lo ? hi - step : lo;
    }
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (v[mid] < t)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* Finds the blocks of the next edges: prefetches first blocks, then slices, for all of them before
 * it uses any. */
static void look_ahead(struct edges *e, int c) {
    const struct lane_index *x = e->lane->index;
    size_t last = SIZE_MAX;
    e->first = c;
    e->found = e->n - c < AHEAD ? e->n - c : AHEAD;
    for (int k = 0; k < e->found; k++) {
        size_t coarse = x && x->blocks.n > 0 ? last_before(x->coarse.v, x->coarse.n, e->coarse,
                                                           e->stride, e->t[c + k])
                                             : 0;
        if (c + k > 0)
            e->stride = coarse - e->coarse;
        if (x && x->blocks.n > 0 && (k == 0 || coarse != e->coarse)) {
            fetch(&x->blocks.v[coarse * BLOCK], BLOCK * sizeof *x->blocks.v);
            fetch(&x->places.v[coarse * BLOCK], BLOCK * sizeof *x->places.v);
        }
        e->coarse = e->blocks[k] = coarse;
    }
    for (int k = 0; x && x->blocks.n > 0 && k < e->found; k++) {
        size_t block = lane_block_below(x, e->blocks[k], e->t[c + k]);
        if (block != last)
            fetch(packed_at(x, block), TIMES);
        last = e->blocks[k] = block;
    }
}

/* Passes the slices of a packed block that start before t, and begin no later than it does. Adds
 * the durations of all but the last of them to *busy; *last: the times of that one. Returns how
 * many they are. */
static inline unsigned pass_packed(const struct lane *lane, size_t number, int64_t t,
                                   uint64_t *busy, struct times *last) {
    const unsigned char *block = packed(lane, number);
    uint64_t head = pack_word(block), first = (uint64_t)lane->index->blocks.v[number].start,
             start = 0, dur = 0, s;
    struct pack_values starts = pack_values(block, head, PACK_START, 0),
                       low = pack_values(block, head, PACK_LOW, 0);
    unsigned n = 0;
    for (; n < BLOCK && (s = pack_next(&starts)) < (uint64_t)t - first; n++) {
        *busy += dur;
        dur = head & PACK_PLAIN ? pack_next(&low) : (uint64_t)pack_dur(block, n);
        start = s;
    }
    *last = (struct times){(int64_t)(first + start), (int64_t)(first + start + dur)};
    return n;
}

/* Finds an edge by one pass over the slices of its block, and over the tail if it is the last
 * one. */
static void edge_at(struct edges *edges, int c, struct edge *e) {
    const struct lane *lane = edges->lane;
    if (c >= edges->first + edges->found)
        look_ahead(edges, c);
    size_t block = edges->blocks[c - edges->first];
    int64_t t = edges->t[c];
    uint64_t busy = block > 0 ? lane->index->blocks.v[block].busy : 0;
    uint32_t first = (uint32_t)block * BLOCK, i = first;
    struct times last = {t, t};
    if (first < lane->first && lane->index->blocks.v[block].start < t)
        i += pass_packed(lane, block, t, &busy, &last);
    for (; i >= lane->first && i < lane->n; i++) {
        const struct slice *s = &lane->tail[i - lane->first];
        if (s->start >= t)
            break;
        busy += (uint64_t)last.end - (uint64_t)last.start;
        last = (struct times){s->start, slice_end(s)};
    }
    int64_t until = last.end < t ? last.end : t; /* the last slice may reach over the edge */
    e->i = i;
    e->busy = busy + ((uint64_t)until - (uint64_t)last.start);
    e->last = last;
}

static struct edges edges_of(struct lane *lane, const int64_t *t, int n) {
    lane_index(lane);
    return (struct edges){
        .lane = lane, .t = t, .n = n, .stride = lane->index ? lane->index->coarse.n / 2 : 0};
}

void lane_froms(const struct lane *lane, const int64_t *t, int n, uint32_t *first) {
    struct edges edges = {.lane = lane, .t = t, .n = n};
    for (int k = 0; k < n; k++) {
        struct edge e;
        edge_at(&edges, k, &e);
        first[k] = e.i;
    }
}

int64_t lane_busy(struct lane *lane, int64_t from, int64_t to) {
    if (lane->n == 0 || from >= to)
        return 0;
    const int64_t t[] = {from, to};
    struct edges edges = edges_of(lane, t, 2);
    struct edge a, b;
    edge_at(&edges, 0, &a);
    edge_at(&edges, 1, &b);
    return (int64_t)(b.busy - a.busy);
}

void lane_busy_columns(struct lane *lane, const int64_t *t, int columns, double *share) {
    if (lane->n == 0)
        return;
    struct edges edges = edges_of(lane, t, columns + 1);
    struct edge e;
    edge_at(&edges, 0, &e);
    for (int c = 0; c < columns; c++) {
        uint64_t before = e.busy;
        edge_at(&edges, c + 1, &e);
        share[c] += (double)(e.busy - before) / (double)((uint64_t)t[c + 1] - (uint64_t)t[c]);
    }
}

static int column_of(const int64_t *edges, int columns, int c, int64_t t) {
    if (c + 1 < columns && t < edges[c + 2 < columns ? c + 2 : columns])
        return t < edges[c + 1] ? c : c + 1;
    int lo = c, hi = columns - 1;
    while (lo < hi) {
        int mid = lo + (hi - lo + 1) / 2;
        if (edges[mid] <= t)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

size_t lane_spans(struct lane *lane, const int64_t *t, int columns, struct span *out) {
    size_t n = 0;
    if (lane->n == 0)
        return 0;
    struct edges edges = edges_of(lane, t, columns + 1);
    struct edge e;   /* the latest edge */
    int left_of = 0; /* the column whose left edge it is */
    edge_at(&edges, 0, &e);
    uint32_t i = e.i;
    if (i > 0 && e.last.end > t[0])
        i--;
    for (int c = 0; i < lane->n;) {
        int64_t next;
        struct times s = times_of(lane, i, &next);
        if (s.start >= t[columns])
            break;
        c = s.start <= t[0] ? 0 : column_of(t, columns, c, s.start);
        if (s.end > t[c + 1] || next >= t[c + 1]) {
            lane_prefetch(lane, i);
            out[n++] = (struct span){s.start, s.end, 0, i++, 1, c, false, false};
            continue;
        }
        /* It ends in its first column, and shares a span with the others there. */
        if (left_of != c)
            edge_at(&edges, c, &e);
        uint64_t before = e.busy;
        edge_at(&edges, c + 1, &e);
        left_of = c + 1;
        bool reaches_out = e.last.end > t[c + 1]; /* the last one is shown by itself */
        uint32_t k = e.i - i - reaches_out;
        if (k == 1) {
            lane_prefetch(lane, i);
            out[n++] = (struct span){s.start, s.end, 0, i, 1, c, false, false};
        } else {
            prefetch_name(lane, i, k);
            out[n++] = (struct span){
                t[c], t[c + 1], (int64_t)(e.busy - before), i, k, c, s.start < t[c], reaches_out};
        }
        if (reaches_out) {
            lane_prefetch(lane, i + k);
            out[n++] = (struct span){e.last.start, e.last.end, 0, i + k, 1, c, false, false};
        }
        i = e.i;
    }
    return n;
}
