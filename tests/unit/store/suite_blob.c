/* suite_blob.c - chunks of one name and type are one blob, and its bytes come in their order. */
#include "model/store/blob.h"

#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { CHUNKS = 300 };

START_TEST(chunks_of_one_name_and_type_are_one_blob) {
    static struct blob list[CHUNKS];
    struct chance chance = {151};
    for (int set = 0; set < 100; set++) {
        struct blobs blobs = {0};
        static const uint16_t types[] = {FXT_BLOB_DATA, FXT_BLOB_PERFETTO, 77, BLOB_LARGE};
        for (uint32_t k = 0; k < CHUNKS; k++) {
            list[k] = (struct blob){.name = (uint32_t)below(&chance, 20),
                                    .type = types[below(&chance, 4)],
                                    .is_event = below(&chance, 2),
                                    .bytes = below(&chance, 1000),
                                    .offset = 8 + k * 16};
            blobs_add(&blobs, &list[k]);
        }
        uint64_t chunks = 0;
        for (size_t i = 0; i < blob_count(&blobs); i++) {
            const struct blob *b = blob_at(&blobs, i);
            uint64_t bytes = 0;
            size_t n = 0;
            for (uint32_t k = 0; k < CHUNKS; k++) {
                bool large = b->type == BLOB_LARGE; /* each is one of its own */
                if (large ? list[k].offset != b->offset
                          : list[k].name != b->name || list[k].type != b->type)
                    continue;
                MUST(n < blob_chunk_count(b) && b->chunks.v[n] == list[k].offset, set);
                bytes += list[k].bytes;
                n++;
            }
            MUST(n == blob_chunk_count(b) && b->bytes == bytes && b->offset == b->chunks.v[0], set);
            MUST(i == 0 || b->offset > blob_at(&blobs, i - 1)->offset, set);
            chunks += n;
        }
        MUST(chunks == CHUNKS, set);
        for (uint64_t offset = 0; offset < CHUNKS * 16 + 16; offset += 8) {
            const struct blob *wanted = NULL;
            for (size_t i = 0; i < blob_count(&blobs); i++)
                if (blob_at(&blobs, i)->offset == offset && blob_at(&blobs, i)->is_event)
                    wanted = blob_at(&blobs, i);
            MUST(blob_event(&blobs, offset) == wanted, set);
        }
        blobs_free(&blobs);
        MUST(blob_count(&blobs) == 0, set);
    }
}
END_TEST

struct taken {
    char bytes[64];
    size_t n, calls, most;
};

static bool take(void *ctx, const char *bytes, size_t n) {
    struct taken *t = ctx;
    ck_assert_uint_le(t->n + n, sizeof t->bytes);
    memcpy(t->bytes + t->n, bytes, n);
    t->n += n;
    return ++t->calls < t->most;
}

START_TEST(the_bytes_of_all_chunks_come_in_order_until_no_more_are_wanted) {
    struct trace *trace =
        loaded_text("magic\nprovider 1 \"p\"\nblob \"a\" 1 \"one, \"\nblob \"b\" 1 \"else\"\n"
                    "blob \"a\" 1 \"\"\nblob \"a\" 1 \"two and three\"\n");
    const struct blobs *blobs = trace_blobs(trace);
    ck_assert_uint_eq(blob_count(blobs), 2);
    const struct blob *a = blob_at(blobs, 0);
    struct taken all = {.most = 99}, first = {.most = 1};
    ck_assert(blob_read(trace_reader(trace), trace_file(trace), a, take, &all));
    ck_assert(all.n == a->bytes && all.n == 18 && memcmp(all.bytes, "one, two and three", 18) == 0);
    ck_assert(!blob_read(trace_reader(trace), trace_file(trace), a, take, &first));
    ck_assert(first.n == 5 && memcmp(first.bytes, "one, ", 5) == 0);
    for (size_t most = 1; most < 25; most++) {
        char head[25];
        memset(head, '#', sizeof head);
        size_t n = blob_head(trace_reader(trace), trace_file(trace), a, head, most);
        ck_assert_uint_eq(n, most < 18 ? most : 18);
        ck_assert(memcmp(head, "one, two and three", n) == 0 && head[n] == '#');
    }
    trace_free(trace);
}
END_TEST

START_TEST(known_types_have_a_name) {
    ck_assert_str_eq(blob_kind(FXT_BLOB_DATA), "data");
    ck_assert_str_eq(blob_kind(BLOB_LARGE), "large");
    ck_assert_ptr_null(blob_kind(200));
}
END_TEST

SUITE(blob) {
    Suite *s = suite_create("blob");
    TCase *t = tcase_create("blob");
    tcase_add_test(t, chunks_of_one_name_and_type_are_one_blob);
    tcase_add_test(t, the_bytes_of_all_chunks_come_in_order_until_no_more_are_wanted);
    tcase_add_test(t, known_types_have_a_name);
    suite_add_tcase(s, t);
    return s;
}
