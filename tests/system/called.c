/* called.c - a program that counts the calls of its functions, built with -finstrument-functions:
 * record.sh records it with --functions.
 *
 * It prints how often each function was called, by its own counts. Some calls end by longjmp(). */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static struct { /* calls */
    unsigned leaf, deep, work, thread, slow;
} counts;
static __thread jmp_buf out;
static volatile unsigned sum, innermost;

static void leaf(unsigned i) {
    __atomic_add_fetch(&counts.leaf, 1, __ATOMIC_RELAXED);
    sum += i;
}

static void slow(void) {
    counts.slow++;
    for (unsigned i = 0; i < 30000000; i++)
        sum += i;
}

/* The innermost call leaves all at once. */
static void deep(unsigned n) {
    __atomic_add_fetch(&counts.deep, 1, __ATOMIC_RELAXED);
    if (n == innermost)
        longjmp(out, 1);
    if (n > 0)
        deep(n - 1);
    leaf(n);
}

static void work(unsigned n) {
    __atomic_add_fetch(&counts.work, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < n; i++)
        leaf(i);
    if (setjmp(out) == 0)
        deep(20);
    leaf(n);
}

static void *thread(void *unused) {
    (void)unused;
    counts.thread++;
    for (unsigned i = 0; i < 100; i++)
        work(7);
    return NULL;
}

int main(void) {
    pthread_t other;
    if (pthread_create(&other, NULL, thread, NULL) != 0)
        return 1;
    for (unsigned i = 0; i < 100; i++)
        work(3);
    pthread_join(other, NULL);
    slow();
    printf("deep %u\nleaf %u\nmain 1\nslow %u\nthread %u\nwork %u\n", counts.deep, counts.leaf,
           counts.slow, counts.thread, counts.work);
    return 0;
}
