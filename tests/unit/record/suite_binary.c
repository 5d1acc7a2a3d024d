/* suite_binary.c - headers of ELF files: of this program, and of files that are damaged. */
#include "record/watch/binary.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { HEAD = 4096, ROUNDS = 3000 };

static size_t read_head(unsigned char *to) {
    int fd = open("/proc/self/exe", O_RDONLY);
    ck_assert_int_ge(fd, 0);
    ssize_t n = read(fd, to, HEAD);
    close(fd);
    ck_assert_int_eq(n, HEAD);
    return HEAD;
}

START_TEST(this_program_has_its_bytes_at_their_addresses) {
    struct binary b;
    int fd = open("/proc/self/exe", O_RDONLY);
    uint64_t address;
    ck_assert(binary_read(&b, fd));
    close(fd);
    ck_assert_uint_gt(b.n, 0);
    ck_assert(binary_address(&b, b.loads[0].offset, &address));
    ck_assert_uint_eq(address, b.loads[0].address);
    ck_assert(!binary_address(&b, UINT64_MAX - 100, &address));
}
END_TEST

/* Any answer is right, if it comes. */
START_TEST(a_file_with_damage_has_fewer_parts_at_most) {
    unsigned char head[HEAD], changed[HEAD];
    char path[SCRATCH_PATH];
    size_t n = read_head(head);
    int fd = scratch_file(path, "binary");
    ck_assert_int_ge(fd, 0);
    for (int round = 0; round < ROUNDS; round++) {
        struct binary b;
        uint64_t address;
        size_t size = round % 3 == 0 ? (size_t)rand() % n : n;
        memcpy(changed, head, n);
        for (int i = 0; i < 8; i++)
            changed[(size_t)rand() % 1024] = (unsigned char)(rand() % 4 ? rand() : 255);
        ck_assert_int_eq(ftruncate(fd, 0), 0);
        ck_assert_int_eq(pwrite(fd, changed, size, 0), size);
        if (!binary_read(&b, fd))
            continue;
        MUST(b.n <= BINARY_LOADS && b.build_id_size <= BINARY_BUILD_ID, round);
        for (unsigned i = 0; i < b.n; i++)
            binary_address(&b, b.loads[i].offset, &address);
    }
    close(fd);
    unlink(path);
}
END_TEST

SUITE(binary) {
    Suite *s = suite_create("binary");
    TCase *c = tcase_create("binary");
    tcase_add_test(c, this_program_has_its_bytes_at_their_addresses);
    tcase_add_test(c, a_file_with_damage_has_fewer_parts_at_most);
    suite_add_tcase(s, c);
    return s;
}
