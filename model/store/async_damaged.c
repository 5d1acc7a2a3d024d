/* async_damaged.c - sets operations with a wrong time apart, so that one odd record moves nothing
 * around it (SEMANTICS 4.7).
 *
 * A begin or an end with a wrong time is matched where it is in the file, between its neighbours.
 * So all is matched twice: first with such events at the time of the record before them, which
 * finds the operations that they begin and end. Before an unset time it is not known: the
 * operations of all threads are around it, as far as its own thread allows. Then without the
 * records of these operations, so that the others have the rows, depths and ends as if they were
 * not there. */
#include "model/store/async_internal.h"
#include "src/base/lower_bound.h"
#include "src/base/sort.h"
#include "src/base/u64map.h"

#define COST 8                   /* of an event, in units of work */
#define SIGN (UINT64_C(1) << 63) /* so that no time is the value of a missing key */
#define NO_TIME INT64_MIN        /* of a thread that has no sound event so far */

struct wrong { /* a begin or an end */
    uint64_t offset;
    int64_t time;   /* its own */
    int64_t latest; /* the time before it of its thread; NO_TIME: none */
    int64_t around; /* the time before it in the file, of any thread; NO_TIME: none */
    bool matched;
};

struct apart { /* an operation */
    uint32_t group;
    int64_t start, end; /* its own times; the end may precede the start */
    struct slice slice; /* as it was matched */
};

struct setting {
    struct async *async;
    const struct slice_extra *extra;
    const struct slice_damage *damage;
    struct task *task;
    struct time_log_entry *entries; /* of the log, in file order */
    size_t n;
    VEC(struct wrong) wrong; /* in file order */
    VEC(uint64_t) out;       /* offsets of records that are left out, sorted */
    VEC(struct apart) apart;
    struct async_derived matched, next;
};

static uint64_t offset_of(const struct time_log_entry *entry) {
    return event_key_offset(entry->at.offset);
}

static unsigned kind_of(const struct time_log_entry *entry) {
    return FXT_K_ASYNC_BEGIN + event_key_kind(entry->at.offset);
}

static uint32_t thread_of(const struct setting *s, const struct time_log_entry *entry) {
    return event_key_of(&s->async->input.event_keys, entry->at.offset)->thread;
}

static int by_mark(const void *x, const void *y) {
    const struct time_log_entry *a = x, *b = y;
    return (a->at.offset > b->at.offset) - (a->at.offset < b->at.offset);
}

static int by_time(const void *x, const void *y) {
    const struct time_log_entry *a = x, *b = y;
    return a->at.time != b->at.time ? (a->at.time > b->at.time) - (a->at.time < b->at.time)
                                    : by_mark(x, y);
}

static int by_number(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* ---- events with a wrong time ---- */

static bool is_wrong(const struct setting *s, const struct time_log_entry *entry) {
    return kind_of(entry) != FXT_K_ASYNC_INSTANT &&
           s->damage->record(s->damage->ctx, offset_of(entry), entry->at.time);
}

static struct wrong *wrong_at(const struct setting *s, uint64_t offset) {
    size_t i = 0;
    lower_bound(i, s->wrong.n, k, s->wrong.v[k].offset < offset);
    return i < s->wrong.n && s->wrong.v[i].offset == offset ? &s->wrong.v[i] : NULL;
}

static int64_t latest_of(const struct u64map *times, uint32_t thread) {
    uint64_t time = u64map_get(times, thread);
    return time == UINT64_MAX ? NO_TIME : (int64_t)(time ^ SIGN);
}

/* Whether an entry is of another file of a set than the one before it. */
static bool is_elsewhere(const struct setting *s, size_t i) {
    const struct worlds *worlds = s->async->state.worlds;
    return worlds && worlds->n > 0 && i > 0 &&
           world_file_at(worlds, offset_of(&s->entries[i])) !=
               world_file_at(worlds, offset_of(&s->entries[i - 1]));
}

/* Gives a wrong event the time of the record before it on its thread; NO_TIME: it is not known. */
static void take_wrong(struct setting *s, struct time_log_entry *entry, int64_t latest,
                       int64_t around) {
    int64_t before;
    bool known = s->damage->before(s->damage->ctx, offset_of(entry), &before);
    vec_push(&s->wrong, ((struct wrong){.offset = offset_of(entry),
                                        .time = entry->at.time,
                                        .latest = latest,
                                        .around = around}));
    if (known)
        entry->at.time = before > latest ? before : latest;
    else
        entry->at.time = NO_TIME;
}

/* Finds them, and gives them the times at which they are matched. */
static bool find_wrong(struct setting *s) {
    struct u64map times = {0};
    int64_t around = NO_TIME;
    for (size_t i = 0; i < s->n && task_spend(s->task, COST); i++) {
        struct time_log_entry *entry = &s->entries[i];
        if (is_elsewhere(s, i))
            around = NO_TIME;
        if (is_wrong(s, entry))
            take_wrong(s, entry, latest_of(&times, thread_of(s, entry)), around);
        if (entry->at.time == NO_TIME)
            continue;
        around = entry->at.time;
        u64map_set(&times, thread_of(s, entry), (uint64_t)around ^ SIGN);
    }
    u64map_free(&times);
    return !task_over(s->task);
}

/* The time of one that is not known: that of the event before it in the file, or after it, but
 * between those of its thread. */
static int64_t placed(const struct wrong *wrong, int64_t next, int64_t after) {
    int64_t time = wrong->around;
    if (next != NO_TIME && (time > next || time == NO_TIME))
        time = next;
    if (time < wrong->latest)
        time = wrong->latest;
    if (time == NO_TIME)
        time = after;
    return time != NO_TIME ? time : wrong->time;
}

/* Gives wrong events a time if that before them is not known. */
static bool place_others(struct setting *s) {
    struct u64map times = {0};
    int64_t after = NO_TIME;
    for (size_t i = s->n; i-- > 0 && task_spend(s->task, COST);) {
        struct time_log_entry *entry = &s->entries[i];
        if (i + 1 < s->n && is_elsewhere(s, i + 1))
            after = NO_TIME;
        const struct wrong *wrong =
            entry->at.time == NO_TIME ? wrong_at(s, offset_of(entry)) : NULL;
        if (wrong) {
            entry->at.time = placed(wrong, latest_of(&times, thread_of(s, entry)), after);
            continue;
        }
        after = entry->at.time;
        u64map_set(&times, thread_of(s, entry), (uint64_t)after ^ SIGN);
    }
    u64map_free(&times);
    return !task_over(s->task);
}

/* ---- operations that are set apart ---- */

/* Takes an operation apart if it is damaged. One whose begin and end are both unset is not. */
static void look_at(struct setting *s, uint32_t group, const struct slice *matched) {
    uint64_t end_at = slice_open(matched) ? 0 : slice_extra_end_offset(s->extra, matched);
    struct wrong *begin = wrong_at(s, slice_offset(matched)),
                 *end = end_at ? wrong_at(s, end_at) : NULL;
    struct apart x = {group, begin ? begin->time : matched->start,
                      end ? end->time : slice_end(matched), *matched};
    if (begin)
        begin->matched = true;
    if (end)
        end->matched = true;
    struct slice own = slice_make(x.start, SLICE_OPEN, matched->begin_word, UINT64_MAX, 0);
    if ((begin || end) && !slice_open(matched) && x.end >= x.start)
        slice_extra_close(s->extra, &own, x.end, end_at, 0);
    bool early = x.end < x.start;
    if (!early && !s->damage->slice(s->damage->ctx, begin || end ? &own : matched))
        return;
    vec_push(&s->apart, x);
    vec_push(&s->out, slice_offset(matched));
    if (end_at)
        vec_push(&s->out, end_at);
}

/* Matches all events, and finds the operations to set apart. */
static bool match(struct setting *s) {
    struct async_derived *matched = &s->matched;
    if (!sort_items(s->task, s->entries, s->n, sizeof *s->entries, by_time))
        return false;
    for (size_t i = 0; i < s->n; i++) {
        if (!task_spend(s->task, COST))
            return false;
        async_derive(matched, &s->async->input, s->extra, &s->entries[i]);
    }
    for (uint32_t k = 0; k < matched->groups.n; k++)
        for (uint32_t row = 0; row < matched->groups.v[k]->nlanes; row++)
            for (uint32_t i = 0; i < matched->groups.v[k]->lanes[row].n; i++) {
                look_at(s, k, lane_at(&matched->groups.v[k]->lanes[row], i));
                if (!task_spend(s->task, 1))
                    return false;
            }
    for (size_t i = 0; i < s->wrong.n; i++) /* ends that close nothing */
        if (!s->wrong.v[i].matched)
            vec_push(&s->out, s->wrong.v[i].offset);
    return sort_items(s->task, s->out.v, s->out.n, sizeof *s->out.v, by_number);
}

/* ---- the others, and then these ---- */

static bool is_out(const struct setting *s, uint64_t offset) {
    size_t i = 0;
    lower_bound(i, s->out.n, k, s->out.v[k] < offset);
    return i < s->out.n && s->out.v[i] == offset;
}

static void add_problem(struct setting *s, int kind, uint64_t offset, int64_t time) {
    problem_add(&s->next.problems, kind, offset, 0, time, NO_THREAD);
}

/* Derives from the other events. Sets *last to the last time of these. */
static bool derive_others(struct setting *s, struct time_log_entry *sorted, int64_t *last) {
    *last = sorted[0].at.time;
    for (size_t i = 0; i < s->n; i++) {
        uint64_t offset = offset_of(&sorted[i]);
        const struct wrong *wrong = wrong_at(s, offset);
        if (!task_spend(s->task, COST))
            return false;
        if (!is_out(s, offset)) {
            async_derive(&s->next, &s->async->input, s->extra, &sorted[i]);
            *last = sorted[i].at.time;
        } else if (wrong && !wrong->matched) {
            add_problem(s, PROBLEM_ASYNC_END_WITHOUT_BEGIN, offset, wrong->time);
        }
    }
    return true;
}

static int by_group(const void *x, const void *y) {
    const struct apart *a = x, *b = y;
    uint64_t at = slice_offset(&a->slice), other = slice_offset(&b->slice);
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->start != b->start ? (a->start > b->start) - (a->start < b->start)
                                : (at > other) - (at < other);
}

/* Puts it on a row of its group that is not taken. */
static uint32_t place(struct setting *s, struct async_group *g, uint32_t first,
                      const struct apart *x) {
    const struct slice *matched = &x->slice;
    uint64_t at = slice_offset(matched);
    bool early = x->end < x->start, mismatch = slice_flags(matched) & SLICE_MISMATCH;
    struct slice slice =
        slice_make(x->start, SLICE_OPEN, matched->begin_word, UINT64_MAX, SLICE_DISPLACED);
    if (!slice_open(matched))
        slice_extra_close_rare(s->extra, &slice, early ? x->start : x->end,
                               slice_extra_end_offset(s->extra, matched),
                               mismatch ? SLICE_MISMATCH : 0);
    if (mismatch)
        add_problem(s, PROBLEM_ASYNC_END_NAME_MISMATCH, slice_extra_end_offset(s->extra, matched),
                    x->end);
    bool begins_wrong = wrong_at(s, at) != NULL;
    s->extra->set(s->extra->ctx, at + SLICE_EXTRA_PARENT_ROW,
                  begins_wrong ? SLICE_APART_BEGIN : SLICE_APART);
    if (s->extra->get(s->extra->ctx, at + SLICE_EXTRA_DEPTH) != UINT64_MAX)
        s->extra->set(s->extra->ctx, at + SLICE_EXTRA_DEPTH, 0);
    uint32_t row = async_find_row(g, first);
    async_take_row(g, row, true);
    lane_push(&g->lanes[row], &slice);
    g->ops++;
    s->next.apart++;
    s->next.unfinished += slice_open(&slice);
    return row;
}

struct leaving { /* when an operation leaves its row */
    int64_t time;
    size_t i;
    uint32_t row;
};

static int by_leaving(const void *x, const void *y) {
    const struct leaving *a = x, *b = y;
    return a->time != b->time ? (a->time > b->time) - (a->time < b->time)
                              : (a->i > b->i) - (a->i < b->i);
}

/* Puts the operations [from, to), which are of one group, on its last rows. No other operation
 * follows there, so these rows stay taken. */
static bool place_group(struct setting *s, size_t from, size_t to) {
    const struct async_group *as = s->matched.groups.v[s->apart.v[from].group];
    uint32_t number = async_find_group(&s->next, as->process, as->name, as->world);
    struct async_group *g = s->next.groups.v[number];
    uint32_t first = g->nlanes;
    VEC(struct leaving) ends = {0};
    for (size_t i = from; i < to; i++) {
        const struct apart *x = &s->apart.v[i];
        vec_push(&ends, ((struct leaving){x->end > x->start ? x->end : x->start, i - from, 0}));
    }
    VEC(uint32_t) rows = {0};
    bool done = sort_items(s->task, ends.v, ends.n, sizeof *ends.v, by_leaving);
    for (size_t i = from, left = 0; done && i < to; i++) {
        for (; left < i - from && ends.v[left].i < i - from &&
               ends.v[left].time <= s->apart.v[i].start;
             left++)
            async_take_row(g, rows.v[ends.v[left].i], false);
        vec_push(&rows, place(s, g, first, &s->apart.v[i]));
        done = task_spend(s->task, COST);
    }
    g->apart_from = first;
    g->apart_to = g->nlanes;
    for (uint32_t row = first; row < g->nlanes; row++)
        async_take_row(g, row, true);
    vec_free(&ends);
    vec_free(&rows);
    return done;
}

static bool place_all(struct setting *s) {
    if (!sort_items(s->task, s->apart.v, s->apart.n, sizeof *s->apart.v, by_group))
        return false;
    for (size_t i = 0, n; i < s->apart.n; i += n) {
        for (n = 1; i + n < s->apart.n && s->apart.v[i + n].group == s->apart.v[i].group;)
            n++;
        if (!place_group(s, i, i + n))
            return false;
    }
    return true;
}

/* ---- all of it ---- */

/* Makes the next state. */
static bool derive_apart(struct setting *s) {
    struct async *async = s->async;
    int64_t last;
    if (!place_others(s) || !match(s))
        return false;
    struct time_log_entry *sorted =
        time_log_sorted(s->task, time_log_array_entries(&async->input.log));
    if (sorted == NULL)
        return false;
    if (!derive_others(s, sorted, &last) || !place_all(s)) {
        free(sorted);
        return false;
    }
    async_replace(async, &s->next, sorted, s->n, last);
    async_begin_again(async, &s->next);
    return true;
}

/* Whether an operation is damaged, also by a time whose place in the file proves nothing. */
static bool has_damaged(const struct setting *s) {
    const struct async_derived *state = &s->async->state;
    for (uint32_t k = 0; k < state->groups.n; k++)
        for (uint32_t row = 0; row < state->groups.v[k]->nlanes; row++) {
            const struct lane *lane = &state->groups.v[k]->lanes[row];
            for (uint32_t i = 0; i < lane->n && task_spend(s->task, 1); i++)
                if (s->damage->slice(s->damage->ctx, lane_at(lane, i)))
                    return true;
        }
    return false;
}

static bool is_needed(const struct setting *s) {
    return s->wrong.n > 0 || s->async->state.apart > 0 || has_damaged(s);
}

bool async_set_apart(struct async *async, const struct slice_extra *extra,
                     const struct slice_damage *damage, struct task *task) {
    struct time_log_entries log = time_log_array_entries(&async->input.log);
    struct setting s = {.async = async, .extra = extra, .damage = damage, .task = task, .n = log.n};
    log.order = by_mark;
    async_begin_again(async, &s.matched);
    async_begin_again(async, &s.next);
    bool done = log.n == 0 || ((s.entries = time_log_sorted(task, log)) != NULL && find_wrong(&s));
    if (done && log.n > 0 && is_needed(&s))
        done = derive_apart(&s);
    done = done && !task_over(task);
    async->state.judged = done;
    async_clear(&s.matched);
    async_clear(&s.next);
    free(s.entries);
    vec_free(&s.wrong);
    vec_free(&s.out);
    vec_free(&s.apart);
    return done;
}
