/* suite_damaged.c - what the file contradicts, and nothing else, is damaged (SEMANTICS 4.7).
 *
 * Threads write slices, instants and switches in order; the file has them mixed, or thread by
 * thread. Some times are then replaced by far ones. By construction it is known which of them the
 * order of their thread contradicts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/query/slice_iter.h"
#include "model/store/sched_life.h"
#include "model/trace/trace_life.h"
#include "model/trace/trace_problems.h"
#include "src/import/importers.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define THREADS 5
#define LINES 80
#define FIRST 1000000 /* ns */
#define MOST (THREADS * LINES)

enum written { COMPLETE, PAIR, INSTANT, SWITCH, KINDS };

struct line { /* of a file */
    enum written kind;
    int64_t begin, end;
    bool damaged; /* its end, or its time, was replaced, and is contradicted */
};

struct made {
    struct line lines[THREADS][LINES];
    int64_t damaged[MOST]; /* times */
    int ndamaged;
};

static int64_t written(const struct line *l) {
    return l->kind == COMPLETE || l->kind == PAIR ? l->end : l->begin;
}

/* Slices one after the other; a thread of switches is a CPU. */
static void throw_lines(struct made *m, struct chance *c) {
    *m = (struct made){.ndamaged = 0};
    for (int t = 0; t < THREADS; t++) {
        int64_t at = FIRST + (int64_t)below(c, 100);
        for (int i = 0; i < LINES; i++) {
            enum written kind = t == THREADS - 1 ? SWITCH : (enum written)below(c, SWITCH);
            int64_t end = at + 1 + (int64_t)below(c, 50);
            m->lines[t][i] = (struct line){kind, at, end, false};
            at = end + (int64_t)below(c, 20);
        }
    }
}

/* A time that is far from all, and from others of its kind: no two of them are near each other. */
static int64_t far_time(struct chance *c, int n) {
    return (INT64_C(1) << 40) + ((int64_t)n << 34) + (int64_t)below(c, 1000);
}

/* Replaces up to 6 times, never the first or the last of a thread. A later one that is not
 * contradicted may reach it. */
static void damage(struct made *m, struct chance *c) {
    for (int n = 1 + (int)below(c, 6); n > 0; n--) {
        int t = (int)below(c, THREADS), i = 1 + (int)below(c, LINES - 2);
        struct line *l = &m->lines[t][i];
        if (l->damaged)
            continue;
        l->damaged = true;
        l->end = far_time(c, n);
        l->begin = l->kind == COMPLETE || l->kind == PAIR ? l->begin : l->end;
        m->damaged[m->ndamaged++] = l->end;
    }
}

static void put_line(FILE *f, int t, const struct line *l, int i) {
    long long begin = l->begin, end = l->end;
    if (l->kind == COMPLETE)
        fprintf(f, "complete %lld 1/%d \"c\" \"n%d\" end=%lld\n", begin, t, i % 3, end);
    else if (l->kind == PAIR)
        fprintf(f, "begin %lld 1/%d \"c\" \"n%d\"\nend %lld 1/%d \"c\" \"n%d\"\n", begin, t, i % 3,
                end, t, i % 3);
    else if (l->kind == INSTANT)
        fprintf(f, "instant %lld 1/%d \"c\" \"i\"\n", begin, t);
    else
        fprintf(f, "switch %lld 0 %d 3 %d\n", begin, 100 + i % 2, 101 - i % 2);
}

/* The trace, thread by thread, or mixed. */
static struct trace *trace_of(const struct made *m, struct chance *c, bool mixed) {
    char *text = NULL;
    size_t size = 0;
    int next[THREADS] = {0};
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int left = MOST, t = 0; left > 0; left--) {
        t = mixed ? (int)below(c, THREADS) : t;
        while (next[t] == LINES)
            t = (t + 1) % THREADS;
        put_line(f, t, &m->lines[t][next[t]], next[t]);
        next[t]++;
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

static int by_time(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Whether the damaged times are these. */
static bool has_damaged(struct trace *trace, int64_t *times, int n) {
    const struct problem *p = &trace_problems(trace)->kinds[PROBLEM_DAMAGED_TIME];
    int64_t found[MOST], base = (int64_t)reader_base(trace_reader(trace)).lo;
    if (p->count != (uint64_t)n || trace_damaged_times(trace) != (size_t)n)
        return false;
    for (int i = 0; i < n; i++)
        found[i] = problem_case(p, (size_t)i)->time + base;
    qsort(found, (size_t)n, sizeof *found, by_time);
    qsort(times, (size_t)n, sizeof *times, by_time);
    for (int i = 0; i < n; i++)
        if (found[i] != times[i])
            return false;
    return true;
}

/* The end of all that happened. */
static int64_t last_sound(const struct made *m) {
    int64_t last = 0;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < LINES; i++)
            if (!m->lines[t][i].damaged && written(&m->lines[t][i]) > last)
                last = written(&m->lines[t][i]);
    return last;
}

START_TEST(what_the_order_of_its_thread_contradicts_is_damaged) {
    struct chance c = {20261128};
    static struct made m;
    int some = 0;
    for (int set = 0; set < 150; set++) {
        throw_lines(&m, &c);
        damage(&m, &c);
        struct trace *trace = trace_of(&m, &c, set % 2);
        MUST(has_damaged(trace, m.damaged, m.ndamaged), set);
        size_t slices = 0;
        for (int t = 0; t < THREADS; t++)
            for (int i = 0; i < LINES; i++)
                slices += m.lines[t][i].damaged && m.lines[t][i].kind <= PAIR;
        MUST(trace_damaged_slices(trace) == slices, set);
        const struct problem *far = &trace_problems(trace)->kinds[PROBLEM_FAR_OFF_TIME];
        MUST(far->count == problem_case_count(far), set);
        MUST(far->count + trace_damaged_times(trace) == trace_far_times(trace), set);
        MUST(trace_end(trace) - trace_begin(trace) + FIRST <= last_sound(&m), set);
        MUST(trace_end(trace) + (int64_t)reader_base(trace_reader(trace)).lo == last_sound(&m),
             set);
        some += m.ndamaged;
        trace_free(trace);
    }
    ck_assert_int_gt(some, 150);
}
END_TEST

/* ---- nested slices ---- */

#define NESTED 300

struct nested {             /* begins, ends and complete events of one thread, one every 10 ns */
    int other[NESTED];      /* the number of the begin's end, or of the end's begin, or its own */
    long long time[NESTED]; /* of a complete event, its end */
    bool bad[NESTED];       /* it has a far time, or none */
};

static void throw_nested(struct nested *n, struct chance *c) {
    int open[NESTED], depth = 0;
    for (int i = 0; i < NESTED; i++) {
        bool ends = depth > 0 && (depth == NESTED - i || below(c, 5) < 2);
        n->time[i] = FIRST + (1LL << 50) + 10 * i;
        n->bad[i] = false;
        n->other[i] = i;
        if (depth < NESTED - i && below(c, 6) == 0)
            continue;
        if (ends) {
            n->other[i] = open[--depth];
            n->other[n->other[i]] = i;
        } else {
            open[depth++] = i;
        }
    }
}

/* Gives n of them, never the first or the last, another time. */
static void throw_bad(struct nested *s, struct chance *c, int n, bool unset) {
    for (; n > 0; n--) {
        int i = 1 + (int)below(c, NESTED - 2);
        long long early = below(c, 2) ? 0 : 2LL << 50;
        if (unset && s->other[i] == i) /* its end would be no time */
            continue;
        s->bad[i] = true;
        s->time[i] = unset ? 0 : far_time(c, n % 7) + (s->other[i] < i ? early : 2LL << 50);
    }
}

static bool is_bad_slice(const struct nested *n, int i) {
    return n->bad[i] || n->bad[n->other[i]];
}

/* without: slices with a bad time are left out. */
static char *text_of_nested(const struct nested *n, bool without) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int i = 0; i < NESTED; i++) {
        if (without && is_bad_slice(n, i))
            continue;
        if (n->other[i] == i)
            fprintf(f, "complete %lld 1/1 \"c\" \"x\" end=%lld\n", FIRST + (1LL << 50) + 10 * i - 3,
                    n->time[i]);
        else if (n->other[i] < i)
            fprintf(f, "end %lld 1/1 \"c\" \"\"\n", n->time[i]);
        else
            fprintf(f, "begin %lld 1/1 \"c\" \"n%d\"\n", n->time[i], i);
        fprintf(f, "instant %lld 1/1 \"c\" \"i\"\n", FIRST + (1LL << 50) + 10 * i + 3);
    }
    for (int i = 0; i < 2; i++) /* of a thread that lives longer */
        fprintf(f, "instant %lld 1/2 \"c\" \"i\"\n",
                FIRST + (1LL << 50) + (i ? 10 * NESTED + 500 : -500));
    fclose(f);
    return text;
}

static struct trace *trace_of_nested(const struct nested *n, bool without) {
    char *text = text_of_nested(n, without);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* Whether the rows of both are the same, but for damaged slices and those at the file's time 0. */
static bool same_rows(struct trace *trace, struct trace *without) {
    const struct nest *a = &trace_thread(trace, 0)->nest, *b = &trace_thread(without, 0)->nest;
    int64_t base = (int64_t)reader_base(trace_reader(trace)).lo,
            other = (int64_t)reader_base(trace_reader(without)).lo;
    for (uint32_t row = 0; row < nest_rows(a); row++) {
        const struct lane *lane = nest_row(a, row);
        uint32_t k = 0;
        for (uint32_t i = 0; i < lane->n; i++) {
            const struct slice *s = lane_at(lane, i);
            if (trace_damaged_slice(trace, s) || s->start + base == 0)
                continue;
            if (row >= nest_rows(b) || k == nest_row(b, row)->n)
                return false;
            const struct slice *t = lane_at(nest_row(b, row), k++);
            if (s->start + base != t->start + other || slice_open(s) != slice_open(t) ||
                slice_dur(s) != slice_dur(t))
                return false;
        }
        if (k != (row < nest_rows(b) ? nest_row(b, row)->n : 0))
            return false;
    }
    return nest_rows(a) >= nest_rows(b);
}

/* Instant i, 3 ns after event i, is in the last to begin of the slices that are open there in the
 * file. */
static bool points_inside(struct trace *trace, const struct nested *n) {
    int64_t base = (int64_t)reader_base(trace_reader(trace)).lo;
    size_t count;
    const struct thread *t = trace_thread(trace, 0);
    const struct instant *instants = trace_instants(trace_thread(trace, 0), &count);
    bool same = count == NESTED;
    for (int i = 0; i < NESTED && same; i++) {
        struct trace_point point = {0, {instants[i].time, event_offset(instants[i].packed)}, false};
        int64_t began = -1;
        uint32_t row, at;
        for (int k = 0; k <= i; k++)
            if (n->other[k] > i && !n->bad[k] && n->time[k] <= instants[i].time + base &&
                n->time[k] > began)
                began = n->time[k];
        bool found = trace_point_slice(trace, &point, &row, &at);
        same = found == (began >= 0) &&
               (!found || lane_start(nest_row(&t->nest, row), at) + base == began);
    }
    return same;
}

/* The thread lives from its first event to its last one, whose times are never replaced. */
static bool lives(struct trace *trace, const struct nested *n) {
    int64_t begin, end, base = (int64_t)reader_base(trace_reader(trace)).lo - (1LL << 50) - FIRST;
    bool ended;
    return trace_thread_span(trace, trace_thread(trace, 0), &begin, &end, &ended) &&
           begin + base == (n->other[0] == 0 ? -3 : 0) && end + base == 10 * (NESTED - 1) + 3;
}

START_TEST(slices_around_a_damaged_begin_or_end_are_as_without_it) {
    struct chance c = {20261130};
    size_t some = 0;
    for (int set = 0; set < 200; set++) {
        struct nested n;
        bool unset = set % 2;
        size_t bad = 0;
        throw_nested(&n, &c);
        throw_bad(&n, &c, 1 + set % 5, unset);
        for (int i = 0; i < NESTED; i++)
            bad +=
                n.other[i] >= i && is_bad_slice(&n, i) && !(unset && n.bad[i] && n.bad[n.other[i]]);
        struct trace *trace = trace_of_nested(&n, false), *without = trace_of_nested(&n, true);
        MUST(trace_damaged_slices(trace) == bad, set);
        MUST(same_rows(trace, without), set);
        MUST(points_inside(trace, &n), set);
        MUST(lives(trace, &n), set);
        MUST(trace_problems(trace)->kinds[PROBLEM_END_WITHOUT_BEGIN].count == 0, set);
        some += bad;
        trace_free(trace);
        trace_free(without);
    }
    ck_assert_uint_gt(some, 200);
}
END_TEST

/* ---- while the file grows ---- */

/* later: the base of b is so much later. */
static bool same_lane(const struct lane *a, const struct lane *b, int64_t later) {
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct slice *s = lane_at(a, i), *t = lane_at(b, i);
        if (s->start != t->start + later || slice_open(s) != slice_open(t) ||
            slice_dur(s) != slice_dur(t) || slice_offset(s) != slice_offset(t))
            return false;
    }
    return true;
}

/* Whether each instant is in the same slice. */
static bool same_points(struct trace *a, struct trace *b) {
    size_t n, m;
    const struct instant *x = trace_instants(trace_thread(a, 0), &n),
                         *y = trace_instants(trace_thread(b, 0), &m);
    bool same = n == m;
    for (size_t i = 0; same && i < n; i++) {
        struct trace_point p = {0, {x[i].time, event_offset(x[i].packed)}, false},
                           q = {0, {y[i].time, event_offset(y[i].packed)}, false};
        uint32_t row[2] = {0}, at[2] = {0};
        same = trace_point_slice(a, &p, &row[0], &at[0]) ==
                   trace_point_slice(b, &q, &row[1], &at[1]) &&
               row[0] == row[1] && at[0] == at[1];
    }
    return same;
}

static bool same_in_all(struct trace *a, struct trace *b) {
    const struct nest *x = &trace_thread(a, 0)->nest, *y = &trace_thread(b, 0)->nest;
    bool same = nest_rows(x) == nest_rows(y) && nest_sound_rows(x) == nest_sound_rows(y) &&
                x->strays.n == y->strays.n && x->mismatches == y->mismatches &&
                trace_damaged_slices(a) == trace_damaged_slices(b);
    int64_t later = (int64_t)(reader_base(trace_reader(b)).lo - reader_base(trace_reader(a)).lo);
    for (uint32_t row = 0; same && row < nest_rows(x); row++)
        same = same_lane(nest_row(x, row), nest_row(y, row), later);
    return same && same_points(a, b);
}

static void append(const char *path, const char *bytes, size_t n) {
    FILE *f = fopen(path, "ab");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

static struct trace *open_at(const char *path, bool follow) {
    struct trace_options options = {.follow = follow};
    struct err err;
    struct trace *trace = trace_open(path, &options, &err);
    ck_assert_msg(trace != NULL, "%s", trace ? "" : err.text);
    return trace;
}

/* Writes it in pieces while it is read: to the end of each, or little of it. */
static struct trace *grown(const char *path, struct trace_bytes bytes, struct chance *c) {
    struct err err;
    size_t most = 1 + below(c, 3000);
    struct trace *trace = NULL;
    for (size_t at = 0; at < bytes.n;) {
        size_t n = 1 + below(c, most);
        n = n < bytes.n - at ? n : bytes.n - at;
        append(path, (const char *)bytes.v + at, n);
        at += n;
        if (trace == NULL && at < 16) /* its first words are waited for */
            continue;
        trace = trace ? trace : open_at(path, true);
        for (int i = (int)below(c, 4); i > 0; i--)
            trace_step(trace, below(c, 2) ? 256 : 1 << 20);
    }
    while (trace_step(trace, 1 << 20) != TRACE_WAITING || trace_unflushed(trace))
        ;
    ck_assert(trace_follow(trace, false, &err));
    trace_load(trace);
    return trace;
}

/* Frees the text. Whether the trace that was read while it grew is like the one read at once. */
static bool grows_alike(char *text, struct chance *c,
                        bool (*alike)(struct trace *grown, struct trace *whole)) {
    char path[SCRATCH_PATH];
    struct err err;
    ck_assert(scratch_write(path, "grows", "", 0));
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_ptr_nonnull(bytes.v);
    struct trace *trace = grown(path, bytes, c), *whole = open_at(path, false);
    trace_load(whole);
    bool same = alike(trace, whole);
    trace_free(trace);
    trace_free(whole);
    free(bytes.v);
    free(text);
    unlink(path);
    return same;
}

START_TEST(what_is_damaged_is_set_apart_while_the_file_grows) {
    struct chance c = {20261201};
    for (int set = 0; set < 100; set++) {
        struct nested n;
        throw_nested(&n, &c);
        throw_bad(&n, &c, 1 + set % 5, set % 2);
        MUST(grows_alike(text_of_nested(&n, false), &c, same_in_all), set);
    }
}
END_TEST

/* ---- operations ---- */

#define CLASSES 8 /* thread, id and name: a bit each */

/* Begins and ends, each of a class, in which they nest. All have ended at the end. */
static void throw_operations(struct nested *n, int *class, struct chance *c) {
    int open[CLASSES][NESTED], depth[CLASSES] = {0}, all = 0;
    for (int i = 0; i < NESTED; i++) {
        bool must_end = all >= NESTED - i;
        int k = (int)below(c, CLASSES);
        while (must_end && depth[k] == 0)
            k = (k + 1) % CLASSES;
        n->time[i] = FIRST + (1LL << 50) + 10 * i;
        n->bad[i] = false;
        n->other[i] = i; /* of none, if it is the last and all have ended */
        class[i] = k;
        if (must_end || (depth[k] > 0 && below(c, 5) < 2)) {
            n->other[i] = open[k][--depth[k]];
            n->other[n->other[i]] = i;
            all--;
        } else if (i < NESTED - 1) {
            open[k][depth[k]++] = i;
            all++;
        }
    }
}

/* order: thread by thread, or as it happened. without: damaged ones are left out. */
static char *text_of_operations(const struct nested *n, const int *class, bool by_thread,
                                bool without) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int thread = 1; thread <= 2; thread++) /* no other is the first of its thread */
        fprintf(f, "instant %lld 1/%d \"c\" \"i\"\n", FIRST + (1LL << 50) - 5, thread);
    for (int pass = 0; pass < (by_thread ? 2 : 1); pass++)
        for (int i = 0; i < NESTED; i++) {
            int thread = class[i] & 1;
            if (by_thread && thread != pass)
                continue;
            if (n->other[i] != i && !(without && is_bad_slice(n, i)))
                fprintf(f, "async_%s %lld 1/%d \"c\" \"%c\" id=%d\n",
                        n->other[i] > i ? "begin" : "end", n->time[i], 1 + thread,
                        class[i] & 2 ? 'a' : 'b', 1 + (class[i] >> 2));
            fprintf(f, "instant %lld 1/%d \"c\" \"i\"\n", FIRST + (1LL << 50) + 10 * i + 3,
                    1 + thread);
        }
    fclose(f);
    return text;
}

static struct trace *trace_of_operations(const struct nested *n, const int *class, bool by_thread,
                                         bool without) {
    char *text = text_of_operations(n, class, by_thread, without);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

static const struct async_group *group_like(const struct trace *trace, struct trace *of,
                                            const struct async_group *g) {
    for (size_t k = 0; k < async_group_count(trace_async(trace)); k++) {
        const struct async_group *other = async_group(trace_async(trace), k);
        if (str_eq(trace_name(trace, other->name), trace_name(of, g->name)))
            return other;
    }
    return NULL;
}

/* Whether all operations of a row but damaged ones and those at time 0 are those of another row. */
static bool same_operations(struct trace *a, const struct lane *x, struct trace *b,
                            const struct lane *y) {
    int64_t later = (int64_t)(reader_base(trace_reader(b)).lo - reader_base(trace_reader(a)).lo);
    int64_t zero = -(int64_t)reader_base(trace_reader(a)).lo;
    uint32_t k = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        const struct slice *s = lane_at(x, i);
        if (trace_damaged_slice(a, s) || s->start == zero)
            continue;
        const struct slice *t = y && k < y->n ? lane_at(y, k++) : NULL;
        if (t == NULL || s->start != t->start + later || slice_open(s) != slice_open(t) ||
            slice_dur(s) != slice_dur(t) ||
            async_depth(trace_slice_extra(a), s) != async_depth(trace_slice_extra(b), t))
            return false;
    }
    return k == (y ? y->n : 0);
}

static bool same_groups(struct trace *a, struct trace *b) {
    size_t same = 0;
    for (size_t k = 0; k < async_group_count(trace_async(a)); k++) {
        const struct async_group *g = async_group(trace_async(a), k), *h = group_like(b, a, g);
        uint32_t rows = h ? async_group_rows(h) : 0;
        if (async_group_rows(g) < rows)
            return false;
        for (uint32_t row = 0; row < async_group_rows(g); row++)
            if (!same_operations(a, async_group_row(g, row), b,
                                 row < rows ? async_group_row(h, row) : NULL))
                return false;
        same += h != NULL;
    }
    return same == async_group_count(trace_async(b));
}

START_TEST(operations_around_a_damaged_one_are_as_without_it) {
    struct chance c = {20261201};
    size_t some = 0;
    for (int set = 0; set < 200; set++) {
        struct nested n;
        int class[NESTED];
        bool unset = set % 2;
        size_t bad = 0;
        throw_operations(&n, class, &c);
        throw_bad(&n, &c, 1 + set % 5, unset);
        for (int i = 0; i < NESTED; i++)
            bad +=
                n.other[i] > i && is_bad_slice(&n, i) && !(unset && n.bad[i] && n.bad[n.other[i]]);
        struct trace *trace = trace_of_operations(&n, class, set % 3 == 0, false),
                     *without = trace_of_operations(&n, class, set % 3 == 0, true);
        MUST(trace_damaged_slices(trace) == bad, set);
        MUST(same_groups(trace, without), set);
        MUST(trace_problems(trace)->kinds[PROBLEM_ASYNC_END_WITHOUT_BEGIN].count == 0, set);
        some += bad;
        trace_free(trace);
        trace_free(without);
    }
    ck_assert_uint_gt(some, 200);
}
END_TEST

/* How many operations of that depth are damaged, or are not. */
static size_t count_operations(struct trace *trace, bool damaged, uint32_t depth) {
    size_t n = 0;
    for (size_t k = 0; k < async_group_count(trace_async(trace)); k++) {
        const struct async_group *g = async_group(trace_async(trace), k);
        for (uint32_t row = 0; row < async_group_rows(g); row++)
            for (uint32_t i = 0; i < async_group_row(g, row)->n; i++) {
                const struct slice *s = lane_at(async_group_row(g, row), i);
                n += trace_damaged_slice(trace, s) == damaged &&
                     async_depth(trace_slice_extra(trace), s) == depth;
            }
    }
    return n;
}

/* Thread 2 has no other operation: its end is among those of thread 1. */
START_TEST(an_unset_end_of_an_operation_has_its_place_among_those_of_all_threads) {
    const long long epoch = 1700000000000000000;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int i = 0; i < 40; i++)
        fprintf(f, "instant %lld 1/%d \"c\" \"i\"\n", epoch + i, 1 + i % 2);
    for (int i = 0; i < 4; i++) {
        fprintf(f, "async_begin %lld 1/1 \"c\" \"a\" id=1\n", epoch + 100 + 20 * i);
        fprintf(f, "async_end %lld 1/%d \"c\" \"a\" id=1\n", i == 1 ? 0 : epoch + 110 + 20 * i,
                i == 1 ? 2 : 1);
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    ck_assert_uint_eq(count_operations(trace, true, 0), 1);
    ck_assert_uint_eq(count_operations(trace, false, 0), 3);
    ck_assert_uint_eq(count_operations(trace, false, 1), 0);
    ck_assert_uint_eq(trace_problems(trace)->kinds[PROBLEM_ASYNC_END_WITHOUT_BEGIN].count, 0);
    trace_free(trace);
    free(text);
}
END_TEST

/* Its records are in no order, so these alone are set apart. */
START_TEST(a_damaged_or_unset_operation_of_json_is_around_none) {
    static const char *const odd[] = {"-5", "0"};
    for (int k = 0; k < 2; k++) {
        char *text = NULL, path[SCRATCH_PATH];
        size_t size = 0;
        struct err err;
        FILE *f = open_memstream(&text, &size);
        fputs("[", f);
        for (int i = 0; i < 40; i++)
            fprintf(f, "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"name\":\"i\",\"ts\":%lld},",
                    100000000000000LL + i);
        static const char *const phases[] = {"b", "b", "b", "e", "e", "e"};
        for (int i = 0; i < 6; i++) {
            fprintf(f, "{\"ph\":\"%s\",\"pid\":1,\"tid\":1,\"id\":1,\"name\":\"%c\",\"ts\":",
                    phases[i], "abccba"[i]);
            if (i == 1)
                fprintf(f, "%s},", odd[k]);
            else
                fprintf(f, "%lld}%s", 100000000000100LL + i, i < 5 ? "," : "]");
        }
        fclose(f);
        ck_assert(scratch_write(path, "damaged", text, size));
        struct trace *trace =
            trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
        ck_assert(trace != NULL);
        trace_load(trace);
        ck_assert_uint_eq(trace_damaged_slices(trace), 1);
        ck_assert_uint_eq(count_operations(trace, true, 0), 1);
        ck_assert_uint_eq(count_operations(trace, false, 0), 1);
        ck_assert_uint_eq(count_operations(trace, false, 1), 1);
        trace_free(trace);
        unlink(path);
        free(text);
    }
}
END_TEST

/* Whether all operations are the same, also the damaged ones. */
static bool same_in_groups(struct trace *a, struct trace *b) {
    int64_t later = (int64_t)(reader_base(trace_reader(b)).lo - reader_base(trace_reader(a)).lo);
    bool same = async_group_count(trace_async(a)) == async_group_count(trace_async(b)) &&
                trace_damaged_slices(a) == trace_damaged_slices(b);
    for (size_t k = 0; same && k < async_group_count(trace_async(a)); k++) {
        const struct async_group *g = async_group(trace_async(a), k),
                                 *h = async_group(trace_async(b), k);
        same = g->name == h->name && async_group_rows(g) == async_group_rows(h);
        for (uint32_t row = 0; same && row < async_group_rows(g); row++)
            same = same_lane(async_group_row(g, row), async_group_row(h, row), later);
    }
    return same;
}

START_TEST(damaged_operations_are_set_apart_while_the_file_grows) {
    struct chance c = {20261202};
    for (int set = 0; set < 60; set++) {
        struct nested n;
        int class[NESTED];
        throw_operations(&n, class, &c);
        throw_bad(&n, &c, 1 + set % 5, set % 2);
        char *text = text_of_operations(&n, class, set % 3 == 0, false);
        MUST(grows_alike(text, &c, same_in_groups), set);
    }
}
END_TEST

/* ---- scheduling ---- */

/* Switches and wakeups of threads 1 to 3 on a CPU, 10 ns apart; those of `bad` are at a far
 * time. */
static struct trace *scheduled(struct chance c0, int n, const bool *bad) {
    struct chance *c = &c0;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int i = 0, runs = 1; i < n; i++) {
        long long far = (long long)far_time(c, i % 7), t = bad[i] ? far : FIRST + 10 * i;
        int next = 1 + (runs + (int)below(c, 2)) % 3;
        if (next == runs || below(c, 4) == 0) {
            fprintf(f, "wakeup %lld 0 %d\n", t, 1 + runs % 3);
            continue;
        }
        fprintf(f, "switch %lld 0 %d %d %d\n", t, runs, below(c, 2) ? 3 : 1, next);
        runs = next;
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* Whether [from, to] are times of the span. */
static bool is_sound(struct trace *trace, int64_t from, int64_t to) {
    return from >= trace_begin(trace) && from <= trace_end(trace) &&
           (to == INT64_MAX || to <= trace_end(trace));
}

/* Whether slice i of a lane is one of another lane. */
static bool has_same(const struct lane *all, const struct lane *lane, uint32_t i) {
    const struct slice *s = lane_at(lane, i);
    uint32_t k = lane_from(all, s->start);
    return k < all->n && lane_start(all, k) == s->start &&
           slice_open(lane_at(all, k)) == slice_open(s) &&
           slice_end(lane_at(all, k)) == slice_end(s);
}

/* All that is not damaged is as in `sound`, whose times were not replaced. */
static void check_same(struct trace *trace, struct trace *sound, int set) {
    const struct sched_cpu *cpu = sched_cpu(trace_sched(trace), 0),
                           *as = sched_cpu(trace_sched(sound), 0);
    for (uint32_t i = 0; i < cpu->lane.n; i++)
        MUST(trace_damaged_run(trace, &cpu->lane, i) ||
                 (has_same(&as->lane, &cpu->lane, i) &&
                  slice_name(lane_at(&as->lane, lane_from(&as->lane, lane_start(&cpu->lane, i)))) ==
                      slice_name(lane_at(&cpu->lane, i))),
             set);
    for (size_t k = 0; k < sched_thread_count(trace_sched(trace)); k++) {
        const struct sched_thread *t = sched_thread_at(trace_sched(trace), k);
        const struct sched_thread *was = sched_thread(trace_sched(sound), t->thread);
        for (uint32_t i = 0; i < t->lane.n; i++)
            MUST(sched_damaged(t, i) ||
                     (has_same(&was->lane, &t->lane, i) &&
                      sched_state(was, lane_from(&was->lane, lane_start(&t->lane, i))) ==
                          sched_state(t, i)),
                 set);
    }
}

/* States and runs are damaged if one of their times is; the others add up, and all of a thread are
 * its life. */
static void check_scheduled(struct trace *trace, int set) {
    int64_t begin = trace_begin(trace), end = trace_end(trace);
    size_t damaged = 0;
    for (size_t k = 0; k < sched_thread_count(trace_sched(trace)); k++) {
        const struct sched_thread *t = sched_thread_at(trace_sched(trace), k);
        int64_t ran = 0, waited = 0;
        for (uint32_t i = 0; i < t->lane.n; i++) {
            const struct slice *s = lane_at(&t->lane, i);
            int64_t from = s->start, to = slice_open(s) ? INT64_MAX : slice_end(s);
            MUST(sched_damaged(t, i) || is_sound(trace, from, to), set);
            damaged += sched_damaged(t, i);
            to = to == INT64_MAX ? end : to;
            ran += !sched_damaged(t, i) && sched_state(t, i) == SCHED_RUNNING ? to - from : 0;
            waited += !sched_damaged(t, i) && sched_state(t, i) == SCHED_RUNNABLE ? to - from : 0;
        }
        struct sched_shares shares = sched_life_shares(t, begin, end);
        MUST(shares.run == ran && (shares.wait == waited || !sched_life_known(t, t->lane.n - 1)),
             set);
    }
    struct slice_set states = SLICE_SET_ALL(SLICE_ITER_STATES);
    MUST(trace_damaged_states(trace) == damaged &&
             slice_iter_left_out(trace, &states).states == damaged,
         set);
    struct sched_cpu *cpu = sched_cpu(trace_sched(trace), 0);
    int64_t busy = 0;
    for (uint32_t i = 0; i < cpu->lane.n; i++) {
        const struct slice *s = lane_at(&cpu->lane, i);
        bool sound = !trace_damaged_run(trace, &cpu->lane, i);
        MUST(!sound || is_sound(trace, s->start, slice_open(s) ? INT64_MAX : slice_end(s)), set);
        busy += sound ? (slice_open(s) ? end : slice_end(s)) - s->start : 0;
    }
    MUST(trace_cpu_busy(trace, cpu, begin, end) == busy, set);
}

START_TEST(scheduling_with_a_damaged_time_is_in_no_sum) {
    struct chance c = {20261129};
    size_t some = 0;
    for (int set = 0; set < 60; set++) {
        bool bad[150] = {false}, none[150] = {false};
        for (int n = (int)below(&c, 4); n > 0; n--)
            bad[1 + below(&c, 148)] = true;
        struct trace *trace = scheduled(c, 150, bad), *sound = scheduled(c, 150, none);
        size_t n = 0;
        for (int i = 0; i < 150; i++)
            n += bad[i];
        MUST(trace_damaged_times(trace) == n, set);
        MUST(trace_end(trace) - trace_begin(trace) == 1490, set);
        check_scheduled(trace, set);
        check_same(trace, sound, set);
        MUST(trace_damaged_states(trace) <= 12 * n, set);
        trace_free(sound);
        some += trace_damaged_states(trace);
        trace_free(trace);
    }
    ck_assert_uint_gt(some, 60);
}
END_TEST

/* A thread's events of two writers: 100 requests, of which the last one ends at `last`, and number
 * 50 at `middle`; then, or in turns, 100 calls. */
static struct trace *two_writers(const char *first, const char *second, bool turns, int64_t middle,
                                 int64_t last) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"user\"\nprovider 2 \"kernel\"\nsection 1\n", f);
    fputs("init 1000000000\n", f);
    for (int k = 0; k < 200; k++) {
        int i = turns ? k / 2 : k % 100, calls = turns ? k % 2 : k / 100;
        int64_t end = i == 50 ? middle : i == 99 ? last : i * 1000 + 900;
        if (turns || k % 100 == 0)
            fprintf(f, "%s\ninit 1000000000\n", calls ? second : first);
        if (calls)
            fprintf(f, "complete %d 1/11 \"k\" \"call\" end=%d\n", i * 1000 + 100, i * 1000 + 200);
        else
            fprintf(f, "complete %d 1/11 \"c\" \"request\" end=%" PRId64 "\n", i * 1000, end);
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

/* Another provider, or the next archive, does not contradict the last one of a writer; what it
 * wrote itself does, however the writers take turns. */
START_TEST(records_of_another_writer_contradict_nothing) {
    static const struct {
        const char *first, *second;
        bool turns, same;
    } cases[] = {
        {"section 1", "section 2", false, false},
        {"section 1", "section 2", true, false},
        {"section 1", "magic", false, false},
        {"section 1", "section 1", false, true},
    };
    int64_t far = 30000000000;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int set = 0; set < 4; set++) {
            struct trace *trace = two_writers(cases[k].first, cases[k].second, cases[k].turns,
                                              set & 1 ? far : 50900, set & 2 ? far + 50000 : 99900);
            /* a later record that counts reaches the one in the middle */
            size_t damaged = cases[k].same ? (set & 1) + (set >> 1) : set == 1;
            ck_assert_msg(trace_damaged_slices(trace) == damaged, "case %zu, %d: %zu", k, set,
                          trace_damaged_slices(trace));
            trace_free(trace);
        }
}
END_TEST

START_TEST(an_answer_says_what_it_leaves_out) {
    char said[120];
    ck_assert_str_eq(slice_iter_left_out_text((struct left_out){.slices = 1}, said),
                     "1 slice with a damaged time is left out");
    ck_assert_str_eq(slice_iter_left_out_text((struct left_out){.states = 1}, said),
                     "1 state with a damaged time is left out");
    ck_assert_str_eq(slice_iter_left_out_text((struct left_out){.slices = 1, .states = 2000}, said),
                     "1 slice and 2,000 states with damaged times are left out");
    ck_assert_str_eq(
        slice_iter_left_out_text((struct left_out){.states = 1, .unset.states = 1}, said),
        "1 state with an unset time is left out");
    ck_assert_str_eq(
        slice_iter_left_out_text((struct left_out){.slices = 2, .unset.slices = 1}, said),
        "2 slices with damaged or unset times are left out");
    ck_assert_str_eq(
        slice_iter_left_out_text((struct left_out){.slices = 2, .states = 2, .hops = 1}, said),
        "2 slices, 2 states and 1 hop with damaged times are left out");
}
END_TEST

/* 100 requests at an epoch, of which some end far later, and some begin at 0. With switches a state
 * begins there, too. */
static struct trace *unset_and_damaged(int unset, int damaged, bool switches) {
    const long long epoch = 1700000000000000000;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (int i = 0; i < 100; i++) {
        long long at = epoch + 1000 * i;
        if (switches)
            fprintf(f, "switch %lld 0 %d 3 %d\n", i == 0 ? 0 : at, 11 + i % 2, 12 - i % 2);
        fprintf(f, "complete %lld 1/1 \"c\" \"request\" end=%lld\n",
                i >= 50 && i < 50 + unset ? 0 : at,
                at + (i >= 10 && i < 10 + damaged ? 4000000000000000 : 900));
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

START_TEST(what_begins_unset_is_left_out_as_unset) {
    static const struct {
        int unset, damaged;
        bool switches;
        const char *said;
    } cases[] = {
        {1, 0, false, "1 slice with an unset time is left out"},
        {3, 0, false, "3 slices with unset times are left out"},
        {0, 1, false, "1 slice with a damaged time is left out"},
        {2, 1, false, "3 slices with damaged or unset times are left out"},
        {1, 0, true, "1 slice and 2 states with unset times are left out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace =
            unset_and_damaged(cases[i].unset, cases[i].damaged, cases[i].switches);
        char all[120], set[120];
        struct slice_set every = SLICE_SET_ALL(SLICE_ITER_SLICES | SLICE_ITER_STATES);
        slice_iter_left_out_text(slice_iter_left_out_all(trace), all);
        slice_iter_left_out_text(slice_iter_left_out(trace, &every), set);
        ck_assert_str_eq(all, cases[i].said);
        ck_assert_str_eq(set, cases[i].said);
        trace_free(trace);
    }
}
END_TEST

/* A hang, an idle hour, a clock that jumps: what a thread came to counts, also its first and its
 * last record. */
START_TEST(what_a_thread_came_to_is_not_damaged) {
    struct chance c = {4};
    static struct made m;
    for (int set = 0; set < 100; set++) {
        throw_lines(&m, &c);
        int t = (int)below(&c, THREADS), from = LINES - (int)below(&c, 4),
            longest = (int)below(&c, 2);
        int64_t far = far_time(&c, 3);
        for (int i = from; i < LINES; i++, far += 100) {
            m.lines[t][i].begin = longest && i == from && i > 0 ? m.lines[t][i].begin : far;
            m.lines[t][i].end = far + 60;
        }
        far = written(&m.lines[t][LINES - 1]);
        /* one that the thread comes to later */
        if (from < LINES && far > last_sound(&m) - 1000 && set % 2) {
            struct line *l = &m.lines[t][LINES / 2];
            l->end = far;
            l->begin = l->kind <= PAIR ? l->begin : far;
        }
        if (set % 3 == 0) { /* the first record of another one is early */
            struct line *l = &m.lines[(t + 1) % THREADS][0];
            l->begin = 5;
            l->end = 9;
        }
        struct trace *trace = trace_of(&m, &c, set % 2);
        MUST(has_damaged(trace, m.damaged, 0), set);
        MUST(trace_end(trace) + (int64_t)reader_base(trace_reader(trace)).lo == last_sound(&m),
             set);
        MUST(last_sound(&m) < far_time(&c, 3) / 2 || trace_far_times(trace) > 0, set);
        trace_free(trace);
    }
}
END_TEST

/* ---- JSON: what cannot be ---- */

#define EVENTS 300

struct events { /* of a source, by construction */
    char *text;
    size_t damaged, sound;
    int64_t from, to, total; /* of what is sound */
};

static struct events throw_events(struct chance *c) {
    static const char *const cannot[] = {
        "-1", "-0.001", "-1e18", "1e300", "9223372036854775.808", "18446744073709551615"};
    struct events e = {.from = INT64_MAX, .to = INT64_MIN};
    size_t n = 0;
    FILE *f = open_memstream(&e.text, &n);
    int64_t at = FIRST;
    fputs("[", f);
    for (int i = 0; i < EVENTS; i++) {
        int64_t dur = 1 + (int64_t)below(c, 9);
        const char *wrong = i > 0 && below(c, 8) == 0 ? cannot[below(c, 6)] : NULL;
        bool long_one = !wrong && i > 0 && below(c, 9) == 0;
        fprintf(f, "%s{\"ph\":\"X\",\"name\":\"n\",\"pid\":1,\"tid\":%d,\"ts\":", i > 0 ? "," : "",
                (int)below(c, THREADS));
        if (wrong)
            fprintf(f, "%s,\"dur\":7}", wrong);
        else if (long_one)
            fprintf(f, "%" PRId64 ",\"dur\":9223372036854775}", at);
        else
            fprintf(f, "%" PRId64 ",\"dur\":%" PRId64 "}", at, dur);
        e.damaged += wrong || long_one;
        if (!wrong && at < e.from)
            e.from = at;
        if (!wrong && at + (long_one ? 0 : dur) > e.to)
            e.to = at + (long_one ? 0 : dur);
        e.sound += !wrong && !long_one;
        e.total += wrong || long_one ? 0 : dur;
        at += 10;
    }
    fputs("]", f);
    fclose(f);
    return e;
}

START_TEST(a_time_of_json_that_cannot_be_is_damaged) {
    for (int set = 0; set < 20; set++) {
        struct chance c = {(uint64_t)set + 77};
        struct events e = throw_events(&c);
        char path[SCRATCH_PATH];
        struct err err;
        ck_assert(scratch_write(path, "damaged", e.text, strlen(e.text)));
        struct trace *trace =
            trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
        ck_assert(trace != NULL);
        trace_load(trace);
        int64_t total = 0;
        size_t sound = 0;
        for (size_t t = 0; t < trace_thread_count(trace); t++)
            for (uint32_t row = 0; row < nest_rows(&trace_thread(trace, t)->nest); row++) {
                const struct lane *lane = nest_row(&trace_thread(trace, t)->nest, row);
                for (uint32_t i = 0; i < lane->n; i++)
                    if (!trace_damaged_slice(trace, lane_at(lane, i))) {
                        total += slice_end(lane_at(lane, i)) - lane_start(lane, i);
                        sound++;
                    }
            }
        MUST(trace_damaged_times(trace) == e.damaged && trace_damaged_slices(trace) == e.damaged,
             set);
        MUST(trace_problems(trace)->kinds[PROBLEM_DAMAGED_TIME].count == e.damaged, set);
        MUST(sound == e.sound && total == e.total * 1000, set);
        MUST(trace_end(trace) - trace_begin(trace) == (e.to - e.from) * 1000, set);
        trace_free(trace);
        unlink(path);
        free(e.text);
    }
}
END_TEST

/* It may come first: then the time of the event is not known, and the span is of the others. */
START_TEST(the_span_is_without_a_first_time_that_cannot_be) {
    static const char text[] =
        "[{\"ph\":\"X\",\"ts\":1e19,\"dur\":5},{\"ph\":\"X\",\"ts\":100,\"dur\":10}]";
    char path[SCRATCH_PATH];
    struct err err;
    ck_assert(scratch_write(path, "damaged", text, sizeof text - 1));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    ck_assert(trace != NULL);
    trace_load(trace);
    ck_assert_int_eq(trace_end(trace) - trace_begin(trace), 10000);
    ck_assert_uint_eq(trace_damaged_slices(trace), 1);
    trace_free(trace);
    unlink(path);
}
END_TEST

/* A writer that sorts by begin writes a slice before those inside of it: its long one is what
 * happened. */
START_TEST(the_order_of_begins_proves_nothing) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (long long i = 0, at = FIRST; i < 100; i++, at += 100) {
        fprintf(f, "complete %lld 1/1 \"c\" \"request\" end=%lld\n", at,
                i == 90 ? at + 30000000000 : at + 90);
        fprintf(f,
                "complete %lld 1/1 \"c\" \"parse\" end=%lld\ncomplete %lld 1/1 \"c\" \"work\" "
                "end=%lld\n",
                at + 10, at + 20, at + 30, at + 80);
        i = i == 90 ? 100 : i; /* it hangs */
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    ck_assert_uint_eq(trace_damaged_times(trace), 0);
    ck_assert_int_ge(trace_end(trace) - trace_begin(trace), 30000000000);
    trace_free(trace);
}
END_TEST

/* ---- what the notes say, and what has no thread time ---- */

/* A hang that comes first, from tick 0 or later: the note has its place and its distance. */
START_TEST(a_far_time_at_the_begin_has_its_place_and_distance) {
    for (int begin = 0; begin <= 5; begin += 5) {
        char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);
        fprintf(f,
                "magic\nprovider 1 \"p\"\ninit 1000000000\ncomplete %d 1/1 \"c\" \"hang\" "
                "end=30000000000\n",
                begin);
        for (long long i = 0; i < 300; i++)
            fprintf(f, "instant %lld 1/2 \"c\" \"i\"\n", 30000000000 + 10 * i);
        fclose(f);
        struct trace *trace = loaded_text(text);
        free(text);
        const struct problem *far = &trace_problems(trace)->kinds[PROBLEM_FAR_OFF_TIME];
        const struct slice *hang = lane_at(nest_row(&trace_thread(trace, 0)->nest, 0), 0);
        ck_assert_uint_eq(far->count, 1);
        ck_assert_uint_eq(far->detail, (uint64_t)(30000000000 - begin));
        ck_assert_uint_eq(far->first_offset, slice_offset(hang));
        trace_free(trace);
    }
}
END_TEST

/* A slice whose begin is far and whose end is damaged is one problem, and no time that counts; also
 * one without a length. */
START_TEST(a_slice_that_is_left_out_has_no_far_time) {
    for (long long length = 0; length <= 900; length += 900) {
        char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);
        fputs("magic\ninit 1000000000\n", f);
        for (long long i = 0; i < 40; i++) {
            long long at = i == 20 ? 1LL << 45 : 1000 * i;
            fprintf(f, "complete %lld 1/1 \"c\" \"request\" end=%lld\n", at, at + length);
        }
        fclose(f);
        struct trace *trace = loaded_text(text);
        free(text);
        MUST(trace_damaged_slices(trace) == 1, (int)length);
        MUST(trace_problems(trace)->kinds[PROBLEM_DAMAGED_TIME].count == 1, (int)length);
        MUST(trace_problems(trace)->kinds[PROBLEM_FAR_OFF_TIME].count == 0, (int)length);
        trace_free(trace);
    }
}
END_TEST

/* A thread that has unset times alone: its slices count, but when it lived is not known. */
START_TEST(a_thread_of_unset_times_has_no_thread_time) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\ncomplete 0 1/1 \"c\" \"unset\" end=700\n", f);
    for (long long i = 0; i < 100; i++)
        fprintf(f, "complete %lld 1/2 \"c\" \"r\" end=%lld\n", 1782000000000000000 + 100 * i,
                1782000000000000050 + 100 * i);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    int64_t begin, end;
    bool ended;
    ck_assert_uint_eq(trace_unset_times(trace), 1);
    ck_assert(trace_thread_span(trace, trace_thread(trace, 0), &begin, &end, &ended));
    ck_assert(ended && begin == end);
    ck_assert(trace_thread_span(trace, trace_thread(trace, 1), &begin, &end, &ended));
    ck_assert(begin == trace_begin(trace) && end == trace_end(trace));
    trace_free(trace);
}
END_TEST

SUITE(damaged) {
    Suite *s = suite_create("damaged");
    TCase *t = tcase_create("damaged");
    tcase_add_test(t, a_time_of_json_that_cannot_be_is_damaged);
    tcase_add_test(t, the_span_is_without_a_first_time_that_cannot_be);
    tcase_add_test(t, what_the_order_of_its_thread_contradicts_is_damaged);
    tcase_add_test(t, slices_around_a_damaged_begin_or_end_are_as_without_it);
    tcase_add_test(t, what_is_damaged_is_set_apart_while_the_file_grows);
    tcase_add_test(t, operations_around_a_damaged_one_are_as_without_it);
    tcase_add_test(t, damaged_operations_are_set_apart_while_the_file_grows);
    tcase_add_test(t, an_unset_end_of_an_operation_has_its_place_among_those_of_all_threads);
    tcase_add_test(t, a_damaged_or_unset_operation_of_json_is_around_none);
    tcase_add_test(t, scheduling_with_a_damaged_time_is_in_no_sum);
    tcase_add_test(t, records_of_another_writer_contradict_nothing);
    tcase_add_test(t, an_answer_says_what_it_leaves_out);
    tcase_add_test(t, what_begins_unset_is_left_out_as_unset);
    tcase_add_test(t, a_far_time_at_the_begin_has_its_place_and_distance);
    tcase_add_test(t, a_slice_that_is_left_out_has_no_far_time);
    tcase_add_test(t, a_thread_of_unset_times_has_no_thread_time);
    tcase_add_test(t, what_a_thread_came_to_is_not_damaged);
    tcase_add_test(t, the_order_of_begins_proves_nothing);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return s;
}
