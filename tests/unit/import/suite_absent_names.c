/* suite_absent_names.c - names that a trace has not: a source is asked once for each address, names
 * of the trace come first, and a rewritten trace has all of them. */
#include "src/import/profiles/absent_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/folded.h"
#include "src/import/rewrite.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/checked.h"
#include "tests/unit/lib/suites.h"

/* Two processes with one library, and another one that no source knows. */
#define STACKS                                                                                     \
    "magic\nmodule 0 5/6 1 \"/lib/libm.so\" \"aa\"\nmmap 0 5/6 1 5 0x1000 0x1000 0x500\n"          \
    "module 0 7/8 4 \"/lib/libm.so\" \"AA\"\nmmap 0 7/8 4 5 0x9000 0x1000 0x500\n"                 \
    "module 0 7/8 2 \"/lib/other.so\" \"\"\nmmap 0 7/8 2 5 0x4000 0x1000 0x0\n"                    \
    "blob \"symbols\" 1 \"symbols 1\\nm\\t0\\taa\\tlibm.so\\nf\\t0\\tmain\\tm.c\\n"                \
    "a\\t0\\t50f\\t0:3\\n\"\n"                                                                     \
    "backtrace 1000 5/6 0x1100 0x1010\nbacktrace 2000 7/8 0x9100 0x9010\n"                         \
    "backtrace 3000 7/8 0x4100 0x9010\nbacktrace 4000 7/8 0x9200 0x9010\n"                         \
    "backtrace 5000 7/8 0x9300 0x9010\n"

static unsigned asked; /* times */

/* 600 is in a function, and in another one that has it inlined; of 700 nothing is known; names of
 * 800 are hostile. */
static struct str find(void *ctx, struct str build_id, struct str name, uint64_t address) {
    (void)ctx;
    if (!str_eq(build_id, STR("aa")))
        return STR("");
    ck_assert(str_eq(name, STR("/lib/libm.so")));
    ck_assert_uint_ne(address, 0x50f); /* the trace has it */
    asked++;
    if (address == 0x800)
        return STR("hostile\th.c\tno number\tx");
    return address == 0x600 ? STR("inner\ti.c\t7\touter\to.c\t9") : STR("");
}

static const struct symbols_source source = {NULL, find};

static void put(char path[SCRATCH_PATH], const char *text) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "line %d: %s", (int)err.at, err.text);
    ck_assert(scratch_write(path, "absent", bytes.v, bytes.n));
    free(bytes.v);
}

/* Samples by stack. */
static char *stacks_of(const char *path, const struct symbols_source *symbols) {
    struct err err;
    char *text = NULL;
    size_t n;
    struct trace *trace = trace_open(path, &(struct trace_options){.symbols = symbols}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    FILE *f = open_memstream(&text, &n);
    ck_assert(folded_export(trace, &(struct range){0}, NULL, FOLDED_BY_SAMPLES, f));
    fclose(f);
    trace_free(trace);
    return text;
}

static void rewrite(const char *from, char to[SCRATCH_PATH], const struct symbols_source *symbols,
                    unsigned redact) {
    struct err err;
    int fd = scratch_file(to, "rewritten");
    FILE *f = fdopen(fd, "w");
    ck_assert_ptr_nonnull(f);
    const struct rewrite_choice choice = {.symbols = symbols, .redact = redact};
    ck_assert(rewrite_fxt(from, NULL, &choice, f, &err));
    fclose(f);
}

START_TEST(an_address_is_asked_for_once) {
    char path[SCRATCH_PATH];
    put(path, STACKS);
    asked = 0;
    char *text = stacks_of(path, &source);
    ck_assert_uint_eq(asked, 3); /* 600, 700, 800: the library is the same in both processes */
    ck_assert_ptr_nonnull(strstr(text, ";main;outer;inner 1\n"));
    ck_assert_ptr_nonnull(strstr(text, ";main;0x100 other.so 1\n"));
    ck_assert_ptr_nonnull(strstr(text, ";main;0x700 libm.so 1\n"));
    ck_assert_ptr_nonnull(strstr(text, ";main;0x800 libm.so 1\n"));
    ck_assert_ptr_null(strstr(text, "hostile"));
    free(text);
    unlink(path);
}
END_TEST

START_TEST(a_rewritten_trace_has_the_names) {
    char path[SCRATCH_PATH], named[SCRATCH_PATH], again[SCRATCH_PATH];
    put(path, STACKS);
    rewrite(path, named, &source, 0);
    char *want = stacks_of(path, &source), *got = stacks_of(named, NULL);
    ck_assert_str_eq(got, want);
    free(got);
    asked = 0;
    rewrite(named, again, &source, 0); /* those that no one knows are asked for again */
    ck_assert_uint_eq(asked, 2);
    got = stacks_of(again, NULL);
    ck_assert_str_eq(got, want);
    free(got);
    free(want);
    unlink(path);
    unlink(named);
    unlink(again);
}
END_TEST

START_TEST(a_redacted_trace_has_none) {
    char path[SCRATCH_PATH], named[SCRATCH_PATH];
    put(path, STACKS);
    asked = 0;
    rewrite(path, named, &source, REDACT_NAMES);
    ck_assert_uint_eq(asked, 0);
    unlink(path);
    unlink(named);
}
END_TEST

/* A function of 1,500 bytes at each address. */
static struct str find_long(void *ctx, struct str build_id, struct str name, uint64_t address) {
    static char text[2000];
    (void)ctx;
    (void)build_id;
    (void)name;
    int n = snprintf(text, sizeof text, "f%x_%01500d\tlong.c\t1", (unsigned)address, 0);
    return (struct str){text, (size_t)n};
}

START_TEST(many_names_are_in_several_blobs) {
    enum { ADDRESSES = 100 };
    static const struct symbols_source named_long = {NULL, find_long};
    static char text[20000];
    char path[SCRATCH_PATH], named[SCRATCH_PATH];
    struct absent_names names = {.found = 0};
    struct err err;
    text[0] = 0;
    checked_append(text, sizeof text,
                   "magic\nmodule 0 5/6 1 \"/lib/libm.so\" \"aa\"\n"
                   "mmap 0 5/6 1 5 0x1000 0x1000 0x500\n");
    for (int i = 0; i < ADDRESSES; i++)
        checked_append(text, sizeof text, "backtrace %d 5/6 0x%x\n", 1000 * (i + 1), 0x1000 + i);
    put(path, text);
    struct file *file = file_open(path, NULL, &err);
    ck_assert_ptr_nonnull(file);
    absent_names_find(&names, file, &named_long);
    file_close(file);
    ck_assert_uint_eq(names.found, ADDRESSES);
    ck_assert_uint_gt(names.ends.n, ADDRESSES * 1500 / 24000);
    for (size_t i = 0; i < names.ends.n; i++) {
        struct str blob = absent_names_blob(&names, i);
        ck_assert(blob.n > 10 && blob.n <= 24000 + 10);
        ck_assert_int_eq(memcmp(blob.s, "symbols\t1\n", 10), 0);
        ck_assert_int_eq(blob.s[blob.n - 1], '\n');
    }
    ck_assert_uint_eq(absent_names_blob(&names, names.ends.n).n, 0);
    absent_names_free(&names);
    rewrite(path, named, &named_long, 0);
    char *stacks = stacks_of(named, NULL), *rest = NULL;
    unsigned found = 0;
    for (char *line = strtok_r(stacks, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        found += strstr(line, ";f5") != NULL;
    ck_assert_uint_eq(found, ADDRESSES);
    free(stacks);
    unlink(path);
    unlink(named);
}
END_TEST

SUITE(absent_names) {
    Suite *s = suite_create("absent_names");
    TCase *c = tcase_create("absent_names");
    tcase_add_test(c, an_address_is_asked_for_once);
    tcase_add_test(c, a_rewritten_trace_has_the_names);
    tcase_add_test(c, a_redacted_trace_has_none);
    tcase_add_test(c, many_names_are_in_several_blobs);
    suite_add_tcase(s, c);
    return s;
}
