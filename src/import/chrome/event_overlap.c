/* event_overlap.c - compares each state with the next one of its thread, and of its CPU. */
#include "src/import/chrome/event_overlap.h"

#include "src/fxt/fxt.h"

void event_overlaps_free(struct event_overlaps *overlaps) {
    vec_free(&overlaps->found);
}

uint64_t event_overlap_rounding(const struct event_span *a, const struct event_span *b) {
    static const uint64_t units[] = {1, 10, 100, 1000};
    return units[a->end_unit > b->begin_unit ? a->end_unit : b->begin_unit] + (b->begin >> 52);
}

/* b: the next one */
static void judge(struct event_overlaps *overlaps, struct event_span *a, const struct event_span *b,
                  int cpu) {
    if (a->noted || a->end == FXT_NO_END || a->end <= b->begin ||
        a->end - b->begin <= event_overlap_rounding(a, b))
        return;
    a->noted = true;
    vec_push(&overlaps->found, ((struct event_overlap){a->at, b->at, a->end - a->begin, cpu}));
}

/* The shorter one is first of two that begin at one time. */
bool event_overlaps_judge(struct event_overlaps *overlaps, struct event_span *a,
                          struct event_span *b, int cpu) {
    bool first = b->begin < a->begin || (b->begin == a->begin && b->end < a->end);
    if (first)
        judge(overlaps, b, a, cpu);
    else
        judge(overlaps, a, b, cpu);
    return !first;
}
