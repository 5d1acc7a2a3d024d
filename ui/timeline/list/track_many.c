/* track_many.c - an entry for each process with many threads that was listed. */
#include "ui/timeline/list/track_many.h"

#include <string.h>

static struct track_many_process *entry_of(struct track_many *many, uint32_t process) {
    for (size_t i = 0; i < many->v.n; i++)
        if (many->v.v[i].process == process)
            return &many->v.v[i];
    vec_push(&many->v, ((struct track_many_process){.process = process}));
    return &many->v.v[many->v.n - 1];
}

static void end_sort(struct track_many *many) {
    track_sort_end(&many->sorting);
    many->sorted = NULL;
}

const uint32_t *track_many_order(struct track_many *many, enum track_order order,
                                 struct trace *trace, const struct track_lives *lives,
                                 const struct track_group *group) {
    const uint32_t *threads = group->threads;
    size_t n = group->n;
    if (n < 2 || track_sort_needless(order, trace))
        return threads;
    if (n <= MANY_THREADS) {
        vec_reserve(&many->few, n);
        memcpy(many->few.v, threads, n * sizeof *threads);
        track_sort(NULL, &(struct track_sorted){order, false, trace, lives, NULL}, many->few.v, n);
        return many->few.v;
    }
    struct track_many_process *e = entry_of(many, group->process);
    bool known = e->given.n > 0 && e->given.n <= n &&
                 memcmp(threads, e->given.v, e->given.n * sizeof *threads) == 0;
    if (known && e->given.n == n && e->order == order && e->version == trace_version(trace))
        return e->sorted.v;
    end_sort(many); /* entries may have moved */
    if (!known)
        e->sorted.n = e->given.n = 0;
    vec_reserve(&e->given, n);
    vec_reserve(&e->sorted, n);
    memcpy(e->given.v + e->given.n, threads + e->given.n, (n - e->given.n) * sizeof *threads);
    memcpy(e->sorted.v + e->sorted.n, threads + e->sorted.n, (n - e->sorted.n) * sizeof *threads);
    e->given.n = e->sorted.n = n;
    e->order = order;
    e->version = trace_version(trace);
    e->wanted = true;
    return e->sorted.v;
}

bool track_many_step(struct track_many *many, struct trace *trace, const struct track_lives *lives,
                     struct task *task, bool *news) {
    for (size_t i = 0; i < many->v.n; i++) {
        struct track_many_process *e = &many->v.v[i];
        /* not listed now, and its threads may not exist */
        if (!e->wanted || e->version != trace_version(trace))
            continue;
        struct track_sorted of = {e->order, false, trace, lives, NULL};
        if (many->sorted != e || !track_sort_is(&many->sorting, &of, e->given.n)) {
            track_sort_begin(&many->sorting, &of, e->given.v, e->given.n);
            many->sorted = e;
        }
        if (!track_sort_step(&many->sorting, e->sorted.v, task))
            return true;
        e->wanted = false;
        *news = true;
    }
    return false;
}

void track_many_free(struct track_many *many) {
    end_sort(many);
    for (size_t i = 0; i < many->v.n; i++) {
        vec_free(&many->v.v[i].given);
        vec_free(&many->v.v[i].sorted);
    }
    vec_free(&many->v);
    vec_free(&many->few);
}
