/* filter.h - a condition on events, tracks or rows of a table: what a user types after / and &, parsed.
 *
 * A filter is a list of terms that must all hold; a term compares one field of a subject by one operator. Today's
 * grammar writes one term, on the text of the subject: the name of an event or a track, the cells of a row.
 *
 *     abc      the text contains abc; ASCII letters of either case, unless abc has an upper-case one
 *     /re/     the text matches a Perl-compatible regular expression (pattern.h); the closing slash may be missing
 *     exact    the text equals what is given; not a word of the grammar but a flag of filter_new()
 *
 * To extend the language: add fields and operators to the enums, members to struct filter_subject, words to the parser
 * and the printer in filter.c. Callers keep passing the subject that they have; a comparison with a field that a
 * subject lacks is false. A filter belongs to one thread, because its patterns have buffers. */
#ifndef FXTOP_FILTER_H
#define FXTOP_FILTER_H

#include "src/base/pattern.h"
#include "src/base/vec.h"

enum filter_field {
    FILTER_TEXT, /* the name of an event or a track; the cells of a row */
};

enum filter_operator {
    FILTER_CONTAINS,
    FILTER_MATCHES,
    FILTER_EQUALS,
};

struct filter_term {
    enum filter_field field;
    enum filter_operator op;
    struct pattern *pattern; /* of operators on text */
};

struct filter {
    char *text; /* as it was typed */
    VEC(struct filter_term) terms;
};

struct filter_subject { /* what is compared */
    struct str text;
};

/* NULL: text is empty, or not of the grammar; then err has one line about it. */
struct filter *filter_new(const char *text, bool exact, struct err *err);
void filter_free(struct filter *filter);              /* may be NULL */
const char *filter_text(const struct filter *filter); /* as it was typed */
/* The terms as text of the grammar: parsed again, they are the same filter. NUL-terminated, cut to cap; returns the
 * length of all of it. Exact terms print as literals. */
size_t filter_print(const struct filter *filter, char *out, size_t cap);

/* Whether all terms hold, and the cost of the last call in units of budget.h. */
bool filter_holds(const struct filter *filter, const struct filter_subject *subject);
uint32_t filter_cost(const struct filter *filter);
/* Whether it holds for a subject that has nothing but a text. */
static inline bool filter_matches(const struct filter *filter, struct str text) {
    return filter_holds(filter, &(struct filter_subject){.text = text});
}

#endif
