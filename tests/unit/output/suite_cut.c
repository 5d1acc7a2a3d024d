/* suite_cut.c - the part of a trace that --cut writes, whole outputs; tests/tools/check_cut.py compares many. */
#include "model/output/cut/cut.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "src/import/redact.h"
#include "tests/lib/loaded.h"
#include "tests/lib/scratch.h"
#include "tests/lib/suites.h"

/* A slice, a counter and three threads last into the range from 100 to 200; other events are outside. */
static const char trace_text[] = "magic\ninit 1000000000\n"
                                 "complete 0 1/10 \"c\" \"early\" end=5\n"
                                 "begin 20 1/10 \"c\" \"long\"\n"
                                 "counter 30 1/10 \"c\" \"level\" value=i64:7 id=0\n"
                                 "counter 40 1/10 \"c\" \"level\" value=i64:9 id=0\n"
                                 "switch 50 0 11 3 10\n"
                                 "flow_begin 60 1/10 \"c\" \"f\" id=1\n"
                                 "instant 120 1/10 \"c\" \"inside\" text=\"a secret\"\n"
                                 "flow_end 130 1/11 \"c\" \"f\" id=1\n"
                                 "complete 140 1/11 \"c\" \"other\" end=150\n"
                                 "switch 250 0 10 3 12\n"
                                 "end 300 1/10 \"c\" \"long\"\n"
                                 "instant 400 1/11 \"c\" \"late\"\n";

/* The lines of the part with a time, without their offsets. */
static char *part(const struct question_texts *texts, unsigned redact) {
    struct trace *trace = loaded_text(trace_text);
    struct question asked;
    struct err err;
    const char *wrong;
    char path[SCRATCH_PATH], *out = NULL, *kept, *line, *rest = NULL;
    size_t n;
    ck_assert(question_init(&asked, trace, texts, false, &wrong, &err));
    FILE *f = fdopen(scratch_file(path, "part"), "wb");
    ck_assert(cut_write(trace, &asked, redact, f, &err));
    fclose(f);
    question_free(&asked);
    trace_free(trace);
    trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    f = open_memstream(&out, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    trace_free(trace);
    unlink(path);
    f = open_memstream(&kept, &n);
    for (line = strtok_r(out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *offset = strstr(line, ",\"offset\":");
        if (strstr(line, "\"ts\":") == NULL && strstr(line, "\"origin_ns\":") == NULL)
            continue;
        char *origin = strstr(line, "\"origin_ns\"");
        if (origin) {
            fprintf(f, "%.*s\n", (int)strcspn(origin, ","), origin);
            continue;
        }
        if (offset && strstr(line, "points") == NULL)
            memcpy(offset, "}", 2);
        fprintf(f, "%s\n", line);
    }
    fclose(f);
    free(out);
    return kept;
}

static void is(char *got, const char *want) {
    ck_assert_msg(strcmp(got, want) == 0, "got\n%s", got);
    free(got);
}

START_TEST(what_lasts_into_the_range_begins_with_it) {
    is(part(&(struct question_texts){.range = "100ns..200ns"}, 0), "\"origin_ns\":20\n"
       "{\"type\":\"slice\",\"id\":0,\"pid\":1,\"tid\":10,\"cat\":\"c\",\"name\":\"long\",\"ts\":0,\"dur\":280,\"depth\":0}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"tid\":0,\"ts\":0,\"dur\":80,\"end_state\":\"runnable\",\"weight\":-2147483648}\n"
       "{\"type\":\"state\",\"tid\":0,\"ts\":0,\"dur\":80,\"state\":\"running\"}\n"
       "{\"type\":\"counter\",\"pid\":1,\"tid\":10,\"cat\":\"c\",\"name\":\"level\",\"id\":0,\"series\":\"value\",\"ts\":80,\"value\":9}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"pid\":1,\"tid\":11,\"ts\":80,\"dur\":0,\"end_state\":\"blocked\"}\n"
       "{\"type\":\"state\",\"tid\":0,\"ts\":80,\"dur\":100,\"state\":\"runnable\"}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"pid\":1,\"tid\":10,\"ts\":80,\"dur\":100,\"end_state\":\"blocked\"}\n"
       "{\"type\":\"state\",\"pid\":1,\"tid\":11,\"ts\":80,\"dur\":null,\"state\":\"blocked\"}\n"
       "{\"type\":\"state\",\"pid\":1,\"tid\":10,\"ts\":80,\"dur\":100,\"state\":\"running\"}\n"
       "{\"type\":\"instant\",\"pid\":1,\"tid\":10,\"cat\":\"c\",\"name\":\"inside\",\"ts\":100,\"args\":[{\"name\":\"text\",\"type\":\"string\",\"value\":\"a secret\"}],\"slice\":0}\n"
       "{\"type\":\"slice\",\"id\":1,\"pid\":1,\"tid\":11,\"cat\":\"c\",\"name\":\"other\",\"ts\":120,\"dur\":10,\"depth\":0}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"tid\":0,\"ts\":180,\"dur\":null,\"weight\":-2147483648}\n"
       "{\"type\":\"state\",\"tid\":0,\"ts\":180,\"dur\":null,\"state\":\"running\"}\n"
       "{\"type\":\"state\",\"pid\":1,\"tid\":10,\"ts\":180,\"dur\":null,\"state\":\"blocked\"}\n"
       "{\"type\":\"flow\",\"id\":\"0x1\",\"cat\":\"c\",\"name\":\"f\",\"state\":\"complete\",\"points\":[{\"kind\":\"begin\",\"pid\":1,\"tid\":10,\"ts\":40,\"slice\":0,\"offset\":328},{\"kind\":\"end\",\"pid\":1,\"tid\":11,\"ts\":110,\"offset\":448}]}\n");
}
END_TEST

START_TEST(tracks_and_filters_leave_out_the_others) {
    is(part(&(struct question_texts){.range = "100ns..200ns", .tracks = "tid=11"}, 0), "\"origin_ns\":20\n"
       "{\"type\":\"slice\",\"id\":0,\"pid\":1,\"tid\":10,\"cat\":\"c\",\"name\":\"long\",\"ts\":0,\"dur\":280,\"depth\":0}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"tid\":0,\"ts\":0,\"dur\":80,\"end_state\":\"runnable\",\"weight\":-2147483648}\n"
       "{\"type\":\"state\",\"tid\":0,\"ts\":0,\"dur\":80,\"state\":\"running\"}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"pid\":1,\"tid\":11,\"ts\":80,\"dur\":0,\"end_state\":\"blocked\"}\n"
       "{\"type\":\"sched\",\"cpu\":0,\"tid\":0,\"ts\":80,\"dur\":null,\"weight\":-2147483648}\n"
       "{\"type\":\"state\",\"tid\":0,\"ts\":80,\"dur\":null,\"state\":\"running\"}\n"
       "{\"type\":\"state\",\"pid\":1,\"tid\":11,\"ts\":80,\"dur\":null,\"state\":\"blocked\"}\n"
       "{\"type\":\"slice\",\"id\":1,\"pid\":1,\"tid\":11,\"cat\":\"c\",\"name\":\"other\",\"ts\":120,\"dur\":10,\"depth\":0}\n"
       "{\"type\":\"flow\",\"id\":\"0x1\",\"cat\":\"c\",\"name\":\"f\",\"state\":\"complete\",\"points\":[{\"kind\":\"begin\",\"pid\":1,\"tid\":10,\"ts\":40,\"slice\":0,\"offset\":264},{\"kind\":\"end\",\"pid\":1,\"tid\":11,\"ts\":110,\"offset\":312}]}\n");
    is(part(&(struct question_texts){.filter = "name=other"}, 0), "\"origin_ns\":140\n"
       "{\"type\":\"slice\",\"id\":0,\"pid\":1,\"tid\":11,\"cat\":\"c\",\"name\":\"other\",\"ts\":0,\"dur\":10,\"depth\":0}\n");
}
END_TEST

START_TEST(texts_are_redacted) {
    is(part(&(struct question_texts){.range = "110ns..125ns", .tracks = "tid=10", .filter = "kind=instant"},
            REDACT_NAMES | REDACT_ARGS),
       "\"origin_ns\":120\n"
       "{\"type\":\"instant\",\"pid\":1,\"tid\":10,\"cat\":\"name 1\",\"name\":\"name 9\",\"ts\":0,\"args\":[{\"name\":\"argument 7\",\"type\":\"string\",\"value\":\"value 8\"}]}\n");
}
END_TEST

Suite *suite_cut(void) {
    Suite *s = suite_create("cut");
    TCase *c = tcase_create("cut");
    suite_add_tcase(s, c);
    tcase_add_test(c, what_lasts_into_the_range_begins_with_it);
    tcase_add_test(c, tracks_and_filters_leave_out_the_others);
    tcase_add_test(c, texts_are_redacted);
    return s;
}
