/* filter_internal.h - what the files of filter.h share: the table of fields, and numbers as they
 * are typed. */
#ifndef FXTOP_FILTER_INTERNAL_H
#define FXTOP_FILTER_INTERNAL_H

#include "model/query/filter.h"

#define FILTER_BIT(op) (1u << (op))
#define FILTER_TEXT_OPS                                                                            \
    (FILTER_BIT(FILTER_EQUALS) | FILTER_BIT(FILTER_NOT_EQUALS) | FILTER_BIT(FILTER_CONTAINS) |     \
     FILTER_BIT(FILTER_NOT_CONTAINS))
#define FILTER_SET_OPS (FILTER_BIT(FILTER_EQUALS) | FILTER_BIT(FILTER_NOT_EQUALS))
#define FILTER_ORDER_OPS                                                                           \
    (FILTER_BIT(FILTER_LESS) | FILTER_BIT(FILTER_AT_MOST) | FILTER_BIT(FILTER_MORE) |              \
     FILTER_BIT(FILTER_AT_LEAST))

/* How the values of a field are read. Free ones are text, and a number if they look like one. */
enum filter_values {
    FILTER_TEXTS,
    FILTER_WHOLE,
    FILTER_TIMES,
    FILTER_KINDS,
    FILTER_STATE_SETS,
    FILTER_WORD, /* the field stands alone */
    FILTER_FREE
};

struct filter_row {
    const char *name;
    enum filter_field field;
    enum filter_values values;
    unsigned ops; /* bits of enum filter_operator */
};

const struct filter_row *filter_row_named(const char *name); /* NULL: no field has the name */
/* NULL: text, an argument or a column */
const struct filter_row *filter_row_of(enum filter_field field);
extern const char *const filter_operators[]; /* by enum filter_operator */

/* Whether a word between two terms is an operator in other languages; it is none here, and no text
 * without quotes. */
bool filter_is_joint(const char *word, size_t n);

/* The n-th name among the values of kinds or of states; NULL: after the last, or other values. */
const char *filter_value_name(enum filter_values values, size_t n);

/* Typed numbers; false: the text is none. */
bool filter_whole(const char *text, struct filter_number *number);
bool filter_number(const char *text, struct filter_number *number);
bool filter_percentile(const char *text, struct filter_number *number);
bool filter_time(const char *text, struct filter_number *number);
bool filter_kind(const char *text, struct filter_number *number);
bool filter_state(const char *text, struct filter_number *number);

#endif
