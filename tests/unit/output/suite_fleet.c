/* suite_fleet.c - a process that is killed in the middle of a line spoils no other line. */
#include "model/output/fleet.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "src/base/text.h"
#include "tests/unit/lib/suites.h"

/* Rows in the form of CSV. */
static int ask(void *ctx, const struct fleet_trace *trace) {
    const char *path = trace->path;
    (void)ctx;
    printf("name\n\"row of %s\"\n", path);
    fprintf(stderr, "note of %s\n", path);
    if (strcmp(path, "killed") == 0) {
        printf("\"half a \"\" row");
        fflush(stdout);
        fprintf(stderr, "half a \"note");
        raise(SIGKILL);
    }
    return 0;
}

static void complain(void *ctx, const char *path, const struct err *err) {
    (void)ctx;
    text_complain(path, "", false, err);
}

/* A stream that goes into a file of its own for some time. */
struct caught {
    FILE *stream, *file;
    int saved;
};

static void catch_start(struct caught *c, FILE *stream) {
    *c = (struct caught){.stream = stream, .file = tmpfile()};
    ck_assert_ptr_nonnull(c->file);
    fflush(stream);
    c->saved = dup(fileno(stream));
    dup2(fileno(c->file), fileno(stream));
}

static void catch_end(struct caught *c, char *text, size_t size) {
    fflush(c->stream);
    dup2(c->saved, fileno(c->stream));
    close(c->saved);
    rewind(c->file);
    text[fread(text, 1, size - 1, c->file)] = '\0';
    fclose(c->file);
}

START_TEST(half_a_line_of_a_killed_process_is_ended) {
    struct fleet_list list = {0};
    fleet_add(&list, "first");
    fleet_add(&list, "killed");
    fleet_add(&list, "last");
    struct fleet fleet = {.list = &list, .format = FORMAT_CSV, .ask = ask, .complain = complain};
    for (fleet.jobs = 1; fleet.jobs <= 3; fleet.jobs += 2) {
        struct caught out, err;
        char rows[200], notes[300];
        catch_start(&out, stdout);
        catch_start(&err, stderr);
        int status = fleet_run(&fleet);
        catch_end(&err, notes, sizeof notes);
        catch_end(&out, rows, sizeof rows);
        signal(SIGINT, SIG_DFL);
        ck_assert_str_eq(
            rows,
            "name\n\"row of first\"\n\"row of killed\"\n\"half a \"\" row\"\n\"row of last\"\n");
        ck_assert_str_eq(
            notes, "note of first\nnote of killed\nhalf a \"note\n"
                   "fxtop: killed: the process that read it was ended by signal 9\nnote of last\n");
        ck_assert_int_eq(status, 2);
    }
    fleet_free(&list);
}
END_TEST

/* ---- joined answers ---- */

/* Prints the text that its context has, for each trace. */
static int say(void *ctx, const struct fleet_trace *trace) {
    (void)trace;
    fputs(ctx, stdout);
    return 0;
}

static void all_of(struct fleet *fleet, const char *answer, char *text, size_t size) {
    struct fleet_list list = {0};
    vec_push(&list.traces, ((struct fleet_trace){"a \"b\";", "one", NULL}));
    fleet_add(&list, "two");
    struct caught out;
    char said[100];
    snprintf(said, sizeof said, "%s", answer);
    fleet->list = &list;
    fleet->ask = say;
    fleet->complain = complain;
    fleet->ctx = said;
    catch_start(&out, stdout);
    int status = fleet_run(fleet);
    catch_end(&out, text, size);
    signal(SIGINT, SIG_DFL);
    ck_assert_int_eq(status, 0);
    fleet_free(&list);
}

START_TEST(rows_get_columns_and_texts_a_line) {
    static const struct {
        enum relation_format format;
        enum fleet_how how;
        int nlabels;
        const char *answer, *all;
    } cases[] = {
        {FORMAT_CSV, FLEET_ROWS, 0, "\"x\",\"y\"\n1,\"l\nm\"\n",
         "\"trace\",\"x\",\"y\"\n\"a \"\"b\"\";\",1,\"l\nm\"\n\"two\",1,\"l\nm\"\n"},
        {FORMAT_CSV, FLEET_ROWS, 1, "x\n1\n",
         "host,trace,x\n\"h=1\",\"a \"\"b\"\";\",1\n\"h=1\",\"two\",1\n"},
        {FORMAT_CSV, FLEET_OWN, 1, "x\n1\n", "host,x\n\"h=1\",1\n\"h=1\",1\n"},
        {FORMAT_CSV, FLEET_OWN, 0, "x\n1\n", "x\n1\n1\n"},
        {FORMAT_NDJSON, FLEET_ROWS, 1, "{\"x\":1}\n{\"x\":2}\n",
         "{\"host\":\"h=1\",\"trace\":\"a \\\"b\\\";\",\"x\":1}\n"
         "{\"host\":\"h=1\",\"trace\":\"a \\\"b\\\";\",\"x\":2}\n"
         "{\"host\":\"h=1\",\"trace\":\"two\",\"x\":1}\n{\"host\":\"h=1\",\"trace\":\"two\",\"x\":"
         "2}\n"},
        {FORMAT_TABLE, FLEET_TEXT, 0, "a\nb\n", "== a \"b\"; ==\na\nb\n== two ==\na\nb\n"},
        {FORMAT_TABLE, FLEET_TEXT, 1, "", ""},
        {FORMAT_MARKDOWN, FLEET_TEXT, 1, "| a |\n",
         "### a \"b\"; host=h=1\n\n| a |\n### two host=h=1\n\n| a |\n"},
        {FORMAT_TABLE, FLEET_STACKS, 1, "{f;g 1\nh 2\n",
         "host=h=1;a \"b\"\\x3b;{f;g 1\nhost=h=1;a \"b\"\\x3b;h 2\nhost=h=1;two;{f;g 1\n"
         "host=h=1;two;h 2\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        struct fleet fleet = {.format = cases[i].format,
                              .how = cases[i].how,
                              .labels = {"host=h=1"},
                              .nlabels = cases[i].nlabels,
                              .jobs = 2};
        all_of(&fleet, cases[i].answer, text, sizeof text);
        ck_assert_str_eq(text, cases[i].all);
    }
}
END_TEST

/* ---- lists ---- */

static void read_list(struct fleet_list *list, const char *text, size_t n) {
    char path[] = "/tmp/fleet-XXXXXX";
    struct err err;
    int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, text, n) == (ssize_t)n);
    close(fd);
    *list = (struct fleet_list){0};
    ck_assert(fleet_read(list, path, &err));
    unlink(path);
}

START_TEST(a_list_names_its_traces) {
    static const char lines[] = "a.fxt\r\n\n\r\n# b\nhost a\tdir/c.fxt\n\td\nlast\r";
    static const char nuls[] = "a\nb\r\0\0n\tp\0";
    struct fleet_list list;
    read_list(&list, lines, sizeof lines - 1);
    ck_assert_uint_eq(list.traces.n, 5);
    static const char *const names[] = {"a.fxt", "# b", "host a", "\td", "last"};
    for (size_t i = 0; i < 5; i++)
        ck_assert_str_eq(list.traces.v[i].name, names[i]);
    ck_assert_str_eq(list.traces.v[2].path, "dir/c.fxt");
    fleet_free(&list);
    read_list(&list, nuls, sizeof nuls - 1);
    ck_assert_uint_eq(list.traces.n, 2);
    ck_assert_str_eq(list.traces.v[0].path, "a\nb\r");
    ck_assert_str_eq(list.traces.v[1].name, "n");
    ck_assert_str_eq(list.traces.v[1].path, "p");
    fleet_free(&list);
}
END_TEST

START_TEST(files_in_a_folder_have_names_of_their_own) {
    static const char *const paths[] = {"x/a.fxt.gz", "a.json", "a.fxt", "a 2.fxt",
                                        "/.fxt",      "-",      "../..", "a.txt"};
    static const char *const files[] = {"d/a.csv",    "d/a 2.csv",   "d/a 3.csv", "d/a 2 2.csv",
                                        "d/_fxt.csv", "d/trace.csv", "d/_..csv",  "d/a.txt.csv"};
    struct fleet_list list = {0};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        fleet_add(&list, paths[i]);
    vec_push(&list.traces, ((struct fleet_trace){"h/1", "x/a.fxt", NULL}));
    fleet_name_files(&list, "d/", ".csv");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        ck_assert_str_eq(list.traces.v[i].file, files[i]);
    ck_assert_str_eq(list.traces.v[list.traces.n - 1].file, "d/h_1.csv");
    fleet_free(&list);
}
END_TEST

SUITE(fleet) {
    Suite *s = suite_create("fleet");
    TCase *t = tcase_create("fleet");
    tcase_add_test(t, half_a_line_of_a_killed_process_is_ended);
    tcase_add_test(t, rows_get_columns_and_texts_a_line);
    tcase_add_test(t, a_list_names_its_traces);
    tcase_add_test(t, files_in_a_folder_have_names_of_their_own);
    suite_add_tcase(s, t);
    return s;
}
