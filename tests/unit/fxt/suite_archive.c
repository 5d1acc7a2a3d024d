/* suite_archive.c - tables of archives are read as they were written, and damaged ones are none. */
#include "src/fxt/archive.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/fxt/record.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/suites.h"

enum { ROUNDS = 200, TABLE_MOST = 40000 };

static char path[SCRATCH_PATH];

static int64_t any_signed(struct chance *c, int64_t most) {
    int64_t n = (int64_t)below(c, (uint64_t)most);
    return below(c, 2) ? n : -n;
}

static char *any_name(struct chance *c, size_t number) {
    char text[ARCHIVE_NAME + 1];
    size_t n = (size_t)snprintf(text, sizeof text, "%zu", number);
    while (n < ARCHIVE_NAME && below(c, 40))
        text[n++] = (char)(1 + below(c, 255));
    return err_copy(text, n);
}

static struct archive *any_table(struct chance *c) {
    struct archive *a = err_calloc(1, sizeof *a);
    a->n = 2 + below(c, ARCHIVE_MOST - 1);
    a->reference = below(c, a->n);
    a->joins_all = below(c, 2);
    a->joins_category = below(c, 2) ? any_name(c, 0) : NULL;
    for (size_t i = 0; i < a->n; i++) {
        bool new_world = i == 0 || below(c, 2);
        uint16_t worlds = 0;
        for (size_t k = 0; k < i; k++)
            worlds = a->parts[k].world >= worlds ? a->parts[k].world + 1 : worlds;
        a->parts[i] =
            (struct archive_part){.name = any_name(c, i),
                                  .bytes = below(c, UINT64_C(1) << 37) * 8,
                                  .zero = below(c, UINT64_C(1) << 62),
                                  .offset = any_signed(c, ALIGN_MOST),
                                  .world = new_world ? worlds : (uint16_t)below(c, worlds),
                                  .method = (enum align_method)below(c, ALIGN_AS_WRITTEN + 1),
                                  .has_wall = below(c, 2)};
        a->parts[i].ids = (uint64_t)a->parts[i].world << 48;
        a->parts[i].unix_ns = a->parts[i].has_wall ? any_signed(c, INT64_MAX) : 0;
    }
    return a;
}

static size_t write_table(const struct archive *a, bool draft, char *bytes) {
    struct err err;
    FILE *out = fmemopen(bytes, TABLE_MOST, "w");
    ck_assert_ptr_nonnull(out);
    ck_assert(archive_write(a, draft, out, &err));
    long n = ftell(out);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert(n > 0 && n < TABLE_MOST);
    return (size_t)n;
}

/* NULL: it is no archive. */
static struct archive *read_table(const void *bytes, size_t n) {
    struct err err;
    ck_assert(scratch_write(path, "archive", bytes, n));
    struct file *file = file_open(path, NULL, &err);
    ck_assert_ptr_nonnull(file);
    struct archive *a = archive_read(file);
    file_close(file);
    unlink(path);
    return a;
}

static void same_text(const char *a, const char *b) {
    ck_assert_int_eq(a == NULL, b == NULL);
    if (a && b)
        ck_assert_str_eq(a, b);
}

/* A draft takes the place of the table, and names no parts. */
START_TEST(a_draft_is_no_table_of_the_same_size) {
    struct chance c = {23};
    static char bytes[TABLE_MOST];
    for (int round = 0; round < ROUNDS; round++) {
        struct archive *a = any_table(&c);
        size_t n = write_table(a, false, bytes);
        for (size_t i = 0; i < a->n; i++)
            a->parts[i].bytes = 0;
        ck_assert_uint_eq(write_table(a, true, bytes), n);
        ck_assert_ptr_null(read_table(bytes, n));
        archive_free(a);
    }
}
END_TEST

START_TEST(a_table_is_read_as_it_was_written) {
    struct chance c = {20};
    static char bytes[TABLE_MOST];
    for (int round = 0; round < ROUNDS; round++) {
        struct archive *a = any_table(&c);
        size_t n = write_table(a, false, bytes);
        struct archive *b = read_table(bytes, n);
        ck_assert_ptr_nonnull(b);
        ck_assert_uint_eq(b->begin, n);
        ck_assert_uint_eq(b->n, a->n);
        ck_assert_uint_eq(b->reference, a->reference);
        ck_assert_int_eq(b->joins_all, a->joins_all);
        same_text(b->joins_category, a->joins_category);
        for (size_t i = 0; i < a->n; i++) {
            const struct archive_part *x = &a->parts[i], *y = &b->parts[i];
            same_text(x->name, y->name);
            ck_assert(x->bytes == y->bytes && x->ids == y->ids && x->zero == y->zero);
            ck_assert(x->offset == y->offset && x->world == y->world && x->method == y->method);
            ck_assert(x->has_wall == y->has_wall && x->unix_ns == y->unix_ns);
        }
        archive_free(a);
        archive_free(b);
    }
}
END_TEST

/* A damaged table is none, or one whose numbers are possible. */
START_TEST(a_damaged_table_asks_for_nothing_impossible) {
    struct chance c = {21};
    static char bytes[TABLE_MOST];
    for (int round = 0; round < ROUNDS; round++) {
        struct archive *a = any_table(&c);
        size_t n = write_table(a, false, bytes),
               cut = below(&c, 2) ? n : 8 * (1 + below(&c, n / 8));
        archive_free(a);
        bytes[8 + below(&c, n - 8)] = (char)below(&c, 256);
        a = read_table(bytes, cut);
        for (size_t i = 0; a && i < a->n; i++) {
            const struct archive_part *part = &a->parts[i];
            ck_assert_uint_lt(part->world, a->n);
            ck_assert_uint_eq(part->bytes % 8, 0);
            ck_assert(part->zero < UINT64_C(1) << 63 && part->bytes < UINT64_C(1) << 40);
            ck_assert_ptr_nonnull(part->name);
        }
        ck_assert(a == NULL || (a->n >= 2 && a->n <= ARCHIVE_MOST && a->reference < a->n));
        archive_free(a);
    }
}
END_TEST

/* No two ids become one, and each is found again. */
START_TEST(ids_that_are_moved_come_back) {
    struct chance c = {22};
    for (uint64_t world = 1; world < ARCHIVE_MOST; world++) {
        uint64_t bits = world << 48;
        uint64_t ids[] = {0,
                          1,
                          bits,
                          bits + 1,
                          UINT64_MAX,
                          UINT32_MAX,
                          UINT64_C(1) << 32,
                          bits | UINT64_C(1) << 32,
                          chance_next(&c),
                          below(&c, 1000)};
        for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
            uint64_t id = record_id(bits, ids[i]), flow = record_flow_id(bits, ids[i]);
            ck_assert_uint_eq(record_id(bits, id), ids[i]);
            ck_assert_uint_eq(record_flow_id(bits, flow), ids[i]);
            ck_assert_int_eq(id == 0, ids[i] == 0);
            ck_assert_int_eq(ids[i] >> 32 != 0 && ids[i] >> 32 != bits >> 32 && flow != ids[i], 0);
        }
    }
}
END_TEST

SUITE(archive) {
    Suite *suite = suite_create("archive");
    TCase *tc = tcase_create("tables");
    suite_add_tcase(suite, tc);
    tcase_add_test(tc, a_table_is_read_as_it_was_written);
    tcase_add_test(tc, a_draft_is_no_table_of_the_same_size);
    tcase_add_test(tc, a_damaged_table_asks_for_nothing_impossible);
    tcase_add_test(tc, ids_that_are_moved_come_back);
    return suite;
}
