/* suite_event_need.c - a fault in "args" loses no event of any phase, wherever its other fields
 * are. */
#include "src/import/event_need.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/import/event_json.h"
#include "tests/unit/lib/suites.h"

#define ARGS "{\"a\":1,\"b\":\"text\",\"c\":{\"x\":[1,2]},\"d\":true}"

/* Events with the phase and the other fields that it needs. */
static const char *const events[] = {
    "\"ph\":\"X\",\"dur\":1", "\"ph\":\"B\"",          "\"ph\":\"E\"",
    "\"ph\":\"i\"",           "\"ph\":\"R\"",          "\"ph\":\"C\"",
    "\"ph\":\"P\"",           "\"ph\":\"b\",\"id\":7", "\"ph\":\"n\",\"id\":7",
    "\"ph\":\"e\",\"id\":7",  "\"ph\":\"s\",\"id\":7", "\"ph\":\"t\",\"id\":7",
    "\"ph\":\"f\",\"id\":7",  "\"ph\":\"N\",\"id\":7", "\"ph\":\"O\",\"id\":7",
    "\"ph\":\"D\",\"id\":7",  "\"ph\":\"T\",\"id\":7"};
#define EVENTS (int)(sizeof events / sizeof *events)

/* Faults: a place in ARGS, and the bytes that are there instead of the next n. */
static const struct {
    size_t at, n;
    const char *bytes;
} faults[] = {{0, 1, ""},    {0, 1, "["},  {0, 1, "]"},  {0, 1, "#"},  {0, 1, "\""},  {0, 1, "}"},
              {0, 0, "["},   {0, 0, "#"},  {0, 0, "}"},  {1, 1, ""},   {3, 1, ""},    {5, 1, "#"},
              {6, 0, "}"},   {11, 1, ""},  {17, 0, "}"}, {21, 1, ""},  {22, 1, "#"},  {26, 1, ""},
              {32, 0, "}"},  {33, 0, "]"}, {42, 0, "}"}, {43, 0, "}"}, {43, 0, "}}"}, {43, 0, "]"},
              {43, 0, "]}"}, {42, 1, ""}};
#define FAULTS (sizeof faults / sizeof *faults)

static void write_event(FILE *f, const char *event, size_t fault, int layout) {
    const char *between = layout & 1 ? ",\n  " : ",";
    char args[80];
    snprintf(args, sizeof args, "\"args\":%.*s%s%s", (int)faults[fault].at, ARGS,
             faults[fault].bytes, &ARGS[faults[fault].at + faults[fault].n]);
    fprintf(f, "{");
    if (layout < 2)
        fprintf(f, "%s%s", args, between);
    fprintf(f, "%s%s\"name\":\"it %zu.\"%s", event, between, fault, between);
    if (layout / 2 == 1)
        fprintf(f, "%s%s", args, between);
    fprintf(f, "\"pid\":1%s\"tid\":1%s\"ts\":%zu", between, between, fault);
    if (layout / 2 == 2)
        fprintf(f, "%s%s", between, args);
    fprintf(f, "},\n{\"ph\":\"i\",\"name\":\"next %zu.\",\"pid\":1,\"tid\":2,\"ts\":%zu},\n", fault,
            fault);
}

/* Whether a name is in the words: it is written with the first event that has it. */
static bool has_name(struct str words, const char *what, size_t fault) {
    char name[32];
    size_t n = (size_t)snprintf(name, sizeof name, "%s %zu.", what, fault);
    for (size_t i = 0; i + n <= words.n; i++)
        if (memcmp(words.s + i, name, n) == 0)
            return true;
    return false;
}

START_TEST(a_fault_in_arguments_loses_no_event_of_any_phase) {
    for (int layout = 0; layout < 6; layout++) {
        char *text = NULL;
        size_t n;
        FILE *f = open_memstream(&text, &n);
        fprintf(f, "[");
        for (size_t i = 0; i < FAULTS; i++)
            write_event(f, events[_i], i, layout);
        fprintf(f, "{}]");
        fclose(f);
        struct import_news news;
        void *import = event_json.start();
        event_json.step(import, (struct str){text, n}, true, &news);
        for (size_t i = 0; i < FAULTS; i++)
            ck_assert_msg(has_name(news.words, "it", i) && has_name(news.words, "next", i),
                          "%s, layout %d: %s at %zu", events[_i], layout, faults[i].bytes,
                          faults[i].at);
        for (size_t i = 0; i < news.ncases; i++)
            free(news.cases[i].why);
        event_json.stop(import);
        free(text);
    }
}
END_TEST

SUITE(event_need) {
    Suite *s = suite_create("event_need");
    TCase *c = tcase_create("event_need");
    tcase_add_loop_test(c, a_fault_in_arguments_loses_no_event_of_any_phase, 0, EVENTS);
    suite_add_tcase(s, c);
    return s;
}
