/* rewrite.h - Perfetto's words in SQL become SQLite's.
 *
 * INCLUDE PERFETTO MODULE checks the name and is left out. CREATE PERFETTO TABLE and VIEW, and
 * CREATE TABLE, VIEW, INDEX and VIRTUAL TABLE, make temporary ones. CREATE PERFETTO FUNCTION
 * becomes a struct rewrite_function. CREATE PERFETTO MACRO name(a Expr, b Expr) RETURNS Expr AS $a
 * + $b is kept: name!(x, y) is the text x + y from then on. cast_int!(x), cast_double!(x) and
 * cast_string!(x) become CAST, interval_intersect!((a, b), (c)) a table function
 * (tables/intersect.h). */
#ifndef FXTOP_SQL_REWRITE_REWRITE_H
#define FXTOP_SQL_REWRITE_REWRITE_H

#include "model/output/chars.h"
#include "src/base/err.h"

#define REWRITE_ARGUMENTS 16

struct rewrite_macros { /* that statements made; zero at first */
    struct rewrite_macro {
        char *name, *text;
        char *arguments[REWRITE_ARGUMENTS]; /* "$a" */
        int n;
    } * v;
    size_t n, cap;
};
void rewrite_macros_free(struct rewrite_macros *macros);

struct rewrite_piece { /* a run of a text that comes from another one */
    size_t at, from;   /* its begin here; the byte of the other text */
    bool copied;       /* as it was there; else all of it comes from that byte */
};
struct rewrite_pieces {
    struct rewrite_piece *v;
    size_t n, cap;
};

struct rewrite_function {
    struct str name;
    struct str arguments, returns; /* (a INT, b STRING); INT, or TABLE(x INT) */
    struct chars body;             /* rewritten */
    size_t at;                     /* of its body in the typed text */
    size_t before;                 /* the byte of the rewritten text before which it is made */
    bool table;
};

struct rewrite {
    struct chars expanded;        /* without macros; functions point into it */
    struct rewrite_pieces calls;  /* of it, from the typed text */
    struct chars text;            /* without a NUL inside; one follows it */
    struct rewrite_pieces pieces; /* of it, from `expanded` */
    VEC(struct rewrite_function) functions;
};

/* False: err has a sentence and the byte. rewrite was zero, or freed. The macros that sql makes are
 * kept. */
bool rewrite_sql(struct rewrite *rewrite, struct rewrite_macros *macros, struct str sql,
                 struct err *err);
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
