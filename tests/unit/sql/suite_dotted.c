/* suite_dotted.c - traces of Chrome's JSON as Perfetto has them in SQL: arguments, categories,
 * times of threads, tracks, names of counters, metadata. */
#include "sql/arguments/dotted.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sql/query.h"
#include "src/import/importers.h"
#include "tests/lib/proto_text.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/sql/asked.h"

static struct trace *loaded_source(const char *text, size_t n) {
    char path[SCRATCH_PATH];
    struct err err = {"", 0};
    ck_assert(scratch_write(path, "source", text, n));
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    unlink(path);
    trace_load(trace);
    return trace;
}

static struct trace *loaded_json(const char *text) {
    return loaded_source(text, strlen(text));
}

static void is(struct trace *trace, const char *sql, const char *wanted) {
    char *text = asked_once(trace, sql);
    ck_assert_msg(strcmp(text, wanted) == 0, "%s:\n%s, not\n%s", sql, text, wanted);
    free(text);
}

static const char events[] =
    "{\"traceEvents\":["
    "{\"ph\":\"B\",\"cat\":\"c\",\"pid\":1,\"tid\":1,\"ts\":1,\"tts\":1.5,\"name\":\"b\",\"args\":{"
    "\"a\":{\"b\":[1,{\"c\":true},null,[],"
    "\"x\\u00e9\",1e2,-7]},\"n\":null}},"
    "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":9,\"tts\":4.25},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":5,\"tts\":7,\"tdur\":2,\"name\":\"plain\"}"
    ","
    "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":20,\"dur\":5,\"name\":\"t\",\"args\":{\"body\":\"{no "
    "json\",\"half\":\"[1,2\",\"e\":{}}},"
    "{\"ph\":\"I\",\"s\":\"p\",\"pid\":1,\"tid\":1,\"ts\":21,\"name\":\"for the process\"},"
    "{\"ph\":\"I\",\"s\":\"g\",\"pid\":1,\"tid\":1,\"ts\":22,\"name\":\"for all\"},"
    "{\"ph\":\"I\",\"s\":\"t\",\"pid\":1,\"tid\":1,\"ts\":23,\"name\":\"for the thread\"},"
    "{\"ph\":\"C\",\"pid\":1,\"ts\":1,\"name\":\"CPU usage (Bazel)\",\"args\":{\"cpu\":3}},"
    "{\"ph\":\"C\",\"pid\":1,\"ts\":2,\"name\":\"q\",\"id\":7,\"args\":{\"v\":4}}],"
    "\"metadata\":{\"source\":\"DevTools\",\"throttling\":1,\"deep\":{\"x\":[2]}}}";

START_TEST(arguments_have_perfettos_names) {
    struct trace *trace = loaded_json(events);
    is(trace, "select key, flat_key, value_type, display_value from args order by id",
       "args.a.b[0]|args.a.b|int|1\nargs.a.b[1].c|args.a.b.c|bool|true\nargs.a.b[4]|args.a.b|"
       "string|x\xc3\xa9\n"
       "args.a.b[5]|args.a.b|real|100.0\nargs.a.b[6]|args.a.b|int|-7\nargs.body|args.body|string|{"
       "no json\n"
       "args.half|args.half|string|[1,2\n");
    is(trace, "select count(*) from args group by id having count(*) > 1", "");
    is(trace,
       "select extract_arg(arg_set_id, 'args.a.b[6]'), extract_arg(arg_set_id, 'args.body') from "
       "slice where dur > 0 "
       "and arg_set_id is not null order by ts",
       "-7|\n|{no json\n");
    is(trace,
       "select name, category, thread_ts, thread_dur, arg_set_id is null from slice where dur > 0 "
       "order by ts",
       "b|c|1500|2750|0\nplain||7000|2000|1\nt||||0\n");
    is(trace,
       "select name, int_value, str_value from metadata where name glob 'json_*' or name = "
       "'trace_type'",
       "trace_type||json\njson_metadata.source||DevTools\njson_metadata.throttling|1|\njson_"
       "metadata.deep.x[0]|2|\n");
    trace_free(trace);
}
END_TEST

START_TEST(the_type_of_a_trace_is_the_name_of_its_format) {
    static const char *const pairs[][2] = {
        {"[]", "json\n"},
        {"main;f 3\n", "collapsed_stack\n"},
        {"12 1700000052.321000 close(3) = 0\n", "strace\n"},
        {"a 12 5.000000: cycles: 1 f (d)\n", "perf_text\n"},
        {"# tracer: nop\na-12 [000] 1.5: x: y\n", "systrace\n"},
        {"ts,dur,name\n1,2,a\n", "a table\n"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct trace *trace = loaded_json(pairs[i][0]);
        is(trace, "select extract_metadata('trace_type')", pairs[i][1]);
        trace_free(trace);
    }
}
END_TEST

START_TEST(instants_are_on_the_tracks_of_their_scopes) {
    struct trace *trace = loaded_json(events);
    is(trace,
       "select s.name, tt.utid, pt.upid from slice s join track t on t.id = s.track_id left join "
       "thread_track tt on "
       "tt.id = t.id left join process_track pt on pt.id = t.id where s.dur = 0 order by s.ts",
       "for the process||1\nfor all||\nfor the thread|1|\n");
    is(trace, "select count(*), count(distinct id) from track", "5|5\n");
    is(trace, "select name, depth, parent_id from process_slice", "for the process|0|\n");
    trace_free(trace);
}
END_TEST

/* The name of its format, or the other one if that is asked for. */
START_TEST(counters_are_found_by_both_names) {
    struct trace *trace = loaded_json(events),
                 *other = loaded_text("magic\ncounter 1 1/2 \"c\" \"usage\" cpu=i32:3 id=0\n");
    is(trace, "select name, type from counter_track order by id",
       "CPU usage (Bazel) cpu|json_counter\nq id: 7 v|json_counter\n");
    is(other, "select name, type from process_counter_track", "usage:cpu:0|fuchsia_counter\n");
    is(trace, "select name from process_counter_track where name = 'CPU usage (Bazel):cpu:0'",
       "CPU usage (Bazel):cpu:0\n");
    static const char *const found[] = {"is 'q:v:7'",          "in ('x', 'q:v:7')",
                                        "in (select 'q:v:7')", "like 'Q:_:7'",
                                        "glob 'q:*'",          "= 'q:v:7' or name = 'x'"};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        char sql[200];
        snprintf(sql, sizeof sql, "select name from process_counter_track where name %s", found[i]);
        is(trace, sql, "q:v:7\n");
    }
    /* once, and as its format has it */
    is(trace, "select name from track where name in ('q:v:7', 'q id: 7 v', 'x')", "q id: 7 v\n");
    is(trace, "select name from track where name like 'q%'", "q id: 7 v\n");
    is(trace, "select name from track where name not like 'q%' and name like '%:0'",
       "CPU usage (Bazel):cpu:0\n");
    is(trace, "select count(*) from counters where name = 'q:v:7'", "1\n");
    is(trace, "select count(*) from counters where name in ('q:v:7', 'q id: 7 v')", "1\n");
    is(trace, "select count(*) from counters where name = 'q id: 7 v' or name = 'q:v:7'", "1\n");
    is(trace, "select count(*) from counters where name = 'q:v:8'", "0\n");
    is(other, "select name, value from counters where name = 'usage cpu'", "usage cpu|3\n");
    is(other, "select count(*) from track where name = 'usage:cpu:0' and type = 'fuchsia_counter'",
       "1\n");
    trace_free(trace);
    trace_free(other);
}
END_TEST

/* Its unit and uuid are no part of it. */
START_TEST(a_counter_of_perfetto_has_its_own_name) {
    static const char packets[] = "1 { 60 { 1: 5 2: \"queue\" 8 { 3: 2 } } }\n"
                                  "1 { 8: 9 10: 1 11 { 9: 4 11: 5 30: 3 } }\n";
    const char *at;
    size_t n;
    char *bytes = proto_text(packets, &n, &at);
    ck_assert_ptr_nonnull(bytes);
    struct trace *trace = loaded_source(bytes, n);
    is(trace, "select name, value from counters", "queue|3\n");
    is(trace, "select name from counter_track where name = 'queue:count:5'", "queue:count:5\n");
    trace_free(trace);
    free(bytes);
}
END_TEST

/* Runnable is R, whether or not the importer had to write a wakeup, and thread 0 has no states. */
START_TEST(states_are_those_of_the_source) {
    struct trace *trace =
        loaded_json("[{\"ph\":\"T\",\"pid\":100,\"tid\":101,\"ts\":1,\"dur\":5,\"name\":"
                    "\"Running\",\"args\":{\"cpu\":0}},"
                    "{\"ph\":\"T\",\"pid\":100,\"tid\":101,\"ts\":6,\"dur\":10,\"name\":\"S\"},"
                    "{\"ph\":\"T\",\"pid\":100,\"tid\":101,\"ts\":16,\"dur\":2,\"name\":\"R\"},"
                    "{\"ph\":\"T\",\"pid\":100,\"tid\":101,\"ts\":18,\"dur\":4,\"name\":"
                    "\"Running\",\"args\":{\"cpu\":1}}]");
    is(trace,
       "select tid, s.ts, state, waker_utid from thread_state s join thread using (utid) where "
       "s.ts < 22000 order by 2",
       "101|1000|Running|\n101|6000|S|\n101|16000|R|\n101|18000|Running|\n");
    trace_free(trace);
}
END_TEST

/* So in an .fxt that was made from it, by bit 16 of its initialization record; in others a thread
 * that was woken is W. */
START_TEST(states_stay_those_of_json) {
    for (int json = 0; json < 2; json++) {
        char text[400];
        snprintf(text, sizeof text,
                 "magic\nword %s 1000000000\nswitch 0 0 0 0 11\nswitch 10 0 11 3 0\n"
                 "wakeup 30 0 11\nswitch 40 0 0 0 11\n",
                 json ? "0x10021" : "0x21");
        struct trace *trace = loaded_text(text);
        is(trace,
           "select s.ts, state, waker_utid is null from thread_state s join thread using (utid) "
           "where tid = 11 and s.ts = 30",
           json ? "30|R|1\n" : "30|W|0\n");
        trace_free(trace);
    }
}
END_TEST

/* No category, and null, is NULL; one that is empty is empty. */
START_TEST(a_missing_category_is_null) {
    struct trace *trace =
        loaded_json("[{\"ph\":\"X\",\"name\":\"none\",\"ts\":1,\"dur\":1},"
                    "{\"ph\":\"X\",\"name\":\"blank\",\"cat\":\"\",\"ts\":3,\"dur\":1},"
                    "{\"ph\":\"X\",\"name\":\"null\",\"cat\":null,\"ts\":5,\"dur\":1},"
                    "{\"ph\":\"b\",\"id\":1,\"name\":\"op\",\"cat\":\"\",\"ts\":6},"
                    "{\"ph\":\"X\",\"name\":\"some\",\"cat\":\"c\",\"ts\":7,\"dur\":1}]");
    is(trace, "select name, category is null, category from slice order by ts",
       "none|1|\nblank|0|\nnull|1|\nop|0|\nsome|0|c\n");
    trace_free(trace);
}
END_TEST

/* A thread that only sleeps has its states; what it waits for stays, whether or not a run ended
 * there. */
START_TEST(waits_are_those_of_the_source) {
    struct trace *trace =
        loaded_json("[{\"ph\":\"T\",\"pid\":1,\"tid\":2,\"ts\":0,\"dur\":10,\"name\":\"Running\","
                    "\"args\":{\"cpu\":0}},"
                    "{\"ph\":\"T\",\"pid\":1,\"tid\":3,\"ts\":5,\"dur\":15,\"name\":\"S\"},"
                    "{\"ph\":\"T\",\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":20,\"name\":\"D\","
                    "\"args\":{\"io_wait\":1,"
                    "\"blocked_function\":\"wait_page\"}},"
                    "{\"ph\":\"T\",\"pid\":1,\"tid\":3,\"ts\":20,\"dur\":5,\"name\":\"D\",\"args\":"
                    "{\"io_wait\":false}},"
                    "{\"ph\":\"T\",\"pid\":1,\"tid\":2,\"ts\":30,\"dur\":5,\"name\":\"R\"},"
                    "{\"ph\":\"T\",\"pid\":1,\"tid\":2,\"ts\":35,\"dur\":1,\"name\":\"Running\","
                    "\"args\":{\"cpu\":0}},"
                    "{\"ph\":\"T\",\"pid\":1,\"tid\":2,\"ts\":36,\"dur\":9,\"name\":\"S\",\"args\":"
                    "{\"blocked_function\":\"futex\"}}]");
    is(trace,
       "select tid, s.ts, s.dur, state, io_wait, blocked_function from thread_state s join thread "
       "using (utid) order by 1, 2",
       "2|0|10000|Running||\n2|10000|20000|D|1|wait_page\n2|30000|5000|R||\n2|35000|1000|Running||"
       "\n"
       "2|36000|-1|S||futex\n3|5000|15000|S||\n3|20000|-1|D|0|\n");
    /* only the begin and the end of a run have a CPU */
    is(trace,
       "select tid, s.ts, cpu, ucpu from thread_state s join thread using (utid) order by 1, 2",
       "2|0|0|0\n2|10000|0|0\n2|30000||\n2|35000|0|0\n2|36000|0|0\n3|5000||\n3|20000||\n");
    trace_free(trace);
}
END_TEST

/* Texts that are cut or deep are one argument, or many; none costs the square. */
START_TEST(hostile_texts_are_read_to_their_end) {
    static const char *const texts[] = {"[",    "[}",       "{\"a\" 1}", "{1:2}",
                                        "[1]]", "{\"a\":}", "[\"x",      "{\"a\":1,\"b\"}"};
    struct arguments a = {.v = {0}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_msg(!dotted_add(&a, STR("n"), str_of(texts[i])), "%s", texts[i]);
        ck_assert_uint_eq(a.v.n, 0);
    }
    static char deep[32000];
    memset(deep, '[', sizeof deep / 2);
    memset(deep + sizeof deep / 2, ']', sizeof deep / 2);
    ck_assert(dotted_add(&a, STR("n"), (struct str){deep, sizeof deep}));
    for (size_t i = sizeof deep / 2; i < sizeof deep - 1; i += 2)
        memcpy(deep + i, "1]", 2); /* a name of 48 kB for each */
    ck_assert(!dotted_add(&a, STR("n"), (struct str){deep, sizeof deep}));
    ck_assert_uint_eq(a.v.n, 0);
    arguments_free(&a);
}
END_TEST

SUITE(dotted) {
    Suite *suite = suite_create("dotted");
    TCase *c = tcase_create("dotted");
    tcase_add_test(c, arguments_have_perfettos_names);
    tcase_add_test(c, the_type_of_a_trace_is_the_name_of_its_format);
    tcase_add_test(c, instants_are_on_the_tracks_of_their_scopes);
    tcase_add_test(c, counters_are_found_by_both_names);
    tcase_add_test(c, a_counter_of_perfetto_has_its_own_name);
    tcase_add_test(c, states_are_those_of_the_source);
    tcase_add_test(c, states_stay_those_of_json);
    tcase_add_test(c, a_missing_category_is_null);
    tcase_add_test(c, waits_are_those_of_the_source);
    tcase_add_test(c, hostile_texts_are_read_to_their_end);
    suite_add_tcase(suite, c);
    return suite;
}
