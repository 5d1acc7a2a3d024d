/* suite_keep_run.c - what | and O ask the owner of the terminal for: only what the user typed, and
 * a place. */
#include "ui/keep/keep_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"

static const char *argument(int i) {
    return shown.requests.run.argv ? shown.requests.run.argv[i] : NULL;
}

START_TEST(a_pipe_gets_what_y_copies) {
    static const char *const places[] = {"", "<Tab>", "5", "1:range 0..100%<Enter>5", "9", "?"};
    shown_fixture("../screens/kinds", 120, 40);
    shown_select("Frame 213", 0);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        shown_keys(places[i]);
        shown_keys("y");
        shown_keys("|sort -r | head '$x'<Enter>");
        const struct run_request *run = &shown.requests.run;
        MUST(run->argv && run->pipes && run->input.n > 0, i);
        MUST(run->input.n == shown.requests.copy.n, i);
        MUST(memcmp(run->input.v, shown.requests.copy.v, run->input.n) == 0, i);
        MUST(strcmp(argument(0), "/bin/sh") == 0 && strcmp(argument(1), "-c") == 0 &&
                 argument(3) == NULL,
             i);
        MUST(strcmp(argument(2), "sort -r | head '$x'") == 0, i);
        keep_run_done(&shown, 0, NULL);
        MUST(shown.requests.run.argv == NULL && strstr(shown.message.text, "piped to sort"), i);
        shown_keys("1");
    }
    shown_keys(":pipe  cat >x<Enter>");
    ck_assert_str_eq(argument(2), "cat >x");
    shown_close();
}
END_TEST

START_TEST(no_command_and_no_text_run_nothing) {
    shown_fixture("../screens/kinds", 120, 40);
    shown_keys("|<Enter>");
    ck_assert_ptr_null(argument(0));
    shown_keys("|  <Enter>");
    ck_assert(argument(0) == NULL && shown_has("no command"));
    shown_keys("|cat<Esc>");
    ck_assert_ptr_null(argument(0));
    shown_keys("2&zzzz-none<Enter>");
    shown_keys("|cat<Enter>");
    ck_assert(argument(0) == NULL && shown_has("nothing to pipe here"));
    shown_close();
}
END_TEST

/* Keys of --keys come from a command line or a script that Y wrote, whose parts are a trace's. */
START_TEST(played_keys_run_and_write_nothing) {
    static const char *const keys[] = {"|touch made<Enter>",
                                       ":pipe touch made<Enter>",
                                       ":w made<Enter>",
                                       ":w! made<Enter>",
                                       "5:w made<Enter>",
                                       ":session made<Enter>",
                                       ":session off<Enter>",
                                       ":blobs<Enter>:w! made<Enter>",
                                       ":place escaped w! %6dade<Enter>",
                                       ":place escaped pipe touch made<Enter>"};
    struct err err;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        shown_fixture("../screens/kinds", 120, 40);
        ck_assert(app_start(&shown, NULL, NULL, keys[i], &err));
        while (app_idle(&shown))
            continue;
        MUST(argument(0) == NULL && strstr(shown.message.text, "--keys-may-write"), i);
        MUST(access("made", F_OK) != 0 && !shown.session_off, i);
        shown_close();
    }
}
END_TEST

/* With --keys-may-write they do, and go on when the program has ended. */
START_TEST(played_keys_that_may_write_do) {
    char path[SCRATCH_PATH], typed[SCRATCH_PATH + 64];
    struct err err;
    ck_assert(scratch_write(path, "keys", "", 0));
    snprintf(typed, sizeof typed, "|first<Enter>:w! %s<Enter>|second<Enter>", path);
    shown_fixture("../screens/kinds", 120, 40);
    shown_select("Frame 213", 0);
    shown.startup.may_write = true;
    ck_assert(app_start(&shown, NULL, NULL, typed, &err));
    struct stat s;
    ck_assert(stat(path, &s) == 0 && s.st_size == 0);
    ck_assert_str_eq(argument(2), "first");
    keep_run_done(&shown, 0, NULL);
    app_play(&shown);
    ck_assert(stat(path, &s) == 0 && s.st_size > 0);
    ck_assert_str_eq(argument(2), "second");
    keep_run_done(&shown, 0, NULL);
    app_play(&shown);
    ck_assert_ptr_null(argument(0));
    shown_close();
    remove(path);
}
END_TEST

static void press_O(const char *visual, const char *editor) {
    visual ? setenv("VISUAL", visual, 1) : unsetenv("VISUAL");
    editor ? setenv("EDITOR", editor, 1) : unsetenv("EDITOR");
    shown_keys("O");
}

START_TEST(the_editor_is_given_a_place) {
    char path[SCRATCH_PATH], text[3 * SCRATCH_PATH];
    struct err err;
    ck_assert(scratch_write(path, "place", "", 0));
    snprintf(
        text, sizeof text,
        "magic\ninit 1000000000\ncomplete 1000 7/8 \"c\" \"a\" file=\"%s\" line=u32:7 end=1100\n"
        "begin 1200 7/8 \"c\" \"b\"\nend 1300 7/8 \"c\" \"b\" path=\"%s\"\n"
        "instant 1400 7/8 \"c\" \"i\" scope=1 file=\"/none/\\e[31m.c\"\ncomplete 1500 7/8 \"c\" "
        "\"z\" end=1600\n",
        path, path);
    shown_text(text, 100, 30);
    shown_keys("O");
    ck_assert(argument(0) == NULL && shown_has("select an event first"));
    shown_select("a", 0);
    press_O("emacs -nw  --eval\t$(touch_made);`x`", "ed");
    static const char *const words[] = {"emacs", "-nw", "--eval", "$(touch_made);`x`", "+7"};
    for (int i = 0; i < 5; i++)
        ck_assert_str_eq(argument(i), words[i]);
    ck_assert(argument(5)[0] == '/' && argument(6) == NULL && !shown.requests.run.pipes);
    press_O(" \t", "ed");
    ck_assert(strcmp(argument(0), "ed") == 0 && strcmp(argument(1), "+7") == 0 &&
              argument(3) == NULL);
    press_O("", NULL);
    ck_assert(strcmp(argument(0), "vi") == 0 && strcmp(argument(1), "+7") == 0 &&
              argument(3) == NULL);
    shown_select("b", 0); /* the arguments of its end */
    press_O(NULL, "ed");
    ck_assert(argument(1)[0] == '/' && argument(2) == NULL);
    err_set(&err, ERR_NO_OFFSET, "No such file");
    keep_run_done(&shown, -1, &err);
    ck_assert_str_eq(shown.message.text, "cannot run ed: No such file");
    shown_select("z", 0);
    shown_keys("O");
    ck_assert(argument(0) == NULL && shown_has("no argument names a source file"));
    shown_keys("h");
    shown_keys("O");
    ck_assert(argument(0) == NULL && shown_has("no such file from here: /none/^[[31m.c"));
    shown_select("a", 0);
    shown.startup.playing = true;
    shown_keys("O");
    ck_assert(argument(0) == NULL && strstr(shown.message.text, "--keys-may-write"));
    shown.startup.may_write = shown.printed = true;
    shown_keys("O");
    ck_assert(argument(0) == NULL && shown_has("O needs the screen"));
    shown_close();
    remove(path);
}
END_TEST

START_TEST(a_failure_is_told) {
    shown_fixture("../screens/kinds", 120, 40);
    shown_keys("5|false<Enter>");
    keep_run_done(&shown, 3, NULL);
    ck_assert(shown.message.is_error &&
              strcmp(shown.message.text, "ended with status 3: false") == 0);
    shown_keys("|\x1b");
    shown_keys("|kill $$<Enter>");
    keep_run_done(&shown, 128 + 15, NULL);
    ck_assert(shown.message.is_error &&
              strcmp(shown.message.text, "ended by signal 15: kill $$") == 0);
    shown_close();
}
END_TEST

SUITE(keep_run) {
    Suite *s = suite_create("keep_run");
    TCase *t = tcase_create("keep_run");
    tcase_add_test(t, a_pipe_gets_what_y_copies);
    tcase_add_test(t, no_command_and_no_text_run_nothing);
    tcase_add_test(t, played_keys_run_and_write_nothing);
    tcase_add_test(t, played_keys_that_may_write_do);
    tcase_add_test(t, the_editor_is_given_a_place);
    tcase_add_test(t, a_failure_is_told);
    suite_add_tcase(s, t);
    return s;
}
