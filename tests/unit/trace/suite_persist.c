/* suite_persist.c - a cached index answers as the trace does when it is read; a stale or damaged
 * one is not used. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/query/detail.h"
#include "model/trace/persist.h"
#include "src/fxt/record.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/trace/kept.h"

START_TEST(every_trace_says_the_same_when_it_was_kept) {
    char folder[400];
    const char *srcdir = getenv("srcdir");
    snprintf(folder, sizeof folder, "%s/tests/traces", srcdir ? srcdir : ".");
    DIR *d = opendir(folder);
    ck_assert_ptr_nonnull(d);
    size_t traces = 0, from_kept = 0;
    for (const struct dirent *e; (e = readdir(d)) != NULL;) {
        char name[300];
        size_t n = strlen(e->d_name);
        if (n < 5 || strcmp(e->d_name + n - 4, ".txt") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(n - 4), e->d_name);
        struct err err;
        struct trace_bytes bytes = tracegen_load(name, &err);
        kept_put(bytes.v, bytes.n);
        free(bytes.v);
        struct trace *trace = kept_load(&kept_options);
        if (trace == NULL)
            continue; /* not a trace, and that is said elsewhere */
        if (trace_kind_count(trace, FXT_K_BACKTRACE) > 0) { /* its words are not kept */
            trace_free(trace);
            continue;
        }
        char *before = kept_said(trace);
        ck_assert_msg(persist_write(trace), "%s", name);
        trace_free(trace);
        trace = kept_load(&kept_options);
        ck_assert_msg(trace_cached(trace), "%s", name);
        char *after = kept_said(trace);
        ck_assert_msg(!trace_cache_damaged(trace) && strcmp(before, after) == 0, "%s", name);
        for (uint32_t i = 0; i < trace_process_count(trace); i++)
            ck_assert_uint_eq(trace_pid_process(trace, 0, trace_process(trace, i)->pid), i);
        traces++;
        from_kept += trace_cached(trace);
        trace_free(trace);
        free(before);
        free(after);
    }
    closedir(d);
    ck_assert_uint_gt(traces, 60);
    ck_assert_uint_eq(traces, from_kept);
}
END_TEST

START_TEST(sort_indexes_and_labels_are_kept) {
    struct err err;
    struct detail d;
    struct detail_argument a;
    struct trace_bytes bytes =
        tracegen("magic\nkernel_object 1 5 \"p\" sort_index=i32:-3 labels=\"GPU\"\n"
                 "instant 1 5/6 \"c\" \"i\"\n",
                 &err);
    ck_assert_msg(bytes.v != NULL, "%s", err.text);
    kept_put(bytes.v, bytes.n);
    free(bytes.v);
    for (int kept = 0; kept < 2; kept++) {
        struct trace *trace = kept_load(&kept_options);
        ck_assert(trace_cached(trace) == (kept == 1));
        ck_assert(trace_has_sort_index(trace));
        ck_assert_int_eq(trace_process_sort_index(trace, trace_process(trace, 0)), -3);
        ck_assert(detail_labels(&d, trace, trace_process(trace, 0), &a) &&
                  str_eq(a.string, STR("GPU")));
        ck_assert(kept || persist_write(trace));
        trace_free(trace);
    }
}
END_TEST

/* Any byte that differs: the index is not used, or the damage is noticed on access, and reading the
 * trace again gives the right answers. */
START_TEST(damage_is_noticed_wherever_it_is) {
    struct stat s;
    char name[sizeof kept_index];
    kept_put_calls(3000);
    char *truth = kept_write();
    memcpy(name, kept_index, sizeof kept_index);
    ck_assert_int_eq(stat(name, &s), 0);
    size_t n = (size_t)s.st_size, refused = 0, noticed = 0, unsound = 0;
    unsigned char *bytes = malloc(n);
    FILE *f = fopen(name, "rb");
    ck_assert_uint_eq(fread(bytes, 1, n, f), n);
    fclose(f);
    struct chance chance = {3};
    for (int k = 0; k < 240; k++) {
        size_t at = k < 20 ? (size_t)k * 6 : below(&chance, n);
        int bit = 1 << below(&chance, 8);
        if (at >= 136 && at < 4096)
            at += 4096; /* after the header its page is empty */
        f = fopen(name, "wb");
        bytes[at] ^= (unsigned char)bit;
        fwrite(bytes, 1, k % 50 == 49 ? at : n, f); /* and some are cut */
        bytes[at] ^= (unsigned char)bit;
        fclose(f);
        /* verified as a whole: either not used, or right */
        struct trace *sure = k % 4 == 0 ? kept_load(&kept_whole) : NULL;
        char *surely = sure ? kept_said(sure) : NULL;
        ck_assert(sure == NULL || (strcmp(surely, truth) == 0 && !trace_cache_damaged(sure)));
        unsound += sure && !trace_cached(sure);
        trace_free(sure);
        free(surely);
        if (sure) /* it may have removed the file */
            continue;
        struct trace *trace = kept_load(&kept_options);
        if (!trace_cached(trace)) {
            refused++;
            trace_free(trace);
            continue;
        }
        char *text = kept_said(trace);
        if (!trace_cache_damaged(trace)) { /* the damaged part was not accessed */
            ck_assert_msg(strcmp(text, truth) == 0, "byte %zu of %zu", at, n);
            free(text);
            trace_free(trace);
            continue;
        }
        free(text);
        noticed++;
        struct err err;
        ck_assert(trace_reload(trace, &err));
        trace_load(trace);
        ck_assert(!trace_cached(trace) && !kept_find());
        text = kept_said(trace);
        ck_assert_str_eq(text, truth);
        free(text);
        trace_free(trace);
    }
    ck_assert_uint_gt(refused, 20);
    ck_assert_uint_gt(noticed, 20);
    ck_assert_uint_gt(unsound, 40);
    free(bytes);
    free(truth);
}
END_TEST

START_TEST(a_kept_index_is_of_one_content) {
    kept_put_calls(50);
    free(kept_write());
    struct trace *trace = kept_load(&kept_options);
    ck_assert(trace_cached(trace));
    trace_free(trace);
    struct stat s;
    ck_assert_int_eq(stat(kept_trace, &s), 0);
    struct timespec times[2] = {s.st_atim, s.st_mtim};
    int fd = open(kept_trace, O_RDWR); /* another byte, the same size and time */
    ck_assert_int_eq(pwrite(fd, "x", 1, s.st_size - 100), 1);
    ck_assert_int_eq(futimens(fd, times), 0);
    trace = kept_load(&kept_options);
    ck_assert(!trace_cached(trace));
    trace_free(trace);
    free(kept_write());
    times[1].tv_sec++; /* another time */
    ck_assert_int_eq(futimens(fd, times), 0);
    trace = kept_load(&kept_options);
    ck_assert(!trace_cached(trace));
    trace_free(trace);
    free(kept_write());
    ck_assert_int_eq(ftruncate(fd, s.st_size + 8), 0); /* another size */
    ck_assert_int_eq(futimens(fd, times), 0);
    trace = kept_load(&kept_options);
    ck_assert(!trace_cached(trace));
    trace_free(trace);
    close(fd);
}
END_TEST

START_TEST(what_grows_is_read_after_all) {
    struct err err;
    kept_put_calls(50);
    free(kept_write());
    struct trace *trace = kept_load(&kept_options);
    ck_assert(trace_cached(trace));
    ck_assert(trace_follow(trace, true, &err));
    ck_assert(!trace_cached(trace));
    FILE *f = fopen(kept_trace, "ab");
    uint64_t zero = 0;
    fwrite(&zero, 8, 1, f);
    fclose(f);
    while (trace_step(trace, 1 << 20) == TRACE_LOADING)
        ;
    ck_assert_uint_eq(reader_offset(trace_reader(trace)), file_size(trace_file(trace)));
    trace_free(trace);
}
END_TEST

START_TEST(small_and_unwanted_ones_are_not_kept) {
    kept_put_calls(50);
    struct trace_options large = {.cache_from = 1 << 30}, none = {0};
    struct trace *trace = kept_load(&large);
    trace_persist(trace);
    trace_free(trace);
    trace = kept_load(&none);
    trace_persist(trace);
    trace_free(trace);
    ck_assert(!kept_find());
    free(kept_write());
    trace = kept_load(&none);
    ck_assert(!trace_cached(trace));
    trace_free(trace);
}
END_TEST

/* The oldest are removed first; sparse files play large ones. */
START_TEST(all_of_them_together_are_bounded) {
    kept_put_calls(50);
    free(kept_write());
    char old[3][SCRATCH_PATH + 40];
    for (int i = 0; i < 3; i++) {
        struct timespec times[2] = {{.tv_sec = 1000 + i}, {.tv_sec = 1000 + i}};
        snprintf(old[i], sizeof old[i], "%s/fxtop/%d.index", kept_folder, i);
        int fd = open(old[i], O_CREAT | O_WRONLY, 0600);
        ck_assert_int_eq(ftruncate(fd, (off_t)(CACHE_MOST / 2)), 0);
        ck_assert_int_eq(futimens(fd, times), 0);
        close(fd);
    }
    struct trace *trace = kept_load(&(struct trace_options){0});
    ck_assert(persist_write(trace));
    trace_free(trace);
    ck_assert_int_ne(access(old[0], F_OK), 0);
    ck_assert_int_ne(access(old[1], F_OK), 0);
    ck_assert_int_eq(access(old[2], F_OK), 0);
    unlink(old[2]);
    ck_assert(kept_find());
}
END_TEST

static int files_in(const char *folder) {
    int n = 0;
    DIR *d = opendir(folder);
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
        n += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

START_TEST(written_whole_or_not_at_all) {
    char folder[SCRATCH_PATH + 20];
    kept_put_calls(3000);
    struct trace *trace = kept_load(&kept_options);
    snprintf(folder, sizeof folder, "%s/fxtop", kept_folder);
    for (rlim_t most = 0; most < 1000000; most = most * 3 + 1000) {
        pid_t child = fork();
        if (child == 0) {
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, most});
            _exit(persist_write(trace) || files_in(folder) != 0);
        }
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
    }
    setenv("XDG_CACHE_HOME", "/proc", 1); /* no place for it */
    ck_assert(!persist_write(trace));
    setenv("XDG_CACHE_HOME", "not absolute", 1);
    setenv("HOME", "/proc", 1);
    ck_assert(!persist_write(trace));
    trace_free(trace);
    trace = kept_load(&kept_options); /* and none to look at either */
    ck_assert(!trace_cached(trace));
    trace_free(trace);
}
END_TEST

START_TEST(another_process_writes_it) {
    kept_put_calls(3000);
    struct trace *trace = kept_load(&kept_options);
    char *before = kept_said(trace);
    pid_t writer = persist_save(trace);
    ck_assert_int_gt(writer, 0);
    free(kept_said(trace)); /* meanwhile */
    ck_assert(cache_reap(writer, true));
    trace_free(trace);
    trace = kept_load(&kept_options);
    ck_assert(trace_cached(trace));
    char *after = kept_said(trace);
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    trace_free(trace);
}
END_TEST

static void look_for_files(struct cache *cache, void *ctx) {
    const char *leaked = ctx;
    struct stat s;
    (void)cache;
    for (int fd = 0; fd < 200; fd++)
        if (fstat(fd, &s) == 0 && (S_ISFIFO(s.st_mode) || isatty(fd)))
            close(open(leaked, O_CREAT | O_WRONLY, 0600));
}

/* A reader of the output gets EOF without waiting for the index. */
START_TEST(it_keeps_no_file_of_ours_open) {
    char leaked[SCRATCH_PATH + 20];
    int ends[2];
    kept_put_calls(50);
    struct trace *trace = kept_load(&kept_options);
    snprintf(leaked, sizeof leaked, "%s/leaked", kept_folder);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert(cache_write(trace_file(trace), 0, look_for_files, leaked));
    ck_assert_int_eq(unlink(leaked), 0); /* here there are some */
    pid_t writer = cache_spawn(trace_file(trace), 0, look_for_files, leaked);
    ck_assert_int_gt(writer, 0);
    ck_assert(cache_reap(writer, true));
    ck_assert_int_ne(access(leaked, F_OK), 0);
    close(ends[0]);
    close(ends[1]);
    trace_free(trace);
}
END_TEST

/* One of a machine whose words are shorter, aligned otherwise, or turned round. The check does not
 * cover the magic. */
START_TEST(another_machine_s_index_is_not_taken) {
    kept_put_calls(50);
    free(kept_write());
    FILE *f = fopen(kept_index, "r+b");
    uint64_t ours;
    ck_assert(f != NULL && fread(&ours, sizeof ours, 1, f) == 1);
    const uint64_t theirs[] = {ours, ours ^ sizeof(uint32_t) ^ sizeof(uint64_t),
                               ours ^ (sizeof(uint32_t) ^ sizeof(uint64_t)) << 8,
                               record_swap(ours)};
    for (int i = 0; i < 4; i++) {
        rewind(f);
        ck_assert(fwrite(&theirs[i], sizeof *theirs, 1, f) == 1 && fflush(f) == 0);
        struct trace *trace = kept_load(&kept_options);
        ck_assert_int_eq(trace_cached(trace), i == 0);
        trace_free(trace);
    }
    fclose(f);
}
END_TEST

/* ---- walks that are not the model's ---- */

enum { NEAR = 3 << 20, FAR = 5 << 20 }; /* more than is written at a time */

static struct walked {
    uint64_t first, last;
    unsigned char *near, *far;
    struct cache_far *taken;
    /* 1: a value, 2: an array, 3: one longer than memory, 4: far bytes, 5: as many as there can be,
     * 6: one more far byte, of which the check is there */
    int more;
    void *got;
} walked;

static void walk_much(struct cache *cache, void *ctx) {
    (void)ctx;
    cache_value(cache, walked.first);
    walked.near = cache_copy(cache, walked.near, NEAR, 1);
    if (cache_reads(cache))
        walked.taken = cache_take_far(cache, FAR + (walked.more == 6));
    else
        cache_put_far(cache, walked.far, FAR);
    cache_value(cache, walked.last);
    uint64_t value = 77;
    switch (walked.more) {
    case 1:
        cache_value(cache, value);
        walked.got = value == 0 ? NULL : &walked;
        break;
    case 2:
        walked.got = cache_array(cache, NULL, 1, 1);
        break;
    case 3:
        walked.got = cache_array(cache, NULL, SIZE_MAX / 4, 8);
        break;
    case 4:
        walked.got = cache_take_far(cache, 1);
        break;
    case 5:
        walked.got = cache_take_far(cache, UINT64_MAX);
        break;
    default:
        break;
    }
}

static void never_filled(void *ctx, uint64_t block) {
    (void)ctx;
    ck_abort_msg("block %d is damaged", (int)block);
}

START_TEST(what_is_read_is_what_was_written_and_no_more) {
    kept_put_calls(5);
    struct trace *trace = kept_load(&kept_options);
    struct file *file = trace_file(trace);
    unsigned char *near = malloc(NEAR), *far = malloc(FAR);
    ck_assert(near && far);
    for (size_t i = 0; i < FAR; i++)
        far[i] = (unsigned char)(i * i >> 7 ^ i);
    memcpy(near, far + 99, NEAR);
    walked = (struct walked){.first = 11, .last = 12, .near = near, .far = far};
    ck_assert(cache_write(file, 0, walk_much, NULL));
    for (int more = 0; more <= 6; more++) {
        walked = (struct walked){.more = more};
        struct cache *cache = cache_find(file, 0);
        ck_assert_ptr_nonnull(cache);
        walk_much(cache, NULL);
        if (more == 6) {
            ck_assert(walked.taken == NULL && !cache_whole(cache));
            free(walked.near);
            cache_close(cache);
            break;
        }
        ck_assert_uint_eq(walked.first, 11);
        ck_assert_uint_eq(walked.last, 12);
        ck_assert(memcmp(walked.near, near, NEAR) == 0 && walked.taken &&
                  memcmp(walked.taken->v, far, FAR) == 0);
        for (uint64_t block = 0; block * CACHE_BLOCK < FAR; block++)
            cache_look(walked.taken, block, never_filled, NULL);
        ck_assert_ptr_null(walked.got);
        ck_assert_int_eq(cache_whole(cache), more == 0);
        free(walked.near);
        cache_close(cache);
    }
    free(near);
    free(far);
    trace_free(trace);
}
END_TEST

static void walk_less(struct cache *cache, void *ctx) {
    uint64_t *n = ctx, v = 0;
    for (uint64_t i = 0; i < *n; i++)
        cache_value(cache, v);
    *n = 1; /* the second time */
}

/* A persist visitor that writes other sizes than it measured. */
START_TEST(an_index_shorter_than_was_measured_is_not_kept) {
    kept_put_calls(5);
    struct trace *trace = kept_load(&kept_options);
    uint64_t n = 2;
    ck_assert(!cache_write(trace_file(trace), 0, walk_less, &n));
    ck_assert(!kept_find());
    n = 1;
    ck_assert(cache_write(trace_file(trace), 0, walk_less, &n));
    ck_assert(kept_find());
    trace_free(trace);
}
END_TEST

/* $XDG_CACHE_HOME, else $HOME/.cache, made where it is missing; a path that is not absolute is
 * none. */
START_TEST(it_lies_where_caches_do) {
    kept_put_calls(50);
    char command[SCRATCH_PATH + 40], *longest = malloc(5000);
    struct trace *trace = kept_load(&kept_options);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", kept_folder, 1);
    ck_assert(persist_write(trace));
    snprintf(command, sizeof command, "test -f %s/.cache/fxtop/*.index", kept_folder);
    ck_assert_int_eq(system(command), 0);
    setenv("XDG_CACHE_HOME", "", 1);
    ck_assert(persist_write(trace));
    setenv("HOME", "not/absolute", 1);
    ck_assert(!persist_write(trace));
    unsetenv("HOME");
    ck_assert(!persist_write(trace));
    memset(longest, '/', 4999);
    longest[4999] = '\0';
    setenv("XDG_CACHE_HOME", longest, 1);
    ck_assert(!persist_write(trace));
    snprintf(command, sizeof command, "%s/file", kept_folder);
    ck_assert_int_eq(close(open(command, O_CREAT | O_WRONLY, 0600)), 0);
    setenv("XDG_CACHE_HOME", command, 1); /* is a file */
    ck_assert(!persist_write(trace));
    snprintf(command, sizeof command, "%s/file/below", kept_folder);
    setenv("XDG_CACHE_HOME", command, 1);
    ck_assert(!persist_write(trace));
    trace_free(trace);
    free(longest);
}
END_TEST

/* Other files are left alone; within one second the nanoseconds decide which is older. */
START_TEST(only_indexes_make_room) {
    static const char *const others[] = {"x", "a file of somebody else's", "a.index"};
    static const long ns[] = {500, 300, 300, 700};
    char name[4][SCRATCH_PATH + 40], other[SCRATCH_PATH + 300];
    kept_put_calls(50);
    struct trace *trace = kept_load(&kept_options);
    ck_assert(persist_write(trace));
    for (int i = 0; i < 4; i++) {
        struct timespec times[2] = {{1000, ns[i]}, {1000, ns[i]}};
        snprintf(name[i], sizeof name[i], "%s/fxtop/%d.index", kept_folder, i);
        int fd = open(name[i], O_CREAT | O_WRONLY, 0600);
        ck_assert(ftruncate(fd, (off_t)(CACHE_MOST / 2)) == 0 && futimens(fd, times) == 0 &&
                  close(fd) == 0);
    }
    for (int i = 0; i < 3; i++) {
        snprintf(other, sizeof other, "%s/fxtop/%s", kept_folder, others[i]);
        if (i == 2) {
            ck_assert_int_eq(mkdir(other, 0700), 0);
            continue;
        }
        int fd = open(other, O_CREAT | O_WRONLY, 0600);
        ck_assert(ftruncate(fd, (off_t)CACHE_MOST) == 0 && close(fd) == 0);
    }
    ck_assert(persist_write(trace));
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(access(name[i], F_OK), i == 3 ? 0 : -1);
    for (int i = 0; i < 3; i++) {
        snprintf(other, sizeof other, "%s/fxtop/%s", kept_folder, others[i]);
        ck_assert_int_eq(access(other, F_OK), 0);
    }
    trace_free(trace);
}
END_TEST

/* If more files are open than can be guarded, the index cache is not used: it may be truncated
 * while it is drawn. */
START_TEST(what_cannot_be_guarded_is_not_taken) {
    struct file *files[170];
    struct err err;
    kept_put_calls(50);
    free(kept_write());
    for (int i = 0; i < 170; i++)
        ck_assert_ptr_nonnull(files[i] = file_open(kept_trace, NULL, &err));
    struct trace *trace = kept_load(&kept_options);
    ck_assert(!trace_cached(trace));
    trace_free(trace);
    for (int i = 0; i < 170; i++)
        file_close(files[i]);
    trace = kept_load(&kept_options);
    ck_assert(trace_cached(trace));
    trace_free(trace);
}
END_TEST

/* A cached index belongs to the user, and has the size in its header. */
START_TEST(what_only_looks_like_an_index_is_none) {
    kept_put_calls(50);
    free(kept_write());
    char aside[SCRATCH_PATH + 20];
    struct stat s;
    ck_assert_int_eq(stat(kept_index, &s), 0);
    snprintf(aside, sizeof aside, "%s/aside", kept_folder);
    for (int i = 0; i < 4; i++) {
        bool made = i == 0   ? truncate(kept_index, 100) == 0
                    : i == 1 ? unlink(kept_index) == 0 && mkdir(kept_index, 0700) == 0
                    : i == 2 ? rmdir(kept_index) == 0 && symlink(aside, kept_index) == 0
                             : unlink(kept_index) == 0 &&
                                   close(open(kept_index, O_CREAT | O_WRONLY, 0600)) == 0;
        ck_assert(made);
        struct trace *trace = kept_load(&kept_options);
        ck_assert(!trace_cached(trace));
        trace_free(trace);
    }
    unlink(kept_index);
    free(kept_write());
    ck_assert_int_eq(truncate(kept_index, s.st_size + 8), 0);
    struct trace *trace = kept_load(&kept_options);
    ck_assert(!trace_cached(trace));
    trace_free(trace);
    ck_assert_int_eq(truncate(kept_index, (off_t)(CACHE_MOST + 8192)), 0);
    trace = kept_load(&kept_options);
    ck_assert(!trace_cached(trace));
    trace_free(trace);
}
END_TEST

SUITE(persist) {
    Suite *s = suite_create("persist");
    TCase *t = tcase_create("persist");
    tcase_set_timeout(t, 120);
    tcase_add_checked_fixture(t, kept_set_up, kept_tear_down);
    tcase_add_test(t, every_trace_says_the_same_when_it_was_kept);
    tcase_add_test(t, sort_indexes_and_labels_are_kept);
    tcase_add_test(t, another_process_writes_it);
    tcase_add_test(t, it_keeps_no_file_of_ours_open);
    tcase_add_test(t, damage_is_noticed_wherever_it_is);
    tcase_add_test(t, another_machine_s_index_is_not_taken);
    tcase_add_test(t, a_kept_index_is_of_one_content);
    tcase_add_test(t, what_grows_is_read_after_all);
    tcase_add_test(t, small_and_unwanted_ones_are_not_kept);
    tcase_add_test(t, all_of_them_together_are_bounded);
    tcase_add_test(t, written_whole_or_not_at_all);
    tcase_add_test(t, what_is_read_is_what_was_written_and_no_more);
    tcase_add_test(t, an_index_shorter_than_was_measured_is_not_kept);
    tcase_add_test(t, it_lies_where_caches_do);
    tcase_add_test(t, only_indexes_make_room);
    tcase_add_test(t, what_cannot_be_guarded_is_not_taken);
    tcase_add_test(t, what_only_looks_like_an_index_is_none);
    suite_add_tcase(s, t);
    return s;
}
