/* sql_words.h - completion of a query: names of tables and columns. */
#ifndef FXTOP_VIEWS_SQL_WORDS_H
#define FXTOP_VIEWS_SQL_WORDS_H

#include "model/output/chars.h"

/* The n-th line that `stem` may become, in `out`; NULL after the last. words: lines of a table and a column, or of a table
 * and a blank. */
const char *sql_words_complete(const char *words, const char *stem, size_t n, struct chars *out);

#endif
