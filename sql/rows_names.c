/* rows_names.c - rows in the order of their names.
 *
 * Names first: all rows by name, from a counting sort that the table keeps, 4 bytes a row; rows of
 * a name are by key. It is read from either end, or name by name if names and keys have different
 * directions. Keys first: the rows of a key are sorted by name in memory of the cursor, so no
 * second list of all rows is needed. */
#include "sql/rows.h"

#include <stdlib.h>

#define LOOK 4096u /* rows between two looks at the flag */
#define DENSE 8u   /* names a row, from which on a few rows are sorted by comparing */

static uint32_t rank_of(const struct rows *rows, const uint32_t *rank, const struct rows_lane *lane,
                        uint32_t i) {
    uint32_t name = rows_name(rows->source, lane, i);
    return rank[name < rows->source->names ? name : 0];
}

/* ---- all rows ---- */

/* Counts the rows of each rank, or puts them into their places. False: stopped. */
static bool sort_pass(struct rows *rows, const uint32_t *rank, uint32_t *starts, bool count) {
    struct source *source = rows->source;
    for (size_t k = 0; k < rows->v.n; k++) {
        const struct rows_lane *lane = &rows->v.v[k];
        for (uint32_t i = 0; i < lane->n; i++) {
            if (i % LOOK == 0 && source_stopped(source))
                return false;
            if (rows->skip && rows->skip(source, lane, i))
                continue;
            uint32_t r = rank_of(rows, rank, lane, i);
            if (count)
                starts[r + 1]++;
            else
                rows->by_name[starts[r]++] = (uint32_t)(lane->base - rows->first + i);
        }
    }
    return true;
}

static bool make(struct rows *rows) {
    struct source *source = rows->source;
    if (rows->by_name == NULL && rows->label)
        rows->label(rows);
    if (rows->by_name)
        return true;
    const uint32_t *rank = source_ranks(source);
    uint32_t *starts = err_calloc((size_t)source->names + 2, sizeof *starts);
    bool fine = sort_pass(rows, rank, starts, true);
    for (uint32_t r = 0; r <= source->names && fine; r++)
        starts[r + 1] += starts[r];
    if (fine) {
        rows->nby_name = starts[source->names];
        rows->by_name = err_malloc((rows->nby_name + 1) * sizeof *rows->by_name);
        fine = sort_pass(rows, rank, starts, false);
    }
    if (fine) {
        rows->name_ends = starts; /* the start of a rank has become its end */
        return true;
    }
    free(starts);
    free(rows->by_name);
    rows->by_name = NULL;
    return false;
}

/* The rows of the next rank that has any. */
static void next_name(struct rows_cursor *c) {
    const struct rows *rows = c->rows;
    uint32_t names = rows->source->names;
    for (c->nlist = 0; c->nlist == 0 && c->rank < names; c->rank++) {
        uint32_t r = c->ask.down ? names - 1 - c->rank : c->rank;
        uint32_t start = r > 0 ? rows->name_ends[r - 1] : 0;
        c->list = rows->by_name + start;
        c->nlist = rows->name_ends[r] - start;
    }
}

/* ---- the rows of a key ---- */

static void add_rows(struct rows_cursor *c, const struct rows_lane *lane) {
    const struct rows *rows = c->rows;
    for (uint32_t i = 0; i < lane->n; i++)
        vec_push(&c->own, (uint32_t)(lane->base - rows->first + i));
}

static int order_of_pairs(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Sorts cursor->own, the rows of lanes from `at` on, by pairs of rank and row number. */
static void sort_few(struct rows_cursor *c, const uint32_t *rank, size_t at) {
    const struct rows_lane *lane = &c->rows->v.v[at];
    uint64_t *pairs = err_malloc((c->own.n + 1) * sizeof *pairs);
    for (size_t k = 0; k < c->own.n; k++) {
        uint64_t id = c->rows->first + c->own.v[k];
        while (id - lane->base >= lane->n)
            lane++;
        pairs[k] =
            (uint64_t)rank_of(c->rows, rank, lane, (uint32_t)(id - lane->base)) << 32 | c->own.v[k];
    }
    if (c->own.n > 1)
        qsort(pairs, c->own.n, sizeof *pairs, order_of_pairs);
    for (size_t k = 0; k < c->own.n; k++)
        c->own.v[k] = (uint32_t)pairs[k];
    free(pairs);
}

/* Puts the rows of lanes [at, to) into cursor->own, which is long enough. False: stopped. */
static bool sort_many(struct rows_cursor *c, const uint32_t *rank, size_t at, size_t to) {
    const struct rows *rows = c->rows;
    uint32_t names = rows->source->names;
    uint32_t *starts = err_calloc((size_t)names + 2, sizeof *starts);
    bool fine = true;
    for (int pass = 0; pass < 2 && fine; pass++) {
        for (size_t k = at; k < to && fine; k++) {
            const struct rows_lane *lane = &rows->v.v[k];
            for (uint32_t i = 0; i < lane->n && fine; i++) {
                uint32_t r = rank_of(rows, rank, lane, i);
                if (pass == 0)
                    starts[r + 1]++;
                else
                    c->own.v[starts[r]++] = (uint32_t)(lane->base - rows->first + i);
                fine = i % LOOK != 0 || !source_stopped(rows->source);
            }
        }
        for (uint32_t r = 0; r <= names && pass == 0; r++)
            starts[r + 1] += starts[r];
    }
    free(starts);
    return fine;
}

/* The rows of the next key. False: stopped. */
static bool next_key(struct rows_cursor *c) {
    const struct rows_lane *v = c->rows->v.v;
    const uint32_t *rank = source_ranks(c->rows->source);
    c->own.n = 0;
    c->nlist = 0;
    if (c->at >= c->to)
        return true;
    size_t at = c->ask.down ? c->to - 1 : c->at, to = at + 1;
    while (c->ask.down && at > c->at && v[at - 1].key == v[at].key)
        at--;
    while (!c->ask.down && to < c->to && v[to].key == v[at].key)
        to++;
    for (size_t k = at; k < to; k++)
        add_rows(c, &v[k]);
    if (c->ask.down)
        c->to = at;
    else
        c->at = to;
    if (c->own.n < c->rows->source->names / DENSE)
        sort_few(c, rank, at);
    else if (!sort_many(c, rank, at, to))
        return false;
    c->list = c->own.v;
    c->nlist = c->own.n;
    return true;
}

/* ---- the cursor ---- */

bool rows_names_part(struct rows_cursor *c) {
    c->list_at = 0;
    c->nlist = 0;
    c->lane = NULL;
    if (c->ask.order == ROWS_KEY_NAMES)
        return next_key(c) && !source_stopped(c->rows->source);
    if (c->ask.order == ROWS_NAMES && c->by_rank)
        next_name(c);
    return true;
}

bool rows_names_begin(struct rows_cursor *c) {
    bool names = c->ask.order == ROWS_NAMES, any = c->at < c->to;
    if (names && any && !make(c->rows))
        return false;
    c->by_rank = names && c->ask.down != c->ask.then_down && c->rows->name_ends != NULL;
    c->rank = any ? 0 : UINT32_MAX;
    c->backward = names && !c->by_rank ? c->ask.down : c->ask.then_down;
    if (!names || c->by_rank)
        return rows_names_part(c);
    c->list_at = 0;
    c->list = c->rows->by_name;
    c->nlist = any ? c->rows->nby_name : 0;
    return true;
}
