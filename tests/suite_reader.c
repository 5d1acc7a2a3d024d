/* suite_reader.c - the stream: framing, steps, damage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/reader.h"
#include "tests/suites.h"
#include "tests/tracegen.h"

struct seen { /* what a sink got, as numbers that must not depend on how it was cut into steps */
    uint64_t records, problems, sum;
    uint64_t offsets[64];
    enum problem_kind kinds[64];
    uint64_t problem_offsets[64];
};

static void mix(struct seen *s, uint64_t v) {
    s->sum = (s->sum ^ v) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static void on_record(void *ctx, const struct item *item) {
    struct seen *s = ctx;
    if (s->records < 64)
        s->offsets[s->records] = item->offset;
    s->records++;
    mix(s, item->offset);
    mix(s, (uint64_t)item->time);
    mix(s, (uint64_t)item->end);
    mix(s, item->thread);
    mix(s, item->name);
    mix(s, item->record->kind);
}

static void on_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail, int64_t time) {
    struct seen *s = ctx;
    (void)time;
    if (s->problems < 64) {
        s->kinds[s->problems] = kind;
        s->problem_offsets[s->problems] = offset;
    }
    s->problems++;
    mix(s, kind);
    mix(s, offset);
    mix(s, detail);
}

static void save(const struct trace_bytes *bytes, char path[32]) {
    strcpy(path, "/tmp/fxtop-reader-XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes->v, bytes->n), (ssize_t)bytes->n);
    close(fd);
}

static enum reader_state read_all(const char *path, uint64_t budget, struct seen *seen) {
    struct err err;
    struct file *file = file_open(path, 0, &err);
    ck_assert_ptr_nonnull(file);
    struct sink sink = {seen, NULL, on_record, on_problem};
    struct reader *reader = reader_new(file, &sink);
    enum reader_state state;
    uint64_t steps = 0;
    *seen = (struct seen){0};
    do {
        state = reader_step(reader, budget);
        ck_assert_uint_lt(++steps, 200000);
    } while (state == READER_MORE);
    reader_free(reader);
    file_close(file);
    return state;
}

static struct seen of_text(const char *text) {
    struct err err;
    char path[32];
    struct seen whole, cut;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s (line %d)", bytes.v ? "" : err.text, (int)err.at);
    save(&bytes, path);
    ck_assert_int_eq(read_all(path, UINT64_MAX / 2, &whole), READER_END);
    for (uint64_t budget = 1; budget < 200; budget = budget * 3 + 1) { /* steps do not show */
        ck_assert_int_eq(read_all(path, budget, &cut), READER_END);
        ck_assert_uint_eq(cut.records, whole.records);
        ck_assert_uint_eq(cut.sum, whole.sum);
    }
    unlink(path);
    free(bytes.v);
    return whole;
}

START_TEST(a_run_of_zeros_is_one_note) {
    struct seen s = of_text("magic\nthread 1 1 2\nzeros 700\ninstant 5 t1 \"c\" \"a\"\nzeros 3\n");
    ck_assert_uint_eq(s.records, 3);
    ck_assert_uint_eq(s.problems, 2);
    ck_assert_int_eq(s.kinds[0], PROBLEM_ZERO_WORDS);
    ck_assert_uint_eq(s.problem_offsets[0], 32);
    ck_assert_int_eq(s.kinds[1], PROBLEM_ZERO_WORDS);
}
END_TEST

/* A word that happens to look like a record is not one where no chain follows it. */
START_TEST(resynchronising_asks_for_a_chain) {
    struct seen s = of_text("magic\nthread 1 1 2\n"
                            "word 0x0000000000000005\n"          /* size 0 */
                            "word 0x0000000000000033 7 7\n"      /* a thread record, but behind it: */
                            "word 0xffffffffffffffff\n"
                            "instant 5 t1 \"c\" \"a\"\ninstant 6 t1 \"c\" \"b\"\ninstant 7 t1 \"c\" \"d\"\n");
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_int_eq(s.kinds[0], PROBLEM_ZERO_SIZE);
    ck_assert_uint_eq(s.records, 5);
    ck_assert_uint_eq(s.offsets[2], 8 + 24 + 8 + 24 + 8);
}
END_TEST

START_TEST(fewer_than_a_chain_do_at_the_end) {
    struct seen s = of_text("magic\nthread 1 1 2\nword 0x8000000000000005\ninstant 5 t1 \"c\" \"a\"\n");
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_uint_eq(s.records, 3);
}
END_TEST

START_TEST(a_record_past_the_end_hides_nothing_behind_it) {
    struct seen s = of_text("magic\nthread 1 1 2\nword 0x000000000000fff4\n"
                            "instant 5 t1 \"c\" \"a\"\ninstant 6 t1 \"c\" \"b\"\n");
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_int_eq(s.kinds[0], PROBLEM_TRUNCATED_RECORD);
    ck_assert_uint_eq(s.records, 4);
}
END_TEST

START_TEST(a_large_record_of_32_GiB_allocates_nothing) {
    struct seen s = of_text("magic\nthread 1 1 2\ninstant 5 t1 \"c\" \"a\"\nword 0x0000000fffffffff 1 2\n");
    ck_assert_uint_eq(s.records, 3);
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_int_eq(s.kinds[0], PROBLEM_TRUNCATED_RECORD);
}
END_TEST

/* The same trace in the other byte order says the same. */
START_TEST(both_byte_orders_read_alike) {
    const char *text = "magic\nprovider 1 \"p\"\ninit 24000000\nstring 1 \"n\"\nthread 1 5 6\n"
                       "begin 100 t1 \"c\" s1 x=i32:-5 s=\"text\" d=f64:1.5\nend 900 t1 \"c\" s1\n"
                       "complete 200 7/8 \"c\" \"inline name\" end=300\nkernel_object 1 5 \"proc\"\n"
                       "log 400 t1 \"hello\"\nswitch 500 3 6 3 8\nblob \"b\" 1 fill:20\n";
    char *big = malloc(strlen(text) + 32);
    sprintf(big, "big_endian\n%s", text);
    struct seen a = of_text(text), b = of_text(big);
    ck_assert_uint_eq(a.records, 12);
    ck_assert_uint_eq(a.records, b.records);
    ck_assert_uint_eq(a.sum, b.sum);
    free(big);
}
END_TEST

START_TEST(what_is_no_trace_is_refused) {
    static const char elf[] = "bytes 7f 45 4c 46 02 01 01 00 00 00 00 00 00 00 00 00 03 00 3e 00 01 00 00 00";
    static const char *const texts[] = {"bytes 01 02 03", "zeros 100", elf, "word 0xffffffffffffffff 1 2 3 4 5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct err err;
        struct seen seen;
        char path[32];
        struct trace_bytes bytes = tracegen(texts[i], &err);
        save(&bytes, path);
        ck_assert_msg(read_all(path, 1 << 20, &seen) == READER_ALIEN, "%s was read", texts[i]);
        ck_assert_uint_eq(seen.records, 0);
        unlink(path);
        free(bytes.v);
    }
}
END_TEST

Suite *suite_reader(void) {
    Suite *s = suite_create("reader");
    TCase *t = tcase_create("stream");
    tcase_add_test(t, a_run_of_zeros_is_one_note);
    tcase_add_test(t, resynchronising_asks_for_a_chain);
    tcase_add_test(t, fewer_than_a_chain_do_at_the_end);
    tcase_add_test(t, a_record_past_the_end_hides_nothing_behind_it);
    tcase_add_test(t, a_large_record_of_32_GiB_allocates_nothing);
    tcase_add_test(t, both_byte_orders_read_alike);
    tcase_add_test(t, what_is_no_trace_is_refused);
    suite_add_tcase(s, t);
    return s;
}
