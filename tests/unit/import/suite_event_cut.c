/* suite_event_cut.c - an event that ends after any of its bytes, with the next one right after it,
 * loses no other event. Ring buffers and killed writers leave such. JSON without a fault is never
 * split. */
#include <stdio.h>
#include <stdlib.h>

#include "src/base/vec.h"
#include "src/import/chrome/event_json.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

struct result {
    VEC(char) words;
    size_t events, told;
    char why[200]; /* of the first problem */
};

static void free_result(struct result *r) {
    vec_free(&r->words);
}

/* Reads a source in pieces of at most `most` bytes. */
static struct result read_source(const char *text, size_t bytes, size_t most,
                                 struct chance *chance) {
    struct result r = {.events = 0};
    void *import = event_json.start();
    for (size_t at = 0, part; at < bytes; at += part) {
        struct import_news news;
        part = 1 + (size_t)below(chance, most);
        part = part < bytes - at ? part : bytes - at;
        event_json.step(import, (struct str){text + at, part}, at + part == bytes, &news);
        for (size_t i = 0; i < news.words.n; i++)
            vec_push(&r.words, news.words.s[i]);
        r.events += news.nmarks;
        for (size_t i = 0; i < news.ncases; i++) {
            if (r.told++ == 0)
                snprintf(r.why, sizeof r.why, "%s", news.cases[i].why);
            free(news.cases[i].why);
        }
    }
    event_json.stop(import);
    return r;
}

static bool has_text(const struct result *r, const char *text) {
    return memmem(r->words.v, r->words.n, text, strlen(text)) != NULL;
}

static const char *const events[] = {
    "{\"ph\":\"X\",\"dur\":2.5,\"name\":\"a \\u0063ut\",\"pid\":1,\"tid\":1,\"ts\":5,\"args\":{"
    "\"a\":[1,true],\"c\":\"te\\\"xt\",\"d\":{\"e\":{\"f\":-1}}},\"cat\":\"c\"}",
    "{\"args\":{\"name\":\"b\\\\\",\"x\":null},\"cat\":\"__metadata\",\"id\":\"0x1f\",\"name\":"
    "\"cut\",\"ph\":\"b\",\"pid\":1,\"tid\":1,\"ts\":\"5.5\",\"id2\":{\"local\":7}}",
    "{ \"name\": \"cut\", \"ph\": \"C\",\n  \"ts\": 5e3, \"pid\": 1, \"args\": { \"v\": [ 1,\n"
    "  {\"w\": 2}, {\"x\": 3} ] } }"};
#define EVENTS (int)(sizeof events / sizeof *events)

static const char *const nexts[] = {
    "{\"ph\":\"i\",\"name\":\"next 1.\",\"pid\":1,\"tid\":1,\"ts\":7,\"args\":{\"q\":{\"z\":1}}}",
    "{ \"name\": \"next 1.\", \"cat\": \"c\", \"ph\": \"i\", \"pid\": 1, \"ts\": 7 }",
    "{\n  \"args\": {},\n  \"name\": \"next 1.\",\n  \"ph\": \"X\",\n  \"ts\": 7\n}"};
#define NEXTS (sizeof nexts / sizeof *nexts)

/* Whether an event is cut in an array, before a value: on one line, all the rest of the source may
 * be values of that array. */
static bool in_array(const char *event, size_t n) {
    size_t open = 0;
    for (size_t i = 0; i < n; i++)
        open += (event[i] == '[') - (event[i] == ']');
    while (n > 0 && strchr(" \n", event[n - 1]))
        n--;
    return open > 0 && strchr("[,", event[n - 1]);
}

static void each_cut(const char *event, const char *next, const char *between,
                     struct chance *chance) {
    bool line = strchr(between, '\n') == NULL;
    for (size_t n = 1; n < strlen(event); n++) {
        char text[800];
        if (line && in_array(event, n))
            continue;
        int bytes = snprintf(text, sizeof text,
                             "%s{\"ph\":\"i\",\"name\":\"first 1.\",\"ts\":4}%s%.*s%s%s"
                             "{\"ph\":\"i\",\"name\":\"next 2.\",\"pid\":1,\"tid\":1,\"ts\":8}\n",
                             between[0] == ',' ? "[" : "", between, (int)n, event, next, between);
        struct result r = read_source(text, (size_t)bytes, 60, chance);
        ck_assert_msg(has_text(&r, "first 1.") && has_text(&r, "next 1.") &&
                          has_text(&r, "next 2.") && r.events >= 3 && r.events <= 4,
                      "%s", text);
        ck_assert_msg(r.told == 1 && strstr(r.why, "line ") && strstr(r.why, ", column "),
                      "%zu problems, %s: %s", r.told, r.why, text);
        free_result(&r);
    }
}

START_TEST(a_cut_event_is_one_problem) {
    static const char *const between[] = {",\n", "\n", ","};
    struct chance chance = {(uint64_t)_i + 1};
    for (size_t i = 0; i < NEXTS; i++)
        for (size_t k = 0; k < 3; k++)
            each_cut(events[_i], nexts[i], between[k], &chance);
}
END_TEST

/* The last byte of an event that is no blank. */
static char last_byte(const char *event, size_t n) {
    while (n > 1 && strchr(" \n", event[n - 1]))
        n--;
    return event[n - 1];
}

/* Two cut events in a row, the second one after any byte of it, too. But after a comma, or another
 * bracket, an object is the next event by its "ph" alone, and no value then. */
START_TEST(two_cut_events_lose_no_other) {
    struct chance chance = {(uint64_t)_i + 1};
    const char *a = events[_i % EVENTS], *b = events[_i / EVENTS];
    for (size_t n = 1; n < strlen(a); n++)
        for (size_t m = 3 + below(&chance, 3); m < strlen(b); m += 3) {
            char text[1200];
            if (strchr("{,", last_byte(a, n)) && (last_byte(b, m) == ':' || in_array(b, m)))
                continue;
            int bytes = snprintf(text, sizeof text,
                                 "[\n%.*s%.*s%s,\n{\"ph\":\"i\",\"name\":\"next 2.\",\"ts\":8}]",
                                 (int)n, a, (int)m, b, nexts[below(&chance, NEXTS)]);
            struct result r = read_source(text, (size_t)bytes, 400, &chance);
            ck_assert_msg(has_text(&r, "next 1.") && has_text(&r, "next 2.") && r.told >= 1, "%s",
                          text);
            free_result(&r);
        }
}
END_TEST

/* The source ends right after the event that follows a cut one. */
START_TEST(the_last_event_is_not_lost) {
    struct chance chance = {(uint64_t)_i + 1};
    for (size_t n = 1; n < strlen(events[_i]); n++) {
        char text[800];
        if (in_array(events[_i], n))
            continue;
        int bytes = snprintf(text, sizeof text, "%s%.*s%s\n", n % 2 ? "[" : "", (int)n, events[_i],
                             nexts[n % NEXTS]);
        struct result r = read_source(text, (size_t)bytes, 60, &chance);
        ck_assert_msg(has_text(&r, "next 1.") && r.told >= 1, "%s", text);
        free_result(&r);
    }
}
END_TEST

/* A part of a number, or of a text, is no value: its event is not shown with it. */
START_TEST(a_cut_value_is_none) {
    static const char *const cuts[] = {
        "\"name\":\"it\",\"dur\":3,\"ts\":12", "\"name\":\"it\",\"ts\":5,\"dur\":3",
        "\"ts\":5,\"dur\":3,\"name\":\"it 12", "\"name\":\"it\",\"ts\":5,\"dur\":\"12",
        "\"name\":\"it\",\"dur\":3,\"ts\":"};
    static const char *const args[] = {"\"x\":12", "\"x\":\"12", "\"x\":tr",
                                       "\"x\":", "\"x\":[1,{"};
    struct chance chance = {1};
    char text[400];
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        int n = snprintf(text, sizeof text, "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,%s%s]", cuts[i],
                         nexts[0]);
        struct result r = read_source(text, (size_t)n, 400, &chance);
        ck_assert_msg(r.events == 1 && r.told == 1, "%s", text);
        free_result(&r);
    }
    for (size_t i = 0; i < sizeof args / sizeof *args; i++) {
        int n =
            snprintf(text, sizeof text,
                     "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":3,\"name\":\"it 12.\","
                     "\"args\":{\"kept\":\"before it\",%s%s]",
                     args[i], nexts[0]);
        struct result r = read_source(text, (size_t)n, 400, &chance);
        ck_assert_msg(r.events == 2 && r.told == 1 && has_text(&r, "before it") &&
                          !has_text(&r, "tr\0\0\0\0\0"),
                      "%s", text);
        ck_assert_msg(memmem(r.words.v, r.words.n, "x\0\0\0\0\0\0\0", 8) == NULL, "%s", text);
        free_result(&r);
    }
}
END_TEST

/* ---- JSON without a fault ---- */

static void write_value(FILE *f, struct chance *chance, unsigned depth) {
    static const char *const simple[] = {
        "1",        "true", "null", "\"\"", "\"du{\"", "\"{\\\"ph\\\":\\\"X\\\",\\\"ts\\\":1}\"",
        "\"\\\\\"", "\"{\""};
    static const char *const event = "\"ph\":\"X\",\"name\":\"in\",\"pid\":1,\"ts\":7,\"args\":";
    switch (depth == 0 ? 0 : below(chance, 4)) {
    case 1:
        fputs(below(chance, 2) ? "{ " : "{\n", f);
        fputs(event, f);
        write_value(f, chance, depth - 1);
        fputs("}", f);
        break;
    case 2:
        fputs("[", f);
        for (uint64_t n = below(chance, 4), i = 0; i < n; i++) {
            fputs(i > 0 ? ",\n  " : "", f);
            write_value(f, chance, depth - 1);
        }
        fputs("]", f);
        break;
    case 3:
        fputs("{\"a\":", f);
        write_value(f, chance, depth - 1);
        fputs(",\"{\":", f);
        write_value(f, chance, depth - 1);
        fputs("}", f);
        break;
    default:
        fputs(simple[below(chance, sizeof simple / sizeof *simple)], f);
    }
}

START_TEST(events_in_values_are_values) {
    struct chance chance = {(uint64_t)_i + 1};
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    MUST(f);
    fputs("[\n", f);
    for (int i = 0; i < 50; i++) {
        fprintf(f, "%s{\"args\":{\"v\":", i > 0 ? ",\n" : "");
        write_value(f, &chance, 5);
        fputs(",\"w\":", f);
        write_value(f, &chance, 2);
        fprintf(f, "},\"name\":\"it\",\"odd\":");
        write_value(f, &chance, 3);
        fprintf(f, ",\"ph\":\"X\",\"ts\":%d,\"dur\":1}", i);
    }
    fputs("]", f);
    fclose(f);
    struct result one = read_source(text, bytes, bytes, &chance),
                  many = read_source(text, bytes, 40, &chance);
    ck_assert_msg(one.events == 50 && one.told == 0, "%zu events, %s: %s", one.events, one.why,
                  text);
    ck_assert_uint_eq(one.words.n, many.words.n);
    ck_assert_int_eq(memcmp(one.words.v, many.words.v, one.words.n), 0);
    free_result(&one);
    free_result(&many);
    free(text);
}
END_TEST

SUITE(event_cut) {
    Suite *s = suite_create("event_cut");
    TCase *c = tcase_create("event_cut");
    tcase_add_loop_test(c, a_cut_event_is_one_problem, 0, EVENTS);
    tcase_add_loop_test(c, two_cut_events_lose_no_other, 0, EVENTS * EVENTS);
    tcase_add_loop_test(c, the_last_event_is_not_lost, 0, EVENTS);
    tcase_add_test(c, a_cut_value_is_none);
    tcase_add_loop_test(c, events_in_values_are_values, 0, 50);
    suite_add_tcase(s, c);
    return s;
}
