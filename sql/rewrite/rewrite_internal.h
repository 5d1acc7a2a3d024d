/* rewrite_internal.h - shared by rewrite.c, rewrite_macros.c and rewrite_made.c. */
#ifndef FXTOP_REWRITE_INTERNAL_H
#define FXTOP_REWRITE_INTERNAL_H

#include "sql/rewrite/rewrite.h"

#define REWRITE_CASTS 32 /* macros inside of each other */

struct rewrite_state {
    struct rewrite *out;
    struct str sql;
    struct err *err;
    size_t at; /* bytes of sql that are done */
    int depth; /* of parentheses */
    struct {
        int depth;
        const char *type;
    } casts[REWRITE_CASTS];
    int ncasts;
    int nested; /* macros of tables inside of each other */
};

struct rewrite_range { /* of the text */
    size_t from, to;
};

bool rewrite_is(const struct rewrite_state *s, struct rewrite_token t, const char *word);
bool rewrite_is_char(const struct rewrite_state *s, struct rewrite_token t, char c);
/* The token from a byte on that is no blank; the one after t; the one after the parenthesis that
 * closes the one at t. */
struct rewrite_token rewrite_next(struct str sql, size_t at);
struct rewrite_token rewrite_after(const struct rewrite_state *s, struct rewrite_token t);
struct rewrite_token rewrite_after_list(const struct rewrite_state *s, struct rewrite_token t);
/* Finds the ranges between the commas of the list in parentheses at `open`. Returns their number;
 * -1: more than `most`. */
int rewrite_split(const struct rewrite_state *s, struct rewrite_token open,
                  struct rewrite_range *ranges, int most);
/* The end of the statement: at its semicolon, or the end of the text. */
size_t rewrite_statement_end(const struct rewrite_state *s, struct rewrite_token t);
struct str rewrite_between(const struct rewrite_state *s, size_t from, size_t to);
/* Adds a text: that of a byte of the typed one, all typed text up to a byte, or one of ours. */
void rewrite_put(struct rewrite_state *s, struct str text, size_t from, bool copied);
void rewrite_copy(struct rewrite_state *s, size_t to);
void rewrite_insert(struct rewrite_state *s, const char *text);
bool rewrite_refuse(struct rewrite_state *s, struct rewrite_token t, const char *why);
/* Rewrites the tokens from t up to a byte. statements: some begin there. */
bool rewrite_tokens(struct rewrite_state *s, struct rewrite_token t, size_t end, bool statements);
/* The macro of tables `name!(`, whose parenthesis is at `open`. *known: there is one. */
bool rewrite_macros_expand(struct rewrite_state *s, struct rewrite_token name,
                           struct rewrite_token open, bool *known);

/* Keeps the macros that sql makes, and writes sql without them to out->expanded, each call
 * replaced. False: err has a sentence and the byte. */
bool rewrite_expand(struct rewrite *out, struct rewrite_macros *macros, struct str sql,
                    struct err *err);

#endif
