/* pick.c - one slice or operation of a name by its duration, in one pass over all of them. */
#include "model/query/stat/slice/pick.h"

static void begin(struct pick *p, struct trace *trace, unsigned kind, uint32_t name) {
    *p = (struct pick){.trace = trace, .kind = kind, .name = name, .least = 0, .most = INT64_MAX};
}

void pick_first(struct pick *p, struct trace *trace, unsigned kind, uint32_t name, int64_t least,
                int64_t most) {
    begin(p, trace, kind, name);
    p->least = least;
    p->most = most;
}

void pick_slowest(struct pick *p, struct trace *trace, unsigned kind, uint32_t name,
                  const struct pick_slice *after) {
    begin(p, trace, kind, name);
    p->ranked = true;
    p->has_after = after != NULL;
    if (after) {
        p->after = *after;
        p->most = after->dur;
    }
}

/* Whether a comes before b. */
static bool before(const struct pick *p, const struct pick_slice *a, const struct pick_slice *b) {
    if (p->ranked && a->dur != b->dur)
        return a->dur > b->dur;
    return a->start < b->start || (a->start == b->start && a->offset < b->offset);
}

static void look_at(struct pick *p, const struct slice_run *run, uint32_t k) {
    const struct slice *s = &run->v[k];
    if (slice_open(s) || slice_dur(s) < p->least || slice_dur(s) > p->most)
        return;
    struct pick_slice one = {run->track, run->row,     run->i + k,
                             s->start,   slice_dur(s), slice_offset(s)};
    if (p->has_after && !before(p, &p->after, &one))
        return;
    if (p->found && !before(p, &one, &p->best))
        return;
    p->best = one;
    p->found = true;
}

static void make(struct task *task, void *pick) {
    struct pick *p = pick;
    struct slice_set set = SLICE_SET_ALL(p->kind);
    struct slice_iter iter;
    struct slice_run run;
    set.named = p->name + 1;
    slice_iter_init(&iter, p->trace, &set);
    while (slice_iter_next(&iter, task, &run))
        for (uint32_t k = 0; k < run.n; k++) {
            uint32_t name = event_name(run.v[k].begin_word);
            if (name == EVENT_NAME_MAX)
                name = trace_packed_name(p->trace, run.v[k].begin_word);
            if (name == p->name)
                look_at(p, &run, k);
        }
}

const struct answer_ops pick_ops = {sizeof(struct pick), make, NULL};
