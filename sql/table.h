/* table.h - a table of SQL as a description: name, columns with their types and roles, rows, cells.
 *
 * Every table is a struct table; registry.c lists them. SQLite reads all of them through one module
 * (table.c). Constraints and orders on a column with a role are answered by rows.h. ROLE_INPUT is
 * an argument of a table function, or the column by which a table is searched. Cells are written
 * with table_text() and sqlite3_result_...(); a cell that is not written is NULL. */
#ifndef FXTOP_SQL_TABLE_H
#define FXTOP_SQL_TABLE_H

#include <sqlite3.h>

#include "model/output/chars.h"
#include "sql/batch/batch.h"
#include "sql/rows.h"

enum table_type { TABLE_INTEGER, TABLE_TEXT, TABLE_REAL };

enum table_role {
    ROLE_NONE,
    ROLE_ID, /* from here to ROLE_DEPTH in the order of enum rows_term */
    ROLE_KEY,
    ROLE_TS,
    ROLE_DUR,
    ROLE_DEPTH,
    ROLE_NAME,
    ROLE_PARENT,  /* rows.children() finds them */
    ROLE_OTHER,   /* rows.others() does */
    ROLE_ARG_SET, /* NULL, or the id */
    ROLE_INPUT,
    ROLE_LABEL,   /* a text by which rows.label() orders */
    ROLE_SPELLED, /* a text with several spellings: get() gives one that table_asks() for */
    ROLE_GROUP,   /* rows.group() */
    ROLE_REAL,    /* rows.real() */
};

struct table_column {
    const char *name;
    uint8_t type, role; /* enum table_type, table_role */
    bool hidden;        /* not in * */
};

/* Columns of lists: an id, a number, a text. */
#define TABLE_ID(name)                                                                             \
    { name, TABLE_INTEGER, ROLE_ID, false }
#define TABLE_INT(name)                                                                            \
    { name, TABLE_INTEGER, ROLE_NONE, false }
#define TABLE_STR(name)                                                                            \
    { name, TABLE_TEXT, ROLE_NONE, false }
#define TABLE_INPUT(name)                                                                          \
    { name, TABLE_INTEGER, ROLE_INPUT, true }
#define TABLE_COLUMNS(columns) columns, (int)(sizeof columns / sizeof *columns)

struct table_cursor {
    sqlite3_vtab_cursor base;
    struct source *source;
    const struct table *table;
    struct rows_cursor rows;
    struct detail detail; /* of the record at detail.offset, if `decoded` */
    bool decoded;
    bool has_input;
    int64_t input, second; /* values of ROLE_INPUT */
    struct chars spelled;  /* of ROLE_SPELLED: texts or a pattern, each with its NUL */
    char spelled_op;       /* '=' to one of them, 'L'ike or 'G'lob; 0: none are asked for */
    void *own;             /* of the table; freed by its end() */
    struct batch *batch;   /* NULL: its rows are those of the table */
    const char *fault;     /* the sentence of a failure */
};

struct table {
    const char *name;
    const struct table_column *columns;
    int ncolumns;
    struct rows *(*rows)(struct source *source);
    void (*get)(struct table_cursor *cursor, int column, sqlite3_context *out);
    /* Functions of a table that makes its rows itself; else NULL. begin() makes the first row
     * current or sets rows.end, and returns false if it was stopped or sets `fault`. next() and
     * end() may be NULL: rows.h. */
    bool (*begin)(struct table_cursor *cursor);
    bool (*next)(struct table_cursor *cursor);
    void (*end)(struct table_cursor *cursor);
    const char *needs; /* the sentence if an input is missing; NULL: none is needed */
    uint64_t about;    /* rows of a call, for tables with begin() */
};

/* Gives SQLite the columns of a virtual table, CREATE TABLE x(...), and frees the text. *declaring
 * is true meanwhile. */
int table_declare(sqlite3 *db, sqlite3_str *sql, bool *declaring);
/* Sets the message of a virtual table to "WHAT: WHY", or to WHY if `what` is NULL; returns
 * SQLITE_ERROR. */
int table_fail(sqlite3_vtab *vtab, const char *what, const char *why);
/* The column `trace` of a table, if there are several: whether it has one, and its cell. */
bool table_has_trace(const struct source *source, const struct table *table);
void table_trace(struct table_cursor *cursor, sqlite3_context *out);
int table_register(sqlite3 *db, struct source *source, const struct table *table);
/* Does it for a database whose aggregates take many rows at once (batch/batch.h). */
int table_register_batches(sqlite3 *db, struct source *source, const struct table *table);

/* A name by its number, a text of the trace: made valid UTF-8. */
void table_name(const struct table_cursor *cursor, sqlite3_context *out, uint32_t name);
void table_text(sqlite3_context *out, struct str text);
/* Whether a spelling is one that the condition on the column of ROLE_SPELLED asks for, or there is
 * none. */
bool table_asks(const struct table_cursor *cursor, const char *text);
/* Decodes a record for cells, if it is not the last one; false: it cannot be. */
bool table_decode(struct table_cursor *cursor, uint64_t offset);
/* Rows by number: a table of n rows without times, with ids from `first` on. Kept under the key. */
struct rows *table_numbers(struct source *source, const void *key, uint64_t first, uint64_t n);

#endif
