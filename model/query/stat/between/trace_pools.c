/* trace_pools.c - pools of threads, numbered in the order of the threads. */
#include "model/query/stat/between/trace_pools.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"

void trace_pools_free(struct trace_pools *p) {
    for (size_t i = 0; i < p->v.n; i++) {
        free(p->v.v[i].process);
        free(p->v.v[i].thread);
    }
    vec_free(&p->v);
    vec_free(&p->of_thread);
}

/* A name of digits alone stays as it is. */
static struct str without_number(struct str s) {
    size_t n = s.n;
    while (n > 0 && s.s[n - 1] >= '0' && s.s[n - 1] <= '9')
        n--;
    while (n > 0 && n < s.n && strchr(" -_#:/.", s.s[n - 1]) != NULL && s.s[n - 1] != 0)
        n--;
    return (struct str){s.s, n > 0 ? n : s.n};
}

static int order_of(const char *a, size_t na, const char *b, size_t nb) {
    int order = memcmp(a, b, na < nb ? na : nb);
    return order ? order : (na > nb) - (na < nb);
}

int trace_pools_order(const struct trace_pool *a, const struct trace_pool *b) {
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    int order = order_of(a->process, a->nprocess, b->process, b->nprocess);
    return order ? order : order_of(a->thread, a->nthread, b->thread, b->nthread);
}

struct wanted {
    const struct trace_pools *pools;
    const struct trace_pool *pool;
};

static bool same(const void *ctx, uint32_t number) {
    const struct wanted *w = ctx;
    return trace_pools_order(&w->pools->v.v[number], w->pool) == 0;
}

static struct trace_pool pool_of(const struct trace *trace, const struct thread *thread) {
    char buf[40], other[40];
    bool named;
    struct str name = without_number(trace_thread_name(trace, thread, buf, &named)),
               process = STR("");
    if (thread->process < trace_process_count(trace)) {
        process = trace_process_name(trace, trace_process(trace, thread->process), other, &named);
        process = named ? process : without_number(process);
    }
    return (struct trace_pool){err_copy(process.s, process.n), err_copy(name.s, name.n), process.n,
                               name.n};
}

void trace_pools_take(struct trace_pools *p, const struct trace *trace) {
    struct map known = {0};
    for (uint32_t i = 0; i < trace_thread_count(trace); i++) {
        struct trace_pool pool = pool_of(trace, trace_thread(trace, i));
        uint32_t next = (uint32_t)p->v.n;
        uint64_t hash = hash_words(hash_bytes(pool.process, pool.nprocess),
                                   hash_bytes(pool.thread, pool.nthread));
        uint32_t number = map_intern(&known, hash, same, &(struct wanted){p, &pool}, next);
        if (number == next) {
            vec_push(&p->v, pool);
        } else {
            free(pool.process);
            free(pool.thread);
        }
        vec_push(&p->of_thread, number + 1);
    }
    map_free(&known);
}

uint32_t trace_pools_of(const struct trace_pools *p, uint32_t track) {
    return track < p->of_thread.n ? p->of_thread.v[track] : 0;
}
