/* suite_unwind.c - callers by the table of frames and by frame pointers, also through a signal; and
 * tables that are damaged. */
#include "record/watch/unwind.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include "record/watch/images.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { FRAMES = 64, COPY = 64 << 10, ROUNDS = 4000, TURNS = 40 };

#if defined(__x86_64__)

/* This program has no table for its own functions, and that of libcheck for its. */
#ifdef __clang__
#define POINTED __attribute__((noinline))
#else
#define POINTED __attribute__((noinline, noclone, optimize("no-omit-frame-pointer")))
#endif

static struct {
    uint64_t theirs[FRAMES], ours[FRAMES]; /* where each function returns to, innermost first */
    unsigned n, found;
    bool cut;
} compared;

/* The kernel's order of registers. */
static void take_registers(const ucontext_t *c, uint64_t r[17]) {
    static const int order[17] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
                                  REG_RBP, REG_RSP, REG_RIP, REG_R8,  REG_R9,  REG_R10,
                                  REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    for (int i = 0; i < 17; i++)
        r[i] = (uint64_t)c->uc_mcontext.gregs[order[i]];
}

static void go_up(const ucontext_t *c, size_t copied) {
    static struct images images;
    uint64_t registers[17];
    struct unwind_state s = {.n = copied};
    uint32_t pid = (uint32_t)getpid();
    images_open(&images);
    take_registers(c, registers);
    unwind_begin(&s, registers);
    s.stack = (const unsigned char *)(uintptr_t)s.start; /* as it is: no copy is needed */
    compared.found = 0;
    for (bool more = true; more && compared.found < FRAMES;) {
        struct images_place place = images_look_up(&images, pid, s.pc - !s.exact);
        if (place.image == IMAGES_NONE)
            break;
        compared.ours[compared.found++] = s.pc;
        more = unwind_step(images.v.v[place.image].frames, &s, place.address);
    }
    compared.cut = s.cut;
    images_close(&images);
}

POINTED static int reach(unsigned depth) {
    volatile char space[200];
    int sum = 0;
    space[depth % sizeof space] = (char)depth;
    if (depth > 0) {
        sum = reach(depth - 1);
    } else {
        ucontext_t c;
        compared.n = 0;
        getcontext(&c);
        go_up(&c, COPY);
    }
    compared.theirs[compared.n++] = (uint64_t)(uintptr_t)__builtin_return_address(0);
    return sum + space[depth % sizeof space];
}

POINTED static void on_signal(int number) {
    reach((unsigned)number % 4);
    compared.theirs[compared.n++] = (uint64_t)(uintptr_t)__builtin_return_address(0);
}

/* Called by libcheck. */
POINTED static void call(unsigned depth, int number) {
    if (number > 0)
        raise(number);
    else
        reach(depth);
    compared.theirs[compared.n++] = (uint64_t)(uintptr_t)__builtin_return_address(0);
}

/* The place of an address among ours. */
static unsigned place_of(uint64_t pc) {
    unsigned i = 0;
    while (i < compared.found && compared.ours[i] != pc)
        i++;
    return i;
}

START_TEST(callers_are_those_that_functions_return_to) {
    call(10, 0);
    ck_assert_uint_eq(compared.n, 12);
    ck_assert_uint_gt(compared.found, compared.n);
    for (unsigned i = 0; i < compared.n; i++)
        ck_assert_uint_eq(compared.ours[i + 1], compared.theirs[i]);
    ck_assert(!compared.cut);
}
END_TEST

/* The C library and its signal frame have only the table. */
START_TEST(callers_of_a_handler_are_those_that_were_interrupted) {
    signal(SIGUSR1, on_signal);
    call(0, SIGUSR1);
    unsigned handler = place_of(compared.theirs[compared.n - 2]);
    unsigned outer = place_of(compared.theirs[compared.n - 1]);
    ck_assert_uint_eq(handler, compared.n - 1);
    ck_assert_uint_ge(outer, handler + 3);
    ck_assert_uint_lt(outer, compared.found);
}
END_TEST

/* Its frame is longer than the copy. */
POINTED static void go_up_by_little(void) {
    ucontext_t c;
    getcontext(&c);
    go_up(&c, 64);
    compared.n = (unsigned)c.uc_flags; /* c is in the frame until here */
}

START_TEST(a_copy_that_is_too_short_is_noticed) {
    go_up_by_little();
    ck_assert(compared.cut);
    ck_assert_uint_ge(compared.found, 1);
}
END_TEST

#endif

/* Any answer is right, if it comes. */
START_TEST(tables_with_damage) {
    static unsigned char file[256 << 10], changed[sizeof file];
    static uint64_t stack[512];
    struct chance c = {1};
    int fd = binary_vdso();
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0)
        return;
    size_t n = (size_t)st.st_size;
    ck_assert_uint_le(n, sizeof file);
    ck_assert_int_eq(pread(fd, file, n, 0), (ssize_t)n);
    for (int round = 0; round < ROUNDS; round++) {
        struct binary b;
        memcpy(changed, file, n);
        for (int i = (int)below(&c, 30); i >= 0; i--)
            changed[below(&c, n)] = (unsigned char)(below(&c, 3) ? chance_star(&c) : 255);
        size_t size = round % 5 == 0 ? below(&c, n) : n;
        ck_assert_int_eq(ftruncate(fd, 0), 0);
        ck_assert_int_eq(pwrite(fd, changed, size, 0), (ssize_t)size);
        if (!binary_read(&b, fd))
            continue;
        struct unwind *u = unwind_open(fd, &b, 1 << 20);
        for (int turn = 0; turn < TURNS; turn++) {
            struct unwind_state s = {.n = sizeof stack, .stack = (unsigned char *)stack};
            uint64_t registers[64];
            for (size_t i = 0; i < 64; i++)
                registers[i] = below(&c, 2) ? chance_star(&c) : 0x7000 + below(&c, sizeof stack);
            for (size_t i = 0; i < sizeof stack / sizeof *stack; i++)
                stack[i] = chance_star(&c);
            unwind_begin(&s, registers);
            for (int i = 0; i < 8 && unwind_step(u, &s, below(&c, 2 * n)); i++)
                MUST(s.pc != 0, round);
        }
        unwind_close(u);
    }
    close(fd);
}
END_TEST

SUITE(unwind) {
    Suite *s = suite_create("unwind");
    TCase *c = tcase_create("unwind");
    tcase_set_timeout(c, 60);
#if defined(__x86_64__)
    tcase_add_test(c, callers_are_those_that_functions_return_to);
    tcase_add_test(c, callers_of_a_handler_are_those_that_were_interrupted);
    tcase_add_test(c, a_copy_that_is_too_short_is_noticed);
#endif
    tcase_add_test(c, tables_with_damage);
    suite_add_tcase(s, c);
    return s;
}
