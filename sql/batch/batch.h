/* batch.h - rows that are added up by the index, many at once.
 *
 * In a database of batches a row of a table is a whole group: all rows that are equal in the
 * columns of GROUP BY. Such a column has its value. Any other one is a pointer to the sums of its
 * values, for the count, sum, total, avg, min and max of that database (sums.h). A statement may be
 * asked there if plan.h finds that nothing else reads them. The groups are made when the scan
 * begins, in the order of the rows, so sums of doubles are those of SQLite. */
#ifndef FXTOP_SQL_BATCH_BATCH_H
#define FXTOP_SQL_BATCH_BATCH_H

#include <sqlite3.h>

#include "sql/rows.h"

struct batch;

/* The sums of a column over a group. */
struct batch_sum {
    uint64_t n; /* values that are not NULL */
    int64_t least, most, sum;
    double real, real_least, real_most; /* real: also of integers */
    bool reals, overflow;               /* values are doubles; `sum` was out of bounds at a time */
};
#define BATCH_SUM "fxtop sum"

/* Whether sums of doubles are made as this version of SQLite makes them. */
bool batch_adds_reals(void);
/* Whether no row is damaged, so that nothing has to be noted row by row. */
bool batch_possible(struct rows *rows);
/* The groups of the rows that are asked for. how: letters of the columns of GROUP BY with '+' or
 * '-', then '/'; columns: letters of those to add up (table.c). Takes ask->names. NULL: stopped. */
struct batch *batch_new(struct rows_cursor *cursor, struct rows *rows, const struct rows_ask *ask,
                        const char *how, const char *columns);
void batch_free(struct batch *batch);
void batch_next(struct batch *batch);
bool batch_ended(const struct batch *batch);
/* The column of a letter; true: it is the name *name, which the caller writes. */
bool batch_get(const struct batch *batch, char letter, sqlite3_context *out, uint32_t *name);

#endif
