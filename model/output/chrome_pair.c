/* chrome_pair.c - the tracks that have to be pairs of begins and ends so that fxtop reads them
 * again as they are. */
#include "model/output/chrome_plan.h"

/* A slice with two damaged records is a pair, so that both can say so. */
void chrome_pair_damaged(struct chrome_plan *plan) {
    const struct event_list *t = &plan->list;
    for (size_t i = 0; i < t->nslices && trace_damaged_slices(plan->trace) > 0; i++) {
        const struct slice *s = event_list_slice(plan->trace, &t->v.v[i]);
        uint64_t end = trace_end_record(plan->trace, s);
        if (end != 0 && trace_damaged_at(plan->trace, end) &&
            trace_damaged_at(plan->trace, slice_offset(s)))
            plan->tracks.v[plan->track_of[i]].pairs = true;
    }
}

const struct event_list_entry *chrome_slice_of_instant(const struct chrome_plan *plan,
                                                       const struct event_list_entry *e) {
    return event_list_point_slice(&plan->list, plan->trace,
                                  &(struct trace_point){e->thread, {e->time, e->offset}, false});
}

/* A track is written as pairs of begin and end if, as complete events, an instant at an end would
 * be read into another slice. */
static void pair_tie(struct chrome_plan *plan, const struct event_list_entry *e) {
    const struct trace *trace = plan->trace;
    const struct event_list *t = &plan->list;
    const struct nest *nest = &trace_thread(trace, e->thread)->nest;
    uint32_t row, i;
    struct nest_ending any = {e->time, .any = true};
    if (!trace_slice_ending(trace, e->thread, &any, &row, &i))
        return;
    const struct event_list_entry *ended = &t->v.v[t->row_start.v[e->thread][row] + i],
                                  *read = ended;
    if (trace_slice_at(trace, e->thread, e->time, &row, &i) &&
        lane_at(nest_row(nest, row), i)->start == e->time)
        read = &t->v.v[t->row_start.v[e->thread][row] + i];
    const struct event_list_entry *slice = chrome_slice_of_instant(plan, e);
    if (slice == read)
        return;
    plan->tracks.v[plan->track_of[ended - t->v.v]].pairs = true;
    if (slice)
        plan->tracks.v[plan->track_of[slice - t->v.v]].pairs = true;
}

void chrome_pair_ties(struct chrome_plan *plan) {
    const struct event_list *t = &plan->list;
    for (size_t i = 0; i < t->v.n; i++)
        if ((t->v.v[i].kind == EVENT_LIST_INSTANT || t->v.v[i].kind == EVENT_LIST_LOG) &&
            t->v.v[i].thread != NO_THREAD)
            pair_tie(plan, &t->v.v[i]);
}

static bool pair_without_length(const struct chrome_plan *plan) {
    const struct event_list *t = &plan->list;
    for (size_t i = 0; i < t->nslices; i++)
        if (plan->tracks.v[plan->track_of[i]].pairs &&
            slice_end(event_list_slice(plan->trace, &t->v.v[i])) == t->v.v[i].time)
            return true;
    return false;
}

void chrome_pair_all(struct chrome_plan *plan) {
    plan->pairs = pair_without_length(plan);
    for (size_t i = 0; i < plan->tracks.n && plan->pairs; i++)
        plan->tracks.v[i].pairs = true;
}

enum { SEEN, LASTS }; /* values of plan->lasting */

void chrome_pair_lasting(struct chrome_plan *plan) {
    const struct event_list *t = &plan->list;
    for (size_t i = 0; i < t->nslices; i++) {
        const struct event_list_entry *e = t->slices[i]->parent;
        if (e == NULL || !slice_open(event_list_slice(plan->trace, t->slices[i])))
            continue;
        for (; e && u64map_get(&plan->lasting, (uint64_t)(e - t->v.v)) == UINT64_MAX;
             e = e->parent) {
            const struct slice *s = event_list_slice(plan->trace, e);
            bool lasts = !slice_open(s) && slice_flags(s) & SLICE_COMPLETE && e->time < INT64_MAX &&
                         slice_end(s) == INT64_MAX;
            u64map_set(&plan->lasting, (uint64_t)(e - t->v.v), lasts ? LASTS : SEEN);
        }
    }
}

bool chrome_pair_lasts(const struct chrome_plan *plan, const struct event_list_entry *slice) {
    return u64map_get(&plan->lasting, (uint64_t)(slice - plan->list.v.v)) == LASTS;
}
