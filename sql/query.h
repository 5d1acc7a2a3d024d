/* query.h - statements of SQL over a trace.
 *
 * A query has a database of its own, in which the trace is tables (registry.h). It runs a sequence
 * of statements; the rows of the last one are given one by one. The trace is complete, and does not
 * step while the query lives. One thread uses it. Any thread or a signal handler may call
 * query_stop(), which ends the statement under way within about a millisecond. Only the sorting of
 * names takes longer.
 *
 *     query = query_new(trace, &options, &err);
 *     if (query_begin(query, sql, &err))
 *         while ((state = query_step(query, &err)) == QUERY_ROW)
 *             ... query_columns(), query_cell() ...
 *     query_free(query); */
#ifndef FXTOP_QUERY_H
#define FXTOP_QUERY_H

#include "model/query/slice_iter.h"
#include "sql/answer/place.h"
#include "sql/answer/unended.h"
#include "src/base/err.h"
#include "src/base/str.h"

struct trace;
struct query;

struct query_options {
    /* bytes that SQLite may take; 0: the least of 1 GB and a quarter of the memory */
    uint64_t memory;
    /* of SQLite, about, after which a text is stopped; 0: never. Tests bound it so */
    uint64_t instructions;
};

/* NULL: SQLite failed; err has the reason. */
struct query *query_new(struct trace *trace, const struct query_options *options, struct err *err);
void query_free(struct query *query); /* may be NULL */

/* Takes the text of the statements, which is copied; the former ones end. False: the text is
 * refused, and err has the byte in it. */
bool query_begin(struct query *query, struct str sql, struct err *err);

enum query_state { QUERY_ROW, QUERY_DONE, QUERY_FAILED, QUERY_STOPPED };
/* The next row of the last statement. err->at is a byte of the text. */
enum query_state query_step(struct query *query, struct err *err);
void query_stop(struct query *query);
/* Ends the last statement before its last row; what it holds is freed. */
void query_end(struct query *query);
/* The damaged slices, states and hops of the trace, if an answer since the last call left one of
 * them out. */
struct left_out query_left_out(struct query *query);

/* The damaged slices of the trace, if one was a row of an answer so far; else none. */
struct left_out query_damaged_rows(const struct query *query);
/* The slices without an end among those whose durations were read since query_begin(). */
struct unended query_unended(struct query *query);

/* Columns of the last statement, once it was stepped; 0: it has no rows. Names are as SQLite has
 * them: not safe to print. */
int query_columns(const struct query *query);
const char *query_column(const struct query *query, int column);

/* Takes an empty file; writes all tables and views to it as real ones. It leaves the disk of the
 * file its reserve. */
bool query_attach(struct query *query, int fd, struct err *err);
bool query_save(struct query *query, struct err *err);

enum query_type { QUERY_NULL, QUERY_INTEGER, QUERY_REAL, QUERY_TEXT, QUERY_BLOB };
struct query_cell {
    enum query_type type;
    int64_t integer;
    double real;
    struct str text; /* of texts, valid UTF-8, and blobs; lasts until the next step */
};
struct query_cell query_cell(const struct query *query, int column);
/* Whether rows of the last statement have places on the timeline; and that of the current row. */
bool query_has_places(const struct query *query);
struct query_place query_place(struct query *query);

#endif
