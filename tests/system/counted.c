/* counted.c - what the compiler and the linker call in place of branches, copies and
 * allocations. */
#include "tests/system/counted.h"

#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BYTES_A_STEP 32

uint64_t counted_steps;
int64_t counted_bytes, counted_most;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    counted_steps++;
}

void *__real_memcpy(void *to, const void *from, size_t n);
void *__real_memmove(void *to, const void *from, size_t n);
void *__real_memset(void *to, int c, size_t n);
int __real_memcmp(const void *a, const void *b, size_t n);
size_t __real_strlen(const char *s);
void *__wrap_memcpy(void *to, const void *from, size_t n);
void *__wrap_memmove(void *to, const void *from, size_t n);
void *__wrap_memset(void *to, int c, size_t n);
int __wrap_memcmp(const void *a, const void *b, size_t n);
size_t __wrap_strlen(const char *s);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);

/* On one processor one thread works (thread_worthwhile()). Threads that free memory or wait for
 * their turn cannot count at the same time. */
static __attribute__((constructor)) void use_one_processor(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        abort();
}

/* 100 us later each time, so that budgets end */
int __wrap_clock_gettime(clockid_t clock, struct timespec *t) {
    static int64_t now;
    (void)clock;
    now += 100000;
    *t = (struct timespec){(time_t)(now / 1000000000), (long)(now % 1000000000)};
    return 0;
}
void *__wrap_memcpy(void *to, const void *from, size_t n) {
    counted_steps += n / BYTES_A_STEP;
    return __real_memcpy(to, from, n);
}
void *__wrap_memmove(void *to, const void *from, size_t n) {
    counted_steps += n / BYTES_A_STEP;
    return __real_memmove(to, from, n);
}
void *__wrap_memset(void *to, int c, size_t n) {
    counted_steps += n / BYTES_A_STEP;
    return __real_memset(to, c, n);
}
int __wrap_memcmp(const void *a, const void *b, size_t n) {
    counted_steps += n / BYTES_A_STEP;
    return __real_memcmp(a, b, n);
}
size_t __wrap_strlen(const char *s) {
    size_t n = __real_strlen(s);
    counted_steps += n / BYTES_A_STEP;
    return n;
}

/* ---- memory ---- */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

static void *taken(void *p) {
    counted_bytes += p ? (int64_t)malloc_usable_size(p) : 0;
    counted_most = counted_bytes > counted_most ? counted_bytes : counted_most;
    return p;
}
void *__wrap_malloc(size_t n) {
    return taken(__real_malloc(n));
}
void *__wrap_calloc(size_t n, size_t size) {
    return taken(__real_calloc(n, size));
}
void *__wrap_realloc(void *p, size_t n) {
    int64_t before = p ? (int64_t)malloc_usable_size(p) : 0;
    void *now = __real_realloc(p, n);
    counted_bytes -= now ? before : 0;
    return now ? taken(now) : now;
}
void __wrap_free(void *p) {
    counted_bytes -= p ? (int64_t)malloc_usable_size(p) : 0;
    __real_free(p);
}
