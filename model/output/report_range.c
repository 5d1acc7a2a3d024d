/* report_range.c - --summary of a range, of tracks, or of what a filter holds for.
 *
 * The threads come by the slices that they have there, most first. Slices are counted and added up
 * thread by thread; other events are looked at one by one. */
#include <inttypes.h>
#include <stdlib.h>

#include "model/output/report.h"
#include "model/output/top.h"
#include "model/trace/trace_life.h"
#include "src/base/text.h"
#include "src/base/units.h"

#define SHOWN 12  /* threads */
#define BUSIEST 3 /* names of a thread */

struct part { /* a thread and its answers */
    uint32_t thread;
    uint64_t slices;
    int64_t time; /* thread time */
    struct part_name {
        uint32_t name;
        int64_t total;
    } names[BUSIEST];
    size_t n;
};

struct summary {
    struct trace *trace;
    const struct question *asked;
    FILE *out;
    bool ascii;
    VEC(struct part) parts;
};

/* ---- threads ---- */

static int by_total(const void *a, const void *b) {
    const struct aggregate_row *x = *(struct aggregate_row *const *)a,
                               *y = *(struct aggregate_row *const *)b;
    int order = sum_cmp(y->total, x->total);
    if (order != 0)
        return order;
    return x->key.name < y->key.name ? -1 : x->key.name > y->key.name;
}

static void take_busiest(struct part *part, struct aggregate *names) {
    size_t n = names->rows.n;
    const struct aggregate_row **rows = err_malloc((n + 1) * sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        rows[i] = &names->rows.v[i];
        part->slices += rows[i]->count;
    }
    qsort(rows, n, sizeof *rows, by_total);
    for (part->n = 0; part->n < n && part->n < BUSIEST; part->n++)
        part->names[part->n] =
            (struct part_name){rows[part->n]->key.name, sum_ns(rows[part->n]->total)};
    free(rows);
}

static void add_threads(struct summary *s) {
    struct aggregate names = AGGREGATE_INIT(AGGREGATE_NAME);
    for (uint32_t k = 0; k < trace_thread_count(s->trace); k++) {
        struct part part = {.thread = k};
        struct slice_set set = question_slices(s->asked, SLICE_ITER_SLICES);
        struct slice_order order;
        if (trace_thread_hidden(s->trace, trace_thread(s->trace, k)) ||
            trace_thread_none(s->trace, trace_thread(s->trace, k)) ||
            !range_has_track(&s->asked->range, k))
            continue;
        set.track = k;
        set.times = true;
        part.time = range_thread_time(&s->asked->range, s->trace, k);
        slice_order_init(&order, s->trace, &set);
        aggregate_nested(&names, s->trace, &order, NULL);
        slice_order_free(&order);
        take_busiest(&part, &names);
        aggregate_clear(&names);
        if (part.slices > 0 || part.time > 0)
            vec_push(&s->parts, part);
    }
    aggregate_free(&names);
}

static int by_slices(const void *a, const void *b) {
    const struct part *x = a, *y = b;
    if (x->slices != y->slices)
        return x->slices > y->slices ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* ---- other events ---- */

/* Whether entry i of a series is asked for. */
static bool is_asked(const struct summary *s, const struct slice_series *series, uint32_t i) {
    const struct range *range = &s->asked->range;
    int64_t time = slice_iter_time(series, i);
    if (!range_overlaps(range, time, series->lane ? slice_end(lane_at(series->lane, i)) : time))
        return false;
    if (series->logs && !range_has_track(range, SLICE_ITER_LOG_TRACK) &&
        (series->logs[i].thread == NO_THREAD ||
         !range_has_track(range, trace_stands_for(s->trace, series->logs[i].thread))))
        return false;
    return s->asked->match == NULL || filter_match_event(s->asked->match, series, i);
}

static uint64_t count_of(const struct summary *s, unsigned kinds) {
    struct slice_series series;
    uint64_t n = 0;
    if (s->asked->match)
        kinds &= filter_match_kinds(s->asked->match);
    for (uint32_t track = 0, row = 0; slice_iter_series(s->trace, kinds, &track, &row, &series);)
        if (series.logs || range_has_track(&s->asked->range, series.track))
            for (uint32_t i = 0; i < series.n; i++)
                n += is_asked(s, &series, i);
    return n;
}

/* ---- text ---- */

static void print_name(const struct summary *s, struct str name) {
    char safe[200];
    text_plain(safe, sizeof safe, name, TEXT_TRACK | (s->ascii ? TEXT_ASCII : 0));
    fputs(safe, s->out);
}

static void print_count(const struct summary *s, bool *any, uint64_t n, const char *one,
                        const char *many) {
    char count[32];
    if (n > 0)
        fprintf(s->out, "%s%s %s", *any ? ", " : "events: ", units_count(n, false, count),
                n == 1 ? one : many);
    *any = *any || n > 0;
}

static void print_counts(const struct summary *s) {
    uint64_t slices = 0;
    bool any = false;
    for (size_t i = 0; i < s->parts.n; i++)
        slices += s->parts.v[i].slices;
    print_count(s, &any, slices, "slice", "slices");
    print_count(s, &any, count_of(s, SLICE_ITER_INSTANTS), "instant", "instants");
    print_count(s, &any, count_of(s, SLICE_ITER_OPERATIONS), "async operation", "async operations");
    print_count(s, &any, count_of(s, SLICE_ITER_ASYNC_INSTANTS), "async instant", "async instants");
    print_count(s, &any, count_of(s, SLICE_ITER_COUNTERS), "sample", "samples");
    print_count(s, &any, count_of(s, SLICE_ITER_LOGS), "log record", "log records");
    fputs(any ? "\n" : "events: none\n", s->out);
}

static void print_thread(const struct summary *s, const struct part *part) {
    const struct thread *t = trace_thread(s->trace, part->thread);
    char buf[40], count[32], time[32];
    bool named;
    fputs("  ", s->out);
    if (t->process != NO_PROCESS) {
        print_name(s,
                   trace_process_name(s->trace, trace_process(s->trace, t->process), buf, &named));
        if (named)
            fprintf(s->out, " %" PRIu64, t->id.pid);
        fputs(" / ", s->out);
    }
    print_name(s, trace_thread_name(s->trace, t, buf, &named));
    if (named)
        fprintf(s->out, " %" PRIu64, t->id.tid);
    fprintf(s->out, ": %s slice%s", units_count(part->slices, false, count),
            part->slices == 1 ? "" : "s");
    fprintf(s->out, ", lived %s", units_duration(part->time, s->ascii, time));
    int64_t running = range_running(&s->asked->range, s->trace, part->thread);
    if (running >= 0)
        fprintf(s->out, ", ran %s", units_duration(running, s->ascii, time));
    for (size_t i = 0; i < part->n; i++) {
        fputs(i == 0 ? "; busiest " : ", ", s->out);
        print_name(s, trace_name(s->trace, part->names[i].name));
        fprintf(s->out, " %s", units_duration(part->names[i].total, s->ascii, time));
    }
    putc('\n', s->out);
}

void report_range(struct trace *trace, const struct question *asked, FILE *out, bool ascii) {
    struct summary s = {.trace = trace, .asked = asked, .out = out, .ascii = ascii};
    report_file(trace, out, ascii);
    fputs("of it: ", out);
    top_heading(trace, asked, ascii, out);
    putc('\n', out);
    add_threads(&s);
    print_counts(&s);
    fprintf(out, "threads: %zu\n", s.parts.n);
    if (s.parts.n > 0)
        qsort(s.parts.v, s.parts.n, sizeof *s.parts.v, by_slices);
    for (size_t i = 0; i < s.parts.n && i < SHOWN; i++)
        print_thread(&s, &s.parts.v[i]);
    if (s.parts.n > SHOWN)
        fprintf(out, "  and %zu more threads\n", s.parts.n - SHOWN);
    vec_free(&s.parts);
}
