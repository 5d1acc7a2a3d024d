/* suite_cache.c - a kept index is found for the content it was made of, and damage in it is
 * noticed. */
#include "src/io/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/vec.h"
#include "tests/unit/io/files.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { NEAR_BYTES = 500, FAR_BYTES = 5 * CACHE_BLOCK + 100 };

struct content { /* what a walk keeps */
    uint64_t value;
    VEC(uint32_t) words;
    unsigned char far[FAR_BYTES];
    struct cache_far *taken;
};

static void walk(struct cache *cache, void *ctx) {
    struct content *c = ctx;
    cache_value(cache, c->value);
    cache_vec(cache, &c->words);
    if (cache_reads(cache))
        c->taken = cache_take_far(cache, FAR_BYTES);
    else
        cache_put_far(cache, c->far, FAR_BYTES);
}

static struct content wanted;
static char kept[1200];

static void set_up(void) {
    files_set_up();
    setenv("XDG_CACHE_HOME", files_folder, 1);
    wanted = (struct content){.value = 77};
    for (uint32_t i = 0; i < NEAR_BYTES; i++)
        vec_push(&wanted.words, i * i);
    for (size_t i = 0; i < FAR_BYTES; i++)
        wanted.far[i] = (unsigned char)(i * 7 ^ i >> 8);
    write_file("trace", "12345678abcdefgh", 16);
}

static void tear_down(void) {
    char command[1300];
    vec_free(&wanted.words);
    unsetenv("XDG_CACHE_HOME");
    snprintf(command, sizeof command, "rm -rf '%s/fxtop' '%s/trace'", files_folder, files_folder);
    ck_assert_int_eq(system(command), 0);
    files_tear_down();
}

static struct file *keep(void) {
    struct file *file = open_or_fail(path_of("trace"), 0);
    ck_assert(cache_write(file, 0, walk, &wanted));
    DIR *d = opendir(path_of("fxtop"));
    ck_assert_ptr_nonnull(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            snprintf(kept, sizeof kept, "%s/%s", path_of("fxtop"), e->d_name);
    closedir(d);
    return file;
}

static void harmless(void *ctx, uint64_t block) {
    *(uint64_t *)ctx |= UINT64_C(1) << block;
}

/* Blocks that were damaged, as a set of bits. */
static uint64_t look_at_all(const struct content *got) {
    uint64_t damaged = 0;
    for (uint64_t block = 0; block * CACHE_BLOCK < FAR_BYTES; block++)
        cache_look(got->taken, block, harmless, &damaged);
    return damaged;
}

START_TEST(what_was_kept_is_read_again_as_it_was) {
    struct file *file = keep();
    static struct content got;
    memset(&got, 0, sizeof got);
    struct cache *cache = cache_find(file, 0);
    ck_assert_ptr_nonnull(cache);
    walk(cache, &got);
    ck_assert(cache_whole(cache) && got.value == 77);
    ck_assert(got.words.n == NEAR_BYTES && got.words.cap == 0 &&
              memcmp(got.words.v, wanted.words.v, NEAR_BYTES * 4) == 0);
    ck_assert(got.taken && got.taken->n == FAR_BYTES &&
              memcmp(got.taken->v, wanted.far, FAR_BYTES) == 0);
    ck_assert_uint_eq(look_at_all(&got), 0);
    ck_assert(!cache_damaged(cache));
    cache_close(cache);
    cache_close(NULL);
    file_close(file);
}
END_TEST

START_TEST(an_index_is_found_for_the_same_content_alone) {
    static const struct timespec early[2] = {{1000, 5}, {1000, 5}},
                                 later[2] = {{1000, 6}, {1000, 6}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path_of("trace"), early, 0), 0);
    file_close(keep());
    struct file *file = open_or_fail(path_of("trace"), 0);
    struct cache *cache = cache_find(file, 0);
    ck_assert_ptr_nonnull(cache);
    cache_close(cache);
    file_close(file);
    static const char *const others[] = {"12345678abcdefgX", "X2345678abcdefgh", "12345678",
                                         "12345678abcdefghijklmnop"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        write_file("trace", others[i], strlen(others[i]));
        utimensat(AT_FDCWD, path_of("trace"), early, 0);
        file = open_or_fail(path_of("trace"), 0);
        MUST(cache_find(file, 0) == NULL, i);
        file_close(file);
    }
    write_file("trace", "12345678abcdefgh", 16);
    utimensat(AT_FDCWD, path_of("trace"), later, 0);
    file = open_or_fail(path_of("trace"), 0);
    ck_assert_ptr_null(cache_find(file, 0));
    file_close(file);
}
END_TEST

/* Flips a bit of the kept file; far bytes are the last ones, and before them stand what is near and
 * the checks. */
static void flip(off_t at) {
    unsigned char c;
    int fd = open(kept, O_RDWR);
    ck_assert(fd >= 0 && pread(fd, &c, 1, at) == 1);
    c ^= 0x10;
    ck_assert(pwrite(fd, &c, 1, at) == 1 && close(fd) == 0);
}

START_TEST(any_damage_is_noticed_when_its_bytes_are_looked_at) {
    struct stat s;
    struct file *file = keep();
    uint64_t seen = 0, not_found = 0;
    ck_assert_int_eq(stat(kept, &s), 0);
    for (off_t at = 0; at < s.st_size; at += 61) {
        flip(at);
        struct cache *cache = cache_find(file, 0);
        static struct content got;
        memset(&got, 0, sizeof got);
        if (cache == NULL) {
            not_found++;
        } else {
            walk(cache, &got);
            uint64_t damaged = got.taken ? look_at_all(&got) : UINT64_MAX;
            bool same = got.taken && got.value == wanted.value && got.words.n == NEAR_BYTES &&
                        memcmp(got.words.v, wanted.words.v, NEAR_BYTES * 4) == 0;
            for (uint64_t block = 0; same && block * CACHE_BLOCK < FAR_BYTES; block++) {
                size_t n = FAR_BYTES - block * CACHE_BLOCK < CACHE_BLOCK
                               ? FAR_BYTES - block * CACHE_BLOCK
                               : CACHE_BLOCK;
                same = damaged >> block & 1 || memcmp(got.taken->v + block * CACHE_BLOCK,
                                                      wanted.far + block * CACHE_BLOCK, n) == 0;
            }
            MUST(same || !cache_whole(cache), at);
            MUST((damaged != 0) == cache_damaged(cache) || !cache_whole(cache), at);
            seen |= damaged;
            cache_close(cache);
        }
        flip(at);
    }
    /* each block was damaged once */
    ck_assert_uint_eq(seen, (UINT64_C(1) << (FAR_BYTES / CACHE_BLOCK + 1)) - 1);
    ck_assert_uint_gt(not_found, NEAR_BYTES * 4 / 61);
    file_close(file);
}
END_TEST

START_TEST(another_process_keeps_the_same) {
    struct file *file = open_or_fail(path_of("trace"), 0);
    static struct content got;
    memset(&got, 0, sizeof got);
    pid_t writer = cache_spawn(file, 0, walk, &wanted);
    ck_assert_int_gt(writer, 0);
    wanted.value = 78; /* it keeps the values from when it began */
    ck_assert(cache_reap(writer, true));
    struct cache *cache = cache_find(file, 0);
    ck_assert_ptr_nonnull(cache);
    walk(cache, &got);
    ck_assert(got.value == 77 && cache_whole(cache));
    cache_remove(cache);
    cache_close(cache);
    ck_assert_ptr_null(cache_find(file, 0));
    file_close(file);
}
END_TEST

SUITE(cache) {
    Suite *s = suite_create("cache");
    TCase *t = tcase_create("cache");
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, what_was_kept_is_read_again_as_it_was);
    tcase_add_test(t, an_index_is_found_for_the_same_content_alone);
    tcase_add_test(t, any_damage_is_noticed_when_its_bytes_are_looked_at);
    tcase_add_test(t, another_process_keeps_the_same);
    suite_add_tcase(s, t);
    return s;
}
