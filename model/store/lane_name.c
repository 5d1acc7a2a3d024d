/* lane_name.c - the name that covers most of a column (vote.h).
 *
 * A vote over a part of a column decides nearly all of them: over slices if they are few, over the votes of blocks, four
 * at a time, or over those of a level. It stops when the surplus of its name, or the rest, is half of the
 * busy time. The others are decided by the votes and the slices at both ends together, or by all slices.
 *
 * A frame asks for 10,000 names. A branch on a name costs more than the cache lines that are read, so there is none. */
#include "model/store/lane_internal.h"

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
    return b->vote.surplus >= busy - busy / 2 && b->vote.name < LANE_NO_NAME ? b->vote.name : LANE_NO_NAME;
}

static inline void add(struct ballot *b, uint64_t name, uint64_t dur) {
    vote_add(&b->vote, name < EVENT_NAME_MAX ? (uint32_t)name : EVENT_NAME_MAX, dur);
    b->total += dur;
}

/* Adds n slices of a packed block. */
static void add_packed(struct ballot *b, const unsigned char *block, unsigned i, unsigned n) {
    uint64_t head = pack_word(block);
    struct pack_values name = pack_values(block, head, PACK_NAME, i), low = pack_values(block, head, PACK_LOW, i);
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
    int64_t a = s->start > c->from ? s->start : c->from, b = slice_end(s) < c->to ? slice_end(s) : c->to;
    uint64_t time = a < b ? (uint64_t)b - (uint64_t)a : 0;
    vote_add(vote, slice_name(s), time);
    return time;
}

/* Blocks [b, end). */
static void vote_blocks(const struct column *c, size_t b, size_t end, enum care care, struct ballot *ballot) {
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

/* The whole slices [i, j), then those that reach in or out. */
static bool by_slices(const struct column *c, uint32_t i, uint32_t j, struct ballot *b) {
    vote_slices(c->lane, i, j, b);
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

/* The blocks in the whole slices [i, j), then the slices at both ends, which are in the processor's cache: their blocks
 * were read for the edges. */
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

/* Votes of the largest level that has at least three in the whole slices [i, j). */
static bool by_level(const struct column *c, uint32_t i, uint32_t j, struct ballot *b) {
    unsigned level = 0;
    while (level + 1 < VOTE_LEVELS && (j - i) / votes_size(level + 1) >= 4)
        level++;
    uint32_t size = votes_size(level), n;
    const struct vote *v = c->lane->index ? votes_of_level(&c->lane->index->votes, level, &n) : NULL;
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
    bool known = c->busy == 0 || (j - i < SLICES_TO   ? by_slices(c, i, j, &b)
                                  : j - i < BLOCKS_TO ? by_index(c, i, j, &b)
                                                      : by_level(c, i, j, &b));
    for (enum care care = j - i < BLOCKS_TO ? ALL_SLICES : ENDS; !known && care <= ALL_SLICES; care++) {
        b = ballot_of(c, care);
        known = decides(&b, c->busy);
    }
    return known && c->busy > 0 ? name_by(&b, c->busy) : LANE_NO_NAME;
}

uint32_t lane_span_name(const struct lane *lane, const struct span *span) {
    struct column c = {lane, span->start, span->end, span->first, span->first + span->n, (uint64_t)span->busy};
    if (c.last < lane->n && lane_start(lane, c.last) < c.to)
        c.last++;
    if (lane_start(lane, c.first) < c.from) /* it reaches into the first column */
        c.first++;
    return name_of(&c);
}

#define NEAR 8 /* slices that are looked at one by one; then the block index answers */

int64_t lane_column(struct lane *lane, uint32_t i, int64_t from, int64_t to, uint32_t *name) {
    struct column c = {lane, from, to, 0, 0, 0};
    struct vote vote = VOTE_EMPTY;
    int looked = 0;
    for (; i > 0 && looked < NEAR && slice_end(lane_at(lane, i - 1)) > from; looked++)
        i--;
    for (; i < lane->n && looked < NEAR && lane_start(lane, i) < to; i++, looked++)
        c.busy += part(&c, i, &vote);
    if (looked < NEAR) {
        *name = c.busy > 0 && vote.surplus >= c.busy - vote.surplus ? vote.name : LANE_NO_NAME;
        return (int64_t)c.busy;
    }
    c.first = lane_from(lane, from);
    c.last = lane_from(lane, to);
    c.busy = (uint64_t)lane_busy(lane, from, to);
    *name = name_of(&c);
    return (int64_t)c.busy;
}

bool lane_has_name(const struct lane *lane, uint32_t i, uint32_t n, uint32_t name) {
    for (uint32_t end = i + n, k; i < end; i += k) {
        k = BLOCK - i % BLOCK < end - i ? BLOCK - i % BLOCK : end - i;
        if (i < lane->first) {
            if (pack_has_name(packed(lane, i / BLOCK), i % BLOCK, k, name))
                return true;
            continue;
        }
        for (const struct slice *s = lane->tail + (i - lane->first), *stop = s + k; s < stop; s++)
            if (slice_name(s) == name || slice_name(s) == EVENT_NAME_MAX)
                return true;
    }
    return false;
}
