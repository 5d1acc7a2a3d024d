/* suite_names.c - names of this program's own functions, and of files that end the process that
 * finds them: stacks come after their names, in their order, and none is lost. */
#include "record/watch/names.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/ticks.h"
#include "record/watch/debug_info.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/symbols_folder.h"
#include "tests/unit/record/written.h"

enum { STACKS = 300 };

#define PATIENCE UINT64_C(60000000000)

static unsigned named_inner(unsigned x) {
    for (int i = 0; i < 3; i++)
        x = x * 1664525 + 1013904223;
    return x;
}

__attribute__((noinline)) static unsigned named_outer(unsigned x) {
    return named_inner(x) + 1;
}

/* This program, as a process that has it mapped as the kernel would say. */
struct names_case {
    struct images images;
    struct names names;
    struct written w;
};

static void begin(struct names_case *c) {
    written_begin(&c->w, UINT64_MAX);
    images_open(&c->images);
    names_open(&c->names);
}

static void map(struct names_case *c, const char *path, uint64_t start) {
    const struct images_event e = {.pid = (uint32_t)getpid(),
                                   .start = start,
                                   .size = 0x100000,
                                   .protection = PROT_READ | PROT_EXEC,
                                   .name = str_of(path)};
    images_add(&c->images, &e);
}

static void want(struct names_case *c, uint64_t pc, uint64_t ts) {
    uint32_t pid = (uint32_t)getpid();
    struct images_place place = images_find(&c->images, &c->w.output, ts, pid, pc);
    names_want(&c->names, pid, place, true);
    names_hold(&c->names, &c->w.output, ts, pid, pid, &pc, 1);
}

/* The file, read as text where it is; the caller frees it. */
static char *finish(struct names_case *c) {
    struct err err;
    names_finish(&c->names, &c->images, &c->w.output, ticks_monotonic() + PATIENCE);
    names_close(&c->names);
    images_close(&c->images);
    ck_assert(output_close(&c->w.output, &err));
    written_read(&c->w);
    char *text = malloc(c->w.n * 8 + 1);
    memcpy(text, c->w.v, c->w.n * 8);
    for (size_t i = 0; i < c->w.n * 8; i++)
        text[i] = text[i] == 0 ? ' ' : text[i];
    text[c->w.n * 8] = 0;
    return text;
}

/* Byte of the first backtrace. */
static size_t first_stack(const struct written *w) {
    size_t at = 0;
    while (at < w->n && ((w->v[at] & 15) != 10 || (w->v[at] >> 16 & 15) != 2))
        at += written_size(w->v[at]);
    return at * 8;
}

START_TEST(functions_of_this_program_are_named_before_the_stack) {
    struct names_case c;
    begin(&c);
    ck_assert_uint_ne(named_outer(1), 0);
    want(&c, (uint64_t)(uintptr_t)named_outer + 4, 5); /* by /proc/PID/maps */
    uint64_t samples = 0;
    ck_assert_str_eq(names_heaviest(&c.names, &samples), NAMES_NAMELESS); /* not yet */
    ck_assert_uint_eq(samples, 1);
    names_finish(&c.names, &c.images, &c.w.output, ticks_monotonic() + PATIENCE);
    const char *heaviest = names_heaviest(&c.names, &samples);
    if (debug_info_available()) {
        ck_assert_ptr_nonnull(heaviest);
        ck_assert_uint_eq(samples, 1);
        ck_assert(strcmp(heaviest, "named_outer") == 0 || strcmp(heaviest, "named_inner") == 0);
    }
    char *text = finish(&c);
    const char *name = strstr(text, "\tnamed_outer\t");
    if (debug_info_available()) {
        ck_assert_ptr_nonnull(name);
        ck_assert_uint_lt((size_t)(name - text), first_stack(&c.w));
    }
    ck_assert_uint_eq(written_count(&c.w, 10, 2), 1);
    free(text);
    written_end(&c.w);
}
END_TEST

START_TEST(a_process_that_ends_costs_names_and_no_stack) {
    struct names_case c;
    begin(&c);
    for (uint64_t i = 0; i < STACKS; i++) {
        want(&c, (uint64_t)(uintptr_t)named_outer + i % 8, i);
        names_step(&c.names, &c.images, &c.w.output, ticks_monotonic());
        if (i % 50 == 0 && c.names.namer.apart.pid > 0)
            kill(c.names.namer.apart.pid, SIGKILL);
    }
    char *text = finish(&c);
    uint64_t last = 0;
    unsigned stacks = 0;
    for (size_t at = 0; at < c.w.n; at += written_size(c.w.v[at]))
        if ((c.w.v[at] & 15) == 10 && (c.w.v[at] >> 16 & 15) == 2) {
            ck_assert_uint_ge(c.w.v[at + 1], last);
            last = c.w.v[at + 1];
            stacks++;
        }
    ck_assert_uint_eq(stacks, STACKS);
    free(text);
    written_end(&c.w);
}
END_TEST

/* The image that the process looked into when it ended is not asked for again; others are. */
START_TEST(a_file_that_ends_the_process_is_named_and_others_have_their_names) {
    struct names_case c;
    begin(&c);
    map(&c, "/none/hostile", 0x1000000);
    want(&c, 0x1000010, 1);
    names_step(&c.names, &c.images, &c.w.output, ticks_monotonic()); /* asks */
    ck_assert_int_gt(c.names.namer.apart.pid, 0);
    kill(c.names.namer.apart.pid, SIGSTOP);
    *c.names.namer.image = 2; /* as if it looked into the first after the kernel */
    kill(c.names.namer.apart.pid, SIGKILL);
    want(&c, (uint64_t)(uintptr_t)named_outer + 4, 2);
    names_finish(&c.names, &c.images, &c.w.output, ticks_monotonic() + PATIENCE);
    bool named = c.names.bad != NULL;
    if (named)
        ck_assert_str_eq(c.names.bad, "/none/hostile");
    char *text = finish(&c);
    if (named && debug_info_available())
        ck_assert_ptr_nonnull(strstr(text, "\tnamed_outer\t"));
    ck_assert_uint_eq(written_count(&c.w, 10, 2), 2);
    free(text);
    written_end(&c.w);
}
END_TEST

/* Whether a function of a program that is gone has its name from a folder with the program at a
 * path. The build id takes the place of asterisks there. other: the one that is gone has another
 * build id. */
static bool is_named(const char *at, bool other) {
    char folder[SCRATCH_PATH], below[200], path[2 * SCRATCH_PATH];
    struct binary binary;
    struct names_case c;
    uint64_t offset;
    int fd = open("/proc/self/exe", O_RDONLY);
    ck_assert(fd >= 0 && binary_read(&binary, fd));
    close(fd);
    snprintf(below, sizeof below, "%s", at);
    put_build_id(below, &binary);
    begin(&c);
    ck_assert(scratch_folder(folder, "symbols"));
    make_path(path, folder, below);
    ck_assert_int_eq(symlink("/proc/self/exe", path), 0);
    c.images.symbols = c.names.namer.symbols = folder;
    uint64_t own = (uint64_t)(uintptr_t)named_outer + 4;
    uint64_t address = images_look_up(&c.images, (uint32_t)getpid(), own).address;
    ck_assert_uint_gt(binary_bytes(&binary, address, &offset), 0);
    binary.build_id[0] ^= other;
    const struct images_event e = {.pid = 999999999,
                                   .start = 0x1000000,
                                   .size = 0x10000000,
                                   .protection = PROT_READ | PROT_EXEC,
                                   .name = STR("/none/bin/program"),
                                   .build_id = binary.build_id,
                                   .build_id_size = binary.build_id_size};
    images_add(&c.images, &e);
    names_want(&c.names, e.pid, images_find(&c.images, &c.w.output, 1, e.pid, e.start + offset),
               true);
    char *text = finish(&c);
    bool named = strstr(text, "\tnamed_outer\t") != NULL;
    free(text);
    remove_folder(folder);
    written_end(&c.w);
    return named;
}

START_TEST(a_folder_has_names_of_files_with_the_same_build_id) {
    bool named = debug_info_available();
    ck_assert_int_eq(is_named("none/bin/program", false), named);
    ck_assert_int_eq(is_named("program", false), named);
    ck_assert_int_eq(is_named(DEBUG_FILE, false), named);
    ck_assert(!is_named("program", true));
    ck_assert(!is_named("another", false));
}
END_TEST

START_TEST(a_pipe_in_place_of_debug_information_is_not_waited_for) {
    static const char debug[] = "usr/lib/debug/" DEBUG_FILE;
    static const char *const places[] = {DEBUG_FILE, debug, "bin/sh"};
    char folder[SCRATCH_PATH], path[2 * SCRATCH_PATH];
    struct binary binary;
    ck_assert(scratch_folder(folder, "pipes"));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char below[200];
        int fd = open("/bin/sh", O_RDONLY | O_CLOEXEC);
        ck_assert(fd >= 0 && binary_read(&binary, fd));
        snprintf(below, sizeof below, "%s", places[i]);
        put_build_id(below, &binary);
        make_path(path, folder, below);
        ck_assert_int_eq(mkfifo(path, 0600), 0);
        debug_info_close(debug_info_open(fd, "/bin/sh", "", folder));
        ck_assert_int_eq(unlink(path), 0);
    }
    remove_folder(folder);
}
END_TEST

SUITE(names) {
    Suite *s = suite_create("names");
    TCase *c = tcase_create("names");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, functions_of_this_program_are_named_before_the_stack);
    tcase_add_test(c, a_process_that_ends_costs_names_and_no_stack);
    tcase_add_test(c, a_file_that_ends_the_process_is_named_and_others_have_their_names);
    tcase_add_test(c, a_folder_has_names_of_files_with_the_same_build_id);
    tcase_add_test(c, a_pipe_in_place_of_debug_information_is_not_waited_for);
    suite_add_tcase(s, c);
    return s;
}
