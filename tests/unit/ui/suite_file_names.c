/* suite_file_names.c - Tab completes files for the commands that take one: folders, hidden and
 * hostile names, limits. */
#include "src/io/file_names.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/scratch.h"
#include "tests/unit/lib/checked.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/command.h"

static char folder[SCRATCH_PATH];
static struct file_names names;

static const char *in_folder(const char *name) {
    static char path[SCRATCH_PATH + 300];
    ck_assert_int_lt(snprintf(path, sizeof path, "%s/%s", folder, name), sizeof path);
    return path;
}

static void touch(const char *name) {
    int fd = open(in_folder(name), O_CREAT | O_WRONLY, 0600);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

/* Lists the completions of the begin of a name, sorted, without the folder. */
static const char *found(const char *begin) {
    static char all[2000];
    char stem[SCRATCH_PATH + 300];
    const char *path;
    size_t n = 0;
    all[0] = 0;
    snprintf(stem, sizeof stem, "%s", in_folder(begin));
    for (; (path = file_names_complete(&names, stem, n)) != NULL; n++) {
        ck_assert_int_eq(strncmp(path, in_folder(""), strlen(folder) + 1), 0);
        checked_append(all, sizeof all, "%s|", path + strlen(folder) + 1);
    }
    ck_assert_uint_eq(file_names_count(&names, stem), n);
    return all;
}

static void begin(void) {
    ck_assert(scratch_folder(folder, "names"));
}

static void end(void) {
    char command[SCRATCH_PATH + 20];
    file_names_free(&names);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(files_and_folders_by_the_begin_of_their_names) {
    touch("two.fxt");
    touch("one.fxt");
    touch("a b.fxt");
    touch(".hidden");
    ck_assert_int_eq(mkdir(in_folder("traces"), 0700), 0);
    touch("traces/three.fxt");
    ck_assert_int_eq(symlink("traces", in_folder("link")), 0);
    ck_assert_int_eq(symlink("nowhere", in_folder("broken")), 0);
    ck_assert_str_eq(found(""), "a b.fxt|broken|link/|one.fxt|traces/|two.fxt|");
    ck_assert_str_eq(found("t"), "traces/|two.fxt|");
    ck_assert_str_eq(found("."), ".hidden|");
    ck_assert_str_eq(found(".."), "../|");
    ck_assert_str_eq(found("traces/"), "traces/three.fxt|");
    ck_assert_str_eq(found("link/th"), "link/three.fxt|");
    ck_assert_str_eq(found("none/"), "");
    ck_assert_str_eq(found("one.fxt/"), "");
    ck_assert_str_eq(found("T"), "");
}
END_TEST

/* The working folder: names that a command would not take as they are begin with ./ . */
START_TEST(names_of_the_working_folder) {
    touch(" blank");
    touch("-");
    touch("-x");
    touch("half");
    shown_fixture("slice_nested", 100, 30);
    char *was = getcwd(NULL, 0);
    ck_assert(was && chdir(folder) == 0);
    ck_assert_uint_eq(file_names_count(&names, ""), 4);
    ck_assert_str_eq(file_names_complete(&names, "", 0), "./ blank");
    ck_assert_str_eq(file_names_complete(&names, "", 1), "./-");
    ck_assert_str_eq(file_names_complete(&names, "", 2), "-x");
    ck_assert_str_eq(file_names_complete(&names, "./h", 0), "./half");
    /* commands do not know it either */
    ck_assert_str_eq(file_names_complete(&names, "~", 0) ? "~" : "none", "none");
    shown_keys(":compare h<Tab>"); /* a word of the command goes first */
    ck_assert_str_eq(prompt_text(&shown.prompts.line), "compare half");
    shown_keys("<Tab>");
    ck_assert_str_eq(prompt_text(&shown.prompts.line), "compare ./half");
    shown_keys("<Esc>:w h<Tab>");
    ck_assert_str_eq(prompt_text(&shown.prompts.line), "w half");
    shown_close();
    ck_assert_int_eq(chdir(was), 0);
    free(was);
}
END_TEST

/* Tab offers nothing that a prompt would not take by hand. The rest is escaped on the screen as all
 * texts are. */
START_TEST(hostile_names) {
    char line[SCRATCH_PATH + 400];
    touch("h\x1b[2J");
    touch("h\nx");
    touch("h\x7f");
    touch("h\xc2\x9b"
          "x"); /* C1 */
    touch("h\xff");
    touch("h\xed\xa0\x80"); /* a surrogate */
    touch("h\xe2\x80\xae"
          "evil");
    touch("h'$(x)`x`\"");
    touch("h\xe4\xb8\xad");
    ck_assert_str_eq(found("h"), "h'$(x)`x`\"|h\xe2\x80\xae"
                                 "evil|h\xe4\xb8\xad|");
    shown_fixture("slice_nested", 200, 30);
    snprintf(line, sizeof line, ":w %s<Tab><Tab>", in_folder("h"));
    shown_keys(line);
    ck_assert(shown_has("<U+202E>evil") || shown_has("\\u{202e}evil") ||
              shown_has("\\u{202E}evil"));
    for (int y = 0; y < 30; y++)
        ck_assert_ptr_null(strstr(shown_row(y), "\xe2\x80\xae"));
    shown_keys("<Esc>");
    shown_close();
}
END_TEST

/* Tab on the only folder goes into it, and so does / after any folder; files that came since are
 * listed. */
START_TEST(tab_goes_into_folders) {
    char line[SCRATCH_PATH + 400];
    ck_assert_int_eq(mkdir(in_folder("deep"), 0700), 0);
    ck_assert_int_eq(mkdir(in_folder("deep/inner"), 0700), 0);
    ck_assert_int_eq(mkdir(in_folder("other"), 0700), 0);
    touch("other/file");
    shown_fixture("slice_nested", 200, 30);
    snprintf(line, sizeof line, ":session %s<Tab>", in_folder("d"));
    shown_keys(line);
    ck_assert_str_eq(prompt_text(&shown.prompts.line) + 8, in_folder("deep/"));
    ck_assert(shown_has("1 choice"));
    shown_keys("<Tab>");
    ck_assert_str_eq(prompt_text(&shown.prompts.line) + 8, in_folder("deep/inner/"));
    shown_keys("<Esc>");
    snprintf(line, sizeof line, ":w! %s<Tab><Tab>/", in_folder(""));
    shown_keys(line);
    ck_assert_str_eq(prompt_text(&shown.prompts.line) + 3, in_folder("other/"));
    shown_keys("<Tab>");
    ck_assert_str_eq(prompt_text(&shown.prompts.line) + 3, in_folder("other/file"));
    touch("other/before");
    shown_keys("<C-w><Esc>");
    snprintf(line, sizeof line, ":w %s<Tab>", in_folder("other/"));
    shown_keys(line);
    ck_assert_str_eq(prompt_text(&shown.prompts.line) + 2, in_folder("other/before"));
    shown_keys("<Esc>");
    shown_close();
}
END_TEST

/* Each command with FILE in its argument completes one, no other does. */
START_TEST(commands_that_take_a_file) {
    char stem[60];
    size_t n = 0;
    for (size_t i = 0; i < command_count; i++) {
        const char *argument = commands[i].argument;
        bool file = argument && strstr(argument, "FILE");
        snprintf(stem, sizeof stem, "%s ", commands[i].name);
        ck_assert_int_eq(command_wants_file(stem), file);
        n += file;
    }
    ck_assert_uint_ge(n, 4);
    ck_assert(!command_wants_file("w"));
    ck_assert(!command_wants_file("nosuch x"));
}
END_TEST

/* A folder with more files than a key may wait for. */
START_TEST(large_folders) {
    char name[40];
    for (int i = 0; i < FILE_NAMES_MOST + 100; i++) {
        snprintf(name, sizeof name, "f%05d", i);
        ck_assert_int_eq(symlink("x", in_folder(name)), 0);
    }
    size_t n = file_names_count(&names, in_folder("f"));
    ck_assert_uint_le(n, FILE_NAMES_MOST);
    ck_assert_uint_ge(n, FILE_NAMES_MOST - 2);
}
END_TEST

SUITE(file_names) {
    Suite *s = suite_create("file_names");
    TCase *t = tcase_create("names");
    tcase_set_timeout(t, 60); /* a busy disk makes thousands of files slowly */
    tcase_add_checked_fixture(t, begin, end);
    tcase_add_test(t, files_and_folders_by_the_begin_of_their_names);
    tcase_add_test(t, names_of_the_working_folder);
    tcase_add_test(t, hostile_names);
    tcase_add_test(t, tab_goes_into_folders);
    tcase_add_test(t, commands_that_take_a_file);
    tcase_add_test(t, large_folders);
    suite_add_tcase(s, t);
    return s;
}
