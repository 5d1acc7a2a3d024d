/* event_overlap.c - compares each state with the next one of its thread, and of its CPU. */
#include "src/import/event_overlap.h"

#include "src/fxt/fxt.h"

void event_overlaps_free(struct event_overlaps *overlaps) {
    vec_free(&overlaps->all);
    vec_free(&overlaps->found);
}

/* The unit of the last digit of a time in ns, at most 1000: a fraction may be one zero alone. */
static uint32_t unit_of(const struct event_digits *digits) {
    const char *end = digits->v + sizeof digits->v, *point = end;
    while (point > digits->v && point[-1] >= '0' && point[-1] <= '9')
        point--;
    bool zero = point + 1 == end && *point == '0';
    ptrdiff_t n = point > digits->v && point[-1] == '.' && !zero ? end - point : 0;
    uint32_t unit = 1;
    for (; n < 3; n++)
        unit *= 10;
    return unit;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* The most that rounding adds to the length of a before b. */
static uint64_t rounding(const struct event_span *a, const struct event_span *b) {
    uint64_t ends = larger(unit_of(&a->ts), unit_of(&a->dur));
    return larger(ends, unit_of(&b->ts)) + (b->begin >> 52);
}

/* b: the next one */
static void judge(struct event_overlaps *overlaps, struct event_span *a, const struct event_span *b,
                  int cpu) {
    if (a->noted || a->end == FXT_NO_END || a->end <= b->begin ||
        a->end - b->begin <= rounding(a, b))
        return;
    a->noted = true;
    vec_push(&overlaps->found, ((struct event_overlap){a->at, b->at, a->end - a->begin, cpu}));
}

/* The shorter one is first of two that begin at one time. */
void event_overlaps_judge(struct event_overlaps *overlaps, size_t *last, int cpu) {
    struct event_span *a = &overlaps->all.v[*last - 1], *b = &overlaps->all.v[overlaps->all.n - 1];
    if (b->begin < a->begin)
        overlaps->late = true;
    else if (b->begin == a->begin && b->end < a->end)
        judge(overlaps, b, a, cpu);
    else {
        judge(overlaps, a, b, cpu);
        *last = overlaps->all.n;
    }
}

static int by_number(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int by_time(const struct event_span *a, const struct event_span *b) {
    int begin = by_number(a->begin, b->begin), end = begin != 0 ? begin : by_number(a->end, b->end);
    return end != 0 ? end : by_number(a->at.byte, b->at.byte);
}

static int by_thread(const void *a, const void *b) {
    const struct event_span *x = a, *y = b;
    return x->thread != y->thread ? by_number(x->thread, y->thread) : by_time(x, y);
}

static int by_cpu(const void *a, const void *b) {
    const struct event_span *x = a, *y = b;
    return x->cpu != y->cpu ? (x->cpu > y->cpu) - (x->cpu < y->cpu) : by_time(x, y);
}

void event_overlaps_end(struct event_overlaps *overlaps) {
    struct event_span *v = overlaps->all.v;
    if (!overlaps->late)
        return;
    qsort(v, overlaps->all.n, sizeof *v, by_thread);
    for (size_t i = 1; i < overlaps->all.n; i++)
        if (v[i].thread > 0 && v[i].thread == v[i - 1].thread)
            judge(overlaps, &v[i - 1], &v[i], -1);
    qsort(v, overlaps->all.n, sizeof *v, by_cpu);
    for (size_t i = 1; i < overlaps->all.n; i++)
        if (v[i].cpu >= 0 && v[i].cpu == v[i - 1].cpu)
            judge(overlaps, &v[i - 1], &v[i], v[i].cpu);
}
