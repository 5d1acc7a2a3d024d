/* source.c - a complete trace as SQL sees it.
 *
 * Rows of async operations are numbered once. Whether the text of a name is UTF-8 is found when it
 * is first needed. Ranks sort all names, so they are made only for an order by name. */
#include "sql/source.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"

void source_init(struct source *source, struct trace *trace) {
    const struct async *async = trace_async(trace);
    struct wide origin = trace_origin_wide(trace);
    *source = (struct source){.trace = trace, .origin = trace_origin(trace)};
    source->absolute = origin.hi > 0 || origin.lo > INT64_MAX ? INT64_MAX : origin.lo;
    const char *from = file_imported(trace_file(trace));
    source->json = from && strcmp(from, "Chrome JSON") == 0;
    source->without_wakeups = source->json || reader_ends_by_name(trace_reader(trace), 0);
    source->threads = (uint32_t)trace_thread_count(trace);
    for (size_t k = 0; k < async_group_count(async); k++) {
        vec_push(&source->first_operations, (uint32_t)source->operations.n);
        uint32_t rows = async_group_rows(async_group(async, k));
        /* an instant may be alone in its group */
        for (uint32_t row = 0; row < rows || row == 0; row++)
            vec_push(&source->operations, ((struct source_operations){(uint32_t)k, row}));
    }
    source->names = names_count(reader_names(trace_reader(trace)));
    source->text_state = err_calloc((size_t)source->names + 1, 1);
}

#define UNITS 1000000u /* between two looks at the stop */

static bool go_on(struct budget *budget) {
    budget->units = source_stopped(budget->ctx) ? 0 : UNITS;
    return budget->units > 0;
}

struct task *source_task(struct source *source) {
    source->time =
        (struct budget){.deadline = INT64_MIN, .units = UNITS, .again = go_on, .ctx = source};
    source->task.budget = &source->time;
    return &source->task;
}

void source_free(struct source *source) {
    vec_free(&source->operations);
    vec_free(&source->first_operations);
    free(source->text_state);
    free(source->rank);
    for (size_t i = 0; i < source->kept.n; i++)
        source->kept.v[i].free(source->kept.v[i].of);
    vec_free(&source->kept);
    source_forget_open(source);
}

void source_read_open(struct source *source, uint64_t key, const struct source_open *open) {
    if (u64map_get(&source->open_keys, key) != UINT64_MAX)
        return;
    u64map_set(&source->open_keys, key, source->open.n);
    vec_push(&source->open, *open);
}

void source_forget_open(struct source *source) {
    vec_free(&source->open);
    u64map_free(&source->open_keys);
    source->flows_joined = source->slice_times = false;
}

void *source_find(const struct source *source, const void *key) {
    for (size_t i = 0; i < source->kept.n; i++)
        if (source->kept.v[i].key == key)
            return source->kept.v[i].of;
    return NULL;
}

void source_keep(struct source *source, const void *key, void *of, void (*free_it)(void *of)) {
    vec_push(&source->kept, ((struct source_kept){key, of, free_it}));
}

int64_t source_utid(const struct source *source, uint32_t thread) {
    return (int64_t)trace_stands_for(source->trace, thread) + 1;
}

int64_t source_upid(const struct source *source, uint32_t process) {
    if (process == NO_PROCESS)
        return -1;
    const struct process *p = trace_process(source->trace, process);
    return p->pid == 0 && p->world == 0 ? 0 : (int64_t)process + 1;
}

uint32_t source_process(const struct source *source, int64_t upid) {
    uint32_t n = (uint32_t)trace_process_count(source->trace), k = 0;
    if (upid != 0)
        return upid > 0 && upid <= (int64_t)n ? (uint32_t)(upid - 1) : NO_PROCESS;
    while (k < n && trace_process(source->trace, k)->pid != 0)
        k++;
    return k < n ? k : NO_PROCESS;
}

static bool valid(struct str s) {
    uint32_t cp;
    while (s.n > 0) {
        size_t n = text_decode(s, &cp);
        if (cp == TEXT_BAD)
            return false;
        s.s += n;
        s.n -= n;
    }
    return true;
}

bool source_name_valid(struct source *source, uint32_t name) {
    if (name >= source->names)
        return false;
    if (source->text_state[name] == 0)
        source->text_state[name] = valid(trace_name(source->trace, name)) ? 1 : 2;
    return source->text_state[name] == 1;
}

char *source_valid_text(struct str text, size_t *n) {
    char *out = err_malloc(text.n * 3 + 1);
    size_t at = 0;
    uint32_t cp;
    while (text.n > 0) {
        size_t part = text_decode(text, &cp);
        if (cp == TEXT_BAD) {
            memcpy(out + at, "\xef\xbf\xbd", 3);
            at += 3;
        } else {
            memcpy(out + at, text.s, part);
            at += part;
        }
        text.s += part;
        text.n -= part;
    }
    out[at] = 0;
    *n = at;
    return out;
}

/* ---- ranks ---- */

struct named {
    struct str text;
    uint32_t name;
};

static int by_text(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    size_t n = x->text.n < y->text.n ? x->text.n : y->text.n;
    int differs = n > 0 ? memcmp(x->text.s, y->text.s, n) : 0;
    if (differs)
        return differs;
    return x->text.n < y->text.n ? -1 : x->text.n > y->text.n;
}

const uint32_t *source_ranks(struct source *source) {
    if (source->rank)
        return source->rank;
    struct named *v = err_malloc(((size_t)source->names + 1) * sizeof *v);
    for (uint32_t i = 0; i < source->names; i++) {
        v[i] = (struct named){trace_name(source->trace, i), i};
        if (!source_name_valid(source, i))
            v[i].text.s = source_valid_text(v[i].text, &v[i].text.n);
    }
    qsort(v, source->names, sizeof *v, by_text);
    source->rank = err_malloc(((size_t)source->names + 1) * sizeof *source->rank);
    uint32_t rank = 0;
    for (uint32_t i = 0; i < source->names; i++) {
        rank += i > 0 && by_text(&v[i - 1], &v[i]) != 0;
        source->rank[v[i].name] = rank;
    }
    for (uint32_t i = 0; i < source->names; i++)
        if (!source_name_valid(source, v[i].name))
            free((char *)(uintptr_t)v[i].text.s);
    free(v);
    return source->rank;
}
