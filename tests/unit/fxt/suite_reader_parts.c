/* suite_reader_parts.c - several files as one stream: turns, tables, clocks, damage, derived
 * words. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/fxt/reader.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/suites.h"

enum { MOST = 64 };

struct stream { /* the events of one, in order */
    struct file *file;
    struct reader *reader;
    size_t n, problems;
    struct came {
        uint64_t offset;
        int64_t time;
        struct str name;
        uint32_t thread, part;
    } events[MOST];
    enum problem_kind kinds[MOST];
    uint64_t problem_at[MOST];
    size_t derived;               /* part; 0: none */
    struct trace_bytes to_derive; /* added when the first event comes, a record at a time */
};

static void on_record(void *ctx, const struct item *item) {
    struct stream *s = ctx;
    struct err err;
    if (!item->is_event)
        return;
    ck_assert_uint_lt(s->n, MOST);
    s->events[s->n++] =
        (struct came){item->offset, item->time, names_str(reader_names(s->reader), item->name),
                      item->thread, (uint32_t)file_part_at(s->file, item->offset)};
    if (s->n == 1 && s->to_derive.v) {
        ck_assert(file_derive(s->file, &s->derived, &err));
        for (size_t at = 0; at < s->to_derive.n; at += 8)
            ck_assert(file_derived_add(s->file, s->derived, s->to_derive.v + at, 8));
    }
}

static void on_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail,
                       int64_t time) {
    struct stream *s = ctx;
    (void)detail;
    (void)time;
    ck_assert_uint_lt(s->problems, MOST);
    s->kinds[s->problems] = kind;
    s->problem_at[s->problems++] = offset;
}

static void on_ended(void *ctx) {
    struct stream *s = ctx;
    if (s->derived)
        file_derived_end(s->file, s->derived);
}

static struct trace_bytes bytes_of(const char *text) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s (line %d)", bytes.v ? "" : err.text, (int)err.at);
    return bytes;
}

/* Opens traces as one. */
static void open_texts(struct stream *s, const char *const *texts, size_t n) {
    char paths[4][SCRATCH_PATH];
    const char *names[4] = {NULL};
    struct err err;
    size_t failed;
    for (size_t i = 0; i < n; i++) {
        struct trace_bytes bytes = bytes_of(texts[i]);
        ck_assert(scratch_write(paths[i], "parts", bytes.v, bytes.n));
        names[i] = paths[i];
        free(bytes.v);
    }
    s->file = file_open_set(names, n, NULL, &failed, &err);
    ck_assert_ptr_nonnull(s->file);
    for (size_t i = 0; i < n; i++)
        unlink(paths[i]);
    const struct sink sink = {s, NULL, NULL, on_record, on_problem, on_ended};
    s->reader = reader_new(s->file, &sink);
}

static void read_stream(struct stream *s, uint64_t step) {
    enum reader_state state = READER_MORE;
    for (int i = 0; state == READER_MORE && i < 10000; i++)
        state = reader_step(s->reader, step);
    ck_assert_int_eq(state, READER_END);
}

static void close_stream(struct stream *s) {
    reader_free(s->reader);
    file_close(s->file);
    free(s->to_derive.v);
}

static bool named(const struct came *event, const char *name) {
    return str_eq(event->name, str_of(name));
}

#define FIRST                                                                                      \
    "magic\ninit 1000000000\nprovider 1 \"p\"\nstring 1 \"one\"\nthread 1 7 8\n"                   \
    "instant 100 t1 \"c\" s1\ninstant 300 t1 \"c\" s1\n"
/* 2 ns a tick */
#define SECOND                                                                                     \
    "magic\ninit 500000000\nprovider 1 \"q\"\nstring 1 \"two\"\nthread 1 7 9\n"                    \
    "instant 25 t1 \"c\" s1\ninstant 200 t1 \"c\" s1\n"

/* Indices, providers and clocks of a part are its own, however small the steps are. */
START_TEST(each_part_is_read_as_if_it_were_alone) {
    static const char *const texts[] = {FIRST, SECOND};
    for (uint64_t step = 1; step < 1u << 20; step = step * 5 + 3) {
        struct stream s = {0};
        open_texts(&s, texts, 2);
        read_stream(&s, step);
        ck_assert_uint_eq(s.n, 4);
        ck_assert_uint_eq(s.problems, 0);
        for (size_t i = 0; i < s.n; i++) {
            bool first = s.events[i].part == 0;
            struct fxt_record record;
            struct provider *provider;
            ck_assert(named(&s.events[i], first ? "one" : "two"));
            ck_assert(reader_record_at(s.reader, s.events[i].offset, &record, &provider));
            ck_assert(str_eq(provider->name, first ? STR("p") : STR("q")));
            ck_assert_int_eq(
                wide_diff(reader_ns_at(s.reader, provider, s.events[i].offset, record.ts),
                          reader_base(s.reader), INT64_MAX),
                s.events[i].time);
            char buf[24];
            ck_assert(
                str_eq(reader_string(s.reader, provider, &record.name, s.events[i].offset, buf),
                       s.events[i].name));
        }
        ck_assert_int_eq(s.events[0].time, 0);
        ck_assert_uint_eq(reader_offset(s.reader), file_size(s.file));
        close_stream(&s);
    }
}
END_TEST

/* Shifts move the times of a part, before those of the first one as well. */
START_TEST(a_shift_moves_a_part) {
    static const char *const texts[] = {FIRST, SECOND};
    for (uint64_t first = 0; first <= 1000000; first += 1000000) {
        struct stream s = {0};
        open_texts(&s, texts, 2);
        reader_place_part(s.reader, 0, 0, first);
        reader_place_part(s.reader, 1, 1, 70);
        read_stream(&s, 64);
        int64_t times[2] = {0, 0};
        for (size_t i = 4; i-- > 0;)
            times[s.events[i].part] = s.events[i].time;
        ck_assert_int_eq(times[1] - times[0], 50 + 70 - 100 - (int64_t)first);
        close_stream(&s);
    }
}
END_TEST

/* A cut record, bytes after the last word and a missing magic number are of their part; the next
 * part starts clean. */
START_TEST(damage_ends_with_its_part) {
    static const char *const texts[] = {FIRST "instant 400 t1 \"c\" s1\ncut 8\nbytes 01 02\n",
                                        "big_endian\n" SECOND};
    struct stream s = {0};
    struct file_part second;
    open_texts(&s, texts, 2);
    read_stream(&s, 1 << 20);
    file_part(s.file, 1, &second);
    ck_assert_uint_eq(s.n, 4);
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_int_eq(s.kinds[0], PROBLEM_TRUNCATED_RECORD);
    ck_assert_uint_lt(s.problem_at[0], second.begin);
    size_t n;
    struct file_part part;
    file_part(s.file, 0, &part);
    ck_assert_ptr_nonnull(file_span(s.file, part.end / 8 * 8, 8, &n));
    ck_assert_uint_eq(n, 2);
    ck_assert_ptr_null(file_span(s.file, part.end / 8 * 8 + 8, 8, &n));
    ck_assert_ptr_nonnull(file_span(s.file, second.begin, 8, &n));
    struct reader_frame frame;
    ck_assert(reader_frame_at(s.reader, s.events[3].offset, &frame));
    ck_assert_int_eq(frame.kind, FRAME_RECORD);
    close_stream(&s);
}
END_TEST

/* Words that the sink makes while it reads come before later events, and look-ups find them. */
START_TEST(derived_words_are_a_part) {
    static const char *const texts[] = {FIRST};
    struct stream s = {0};
    s.to_derive = bytes_of(SECOND);
    open_texts(&s, texts, 1);
    read_stream(&s, 8);
    ck_assert_uint_eq(s.n, 4);
    ck_assert_uint_eq(s.problems, 0);
    ck_assert_uint_eq(s.derived, 1);
    ck_assert_uint_eq(file_part_count(s.file), 2);
    ck_assert_uint_lt(file_size(s.file), s.events[1].offset); /* only the file has bytes */
    size_t derived = 0;
    for (size_t i = 0; i < s.n; i++) {
        struct fxt_record record;
        derived += s.events[i].part;
        ck_assert(named(&s.events[i], s.events[i].part == 1 ? "two" : "one"));
        ck_assert(reader_record_at(s.reader, s.events[i].offset, &record, NULL));
    }
    ck_assert_uint_eq(derived, 2);
    ck_assert_uint_eq(s.events[1].part, 1);
    ck_assert_uint_eq(s.events[2].part, 1);
    close_stream(&s);
}
END_TEST

SUITE(reader_parts) {
    Suite *suite = suite_create("reader_parts");
    TCase *tc = tcase_create("parts");
    suite_add_tcase(suite, tc);
    tcase_add_test(tc, each_part_is_read_as_if_it_were_alone);
    tcase_add_test(tc, a_shift_moves_a_part);
    tcase_add_test(tc, damage_ends_with_its_part);
    tcase_add_test(tc, derived_words_are_a_part);
    return suite;
}
