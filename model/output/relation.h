/* relation.h - rows with named, typed columns: one description for tables on the screen, CSV,
 * ndjson and Markdown. A relation yields values; each printer chooses the text. Tables of SQL have
 * their own description (sql/table.h).
 *
 * How to define one: a static array of columns, and two functions over a context of your own:
 *
 *     static const struct relation_column columns[] = {
 *         {.name = "name", .title = "name", .type = RELATION_TEXT},
 *         {.name = "dur_ns", .title = "dur", .type = RELATION_INTEGER, .unit = RELATION_DURATION},
 *     };
 *     static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
 *         if (column == 0)
 *             relation_set_text(value, ...);
 *         else if (... has ended)
 *             relation_set_integer(value, ...);   otherwise the value stays RELATION_NULL
 *     }
 *     static const struct relation slices = {"slice", columns, 2, false, rows, get};
 *
 * A cell without an answer is RELATION_NULL, never a text such as "-": CSV prints nothing, and a
 * table chooses what to show instead. An empty text is a value: CSV prints "".
 *
 * How to print one: relation_csv() here. A table on the screen calls get() for the cells that it
 * draws and makes their text with relation_text(). If a cell needs more (a point in time at the
 * window's resolution, a mark, a colour), the table has a formatter of its own. It passes its
 * filtered, sorted rows to relation_csv() as a relation_order. */
#ifndef FXTOP_RELATION_H
#define FXTOP_RELATION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/output/chars.h"
#include "src/base/str.h"

#define RELATION_TEXT_MAX 400
#define RELATION_NO_ROW UINT64_MAX

/* of rows that are printed */
enum relation_format {
    FORMAT_TABLE,
    FORMAT_CSV,
    FORMAT_NDJSON,
    FORMAT_MARKDOWN,
    FORMAT_JUNIT, /* this and the next one of --assert and --check alone: test_report.h */
    FORMAT_GITHUB
};

enum relation_type {
    RELATION_NULL,
    RELATION_TEXT,
    RELATION_INTEGER,
    RELATION_REAL,
    RELATION_DIGITS
};

/* The meaning of a column's integers. From RELATION_BYTES to RELATION_ID they are unsigned: all 64
 * bits count. */
enum relation_unit {
    RELATION_NONE,
    RELATION_TIME, /* ns relative to the reader's base; programs get ns since the trace's origin */
    RELATION_DURATION, /* ns */
    /* ns, a sum of durations: INT64_MAX is of at least as much, which programs get as
     * SUM_AT_LEAST */
    RELATION_SUM,
    RELATION_BOOLEAN, /* 0 or 1 */
    RELATION_SHARE,   /* of sum_share(); programs get 0.1234 */
    RELATION_JSON,    /* of texts: a value in JSON, which ndjson prints as it is */
    RELATION_BYTES,
    RELATION_COUNT,
    RELATION_OFFSET, /* byte of the trace */
    RELATION_ID,     /* a number that only identifies: pid, koid */
};

struct relation_column {
    const char *name;  /* for programs: "dur_ns" */
    const char *title; /* on the screen; NULL: not shown there */
    /* of its values that are not null; RELATION_REAL: some may be RELATION_DIGITS */
    enum relation_type type;
    enum relation_unit unit; /* of integers */
    bool lines;              /* of text: may have several lines, and CSV keeps the line feeds */
};

/* A row by its number, in the relation's own order from 0. `before` is the row printed above it,
 * for columns that are a difference; RELATION_NO_ROW: there is none, or rows are not in the
 * relation's order. */
struct relation_row {
    uint64_t row, before;
};

/* text is valid until the next get(); it may point to buf. RELATION_DIGITS: an integer of any size
 * as text, and in `real` the nearest double. */
struct relation_value {
    enum relation_type type;
    int64_t integer;
    double real;
    struct str text;
    char buf[RELATION_TEXT_MAX];
};

/* get() receives a value that is RELATION_NULL and sets it, or leaves it so. row < rows(ctx). */
struct relation {
    const char *name; /* for programs: "slice" */
    const struct relation_column *columns;
    int ncolumns;
    bool bare_names; /* CSV prints the column names without quotes */
    uint64_t (*rows)(void *ctx);
    void (*get)(void *ctx, struct relation_row row, int column, struct relation_value *value);
};

/* Whether integers of the unit are shown as times. */
static inline bool relation_is_time(enum relation_unit unit) {
    return unit == RELATION_TIME || unit == RELATION_DURATION || unit == RELATION_SUM;
}

static inline void relation_set_text(struct relation_value *value, struct str text) {
    value->type = RELATION_TEXT;
    value->text = text;
}

static inline void relation_set_integer(struct relation_value *value, int64_t integer) {
    value->type = RELATION_INTEGER;
    value->integer = integer;
}

static inline void relation_set_digits(struct relation_value *value, struct str digits,
                                       double real) {
    value->type = RELATION_DIGITS;
    value->text = digits;
    value->real = real;
}

static inline void relation_set_real(struct relation_value *value, double real) {
    value->type = RELATION_REAL;
    value->real = real;
}

/* The value of one cell, from RELATION_NULL on; buf is not cleared. */
static inline void relation_get(const struct relation *relation, void *ctx, struct relation_row row,
                                int column, struct relation_value *value) {
    value->type = RELATION_NULL;
    value->integer = 0;
    value->real = 0;
    value->text = STR("");
    relation->get(ctx, row, column, value);
}

/* Text of a value for a reader: durations and sizes with their unit, shares as 12.3%, counts
 * compact from 10,000 on, offsets as 0x1f, booleans as true and false; null is "". A time is its
 * number: origin and resolution are the caller's. The result is the value's own text or lies in
 * buf. */
struct str relation_text(const struct relation_column *column, const struct relation_value *value,
                         bool ascii, char buf[48]);

/* Which rows to print, in which order: the rows at 0 .. count - 1; false: skip this one. */
struct relation_order {
    uint64_t count;
    bool (*row)(void *ctx, uint64_t at, struct relation_row *row);
    void *ctx;
};

/* The relation as RFC 4180: a line of column names, then rows; text in quotes, numbers plain, null
 * empty. Times are printed as ns after `origin` (relative to the base, as the values). order: NULL
 * prints all rows. The caller checks ferror(out). */
void relation_csv(const struct relation *relation, void *ctx, FILE *out,
                  const struct relation_order *order, int64_t origin);
/* The parts of it, appended to memory: its first line, and a row. */
void relation_csv_header(const struct relation *relation, struct chars *out);
void relation_csv_row(const struct relation *relation, void *ctx, struct relation_row row,
                      int64_t origin, struct chars *out);

/* One text of CSV in quotes. lines: line feeds are kept. An apostrophe precedes what a spreadsheet
 * would take for a formula. */
void relation_csv_text(struct chars *out, struct str s, bool lines);
/* A share of sum_share() as programs get it: 0.1234. */
void relation_share(struct chars *out, int64_t share);

/* ---- other formats (relation_print.c); the caller checks ferror(out) ---- */

struct relation_style {
    const struct relation_order *order; /* NULL: all rows */
    int64_t origin; /* times are printed as ns, or as a point in time, after it */
    bool ascii;
    uint64_t without; /* columns that a reader is not shown, a bit each */
    bool all; /* `order` has every row, so a pass that needs no order may take the relation's own */
};

/* An object a line; null values are left out. */
void relation_ndjson(const struct relation *relation, void *ctx, FILE *out,
                     const struct relation_style *style);
/* For a reader: the columns with a title, aligned; text is safe for a terminal. */
void relation_aligned(const struct relation *relation, void *ctx, FILE *out,
                      const struct relation_style *style);
void relation_markdown(const struct relation *relation, void *ctx, FILE *out,
                       const struct relation_style *style);
/* A text that is safe for a terminal, so that it is read as itself; and so a cell up to its end, "
 * x |". */
void relation_markdown_text(const char *text, FILE *out);
void relation_markdown_cell(const char *text, FILE *out);

#endif
