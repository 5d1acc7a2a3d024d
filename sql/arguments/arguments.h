/* arguments.h - the arguments of a row of slice as SQL has them: of begin and end together, of one
 * name the last.
 *
 * Texts are copies, valid UTF-8, until the next arguments_read(). */
#ifndef FXTOP_ARGUMENTS_H
#define FXTOP_ARGUMENTS_H

#include <sqlite3.h>

#include "model/output/chars.h"
#include "sql/source.h"

struct argument {
    size_t name, nname;     /* in `text` */
    size_t flat, nflat;     /* the name without places in lists */
    size_t string, nstring; /* its value as text */
    uint64_t bits;
    uint8_t type; /* enum fxt_argument, or an unknown one */
};

struct arguments {
    VEC(struct argument) v;
    struct chars text;
};

/* Reads those of the row with an id: none if there is no such row. */
void arguments_read(struct arguments *arguments, struct source *source, int64_t id);
void arguments_free(struct arguments *arguments);
/* The last argument of a name; NULL: none. */
const struct argument *arguments_find(const struct arguments *arguments, struct str name);
/* Appends an argument whose texts are copied; made valid UTF-8. */
void arguments_add(struct arguments *arguments, struct str name, struct str flat, struct str string,
                   uint64_t bits, uint8_t type);
enum argument_column {
    ARGUMENT_KEY,
    ARGUMENT_FLAT_KEY,
    ARGUMENT_INT,
    ARGUMENT_STRING,
    ARGUMENT_REAL,
    ARGUMENT_TYPE,
    ARGUMENT_DISPLAY
};
/* A cell of the table args; NULL is left as it is. */
void arguments_cell(const struct arguments *arguments, const struct argument *argument,
                    enum argument_column column, sqlite3_context *out);
/* The bytes of an argument that is a text, else "". */
struct str arguments_text(const struct arguments *arguments, const struct argument *argument);
/* The value with its own type, as extract_arg() returns it. */
void arguments_value(const struct arguments *arguments, const struct argument *argument,
                     sqlite3_context *out);

#endif
