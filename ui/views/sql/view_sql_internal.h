/* view_sql_internal.h - shared by the files of view_sql. */
#ifndef FXTOP_VIEWS_SQL_INTERNAL_H
#define FXTOP_VIEWS_SQL_INTERNAL_H

#include "sql/answer/answer.h"
#include "ui/views/sql/sql_words.h"
#include "ui/views/view_table.h"

struct view_sql {
    struct app *app;
    const struct sql_answer_ops *ops;
    struct sql_answer *answer;
    char *sql;           /* NULL: nothing was asked */
    bool tables;         /* it is :tables */
    char *each;          /* it is :each of this name; NULL: it is not */
    bool aligned;        /* its iterations are strips, in place of most columns */
    bool waits;          /* it is to be asked */
    bool asked;          /* the answer is of this query, though it may be asked again */
    bool stale;          /* the trace has changed since */
    uint32_t generation; /* of the trace, when it was asked */
    struct table table;
    struct table_source source;
    struct relation relation;
    struct relation_column *columns; /* relation.ncolumns */
    struct table_column *looks;
    char (*titles)[64];
    uint64_t rows; /* in the table so far */
    int first;     /* the first column shown */
    bool growing;
    int64_t shown;               /* time of the last look that changed the screen */
    char *words;                 /* for completion; NULL: not asked for */
    struct sql_words completion; /* of them */
    struct chars pane;
};

void view_sql_draw(struct view *view);
/* Draws strips right of the columns of the table, which was drawn before with its header at row y:
 * each from the begin of its iteration, in one scale, by the names of its children. */
void view_sql_aligned_draw(struct view_sql *v, int y);

#endif
