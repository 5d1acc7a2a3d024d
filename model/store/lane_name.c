/* lane_name.c - the name that covers most of a column (vote.h).
 *
 * A vote is taken with growing care until it is decided: over the votes of 256 slices and more, over those of blocks,
 * over these and the slices at both ends, over all slices. The busy time of all that a step leaves out may belong to
 * any name; it is known from the index. Most columns are decided by the first step that has some votes. */
#include "model/store/lane_internal.h"

enum care { LEVELS_ALONE, BLOCKS, ENDS, ALL_SLICES };

/* Slices of a column from which the first steps are tried: they read less memory, and seldom leave half of it open. */
#define BLOCKS_FROM (8 * BLOCK)
#define LEVELS_FROM (3 * BLOCK * VOTE_FAN)

void lane_vote(const struct lane *lane, uint32_t i, uint32_t j, struct vote *vote) {
    while (i < j) {
        const struct slice *s = at(lane, i);
        uint32_t end = (i / BLOCK + 1) * BLOCK;
        for (end = end < j ? end : j; i < end; i++, s++)
            vote_add(vote, slice_name(s), (uint64_t)slice_dur(s));
    }
}

struct column {
    const struct lane *lane;
    int64_t from, to;
    uint32_t first, last; /* slices [first, last) begin in it */
    uint64_t busy;
};

struct ballot {
    struct vote vote;
    uint64_t open; /* busy time that no vote covers */
};

static uint64_t busy_before(const struct lane_index *x, size_t block) {
    return block < x->blocks.n ? x->blocks.v[block].busy : x->busy;
}

/* The part of slice i that is in the column. */
static uint64_t part(const struct column *c, uint32_t i, struct vote *vote) {
    const struct slice *s = at(c->lane, i);
    int64_t a = s->start > c->from ? s->start : c->from, b = slice_end(s) < c->to ? slice_end(s) : c->to;
    uint64_t time = a < b ? (uint64_t)b - (uint64_t)a : 0;
    vote_add(vote, slice_name(s), time);
    return time;
}

/* Blocks [b, end). Returns the busy time whose owner their votes leave open. */
static uint64_t vote_blocks(const struct lane_index *x, size_t b, size_t end, enum care care, const struct column *c,
                            struct vote *vote) {
    uint64_t open = 0;
    while (b < end) {
        struct vote some;
        size_t n = b % VOTE_FAN == 0 ? votes_above(&x->votes, b, end, &some) : 0;
        if (n > 0) {
            vote_add(vote, some.name, some.surplus);
            b += n;
            continue;
        }
        if (care == ALL_SLICES) {
            lane_vote(c->lane, (uint32_t)b * BLOCK, (uint32_t)(b + 1) * BLOCK, vote);
        } else {
            some = votes_block(&x->votes, b, busy_before(x, b + 1) - busy_before(x, b), &open);
            vote_add(vote, some.name, some.surplus);
        }
        b++;
    }
    return open;
}

static struct ballot ballot_of(const struct column *c, enum care care) {
    const struct lane_index *x = c->lane->index;
    struct ballot b = {VOTE_EMPTY, 0};
    uint32_t grain = care == LEVELS_ALONE ? BLOCK * VOTE_FAN : BLOCK;
    /* Whole slices, without the last one, which may reach out. */
    uint32_t i = c->first, j = c->last > c->first ? c->last - 1 : c->first;
    size_t from = (size_t)(i / grain + (i % grain > 0)) * (grain / BLOCK), to = (size_t)(j / grain) * (grain / BLOCK);
    if (x && to > x->blocks.n)
        to = x->blocks.n / (grain / BLOCK) * (grain / BLOCK);
    if (x == NULL || from > to)
        from = to = 0;
    if (care < ENDS) {
        b.open = c->busy - (from < to ? busy_before(x, to) - busy_before(x, from) : 0);
    } else {
        if (i > 0)
            part(c, i - 1, &b.vote);
        if (j < c->last)
            part(c, j, &b.vote);
        lane_vote(c->lane, i, from < to ? (uint32_t)from * BLOCK : j, &b.vote);
        if (from < to)
            lane_vote(c->lane, (uint32_t)to * BLOCK, j, &b.vote);
    }
    if (from < to)
        b.open += vote_blocks(x, from, to, care, c, &b.vote);
    return b;
}

static uint32_t name_of(const struct column *c) {
    uint32_t n = c->last - c->first;
    enum care care = n >= LEVELS_FROM ? LEVELS_ALONE : n >= BLOCKS_FROM ? BLOCKS : ENDS;
    for (; care <= ALL_SLICES && c->busy > 0; care++) {
        struct ballot b = ballot_of(c, care);
        if (b.vote.surplus >= c->busy - b.vote.surplus)
            return b.vote.name < LANE_NO_NAME ? b.vote.name : LANE_NO_NAME;
        uint64_t most = b.vote.surplus + b.open;
        if (b.open == 0 || (most <= c->busy && most < c->busy - most))
            return LANE_NO_NAME;
    }
    return LANE_NO_NAME;
}

uint32_t lane_span_name(const struct lane *lane, const struct span *span) {
    struct column c = {lane, span->start, span->end, span->first, span->first + span->n, (uint64_t)span->busy};
    if (c.last < lane->n && at(lane, c.last)->start < c.to)
        c.last++;
    if (at(lane, c.first)->start < c.from) /* it reaches into the first column */
        c.first++;
    return name_of(&c);
}

#define NEAR 8 /* slices that are looked at one by one; then the block index answers */

int64_t lane_column(struct lane *lane, uint32_t i, int64_t from, int64_t to, uint32_t *name) {
    struct column c = {lane, from, to, 0, 0, 0};
    struct vote vote = VOTE_EMPTY;
    int looked = 0;
    for (; i > 0 && looked < NEAR && slice_end(at(lane, i - 1)) > from; looked++)
        i--;
    for (; i < lane->n && looked < NEAR && at(lane, i)->start < to; i++, looked++)
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
