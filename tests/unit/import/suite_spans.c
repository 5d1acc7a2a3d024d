/* suite_spans.c - spans on lanes: a slice is above its parent or on the first free lane, and an
 * arrow begins where its parent is the innermost slice. JSON that was cut loses what was cut. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/import/spans/span_lanes.h"
#include "src/import/spans/span_tree.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define SPANS 60
#define PROCESSES 3
#define NEVER UINT64_MAX

/* Spans that mostly lie within a parent, with few different times. */
static void make(struct chance *chance, struct span_store *store) {
    for (uint32_t i = 0; i < PROCESSES; i++)
        vec_push(&store->processes, ((struct span_process){.number = i}));
    for (uint32_t i = 0; i < SPANS; i++) {
        struct span_entry s = {.id = i + 1, .trace = 1, .thread = SPAN_NONE};
        const struct span_entry *parent =
            i > 0 && below(chance, 8) > 0 ? &store->spans.v[below(chance, i)] : NULL;
        s.process = (uint32_t)below(chance, PROCESSES);
        s.begin = 1 + below(chance, 40);
        s.end = s.begin + below(chance, 20);
        if (parent) {
            s.child = true;
            s.parent = parent->id;
            s.process = below(chance, 3) > 0 ? parent->process : s.process;
            if (below(chance, 6) > 0 && parent->end != SPAN_NO_END) {
                s.begin = parent->begin + below(chance, parent->end - parent->begin + 1);
                s.end = s.begin + below(chance, parent->end - s.begin + 1);
            }
        }
        if (below(chance, 20) == 0)
            s.end = SPAN_NO_END;
        vec_push(&store->spans, s);
        if (i > 0 && below(chance, 6) == 0)
            vec_push(&store->links,
                     ((struct span_link){.span = i, .trace = 1, .id = 1 + below(chance, SPANS)}));
    }
}

/* The innermost slice of a lane at a time, of those that were placed so far, or SPAN_NONE: the last
 * one in order that has begun and not ended. */
static uint32_t innermost(const struct span_lanes *lanes, size_t placed, uint32_t lane,
                          uint64_t ts) {
    uint32_t found = SPAN_NONE;
    for (size_t i = 0; i < placed; i++) {
        const struct span_entry *s = &lanes->store->spans.v[lanes->order.v[i]];
        if (lanes->places[lanes->order.v[i]].lane == lane && s->begin <= ts && ts < s->end)
            found = lanes->order.v[i];
    }
    return found;
}

static void check_lane(const struct span_lanes *lanes, size_t placed) {
    uint32_t i = lanes->order.v[placed];
    const struct span_entry *s = &lanes->store->spans.v[i];
    const struct span_place *p = &lanes->places[i];
    uint32_t around = innermost(lanes, placed, p->lane, s->begin);
    ck_assert_uint_eq(lanes->lanes.v[p->lane].process, s->process);
    if (p->above) {
        MUST(around == s->up && lanes->store->spans.v[around].end >= s->end, i);
        return;
    }
    MUST(around == SPAN_NONE, i);
    for (uint32_t lane = 0; lane < p->lane; lane++)
        MUST(lanes->lanes.v[lane].process != s->process ||
                 innermost(lanes, placed, lane, s->begin) != SPAN_NONE,
             i);
    if (s->up == SPAN_NONE || lanes->store->spans.v[s->up].process != s->process)
        return;
    uint32_t lane = lanes->places[s->up].lane; /* it did not fit there */
    MUST(innermost(lanes, placed, lane, s->begin) != s->up ||
             lanes->store->spans.v[s->up].end < s->end,
         i);
}

/* Whether the parent is the innermost slice when it leads to a span, or never was before that. */
static void check_arrow(const struct span_lanes *lanes, uint32_t from, const struct span_entry *to,
                        uint64_t ts) {
    const struct span_entry *up = &lanes->store->spans.v[from];
    size_t all = lanes->order.n;
    uint32_t lane = lanes->places[from].lane;
    if (ts == NEVER) {
        MUST(to->end <= up->begin, from);
        return;
    }
    MUST(ts >= up->begin && (ts <= to->begin || ts == up->begin), from);
    if (up->begin == up->end || innermost(lanes, all, lane, ts) == from)
        return;
    for (uint64_t t = up->begin; t < up->end && t <= to->begin; t++)
        MUST(innermost(lanes, all, lane, t) != from || up->begin > to->begin, from);
}

START_TEST(spans_are_above_their_parents_or_on_the_first_free_lane) {
    struct chance chance = {(uint64_t)_i + 1};
    struct span_store store = {0};
    struct span_tree tree = {0};
    struct span_lanes lanes = {0};
    make(&chance, &store);
    span_tree_make(&tree, &store);
    span_lanes_make(&lanes, &store);
    ck_assert_uint_eq(lanes.order.n, SPANS);
    for (size_t k = 0; k < lanes.order.n; k++) {
        uint32_t i = lanes.order.v[k];
        check_lane(&lanes, k);
        if (store.spans.v[i].up != SPAN_NONE && !lanes.places[i].above)
            check_arrow(&lanes, store.spans.v[i].up, &store.spans.v[i], lanes.places[i].from);
    }
    for (size_t k = 0; k < store.links.n; k++)
        if (store.links.v[k].from != store.links.v[k].span)
            check_arrow(&lanes, store.links.v[k].from, &store.spans.v[store.links.v[k].span],
                        store.links.v[k].leaves);
    span_lanes_free(&lanes);
    span_tree_free(&tree);
    span_store_free(&store);
}
END_TEST

/* ---- sources that were cut ---- */

#define LINES 4
#define CUT 2 /* the line that is cut */

static void write_line(FILE *f, int line, size_t most) {
    char text[2000];
    int n = snprintf(
        text, sizeof text,
        "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{"
        "\"stringValue\":\"s\"}}]},\"scopeSpans\":[{\"scope\":{\"name\":\"c\"},\"spans\":[{"
        "\"traceId\":\"1\",\"spanId\":\"%d1\",\"name\":\"line%d,a\",\"startTimeUnixNano\":\"%"
        "d000000000000\","
        "\"endTimeUnixNano\":\"%d000000000009\",\"attributes\":[{\"key\":\"k\",\"value\":{"
        "\"stringValue\":\"{\\\"v\\\"\"}}]},{\"traceId\":\"1\",\"spanId\":\"%d2\",\"name\":\"line%"
        "d,b\","
        "\"startTimeUnixNano\":\"%d000000000001\",\"endTimeUnixNano\":\"%d000000000003\"}]}]}]}",
        line, line, line, line, line, line, line, line);
    ck_assert_ptr_nonnull(f);
    fwrite(text, 1, (size_t)n < most ? (size_t)n : most, f);
    fputc('\n', f);
}

START_TEST(a_line_that_was_cut_loses_no_other_one) {
    char *source = NULL, part[40];
    size_t n;
    FILE *f = open_memstream(&source, &n);
    for (int i = 1; i <= LINES; i++)
        write_line(f, i, i == CUT ? (size_t)_i * 7 : SIZE_MAX);
    fclose(f);
    char *text = loaded_export(source, n);
    for (int i = 1; i <= LINES; i++)
        for (int k = 0; k < 2 && i != CUT; k++) {
            snprintf(part, sizeof part, "\"name\":\"line%d,%c\"", i, "ab"[k]);
            ck_assert_msg(strstr(text, part) != NULL, "%s of %s", part, source);
        }
    free(text);
    free(source);
}
END_TEST

/* A byte of the first span is another one: the second is there, unless the byte was a quote or a
 * bracket. */
START_TEST(a_bad_byte_loses_one_span) {
    char *source = NULL;
    size_t n;
    FILE *f = open_memstream(&source, &n);
    write_line(f, 1, SIZE_MAX);
    fclose(f);
    size_t from = (size_t)(strstr(source, "{\"traceId") - source),
           to = (size_t)(strstr(source + from + 1, "{\"traceId") - source) - 1;
    for (size_t i = from + (size_t)_i; i < to; i += 5) {
        char before = source[i];
        source[i] = '!';
        char *text = loaded_export(source, n);
        ck_assert_msg(strstr(text, "\"line1,b\"") != NULL, "byte %zu of %s", i, source);
        free(text);
        source[i] = before;
    }
    free(source);
}
END_TEST

SUITE(spans) {
    Suite *s = suite_create("spans");
    TCase *c = tcase_create("spans");
    tcase_add_loop_test(c, spans_are_above_their_parents_or_on_the_first_free_lane, 0, 40);
    tcase_add_loop_test(c, a_line_that_was_cut_loses_no_other_one, 0, 60);
    tcase_add_loop_test(c, a_bad_byte_loses_one_span, 0, 5);
    suite_add_tcase(s, c);
    return s;
}
