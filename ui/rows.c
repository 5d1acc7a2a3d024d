#include "ui/rows.h"

#include <string.h>

#define DEFAULT_DEPTH 8

void rows_init(struct rows *rows) {
    *rows = (struct rows){.default_depth = DEFAULT_DEPTH, .least_depth = DEFAULT_DEPTH, .version = UINT64_MAX};
}

void rows_free(struct rows *rows) {
    vec_free(&rows->tracks);
    vec_free(&rows->depth);
    vec_free(&rows->folded);
}

/* Folding is kept by place + 1; place 0 is the group of threads without a process. */
static size_t fold_place(uint32_t process) {
    return process == NO_PROCESS ? 0 : (size_t)process + 1;
}

bool rows_folded(const struct rows *rows, uint32_t process) {
    size_t i = fold_place(process);
    return i < rows->folded.n && rows->folded.v[i];
}

void rows_fold(struct rows *rows, uint32_t process, bool folded) {
    size_t i = fold_place(process);
    while (rows->folded.n <= i)
        vec_push(&rows->folded, false);
    rows->folded.v[i] = folded;
    rows->version = UINT64_MAX;
}

void rows_set_depth(struct rows *rows, uint32_t thread, uint32_t depth) {
    while (rows->depth.n <= thread)
        vec_push(&rows->depth, 0);
    rows->depth.v[thread] = depth;
    rows->version = UINT64_MAX;
}

static void add(struct rows *rows, struct track track) {
    track.top = rows->lines;
    rows->lines += track.height;
    vec_push(&rows->tracks, track);
}

static bool is_empty(const struct thread *t) {
    return t->nest.nlanes == 0 && t->instants.n == 0 && t->nest.late.n == 0;
}

static void add_thread(struct rows *rows, const struct thread *t) {
    uint32_t limit = t->number < rows->depth.n && rows->depth.v[t->number] ? rows->depth.v[t->number]
                                                                          : rows->default_depth;
    uint32_t lanes = t->nest.nlanes > 0 ? t->nest.nlanes : 1, shown = lanes < limit ? lanes : limit;
    add(rows, (struct track){.kind = TRACK_THREAD, .process = t->process, .thread = t->number, .height = shown,
                             .deeper = lanes - shown});
}

static void add_group(struct rows *rows, struct trace *trace, uint32_t process, const uint32_t *threads, size_t n) {
    uint32_t empty = 0, shown = 0;
    for (size_t i = 0; i < n; i++)
        shown += !is_empty(trace_thread(trace, threads[i]));
    if (shown == 0 && process == NO_PROCESS)
        return; /* koids that only scheduling records name */
    add(rows, (struct track){.kind = TRACK_PROCESS, .process = process, .height = 1});
    if (rows_folded(rows, process))
        return;
    for (size_t i = 0; i < n; i++) {
        const struct thread *t = trace_thread(trace, threads[i]);
        if (is_empty(t))
            empty++;
        else
            add_thread(rows, t);
    }
    if (empty > 0)
        add(rows, (struct track){.kind = TRACK_EMPTY, .process = process, .thread = empty, .height = 1});
}

static bool shows_something(struct trace *trace, const struct process *p) {
    for (size_t i = 0; i < p->threads.n; i++)
        if (!is_empty(trace_thread(trace, p->threads.v[i])))
            return true;
    return false;
}

/* Lines that all tracks take when threads show at most `depth` rows. */
static uint64_t lines_at(struct trace *trace, uint32_t depth) {
    uint64_t n = trace_process_count(trace);
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        if (!is_empty(t))
            n += t->nest.nlanes < depth ? t->nest.nlanes : depth;
    }
    return n;
}

static void fit_depth(struct rows *rows, struct trace *trace) {
    uint32_t least = rows->least_depth, depth = least;
    if (rows->room == 0 || trace_thread_count(trace) > 10000)
        return;
    while (depth < rows->room && lines_at(trace, depth + 1) <= rows->room)
        depth++;
    rows->default_depth = depth;
}

/* Processes in file order, those without anything to show last; threads without a process between them. */
void rows_update(struct rows *rows, struct trace *trace) {
    VEC(uint32_t) loose = {0};
    fit_depth(rows, trace);
    rows->tracks.n = 0;
    rows->lines = 0;
    for (size_t i = 0; i < trace_process_count(trace); i++) {
        const struct process *p = trace_process(trace, i);
        if (shows_something(trace, p))
            add_group(rows, trace, (uint32_t)i, p->threads.v, p->threads.n);
    }
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        if (t->process == NO_PROCESS && !trace_thread_hidden(trace, t))
            vec_push(&loose, t->number);
    }
    if (loose.n > 0)
        add_group(rows, trace, NO_PROCESS, loose.v, loose.n);
    for (size_t i = 0; i < trace_process_count(trace); i++) {
        const struct process *p = trace_process(trace, i);
        if (!shows_something(trace, p))
            add_group(rows, trace, (uint32_t)i, p->threads.v, p->threads.n);
    }
    vec_free(&loose);
    rows->version = trace_version(trace);
}

const struct track *rows_at(const struct rows *rows, uint64_t line) {
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

bool rows_find(const struct rows *rows, uint32_t thread, uint32_t row, uint64_t *line) {
    for (size_t i = 0; i < rows->tracks.n; i++) {
        const struct track *t = &rows->tracks.v[i];
        if (t->kind == TRACK_THREAD && t->thread == thread) {
            *line = t->top + (row < t->height ? row : t->height - 1);
            return true;
        }
    }
    return false;
}

bool rows_find_process(const struct rows *rows, uint32_t process, uint64_t *line) {
    for (size_t i = 0; i < rows->tracks.n; i++) {
        if (rows->tracks.v[i].kind == TRACK_PROCESS && rows->tracks.v[i].process == process) {
            *line = rows->tracks.v[i].top;
            return true;
        }
    }
    return false;
}
