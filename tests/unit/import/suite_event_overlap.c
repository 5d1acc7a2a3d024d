/* suite_event_overlap.c - states of JSON that contradict each other are problems: those that a
 * comparison of all with all finds, in any order of the source. */
#include "src/import/chrome/event_overlap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/import/chrome/event_json.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define STATES 40

struct state {
    uint64_t begin, end; /* in units of the last digit */
    unsigned thread;     /* 0: idle */
    int cpu;             /* or -1 */
    bool open, damaged;  /* open: its length is negative */
};

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static int by_begin(const void *a, const void *b) {
    const struct state *x = a, *y = b;
    return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
                                : (x->end > y->end) - (x->end < y->end);
}

/* States begin where the last one of their thread and of their CPU end, give or take a unit. In
 * half of the sources some begin too early. */
static void make(struct chance *chance, struct state *v) {
    struct state threads[4] = {{0}}, cpus[2] = {{0}}, none = {0};
    bool healthy = below(chance, 2) > 0, ordered = below(chance, 2) > 0;
    for (size_t i = 0; i < STATES; i++) {
        struct state s = {.thread = (unsigned)below(chance, 4), .cpu = (int)below(chance, 3) - 1};
        struct state *thread = s.thread > 0 ? &threads[s.thread] : &none;
        struct state *cpu = s.cpu >= 0 ? &cpus[s.cpu] : &none;
        uint64_t begun = larger(thread->begin, cpu->begin), ended = larger(thread->end, cpu->end);
        s.begin = ended + 5 * below(chance, 3);
        if (s.begin > begun)
            s.begin -= below(chance, 2);
        if (!healthy && below(chance, 4) == 0)
            s.begin -= below(chance, s.begin + 1);
        s.end = s.begin + 5 * below(chance, 4);
        s.open = !healthy && below(chance, 40) == 0;
        s.damaged = !healthy && below(chance, 40) == 0;
        *thread = *cpu = s;
        none = (struct state){0};
        v[i] = s;
    }
    if (ordered)
        qsort(v, STATES, sizeof *v, by_begin);
}

/* A line for each. */
static char *text_of(const struct state *v, bool decimals, size_t *n) {
    char *text = NULL;
    FILE *f = open_memstream(&text, n);
    for (size_t i = 0; i < STATES; i++) {
        const struct state *s = &v[i];
        char ts[32], dur[32], cpu[32] = "";
        uint64_t length = s->end - s->begin;
        if (decimals) {
            snprintf(ts, sizeof ts, "%" PRIu64 ".%03" PRIu64, s->begin / 1000, s->begin % 1000);
            snprintf(dur, sizeof dur, "%" PRIu64 ".%03" PRIu64, length / 1000, length % 1000);
        } else {
            snprintf(ts, sizeof ts, "%" PRIu64, s->begin);
            snprintf(dur, sizeof dur, "%" PRIu64, length);
        }
        if (s->cpu >= 0)
            snprintf(cpu, sizeof cpu, ",\"args\":{\"cpu\":%d}", s->cpu);
        fprintf(f,
                "%s{\"ph\":\"T\",\"pid\":%d,\"tid\":%u,\"ts\":%s,\"dur\":%s,\"name\":\"%s\"%s%s}",
                i > 0 ? ",\n" : "[", s->thread > 0, s->thread, ts, s->open ? "-1.000" : dur,
                s->cpu >= 0 ? "Running" : "S", cpu, s->damaged ? ",\"damaged_time\":true" : "");
    }
    fprintf(f, "]");
    fclose(f);
    return text;
}

static uint64_t end_of(const struct state *s) {
    return s->open ? UINT64_MAX : s->end;
}

/* The order of the source decides only between two that are the same. */
static bool is_before(const struct state *a, const struct state *b) {
    if (a->begin != b->begin)
        return a->begin < b->begin;
    if (end_of(a) != end_of(b))
        return end_of(a) < end_of(b);
    if ((a->cpu >= 0) != (b->cpu >= 0))
        return b->cpu >= 0;
    return a->thread != b->thread ? a->thread < b->thread : a < b;
}

/* Whether a state reaches over the next one of its thread, or of its CPU. */
static bool reaches_over(const struct state *v, const struct state *a, bool of_cpu) {
    const struct state *next = NULL;
    for (const struct state *b = v; b < v + STATES; b++) {
        bool same =
            of_cpu ? a->cpu >= 0 && a->cpu == b->cpu : a->thread > 0 && a->thread == b->thread;
        if (same && !b->damaged && is_before(a, b) && (next == NULL || is_before(b, next)))
            next = b;
    }
    return next && !a->open && !a->damaged && a->end > next->begin + 1;
}

/* Counts the lines of states that reach over others. */
static void count(const struct import_news *news, unsigned *told) {
    for (size_t i = 0; i < news->ncases; i++) {
        const char *why = news->cases[i].why;
        uint64_t line, column;
        if (news->cases[i].fault == IMPORT_FIELD && strstr(why, "dur reaches over the next ")) {
            MUST(sscanf(why, "line %" SCNu64 ", column %" SCNu64 ": ", &line, &column) == 2);
            MUST(line >= 1 && line <= STATES && column == (line == 1 ? 2 : 1));
            told[line - 1]++;
        }
        free(news->cases[i].why);
    }
}

/* chance: of the sizes of pieces; or NULL: one piece */
static void read_in_pieces(const char *text, size_t n, struct chance *chance, unsigned *told) {
    void *import = event_json.start();
    for (size_t at = 0, part; at < n; at += part) {
        struct import_news news;
        part = chance ? 1 + below(chance, 600) : n;
        part = part < n - at ? part : n - at;
        event_json.step(import, (struct str){text + at, part}, at + part == n, &news);
        count(&news, told);
    }
    event_json.stop(import);
}

START_TEST(states_that_contradict_others_are_told) {
    unsigned all = 0, healthy = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct chance chance = {seed};
        struct state v[STATES];
        unsigned told[STATES] = {0};
        make(&chance, v);
        size_t n;
        char *text = text_of(v, below(&chance, 2) > 0, &n);
        read_in_pieces(text, n, &chance, told);
        unsigned so_far = all;
        for (size_t i = 0; i < STATES; i++) {
            bool want = reaches_over(v, &v[i], false) || reaches_over(v, &v[i], true);
            ck_assert_msg(told[i] == want, "seed %" PRIu64 ", line %zu: told %u times\n%s", seed,
                          i + 1, told[i], text);
            all += want;
        }
        healthy += all == so_far;
        free(text);
    }
    ck_assert_uint_gt(all, 400);
    ck_assert_uint_gt(healthy, 100);
}
END_TEST

/* Neighbours may overlap by the unit of the last digit of their times. */
START_TEST(what_rounding_adds_is_no_contradiction) {
    static const struct {
        const char *dur, *next; /* the second state begins at 10 + that */
        bool contradict;
    } cases[] = {{"7", "16", false},
                 {"7", "15", true},
                 {"7.0", "16.0", false},
                 {"7.0", "15.9", true},
                 {"7.5", "17.4", false},
                 {"7.50", "17.40", true},
                 {"7.500", "17.499", false},
                 {"7.500", "17.498", true},
                 {"7", "16.500", false},
                 {"7.500000000000", "17.499", false},
                 {"7.500000000000", "17.498", true},
                 {"1000000000", "1000000009", false},
                 {"1000000000", "1000000008", true},
                 {"4500000000000001.250", "4500000000000010.500", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        unsigned told[STATES] = {0};
        int n =
            snprintf(text, sizeof text,
                     "[{\"ph\":\"T\",\"pid\":1,\"tid\":2,\"ts\":10.000,\"dur\":%s,\"name\":\"S\"},"
                     "\n{\"ph\":\"T\",\"pid\":1,\"tid\":2,\"ts\":%s,\"dur\":1,\"name\":\"D\"}]",
                     cases[i].dur, cases[i].next);
        read_in_pieces(text, (size_t)n, NULL, told);
        ck_assert_msg(told[0] == cases[i].contradict, "%s: %u", text, told[0]);
    }
}
END_TEST

SUITE(event_overlap) {
    Suite *s = suite_create("event_overlap");
    TCase *c = tcase_create("event_overlap");
    tcase_add_test(c, states_that_contradict_others_are_told);
    tcase_add_test(c, what_rounding_adds_is_no_contradiction);
    suite_add_tcase(s, c);
    return s;
}
