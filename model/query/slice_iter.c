/* slice_iter.c - series in (track, row) order, and the runs of slices in them.
 *
 * A position is the pair (track, row) of the next series: threads count from 0, async groups from
 * SLICE_ITER_ASYNC, and the row after the last lane of a track is that of its instants. A window of
 * time costs two binary searches a row. */
#include "model/query/slice_iter.h"

#include <stdio.h>

#include "src/base/text.h"
#include "src/base/units.h"

#define SERIES_UNITS 2 /* of a series without slices in the window */
/* slices for a unit of work: their cost is little more than that of reading memory */
#define CHEAP 32

/* ---- series ---- */

static bool lane_series(const struct lane *lane, uint32_t track, uint32_t *row,
                        struct slice_series *s) {
    *s = (struct slice_series){.lane = lane,
                               .n = lane->n,
                               .kind = track < SLICE_ITER_ASYNC ? SLICE_ITER_SLICES
                                                                : SLICE_ITER_OPERATIONS,
                               .track = track,
                               .row = (*row)++};
    return lane->n > 0;
}

/* A series of the thread at *row or after it; moves *row past it. */
static bool thread_series(const struct trace *trace, unsigned kinds, uint32_t number, uint32_t *row,
                          struct slice_series *s) {
    struct thread *t = trace_thread(trace, number);
    uint32_t rows = nest_rows(&t->nest);
    size_t n;
    if (trace_thread_hidden(trace, t))
        return false;
    *row = *row == SLICE_ITER_INSTANT_ROW ? rows : *row;
    while ((kinds & SLICE_ITER_SLICES) && *row < rows)
        if (lane_series(nest_row(&t->nest, *row), number, row, s))
            return true;
    if (!(kinds & SLICE_ITER_INSTANTS) || *row > rows || trace_instant_count(t) == 0)
        return false;
    const struct instant *v = trace_instants(t, &n);
    *s = (struct slice_series){.instants = v,
                               .n = (uint32_t)n,
                               .kind = SLICE_ITER_INSTANTS,
                               .track = number,
                               .row = SLICE_ITER_INSTANT_ROW};
    *row = rows + 1;
    return true;
}

static bool group_series(const struct trace *trace, unsigned kinds, uint32_t track, uint32_t *row,
                         struct slice_series *s) {
    const struct async_group *g = async_group(trace_async(trace), track - SLICE_ITER_ASYNC);
    uint32_t rows = async_group_rows(g);
    size_t n = async_instant_count(g);
    *row = *row == SLICE_ITER_INSTANT_ROW ? rows : *row;
    while ((kinds & SLICE_ITER_OPERATIONS) && *row < rows)
        if (lane_series(async_group_row(g, *row), track, row, s))
            return true;
    if (!(kinds & SLICE_ITER_ASYNC_INSTANTS) || *row > rows || n == 0)
        return false;
    *s = (struct slice_series){.async_instants = async_instant(g, 0),
                               .n = (uint32_t)n,
                               .kind = SLICE_ITER_ASYNC_INSTANTS,
                               .track = track,
                               .row = SLICE_ITER_INSTANT_ROW};
    *row = rows + 1;
    return true;
}

/* The number of tracks of a kind from its first one on. */
static uint32_t single_tracks(const struct trace *trace, unsigned kind) {
    if (kind == SLICE_ITER_COUNTERS)
        return (uint32_t)counter_series_count(trace_counters(trace));
    return kind == SLICE_ITER_STATES ? (uint32_t)sched_thread_count(trace_sched(trace)) : 1;
}

/* The only series of track `first` + i of a kind; n is 0 if there is nothing on it. */
static struct slice_series single_series(const struct trace *trace, unsigned kind, uint32_t first,
                                         uint32_t i) {
    struct slice_series s = {.kind = kind, .track = first + i};
    size_t n = 0;
    if (kind == SLICE_ITER_COUNTERS) {
        struct counter_series *series = counter_series(trace_counters(trace), i);
        counter_samples(series, &n);
        s.counter = series;
    } else if (kind == SLICE_ITER_STATES) {
        s.lane = &sched_thread_at(trace_sched(trace), i)->lane;
        n = s.lane->n;
    } else if (kind == SLICE_ITER_LOGS) {
        s.logs = trace_logs((struct trace *)trace, &n); /* sorts them, which changes no answer */
    } else {
        s.flows = trace_flows(trace);
        n = flow_point_count(s.flows);
    }
    s.n = (uint32_t)n;
    return s;
}

/* next_up_to() after the async groups: tracks with one series each. */
static bool next_single(const struct trace *trace, unsigned kinds, uint32_t last, uint32_t *track,
                        struct slice_series *s) {
    static const struct {
        unsigned kind;
        uint32_t first;
    } tracks[] = {{SLICE_ITER_COUNTERS, SLICE_ITER_COUNTER_TRACK},
                  {SLICE_ITER_STATES, SLICE_ITER_STATE_TRACK},
                  {SLICE_ITER_LOGS, SLICE_ITER_LOG_TRACK},
                  {SLICE_ITER_FLOWS, SLICE_ITER_FLOW_TRACK}};
    for (size_t k = 0; k < sizeof tracks / sizeof *tracks; k++) {
        if (!(kinds & tracks[k].kind))
            continue;
        uint32_t n = single_tracks(trace, tracks[k].kind);
        if (*track < tracks[k].first)
            *track = tracks[k].first;
        for (; *track - tracks[k].first < n && *track <= last; ++*track) {
            *s = single_series(trace, tracks[k].kind, tracks[k].first, *track - tracks[k].first);
            if (s->n > 0) {
                ++*track;
                return true;
            }
        }
    }
    return false;
}

/* slice_iter_series() of tracks up to `last`, so that one track costs no look at those after it. */
static bool next_up_to(const struct trace *trace, unsigned kinds, uint32_t last, uint32_t *track,
                       uint32_t *row, struct slice_series *s) {
    size_t threads =
        kinds & (SLICE_ITER_SLICES | SLICE_ITER_INSTANTS) ? trace_thread_count(trace) : 0;
    size_t groups = kinds & (SLICE_ITER_OPERATIONS | SLICE_ITER_ASYNC_INSTANTS)
                        ? async_group_count(trace_async(trace))
                        : 0;
    for (; *track < threads && *track <= last; ++*track, *row = 0)
        if (thread_series(trace, kinds, *track, row, s))
            return true;
    if (*track > last)
        return false;
    if (*track < SLICE_ITER_ASYNC)
        *track = SLICE_ITER_ASYNC;
    for (; *track - SLICE_ITER_ASYNC < groups && *track <= last; ++*track, *row = 0)
        if (group_series(trace, kinds, *track, row, s))
            return true;
    return next_single(trace, kinds, last, track, s);
}

bool slice_iter_series(const struct trace *trace, unsigned kinds, uint32_t *track, uint32_t *row,
                       struct slice_series *s) {
    return next_up_to(trace, kinds, UINT32_MAX, track, row, s);
}

int64_t slice_iter_time(const struct slice_series *s, uint32_t i) {
    if (s->lane)
        return lane_start(s->lane, i);
    if (s->instants)
        return s->instants[i].time;
    if (s->async_instants)
        return s->async_instants[i].at.time;
    if (s->counter)
        return counter_sample(s->counter, i)->at.time;
    return s->logs ? s->logs[i].at.time : flow_time(s->flows, i);
}

uint64_t slice_iter_offset(const struct slice_series *s, uint32_t i) {
    if (s->lane)
        return slice_offset(lane_at(s->lane, i));
    if (s->instants)
        return event_offset(s->instants[i].packed);
    if (s->async_instants)
        return s->async_instants[i].at.offset;
    if (s->counter)
        return counter_offset(counter_sample(s->counter, i));
    return s->logs ? s->logs[i].at.offset : flow_offset(s->flows, i);
}

/* ---- runs ---- */

void slice_iter_window(const struct lane *lane, int64_t from, int64_t to, uint32_t *first,
                       uint32_t *last) {
    *first = lane_from(lane, from);
    *last = to == INT64_MAX ? lane->n : lane_from(lane, to);
    /* only the last one before can reach into it */
    if (*first > 0 && slice_end(lane_at(lane, *first - 1)) > from)
        --*first;
    if (*last < *first)
        *last = *first;
}

bool slice_iter_displaced(const struct trace *trace, uint32_t thread) {
    return trace_thread(trace, thread)->nest.displaced > 0 || trace_damaged_slices(trace) > 0;
}

bool slice_iter_overlaps(const struct trace *trace, uint32_t thread) {
    return slice_iter_displaced(trace, thread) ||
           (nest_open(&trace_thread(trace, thread)->nest) > 0 &&
            trace_open_end(trace, thread, INT64_MIN) < trace_end(trace));
}

void slice_iter_row(const struct trace *trace, const struct slice_set *set, uint32_t track,
                    const struct lane *lane, uint32_t *first, uint32_t *last) {
    *first = 0;
    *last = lane->n;
    if (set->from > INT64_MIN || set->to < INT64_MAX)
        slice_iter_window(lane, set->from, set->to, first, last);
    /* an open slice is the last of its row */
    if (*first < *last && *last == lane->n && lane->end == INT64_MAX) {
        const struct slice *s = lane_at(lane, *last - 1);
        if (slice_open(s) && s->start < set->from && slice_iter_end(trace, track, s) <= set->from)
            --*last;
    }
}

uint32_t slice_iter_sound(const struct trace *trace, const struct lane *lane, uint32_t *i,
                          uint32_t end) {
    uint32_t next = trace_damaged_next(trace, lane, *i);
    for (; *i < end && next == *i; next = trace_damaged_next(trace, lane, *i))
        ++*i;
    return next < end ? next : end;
}

/* Whether states of a thread are among those of a set. */
static bool has_states_of(const struct slice_set *set, uint32_t thread) {
    return (set->track == NO_THREAD || set->track == thread) &&
           (set->tracks == NULL || set->tracks->v.n == 0 || track_set_has(set->tracks, thread));
}

struct left_out slice_iter_left_out(const struct trace *trace, const struct slice_set *set) {
    struct left_out n = {0};
    uint32_t track = 0, row = 0, thread;
    struct slice_series s;
    while (trace_damaged_slices(trace) > 0 &&
           slice_iter_series(trace, set->kinds & ~SLICE_ITER_STATES, &track, &row, &s)) {
        bool asked = s.lane && (set->track == NO_THREAD || set->track == s.track) &&
                     (set->tracks == NULL || track_set_has(set->tracks, s.track));
        uint32_t i = asked ? trace_damaged_next(trace, s.lane, 0) : UINT32_MAX;
        for (; i != UINT32_MAX; i = trace_damaged_next(trace, s.lane, i + 1)) {
            if (set->has && !set->has(set->ctx, s.track, s.row, i))
                continue;
            n.slices++;
            n.unset.slices += trace_unset_begin(trace, s.lane, i);
        }
    }
    bool unset;
    for (size_t k = 0;
         set->kinds & SLICE_ITER_STATES && trace_damaged_state_at(trace, k, &thread, &unset); k++) {
        bool has = has_states_of(set, thread);
        n.states += has;
        n.unset.states += has && unset;
    }
    return n;
}

struct left_out slice_iter_left_out_all(const struct trace *trace) {
    return (struct left_out){trace_damaged_slices(trace), trace_damaged_states(trace),
                             trace_damaged_hops(trace), trace_damaged_unset(trace)};
}

static uint64_t left_out_count(struct left_out n) {
    return n.slices + n.states + n.hops;
}

const char *slice_iter_left_out_word(struct left_out n) {
    uint64_t unset = n.unset.slices + n.unset.states + n.unset.hops;
    if (unset == 0)
        return "damaged";
    return unset < left_out_count(n) ? "damaged or unset" : "unset";
}

const char *slice_iter_with_text(struct left_out n, char buf[120]) {
    const struct {
        const char *noun;
        uint64_t n;
    } kinds[] = {{"slice", n.slices}, {"state", n.states}, {"hop", n.hops}};
    uint64_t all = left_out_count(n), rest = all;
    size_t len = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && len < 120; k++) {
        char number[32];
        if (kinds[k].n == 0)
            continue;
        const char *joint = rest == kinds[k].n ? " and " : ", ";
        len += (size_t)snprintf(buf + len, 120 - len, "%s%s %s%s", rest == all ? "" : joint,
                                units_count(kinds[k].n, false, number), kinds[k].noun,
                                kinds[k].n == 1 ? "" : "s");
        rest -= kinds[k].n;
    }
    const char *word = slice_iter_left_out_word(n);
    if (len < 120 && all == 1)
        snprintf(buf + len, 120 - len, " with %s %s time", *word == 'u' ? "an" : "a", word);
    else if (len < 120)
        snprintf(buf + len, 120 - len, " with %s times", word);
    return buf;
}

const char *slice_iter_left_out_text(struct left_out n, char buf[120]) {
    char with[120];
    snprintf(buf, 120, "%s %s left out", slice_iter_with_text(n, with),
             left_out_count(n) == 1 ? "is" : "are");
    return buf;
}

const char *slice_iter_open_text(const char *noun, struct str name, uint64_t n,
                                 const int64_t *lasted, bool ascii,
                                 char buf[SLICE_ITER_OPEN_TEXT]) {
    char safe[160], number[32], time[32] = "";
    const char *s = n == 1 ? "" : "s", *have = n == 1 ? "has" : "have";
    text_plain(safe, sizeof safe, name, TEXT_TRACK | (ascii ? TEXT_ASCII : 0));
    units_count(n, false, number);
    if (lasted)
        units_duration(*lasted, ascii, time);
    if (lasted == NULL)
        snprintf(buf, SLICE_ITER_OPEN_TEXT,
                 "%s %s%s of %s %s no end: durations are of those that ended", number, noun, s,
                 safe, have);
    else
        snprintf(buf, SLICE_ITER_OPEN_TEXT,
                 "%s %s%s of %s %s no end and %s lasted %s%s: longer than all that ended", number,
                 noun, s, safe, have, have, n == 1 ? "" : "up to ", time);
    return buf;
}

void slice_iter_init(struct slice_iter *iter, const struct trace *trace,
                     const struct slice_set *set) {
    *iter = (struct slice_iter){
        .trace = trace, .set = *set, .track = set->track == NO_THREAD ? 0 : set->track};
    iter->set.times = iter->set.times && !trace_unset_by_record(trace);
}

/* Enters a series: to its slices in the window, if there are any. */
static void enter_series(struct slice_iter *iter) {
    const struct slice_set *set = &iter->set;
    const struct slice_series *s = &iter->series;
    iter->i = iter->end = 0;
    if (set->tracks && !track_set_has(set->tracks, s->track))
        return;
    iter->end = s->n;
    if (s->lane)
        slice_iter_row(iter->trace, set, s->track, s->lane, &iter->i, &iter->end);
}

/* Enters the next series that has slices in the window; false: there is none, or the task
 * is over. */
static bool next_series(struct slice_iter *iter, struct task *task) {
    const struct slice_set *set = &iter->set;
    struct slice_series *s = &iter->series;
    while (iter->track != UINT32_MAX) {
        uint32_t last = set->track; /* NO_THREAD is the greatest number */
        bool any = next_up_to(iter->trace, set->kinds, last, &iter->track, &iter->row, s);
        if (!any || (last != NO_THREAD && s->track != last)) {
            iter->track = UINT32_MAX;
            break;
        }
        enter_series(iter);
        if (iter->i < iter->end)
            return true;
        iter->i = iter->end;
        if (!task_spend(task, SERIES_UNITS))
            return false;
    }
    s->n = iter->i = iter->end = 0;
    return false;
}

bool slice_iter_next(struct slice_iter *iter, struct task *task, struct slice_run *run) {
    for (bool any = false; !any;) {
        if (iter->i == iter->end && !next_series(iter, task))
            return false;
        if (task_over(task))
            return false;
        const struct slice_series *s = &iter->series;
        uint32_t end =
            s->lane ? slice_iter_sound(iter->trace, s->lane, &iter->i, iter->end) : iter->end;
        uint32_t n = SLICE_ITER_RUN - iter->i % SLICE_ITER_RUN;
        n = n < end - iter->i ? n : end - iter->i;
        if (n == 0)
            continue;
        any = iter->set.named == 0 || lane_has_name(s->lane, iter->i, n, iter->set.named - 1);
        if (any)
            slice_iter_copy(&iter->set, s->lane, iter->i, n, iter->room);
        *run = (struct slice_run){iter->room, n, iter->i, s->track, s->row};
        iter->i += n;
        task_spend(task, 1 + SLICE_ITER_RUN / CHEAP);
    }
    return true;
}
