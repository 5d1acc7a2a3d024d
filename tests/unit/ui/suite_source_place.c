/* suite_source_place.c - the file and line that arguments name: which ones count, and that hostile
 * ones do not. */
#include "ui/keep/source_place.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"

static char folder[SCRATCH_PATH], *real;
static const char *const files[] = {
    "draw.c", "-rf.c", "+!touch made", "two words.c", "x:7", "$(touch made).c", "12"};

static void make_files(void) {
    ck_assert(scratch_folder(folder, "place") && chdir(folder) == 0);
    real = realpath(".", NULL);
    ck_assert_ptr_nonnull(real);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        ck_assert(close(creat(files[i], 0600)) == 0);
    ck_assert(mkdir("dir", 0700) == 0 && mkfifo("fifo", 0600) == 0 &&
              symlink("draw.c", "link.c") == 0);
}

static void remove_files(void) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    ck_assert(access("made", F_OK) != 0);
    unlink("fifo");
    unlink("link.c");
    rmdir("dir");
    ck_assert(chdir("/") == 0 && rmdir(folder) == 0);
    free(real);
}

/* Arguments of one event; the file's name in the folder, NULL: none; its line. */
static const struct {
    const char *args, *file;
    uint32_t line;
} cases[] = {
    {"file=\"draw.c\" line=i32:12", "draw.c", 12},
    {"line=u64:12 file=\"draw.c\"", "draw.c", 12},
    {"path=\"draw.c\" lineno=\"12\"", "draw.c", 12},
    {"filename=\"./dir/../draw.c\" line=i64:999999999", "draw.c", 999999999},
    {"source=\"link.c\"", "draw.c", 0},
    {"at=\"draw.c:12\"", "draw.c", 12},
    {"at=\"draw.c:12:5\"", "draw.c", 12},
    {"file=\"draw.c:12\" line=u32:3", "draw.c", 12},
    {"at=\"12:34\"", "12", 34},
    {"at=\"two words.c:1\" file=\"draw.c\"", "draw.c", 0},
    {"file=\"none.c\" at=\"two words.c:1\"", "two words.c", 1},
    {"file=\"two words.c\" line=u32:4", "two words.c", 4},
    {"file=\"x:7\"", "x:7", 0},
    {"at=\"x:7:9\"", "x:7", 9},
    /* not a line */
    {"file=\"draw.c\" line=i32:-1", "draw.c", 0},
    {"file=\"draw.c\" line=i64:-9223372036854775808", "draw.c", 0},
    {"file=\"draw.c\" line=u64:18446744073709551615", "draw.c", 0},
    {"file=\"draw.c\" line=\"99999999999\"", "draw.c", 0},
    {"file=\"draw.c\" line=\"1 | sh\"", "draw.c", 0},
    {"file=\"draw.c\" line=f64:2.5", "draw.c", 0},
    {"file=\"draw.c\" line=null", "draw.c", 0},
    /* names that a program could take for something else */
    {"file=\"-rf.c\" line=u32:2", "-rf.c", 2},
    {"file=\"+!touch made\" line=u32:2", "+!touch made", 2},
    {"file=\"$(touch made).c\" line=u32:2", "$(touch made).c", 2},
    /* no file */
    {"file=\"dir\" line=u32:2", NULL, 0},
    {"file=\"fifo\" line=u32:2", NULL, 0},
    {"file=\"/dev/null\" line=u32:2", NULL, 0},
    {"file=\"\" line=u32:2", NULL, 0},
    {"file=\"draw.c\\x00.txt\" line=u32:2", NULL, 0},
    {"file=\"draw.c\\n\" line=u32:2", NULL, 0},
    {"file=\"\\e[2Jdraw.c\" line=u32:2", NULL, 0},
    {"file=\"draw.c; touch made\"", NULL, 0},
    {"file=blob:\"draw.c\" line=u32:2", NULL, 0},
    {"file=u32:12 line=u32:2", NULL, 0},
    {"at=\"draw.c\"", NULL, 0},
    {"at=\":12\"", NULL, 0},
    {"at=\"draw.c:\"", NULL, 0},
    {"at=\"draw.c:0\"", NULL, 0},
    {"at=\"draw.c:1:2:3\"", NULL, 0},
    {"at=\"draw.c:99999999999\"", NULL, 0},
    {"rows=u32:20", NULL, 0},
    {"", NULL, 0},
};

START_TEST(arguments_name_a_file_that_exists) {
    char text[8000] = "magic\ninit 1000000000\n", expected[PATH_MAX];
    size_t n = strlen(text), count = sizeof cases / sizeof *cases;
    make_files();
    for (size_t i = 0; i < count; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "complete %zu 7/8 \"c\" \"e%zu\" %s end=%zu\n", 1000 + i * 10, i,
                              cases[i].args, 1005 + i * 10);
    ck_assert_uint_lt(n, sizeof text);
    shown_text(text, 100, 30);
    for (size_t i = 0; i < count; i++) {
        struct source_place place;
        char name[16];
        snprintf(name, sizeof name, "e%zu", i);
        shown_select(name, 0);
        source_place_init(&place);
        bool found = source_place_take(&place, shown.trace, shown.timeline.selection.offset);
        MUST(found == (cases[i].file != NULL) && found == (place.path[0] != 0), i);
        MUST(place.line == cases[i].line, i);
        if (!found)
            continue;
        MUST(place.path[0] == '/', i);
        snprintf(expected, sizeof expected, "%s/%s", real, cases[i].file);
        MUST(strcmp(place.path, expected) == 0, i);
    }
    shown_close();
    remove_files();
}
END_TEST

/* A path that is too long for the system is no file, and overflows nothing. */
START_TEST(long_names_are_no_files) {
    static char text[40000];
    for (size_t length = PATH_MAX - 3; length < PATH_MAX + 4; length++) {
        struct source_place place;
        int n = snprintf(text, sizeof text,
                         "magic\ninit 1000000000\ncomplete 1000 7/8 \"c\" \"e\" file=\"");
        for (size_t i = 0; i < length; i++)
            text[n++] = i % 2 ? '.' : '/';
        snprintf(text + n, sizeof text - (size_t)n, "\" at=\"/\" end=2000\n");
        shown_text(text, 100, 30);
        shown_select("e", 0);
        source_place_init(&place);
        MUST(!source_place_take(&place, shown.trace, shown.timeline.selection.offset), length);
        MUST(strlen(place.missing) > 20 && strlen(place.missing) < sizeof place.missing, length);
        shown_close();
    }
}
END_TEST

SUITE(source_place) {
    Suite *s = suite_create("source_place");
    TCase *t = tcase_create("source_place");
    tcase_add_test(t, arguments_name_a_file_that_exists);
    tcase_add_test(t, long_names_are_no_files);
    suite_add_tcase(s, t);
    return s;
}
