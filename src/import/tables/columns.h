/* columns.h - tables of JSON, by columns: {"a":[1,2],"b":[3,4]}, or by rows:
 * {"schema":{"a":0,"b":1},"data":[[1,3],[2,4]]}.
 *
 * The caller names the columns that it wants; all others are passed over. A cell that is not there
 * is as one that is null. */
#ifndef FXTOP_SRC_IMPORT_TABLES_COLUMNS_H
#define FXTOP_SRC_IMPORT_TABLES_COLUMNS_H

#include "src/import/json/json_pull.h"
#include "src/import/json/json_read.h"

#define COLUMNS_MOST 7
#define COLUMNS_NONE (-1)       /* null, no time, no place */
#define COLUMNS_BAD (INT64_MAX) /* no such number: an index beyond every table */

enum column_kind {
    COLUMN_INDEX, /* a number, COLUMNS_NONE, or COLUMNS_BAD */
    COLUMN_TIME,  /* nanoseconds, of a number of 10^unit ns after `from` */
    COLUMN_DELTA, /* the same, after the cell before */
    COLUMN_PLACE  /* the offset of the value in the text */
};

struct column {
    const char *name;
    enum column_kind kind;
    bool there;
    VEC(int64_t) v;
};

struct columns {
    struct json_pull *pull;
    struct column v[COLUMNS_MOST];
    size_t n;
    struct json_time from, sum; /* sum: the last one of COLUMN_DELTA */
    int unit;
    VEC(uint64_t) at; /* the place of each cell of the first column, or of its row */
};

void columns_free(struct columns *columns);
/* Forgets all cells. */
void columns_clear(struct columns *columns);
/* Reads the table at this place of the text, and leaves `pull` there. */
void columns_read(struct columns *columns, uint64_t at);

/* A time, as in a column. */
int64_t columns_time(struct columns *columns, const struct json_token *token);

/* The number of rows: the cells of its longest column. */
size_t columns_rows(const struct columns *columns);
static inline int64_t columns_cell(const struct columns *columns, size_t column, size_t row) {
    return row < columns->v[column].v.n ? columns->v[column].v.v[row] : COLUMNS_NONE;
}
/* Whether an index of this column is that of a row. */
static inline bool columns_has(const struct columns *columns, size_t column, int64_t row) {
    return row >= 0 && (uint64_t)row < columns->v[column].v.n;
}

#endif
