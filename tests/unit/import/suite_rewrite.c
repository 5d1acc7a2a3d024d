/* suite_rewrite.c - --export=fxt: the new trace shows what the old one shows, and nothing in it is
 * damaged. */
#include "src/import/rewrite.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "model/trace/trace_problems.h"
#include "src/import/importers.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/suites.h"

static char **names; /* fixtures, without .txt */
static int names_n;

static int is_fixture(const struct dirent *entry) {
    size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".txt") == 0;
}

static void find_fixtures(void) {
    char path[600];
    const char *dir = getenv("srcdir");
    struct dirent **found = NULL;
    snprintf(path, sizeof path, "%s/tests/traces", dir ? dir : ".");
    names_n = scandir(path, &found, is_fixture, alphasort);
    names = calloc((size_t)(names_n > 0 ? names_n : 1), sizeof *names);
    for (int i = 0; i < names_n; i++) {
        names[i] = strdup(found[i]->d_name);
        names[i][strlen(names[i]) - 4] = '\0';
        free(found[i]);
    }
    free(found);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Removes `,"offset":123` and its like. */
static void drop_offsets(char *line) {
    for (char *at; (at = strstr(line, ",\"offset\":")) != NULL;) {
        char *end = at + 10 + strspn(at + 10, "0123456789");
        memmove(at, end, strlen(end) + 1);
    }
}

static bool is_told(const char *line) { /* of the bytes, not of what they show */
    static const char *const kinds[] = {"trace", "provider", "problem", "end"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char start[40];
        snprintf(start, sizeof start, "{\"type\":\"%s\"", kinds[i]);
        if (strncmp(line, start, strlen(start)) == 0)
            return true;
    }
    return false;
}

/* The first clock of a trace, as its line has it. */
static void clock_of(const char *line, char clock[200]) {
    static const char *const fields[] = {
        "\"ticks_per_second\":", "\"base_tick\":", "\"base_unix_ns\":"};
    clock[0] = '\0';
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *at = strstr(line, fields[i]);
        if (at)
            strncat(clock, at, strcspn(at, ",}"));
    }
}

/* The lines of a trace's export, sorted, without offsets; false: it is no trace. */
static char *shown(const char *path, struct problems *problems, char clock[200]) {
    struct err err;
    char *out = NULL, *all = NULL, *rest = NULL;
    size_t n = 0, lines_n = 0, cap = 0;
    char **lines = NULL;
    struct trace *trace =
        trace_open(path, &(struct trace_options){.file.importers = importers}, &err);
    if (trace == NULL)
        return NULL;
    trace_load(trace);
    FILE *f = open_memstream(&out, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    for (int kind = 0; kind < PROBLEM_KINDS; kind++)
        problems->kinds[kind].count = trace_problems(trace)->kinds[kind].count;
    trace_free(trace);
    for (char *line = strtok_r(out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "{\"type\":\"trace\"", 15) == 0)
            clock_of(line, clock);
        if (is_told(line))
            continue;
        if (lines_n == cap)
            lines = realloc(lines, (cap = 2 * cap + 16) * sizeof *lines);
        drop_offsets(line);
        lines[lines_n++] = line;
    }
    if (lines_n > 0)
        qsort(lines, lines_n, sizeof *lines, by_text);
    f = open_memstream(&all, &n);
    for (size_t i = 0; i < lines_n; i++)
        fprintf(f, "%s\n", lines[i]);
    fclose(f);
    free(lines);
    free(out);
    return all;
}

/* Threads whose index was never registered get a process and a number; arguments of an unknown type
 * become null. */
static bool changes(const struct problems *problems) {
    return problems->kinds[PROBLEM_UNDEFINED_THREAD].count > 0 ||
           problems->kinds[PROBLEM_UNKNOWN_ARGUMENT].count > 0;
}

START_TEST(the_new_trace_shows_the_same) {
    static const int damage[] = {PROBLEM_ZERO_WORDS,
                                 PROBLEM_ZERO_SIZE,
                                 PROBLEM_TRUNCATED_RECORD,
                                 PROBLEM_TRAILING_BYTES,
                                 PROBLEM_CONTENTS_EXCEED_RECORD,
                                 PROBLEM_ARGUMENTS_MALFORMED,
                                 PROBLEM_UNDEFINED_STRING,
                                 PROBLEM_UNDEFINED_THREAD,
                                 PROBLEM_UNKNOWN_RECORD,
                                 PROBLEM_UNKNOWN_EVENT,
                                 PROBLEM_UNKNOWN_ARGUMENT,
                                 PROBLEM_UNKNOWN_METADATA,
                                 PROBLEM_UNKNOWN_SCHEDULING,
                                 PROBLEM_UNKNOWN_PROFILER,
                                 PROBLEM_UNDECLARED_PROVIDER,
                                 PROBLEM_NO_MAGIC};
    char old[SCRATCH_PATH], new[SCRATCH_PATH], clocks[2][200] = {"", ""};
    struct err err;
    struct problems before = {0}, after = {0};
    struct trace_bytes bytes = tracegen_load(names[_i], &err);
    ck_assert(bytes.v != NULL && scratch_write(old, "old", bytes.v, bytes.n));
    free(bytes.v);
    char *want = shown(old, &before, clocks[0]);
    int fd = scratch_file(new, "new");
    FILE *out = fdopen(fd, "wb");
    bool done = rewrite_fxt(old, NULL, &(struct rewrite_choice){0}, out, &err);
    fclose(out);
    ck_assert_msg(done == (want != NULL), "%s: %s", names[_i], done ? "" : err.text);
    char *got = done ? shown(new, &after, clocks[1]) : NULL;
    ck_assert_msg(!done || got != NULL, "%s", names[_i]);
    for (size_t i = 0; i < sizeof damage / sizeof *damage && done; i++)
        ck_assert_msg(after.kinds[damage[i]].count == 0, "%s: %s", names[_i],
                      problem_name(damage[i]));
    /* the new trace begins with a magic word, so a late one is the second */
    bool late = strcmp(names[_i], "magic_first_late") == 0;
    ck_assert(!done || after.kinds[PROBLEM_SECOND_MAGIC].count ==
                           before.kinds[PROBLEM_SECOND_MAGIC].count + late);
    if (done && !changes(&before)) {
        size_t at = 0;
        while (want[at] != '\0' && want[at] == got[at])
            at++;
        ck_assert_msg(want[at] == got[at], "%s: want\n%.300s\ngot\n%.300s", names[_i], want + at,
                      got + at);
    }
    ck_assert_msg(!done || clocks[0][0] == '\0' || strstr(clocks[0], "second\":0") ||
                      strcmp(clocks[0], clocks[1]) == 0,
                  "%s: %s, not %s", names[_i], clocks[1], clocks[0]);
    free(want);
    free(got);
    unlink(old);
    unlink(new);
}
END_TEST

/* A file that is changed at one of the records of the second pass: only then records are chosen. */
struct changing {
    const char *path;
    const struct trace_bytes *bytes;
    const char *from, *to; /* of one length; to: NULL to cut the file before `from` */
    bool grows;            /* by a word */
    int at, records;
};

static unsigned change(void *ctx, const struct item *item) {
    struct changing *c = ctx;
    (void)item;
    if (c->records++ != c->at || (c->from == NULL && !c->grows))
        return REWRITE_WHOLE;
    if (c->grows) {
        FILE *more = fopen(c->path, "ab");
        ck_assert(more && fwrite(c->bytes->v, 8, 1, more) == 1 && fclose(more) == 0);
        return REWRITE_WHOLE;
    }
    size_t n = strlen(c->from), i = 0;
    while (i + n <= c->bytes->n && memcmp(c->bytes->v + i, c->from, n) != 0)
        i++;
    ck_assert(i + n <= c->bytes->n);
    if (c->to == NULL) {
        ck_assert(truncate(c->path, (off_t)i) == 0);
        return REWRITE_WHOLE;
    }
    FILE *f = fopen(c->path, "r+b");
    ck_assert(f && fseek(f, (long)i, SEEK_SET) == 0 && fwrite(c->to, 1, n, f) == n &&
              fclose(f) == 0);
    return REWRITE_WHOLE;
}

static const char secret[] =
    "magic\ninit 1000000000\nthread 1 1 10\nstring 1 \"alpha\"\nstring 2 \"gamma\"\n"
    "complete 10 t1 \"cats\" s1 end=20 a=\"value one\" b=\"value two\" n=i64:0x7061706170617061\n"
    "blob \"blob\" 1 \"12345678\"\nlog 30 t1 \"a line of text\"\n"
    "blob \"range of the part\" 1 \"no range but words\"\n"
    "complete 30 t1 \"cats\" s2 end=40\nlarge_attachment \"cats\" \"large\" \"a large one\"\n";

/* Rewrites it with names redacted, and changes it meanwhile. Returns the output: to be freed. */
static char *redacted_while(struct changing *with, bool *done, size_t *n) {
    char path[SCRATCH_PATH], *text = NULL;
    struct err err;
    struct trace_bytes bytes = tracegen(secret, &err);
    struct rewrite_choice choice = {.sides = change, .ctx = with, .redact = REDACT_NAMES};
    ck_assert(bytes.v && scratch_write(path, "changing", bytes.v, bytes.n));
    with->path = path;
    with->bytes = &bytes;
    struct file *file = file_open(path, NULL, &err);
    FILE *out = open_memstream(&text, n);
    *done = rewrite_file(file, &choice, out, &err);
    ck_assert(*done || strstr(err.text, "changed"));
    fclose(out);
    file_close(file);
    unlink(path);
    free(bytes.v);
    return text;
}

START_TEST(a_trace_that_changes_between_the_passes_is_refused) {
    static const struct changing changes[] = {
        {.from = "alpha", .to = "gamma"},
        {.from = "alpha", .to = "delta"},
        {.from = "value one", .to = "value two"},
        {.from = "12345678", .to = "abcdefgh"},
        {.from = "apapapap", .to = "bpapapap"},
        {.from = "a line", .to = "alpha "},
        {.from = "a large one", .to = "alpha alpha"},
        {.from = "gamma"},
        {.from = "12345678"},
        {.grows = true},
    };
    struct changing none = {.from = NULL};
    size_t n;
    bool done;
    free(redacted_while(&none, &done, &n));
    ck_assert(done && n > 0 && none.records > 5);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        for (int at = 0; at < none.records; at++) {
            struct changing c = changes[i];
            c.at = at;
            free(redacted_while(&c, &done, &n));
            ck_assert_msg(!done && n == 0, "change %zu at record %d", i, at);
        }
}
END_TEST

START_TEST(a_text_in_place_of_the_range_of_a_part_is_redacted) {
    struct changing none = {.from = NULL};
    size_t n;
    bool done;
    char *text = redacted_while(&none, &done, &n);
    ck_assert(done && memmem(text, n, "range of the part", 17) == NULL);
    ck_assert(memmem(text, n, "alpha", 5) == NULL && memmem(text, n, "value two", 9) != NULL);
    free(text);
}
END_TEST

/* The lines of states in what shown() returns, which is freed. */
static char *states_of(char *all) {
    char *out = NULL, *rest = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&out, &n);
    for (char *line = strtok_r(all, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (strncmp(line, "{\"type\":\"state\"", 15) == 0)
            fprintf(f, "%s\n", line);
    fclose(f);
    free(all);
    return out;
}

/* A state of JSON is an argument of a wakeup, and an event may have the name of one. */
START_TEST(states_stay_if_texts_are_redacted) {
    static const char source[] =
        "[{\"ph\":\"T\",\"name\":\"Running\",\"pid\":1,\"tid\":2,\"ts\":0,\"dur\":10,\"args\":{"
        "\"cpu\":0}},\n"
        "{\"ph\":\"T\",\"name\":\"S\",\"pid\":1,\"tid\":3,\"ts\":1,\"dur\":4},\n"
        "{\"ph\":\"T\",\"name\":\"T\",\"pid\":1,\"tid\":3,\"ts\":5,\"dur\":15},\n"
        "{\"ph\":\"T\",\"name\":\"D\",\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":20,\"args\":{\"io_"
        "wait\":1}},\n"
        "{\"ph\":\"T\",\"name\":\"X\",\"pid\":1,\"tid\":3,\"ts\":20,\"dur\":5},\n"
        "{\"ph\":\"T\",\"name\":\"Z\",\"pid\":1,\"tid\":2,\"ts\":30,\"dur\":5},\n"
        "{\"ph\":\"X\",\"name\":\"T\",\"pid\":1,\"tid\":3,\"ts\":0,\"dur\":60,\"args\":{\"state\":"
        "\"D\"}}]\n";
    static const unsigned what[] = {0, REDACT_NAMES, REDACT_ARGS, REDACT_NAMES | REDACT_ARGS};
    char old[SCRATCH_PATH], new[SCRATCH_PATH], clock[200];
    struct problems problems;
    struct err err;
    ck_assert(scratch_write(old, "old", source, sizeof source - 1));
    char *want = states_of(shown(old, &problems, clock));
    ck_assert(strstr(want, "\"suspended\"") && strstr(want, "\"dead\"") && strstr(want, "io_wait"));
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        FILE *out = fdopen(scratch_file(new, "new"), "wb");
        ck_assert(rewrite_fxt(old, &(struct file_options){.importers = importers},
                              &(struct rewrite_choice){.redact = what[i]}, out, &err));
        fclose(out);
        char *got = states_of(shown(new, &problems, clock));
        ck_assert_str_eq(got, want);
        free(got);
        unlink(new);
    }
    free(want);
    unlink(old);
}
END_TEST

/* The new trace of a source shows the same and has the same problems, as many of each. */
static void hold_problems(const char *source, struct problems *before) {
    char old[SCRATCH_PATH], new[SCRATCH_PATH], clock[200];
    struct problems after;
    struct err err;
    struct trace_bytes bytes = tracegen(source, &err);
    ck_assert(bytes.v && scratch_write(old, "old", bytes.v, bytes.n));
    FILE *out = fdopen(scratch_file(new, "new"), "wb");
    ck_assert(rewrite_fxt(old, NULL, &(struct rewrite_choice){0}, out, &err));
    fclose(out);
    char *want = shown(old, before, clock), *got = shown(new, &after, clock);
    ck_assert_str_eq(got, want);
    for (int kind = 0; kind < PROBLEM_KINDS; kind++)
        ck_assert_msg(after.kinds[kind].count == before->kinds[kind].count, "%s",
                      problem_name((enum problem_kind)kind));
    free(want);
    free(got);
    free(bytes.v);
    unlink(old);
    unlink(new);
}

/* The end of a complete event that ends before it begins is among no times: so it has to be in the
 * new trace. */
START_TEST(far_times_stay_damaged) {
    static const char source[] = "magic\n"
                                 "init 1000000000\n"
                                 "thread 1 1 11\n"
                                 "end 1000000 t1 \"c\" \"req\"\n"
                                 "instant 1000000 t1 \"c\" \"i_b\"\n"
                                 "async_end 1000002 t1 \"c\" \"op\" id=2\n"
                                 "begin 1000004 t1 \"c\" \"req\"\n"
                                 "end 1000006 t1 \"c\" \"req\"\n"
                                 "async_end 1000006 t1 \"c\" \"oq\" id=1\n"
                                 "begin 1000006 t1 \"c\" \"b\"\n"
                                 "counter 0 t1 \"c\" \"cnt\" id=1 v=i64:0\n"
                                 "switch 1000010 1 0 5 11 incoming_weight=i32:0\n"
                                 "async_begin 0 t1 \"c\" \"op\" id=1\n"
                                 "begin 1000012 t1 \"c\" \"req\"\n"
                                 "end 1000012 t1 \"c\" \"req\"\n"
                                 "complete 36028797019963980 t1 \"c\" \"a\" end=36028797019963977\n"
                                 "complete 1000013 t1 \"c\" \"b\" end=1000014\n";
    struct problems before;
    hold_problems(source, &before);
    ck_assert(before.kinds[PROBLEM_DAMAGED_TIME].count > 0);
    ck_assert(before.kinds[PROBLEM_END_BEFORE_BEGIN].count == 1);
}
END_TEST

/* No time is far yet at the end of the first archive, of which the next one contradicts none. */
START_TEST(far_times_of_several_archives_stay_sound) {
    static const char source[] = "magic\n"
                                 "init 1000000000\n"
                                 "thread 1 1 11\n"
                                 "complete 1000 t1 \"c\" \"a\" end=1010\n"
                                 "instant 1000000000001010 t1 \"c\" \"i\"\n"
                                 "magic\n"
                                 "init 1000000000\n"
                                 "thread 1 1 11\n"
                                 "complete 1030 t1 \"c\" \"a\" end=1040\n"
                                 "complete 1050 t1 \"c\" \"a\" end=1060\n"
                                 "complete 1070 t1 \"c\" \"a\" end=1080\n"
                                 "complete 1090 t1 \"c\" \"a\" end=1100\n"
                                 "complete 1110 t1 \"c\" \"a\" end=1120\n"
                                 "complete 1130 t1 \"c\" \"a\" end=1140\n"
                                 "complete 1150 t1 \"c\" \"a\" end=1160\n"
                                 "complete 1170 t1 \"c\" \"a\" end=1180\n"
                                 "complete 1190 t1 \"c\" \"a\" end=1200\n"
                                 "complete 1210 t1 \"c\" \"a\" end=1220\n"
                                 "complete 1230 t1 \"c\" \"a\" end=1240\n"
                                 "complete 1250 t1 \"c\" \"a\" end=1260\n";
    struct problems before;
    hold_problems(source, &before);
    ck_assert(before.kinds[PROBLEM_DAMAGED_TIME].count == 0);
    ck_assert(before.kinds[PROBLEM_FAR_OFF_TIME].count == 1);
    ck_assert(before.kinds[PROBLEM_SECOND_MAGIC].count == 1);
}
END_TEST

SUITE(rewrite) {
    find_fixtures();
    Suite *s = suite_create("rewrite");
    TCase *c = tcase_create("rewrite");
    tcase_add_loop_test(c, the_new_trace_shows_the_same, 0, names_n);
    tcase_add_test(c, a_trace_that_changes_between_the_passes_is_refused);
    tcase_add_test(c, a_text_in_place_of_the_range_of_a_part_is_redacted);
    tcase_add_test(c, states_stay_if_texts_are_redacted);
    tcase_add_test(c, far_times_stay_damaged);
    tcase_add_test(c, far_times_of_several_archives_stay_sound);
    suite_add_tcase(s, c);
    return s;
}
