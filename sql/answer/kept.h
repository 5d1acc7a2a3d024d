/* kept.h - the rows of a query in memory: typed cells in chunks, which never move.
 *
 * One thread adds rows. Another may read those whose number it has from kept_rows(), meanwhile. */
#ifndef FXTOP_SQL_ANSWER_KEPT_H
#define FXTOP_SQL_ANSWER_KEPT_H

#include <stdatomic.h>

#include "sql/query.h"
#include "src/base/vec.h"

struct kept_cell {
    union {
        int64_t integer;
        double real;
        const char *text;
    } is;
    uint32_t n;   /* bytes of a text */
    uint8_t type; /* enum query_type */
};

struct kept_chunk {
    struct kept_cell *cells;
    struct query_place *places; /* NULL: rows have none */
};

struct kept {
    int columns;
    bool places;
    uint64_t bytes;
    _Atomic(struct kept_chunk *) *chunks; /* of as many as there may be rows */
    atomic_uint_fast64_t rows;
    VEC(char *) blocks; /* of texts */
    char *block;        /* the current one */
    size_t used;
    atomic_uint *types; /* by column: a bit per enum query_type */
};

void kept_init(struct kept *kept, int columns, bool places, uint64_t most);
void kept_free(struct kept *kept);
/* Adds the current row of a query; there are fewer than `most`. */
void kept_add(struct kept *kept, struct query *query);
static inline uint64_t kept_rows(struct kept *kept) {
    return atomic_load_explicit(&kept->rows, memory_order_acquire);
}
struct query_cell kept_cell(const struct kept *kept, uint64_t row, int column);
struct query_place kept_place(const struct kept *kept, uint64_t row);
/* Whether the column has values of these types alone, a set of 1 << enum query_type, and NULL. */
bool kept_is(const struct kept *kept, int column, unsigned types);
/* By row: its place in the order of a column's values, as ORDER BY has them; equal values have
 * equal ones. *stop ends it early, with ranks of no meaning. The caller frees them. */
uint32_t *kept_ranks(const struct kept *kept, uint64_t rows, int column, const atomic_bool *stop);

#endif
