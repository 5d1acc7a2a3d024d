/* kept.c - the rows of a query in memory.
 *
 * A chunk has CHUNK rows. Texts are copied into blocks; one that equals that of the row above is
 * not copied again. The number of rows is stored after the row, so that a reader of that number
 * sees the row. */
#include "sql/answer/kept.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"

#define CHUNK 256u
#define BLOCK ((size_t)64 << 10) /* bytes of texts */

void kept_init(struct kept *kept, int columns, bool places, uint64_t most) {
    *kept = (struct kept){.columns = columns, .places = places};
    kept->chunks = err_calloc((size_t)(most / CHUNK) + 1, sizeof *kept->chunks);
    kept->types = err_calloc((size_t)columns + 1, sizeof *kept->types);
}

void kept_free(struct kept *kept) {
    uint64_t n = (kept_rows(kept) + CHUNK) / CHUNK;
    for (uint64_t i = 0; kept->chunks && i < n; i++) {
        struct kept_chunk *chunk = kept->chunks[i];
        if (chunk == NULL)
            break;
        free(chunk->cells);
        free(chunk->places);
        free(chunk);
    }
    for (size_t i = 0; i < kept->blocks.n; i++)
        free(kept->blocks.v[i]);
    vec_free(&kept->blocks);
    free(kept->chunks);
    free(kept->types);
    *kept = (struct kept){.columns = 0};
}

static struct kept_chunk *chunk_of(const struct kept *kept, uint64_t row) {
    return atomic_load_explicit(&kept->chunks[row / CHUNK], memory_order_acquire);
}

static struct kept_cell *cell_at(const struct kept *kept, uint64_t row, int column) {
    return &chunk_of(kept, row)->cells[row % CHUNK * (uint64_t)kept->columns + (uint64_t)column];
}

static struct kept_chunk *chunk_for(struct kept *kept, uint64_t row) {
    struct kept_chunk *chunk = chunk_of(kept, row);
    if (chunk)
        return chunk;
    size_t cells = CHUNK * (size_t)kept->columns;
    chunk = err_calloc(1, sizeof *chunk);
    chunk->cells = err_calloc(cells, sizeof *chunk->cells);
    chunk->places = kept->places ? err_calloc(CHUNK, sizeof *chunk->places) : NULL;
    kept->bytes +=
        cells * sizeof *chunk->cells + (kept->places ? CHUNK * sizeof *chunk->places : 0);
    atomic_store_explicit(&kept->chunks[row / CHUNK], chunk, memory_order_release);
    return chunk;
}

static const char *copy_text(struct kept *kept, struct str text) {
    if (text.n == 0)
        return "";
    if (text.n > BLOCK / 4) {
        vec_push(&kept->blocks, err_malloc(text.n));
        kept->bytes += text.n;
        return memcpy(kept->blocks.v[kept->blocks.n - 1], text.s, text.n);
    }
    if (kept->block == NULL || kept->used + text.n > BLOCK) {
        kept->block = err_malloc(BLOCK);
        vec_push(&kept->blocks, kept->block);
        kept->bytes += BLOCK;
        kept->used = 0;
    }
    char *at = memcpy(kept->block + kept->used, text.s, text.n);
    kept->used += text.n;
    return at;
}

static void fill(struct kept *kept, struct kept_cell *cell, const struct kept_cell *above,
                 struct query_cell value) {
    cell->type = (uint8_t)value.type;
    if (value.type == QUERY_INTEGER) {
        cell->is.integer = value.integer;
    } else if (value.type == QUERY_REAL) {
        cell->is.real = value.real;
    } else if (value.type != QUERY_NULL) {
        cell->n = (uint32_t)value.text.n; /* at most the limit of SQLite's texts */
        bool same = above && above->type == cell->type && above->n == cell->n && cell->n > 0 &&
                    memcmp(above->is.text, value.text.s, cell->n) == 0;
        cell->is.text = same ? above->is.text : copy_text(kept, value.text);
    }
}

void kept_add(struct kept *kept, struct query *query) {
    uint64_t row = atomic_load_explicit(&kept->rows, memory_order_relaxed);
    struct kept_chunk *chunk = chunk_for(kept, row);
    for (int c = 0; c < kept->columns; c++) {
        struct query_cell value = query_cell(query, c);
        fill(kept, cell_at(kept, row, c), row > 0 ? cell_at(kept, row - 1, c) : NULL, value);
        atomic_fetch_or_explicit(&kept->types[c], 1u << value.type, memory_order_relaxed);
    }
    if (kept->places)
        chunk->places[row % CHUNK] = query_place(query);
    atomic_store_explicit(&kept->rows, row + 1, memory_order_release);
}

struct query_cell kept_cell(const struct kept *kept, uint64_t row, int column) {
    const struct kept_cell *cell = cell_at(kept, row, column);
    struct query_cell value = {.type = (enum query_type)cell->type, .text = STR("")};
    if (cell->type == QUERY_INTEGER)
        value.integer = cell->is.integer;
    else if (cell->type == QUERY_REAL)
        value.real = cell->is.real;
    else if (cell->type != QUERY_NULL)
        value.text = (struct str){cell->is.text, cell->n};
    return value;
}

struct query_place kept_place(const struct kept *kept, uint64_t row) {
    return kept->places ? chunk_of(kept, row)->places[row % CHUNK]
                        : (struct query_place){.kind = PLACE_NONE};
}

bool kept_is(const struct kept *kept, int column, unsigned types) {
    unsigned has =
        atomic_load_explicit(&kept->types[column], memory_order_relaxed) & ~(1u << QUERY_NULL);
    return has != 0 && (has & ~types) == 0;
}

/* ---- ranks ---- */

struct ranked {
    const struct kept_cell *cell;
    uint32_t row;
};

static int sign(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

/* An integer and a real, exactly: a real of 2^63 or more is greater than any integer. */
static int by_mixed(int64_t a, double b) {
    if (b != b) /* SQLite has no such value */
        return 1;
    if (b >= 9223372036854775808.0)
        return -1;
    if (b < -9223372036854775808.0)
        return 1;
    int64_t whole = (int64_t)b;
    return a != whole ? sign(a, whole) : ((double)whole > b) - ((double)whole < b);
}

static int by_value(const struct kept_cell *a, const struct kept_cell *b) {
    /* NULL, numbers, texts, blobs */
    static const uint8_t classes[] = {[QUERY_NULL] = 0,
                                      [QUERY_INTEGER] = 1,
                                      [QUERY_REAL] = 1,
                                      [QUERY_TEXT] = 2,
                                      [QUERY_BLOB] = 3};
    if (classes[a->type] != classes[b->type] || a->type == QUERY_NULL)
        return sign(classes[a->type], classes[b->type]);
    if (a->type >= QUERY_TEXT) {
        uint32_t n = a->n < b->n ? a->n : b->n;
        int order = n > 0 ? memcmp(a->is.text, b->is.text, n) : 0;
        return order ? order : sign(a->n, b->n);
    }
    if (a->type == QUERY_INTEGER)
        return b->type == QUERY_INTEGER ? sign(a->is.integer, b->is.integer)
                                        : by_mixed(a->is.integer, b->is.real);
    return b->type == QUERY_INTEGER ? -by_mixed(b->is.integer, a->is.real)
                                    : (a->is.real > b->is.real) - (a->is.real < b->is.real);
}

/* Merges two neighbouring runs of v, the second of which begins at `middle`. */
static void merge(const struct ranked *v, struct ranked *out, uint64_t from, uint64_t middle,
                  uint64_t to) {
    uint64_t i = from, j = middle;
    for (uint64_t k = from; k < to; k++) {
        bool second = i >= middle || (j < to && by_value(v[j].cell, v[i].cell) < 0);
        out[k] = second ? v[j++] : v[i++];
    }
}

uint32_t *kept_ranks(const struct kept *kept, uint64_t rows, int column, const atomic_bool *stop) {
    struct ranked *v = err_malloc((rows + 1) * sizeof *v),
                  *other = err_malloc((rows + 1) * sizeof *other);
    uint32_t *ranks = err_calloc(rows + 1, sizeof *ranks), rank = 0;
    for (uint64_t row = 0; row < rows; row++)
        v[row] = (struct ranked){cell_at(kept, row, column), (uint32_t)row};
    for (uint64_t run = 1; run < rows && !atomic_load(stop); run *= 2) {
        for (uint64_t from = 0; from < rows; from += 2 * run)
            merge(v, other, from, from + run < rows ? from + run : rows,
                  from + 2 * run < rows ? from + 2 * run : rows);
        struct ranked *swap = v;
        v = other;
        other = swap;
    }
    for (uint64_t k = 0; k < rows; k++) {
        rank += k > 0 && by_value(v[k - 1].cell, v[k].cell) != 0;
        ranks[v[k].row] = rank;
    }
    free(v);
    free(other);
    return ranks;
}
