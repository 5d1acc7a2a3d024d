/* batch.c - rows that are added up by the index, many at once.
 *
 * One pass over the rows. The group of a row is found by the rank of its name, or by a map. If the
 * key is a column of the group, they are cleared for each key: lanes are in the order of their
 * keys, so no key comes back. */
#include "sql/batch/batch.h"

#include <stdlib.h>
#include <string.h>

#include "model/query/slice_iter.h"

#define LOOK 4096u /* rows between two looks at the flag */
#define SUMS 8

struct group {
    int64_t key, number; /* number: rows.group() */
    uint32_t rank, name;
    uint64_t n;
    struct batch_sum sums[];
};

struct batch {
    struct source *source;
    char by[2], down[2]; /* letters; 0: none */
    char columns[SUMS];
    int nby, ncolumns;
    bool keyed;
    const uint32_t *rank;
    uint32_t *of_rank; /* number of the group + 1 */
    struct u64map map; /* the same by rows.group() */
    size_t began;      /* first group of the key */
    size_t size;       /* of a group */
    VEC(unsigned char) groups;
    const struct group **order;
    size_t n, at;
};

bool batch_adds_reals(void) {
    return sqlite3_libversion_number() < 3043000; /* later ones compensate for rounding */
}

bool batch_possible(struct rows *rows) {
    return rows->timed && !left_out_any(slice_iter_left_out_all(rows->source->trace));
}

/* ---- groups ---- */

static struct group *group_at(const struct batch *b, size_t i) {
    return (struct group *)(void *)(b->groups.v + i * b->size);
}

static size_t add_group(struct batch *b) {
    size_t at = b->groups.n / b->size;
    vec_reserve(&b->groups, b->groups.n + b->size);
    memset(b->groups.v + b->groups.n, 0, b->size);
    b->groups.n += b->size;
    return at;
}

static void forget_groups(struct batch *b) {
    size_t n = b->groups.n / b->size;
    for (size_t i = b->began; i < n && b->of_rank; i++)
        b->of_rank[group_at(b, i)->rank] = 0;
    u64map_free(&b->map);
    b->map = (struct u64map){0};
    b->began = n;
}

static bool groups_by(const struct batch *b, char letter) {
    return b->by[0] == letter || b->by[1] == letter;
}

/* The group of the current row. */
static struct group *group_of(struct batch *b, const struct rows_cursor *c, uint32_t i,
                              const struct slice *s) {
    const struct rows_lane *lane = c->lane;
    size_t n = b->groups.n / b->size;
    if (b->keyed && n > b->began && group_at(b, b->began)->key != lane->key) {
        forget_groups(b);
    }
    if (b->of_rank) {
        uint32_t name = s ? slice_name(s) : EVENT_NAME_MAX;
        if (name == EVENT_NAME_MAX)
            name = rows_name(b->source, lane, i);
        uint32_t rank = b->rank[name < b->source->names ? name : 0];
        if (b->of_rank[rank] == 0) {
            n = add_group(b);
            group_at(b, n)->rank = rank;
            group_at(b, n)->name = name;
            group_at(b, n)->key = lane->key;
            b->of_rank[rank] = (uint32_t)n + 1;
        }
        return group_at(b, b->of_rank[rank] - 1);
    }
    if (groups_by(b, 'g')) {
        int64_t number = c->rows->group(b->source, lane, i);
        uint64_t key = u64map_key((uint64_t)number), at = u64map_get(&b->map, key);
        if (at == UINT64_MAX) {
            at = add_group(b);
            group_at(b, at)->number = number;
            group_at(b, at)->key = lane->key;
            u64map_set(&b->map, key, at);
        }
        return group_at(b, at);
    }
    if (n == b->began)
        group_at(b, add_group(b))->key = lane->key;
    return group_at(b, b->began);
}

/* ---- sums ---- */

static void add_integer(struct batch_sum *sum, int64_t v) {
    sum->least = sum->n == 0 || v < sum->least ? v : sum->least;
    sum->most = sum->n == 0 || v > sum->most ? v : sum->most;
    sum->n++;
    sum->real += (double)v;
    if (!sum->overflow && __builtin_add_overflow(sum->sum, v, &sum->sum))
        sum->overflow = true;
}

static void add_real(struct batch_sum *sum, double v) {
    if (v != v)
        return; /* NULL */
    sum->real_least = sum->n == 0 || v < sum->real_least ? v : sum->real_least;
    sum->real_most = sum->n == 0 || v > sum->real_most ? v : sum->real_most;
    sum->reals = true;
    sum->n++;
    sum->real += v;
}

static int64_t duration(const struct batch *b, const struct rows_cursor *c, uint32_t i,
                        const struct slice *s) {
    bool open = s && slice_open(s);
    if (s == NULL || open) {
        if (c->rows->named)
            rows_read_open(b->source, c->lane, i);
        return open ? -1 : rows_dur(c->lane, i);
    }
    return slice_dur_ended(s);
}

static void add_row(const struct batch *b, struct group *group, const struct rows_cursor *c,
                    uint32_t i, const struct slice *s) {
    const struct rows_lane *lane = c->lane;
    group->n++;
    for (int k = 0; k < b->ncolumns; k++) {
        struct batch_sum *sum = &group->sums[k];
        switch (b->columns[k]) {
        case 'i':
            add_integer(sum, (int64_t)(lane->base + i));
            break;
        case 'k':
            add_integer(sum, lane->key);
            break;
        case 't':
            add_integer(sum, s ? source_time(b->source, s->start) : rows_ts(b->source, lane, i));
            break;
        case 'd':
            add_integer(sum, duration(b, c, i, s));
            break;
        case 'e':
            add_integer(sum, c->rows->depth(b->source, lane, i));
            break;
        default:
            add_real(sum, c->rows->real(lane, i));
        }
    }
}

/* False: stopped. */
static bool add_rows(struct batch *b, struct rows_cursor *c) {
    uint32_t looked = 0;
    while (!c->end) {
        const struct slice *v = NULL;
        uint32_t n = rows_cursor_run(c, &v), k = 0;
        do
            add_row(b, group_of(b, c, c->i + k, v ? v + k : NULL), c, c->i + k, v ? v + k : NULL);
        while (++k < n);
        c->i += k - 1;
        if (++looked % (LOOK / ROWS_RUN) == 0 && source_stopped(b->source))
            return false;
        if (!rows_cursor_next(c))
            return false;
    }
    return true;
}

/* ---- the order ---- */

static int compare(const struct batch *b, const struct group *x, const struct group *y) {
    for (int k = 0; k < b->nby; k++) {
        int64_t p = b->by[k] == 'k' ? x->key : x->number, q = b->by[k] == 'k' ? y->key : y->number;
        if (b->by[k] == 'n') {
            p = x->rank;
            q = y->rank;
        }
        if (p != q)
            return (p < q) == (b->down[k] == '-') ? 1 : -1;
    }
    return 0;
}

/* A merge of two halves, which are in order. */
static void merge(const struct batch *b, const struct group **v, const struct group **space,
                  size_t half, size_t n) {
    size_t x = 0, y = half, k = 0;
    while (x < half || y < n)
        space[k++] = y == n || (x < half && compare(b, v[x], v[y]) <= 0) ? v[x++] : v[y++];
    memcpy(v, space, n * sizeof *v);
}

static void put_in_order(struct batch *b) {
    b->n = b->groups.n / b->size;
    b->order = err_malloc((2 * b->n + 1) * sizeof *b->order);
    for (size_t i = 0; i < b->n; i++)
        b->order[i] = group_at(b, i);
    for (size_t half = 1; half < b->n; half *= 2)
        for (size_t at = 0; at + half < b->n; at += 2 * half) {
            size_t n = b->n - at < 2 * half ? b->n - at : 2 * half;
            merge(b, b->order + at, b->order + b->n, half, n);
        }
}

/* ---- the interface ---- */

static void show(struct batch *b) {
    b->source->batch = b->at < b->n ? b->order[b->at]->n : 0;
}

struct batch *batch_new(struct rows_cursor *cursor, struct rows *rows, const struct rows_ask *ask,
                        const char *how, const char *columns) {
    struct batch *b = err_calloc(1, sizeof *b);
    b->source = rows->source;
    for (; *how != '/'; how += 2) {
        b->by[b->nby] = how[0];
        b->down[b->nby++] = how[1];
        b->keyed |= how[0] == 'k';
    }
    for (; *columns && b->ncolumns < SUMS; columns++) {
        if (groups_by(b, *columns))
            continue;
        b->columns[b->ncolumns++] = *columns;
        rows->source->slice_times |= *columns == 't' && rows->named;
    }
    b->size = sizeof(struct group) + (size_t)b->ncolumns * sizeof(struct batch_sum);
    bool fine = true;
    if (groups_by(b, 'n')) {
        b->rank = source_ranks(rows->source);
        fine = b->rank != NULL;
        b->of_rank = err_calloc((size_t)rows->source->names + 1, sizeof *b->of_rank);
    }
    if (!rows_cursor_ask(cursor, rows, ask) || !fine || !add_rows(b, cursor)) {
        batch_free(b);
        return NULL;
    }
    put_in_order(b);
    show(b);
    return b;
}

void batch_free(struct batch *b) {
    if (b == NULL)
        return;
    free(b->of_rank);
    u64map_free(&b->map);
    vec_free(&b->groups);
    free(b->order);
    free(b);
}

void batch_next(struct batch *b) {
    b->at++;
    show(b);
}

bool batch_ended(const struct batch *b) {
    return b->at >= b->n;
}

bool batch_get(const struct batch *b, char letter, sqlite3_context *out, uint32_t *name) {
    const struct group *group = b->order[b->at];
    if (groups_by(b, letter)) {
        *name = group->name;
        if (letter != 'n')
            sqlite3_result_int64(out, letter == 'k' ? group->key : group->number);
        return letter == 'n';
    }
    for (int k = 0; k < b->ncolumns; k++)
        if (b->columns[k] == letter)
            sqlite3_result_pointer(out, (void *)(uintptr_t)&group->sums[k], BATCH_SUM, NULL);
    return false;
}
