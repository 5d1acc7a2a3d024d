/* suite_event_need.c - a fault in "args" loses no event of any phase, wherever its other fields
 * are, and a cut event no other one. */
#include "src/import/chrome/event_need.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/vec.h"
#include "src/import/chrome/event_json.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/libcheck.h"
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

static void write_event(FILE *f, const char *event, const char *given, size_t fault, int layout) {
    const char *between = layout & 1 ? ",\n  " : ",";
    char args[100];
    snprintf(args, sizeof args, "\"args\":%s", given);
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

/* A source of events with faults in their arguments; chance: of the sizes of its pieces. */
static void read_all(const char *event, char *const *args, size_t n, int layout,
                     struct chance *chance) {
    char *text = NULL;
    size_t bytes, at = 0;
    FILE *f = open_memstream(&text, &bytes);
    VEC(char) words = {0};
    fprintf(f, "[");
    for (size_t i = 0; i < n; i++)
        write_event(f, event, args[i], i, layout);
    fprintf(f, "{}]");
    fclose(f);
    void *import = event_json.start();
    while (at < bytes) {
        struct import_news news;
        size_t part = 1 + below(chance, 5000);
        part = part < bytes - at ? part : bytes - at;
        event_json.step(import, (struct str){text + at, part}, at + part == bytes, &news);
        for (size_t i = 0; i < news.words.n; i++)
            vec_push(&words, news.words.s[i]);
        for (size_t i = 0; i < news.ncases; i++)
            free(news.cases[i].why);
        at += part;
    }
    event_json.stop(import);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(has_name((struct str){words.v, words.n}, "it", i) &&
                          has_name((struct str){words.v, words.n}, "next", i),
                      "%s, layout %d: %s", event, layout, args[i]);
    vec_free(&words);
    free(text);
}

START_TEST(a_fault_in_arguments_loses_no_event_of_any_phase) {
    struct chance chance = {(uint64_t)_i + 1};
    char *args[FAULTS];
    for (size_t i = 0; i < FAULTS; i++) {
        args[i] = malloc(80);
        snprintf(args[i], 80, "%.*s%s%s", (int)faults[i].at, ARGS, faults[i].bytes,
                 &ARGS[faults[i].at + faults[i].n]);
    }
    for (int layout = 0; layout < 6; layout++)
        read_all(events[_i], args, FAULTS, layout, &chance);
    for (size_t i = 0; i < FAULTS; i++)
        free(args[i]);
}
END_TEST

/* Each byte is missing, is another one, or has another one before it. */
START_TEST(no_byte_in_arguments_loses_an_event) {
    static const char *const shapes[] = {ARGS, "{}", "{\"l\":[{\"x\":1},{\"y\":\"z\"}],\"q\":2}",
                                         "{\n  \"b\": {\n    \"c\": \"d\"\n  }\n}"};
    static const char bytes[] = "{}[]\",:#x1 \n";
    struct chance chance = {(uint64_t)_i + 1};
    for (int layout = 0; layout < 6; layout++) {
        char *args[100];
        for (size_t i = 0; i < 100; i++) {
            const char *shape = shapes[below(&chance, 4)];
            size_t at = below(&chance, strlen(shape) + 1), without = below(&chance, 2);
            without = without < strlen(shape) - at ? without : strlen(shape) - at;
            args[i] = malloc(80);
            snprintf(args[i], 80, "%.*s%.*s%s", (int)at, shape, below(&chance, 3) > 0,
                     &bytes[below(&chance, sizeof bytes - 1)], shape + at + without);
        }
        read_all(events[_i], args, 100, layout, &chance);
        for (size_t i = 0; i < 100; i++)
            free(args[i]);
    }
}
END_TEST

/* Events that end after any of their bytes; the next one begins its line. */
START_TEST(a_cut_event_loses_no_other) {
    static const char event[] =
        "{\"ph\":\"X\",\"name\":\"cut\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":2,"
        "\"args\":{\"a\":[1,{\"b\":null}],\"c\":{\"d\":\"text\"}}}";
    bool lines = _i == 2; /* without an array around them */
    for (size_t n = 1; n < sizeof event - 1; n++) {
        char text[400];
        struct import_news news;
        void *import = event_json.start();
        int bytes = snprintf(
            text, sizeof text,
            "%s%.*s%s\n{\"ph\":\"i\",\"name\":\"next 1.\",\"pid\":1,\"tid\":1,"
            "\"ts\":7},\n{\"ph\":\"i\",\"name\":\"next 2.\",\"pid\":1,\"tid\":1,\"ts\":8}%s",
            lines ? "" : "[\n", (int)n, event, _i == 1 ? "," : "", lines ? "" : "]");
        event_json.step(import, (struct str){text, (size_t)bytes}, true, &news);
        ck_assert_msg(has_name(news.words, "next", 1) && has_name(news.words, "next", 2), "%s",
                      text);
        ck_assert_uint_ge(news.ncases, 1);
        ck_assert_uint_le(news.cases[0].at.source.line, 2);
        for (size_t i = 0; i < news.ncases; i++)
            free(news.cases[i].why);
        event_json.stop(import);
    }
}
END_TEST

SUITE(event_need) {
    Suite *s = suite_create("event_need");
    TCase *c = tcase_create("event_need");
    tcase_add_loop_test(c, a_fault_in_arguments_loses_no_event_of_any_phase, 0, EVENTS);
    tcase_add_loop_test(c, no_byte_in_arguments_loses_an_event, 0, EVENTS);
    tcase_add_loop_test(c, a_cut_event_loses_no_other, 0, 3);
    suite_add_tcase(s, c);
    return s;
}
