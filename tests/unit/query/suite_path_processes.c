/* suite_path_processes.c - the paths of processes against a count of each nanosecond. */
#include "model/query/stat/path_processes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

enum { PROCESSES = 12, LENGTH = 120, PROGRAMS = 3, FIRST = 100 };

struct life {
    int parent, from, to, program; /* parent -1: none */
    bool ran[LENGTH];
};

static struct life lives[PROCESSES];

/* Puts a frame before a path: ";p1;p0". */
static void put_before(char *path, struct str name) {
    memmove(path + name.n + 1, path, strlen(path) + 1);
    memcpy(path + 1, name.s, name.n);
    *path = ';';
}

static void path_of(int i, char *path) {
    static const char *const programs[PROGRAMS] = {"p0", "p1", "p2"};
    for (*path = '\0'; i >= 0; i = lives[i].parent)
        put_before(path, str_of(programs[lives[i].program]));
}

static bool is_alive(int i, int t) {
    return t >= lives[i].from && t < lives[i].to;
}

/* A CPU for each process, on which it takes turns with the thread 1. */
static char *written(struct chance *c) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "magic\ninit 1000000000\n");
    for (int t = 0; t < LENGTH; t++)
        for (int i = 0; i < PROCESSES; i++) {
            struct life *life = &lives[i];
            bool runs = is_alive(i, t) && below(c, 3) > 0;
            life->ran[t] = runs;
            if (t == life->from)
                fprintf(f, "async_begin %d %d/%d \"process\" \"p%d\" id=%d parent=koid:%d\n", t,
                        FIRST + i, FIRST + i, life->program, i + 1,
                        life->parent < 0 ? 7 : FIRST + life->parent);
            if (runs != (t > 0 && life->ran[t - 1]))
                fprintf(f, "switch %d %d %d 3 %d\n", t, i, runs ? 1 : FIRST + i,
                        runs ? FIRST + i : 1);
            if (t == life->to)
                fprintf(f, "async_end %d %d/%d \"process\" \"p%d\" id=%d\n", t, FIRST + i,
                        FIRST + i, life->program, i + 1);
        }
    fprintf(f, "instant %d 1/1 \"c\" \"last\"\n", LENGTH);
    fclose(f);
    return text;
}

static void throw_lives(struct chance *c) {
    for (int i = 0; i < PROCESSES; i++) {
        struct life *life = &lives[i];
        life->parent = (int)below(c, (uint64_t)i + 1) - 1;
        int least = life->parent < 0 ? 0 : lives[life->parent].from;
        life->from = least + (int)below(c, (uint64_t)(LENGTH - 1 - least));
        life->to = life->from + 1 + (int)below(c, (uint64_t)(LENGTH - life->from - 1));
        life->program = (int)below(c, PROGRAMS);
    }
}

static void slow(const char *path, int from, int to, int64_t numbers[PATH_WEIGHTS]) {
    char own[200];
    memset(numbers, 0, PATH_WEIGHTS * sizeof *numbers);
    for (int i = 0; i < PROCESSES; i++) {
        path_of(i, own);
        if (strcmp(own, path) != 0)
            continue;
        numbers[PATH_COUNT] += lives[i].from < to && lives[i].to > from;
        for (int t = from; t < to; t++) {
            bool child = false;
            for (int k = 0; k < PROCESSES; k++)
                child = child || (lives[k].parent == i && is_alive(k, t));
            numbers[PATH_WALL] += is_alive(i, t) && !child;
            numbers[PATH_RUNNING] += lives[i].ran[t];
        }
    }
}

static void path_in(const struct names *labels, const struct path_tree *tree, uint32_t node,
                    char *path) {
    for (*path = '\0'; node != PATH_ROOT; node = tree->nodes.v[node].parent)
        put_before(path, names_str(labels, tree->nodes.v[node].name));
}

START_TEST(each_nanosecond_counts_once) {
    struct chance chance = {(uint64_t)_i + 1};
    throw_lives(&chance);
    char *text = written(&chance), path[200];
    struct trace *trace = loaded_text(text);
    struct range range = {0};
    int64_t base = trace_end(trace) - LENGTH;
    int from = 0, to = LENGTH;
    if (_i % 2) {
        from = (int)below(&chance, LENGTH);
        to = from + 1 + (int)below(&chance, (uint64_t)(LENGTH - from));
        range_set_time(&range, trace, base + from, base + to);
    }
    struct path_tree tree;
    struct path_processes counts;
    path_tree_init(&tree, PATH_NODES, 0);
    struct names *labels = names_new();
    path_processes_add(NULL, trace, &range, &tree, labels, &counts);
    int64_t sums[PATH_WEIGHTS] = {0}, numbers[PATH_WEIGHTS];
    for (uint32_t i = PATH_LEFT_OUT_NODE + 1; i < tree.nodes.n; i++) {
        path_in(labels, &tree, i, path);
        slow(path, from, to, numbers);
        for (int w = 0; w < PATH_WEIGHTS; w++) {
            int64_t own = *path_tree_place(&tree, i, (enum path_weight)w);
            ck_assert_msg(own == numbers[w], "%s: weight %d is %lld for %lld", path, w,
                          (long long)own, (long long)numbers[w]);
            sums[w] += own;
        }
    }
    int64_t wall = 0;
    for (int t = from; t < to; t++)
        for (int i = 0; i < PROCESSES; i++) {
            bool child = false;
            for (int k = 0; k < PROCESSES; k++)
                child = child || (lives[k].parent == i && is_alive(k, t));
            wall += is_alive(i, t) && !child;
        }
    ck_assert_int_eq(sums[PATH_WALL], wall);
    ck_assert_int_eq(sums[PATH_COUNT], counts.processes);
    names_free(labels);
    path_tree_free(&tree);
    range_free(&range);
    trace_free(trace);
    free(text);
}
END_TEST

/* Two compilers of one file, one of another, and one without a command line. */
static const char build[] =
    "magic\ninit 1000000000\n"
    "kernel_object 1 10 \"make\"\nkernel_object 1 11 \"cc1\"\nkernel_object 1 12 \"cc1\"\n"
    "kernel_object 1 13 \"cc1\"\nkernel_object 1 14 \"as\"\n"
    "async_begin 0 10/10 \"process\" \"make\" id=1 parent=koid:7\n"
    "instant 0 10/10 \"process\" \"exec\" name=\"make\" command=\"make -j2\"\n"
    "async_begin 1 11/11 \"process\" \"cc1\" id=2 parent=koid:10\n"
    "instant 1 11/11 \"process\" \"exec\" name=\"cc1\" command=\"/lib/cc1 -quiet src/m0.c\"\n"
    "async_end 4 11/11 \"process\" \"cc1\" id=2\n"
    "async_begin 4 12/12 \"process\" \"cc1\" id=3 parent=koid:10\n"
    "instant 4 12/12 \"process\" \"exec\" name=\"cc1\" command=\"/lib/cc1 -quiet src/m7.c\"\n"
    "async_end 24 12/12 \"process\" \"cc1\" id=3\n"
    "async_begin 24 13/13 \"process\" \"cc1\" id=4 parent=koid:10\n"
    "instant 24 13/13 \"process\" \"exec\" name=\"cc1\" command=\"/lib/cc1 -quiet lib/m7.c\"\n"
    "async_end 29 13/13 \"process\" \"cc1\" id=4\n"
    "async_begin 29 14/14 \"process\" \"as\" id=5 parent=koid:10\n"
    "async_end 30 14/14 \"process\" \"as\" id=5\n"
    "async_end 32 10/10 \"process\" \"make\" id=1\n";

START_TEST(frames_are_called_as_tracks_are) {
    static const struct {
        const char *path;
        int64_t wall, count;
    } want[] = {{";make -j2", 3, 1},
                {";make -j2;cc1 m0.c", 3, 1},
                {";make -j2;cc1 m7.c", 25, 2},
                {";make -j2;as", 1, 1}};
    struct trace *trace = loaded_text(build);
    struct names *labels = names_new();
    struct range range = {0};
    struct path_tree tree;
    struct path_processes counts;
    char path[200];
    path_tree_init(&tree, PATH_NODES, 0);
    path_processes_add(NULL, trace, &range, &tree, labels, &counts);
    ck_assert_uint_eq(tree.nodes.n, PATH_LEFT_OUT_NODE + 1 + sizeof want / sizeof *want);
    for (uint32_t i = PATH_LEFT_OUT_NODE + 1; i < tree.nodes.n; i++) {
        path_in(labels, &tree, i, path);
        ck_assert_str_eq(path, want[i - PATH_LEFT_OUT_NODE - 1].path);
        ck_assert_int_eq(tree.nodes.v[i].wall, want[i - PATH_LEFT_OUT_NODE - 1].wall);
        ck_assert_int_eq(tree.nodes.v[i].count, want[i - PATH_LEFT_OUT_NODE - 1].count);
    }
    names_free(labels);
    path_tree_free(&tree);
    trace_free(trace);
}
END_TEST

SUITE(path_processes) {
    Suite *s = suite_create("path_processes");
    TCase *t = tcase_create("path_processes");
    tcase_add_loop_test(t, each_nanosecond_counts_once, 0, 40);
    tcase_add_test(t, frames_are_called_as_tracks_are);
    suite_add_tcase(s, t);
    return s;
}
