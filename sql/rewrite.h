/* rewrite.h - Perfetto's words in SQL become SQLite's.
 *
 * INCLUDE PERFETTO MODULE checks the name and is left out. CREATE PERFETTO TABLE and VIEW, and CREATE TABLE, VIEW, INDEX
 * and VIRTUAL TABLE, make temporary ones. CREATE PERFETTO FUNCTION becomes a struct rewrite_function. cast_int!(x),
 * cast_double!(x) and cast_string!(x) become CAST, interval_intersect!((a, b), (c)) a table function (tables/intersect.h).
 * Other macros are refused. */
#ifndef FXTOP_REWRITE_H
#define FXTOP_REWRITE_H

#include "model/output/chars.h"
#include "src/base/err.h"

struct rewrite_piece { /* a run of the rewritten text */
    size_t at, from;   /* its begin there; the byte of the typed text */
    bool copied;       /* as it was typed; else all of it comes from that byte */
};

struct rewrite_function {
    struct str name;
    struct str arguments, returns, body; /* (a INT, b STRING); INT, or TABLE(x INT); SELECT ... */
    size_t at;                           /* of its body in the typed text */
    size_t before;                       /* the byte of the rewritten text before which it is made */
    bool table;
};

struct rewrite {
    struct chars typed; /* a copy, to which the functions point */
    struct chars text;  /* without a NUL inside; one follows it */
    VEC(struct rewrite_piece) pieces;
    VEC(struct rewrite_function) functions;
};

/* False: err has a sentence and the byte. rewrite was zero, or freed. */
bool rewrite_sql(struct rewrite *rewrite, struct str sql, struct err *err);
void rewrite_free(struct rewrite *rewrite);
/* Whether there is a module of that name; "slices.*" is some. */
bool rewrite_module_known(struct str name);
/* The byte of the typed text that a byte of the rewritten one comes from. */
uint64_t rewrite_offset(const struct rewrite *rewrite, size_t at);

/* Tokens: a comment is a blank, a comma or a half of an operator is another character. */
enum rewrite_kind { REWRITE_END, REWRITE_BLANK, REWRITE_WORD, REWRITE_QUOTED, REWRITE_OTHER };
struct rewrite_token {
    enum rewrite_kind kind;
    size_t at, n; /* bytes; n is 0 at the end alone */
};
/* The token that begins at a byte. */
struct rewrite_token rewrite_token(struct str sql, size_t at);
/* The number of bytes at the front that are blanks, comments or semicolons. */
size_t rewrite_blank(const char *s, size_t n);

#endif
