/* suite_finder.c - names of a program that a trace has by its build id alone: from files in a
 * folder, from nowhere else, and not from damaged ones. */
#include "record/watch/finder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/watch/debug_info.h"
#include "record/watch/images.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/symbols_folder.h"
#include "tests/unit/record/written.h"

__attribute__((noinline)) static unsigned finder_target(unsigned x) {
    return x * 1664525 + (unsigned)getpid();
}

/* This program, as a trace has it. */
struct own {
    struct binary binary;
    char build_id[2 * BINARY_BUILD_ID + 1];
    uint64_t address; /* in the function above */
    char folder[SCRATCH_PATH];
};

static void begin_folder(struct own *own) {
    struct images images;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    ck_assert(fd >= 0 && binary_read(&own->binary, fd));
    close(fd);
    memset(own->build_id, '*', sizeof own->build_id);
    own->build_id[2 * own->binary.build_id_size] = 0;
    put_build_id(own->build_id, &own->binary);
    images_open(&images);
    uint64_t pc = (uint64_t)(uintptr_t)finder_target + 4;
    own->address = images_look_up(&images, (uint32_t)getpid(), pc).address;
    images_close(&images);
    ck_assert_uint_ne(finder_target(1), 1);
    ck_assert(scratch_folder(own->folder, "finder"));
}

/* This program at a place in the folder: the whole, or so many bytes of it. */
static void put_program(struct own *own, const char *at, size_t bytes) {
    char below[200], path[2 * SCRATCH_PATH], command[3 * SCRATCH_PATH];
    snprintf(below, sizeof below, "%s", at);
    put_build_id(below, &own->binary);
    make_path(path, own->folder, below);
    unlink(path);
    if (bytes == 0) {
        ck_assert_int_eq(symlink("/proc/self/exe", path), 0);
        return;
    }
    snprintf(command, sizeof command, "head -c %zu /proc/%d/exe >%s", bytes, (int)getpid(), path);
    ck_assert_int_eq(system(command), 0);
}

static struct finder *open_finder(const struct own *own) {
    struct err err;
    struct finder *f = finder_new(own->folder, false, false, &err);
    ck_assert_msg(f != NULL, "%s", err.text);
    return f;
}

static bool has_name(struct finder *f, const char *build_id, const char *name, uint64_t address) {
    const struct symbols_source *source = finder_source(f);
    struct str text = source->find(source->ctx, str_of(build_id), str_of(name), address);
    struct str first = symbols_cut(&text, '\t');
    return str_eq(first, STR("finder_target"));
}

static bool is_found(const struct own *own, const char *build_id, const char *name) {
    struct finder *f = open_finder(own);
    bool found = has_name(f, build_id, name, own->address);
    finder_free(f);
    return found;
}

START_TEST(a_function_is_found_by_the_build_id_and_the_file) {
    struct own own;
    if (!debug_info_available())
        return;
    begin_folder(&own);
    ck_assert(!is_found(&own, own.build_id, "/usr/bin/prog"));
    put_program(&own, "prog", 0);
    ck_assert(is_found(&own, own.build_id, "/usr/bin/prog"));
    ck_assert(is_found(&own, own.build_id, "prog"));
    ck_assert(is_found(&own, own.build_id, "ome/user/prog")); /* the end of a long path */
    ck_assert(!is_found(&own, own.build_id, "/usr/bin/other"));
    ck_assert(!is_found(&own, own.build_id, "[vdso]"));
    char *no_ids[] = {(char[]){""}, (char[]){"ab"}, (char[]){"no hex at all"}, own.build_id};
    own.build_id[0] = own.build_id[0] == '0' ? '1' : '0';
    for (size_t i = 0; i < sizeof no_ids / sizeof *no_ids; i++)
        ck_assert(!is_found(&own, no_ids[i], "prog"));
    remove_folder(own.folder);
}
END_TEST

START_TEST(a_path_in_the_trace_leads_to_nothing_outside_of_the_folder) {
    struct own own;
    char inner[SCRATCH_PATH + 10];
    if (!debug_info_available())
        return;
    begin_folder(&own);
    put_program(&own, "prog", 0);
    put_program(&own, "inner/other", 0);
    char outer[SCRATCH_PATH];
    snprintf(outer, sizeof outer, "%s", own.folder);
    snprintf(inner, sizeof inner, "%.1000s/inner", outer);
    snprintf(own.folder, sizeof own.folder, "%.1010s", inner);
    ck_assert(is_found(&own, own.build_id, "/usr/bin/other"));
    ck_assert(!is_found(&own, own.build_id, "/../prog"));
    ck_assert(!is_found(&own, own.build_id, "../prog"));
    ck_assert(!is_found(&own, own.build_id, "/x/../../prog"));
    ck_assert(!is_found(&own, own.build_id, "/proc/self/exe")); /* the program itself */
    ck_assert(!is_found(&own, own.build_id, "/.."));
    remove_folder(outer);
}
END_TEST

START_TEST(a_cut_debug_file_hides_no_whole_one) {
    struct own own;
    if (!debug_info_available())
        return;
    begin_folder(&own);
    put_program(&own, DEBUG_FILE, 20000);
    ck_assert(!is_found(&own, own.build_id, "/usr/bin/prog"));
    put_program(&own, "usr/lib/debug/" DEBUG_FILE, 0);
    ck_assert(is_found(&own, own.build_id, "/usr/bin/prog"));
    put_program(&own, "prog", 70000);
    ck_assert(is_found(&own, own.build_id, "/usr/bin/prog"));
    remove_folder(own.folder);
}
END_TEST

START_TEST(a_file_that_ends_the_process_costs_its_own_names) {
    struct own own;
    unsigned n = 0;
    if (!debug_info_available())
        return;
    begin_folder(&own);
    put_program(&own, "prog", 0);
    struct finder *f = open_finder(&own);
    ck_assert(has_name(f, own.build_id, "prog", own.address));
    ck_assert_ptr_null(finder_bad(f, &n));
    kill(f->namer.apart.pid, SIGSTOP);
    *f->namer.image = 1; /* as if it looked into the first module */
    kill(f->namer.apart.pid, SIGKILL);
    ck_assert(!has_name(f, own.build_id, "prog", own.address));
    ck_assert_str_eq(finder_bad(f, &n), "/prog");
    ck_assert_uint_eq(n, 1);
    ck_assert(has_name(f, own.build_id, "/bin/prog", own.address)); /* another module */
    finder_free(f);
    remove_folder(own.folder);
}
END_TEST

/* Bytes of this program, with others in places by chance. */
START_TEST(hostile_files_end_nothing) {
    struct own own;
    char path[2 * SCRATCH_PATH];
    struct chance chance = {(uint64_t)_i + 1};
    if (!debug_info_available())
        return;
    begin_folder(&own);
    put_program(&own, "prog", 300000);
    make_path(path, own.folder, "prog");
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < 40; i++) {
        fseek(file, (long)(chance_next(&chance) % (i < 20 ? 1000 : 300000)), SEEK_SET);
        fputc((int)(chance_next(&chance) & 255), file);
    }
    fclose(file);
    struct finder *f = open_finder(&own);
    for (int i = 0; i < 20; i++)
        has_name(f, own.build_id, "prog", own.address + 1000 * (uint64_t)i);
    finder_free(f);
    remove_folder(own.folder);
}
END_TEST

START_TEST(what_is_no_folder_is_refused) {
    struct err err;
    ck_assert_ptr_null(finder_new("/nonexistent", false, false, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "--symbols expects a folder"));
    ck_assert_ptr_null(finder_new("/dev/null", false, false, &err));
}
END_TEST

SUITE(finder) {
    Suite *s = suite_create("finder");
    TCase *c = tcase_create("finder");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, a_function_is_found_by_the_build_id_and_the_file);
    tcase_add_test(c, a_path_in_the_trace_leads_to_nothing_outside_of_the_folder);
    tcase_add_test(c, a_cut_debug_file_hides_no_whole_one);
    tcase_add_test(c, a_file_that_ends_the_process_costs_its_own_names);
    tcase_add_loop_test(c, hostile_files_end_nothing, 0, 12);
    tcase_add_test(c, what_is_no_folder_is_refused);
    suite_add_tcase(s, c);
    return s;
}
