/* suite_hot.c - samples by name, in --top and in the details, against a count of each
 * nanosecond.
 *
 * A thread runs or is off its CPU at each of them; its samples are on a row of their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/stat/hot.h"
#include "model/query/stat/names_table.h"
#include "model/query/stat/path_walk.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/checked.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

enum { LENGTH = 160, DEEP = 4, NAMES = 4, CALLERS_TEXT = 40 };

struct moment_of { /* what the thread does at a time */
    enum { NOTHING, SAMPLE, BLOCKED } taken;
    int stack[DEEP], n; /* the outermost first */
    bool runs;
};

static struct moment_of moments[LENGTH];

static void end_frames(FILE *f, int t, int n) {
    while (n-- > 0)
        fprintf(f, "end %d 1/9 \"sampled\" \"\"\n", t);
}

/* Writes a sample; its stack is another one than that of the one before. */
static void write_sample(FILE *f, struct chance *c, int t, const struct moment_of *before) {
    struct moment_of *m = &moments[t];
    int alike = 0;
    m->n = 1 + (int)below(c, DEEP);
    for (int k = 0; k < m->n; k++)
        m->stack[k] = (int)below(c, NAMES);
    while (alike < m->n && alike < before->n && m->stack[alike] == before->stack[alike])
        alike++;
    end_frames(f, t, before->n - alike);
    for (; alike < m->n; alike++)
        fprintf(f, "begin %d 1/9 \"sampled\" \"n%d\"\n", t, m->stack[alike]);
    fprintf(f, "instant %d 1/9 \"sampled\" \"%s\"\n", t,
            m->taken == BLOCKED ? "blocked" : "sample");
}

static char *written(struct chance *c) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    static const struct moment_of none = {NOTHING, {0}, 0, false};
    const struct moment_of *last = &none;
    bool runs = true;
    fprintf(f, "magic\ninit 1000000000\nkernel_object 2 9 \"x (samples)\" process=koid:1 "
               "thread=koid:4\ninstant 0 1/4 \"c\" \"first\"\nswitch 0 0 5 1 4\n");
    for (int t = 0; t < LENGTH; t++) {
        struct moment_of *m = &moments[t];
        *m = (struct moment_of){.taken = NOTHING};
        bool leaves = runs && below(c, 8) == 0, returns = !runs && below(c, 5) == 0;
        if (leaves && below(c, 3) > 0)
            m->taken = BLOCKED;
        else if (runs && !leaves && below(c, 3) == 0)
            m->taken = SAMPLE;
        if (m->taken != NOTHING) {
            write_sample(f, c, t, last);
            last = m;
        }
        if (leaves)
            fprintf(f, "switch %d 0 4 %d 5\n", t, m->taken == BLOCKED ? 3 : 1);
        if (returns)
            fprintf(f, "switch %d 0 5 1 4\n", t);
        runs = (runs && !leaves) || returns;
        m->runs = runs;
    }
    end_frames(f, LENGTH, last->n);
    fprintf(f, "instant %d 1/1 \"c\" \"last\"\n", LENGTH);
    fclose(f);
    return text;
}

/* ---- the slow reading ---- */

static bool has(const struct moment_of *m, int name) {
    for (int k = 0; k < m->n; k++)
        if (m->stack[k] == name)
            return true;
    return false;
}

/* The nanoseconds of a blocked sample in [from, to). */
static int off_time(int t, int from, int to) {
    int n = 0;
    for (; t < LENGTH && !moments[t].runs; t++)
        n += t >= from && t < to;
    return n;
}

struct slow {
    int64_t samples, self, off, own_off;
};

static struct slow slow_of(int name, int from, int to) {
    struct slow s = {0, 0, 0, 0};
    for (int t = 0; t < LENGTH; t++) {
        const struct moment_of *m = &moments[t];
        bool in = t >= from && t<to, own = m->n> 0 && m->stack[m->n - 1] == name;
        if (m->taken == SAMPLE && in && has(m, name)) {
            s.samples++;
            s.self += own;
        } else if (m->taken == BLOCKED && has(m, name)) {
            int off = off_time(t, from, to);
            s.off += off;
            s.own_off += own ? off : 0;
        }
    }
    return s;
}

/* The callers that all samples of a name have, as "n1 n0 ". */
static void slow_callers(int name, int taken, int from, int to, char *text) {
    int n = -1, common[DEEP] = {0};
    for (int t = 0; t < LENGTH; t++) {
        const struct moment_of *m = &moments[t];
        bool in = taken == SAMPLE ? t >= from && t < to
                                  : (t >= from && t < to) || off_time(t, from, to) > 0;
        if (m->taken != (unsigned)taken || !in || m->stack[m->n - 1] != name)
            continue;
        int k = 0, most = n < 0 ? HOT_CALLERS : n;
        while (k < most && k < m->n - 1 && (n < 0 || common[k] == m->stack[m->n - 2 - k])) {
            common[k] = m->stack[m->n - 2 - k];
            k++;
        }
        n = k;
    }
    *text = '\0';
    for (int k = 0; k < n; k++)
        checked_append(text, CALLERS_TEXT, "n%d ", common[k]);
}

/* ---- the answers ---- */

static int number_of(struct str name) {
    ck_assert(name.n == 2 && name.s[0] == 'n');
    return name.s[1] - '0';
}

static void check_names(struct trace *trace, const struct range *range, int from, int to) {
    struct names_table table = {0};
    struct names_query query = {.range = range, .kinds = SLICE_ITER_SLICES, .samples = true};
    int64_t all = 0, samples = 0, value;
    names_table_make(NULL, &table, trace, &query);
    for (uint32_t i = 0; i < names_table_rows(&table); i++) {
        char buf[40];
        struct slow s = slow_of(number_of(names_table_text(&table, i, buf, sizeof buf)), from, to);
        ck_assert(names_table_value(&table, i, NAMES_SAMPLES, &value));
        ck_assert_int_eq(value, s.samples);
        ck_assert(names_table_value(&table, i, NAMES_SELF_SAMPLES, &value));
        ck_assert_int_eq(value, s.self);
        all += value;
        ck_assert(names_table_value(&table, i, NAMES_OFF_CPU, &value));
        ck_assert_int_eq(value, s.off);
    }
    for (int name = 0; name < NAMES; name++)
        samples += slow_of(name, from, to).self;
    ck_assert_int_eq(all, samples);
    names_table_free(&table);
}

static void check_hot_function(struct trace *trace, const struct hot_function *f, int taken,
                               int from, int to) {
    char callers[CALLERS_TEXT] = "", slow[CALLERS_TEXT];
    int name = number_of(trace_name(trace, f->name));
    struct slow s = slow_of(name, from, to);
    if (taken == SAMPLE)
        ck_assert_int_eq(f->samples, s.self);
    ck_assert_int_eq(sum_ns(f->off), taken == SAMPLE ? 0 : s.own_off);
    for (uint32_t k = 0; k < f->ncallers; k++)
        checked_append(callers, CALLERS_TEXT, "n%d ", number_of(trace_name(trace, f->callers[k])));
    slow_callers(name, taken, from, to, slow);
    ck_assert_str_eq(callers, slow);
}

static void check_hot(struct trace *trace, const struct range *range, int from, int to) {
    uint32_t thread = 0;
    while (trace_thread(trace, thread)->id.tid != 4)
        thread++;
    struct hot hot = {
        .trace = trace, .thread = thread, .process = NO_PROCESS, .inside = UINT32_MAX};
    range_copy(&hot.range, range);
    hot_ops.make(NULL, &hot);
    int64_t self = 0, off = 0;
    for (int name = 0; name < NAMES; name++) {
        self += slow_of(name, from, to).self;
        off += slow_of(name, from, to).own_off;
    }
    ck_assert_int_eq(hot.on.samples, self);
    ck_assert_int_eq(sum_ns(hot.off.time), off);
    for (size_t i = 0; i < hot.on.v.n; i++) {
        check_hot_function(trace, &hot.on.v.v[i], SAMPLE, from, to);
        ck_assert(i == 0 || hot.on.v.v[i - 1].samples >= hot.on.v.v[i].samples);
    }
    for (size_t i = 0; i < hot.off.v.n; i++) {
        check_hot_function(trace, &hot.off.v.v[i], BLOCKED, from, to);
        ck_assert(i == 0 || sum_cmp(hot.off.v.v[i - 1].off, hot.off.v.v[i].off) >= 0);
    }
    hot_ops.free(&hot);
}

static void check_paths(struct trace *trace, const struct range *range, int from, int to) {
    int64_t own[NAMES] = {0};
    struct path_tree tree;
    struct path_walk walk;
    path_tree_init(&tree, PATH_NODES, 4 * LENGTH);
    path_walk_init(&walk, trace, range, &tree);
    walk.unit = PATH_OFF_CPU;
    path_walk_make(NULL, &walk);
    for (uint32_t i = PATH_LEFT_OUT_NODE + 1; i < tree.nodes.n; i++)
        own[number_of(trace_name(trace, tree.nodes.v[i].name))] += tree.nodes.v[i].wall;
    for (int name = 0; name < NAMES; name++)
        ck_assert_int_eq(own[name], slow_of(name, from, to).own_off);
    path_walk_free(&walk);
    path_tree_free(&tree);
}

START_TEST(each_nanosecond_off_its_cpu_counts_once) {
    struct chance chance = {(uint64_t)_i + 1};
    char *text = written(&chance);
    struct trace *trace = loaded_text(text);
    struct range range = {0};
    int64_t base = trace_end(trace) - LENGTH;
    int from = 0, to = LENGTH;
    if (_i % 3 > 0) {
        from = (int)below(&chance, LENGTH);
        to = from + 1 + (int)below(&chance, (uint64_t)(LENGTH - from));
        range_set_time(&range, trace, base + from, base + to);
    }
    check_names(trace, &range, from, to);
    check_hot(trace, &range, from, to);
    check_paths(trace, &range, from, to);
    range_free(&range);
    trace_free(trace);
    free(text);
}
END_TEST

SUITE(hot) {
    Suite *s = suite_create("hot");
    TCase *t = tcase_create("hot");
    tcase_add_loop_test(t, each_nanosecond_off_its_cpu_counts_once, 0, 60);
    suite_add_tcase(s, t);
    return s;
}
