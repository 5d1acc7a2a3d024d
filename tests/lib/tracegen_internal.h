/* tracegen_internal.h - shared by tracegen.c and tracegen_tokens.c: a line that is read, and its
 * tokens. */
#ifndef FXTOP_TRACEGEN_INTERNAL_H
#define FXTOP_TRACEGEN_INTERNAL_H

#include "src/fxt/writer.h"

/* one more than a record holds, so that the writer is the one to refuse it */
#define TRACEGEN_ARGS 16

struct gen {
    const char *p;   /* the rest of the line */
    const char *why; /* NULL: no mistake yet */
    struct writer w;
    size_t last;      /* offset of the last record */
    VEC(char *) kept; /* decoded strings */
};

struct tracegen_tail { /* word=NUMBER: the word that some events have after their arguments */
    const char *word;
    uint64_t value;
    bool given;
};

/* Keeps the first mistake; returns false. */
bool tracegen_wrong(struct gen *g, const char *why);

bool tracegen_at_end(struct gen *g);
bool tracegen_ends_token(char c);

/* Each takes the next token of its kind. If there is none, that is a mistake, and the value has no
 * meaning. */
uint64_t tracegen_number(struct gen *g);
unsigned tracegen_small(struct gen *g);
struct str tracegen_quoted(struct gen *g);
struct str tracegen_bytes(struct gen *g);
struct writer_string tracegen_string(struct gen *g);
struct writer_thread tracegen_thread(struct gen *g);

/* Takes arguments up to the end of the line, and the tail if it is not NULL. */
struct writer_arguments tracegen_arguments(struct gen *g,
                                           struct writer_argument args[TRACEGEN_ARGS],
                                           struct tracegen_tail *tail);

#endif
