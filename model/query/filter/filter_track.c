/* filter_track.c - sorts the terms into those on tracks and those on events, and compares the
 * former. */
#include "model/query/filter/filter_track.h"

#include "model/query/filter/filter_file.h"

#include <stdlib.h>

static bool is_on_track(const struct filter_term *term, const struct trace *trace) {
    return filter_file_asks(term, trace) || term->field == FILTER_TEXT ||
           term->field == FILTER_THREAD || term->field == FILTER_PROCESS ||
           term->field == FILTER_PID || term->field == FILTER_TID;
}

static bool fits_text(const struct filter_term *term, const struct filter_track *track) {
    bool fits = false;
    for (size_t i = 0; i < track->n && !fits; i++)
        fits = filter_term_fits(term, track->texts[i]);
    return filter_term_result(term, fits, true);
}

static bool fits_number(const struct filter_term *term, bool present, uint64_t number) {
    return filter_term_result(
        term, present && filter_term_fits_number(term, filter_unsigned(number)), present);
}

/* Whether a term on files holds: tracks of no thread and no process are of none. */
static bool fits_file(const struct filter_term *term, const struct trace *trace,
                      const struct filter_track *track, const struct thread *t,
                      const struct process *p) {
    if (track->runs)
        return filter_file_world(term, trace, track->runs->world);
    if (t)
        return filter_file_thread(term, trace, t);
    return p ? filter_file_process(term, trace, p) : filter_term_result(term, false, false);
}

static bool term_holds(const struct filter_term *term, const struct trace *trace,
                       const struct filter_track *track) {
    const struct thread *t = track->thread == NO_THREAD ? NULL : trace_thread(trace, track->thread);
    const struct process *p =
        track->process < trace_process_count(trace) ? trace_process(trace, track->process) : NULL;
    char buf[40];
    bool named;
    if (filter_file_asks(term, trace))
        return fits_file(term, trace, track, t, p);
    switch (term->field) {
    case FILTER_TEXT:
        return fits_text(term, track);
    case FILTER_THREAD:
        return filter_term_result(
            term, t && filter_term_fits(term, trace_thread_name(trace, t, buf, &named)), t);
    case FILTER_PROCESS:
        return filter_term_result(
            term, p && filter_term_fits(term, trace_process_name(trace, p, buf, &named)), p);
    case FILTER_PID:
        return fits_number(term, p, p ? p->pid : 0);
    case FILTER_TID:
        return fits_number(term, t && t->id.form != THREAD_UNDEFINED, t ? t->id.tid : 0);
    case FILTER_CPU:
        return track->cpu >= 0 ? fits_number(term, true, (uint64_t)track->cpu) : track->events;
    default:
        return track->events;
    }
}

bool filter_track_holds(const struct filter *filter, const struct trace *trace,
                        const struct filter_track *track) {
    for (size_t i = 0; i < filter->terms.n; i++)
        if (!term_holds(&filter->terms.v[i], trace, track))
            return false;
    return true;
}

typedef bool is_kept(const struct filter_term *term, const struct trace *trace);

static bool is_on_event(const struct filter_term *term, const struct trace *trace) {
    return !is_on_track(term, trace);
}

static bool is_no_text(const struct filter_term *term, const struct trace *trace) {
    (void)trace;
    return term->field != FILTER_TEXT;
}

/* A filter of those terms; NULL: there are none. */
static struct filter *filter_of(const struct filter *filter, const struct trace *trace,
                                is_kept *keeps) {
    struct err err;
    bool any = false;
    size_t n = filter_print(filter, NULL, 0) + 1;
    char *text = err_calloc(1, n + 1), *at = text;
    for (size_t i = 0; i < filter->terms.n; i++) {
        if (!keeps(&filter->terms.v[i], trace))
            continue;
        struct filter one = *filter;
        one.terms.v = &filter->terms.v[i];
        one.terms.n = 1;
        if (any)
            *at++ = ' ';
        at += filter_print(&one, at, n - (size_t)(at - text));
        any = true;
    }
    struct filter *some = any ? filter_new(text, false, &err) : NULL;
    free(text);
    return some;
}

struct filter *filter_track_events(const struct filter *filter, const struct trace *trace) {
    return filter_of(filter, trace, is_on_event);
}

struct filter *filter_track_slices(const struct filter *filter, const struct trace *trace) {
    bool any = false;
    for (size_t i = 0; i < filter->terms.n && !any; i++)
        any = is_on_event(&filter->terms.v[i], trace);
    return any ? filter_of(filter, trace, is_no_text) : NULL;
}
