/* answer.h - a query on a thread of its own, and the rows that it has so far, for the screen.
 *
 * The thread reads the trace, which must not step from answer ask() until busy() is false. All
 * functions are called by one thread, that of the screen; none of them but wait(), halt() and
 * free() waits for the thread. Rows are kept until the next question: at most ANSWER_ROWS, and
 * ANSWER_BYTES bytes. Tables, views and functions that statements make last until the trace
 * changes.
 *
 * The functions are a table that main hands to the interface, which so needs no SQLite:
 * answer_ops_known(). */
#ifndef FXTOP_SQL_ANSWER_H
#define FXTOP_SQL_ANSWER_H

#include "sql/query.h"

#define ANSWER_ROWS 1000000u
#define ANSWER_BYTES ((uint64_t)256 << 20)

struct sql_answer;

enum answer_state {
    ANSWER_NONE, /* nothing was asked */
    ANSWER_RUNNING,
    ANSWER_DONE,
    ANSWER_FAILED,
    ANSWER_STOPPED,
    ANSWER_FULL, /* it has more rows than are kept */
};

struct answer_look {
    enum answer_state state;
    uint64_t rows; /* those that can be asked for */
    int columns;   /* 0: not known so far, or there are none */
    bool sorting;  /* ranks of a column are being made */
    int64_t ns;    /* that it has run */
    /* with damaged or unset times: what it left out, and the rows that have no duration */
    struct left_out left_out, damaged_rows;
    const struct err *err; /* of ANSWER_FAILED; its offset is a byte of the text */
};

struct sql_answer_ops {
    /* of a query, in bytes; 0: query.h */
    struct sql_answer *(*make)(struct trace *trace, uint64_t memory);
    void (*free)(struct sql_answer *answer); /* stops and waits; may be NULL */
    /* Asks; the rows before are gone. The answer is not busy. If no thread can be had, or the file
     * cannot be mapped whole, the query runs before it returns. */
    void (*ask)(struct sql_answer *answer, struct str sql);
    void (*stop)(struct sql_answer *answer); /* soon */
    /* Stops, waits, and drops the database, for the trace changes. */
    void (*halt)(struct sql_answer *answer);
    bool (*busy)(struct sql_answer *answer); /* its thread may be reading the trace */
    /* Waits for the end of the thread, at most so many ns; INT64_MAX: as long as it takes. */
    void (*wait)(struct sql_answer *answer, int64_t ns);
    struct answer_look (*look)(struct sql_answer *answer);
    /* its name: not safe to print */
    const char *(*column)(const struct sql_answer *answer, int column);
    /* of the values so far, without NULL */
    bool (*is_number)(const struct sql_answer *answer, int column);
    bool (*is_integer)(const struct sql_answer *answer, int column);
    struct query_cell (*cell)(const struct sql_answer *answer, uint64_t row, int column);
    struct query_place (*place)(const struct sql_answer *answer, uint64_t row);
    /* The order of the values of a column, as ORDER BY has them: equal values have equal ranks.
     * False: not known; the thread makes the ranks if it is not busy. */
    bool (*ranked)(struct sql_answer *answer, int column);
    uint32_t (*rank)(const struct sql_answer *answer, int column, uint64_t row);
    /* All tables and their columns, for completion: "table column" lines, each with LF; "table "
     * for the table itself. The caller frees the text. */
    char *(*words)(struct trace *trace);
};

/* NULL: this program has no SQLite. */
const struct sql_answer_ops *answer_ops_known(void);

#endif
