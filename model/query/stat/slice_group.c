/* slice_group.c - keys of slices, and texts that are numbered as they occur.
 *
 * Threads and processes are their own numbers, with one more for slices without. Patterns,
 * categories and values are interned: number 0 is that of slices that have none. */
#include "model/query/stat/slice_group.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/query/stat/name_pattern.h"

#define NONE SLICE_GROUP_NONE

void slice_group_init(struct slice_group *g, struct trace *trace, enum slice_group_by by,
                      const char *argument) {
    *g = (struct slice_group){.trace = trace, .by = by, .argument = argument};
    vec_push(&g->texts, 0);
    vec_push(&g->texts, 0); /* NONE */
}

void slice_group_free(struct slice_group *g) {
    map_free(&g->map);
    vec_free(&g->bytes);
    vec_free(&g->texts);
    vec_free(&g->patterns);
    *g = (struct slice_group){0};
}

/* ---- texts ---- */

static struct str text_of(const struct slice_group *g, uint32_t number) {
    if ((size_t)number + 1 >= g->texts.n || number == NONE)
        return STR("");
    return (struct str){g->bytes.v + g->texts.v[number],
                        g->texts.v[number + 1] - g->texts.v[number]};
}

struct wanted {
    const struct slice_group *group;
    struct str text;
};

static bool same_text(const void *ctx, uint32_t number) {
    const struct wanted *w = ctx;
    struct str text = text_of(w->group, number + 1);
    return text.n == w->text.n && (text.n == 0 || memcmp(text.s, w->text.s, text.n) == 0);
}

static uint32_t intern(struct slice_group *g, struct str text) {
    uint32_t next = (uint32_t)g->texts.n - 2;
    uint32_t number =
        map_intern(&g->map, hash_bytes(text.s, text.n), same_text, &(struct wanted){g, text}, next);
    if (number == next) {
        for (size_t i = 0; i < text.n; i++)
            vec_push(&g->bytes, text.s[i]);
        vec_push(&g->texts, g->bytes.n);
    }
    return number + 1;
}

/* The number of a track's thread or process. */
static uint32_t track_number(const struct slice_group *g, uint32_t track) {
    if (g->by == GROUP_BY_THREAD)
        return track < SLICE_ITER_ASYNC ? track : (uint32_t)trace_thread_count(g->trace);
    uint32_t process = track < SLICE_ITER_ASYNC
                           ? trace_thread(g->trace, track)->process
                           : async_group(trace_async(g->trace), track - SLICE_ITER_ASYNC)->process,
             count = (uint32_t)trace_process_count(g->trace);
    return process < count ? process : count;
}

/* The category or value of a slice, until the next one; false: it has none. */
static bool read_text(const struct slice_group *g, const struct slice *s, struct detail *d,
                      struct detail_argument *a, char buf[64], struct str *text) {
    if (!detail_open(d, g->trace, slice_offset(s)))
        return false;
    if (g->by == GROUP_BY_CATEGORY) {
        *text = d->category;
        return text->n > 0;
    }
    if (!detail_find(d, g->argument, a))
        return false;
    *text = a->object.n > 0 ? a->object : detail_value(a, buf);
    return true;
}

static uint32_t name_of(const struct slice_group *g, const struct slice *s) {
    uint32_t name = event_name(s->begin_word);
    return name == EVENT_NAME_MAX ? trace_packed_name(g->trace, s->begin_word) : name;
}

/* Each name is folded once. */
static uint32_t pattern_number(struct slice_group *g, const struct slice *s) {
    uint32_t name = name_of(g, s);
    while (g->patterns.n <= name)
        vec_push(&g->patterns, 0);
    if (g->patterns.v[name] == 0) {
        struct name_pattern text = {0};
        name_pattern_add(trace_name(g->trace, name), &text);
        g->patterns.v[name] = 1 + intern(g, (struct str){text.n > 0 ? text.v : "", text.n});
        vec_free(&text);
    }
    return g->patterns.v[name] - 1;
}

static uint32_t number_of(void *ctx, uint32_t track, const struct slice *s) {
    struct slice_group *g = ctx;
    struct detail d;
    struct detail_argument a;
    char buf[64];
    struct str text;
    if (g->by == GROUP_BY_PATTERN)
        return pattern_number(g, s);
    if (g->by == GROUP_BY_TRACE)
        return (uint32_t)trace_record_file(g->trace, slice_offset(s));
    if (!slice_group_reads(g))
        return track_number(g, track);
    return read_text(g, s, &d, &a, buf, &text) ? intern(g, text) : NONE;
}

/* ---- keys ---- */

void slice_group_apply(struct slice_group *g, struct aggregate *a) {
    a->by = g->by == GROUP_BY_NAME_THREAD ? AGGREGATE_NAME_TRACK : AGGREGATE_GROUP;
    if (g->by == GROUP_BY_NAME)
        a->by = AGGREGATE_NAME;
    a->group = number_of;
    a->group_ctx = g;
}

bool slice_group_has(struct slice_group *g, const struct aggregate_key *key, uint32_t track,
                     const struct slice *s) {
    if (g->apart && sample_counts_of(g->trace, track) != (key->b == AGGREGATE_SAMPLED))
        return false;
    if (g->by > GROUP_BY_NAME_THREAD)
        return number_of(g, track, s) == key->name;
    uint32_t name = event_name(s->begin_word); /* the name alone is a comparison */
    if (name != key->name &&
        (name != EVENT_NAME_MAX || trace_packed_name(g->trace, s->begin_word) != key->name))
        return false;
    return g->by == GROUP_BY_NAME || track == key->a;
}

struct aggregate_key slice_group_same(struct slice_group *g, const struct slice_group *from,
                                      const struct aggregate_key *key) {
    if (!slice_group_numbers(from->by) || key->name == NONE)
        return *key;
    return (struct aggregate_key){intern(g, text_of(from, key->name)), 0, key->b};
}

/* The name, cut to half of buf; then the number, unless the name was made from it. */
static struct str with_number(struct str name, bool named, uint64_t number, char *buf, size_t cap) {
    size_t n = name.n < cap / 2 ? name.n : cap / 2;
    if (n > 0)
        memcpy(buf, name.s, n);
    if (named)
        n += (size_t)snprintf(buf + n, cap - n, " %" PRIu64, number);
    return (struct str){buf, n < cap ? n : cap - 1};
}

static struct str process_text(const struct slice_group *g, uint32_t process, char *buf,
                               size_t cap) {
    char made[40];
    bool named;
    if (process >= trace_process_count(g->trace))
        return STR("no process");
    const struct process *p = trace_process(g->trace, process);
    struct str name = trace_process_name(g->trace, p, made, &named);
    return with_number(name, named, p->pid, buf, cap);
}

/* "worker 10"; one of several threads of a number, but for the first, is "worker 10 of beta 2". */
static struct str thread_text(const struct slice_group *g, uint32_t track, char *buf, size_t cap) {
    char made[40];
    bool named;
    if (track >= trace_thread_count(g->trace))
        return STR("no thread");
    const struct thread *t = trace_thread(g->trace, track);
    struct str name = trace_thread_name(g->trace, t, made, &named);
    struct str text = with_number(name, named, t->id.tid, buf, cap);
    if (trace_koid_thread(g->trace, t->id.world, t->id.tid) == track || t->process == NO_PROCESS ||
        cap - text.n < sizeof " of ")
        return text;
    text.n += (size_t)snprintf(buf + text.n, cap - text.n, " of ");
    text.n += process_text(g, t->process, buf + text.n, cap - text.n).n;
    return text;
}

struct str slice_group_text(const struct slice_group *g, const struct aggregate_key *key, char *buf,
                            size_t cap) {
    struct str name;
    size_t n;
    switch (g->by) {
    case GROUP_BY_NAME:
        return trace_name(g->trace, key->name);
    case GROUP_BY_NAME_THREAD:
        name = trace_name(g->trace, key->name);
        n = name.n < cap / 2 ? name.n : cap / 2;
        if (n > 0)
            memcpy(buf, name.s, n);
        n += (size_t)snprintf(buf + n, cap - n, "  ");
        if (key->a >= SLICE_ITER_ASYNC)
            return (struct str){buf, n - 2};
        name = thread_text(g, key->a, buf + n, cap - n);
        if (name.s != buf + n)
            memcpy(buf + n, name.s, name.n + 1);
        return (struct str){buf, n + name.n};
    case GROUP_BY_THREAD:
        return thread_text(g, key->name, buf, cap);
    case GROUP_BY_PROCESS:
        return process_text(g, key->name, buf, cap);
    case GROUP_BY_TRACE:
        return str_of(trace_file_name(g->trace, key->name));
    default:
        name = text_of(g, key->name);
        return key->name == NONE ? STR("(none)") : name;
    }
}

struct str slice_group_text_of(const struct slice_group *g, uint32_t track, const struct slice *s,
                               char *buf, size_t cap) {
    struct detail d;
    struct detail_argument a;
    struct str text;
    char value[64];
    if (g->by == GROUP_BY_PATTERN) {
        struct name_pattern folded = {0};
        name_pattern_add(trace_name(g->trace, name_of(g, s)), &folded);
        size_t n = folded.n < cap ? folded.n : cap;
        if (n > 0)
            memcpy(buf, folded.v, n);
        vec_free(&folded);
        return (struct str){buf, n};
    }
    if (g->by == GROUP_BY_TRACE)
        return str_of(trace_file_name(g->trace, trace_record_file(g->trace, slice_offset(s))));
    if (!slice_group_reads(g))
        return slice_group_text(g, &(struct aggregate_key){track_number(g, track), 0, 0}, buf, cap);
    if (!read_text(g, s, &d, &a, value, &text))
        text = STR("(none)");
    text.n = text.n < cap ? text.n : cap;
    if (text.n > 0)
        memcpy(buf, text.s, text.n);
    return (struct str){buf, text.n};
}
