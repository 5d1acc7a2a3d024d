/* track_scope.c - asks of each track whether a pattern matches it.
 *
 * Tracks are asked in the order of their numbers, so each one is appended to the set. */
#include "model/query/stat/track_scope.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/query/filter/filter_file.h"
#include "model/query/filter/filter_track.h"

#define TEXT_MAX 140 /* of a name and a number */

struct scope {
    struct trace *trace;
    struct filter *filter;
    struct track_set *tracks;
};

struct texts {
    char process[40], with_pid[TEXT_MAX], with_tid[TEXT_MAX];
};

/* "cc1" and 18426 as "cc1 18426", as the gutter shows it. */
static struct str with_number(struct str name, uint64_t number, char out[TEXT_MAX]) {
    snprintf(out, TEXT_MAX, "%.*s %" PRIu64, (int)name.n, name.s ? name.s : "", number);
    return str_of(out);
}

static void ask(struct scope *s, uint32_t track, struct filter_track *subject, struct texts *buf) {
    bool named;
    if (subject->process < trace_process_count(s->trace)) {
        const struct process *p = trace_process(s->trace, subject->process);
        struct str name = trace_process_name(s->trace, p, buf->process, &named);
        subject->texts[subject->n++] = name;
        subject->texts[subject->n++] = with_number(name, p->pid, buf->with_pid);
    }
    if (filter_track_holds(s->filter, s->trace, subject))
        track_set_put(s->tracks, track, true);
}

static void ask_name(struct scope *s, uint32_t track, struct str name, uint32_t process,
                     const struct sched_cpu *cpu) {
    struct texts buf;
    struct filter_track subject = {.texts = {name},
                                   .n = 1,
                                   .thread = NO_THREAD,
                                   .process = process,
                                   .cpu = cpu ? cpu->number : -1,
                                   .runs = cpu};
    ask(s, track, &subject, &buf);
}

static void ask_threads(struct scope *s) {
    for (size_t k = 0; k < trace_thread_count(s->trace); k++) {
        const struct thread *t = trace_thread(s->trace, k);
        struct filter_track subject = {
            .n = 1, .thread = t->number, .process = t->process, .cpu = -1};
        struct texts buf;
        char name[40];
        bool named;
        if (trace_thread_hidden(s->trace, t))
            continue;
        subject.texts[0] = trace_thread_name(s->trace, t, name, &named);
        if (t->id.form != THREAD_UNDEFINED)
            subject.texts[subject.n++] = with_number(subject.texts[0], t->id.tid, buf.with_tid);
        ask(s, (uint32_t)k, &subject, &buf);
    }
}

struct str track_scope_counter(const struct trace *trace, const struct counter_series *s,
                               char buf[96]) {
    struct str counter = trace_name(trace, s->name), argument = trace_name(trace, s->argument);
    if (str_eq(counter, argument) && s->id == 0)
        return counter;
    int n = snprintf(buf, 96, "%.*s.%.*s", (int)(counter.n < 40 ? counter.n : 40), counter.s,
                     (int)(argument.n < 30 ? argument.n : 30), argument.s);
    if (s->id != 0 && n < 70)
        n += snprintf(buf + n, 96 - (size_t)n, " #%" PRIu64, s->id);
    return (struct str){buf, (size_t)n};
}

static void ask_others(struct scope *s) {
    struct trace *trace = s->trace;
    char buf[96];
    for (uint32_t k = 0; k < async_group_count(trace_async(trace)); k++) {
        const struct async_group *g = async_group(trace_async(trace), k);
        ask_name(s, SLICE_ITER_ASYNC + k, trace_name(trace, g->name), g->process, NULL);
    }
    for (uint32_t k = 0; k < counter_series_count(trace_counters(trace)); k++) {
        const struct counter_series *c = counter_series(trace_counters(trace), k);
        ask_name(s, SLICE_ITER_COUNTER_TRACK + k, track_scope_counter(trace, c, buf), c->process,
                 NULL);
    }
    ask_name(s, SLICE_ITER_LOG_TRACK, STR("log"), NO_PROCESS, NULL);
    for (uint32_t k = 0; k < sched_cpu_count(trace_sched(trace)); k++) {
        const struct sched_cpu *cpu = sched_cpu(trace_sched(trace), k);
        snprintf(buf, sizeof buf, "cpu %" PRIu32, (uint32_t)cpu->number);
        ask_name(s, SCOPE_CPU + k, str_of(buf), NO_PROCESS, cpu);
    }
    ask_name(s, SCOPE_PROFILE, STR("profile"), NO_PROCESS, NULL);
}

/* Whether all terms are about tracks; the others would be ignored. */
static bool is_of_tracks(const struct filter *filter, const struct trace *trace, struct err *err) {
    for (size_t i = 0; i < filter->terms.n; i++) {
        if (filter_file_asks(&filter->terms.v[i], trace))
            continue;
        switch (filter->terms.v[i].field) {
        case FILTER_TEXT:
        case FILTER_THREAD:
        case FILTER_PROCESS:
        case FILTER_PID:
        case FILTER_TID:
        case FILTER_CPU:
            break;
        default:
            return err_set(
                err, ERR_NO_OFFSET,
                "expected tracks: words, thread, process, pid, tid, cpu; --filter is for events");
        }
    }
    return true;
}

bool track_scope_find(struct trace *trace, const char *pattern, struct track_set *tracks,
                      struct err *err) {
    struct scope s = {trace, filter_new(pattern, false, err), tracks};
    if (s.filter == NULL)
        return *pattern ? false
                        : err_set(err, ERR_NO_OFFSET, "expected the name or number of a track");
    bool known = is_of_tracks(s.filter, trace, err);
    if (known) {
        ask_threads(&s);
        ask_others(&s);
        if (tracks->v.n == 0)
            track_set_put(tracks, SCOPE_NONE, true);
    }
    filter_free(s.filter);
    return known;
}

size_t track_scope_count(const struct track_set *tracks) {
    size_t n = 0;
    for (size_t i = 0; i < tracks->v.n; i++)
        n += tracks->v.v[i] < SLICE_ITER_STATE_TRACK ||
             (tracks->v.v[i] >= SCOPE_CPU && tracks->v.v[i] < SCOPE_PROFILE);
    return n;
}

size_t track_scope_all(const struct trace *trace) {
    size_t n = async_group_count(trace_async(trace)) + counter_series_count(trace_counters(trace)) +
               sched_cpu_count(trace_sched(trace));
    for (size_t k = 0; k < trace_thread_count(trace); k++)
        n += !trace_thread_hidden(trace, trace_thread(trace, k));
    return n;
}
