/* track_sort.c - sorts by times at once, and by names eight bytes at a time.
 *
 * The names are asked first, as each costs some cache misses. All are sorted by their first eight
 * bytes; each stretch of equal ones waits to be sorted by the next eight. A stretch whose names
 * have all ended stays as it is. */
#include "ui/timeline/list/track_sort.h"

#include <string.h>

#define CHUNK 8       /* bytes of a name in a value */
#define NAME_UNITS 20 /* of the budget */

struct track_sort_name {
    struct str name;
    char buf[40];
};

void track_sort_begin(struct track_sort *sort, enum track_order order, bool processes,
                      const uint32_t *numbers, size_t n) {
    *sort = (struct track_sort){.order = order, .processes = processes, .now = {0, n, 0}};
    vec_reserve(&sort->numbers, n < 1 ? 1 : n);
    vec_reserve(&sort->v, n < 1 ? 1 : n);
    for (size_t i = 0; i < n; i++) {
        sort->numbers.v[i] = numbers[i];
        sort->v.v[i] = (uint32_t)i;
    }
    sort->numbers.n = sort->v.n = n;
    if (order == ORDER_BY_NAME)
        sort->names = err_malloc((n + 1) * sizeof *sort->names);
}

static bool ask_names(struct track_sort *sort, struct trace *trace, struct budget *budget) {
    for (; sort->names && sort->named < sort->v.n; sort->named++) {
        struct track_sort_name *e = &sort->names[sort->named];
        uint32_t number = sort->numbers.v[sort->named];
        bool named;
        if (!budget_left(budget))
            return false;
        e->name = sort->processes
                      ? trace_process_name(trace, trace_process(trace, number), e->buf, &named)
                      : trace_thread_name(trace, trace_thread(trace, number), e->buf, &named);
        budget_spend(budget, NAME_UNITS);
    }
    return true;
}

/* The bytes from `skip` on as a number that has their order. */
static int64_t chunk_of(struct str name, size_t skip) {
    uint64_t value = 0;
    for (size_t i = skip; i < skip + CHUNK; i++)
        value = value << 8 | (i < name.n ? (unsigned char)name.s[i] : 0);
    return (int64_t)(value ^ UINT64_C(1) << 63);
}

/* Fills in the values of the stretch that is sorted now. */
static bool ask_values(struct track_sort *sort, struct trace *trace,
                       const struct track_lives *lives, struct budget *budget) {
    while (sort->values.v.n < sort->now.n) {
        uint32_t place = sort->v.v[sort->now.first + sort->values.v.n], cost = 1;
        int64_t value;
        if (!budget_left(budget))
            return false;
        if (sort->names)
            value = chunk_of(sort->names[place].name, sort->now.skip);
        else
            value = track_order_value(sort->order, sort->processes, trace, lives,
                                      sort->numbers.v[place], &cost);
        quantiles_add(&sort->values, value, place);
        budget_spend(budget, cost);
    }
    return true;
}

/* Whether one of the names goes on after so many bytes. */
static bool any_longer(const struct track_sort *sort, const struct quantiles_value *v, size_t n,
                       size_t bytes) {
    size_t i = 0;
    while (i < n && sort->names[v[i].id].name.n <= bytes)
        i++;
    return i < n;
}

/* Puts the stretch in order, and has those wait that are equal so far. */
static void put(struct track_sort *sort) {
    const struct quantiles_value *values = sort->values.v.v;
    size_t first = sort->now.first, n = sort->now.n, skip = sort->now.skip + CHUNK;
    for (size_t i = 0, from = 0; i < n; i++) {
        sort->v.v[first + i] = values[i].id;
        if (i + 1 < n && values[i + 1].value == values[i].value)
            continue;
        if (sort->names && i > from && any_longer(sort, values + from, i + 1 - from, skip))
            vec_push(&sort->waiting, ((struct track_sort_ties){first + from, i + 1 - from, skip}));
        from = i + 1;
    }
}

bool track_sort_step(struct track_sort *sort, struct trace *trace, const struct track_lives *lives,
                     struct budget *budget) {
    if (sort->done || !ask_names(sort, trace, budget))
        return sort->done;
    while (ask_values(sort, trace, lives, budget) && quantiles_step(&sort->values, budget)) {
        put(sort);
        budget_spend(budget, (uint32_t)(sort->now.n / 8));
        sort->values.v.n = 0;
        if (sort->waiting.n == 0) {
            for (size_t i = 0; i < sort->v.n; i++)
                sort->v.v[i] = sort->numbers.v[sort->v.v[i]];
            return sort->done = true;
        }
        sort->now = sort->waiting.v[--sort->waiting.n];
    }
    return false;
}

void track_sort_free(struct track_sort *sort) {
    vec_free(&sort->numbers);
    vec_free(&sort->v);
    vec_free(&sort->waiting);
    quantiles_free(&sort->values);
    free(sort->names);
    *sort = (struct track_sort){0};
}

bool track_sort_needless(enum track_order order, const struct trace *trace) {
    return order == ORDER_BY_FILE && !trace_has_sort_index(trace);
}

void track_sort_all(enum track_order order, bool processes, struct trace *trace,
                    const struct track_lives *lives, uint32_t *v, size_t n) {
    struct track_sort sort;
    if (n < 2 || track_sort_needless(order, trace))
        return;
    track_sort_begin(&sort, order, processes, v, n);
    track_sort_step(&sort, trace, lives, BUDGET_ENDLESS);
    memcpy(v, sort.v.v, n * sizeof *v);
    track_sort_free(&sort);
}
