/* reader_parts.c - reads the parts of a file in turns.
 *
 * The reader keeps the state of one part (`part`, `provider`, `base`, `now`); a turn puts it away
 * and takes that of another one. The part whose last event is the earliest has the next turn.
 * One without an event comes first, and its first turn is short: so the begins of all are known
 * soon. Parts that have nothing more for now are passed over until they have grown.
 *
 * Each part has a shift to the common clock, which is never negative. The base is at least the
 * largest shift: so it is not below 0 on the clock of any part. */
#include <string.h>

#include "src/fxt/reader_internal.h"

#define TIME_BYTES 12                    /* of a record, at least, for each of its times */
#define UNKNOWN_SURE (UINT64_C(1) << 20) /* times: a thousandth of the times of a stream is less */
#define TURN (UINT64_C(1) << 20)

/* ---- the state of a part ---- */

/* Records of all parts, but those that may come before an initialization record at the begin. */
static uint64_t later_records(const struct reader *r) {
    uint64_t records = 0;
    for (int kind = 0; kind < FXT_K_COUNT; kind++)
        records += r->kinds[kind];
    return records - r->kinds[FXT_K_MAGIC] - r->kinds[FXT_K_PROVIDER_INFO] -
           r->kinds[FXT_K_PROVIDER_SECTION];
}

bool reader_is_begin(const struct reader *r) {
    return r->part->records + later_records(r) - r->turn_records == 0;
}

uint64_t reader_part_times(const struct reader *r, const struct reader_part *part) {
    return part->times + (part == r->part ? reader_times(r) - r->turn_times : 0);
}

uint64_t reader_part_completes(const struct reader *r, const struct reader_part *part) {
    uint64_t now = r->kinds[FXT_K_DURATION_COMPLETE] - r->turn_completes;
    return part->completes + (part == r->part ? now : 0);
}

uint64_t reader_part_events(const struct reader *r, size_t part) {
    return reader_part_times(r, r->parts.v[part]) - reader_part_completes(r, r->parts.v[part]);
}

static struct wide base_of(const struct reader *r, const struct reader_part *part) {
    return wide_sub(r->common, (struct wide){0, part->shift});
}

/* Tick 0 of a part that is far from others is known, too, if it is a time. */
static void zero_of_far(struct reader *r) {
    struct wide at = {0, r->part->shift};
    int64_t zero =
        wide_diff(wide_plus(at, (struct wide){0, r->part->archived.zero}), r->common, INT64_MAX);
    if (zero < INT64_MAX && zero > -INT64_MAX)
        bulk_zero(&r->part->bulk, zero);
}

void reader_part_base(struct reader *r) {
    struct wide base = base_of(r, r->part);
    bool brief = base.hi == 0 && base.lo <= TIME_BRIEF;
    r->base = base;
    r->brief = brief && !r->part->swap && r->sink.buffer;
    if (brief)
        bulk_zero(&r->part->bulk, (int64_t)(r->part->archived.zero - base.lo));
    else if (r->parts.n > 1)
        zero_of_far(r);
}

static void put_away(struct reader *r) {
    struct reader_part *part = r->part;
    part->now = r->now;
    part->times = reader_part_times(r, part);
    part->timed = part->times > 0;
    part->completes = reader_part_completes(r, part);
    part->records += later_records(r) - r->turn_records;
}

void reader_turn_begins(struct reader *r) {
    r->turn_times = reader_times(r);
    r->turn_records = later_records(r);
    r->turn_completes = r->kinds[FXT_K_DURATION_COMPLETE];
}

/* Takes the state of a part for its turn. */
static void take(struct reader *r, struct reader_part *part) {
    if (part->world != r->part->world)
        memset(r->near->tids, 0, sizeof r->near->tids);
    r->part = part;
    r->provider = part->provider;
    r->now = part->now;
    reader_turn_begins(r);
    if (r->have_base)
        reader_part_base(r);
    reader_near_forget(r);
}

static struct reader_part *part_new(struct reader *r) {
    struct reader_part *part = err_calloc(1, sizeof *part);
    struct file_part bounds;
    file_part(r->file, r->parts.n, &bounds);
    part->number = (uint32_t)r->parts.n;
    part->begin = part->at = bounds.begin;
    part->zeros = NO_RUN;
    bulk_init(&part->bulk,
              bounds.ended ? (bounds.end - bounds.begin) / TIME_BYTES / 1000 : UNKNOWN_SURE);
    vec_push(&r->parts, part);
    return part;
}

void reader_parts_add(struct reader *r) {
    struct reader_part *before = r->part;
    while (r->parts.n < file_part_count(r->file)) {
        struct reader_part *part = part_new(r);
        r->part = part; /* which the provider is of */
        struct provider *implicit = reader_provider_add(r, 0, STR(""), true, part->begin);
        implicit->implicit = true;
        part->implicit = part->provider = implicit;
        vec_push(&part->switches, ((struct provider_switch){part->begin, implicit->number}));
    }
    r->part = before ? before : r->parts.v[0];
    r->provider = r->part->provider;
}

void reader_part_free(struct reader_part *part) {
    vec_free(&part->switches);
    vec_free(&part->rates);
    vec_free(&part->current_by_id);
    map_free(&part->by_id);
    bulk_free(&part->bulk);
    free(part);
}

/* ---- turns ---- */

/* Whether it may be read further: it has grown, or has ended, since all was read. */
static bool can_go_on(const struct reader *r, const struct reader_part *part) {
    if (part->phase == PHASE_END)
        return false;
    struct file_part bounds = reader_bounds(r, part);
    return !part->waits || bounds.ended || bounds.end > part->waits_at;
}

/* The part that is read next, or NULL. */
static struct reader_part *next_part(const struct reader *r) {
    struct reader_part *first = NULL;
    for (size_t i = 0; i < r->parts.n; i++) {
        struct reader_part *part = r->parts.v[i];
        if (can_go_on(r, part) &&
            (first == NULL || (first->timed && (!part->timed || part->now < first->now))))
            first = part;
    }
    return first;
}

/* Whether all files were read to their end. */
static bool files_ended(const struct reader *r) {
    bool ended = true;
    for (size_t i = 0; i < r->parts.n && ended; i++)
        ended = r->parts.v[i]->phase == PHASE_END || reader_bounds(r, r->parts.v[i]).derived;
    return ended;
}

static bool all_ended(const struct reader *r) {
    bool ended = true;
    for (size_t i = 0; i < r->parts.n && ended; i++)
        ended = r->parts.v[i]->phase == PHASE_END;
    return ended;
}

/* Begins the next turn. False: nothing can be read. */
static bool next_turn(struct reader *r) {
    put_away(r);
    struct reader_part *next = next_part(r);
    if (next == NULL && !r->told && files_ended(r) && r->sink.ended) {
        r->told = true;
        r->sink.ended(r->sink.ctx);
        next = next_part(r);
    }
    take(r, next ? next : r->part);
    r->turn = next && next->phase == PHASE_START ? 8 : TURN;
    return next != NULL;
}

enum reader_state reader_turns(struct reader *r, uint64_t bytes) {
    enum reader_state state = READER_MORE;
    reader_parts_add(r);
    for (uint64_t left = bytes; left > 0 && state != READER_ALIEN;) {
        if (r->turn == 0 && !next_turn(r))
            return all_ended(r) ? READER_END : READER_WAIT;
        struct reader_part *part = r->part;
        uint64_t from = part->at, most = left < r->turn ? left : r->turn;
        state = reader_step_part(r, from + most);
        uint64_t read = part->at - from;
        left -= read < left ? read : left;
        r->turn -= read < r->turn ? read : r->turn;
        part->waits = state == READER_WAIT;
        part->waits_at = reader_bounds(r, part).end;
        if (state != READER_MORE)
            r->turn = 0;
    }
    return state == READER_ALIEN ? state : READER_MORE;
}

/* ---- the interface ---- */

void reader_place_part(struct reader *r, size_t i, uint16_t world, uint64_t ns) {
    reader_parts_add(r);
    r->parts.v[i]->world = world;
    r->parts.v[i]->implicit->world = world;
    r->parts.v[i]->shift = ns;
    r->ahead = ns > r->ahead ? ns : r->ahead;
}

void reader_part_archived(struct reader *r, size_t i, struct reader_archived archived) {
    reader_parts_add(r);
    r->parts.v[i]->archived = archived;
}

struct reader_archived reader_archived(const struct reader *r, size_t i) {
    return r->parts.v[i]->archived;
}

void reader_pass_over(struct reader *r, size_t i) {
    reader_parts_add(r);
    r->parts.v[i]->phase = PHASE_END;
}

uint64_t reader_part_begin(const struct reader *r, size_t i) {
    return r->parts.v[i]->begin;
}

uint64_t reader_part_bytes(const struct reader *r, size_t i) {
    return r->parts.v[i]->at - r->parts.v[i]->begin;
}

bool reader_begun(const struct reader *r) {
    bool begun = true;
    for (size_t i = 0; i < r->parts.n && begun; i++)
        begun = r->parts.v[i]->phase != PHASE_START || reader_bounds(r, r->parts.v[i]).derived;
    return begun;
}

uint16_t reader_world_at(const struct reader *r, uint64_t offset) {
    return reader_part_at(r, offset)->world;
}

size_t reader_part_now(const struct reader *r) {
    return r->part->number;
}

bool reader_resume(struct reader *r) {
    for (size_t i = 0; i < r->parts.n; i++)
        if (r->parts.v[i]->phase == PHASE_END && !r->parts.v[i]->ended_whole)
            return false;
    for (size_t i = 0; i < r->parts.n; i++)
        if (r->parts.v[i]->phase == PHASE_END)
            r->parts.v[i]->phase = PHASE_RECORDS;
    r->told = false;
    return true;
}

uint64_t reader_offset(const struct reader *r) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < r->parts.n; i++)
        bytes += r->parts.v[i]->at - r->parts.v[i]->begin;
    return bytes;
}

uint64_t reader_place(const struct reader *r) {
    return r->part->at;
}

const struct bulk *reader_bulk(const struct reader *r, size_t part) {
    return &r->parts.v[part]->bulk;
}

bool reader_bulk_find(const struct reader *r, size_t part, struct bulk_stretch *found) {
    const struct reader_part *of = r->parts.v[part];
    return bulk_find(&of->bulk, reader_part_times(r, of),
                     wide_sub(base_of(r, of), (struct wide){0, of->archived.zero}), found);
}
