/* filter_match_event.c - tests an event term by term, in the order of their cost.
 *
 * Terms on the track of an event are evaluated once a series. Records are decoded only for events
 * that all other terms let pass. A field that an event does not have makes a comparison false, and
 * its negation true. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/query/filter/filter_file.h"
#include "model/query/filter/filter_match_internal.h"
#include "model/query/flow_slice.h"
#include "model/store/sched_life.h"
#include "model/trace/trace_life.h"
#include "src/base/lower_bound.h"
#include "src/base/units.h"

struct event { /* its decoded parts */
    const struct slice_series *s;
    uint32_t i;
    const struct slice *slice; /* NULL: it has no length */
    int64_t time;
    uint64_t offset;
    uint32_t thread; /* number; NO_THREAD: none, or not known before `threaded` */
    bool threaded;
};

static unsigned kind_bit(unsigned kind) {
    switch (kind) {
    case SLICE_ITER_SLICES:
        return FILTER_SLICE;
    case SLICE_ITER_INSTANTS:
        return FILTER_INSTANT;
    case SLICE_ITER_COUNTERS:
        return FILTER_COUNTER;
    case SLICE_ITER_STATES:
        return FILTER_STATES;
    case SLICE_ITER_LOGS:
        return FILTER_LOG;
    case SLICE_ITER_FLOWS:
        return FILTER_FLOWS;
    default:
        return FILTER_ASYNC;
    }
}

static uint32_t thread_of(struct filter_match *m, struct event *e) {
    if (e->threaded)
        return e->thread;
    e->threaded = true;
    const struct slice_series *s = e->s;
    if (s->kind & (SLICE_ITER_SLICES | SLICE_ITER_INSTANTS)) {
        e->thread = s->track;
    } else if (s->kind == SLICE_ITER_STATES) {
        e->thread =
            sched_thread_at(trace_sched(m->trace), s->track - SLICE_ITER_STATE_TRACK)->thread;
    } else if (s->kind == SLICE_ITER_LOGS) {
        e->thread = s->logs[e->i].thread;
    } else if (s->kind == SLICE_ITER_FLOWS) {
        e->thread = flow_thread(s->flows, e->i);
    } else {
        e->thread = trace_thread_at(m->trace, e->offset);
        m->cost += FILTER_RECORD_UNITS;
    }
    return e->thread;
}

/* An operation may be in the group of another process: the record decides. */
static uint32_t process_of(struct filter_match *m, struct event *e) {
    if (e->s->counter)
        return e->s->counter->process;
    uint32_t thread = thread_of(m, e);
    return thread == NO_THREAD ? NO_PROCESS : trace_thread(m->trace, thread)->process;
}

static bool has_thread_text(struct filter_match *m, const struct filter_term *term,
                            struct event *e) {
    char buf[40];
    bool named;
    uint32_t thread = thread_of(m, e), process = process_of(m, e);
    if (term->field == FILTER_THREAD) {
        bool present = thread != NO_THREAD;
        bool fits = present && filter_term_fits(
                                   term, trace_thread_name(m->trace, trace_thread(m->trace, thread),
                                                           buf, &named));
        return filter_term_result(term, fits, present);
    }
    bool present = process != NO_PROCESS;
    bool fits = present && filter_term_fits(
                               term, trace_process_name(m->trace, trace_process(m->trace, process),
                                                        buf, &named));
    return filter_term_result(term, fits, present);
}

static uint32_t name_of(const struct filter_match *m, const struct event *e) {
    const struct slice_series *s = e->s;
    if (s->async_instants)
        return s->async_instants[e->i].name;
    if (s->counter)
        return s->counter->name;
    if (s->flows)
        return filter_sets_flow_name(s->flows, e->i);
    uint64_t word = e->slice ? e->slice->begin_word : s->instants[e->i].packed;
    uint32_t name = event_name(word);
    return name < EVENT_NAME_MAX ? name : trace_packed_name(m->trace, word);
}

/* Whether a bare word is in the name or the number of the owner. */
static bool owner_fits(struct filter_match *m, const struct filter_term *term, struct event *e) {
    char buf[40], number[24];
    bool named, of_thread = m->filter->owner == FILTER_OWNER_THREAD;
    uint32_t thread = of_thread ? thread_of(m, e) : NO_THREAD,
             process = of_thread ? NO_PROCESS : process_of(m, e);
    struct str name;
    if (thread == NO_THREAD && process == NO_PROCESS)
        return false;
    if (of_thread) {
        const struct thread *t = trace_thread(m->trace, thread);
        name = trace_thread_name(m->trace, t, buf, &named);
        snprintf(number, sizeof number, "%" PRIu64, t->id.tid);
    } else {
        const struct process *p = trace_process(m->trace, process);
        name = trace_process_name(m->trace, p, buf, &named);
        snprintf(number, sizeof number, "%" PRIu64, p->pid);
    }
    return filter_term_fits(term, name) || (named && filter_term_fits(term, str_of(number)));
}

/* A bare word: the name of the event, or its owner. */
static bool has_word(struct filter_match *m, size_t k, struct event *e) {
    const struct filter_term *term = &m->filter->terms.v[k];
    uint32_t name = name_of(m, e);
    bool fits = name < m->names[k].has.n && m->names[k].has.v[name];
    return filter_term_result(term, fits || owner_fits(m, term, e), true);
}

static bool has_number(const struct filter_term *term, bool present, uint64_t number) {
    return filter_term_result(
        term, present && filter_term_fits_number(term, filter_unsigned(number)), present);
}

static bool has_id(struct filter_match *m, const struct filter_term *term, struct event *e) {
    if (term->field == FILTER_PID) {
        uint32_t process = process_of(m, e);
        bool present = process != NO_PROCESS;
        return has_number(term, present, present ? trace_process(m->trace, process)->pid : 0);
    }
    uint32_t thread = thread_of(m, e);
    const struct thread_id *id = thread == NO_THREAD ? NULL : &trace_thread(m->trace, thread)->id;
    bool present = id && id->form != THREAD_UNDEFINED;
    return has_number(term, present, present ? id->tid : 0);
}

static bool has_time(const struct filter_term *term, bool present, int64_t ns) {
    return filter_term_result(term, present && filter_term_fits_number(term, filter_signed(ns)),
                              present);
}

static bool has_duration(struct filter_match *m, size_t k, const struct event *e) {
    const struct filter_term *term = &m->filter->terms.v[k];
    if (e->slice == NULL)
        return filter_term_result(term, false, false);
    int64_t dur = units_since(e->slice->start, slice_iter_end(m->trace, e->s->track, e->slice)),
            least;
    bool fits = false, any = false, operation = e->s->kind == SLICE_ITER_OPERATIONS;
    for (size_t v = 0; v < term->values.n && !fits; v++) {
        struct filter_number number = term->values.v[v].number;
        if (number.type == FILTER_PERCENTILE) {
            if (e->s->kind == SLICE_ITER_STATES ||
                !filter_sets_percentile(&m->sets, k, v, operation, name_of(m, e), &least))
                continue; /* none of its name has ended */
            number = filter_signed(least);
        }
        any = true;
        fits = filter_compares(term->op, filter_compare(filter_signed(dur), number));
    }
    return filter_term_result(term, fits, any);
}

/* The slice around an event that has no length; of a slice its parent. */
static bool around(struct filter_match *m, struct event *e, uint32_t *row, uint32_t *i) {
    if (e->s->kind == SLICE_ITER_SLICES)
        return nest_parent(&trace_thread(m->trace, e->s->track)->nest, trace_slice_extra(m->trace),
                           e->s->row, e->i, row, i);
    if (!(e->s->kind & (SLICE_ITER_INSTANTS | SLICE_ITER_LOGS | SLICE_ITER_FLOWS)) ||
        thread_of(m, e) == NO_THREAD)
        return false;
    bool arrives = e->s->flows && flow_point(e->s->flows, e->i).kind != FLOW_BEGIN;
    return trace_point_slice(
        m->trace, &(struct trace_point){e->thread, {e->time, e->offset}, arrives}, row, i);
}

static bool slice_fits_name(const struct filter_match *m, size_t k, uint32_t thread, uint32_t row,
                            uint32_t i) {
    uint64_t word = lane_at(nest_row(&trace_thread(m->trace, thread)->nest, row), i)->begin_word;
    uint32_t name = event_name(word);
    if (name == EVENT_NAME_MAX)
        name = trace_packed_name(m->trace, word);
    return name < m->names[k].has.n && m->names[k].has.v[name];
}

static bool has_relative(struct filter_match *m, size_t k, struct event *e) {
    const struct filter_term *term = &m->filter->terms.v[k];
    uint32_t row, i;
    bool present, fits = false;
    if (term->field == FILTER_FLOW && e->s->flows)
        return filter_term_result(term, m->names[k].has.v[name_of(m, e)], true);
    if (term->field == FILTER_FLOW || term->field == FILTER_HAS ||
        (term->field == FILTER_IN && e->slice)) {
        present = false;
        if (e->s->kind == SLICE_ITER_SLICES)
            fits = filter_sets_fits(&m->sets, k, e->s->track, e->s->row, e->i, &present);
        return filter_term_result(term, fits, present);
    }
    present = around(m, e, &row, &i);
    fits = present && slice_fits_name(m, k, thread_of(m, e), row, i);
    if (present && !fits && term->field == FILTER_IN) {
        bool inner;
        fits = filter_sets_fits(&m->sets, k, e->thread, row, i, &inner);
    }
    return filter_term_result(term, fits, present);
}

static bool runs_on(struct filter_match *m, uint32_t place, uint32_t thread, int64_t time) {
    struct sched_cpu *cpu = sched_cpu(trace_sched(m->trace), place);
    uint32_t i = lane_before(&cpu->lane, time);
    m->cost++;
    if (i == UINT32_MAX || slice_end(lane_at(&cpu->lane, i)) <= time)
        return false;
    uint32_t runs = sched_run(cpu, i).thread;
    return runs == thread || (runs != NO_THREAD && trace_stands_for(m->trace, runs) == thread);
}

/* Whether the thread of an event runs on a CPU that fits at its time, or on any: on one, unless the
 * trace contradicts itself. A CPU is only asked if the answer depends on it: those that fit; then,
 * if the term holds for others, the one that was found last, and the rest until one is found. */
static bool has_cpu(struct filter_match *m, const struct filter_term *term, struct event *e) {
    const struct sched *sched = trace_sched(m->trace);
    uint32_t thread = thread_of(m, e),
             cpus = thread == NO_THREAD ? 0 : (uint32_t)sched_cpu_count(sched);
    for (uint32_t k = 0; k < cpus; k++)
        if (filter_term_fits_number(term, filter_unsigned(sched_cpu(sched, k)->number)) &&
            runs_on(m, k, thread, e->time))
            return filter_term_result(term, true, true);
    if (filter_term_result(term, false, true) == filter_term_result(term, false, false))
        return filter_term_result(term, false, false);
    bool present = m->cpu < cpus && runs_on(m, m->cpu, thread, e->time);
    for (uint32_t k = 0; k < cpus && !present; k++)
        if (k != m->cpu && (present = runs_on(m, k, thread, e->time)))
            m->cpu = k;
    return filter_term_result(term, false, present);
}

static bool has_state(struct filter_match *m, size_t k, struct event *e) {
    const struct filter_term *term = &m->filter->terms.v[k];
    bool present = false, fits = false;
    if (e->s->kind == SLICE_ITER_STATES) {
        uint32_t state = sched_life_state(
            sched_thread_at(trace_sched(m->trace), e->s->track - SLICE_ITER_STATE_TRACK), e->i);
        for (size_t v = 0; v < term->values.n; v++)
            fits = fits || (state < 64 && term->values.v[v].number.u >> state & 1);
        return filter_term_result(term, fits, true);
    }
    uint32_t thread = thread_of(m, e);
    if (thread != NO_THREAD)
        fits = filter_sets_state(
            &m->sets, k, thread, e->time,
            e->slice ? slice_iter_end(m->trace, e->s->track, e->slice) : e->time, &present);
    return filter_term_result(term, fits, present);
}

/* The time since the last point of the stop before; none inside one stop. */
static bool has_hop(const struct filter_match *m, const struct filter_term *term,
                    const struct event *e) {
    const struct flows *flows = e->s->flows;
    uint32_t before = flows ? flow_link(flows, e->i)->before : NO_POINT;
    if (before == NO_POINT)
        return filter_term_result(term, false, false);
    struct flow_slice_place here = flow_slice_place(m->trace, e->i),
                            there = flow_slice_place(m->trace, before);
    bool same = here.in_slice && there.in_slice && here.thread == there.thread &&
                here.row == there.row && here.i == there.i;
    return has_time(term, !same, units_since(flow_time(flows, before), e->time));
}

static bool is_problem(const struct filter_match *m, uint64_t offset) {
    size_t at = 0;
    lower_bound(at, m->problems.n, i, m->problems.v[i] < offset);
    return offset > 0 && at < m->problems.n && m->problems.v[at] == offset;
}

static bool has_problem(const struct filter_match *m, const struct event *e) {
    uint64_t end = filter_match_end(m, e->s, e->i);
    bool flagged =
        e->slice && e->s->kind != SLICE_ITER_STATES &&
        (slice_open(e->slice) || slice_flags(e->slice) & (SLICE_OVERLAP | SLICE_MISMATCH));
    return flagged || is_problem(m, e->offset) || is_problem(m, end);
}

static bool has_neighbour(struct filter_match *m, size_t k, struct event *e) {
    const struct filter_term *term = &m->filter->terms.v[k];
    bool slice = e->s->kind == SLICE_ITER_SLICES;
    switch (term->field) {
    case FILTER_DEPTH:
        if (e->s->kind == SLICE_ITER_OPERATIONS)
            return has_number(term, true, async_depth(trace_slice_extra(m->trace), e->slice));
        return has_number(term, slice,
                          slice ? filter_sets_depth(&m->sets, e->s->track, e->s->row, e->i) : 0);
    case FILTER_SELF:
        slice = slice && !trace_damaged_slice(m->trace, e->slice); /* which is in no sum */
        return has_time(term, slice,
                        slice ? filter_sets_self(&m->sets, e->s->track, e->s->row, e->i) : 0);
    case FILTER_CPU:
        return has_cpu(m, term, e);
    case FILTER_STATE:
        return has_state(m, k, e);
    case FILTER_HOP:
        return has_hop(m, term, e);
    case FILTER_PROBLEM:
        return has_problem(m, e) != term->negated;
    default:
        return has_relative(m, k, e);
    }
}

/* ---- records ---- */

static struct filter_number argument_number(const struct detail_argument *a) {
    double d;
    switch (a->type) {
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
        return filter_signed((int64_t)a->bits);
    case FXT_ARG_UINT32:
    case FXT_ARG_UINT64:
    case FXT_ARG_KOID:
    case FXT_ARG_POINTER:
        return filter_unsigned(a->bits);
    case FXT_ARG_DOUBLE:
        memcpy(&d, &a->bits, sizeof d);
        return filter_real(d);
    default:
        return (struct filter_number){0};
    }
}

/* A number is compared as one if the value is; else by its text, and by the name of its object. */
static bool argument_fits(const struct filter_term *term, const struct detail_argument *a) {
    char buf[64];
    struct filter_number number = argument_number(a);
    bool ordered = term->op >= FILTER_LESS;
    if (number.type != FILTER_NO_NUMBER && filter_term_fits_number(term, number))
        return true;
    if (ordered && number.type != FILTER_NO_NUMBER)
        return a->object.n > 0 && filter_term_fits(term, a->object);
    return filter_term_fits(term, detail_value(a, buf)) ||
           (a->object.n > 0 && filter_term_fits(term, a->object));
}

static void ask_record(struct filter_match *m, const struct filter_term *term, uint64_t offset,
                       bool *present, bool *fits) {
    struct detail d;
    struct detail_argument a;
    m->cost += FILTER_RECORD_UNITS;
    if (offset == 0 || !detail_open(&d, m->trace, offset))
        return;
    struct fxt_arguments args = d.record.args;
    while (!*fits && detail_argument(&d, &args, &a)) {
        if (!filter_term_names(term, a.name))
            continue;
        *present = true;
        *fits = argument_fits(term, &a);
        m->cost += filter_cost(m->filter);
    }
}

static bool has_argument(struct filter_match *m, size_t k, const struct event *e) {
    const struct filter_term *term = &m->filter->terms.v[k];
    bool present = false, fits = false;
    if (m->readings.v[k] == FILTER_READING_FILE)
        return filter_file_record(term, m->trace, e->offset);
    if (e->s->counter) { /* each series is one argument */
        const struct counter_sample *sample = counter_sample(e->s->counter, e->i);
        present = filter_term_names(term, trace_name(m->trace, e->s->counter->argument));
        fits =
            present && argument_fits(term, &(struct detail_argument){.type = counter_type(sample),
                                                                     .bits = sample->bits});
        return filter_term_result(term, fits, present);
    }
    ask_record(m, term, e->offset, &present, &fits);
    if (!fits)
        ask_record(m, term, filter_match_end(m, e->s, e->i), &present, &fits);
    return filter_term_result(term, fits, present);
}

static bool has_category(struct filter_match *m, const struct filter_term *term,
                         const struct event *e) {
    struct detail d;
    uint64_t offset = e->s->flows
                          ? flow_offset(e->s->flows, filter_sets_first_point(e->s->flows, e->i))
                          : e->offset;
    bool known =
        !(e->s->kind & (SLICE_ITER_STATES | SLICE_ITER_LOGS)) && detail_open(&d, m->trace, offset);
    m->cost += FILTER_RECORD_UNITS;
    return filter_term_result(term, known && filter_term_fits(term, d.category), known);
}

/* The text of an event without a number for its name: a log message, a state. */
static bool has_text(struct filter_match *m, size_t k, const struct event *e) {
    const struct filter_term *term = &m->filter->terms.v[k];
    struct detail d;
    struct str text = STR("");
    if (e->s->kind == SLICE_ITER_STATES) {
        const struct sched_thread *t =
            sched_thread_at(trace_sched(m->trace), e->s->track - SLICE_ITER_STATE_TRACK);
        const char *name = sched_state_name(sched_life_state(t, e->i));
        text = str_of(name ? name : "");
    } else if (detail_open(&d, m->trace, e->offset)) {
        text = d.record.payload;
        m->cost += FILTER_RECORD_UNITS;
    }
    if (m->readings.v[k] == FILTER_READING_TEXT)
        return pattern_matches(term->literal, text) != term->negated;
    return filter_term_result(term, filter_term_fits(term, text), true);
}

/* ---- events ---- */

static bool term_holds(struct filter_match *m, size_t k, struct event *e) {
    const struct filter_term *term = &m->filter->terms.v[k];
    bool textual = e->s->kind & (SLICE_ITER_STATES | SLICE_ITER_LOGS);
    if (filter_match_is_name(m, k))
        return !textual || has_text(m, k, e); /* names of all others were tested together */
    switch (term->field) {
    case FILTER_TEXT:
        return textual ? has_text(m, k, e) : has_word(m, k, e);
    case FILTER_KIND:
        return true; /* by filter_match_kinds() */
    case FILTER_THREAD:
    case FILTER_PROCESS:
        return has_thread_text(m, term, e);
    case FILTER_PID:
    case FILTER_TID:
        return has_id(m, term, e);
    case FILTER_DURATION:
        return has_duration(m, k, e);
    case FILTER_TIME:
        return has_time(term, true, units_since(trace_origin(m->trace), e->time));
    case FILTER_OPEN:
        return (e->slice && e->s->kind != SLICE_ITER_STATES && slice_open(e->slice)) !=
               term->negated;
    case FILTER_CATEGORY:
        return has_category(m, term, e);
    case FILTER_ARGUMENT:
        return has_argument(m, k, e);
    default:
        return has_neighbour(m, k, e);
    }
}

/* Whether a term is about the thread. */
static bool names_thread(const struct filter *filter) {
    for (size_t k = 0; k < filter->terms.n; k++)
        switch (filter->terms.v[k].field) {
        case FILTER_THREAD:
        case FILTER_PROCESS:
        case FILTER_PID:
        case FILTER_TID:
            return true;
        default:
            break;
        }
    return false;
}

/* The states of a thread that idles repeat those of the others: they count if it is asked
 * for. */
static bool is_idle(const struct filter_match *m, const struct event *e) {
    if (e->s->kind != SLICE_ITER_STATES || names_thread(m->filter))
        return false;
    const struct sched_thread *t =
        sched_thread_at(trace_sched(m->trace), e->s->track - SLICE_ITER_STATE_TRACK);
    return trace_thread_idle(m->trace, trace_thread(m->trace, t->thread));
}

/* Whether the terms on the track hold, evaluated once for series of one thread. */
static bool track_holds(struct filter_match *m, struct event *e) {
    bool fixed = e->s->kind & (SLICE_ITER_SLICES | SLICE_ITER_INSTANTS | SLICE_ITER_STATES), holds;
    if (fixed && m->series_track == e->s->track && m->series_version == m->version)
        return m->track_holds;
    holds = !is_idle(m, e);
    for (size_t n = 0;
         holds && n < m->order.n &&
         filter_match_cost_of(&m->filter->terms.v[m->order.v[n]]) == FILTER_COST_TRACK;
         n++)
        holds = term_holds(m, m->order.v[n], e);
    m->series_track = e->s->track;
    m->series_version = fixed ? m->version : UINT64_MAX;
    m->track_holds = holds;
    return holds;
}

bool filter_match_event(struct filter_match *m, const struct slice_series *s, uint32_t i) {
    struct event e = {
        .s = s, .i = i, .slice = s->lane ? lane_at(s->lane, i) : NULL, .thread = NO_THREAD};
    bool textual = s->kind & (SLICE_ITER_STATES | SLICE_ITER_LOGS);
    m->cost = 1;
    if (!(m->kinds & kind_bit(s->kind)))
        return false;
    if (!textual) {
        const struct filter_names *all = &m->names[m->filter->terms.n];
        uint32_t name = name_of(m, &e);
        if (name >= all->has.n || !all->has.v[name])
            return false;
    }
    e.time = slice_iter_time(s, i);
    e.offset = slice_iter_offset(s, i);
    if (!track_holds(m, &e))
        return false;
    for (size_t n = 0; n < m->order.n; n++) {
        size_t k = m->order.v[n];
        if (filter_match_cost_of(&m->filter->terms.v[k]) == FILTER_COST_TRACK)
            continue;
        m->cost += FILTER_TERM_UNITS;
        if (!term_holds(m, k, &e))
            return false;
    }
    return true;
}

bool filter_match_slice(void *match, uint32_t track, uint32_t row, uint32_t i) {
    struct filter_match *m = match;
    if (m->asked_version != m->version || m->asked.track != track || m->asked.row != row) {
        uint32_t from = track, from_row = row; /* of the series after which to go on: not used */
        m->asked_version = m->version;
        slice_iter_series(m->trace, SLICE_ITER_SLICES | SLICE_ITER_OPERATIONS, &from, &from_row,
                          &m->asked);
    }
    return filter_match_event(m, &m->asked, i);
}

uint32_t filter_match_cost(const struct filter_match *m) {
    return m->cost;
}
