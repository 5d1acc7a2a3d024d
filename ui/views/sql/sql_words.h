/* sql_words.h - completion of a query: names of tables and columns. */
#ifndef FXTOP_VIEWS_SQL_WORDS_H
#define FXTOP_VIEWS_SQL_WORDS_H

#include "model/output/chars.h"

struct sql_words {     /* zero-initialised: none */
    char *stem;        /* the text that the list is for; NULL: there is no list */
    VEC(struct str) v; /* in the words that were handed in */
    struct chars line;
};

/* The n-th line that `stem` may become, valid until the next call; NULL after the last. words:
 * lines of a table and a column, or of a table and a blank; always the same ones. */
const char *sql_words_complete(struct sql_words *list, const char *words, const char *stem,
                               size_t n);
void sql_words_free(struct sql_words *list);

#endif
