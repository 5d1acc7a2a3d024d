/* suite_fleet.c - a process that is killed in the middle of a line spoils no other line. */
#include "model/output/fleet.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "src/base/text.h"
#include "tests/unit/lib/suites.h"

/* Rows in the form of CSV. */
static int ask(void *ctx, const char *path) {
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
    vec_push(&list.paths, "first");
    vec_push(&list.paths, "killed");
    vec_push(&list.paths, "last");
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

SUITE(fleet) {
    Suite *s = suite_create("fleet");
    TCase *t = tcase_create("fleet");
    tcase_add_test(t, half_a_line_of_a_killed_process_is_ended);
    suite_add_tcase(s, t);
    return s;
}
