/* suite_family.c - parents, children and depths of random slices and operations, before and after
 * the rows keep them all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/query.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/sql/asked.h"

#define OPERATIONS 300
#define KEYS 4

static struct chance chance = {35};
static char text[60000];
static size_t ntext;

static void add(const char *format, unsigned a, unsigned b, unsigned c) {
    ntext += (size_t)snprintf(text + ntext, sizeof text - ntext, format, a, b, c);
}

/* Operations of a few keys that nest; each begins at its own time. Writes "begin|begin of the
 * parent" to `out`. */
static void throw_operations(FILE *out) {
    int open[KEYS][OPERATIONS], n[KEYS] = {0};
    for (int t = 1; t < OPERATIONS; t++) {
        unsigned key = (unsigned)below(&chance, KEYS);
        if (n[key] > 0 && below(&chance, 2)) {
            n[key]--;
            add("async_end %u 1/2 \"c\" \"x\" id=%u\n", (unsigned)t, key, 0);
            continue;
        }
        add("async_begin %u 1/2 \"c\" \"x\" id=%u\n", (unsigned)t, key, 0);
        fprintf(out, n[key] > 0 ? "%d|%d\n" : "%d|\n", t, n[key] > 0 ? open[key][n[key] - 1] : 0);
        open[key][n[key]++] = t;
    }
}

/* Slices on two threads, on the first of which some overlap in part; instants, many at a time. */
static void throw_slices(void) {
    for (int i = 0; i < 150; i++) {
        unsigned start = (unsigned)below(&chance, 200), thread = 1 + (unsigned)below(&chance, 2);
        unsigned dur = (unsigned)below(&chance, 40);
        if (thread == 2) /* of powers of two, aligned: they nest */
            start -= start % (dur = 1u << below(&chance, 6));
        add("complete %u 3/%u \"c\" \"s\" end=%u\n", start, thread, start + dur);
        if (i % 2)
            add("instant %u 3/%u \"c\" \"i\"\n", start + dur / 2, thread, 0);
    }
}

static void is(struct query *query, const char *sql, const char *wanted) {
    char *answer = asked(query, sql);
    ck_assert_msg(strcmp(answer, wanted) == 0, "%s:\n%s, not\n%s", sql, answer, wanted);
    free(answer);
}

START_TEST(parents_children_and_depths_agree) {
    static const char
        depths[] = "select id, depth from slice order by id",
        children[] =
            "select p.id, c.id from slice p join slice c on c.parent_id = p.id order by 1, 2",
        ancestors[] = "select count(*), sum(p.id * 1000 + c.id) from slice p join slice c on "
                      "slice_is_ancestor(p.id, c.id)",
        walked[] = "with recursive up(id, c) as (select parent_id, id from slice union all select "
                   "(select parent_id from slice s where s.id = up.id), c from up where id is not "
                   "null) select count(*), sum(id * 1000 + c) from up where id is not null",
        below_all[] = "select sum(d.depth), count(*) from slice p join descendant_slice(p.id) d";
    for (int set = 0; set < 6; set++) {
        char *wanted;
        size_t size;
        FILE *out = open_memstream(&wanted, &size);
        struct err err;
        ntext = 0;
        add("magic\ninit 1000000000\ninstant 0 1/2 \"c\" \"first\"\n", 0, 0, 0);
        throw_operations(out);
        throw_slices();
        fclose(out);
        struct trace *trace = loaded_text(text);
        struct query *query = query_new(trace, &(struct query_options){0}, &err);
        is(query,
           "select s.ts, p.ts from slice s left join slice p on p.id = s.parent_id where s.name = "
           "'x' order by 1",
           wanted);
        is(query,
           "select count(*) from slice s join slice p on p.id = s.parent_id where s.depth <> "
           "p.depth + 1",
           "0\n");
        char *first[] = {asked(query, depths), asked(query, children), asked(query, below_all)};
        char *all = asked(query, walked);
        for (int round = 0; round < 2; round++)
            is(query, ancestors, all);
        free(all);
        is(query,
           "select slice_is_ancestor(-1, 0), slice_is_ancestor(0, 1 << 40), slice_is_ancestor(0, "
           "0), slice_is_ancestor(NULL, 0)",
           "0|0|0|\n");
        is(query,
           "select p.id, c.id from slice p join slice c on +c.parent_id = p.id order by 1, 2",
           first[1]);
        /* the later ones are answered from what is kept */
        for (int round = 0; round < 40; round++) {
            is(query, depths, first[0]);
            is(query, children, first[1]);
            is(query, below_all, first[2]);
        }
        query_free(query);
        trace_free(trace);
        for (int i = 0; i < 3; i++)
            free(first[i]);
        free(wanted);
    }
}
END_TEST

SUITE(family) {
    Suite *suite = suite_create("family");
    TCase *c = tcase_create("family");
    tcase_add_test(c, parents_children_and_depths_agree);
    suite_add_tcase(suite, c);
    return suite;
}
