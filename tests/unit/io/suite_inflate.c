/* suite_inflate.c - compressed files: one set of checks for both formats. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/base/err.h"
#include "tests/unit/io/files.h"
#include "tests/unit/lib/suites.h"

/* Most of a magic number is none. */
START_TEST(a_file_is_compressed_when_its_magic_number_is_whole) {
    static const struct {
        const char *bytes;
        size_t n;
        enum file_compression is;
    } cases[] = {{"\x1f\x8b", 2, FILE_GZIP},
                 {"\x1f\x8a....", 6, FILE_PLAIN},
                 {"\x1f", 1, FILE_PLAIN},
                 {"\x28\xb5\x2f", 3, FILE_PLAIN},
                 {"\x28\xb5\x2f\xfe", 4, FILE_PLAIN},
                 {"\x28\xb5\x2e\xfd", 4, FILE_PLAIN},
                 {"\x28\xb4\x2f\xfd", 4, FILE_PLAIN},
                 {"\x50\x2a\x4d\x19", 4, FILE_PLAIN},
                 {"\x5f\x2a\x4c\x18", 4, FILE_PLAIN},
                 {"\x53\x2b\x4d\x18", 4, FILE_PLAIN},
                 {"\x60\x2a\x4d\x18", 4, FILE_PLAIN},
                 {"\x50\x2a\x4d", 3, FILE_PLAIN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = write_file("magic", cases[i].bytes, cases[i].n);
        struct file *file = open_or_fail(path, 0);
        ck_assert_int_eq(file_compression(file), cases[i].is);
        file_close(file);
        unlink(path);
    }
}
END_TEST

START_TEST(members_are_read_one_after_the_other) {
    const struct format *format = &formats[_i];
    struct bytes plain = make_bytes(5000003), packed = {0};
    static const size_t cuts[] = {0, 0, 1, 70000, 70000, 3000000, 5000003};
    for (size_t i = 0; i + 1 < sizeof cuts / sizeof *cuts; i++)
        format->append(&packed, plain.v + cuts[i], cuts[i + 1] - cuts[i]);
    const char *path = write_file("packed", packed.v, packed.n);
    static const size_t budgets[] = {1000, 300000, SIZE_MAX};
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        struct file *file = open_or_fail(path, plain.n); /* exactly the limit is not too much */
        ck_assert_int_eq(file_compression(file), format->compression);
        ck_assert(!file_ended(file));
        ck_assert_int_eq(file_fd(file), -1);
        read_to_end(file, budgets[i]);
        ck_assert_int_eq(file_fault(file, NULL), FILE_OK);
        uint64_t done, total;
        file_progress(file, &done, &total);
        ck_assert_uint_eq(done, packed.n);
        ck_assert_uint_eq(total, packed.n);
        assert_whole(file, &plain);
        file_close(file);
    }
    unlink(path);
    free(plain.v);
    free(packed.v);
}
END_TEST

/* across the first reservation of the map, 64 MiB */
START_TEST(spans_are_right_while_the_map_grows) {
    struct bytes plain = make_bytes(70 << 20), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    const char *path = write_file("packed", packed.v, packed.n);
    struct file *file = open_or_fail(path, 0);
    uint64_t seen = 0;
    while (!file_ended(file)) {
        file_step(file, 3000001, 0);
        size_t n;
        uint64_t at = seen / 8 * 8;
        const unsigned char *p = file_span(file, at, file_size(file) - at, &n);
        ck_assert(at == file_size(file) || p != NULL);
        ck_assert_uint_eq(n, file_size(file) - at);
        ck_assert(n == 0 || memcmp(p, plain.v + at, n) == 0);
        seen = file_size(file);
    }
    assert_whole(file, &plain);
    file_close(file);
    unlink(path);
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(padding_is_silent_and_other_bytes_are_told) {
    struct bytes plain = make_bytes(100000), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    size_t n = packed.n;
    unsigned char *zeros = err_calloc(1, 1 << 20);
    append(&packed, zeros, 1);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_OK), plain.n);
    append(&packed, zeros, 1 << 20);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_OK), plain.n);
    append(&packed, "x", 1);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_TRAILING), plain.n);
    packed.n = n;
    append(&packed, "trailing", 8);
    for (size_t i = 1; i <= 8; i++) {
        packed.n = n + i;
        ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_TRAILING), plain.n);
    }
    packed.n = n;
    append(&packed, "\x1f", 1); /* half a magic number */
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_TRAILING), plain.n);
    free(zeros);
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(a_truncated_file_keeps_what_came) {
    struct bytes plain = make_bytes(6000), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    struct bytes cut = packed;
    uint64_t before = 0;
    for (cut.n = MAGIC_BYTES; cut.n < packed.n; cut.n += 7) {
        uint64_t size = check_packed(&cut, &plain, FILE_COMPRESSED_TRUNCATED);
        ck_assert_uint_ge(size, before); /* more source never gives less */
        before = size;
    }
    free(packed.v);
    free(plain.v);

    /* Large: all but the last piece of a block must be there. */
    plain = make_bytes(2000000);
    packed = (struct bytes){0};
    formats[_i].append(&packed, plain.v, plain.n);
    packed.n -= 12;
    ck_assert_uint_ge(check_packed(&packed, &plain, FILE_COMPRESSED_TRUNCATED),
                      plain.n - (128 << 10));
    free(packed.v);
    free(plain.v);
}
END_TEST

START_TEST(a_damaged_file_keeps_what_came) {
    struct bytes plain = make_bytes(2000000), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    /* the checksum: all came out before */
    packed.v[packed.n - (formats[_i].compression == FILE_GZIP ? 5 : 1)] ^= 1;
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_DAMAGED), plain.n);
    free(packed.v);

    /* A member that is nothing but its magic number: the one before it is untouched. */
    packed = (struct bytes){0};
    formats[_i].append(&packed, plain.v, plain.n);
    size_t n = packed.n;
    formats[_i].append(&packed, plain.v, 100);
    memset(packed.v + n + MAGIC_BYTES, 0xff, packed.n - n - MAGIC_BYTES);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_DAMAGED), plain.n);
    free(packed.v);
    free(plain.v);
}
END_TEST

START_TEST(any_flipped_bit_is_survived) {
    struct bytes plain = make_bytes(6000), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    for (size_t at = MAGIC_BYTES; at < packed.n; at += 3) {
        packed.v[at] ^= (unsigned char)(1 << at % 8);
        const char *path = write_file("packed", packed.v, packed.n);
        struct file *file = open_or_fail(path, 1 << 20);
        read_to_end(file, 1 << 20);
        ck_assert_uint_le(file_size(file), 1 << 20);
        if (file_fault(file, NULL) == FILE_OK) /* a name or a date in the header */
            assert_whole(file, &plain);
        file_close(file);
        packed.v[at] ^= (unsigned char)(1 << at % 8);
    }
    unlink(path_of("packed"));
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(a_bomb_stops_at_the_limit) {
    struct bytes plain = {err_calloc(1, 20 << 20), 20 << 20}, packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    ck_assert_uint_lt(packed.n, 200000);
    const char *path = write_file("packed", packed.v, packed.n);
    static const uint64_t limits[] = {1, 4096, 1000001, (20 << 20) - 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct file *file = open_or_fail(path, limits[i]);
        read_to_end(file, SIZE_MAX);
        const char *why;
        ck_assert_int_eq(file_fault(file, &why), FILE_NO_SPACE);
        ck_assert_str_eq(why, "stopped at --max-inflate");
        plain.n = (size_t)limits[i];
        assert_whole(file, &plain);
        file_close(file);
    }
    unlink(path);
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(a_full_disk_keeps_what_came) { /* ulimit -f plays the disk */
    struct bytes plain = make_bytes(3000000), packed = {0};
    formats[_i].append(&packed, plain.v, plain.n);
    const char *path = write_file("packed", packed.v, packed.n);
    struct rlimit before, limit;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){1000000, before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    struct file *file = open_or_fail(path, 0);
    read_to_end(file, SIZE_MAX);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    const char *why;
    ck_assert_int_eq(file_fault(file, &why), FILE_NO_SPACE);
    ck_assert_str_eq(why, "no space left for the temporary file");
    ck_assert_uint_eq(file_size(file), 1000000);
    assert_prefix(file, &plain);
    file_close(file);
    unlink(path);
    free(plain.v);
    free(packed.v);
}
END_TEST

#ifdef HAVE_ZSTD
START_TEST(skippable_frames_hold_nothing) { /* as pzstd writes them */
    static const unsigned char skip[] = {0x53, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4};
    struct bytes plain = make_bytes(300000), packed = {0};
    append(&packed, skip, sizeof skip);
    append_zstd(&packed, plain.v, 200000);
    append(&packed, skip, sizeof skip);
    append_zstd(&packed, plain.v + 200000, 100000);
    append(&packed, skip, sizeof skip);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_OK), plain.n);
    packed.n -= 2;
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_TRUNCATED), plain.n);
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(the_last_whole_block_is_kept) {
    struct bytes plain = make_bytes(128 << 10), packed = {0};
    for (size_t i = 0; i < plain.n; i++)
        plain.v[i] = (unsigned char)chance_next(&chance); /* stored as it is: one raw block */
    /* window 2 MiB, no size, no checksum */
    static const unsigned char head[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 0x58};
    static const unsigned char raw[] = {0, 0, 0x10};       /* 128 KiB raw, not the last */
    static const unsigned char bad[] = {7, 0, 0, 0, 0, 0}; /* of the reserved type */
    append(&packed, head, sizeof head);
    append(&packed, raw, sizeof raw);
    append(&packed, plain.v, plain.n);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_TRUNCATED), plain.n);
    append(&packed, bad, sizeof bad);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_DAMAGED), plain.n);
    free(plain.v);
    free(packed.v);
}
END_TEST

START_TEST(a_declared_window_is_not_allocated) {
    /* a window of 2 GiB */
    static const unsigned char huge[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 1, 0, 0};
    struct bytes plain = {0}, packed = {0};
    append(&packed, huge, sizeof huge);
    ck_assert_uint_eq(check_packed(&packed, &plain, FILE_COMPRESSED_DAMAGED), 0);
    free(packed.v);
}
END_TEST
#endif

SUITE(inflate) {
    Suite *s = suite_create("inflate");
    TCase *t = tcase_create("both formats");
    tcase_add_checked_fixture(t, files_set_up, files_tear_down);
    tcase_set_timeout(t, 120);
    tcase_add_test(t, a_file_is_compressed_when_its_magic_number_is_whole);
    tcase_add_loop_test(t, members_are_read_one_after_the_other, 0, FORMATS);
    tcase_add_loop_test(t, spans_are_right_while_the_map_grows, 0, FORMATS);
    tcase_add_loop_test(t, padding_is_silent_and_other_bytes_are_told, 0, FORMATS);
    tcase_add_loop_test(t, a_truncated_file_keeps_what_came, 0, FORMATS);
    tcase_add_loop_test(t, a_damaged_file_keeps_what_came, 0, FORMATS);
    tcase_add_loop_test(t, any_flipped_bit_is_survived, 0, FORMATS);
    tcase_add_loop_test(t, a_bomb_stops_at_the_limit, 0, FORMATS);
    tcase_add_loop_test(t, a_full_disk_keeps_what_came, 0, FORMATS);
#ifdef HAVE_ZSTD
    tcase_add_test(t, skippable_frames_hold_nothing);
    tcase_add_test(t, the_last_whole_block_is_kept);
    tcase_add_test(t, a_declared_window_is_not_allocated);
#endif
    suite_add_tcase(s, t);
    return s;
}
