/* suite_follow.c - files that change: what is read while they grow is what would be read at
 * once. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "src/fxt/writer.h"
#include "src/import/importers.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {4711};

static char path[SCRATCH_PATH];

static void set_up(void) {
    ck_assert(scratch_write(path, "follow", "", 0));
}

static void tear_down(void) {
    unlink(path);
}

static void put(const char *how, const void *bytes, size_t n) {
    FILE *f = fopen(path, how);
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

static struct trace_bytes load(const char *name) {
    struct err err;
    struct trace_bytes bytes = tracegen_load(name, &err);
    ck_assert_msg(bytes.v != NULL, "%s: %s", name, err.text);
    return bytes;
}

static struct trace *open_trace(bool follow) {
    struct trace_options options = {.follow = follow, .file.importers = importers};
    struct err err;
    struct trace *trace = trace_open(path, &options, &err);
    ck_assert_msg(trace != NULL, "%s", trace ? "" : err.text);
    return trace;
}

/* Reads on until nothing more is there, and once more: then what can be put off is done. */
static void catch_up(struct trace *trace) {
    for (int i = 0; i < 100; i++)
        if (trace_step(trace, 1 << 20) == TRACE_WAITING && !trace_unflushed(trace))
            return;
    ck_abort_msg("it reads on and on");
}

static char *exported(struct trace *trace) {
    char *out = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&out, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    return out;
}

static char *exported_at_once(void) {
    struct trace *trace = open_trace(false);
    trace_load(trace);
    char *out = exported(trace);
    trace_free(trace);
    return out;
}

/* ---- growing ---- */

static struct dirent **fixtures = NULL;

static int is_text(const struct dirent *d) {
    size_t n = strlen(d->d_name);
    return n > 4 && strcmp(d->d_name + n - 4, ".txt") == 0;
}

/* In pieces of at most `most` bytes, after the first ones. */
static void grow(const struct trace_bytes *bytes, size_t first, size_t most, const char *name) {
    struct err err;
    put("wb", bytes->v, first);
    struct trace *trace = open_trace(true);
    catch_up(trace);
    for (size_t at = first; at < bytes->n;) {
        size_t n = 1 + below(&chance, most);
        n = n < bytes->n - at ? n : bytes->n - at;
        put("ab", bytes->v + at, n);
        at += n;
        catch_up(trace);
        ck_assert(file_imported(trace_file(trace)) || file_size(trace_file(trace)) == at);
    }
    ck_assert(trace_follow(trace, false, &err));
    trace_load(trace);
    ck_assert_int_eq(trace_state(trace), TRACE_COMPLETE);
    char *got = exported(trace), *wanted = exported_at_once();
    ck_assert_msg(strcmp(got, wanted) == 0, "%s in pieces of %zu\n%s\n%s", name, most, wanted, got);
    free(got);
    free(wanted);
    trace_free(trace);
}

START_TEST(what_grows_is_read_as_if_it_had_been_there) {
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strlen(fixtures[_i]->d_name) - 4,
             fixtures[_i]->d_name);
    struct trace_bytes bytes = load(name);
    static const unsigned char magic[] = {0x10, 0x00, 0x04, 0x46, 0x78, 0x54, 0x16, 0x00};
    unsigned char other[8];
    for (int i = 0; i < 8; i++)
        other[i] = magic[7 - i];
    /* without it a trace is only known by several records */
    if (bytes.n >= 8 && (memcmp(bytes.v, magic, 8) == 0 || memcmp(bytes.v, other, 8) == 0)) {
        if (bytes.n < 3000)
            grow(&bytes, 8, 1, name);
        grow(&bytes, 8, 16, name);
        grow(&bytes, 8, 400, name);
    }
    free(bytes.v);
}
END_TEST

static const char *const sources[] = {
    "phases.json",       "damaged.json",       "pytorch.json",
    "node.json",         "cmake.json",         "rust.json",
    "xray.json",         "stacks.folded",      "strace.txt",
    "strace_screen.txt", "strace_since.txt",   "ftrace.txt",
    "ftrace_report.txt", "ftrace_graph.txt",   "perf.txt",
    "otlp.json",         "jaeger.json",        "zipkin.json",
    "cpu_profile.json",  "table.csv",          "semicolons.csv",
    "lines.json",        "exported.json",      "small.cpuprofile",
    "old.cpuprofile",    "speedscope.json",    "speedscope_faults.json",
    "firefox.json",      "firefox_gecko.json", "firefox_faults.json"};

/* Converted files, too: an event may be cut anywhere until the rest comes. */
START_TEST(what_grows_and_is_no_fxt_is_read_as_if_it_had_been_there) {
    const char *dir = getenv("srcdir");
    char name[700];
    static unsigned char v[1 << 16];
    snprintf(name, sizeof name, "%s/tests/import/%s", dir ? dir : ".", sources[_i]);
    FILE *f = fopen(name, "rb");
    ck_assert_msg(f != NULL, "%s", name);
    struct trace_bytes bytes = {v, fread(v, 1, sizeof v, f)};
    struct chance before = chance; /* other tests go on from there if they are not forked */
    fclose(f);
    grow(&bytes, 60, 16, sources[_i]);
    grow(&bytes, 60, 400, sources[_i]);
    chance = before;
}
END_TEST

START_TEST(one_that_had_ended_is_followed_on) {
    struct trace_bytes bytes = load("every_kind");
    struct err err;
    /* also in the middle of a record, which then had an end of its own */
    for (size_t cut = 0; cut < 64; cut++) {
        size_t first = bytes.n * 2 / 3 / 8 * 8 + cut;
        put("wb", bytes.v, first);
        struct trace *trace = open_trace(false);
        trace_load(trace);
        ck_assert(!trace_follows(trace));
        put("ab", bytes.v + first, bytes.n - first);
        ck_assert_int_eq(file_changed(trace_file(trace)), FILE_GREW);
        ck_assert(trace_follow(trace, true, &err));
        ck_assert(trace_follows(trace));
        catch_up(trace);
        ck_assert(trace_follow(trace, false, &err));
        trace_load(trace);
        char *got = exported(trace), *wanted = exported_at_once();
        ck_assert_str_eq(got, wanted);
        free(got);
        free(wanted);
        trace_free(trace);
    }
    free(bytes.v);
}
END_TEST

/* ---- other content ---- */

START_TEST(a_change_is_noticed_and_told_from_growth) {
    struct trace_bytes bytes = load("every_kind");
    struct err err;
    put("wb", bytes.v, bytes.n);
    struct file *file = file_open(path, NULL, &err);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(file_changed(file), FILE_SAME);
    put("ab", bytes.v, 8);
    ck_assert_int_eq(file_changed(file), FILE_GREW);
    bytes.v[9] ^= 1;
    put("wb", bytes.v, bytes.n); /* as long as before */
    put("ab", bytes.v, 16);
    ck_assert_int_eq(file_changed(file), FILE_OTHER);
    bytes.v[9] ^= 1;
    bytes.v[bytes.n - 1] ^= 1;
    put("wb", bytes.v, bytes.n);
    put("ab", bytes.v, 24);
    ck_assert_int_eq(file_changed(file), FILE_OTHER);
    bytes.v[bytes.n - 1] ^= 1;
    put("wb", bytes.v, bytes.n - 8);
    ck_assert_int_eq(file_changed(file), FILE_OTHER);
    put("wb", bytes.v, bytes.n);
    ck_assert_int_eq(file_changed(file), FILE_SAME); /* only touched */
    char other[sizeof path + 2];
    snprintf(other, sizeof other, "%s.o", path);
    ck_assert_int_eq(rename(path, other), 0);
    ck_assert_int_eq(file_changed(file), FILE_OTHER); /* gone */
    put("wb", bytes.v, bytes.n);
    ck_assert_int_eq(file_changed(file), FILE_OTHER); /* another one in its place */
    unlink(other);
    file_close(file);
    free(bytes.v);
}
END_TEST

START_TEST(what_was_replaced_is_read_again) {
    struct trace_bytes bytes = load("every_kind"), other = load("slice_nested");
    struct err err;
    put("wb", bytes.v, bytes.n);
    struct trace *trace = open_trace(true);
    catch_up(trace);
    uint32_t generation = trace_generation(trace), reloads = trace_reloads(trace);
    put("wb", "no trace at all, this", 21);
    char *before = exported(trace);
    ck_assert(!trace_reload(trace, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "not a trace that fxtop knows"));
    ck_assert_uint_eq(trace_generation(trace), generation);
    char *after = exported(trace); /* its bytes are gone; the model stays */
    ck_assert_uint_eq(strlen(before) > 0, strlen(after) > 0);
    put("wb", other.v, other.n);
    ck_assert(trace_reload(trace, &err));
    ck_assert_uint_ne(trace_generation(trace), generation);
    ck_assert_uint_eq(trace_reloads(trace), reloads + 1);
    ck_assert(trace_follows(trace));
    catch_up(trace);
    ck_assert(trace_follow(trace, false, &err));
    trace_load(trace);
    char *got = exported(trace), *wanted = exported_at_once();
    ck_assert_str_eq(got, wanted);
    free(before);
    free(after);
    free(got);
    free(wanted);
    free(bytes.v);
    free(other.v);
    trace_free(trace);
}
END_TEST

START_TEST(what_does_not_grow_says_so) {
    struct trace_bytes bytes = load("slice_nested");
    struct err err;
    int pipes[2];
    ck_assert_int_eq(pipe(pipes), 0);
    ck_assert_int_eq(write(pipes[1], bytes.v, bytes.n), (ssize_t)bytes.n);
    close(pipes[1]);
    dup2(pipes[0], STDIN_FILENO);
    struct trace_options options = {0};
    struct trace *trace = trace_open("-", &options, &err);
    ck_assert_ptr_nonnull(trace);
    ck_assert(!trace_follow(trace, true, &err));
    ck_assert(strlen(err.text) > 0);
    ck_assert_int_eq(file_changed(trace_file(trace)), FILE_SAME);
    trace_free(trace);
    close(pipes[0]);
    free(bytes.v);
}
END_TEST

/* ---- a flush in a pause that more input interrupts ---- */

/* Events of each kind in a part of the file: full batches (model/trace/batch.h), and rests of
 * batches that take more steps than a pause has. */
#define PART_EVENTS 12184
#define PARTS 4
#define ALL_BYTES (64u << 20)
#define PIPE_BYTES (16u << 10) /* a pipe holds as many */

/* Operations, flows and context switches in time order, but for a few in `late`. parts: where each
 * part ends. */
static struct trace_bytes parts_of_events(unsigned late, size_t parts[PARTS]) {
    struct trace_bytes bytes = {0};
    static const char *const kinds[] = {"begin", "step", "end"};
    for (int part = 0; part < PARTS; part++) {
        char *text = NULL;
        size_t size = 0;
        struct err err;
        FILE *f = open_memstream(&text, &size);
        if (part == 0)
            fputs("magic\ninit 1000000000\n", f);
        for (int i = 0; i < PART_EVENTS; i++) {
            long t = (part * PART_EVENTS + i) * 9L;
            if (late && below(&chance, late) == 0)
                t = (long)below(&chance, (uint64_t)t + 1);
            unsigned thread = 6 + (unsigned)below(&chance, 3), id = (unsigned)below(&chance, 9);
            fprintf(f, "async_%s %ld 5/%u \"c\" \"a\" id=%u\n", kinds[2 * below(&chance, 2)], t,
                    thread, id);
            fprintf(f, "flow_%s %ld 5/%u \"c\" \"f\" id=%u\n", kinds[below(&chance, 3)], t, thread,
                    id);
            fprintf(f, "switch %ld %u %u %u %u\n", t, id % 2, 20 + thread, id % 6,
                    20 + (thread + 1) % 9);
        }
        ck_assert_int_eq(fclose(f), 0);
        struct trace_bytes more = tracegen(text, &err);
        ck_assert_msg(more.v != NULL, "%s", err.text);
        bytes.v = realloc(bytes.v, bytes.n + more.n);
        ck_assert_ptr_nonnull(bytes.v);
        memcpy(bytes.v + bytes.n, more.v, more.n);
        parts[part] = bytes.n += more.n;
        free(more.v);
        free(text);
    }
    return bytes;
}

/* Each step has time for a look at the clock alone. */
static void pause_shortly(struct trace *trace) {
    for (uint64_t n = 1 + below(&chance, 12); n > 0; n--)
        trace_step(trace, 8);
    ck_assert(trace_unflushed(trace));
}

static void must_be_as_at_once(struct trace *trace) {
    ck_assert_int_eq(trace_state(trace), TRACE_COMPLETE);
    char *got = exported(trace), *wanted = exported_at_once();
    ck_assert(strcmp(strchr(got, '\n'), strchr(wanted, '\n')) == 0); /* after the file's name */
    free(got);
    free(wanted);
    trace_free(trace);
}

static const unsigned lates[] = {0, 9000, 50};

START_TEST(a_pause_of_a_followed_file_ends_at_any_step) {
    size_t parts[PARTS];
    struct err err;
    struct trace_bytes bytes = parts_of_events(lates[_i], parts);
    put("wb", bytes.v, parts[0]);
    struct trace *trace = open_trace(true);
    for (int part = 0;; part++) {
        while (trace_read(trace, ALL_BYTES) != TRACE_WAITING)
            ;
        if (part == PARTS - 1)
            break;
        pause_shortly(trace);
        put("ab", bytes.v + parts[part], parts[part + 1] - parts[part]);
    }
    ck_assert(trace_follow(trace, false, &err));
    trace_load(trace);
    must_be_as_at_once(trace);
    free(bytes.v);
}
END_TEST

START_TEST(a_pause_of_a_pipe_ends_at_any_step) {
    size_t parts[PARTS], at = 0;
    struct err err;
    struct trace_bytes bytes = parts_of_events(lates[_i], parts);
    struct trace *trace = NULL;
    int pipes[2];
    put("wb", bytes.v, bytes.n);
    ck_assert_int_eq(pipe(pipes), 0);
    ck_assert_int_ge(dup2(pipes[0], STDIN_FILENO), 0);
    for (int part = 0; part < PARTS; part++) {
        while (at < parts[part]) {
            size_t n = parts[part] - at < PIPE_BYTES ? parts[part] - at : PIPE_BYTES;
            ck_assert_int_eq(write(pipes[1], bytes.v + at, n), (ssize_t)n);
            at += n;
            if (trace == NULL)
                trace = trace_open("-", &(struct trace_options){0}, &err);
            ck_assert_ptr_nonnull(trace);
            while (file_size(trace_file(trace)) < at)
                trace_read(trace, ALL_BYTES);
        }
        if (part < PARTS - 1)
            pause_shortly(trace);
    }
    close(pipes[1]);
    trace_load(trace);
    must_be_as_at_once(trace);
    close(pipes[0]);
    free(bytes.v);
}
END_TEST

START_TEST(the_last_flush_ends_at_any_step_if_the_file_is_followed) {
    size_t parts[PARTS];
    struct err err;
    struct trace_bytes bytes = parts_of_events(lates[_i], parts);
    put("wb", bytes.v, parts[0]);
    struct trace *trace = open_trace(false);
    for (int part = 0; part < PARTS - 1; part++) {
        while (reader_offset(trace_reader(trace)) < parts[part])
            trace_read(trace, parts[part]);
        for (uint64_t n = below(&chance, 12); n > 0; n--)
            trace_step(trace, 8);
        put("ab", bytes.v + parts[part], parts[part + 1] - parts[part]);
        ck_assert(trace_follow(trace, true, &err));
        ck_assert_int_eq(trace_read(trace, ALL_BYTES), TRACE_WAITING);
        ck_assert(trace_follow(trace, false, &err));
    }
    trace_load(trace);
    ck_assert_uint_eq(reader_offset(trace_reader(trace)), bytes.n);
    must_be_as_at_once(trace);
    free(bytes.v);
}
END_TEST

/* Times that are over 2^61 ns apart, then one that is earlier than all of them. */
START_TEST(times_far_apart_are_exact_while_it_is_followed) {
    static const char *const parts[] = {
        "magic\ninit 1000000000\n"
        "complete 1000 1/11 \"c\" \"a\" end=1500\n"
        "complete 2000 1/11 \"c\" \"hang\" end=6000000000000000000\n"
        "complete 4000000000000000000 1/11 \"c\" \"in\" end=5000000000000000000\n",
        "complete 500 1/12 \"c\" \"early\" end=800\n"};
    struct trace *trace = NULL;
    for (int i = 0; i < 2; i++) {
        struct err err;
        struct trace_bytes bytes = tracegen(parts[i], &err);
        put(i == 0 ? "wb" : "ab", bytes.v, bytes.n);
        free(bytes.v);
        trace = trace ? trace : open_trace(true);
        catch_up(trace);
        char *got = exported(trace), *wanted = exported_at_once();
        ck_assert_str_eq(got, wanted);
        free(got);
        free(wanted);
    }
    trace_free(trace);
}
END_TEST

/* A trace of so many context switches and async operations of two threads that its logs are freed
 * at its end. */
static void put_many(const char *how, uint64_t from, uint64_t n) {
    FILE *f = fopen(path, how);
    struct writer w;
    struct err err;
    ck_assert_ptr_nonnull(f);
    writer_init(&w, f);
    if (from == 0)
        writer_magic(&w);
    for (uint64_t i = from; i < from + n; i++) {
        struct writer_switch to = {.ts = i * 10, .cpu = (unsigned)(i % 3), .out_state = 1 + i % 3};
        struct writer_event e = {.ts = i * 10 + 5,
                                 .thread = writer_inline_thread(7, 8 + i % 2),
                                 .category = writer_inline(STR("c")),
                                 .name = writer_inline(STR("n"))};
        to.out = writer_inline_thread(7, 8 + i / 3 % 2);
        to.in = writer_inline_thread(7, 8 + (i / 3 + 1) % 2);
        writer_switch_legacy(&w, &to);
        writer_async(&w, i % 2 ? FXT_ASYNC_END : FXT_ASYNC_BEGIN, &e, i / 2 % 5);
    }
    ck_assert(writer_flush(&w, &err));
    writer_free(&w);
    fclose(f);
}

/* The slow reading: a followed trace keeps its logs. */
static char *exported_with_logs(void) {
    struct err err;
    struct trace *trace = open_trace(true);
    catch_up(trace);
    ck_assert(trace_follow(trace, false, &err));
    char *out = exported(trace);
    trace_free(trace);
    return out;
}

START_TEST(logs_freed_at_the_end_change_no_answer_and_can_be_followed) {
    const uint64_t n = 120000;
    struct err err;
    put_many("wb", 0, n);
    struct trace *trace = open_trace(false);
    while (trace_step(trace, 100000) != TRACE_COMPLETE)
        ;
    char *got = exported(trace), *wanted = exported_with_logs();
    ck_assert_str_eq(got, wanted);
    free(got);
    free(wanted);
    struct trace *logged = open_trace(true);
    catch_up(logged);
    /* packed: 5 to 7 bytes a switch, about 4 an operation */
    uint64_t logs = trace_bytes(logged) - trace_bytes(trace);
    ck_assert(trace_bytes(trace) <= trace_bytes(logged) && logs >= 10 * n && logs <= 11 * n);
    trace_free(logged);
    uint32_t reloads = trace_reloads(trace);
    ck_assert(trace_follow(trace, false, &err) && trace_state(trace) == TRACE_COMPLETE);
    put_many("ab", n, 1000);
    ck_assert(trace_follow(trace, true, &err));
    catch_up(trace);
    ck_assert_uint_eq(trace_reloads(trace), reloads + 1);
    got = exported(trace);
    wanted = exported_with_logs();
    ck_assert_str_eq(got, wanted);
    free(got);
    free(wanted);
    trace_free(trace);
}
END_TEST

SUITE(follow) {
    char traces[512];
    const char *source = getenv("srcdir");
    Suite *s = suite_create("follow");
    TCase *t = tcase_create("files");
    snprintf(traces, sizeof traces, "%s/tests/traces", source ? source : ".");
    int n = scandir(traces, &fixtures, is_text, alphasort);
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, what_grows_is_read_as_if_it_had_been_there, 0, n > 0 ? n : 1);
    tcase_add_loop_test(t, what_grows_and_is_no_fxt_is_read_as_if_it_had_been_there, 0,
                        (int)(sizeof sources / sizeof *sources));
    tcase_add_test(t, one_that_had_ended_is_followed_on);
    tcase_add_test(t, a_change_is_noticed_and_told_from_growth);
    tcase_add_test(t, what_was_replaced_is_read_again);
    tcase_add_test(t, what_does_not_grow_says_so);
    tcase_add_loop_test(t, a_pause_of_a_followed_file_ends_at_any_step, 0,
                        sizeof lates / sizeof *lates);
    tcase_add_loop_test(t, a_pause_of_a_pipe_ends_at_any_step, 0, sizeof lates / sizeof *lates);
    tcase_add_loop_test(t, the_last_flush_ends_at_any_step_if_the_file_is_followed, 0,
                        sizeof lates / sizeof *lates);
    tcase_add_test(t, times_far_apart_are_exact_while_it_is_followed);
    tcase_add_test(t, logs_freed_at_the_end_change_no_answer_and_can_be_followed);
    suite_add_tcase(s, t);
    return s;
}
