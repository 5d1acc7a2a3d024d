#include "ui/timeline/track_list.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_DEPTH 8

enum fold { FOLD_DEFAULT, FOLD_YES, FOLD_NO };

#define ASYNC_DEPTH 4

void track_list_init(struct track_list *rows) {
    *rows = (struct track_list){.default_depth = DEFAULT_DEPTH,
                                .least_depth = DEFAULT_DEPTH,
                                .kinds = TRACK_LIST_ALL,
                                .strips = true,
                                .curve = 2,
                                .version = UINT64_MAX};
}

void track_list_free(struct track_list *rows) {
    vec_free(&rows->tracks);
    for (int kind = 0; kind < TRACK_KINDS; kind++)
        vec_free(&rows->depth[kind]);
    vec_free(&rows->folded);
    vec_free(&rows->empty);
    vec_free(&rows->pins);
    vec_free(&rows->stacked);
}

/* Folding is kept by place + 2, behind the threads without a process and the CPUs. */
static size_t fold_place(uint32_t process) {
    return process == NO_PROCESS ? 0 : process == TRACK_LIST_CPUS ? 1 : (size_t)process + 2;
}

bool track_list_folded(const struct track_list *rows, uint32_t process) {
    size_t i = fold_place(process);
    uint8_t wanted = i < rows->folded.n ? rows->folded.v[i] : FOLD_DEFAULT;
    return wanted == FOLD_YES || (wanted == FOLD_DEFAULT && i < rows->empty.n && rows->empty.v[i]);
}

void track_list_fold(struct track_list *rows, uint32_t process, bool folded) {
    size_t i = fold_place(process);
    while (rows->folded.n <= i)
        vec_push(&rows->folded, FOLD_DEFAULT);
    rows->folded.v[i] = folded ? FOLD_YES : FOLD_NO;
    rows->version = UINT64_MAX;
}

void track_list_set_depth(struct track_list *rows, enum track_kind kind, uint32_t of, uint32_t depth) {
    while (rows->depth[kind].n <= of)
        vec_push(&rows->depth[kind], 0);
    rows->depth[kind].v[of] = depth;
    rows->version = UINT64_MAX;
}

bool track_list_stacked(const struct track_list *rows, uint32_t leader) {
    return leader < rows->stacked.n && rows->stacked.v[leader];
}

void track_list_stack(struct track_list *rows, uint32_t leader, bool stacked) {
    while (rows->stacked.n <= leader)
        vec_push(&rows->stacked, false);
    rows->stacked.v[leader] = stacked;
    rows->version = UINT64_MAX;
}

static size_t pin_place(const struct track_list *rows, enum track_kind kind, uint32_t of) {
    size_t i = 0;
    while (i < rows->pins.n && (rows->pins.v[i].kind != kind || rows->pins.v[i].of != of))
        i++;
    return i;
}

bool track_list_pinned(const struct track_list *rows, enum track_kind kind, uint32_t of) {
    return pin_place(rows, kind, of) < rows->pins.n;
}

bool track_list_pin(struct track_list *rows, enum track_kind kind, uint32_t of) {
    size_t i = pin_place(rows, kind, of);
    rows->version = UINT64_MAX;
    if (i == rows->pins.n) {
        vec_push(&rows->pins, ((struct track_list_pin){(uint8_t)kind, of}));
        return true;
    }
    memmove(rows->pins.v + i, rows->pins.v + i + 1, (rows->pins.n - i - 1) * sizeof *rows->pins.v);
    rows->pins.n--;
    return false;
}

/* ---- names ---- */

struct str track_list_name(struct trace *trace, const struct track *track, char buf[96]) {
    bool named;
    switch ((enum track_kind)track->kind) {
    case TRACK_PROCESS:
        return track->process == NO_PROCESS
                   ? STR("no process")
                   : trace_process_name(trace, trace_process(trace, track->process), buf, &named);
    case TRACK_THREAD:
        return trace_thread_name(trace, trace_thread(trace, track->of), buf, &named);
    case TRACK_ASYNC:
        return trace_name(trace, async_group(trace_async(trace), track->of)->name);
    case TRACK_COUNTER: {
        const struct counter_series *s = counter_series(trace_counters(trace), track->of);
        struct str name = trace_name(trace, s->name), argument = trace_name(trace, s->argument);
        if (str_eq(name, argument) && s->id == 0)
            return name;
        int n = snprintf(buf, 96, "%.*s.%.*s", (int)(name.n < 40 ? name.n : 40), name.s,
                         (int)(argument.n < 30 ? argument.n : 30), argument.s);
        if (s->id != 0 && n < 70)
            n += snprintf(buf + n, 96 - (size_t)n, " #%" PRIu64, s->id);
        return (struct str){buf, (size_t)n};
    }
    case TRACK_CPU: {
        int n = snprintf(buf, 96, "cpu %u", sched_cpu(trace_sched(trace), track->of)->number);
        return (struct str){buf, (size_t)n};
    }
    case TRACK_CPUS:
        return STR("CPUs");
    case TRACK_LOG:
        return STR("log");
    case TRACK_PROFILE:
        return STR("profile");
    default:
        return STR("");
    }
}

/* ---- what there is ---- */

static bool has_slices(const struct thread *t) {
    return nest_rows(&t->nest) > 0 || trace_instant_count(t) > 0 || nest_waiting(&t->nest);
}

static bool has_states(const struct track_list *rows, struct trace *trace, uint32_t thread) {
    return rows->strips && sched_thread(trace_sched(trace), thread) != NULL;
}

static bool shows(const struct track_list *rows, enum track_kind kind) {
    return rows->kinds >> kind & 1;
}

static bool is_shown(const struct track_list *rows, struct trace *trace, const struct thread *t) {
    return (has_slices(t) && rows->kinds == TRACK_LIST_ALL) ||
           (has_states(rows, trace, t->number) && shows(rows, TRACK_THREAD));
}

static uint32_t limit(const struct track_list *rows, enum track_kind kind, uint32_t of, uint32_t otherwise) {
    return of < rows->depth[kind].n && rows->depth[kind].v[of] ? rows->depth[kind].v[of] : otherwise;
}

/* A track as it would be, without its place; height 0: it is not shown. */
static struct track make(const struct track_list *rows, struct trace *trace, enum track_kind kind, uint32_t of) {
    struct track track = {.kind = (uint8_t)kind, .process = NO_PROCESS, .of = of, .height = 1};
    uint32_t lanes = 0, most;
    switch (kind) {
    case TRACK_THREAD: {
        const struct thread *t = trace_thread(trace, of);
        track.process = t->process;
        track.strip = has_states(rows, trace, of);
        if (rows->kinds == TRACK_LIST_ALL)
            lanes = nest_rows(&t->nest) > 0 ? nest_rows(&t->nest) : has_slices(t);
        most = limit(rows, kind, of, rows->default_depth);
        break;
    }
    case TRACK_ASYNC: {
        const struct async_group *g = async_group(trace_async(trace), of);
        track.process = g->process;
        lanes = async_group_rows(g) > 0 ? async_group_rows(g) : 1;
        most = limit(rows, kind, of, ASYNC_DEPTH);
        break;
    }
    case TRACK_COUNTER:
        track.process = counter_series(trace_counters(trace), of)->process;
        track.height = limit(rows, kind, of, rows->curve);
        if (track.height > 12)
            track.height = 12;
        return track;
    case TRACK_CPU:
        track.process = TRACK_LIST_CPUS;
        return track;
    default:
        return track;
    }
    uint32_t shown = lanes < most ? lanes : most;
    track.height = shown + track.strip;
    track.deeper = lanes - shown;
    return track;
}

static void add(struct track_list *rows, struct track track) {
    if (track.height == 0)
        return;
    track.top = rows->lines;
    rows->lines += track.height;
    vec_push(&rows->tracks, track);
}

static bool hides(const struct track_list *rows) {
    return rows->match && rows->others == TRACK_LIST_HIDDEN;
}

static bool matches(const struct track_list *rows, struct trace *trace, const struct track *track) {
    char buf[96];
    return rows->match == NULL || rows->match(rows->match_ctx, track_list_name(trace, track, buf));
}

bool track_list_matches(const struct track_list *rows, struct trace *trace, const struct track *track) {
    struct track header = {.kind = track->process == TRACK_LIST_CPUS ? TRACK_CPUS : TRACK_PROCESS,
                           .process = track->process};
    return matches(rows, trace, track) ||
           (track->kind != TRACK_LOG && track->kind != TRACK_PROFILE && matches(rows, trace, &header));
}

static bool wanted(const struct track_list *rows, struct trace *trace, const struct track *track) {
    return !track_list_pinned(rows, track->kind, track->of) && (!hides(rows) || track_list_matches(rows, trace, track));
}

/* ---- order ---- */

struct entry { /* a process or a thread on its way into the list */
    uint32_t place;
    int64_t first;
    double busy; /* share of the trace, added up over threads */
    struct str name;
    char buf[40];
};

static int by_start(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_busy(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    if (x->busy < y->busy || x->busy > y->busy)
        return x->busy > y->busy ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_name(const void *a, const void *b) {
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
    int c = n > 0 ? memcmp(x->name.s, y->name.s, n) : 0;
    if (c != 0 || x->name.n != y->name.n)
        return c != 0 ? c : x->name.n < y->name.n ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Fills v[0..n) with places in the order wanted. */
static void put_in_order(const struct track_list *rows, struct entry *entries, size_t n, uint32_t *v) {
    static int (*const orders[])(const void *, const void *) = {NULL, by_start, by_name, by_busy};
    struct entry **order = err_malloc((n + 1) * sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = &entries[i];
    if (rows->order != TRACK_LIST_BY_FILE)
        qsort(order, n, sizeof *order, orders[rows->order]);
    for (size_t i = 0; i < n; i++)
        v[i] = order[i]->place;
    free(order);
}

/* Asked of all of a trace: costs as much as a column of the overview. */
static double busy_share(const struct track_list *rows, struct trace *trace, struct thread *t) {
    int64_t edges[2] = {trace_origin(trace), trace_end(trace)};
    double share = 0;
    if (rows->order == TRACK_LIST_BY_BUSY && edges[1] > edges[0])
        nest_busy_columns(&t->nest, edges, 1, &share);
    return share;
}

static void name_entry(struct trace *trace, struct entry *e, bool process) {
    bool named;
    e->name = process ? trace_process_name(trace, trace_process(trace, e->place), e->buf, &named)
                      : trace_thread_name(trace, trace_thread(trace, e->place), e->buf, &named);
}

static void order_threads(const struct track_list *rows, struct trace *trace, uint32_t *v, size_t n) {
    if (rows->order == TRACK_LIST_BY_FILE)
        return;
    struct entry *entries = err_calloc(n + 1, sizeof *entries);
    for (size_t i = 0; i < n; i++) {
        struct thread *t = trace_thread(trace, v[i]);
        entries[i].place = v[i];
        entries[i].first = t->events > 0 ? t->first : INT64_MAX;
        entries[i].busy = busy_share(rows, trace, t);
        name_entry(trace, &entries[i], false);
    }
    put_in_order(rows, entries, n, v);
    free(entries);
}

static void order_processes(const struct track_list *rows, struct trace *trace, uint32_t *v, size_t n) {
    for (size_t i = 0; i < n; i++)
        v[i] = (uint32_t)i;
    if (rows->order == TRACK_LIST_BY_FILE)
        return;
    struct entry *entries = err_calloc(n + 1, sizeof *entries);
    for (size_t i = 0; i < n; i++) {
        size_t threads;
        const uint32_t *numbers = trace_process_threads(trace_process(trace, i), &threads);
        entries[i].place = (uint32_t)i;
        entries[i].first = INT64_MAX;
        for (size_t k = 0; k < threads; k++) {
            struct thread *t = trace_thread(trace, numbers[k]);
            if (t->events > 0 && t->first < entries[i].first)
                entries[i].first = t->first;
            entries[i].busy += busy_share(rows, trace, t);
        }
        name_entry(trace, &entries[i], true);
    }
    put_in_order(rows, entries, n, v);
    free(entries);
}

/* ---- the list ---- */

struct others {                                                         /* async groups and series, by process */
    VEC(uint32_t) async, counters;                                      /* chains: next place + 1 of the same process */
    VEC(uint32_t) first_async, last_async, first_counter, last_counter; /* by fold_place(): place + 1 */
};

static void chain(uint32_t *first, uint32_t *last, uint32_t *next, uint32_t place) {
    if (*last)
        next[*last - 1] = place + 1;
    else
        *first = place + 1;
    *last = place + 1;
}

static void find_others(struct others *o, struct trace *trace) {
    const struct async *async = trace_async(trace);
    const struct counters *counters = trace_counters(trace);
    size_t n = trace_process_count(trace) + 2;
    for (size_t i = 0; i < n; i++) {
        vec_push(&o->first_async, 0);
        vec_push(&o->last_async, 0);
        vec_push(&o->first_counter, 0);
        vec_push(&o->last_counter, 0);
    }
    for (size_t i = 0; i < async_group_count(async); i++) {
        size_t p = fold_place(async_group(async, i)->process);
        vec_push(&o->async, 0);
        chain(&o->first_async.v[p], &o->last_async.v[p], o->async.v, (uint32_t)i);
    }
    for (size_t i = 0; i < counter_series_count(counters); i++) {
        size_t p = fold_place(counter_series(counters, i)->process);
        vec_push(&o->counters, 0);
        chain(&o->first_counter.v[p], &o->last_counter.v[p], o->counters.v, (uint32_t)i);
    }
}

static void free_others(struct others *o) {
    vec_free(&o->async);
    vec_free(&o->counters);
    vec_free(&o->first_async);
    vec_free(&o->last_async);
    vec_free(&o->first_counter);
    vec_free(&o->last_counter);
}

static bool group_shows(const struct track_list *rows, struct trace *trace, const struct others *o, uint32_t process,
                        const uint32_t *threads, size_t n) {
    size_t p = fold_place(process);
    assert(o->first_async.v && o->first_counter.v);
    if ((o->first_async.v[p] && shows(rows, TRACK_ASYNC)) || (o->first_counter.v[p] && shows(rows, TRACK_COUNTER)))
        return true;
    for (size_t i = 0; i < n; i++)
        if (is_shown(rows, trace, trace_thread(trace, threads[i])))
            return true;
    return false;
}

static void add_wanted(struct track_list *rows, struct trace *trace, enum track_kind kind, uint32_t of) {
    struct track track = make(rows, trace, kind, of);
    if (wanted(rows, trace, &track))
        add(rows, track);
}

static void add_group(struct track_list *rows, struct trace *trace, const struct others *o, uint32_t process,
                      const uint32_t *threads, size_t n) {
    uint32_t empty = 0;
    size_t p = fold_place(process), header = rows->tracks.n;
    bool folded = track_list_folded(rows, process);
    add(rows, (struct track){.kind = TRACK_PROCESS, .process = process, .height = 1});
    if (folded && (!hides(rows) || matches(rows, trace, &rows->tracks.v[header])))
        return;
    uint32_t *order = err_malloc((n + 1) * sizeof *order);
    if (n > 0)
        memcpy(order, threads, n * sizeof *order);
    order_threads(rows, trace, order, n);
    for (size_t i = 0; i < n; i++) {
        if (is_shown(rows, trace, trace_thread(trace, order[i])))
            add_wanted(rows, trace, TRACK_THREAD, order[i]);
        else
            empty++;
    }
    free(order);
    for (uint32_t i = o->first_async.v[p]; i && shows(rows, TRACK_ASYNC); i = o->async.v[i - 1])
        add_wanted(rows, trace, TRACK_ASYNC, i - 1);
    for (uint32_t i = o->first_counter.v[p]; i && shows(rows, TRACK_COUNTER); i = o->counters.v[i - 1]) {
        uint32_t leader = rows->stacked.n > 0 ? counter_leader(trace_counters(trace), i - 1) : i - 1;
        if (leader == i - 1 || !track_list_stacked(rows, leader))
            add_wanted(rows, trace, TRACK_COUNTER, i - 1);
    }
    if (empty > 0 && rows->kinds == TRACK_LIST_ALL && !hides(rows))
        add(rows, (struct track){.kind = TRACK_EMPTY, .process = process, .of = empty, .height = 1});
    if (rows->tracks.n == header + 1 && hides(rows)) { /* nothing of it matched */
        rows->tracks.n = header;
        rows->lines--;
    } else if (folded) {
        rows->tracks.n = header + 1;
        rows->lines = rows->tracks.v[header].top + 1;
    }
}

static void add_cpus(struct track_list *rows, struct trace *trace) {
    const struct sched *sched = trace_sched(trace);
    struct track header = {.kind = TRACK_CPUS, .process = TRACK_LIST_CPUS, .height = 1};
    if (sched_cpu_count(sched) == 0 || !shows(rows, TRACK_CPU))
        return;
    size_t first = rows->tracks.n;
    add(rows, header);
    if (track_list_folded(rows, TRACK_LIST_CPUS))
        return;
    uint32_t *order = err_malloc(sched_cpu_count(sched) * sizeof *order);
    size_t n = 0;
    for (unsigned number = 0; number <= UINT16_MAX && n < sched_cpu_count(sched); number++)
        if (sched_cpu_place(sched, (uint16_t)number) != UINT32_MAX)
            order[n++] = sched_cpu_place(sched, (uint16_t)number);
    for (size_t i = 0; i < n; i++)
        add_wanted(rows, trace, TRACK_CPU, order[i]);
    free(order);
    if (rows->tracks.n == first + 1 && hides(rows)) {
        rows->tracks.n = first;
        rows->lines--;
    }
}

/* Lines that all tracks take when threads show at most `depth` rows. */
static uint64_t lines_at(const struct track_list *rows, struct trace *trace, uint32_t depth) {
    const struct async *async = trace_async(trace);
    uint64_t n = trace_process_count(trace) + counter_series_count(trace_counters(trace)) * rows->curve +
                 sched_cpu_count(trace_sched(trace));
    for (uint32_t i = 0; i < async_group_count(async); i++) {
        uint32_t lanes = async_group_rows(async_group(async, i));
        n += lanes < ASYNC_DEPTH ? lanes : ASYNC_DEPTH;
    }
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        n += has_states(rows, trace, t->number);
        if (has_slices(t))
            n += nest_rows(&t->nest) < depth ? nest_rows(&t->nest) : depth;
    }
    return n;
}

static void fit_depth(struct track_list *rows, struct trace *trace) {
    uint32_t least = rows->least_depth, depth = least;
    if (rows->room == 0 || trace_thread_count(trace) > 10000)
        return;
    while (depth < rows->room && lines_at(rows, trace, depth + 1) <= rows->room)
        depth++;
    rows->default_depth = depth;
}

/* After a reload some may not have come again so far. */
static bool is_there(struct trace *trace, enum track_kind kind, uint32_t of) {
    switch (kind) {
    case TRACK_THREAD:
        return of < trace_thread_count(trace);
    case TRACK_ASYNC:
        return of < async_group_count(trace_async(trace));
    case TRACK_COUNTER:
        return of < counter_series_count(trace_counters(trace));
    case TRACK_CPU:
        return of < sched_cpu_count(trace_sched(trace));
    default:
        return true;
    }
}

static void add_pins(struct track_list *rows, struct trace *trace) {
    for (size_t i = 0; i < rows->pins.n; i++) {
        const struct track_list_pin *pin = &rows->pins.v[i];
        if (!is_there(trace, (enum track_kind)pin->kind, pin->of))
            continue;
        struct track track = make(rows, trace, (enum track_kind)pin->kind, pin->of);
        track.pinned = true;
        add(rows, track);
    }
    rows->pinned = rows->lines;
}

/* The log, CPUs and processes in the order wanted, those without anything to show last; threads without a process
 * between them. */
void track_list_update(struct track_list *rows, struct trace *trace) {
    VEC(uint32_t) loose = {0};
    struct others others = {0};
    size_t n = trace_process_count(trace), logs, records;
    uint32_t *order = err_malloc((n + 1) * sizeof *order);
    find_others(&others, trace);
    fit_depth(rows, trace);
    order_processes(rows, trace, order, n);
    rows->tracks.n = 0;
    rows->lines = 0;
    add_pins(rows, trace);
    trace_logs(trace, &logs);
    if (logs > 0 && shows(rows, TRACK_LOG))
        add_wanted(rows, trace, TRACK_LOG, 0);
    trace_profile(trace, &records);
    if (records > 0 && shows(rows, TRACK_PROFILE))
        add_wanted(rows, trace, TRACK_PROFILE, 0);
    if (rows->kinds != TRACK_LIST_ALL)
        add_cpus(rows, trace);
    while (rows->empty.n < n + 2)
        vec_push(&rows->empty, false);
    for (size_t i = 0; i < n; i++) {
        size_t threads;
        const uint32_t *numbers = trace_process_threads(trace_process(trace, order[i]), &threads);
        bool any = group_shows(rows, trace, &others, order[i], numbers, threads);
        rows->empty.v[fold_place(order[i])] = !any;
        if (any)
            add_group(rows, trace, &others, order[i], numbers, threads);
    }
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        if (t->process == NO_PROCESS && !trace_thread_hidden(trace, t))
            vec_push(&loose, t->number);
    }
    if (group_shows(rows, trace, &others, NO_PROCESS, loose.v, loose.n))
        add_group(rows, trace, &others, NO_PROCESS, loose.v, loose.n);
    if (rows->kinds == TRACK_LIST_ALL)
        add_cpus(rows, trace);
    for (size_t i = 0; i < n && rows->kinds == TRACK_LIST_ALL; i++) {
        size_t threads;
        const uint32_t *numbers = trace_process_threads(trace_process(trace, order[i]), &threads);
        if (rows->empty.v[fold_place(order[i])])
            add_group(rows, trace, &others, order[i], numbers, threads);
    }
    vec_free(&loose);
    free(order);
    free_others(&others);
    rows->version = trace_version(trace);
}

const struct track *track_list_at(const struct track_list *rows, uint64_t line) {
    size_t lo = 0, hi = rows->tracks.n;
    if (line >= rows->lines)
        return NULL;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (rows->tracks.v[mid].top <= line)
            lo = mid;
        else
            hi = mid;
    }
    return &rows->tracks.v[lo];
}

bool track_list_find(const struct track_list *rows, enum track_kind kind, uint32_t of, uint32_t row, uint64_t *line) {
    for (size_t i = 0; i < rows->tracks.n; i++) {
        const struct track *t = &rows->tracks.v[i];
        if (t->kind == kind && t->of == of) {
            *line = t->top + (row < t->height ? row : t->height - 1);
            return true;
        }
    }
    return false;
}

bool track_list_find_header(const struct track_list *rows, uint32_t process, uint64_t *line) {
    for (size_t i = 0; i < rows->tracks.n; i++) {
        const struct track *t = &rows->tracks.v[i];
        if ((t->kind == TRACK_PROCESS || t->kind == TRACK_CPUS) && t->process == process) {
            *line = t->top;
            return true;
        }
    }
    return false;
}

bool track_list_again(const struct track_list *rows, const struct track *before, uint32_t row, uint64_t *line) {
    if (before->kind == TRACK_PROCESS || before->kind == TRACK_CPUS || before->kind == TRACK_EMPTY)
        return track_list_find_header(rows, before->process, line);
    if (!track_list_find(rows, (enum track_kind)before->kind, before->of, 0, line))
        return false;
    const struct track *track = track_list_at(rows, *line);
    assert(track != NULL); /* it was found */
    if (!before->strip)
        row += track->strip;
    else if (!track->strip)
        row -= row > 0;
    *line = track->top + (row < track->height ? row : track->height - 1);
    return true;
}
