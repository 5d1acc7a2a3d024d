/* filter.c - parser, matcher and printer of filters.
 *
 * The parser makes terms of what is typed. The matcher tests them one by one until one does not hold. The printer is
 * the inverse of the parser. Text is compared by pattern.h, whose patterns carry their own source. */
#include "model/query/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parse ---- */

/* The whole of `text` is one term on FILTER_TEXT. */
static bool parse_term(const char *text, bool exact, struct filter_term *term, struct err *err) {
    *term = (struct filter_term){.field = FILTER_TEXT};
    term->op = exact ? FILTER_EQUALS : text[0] == '/' ? FILTER_MATCHES : FILTER_CONTAINS;
    term->pattern = pattern_new(text, exact, err);
    return term->pattern != NULL;
}

struct filter *filter_new(const char *text, bool exact, struct err *err) {
    struct filter_term term;
    if (!parse_term(text, exact, &term, err))
        return NULL;
    struct filter *filter = err_calloc(1, sizeof *filter);
    filter->text = err_malloc(strlen(text) + 1);
    strcpy(filter->text, text);
    vec_push(&filter->terms, term);
    return filter;
}

void filter_free(struct filter *filter) {
    if (filter == NULL)
        return;
    for (size_t i = 0; i < filter->terms.n; i++)
        pattern_free(filter->terms.v[i].pattern);
    vec_free(&filter->terms);
    free(filter->text);
    free(filter);
}

/* ---- match ---- */

static bool term_holds(const struct filter_term *term, const struct filter_subject *subject) {
    switch (term->field) {
    case FILTER_TEXT:
        return pattern_matches(term->pattern, subject->text);
    }
    return false;
}

bool filter_holds(const struct filter *filter, const struct filter_subject *subject) {
    for (size_t i = 0; i < filter->terms.n; i++)
        if (!term_holds(&filter->terms.v[i], subject))
            return false;
    return true;
}

uint32_t filter_cost(const struct filter *filter) {
    uint32_t cost = 0;
    for (size_t i = 0; i < filter->terms.n; i++)
        cost += pattern_cost(filter->terms.v[i].pattern);
    return cost;
}

/* ---- print ---- */

const char *filter_text(const struct filter *filter) {
    return filter->text;
}

static void append(char *out, size_t cap, size_t *n, const char *text) {
    size_t at = *n < cap ? *n : cap;
    *n += (size_t)snprintf(at < cap ? out + at : NULL, cap - at, "%s", text);
}

/* A regular expression is printed with both its slashes. */
static void print_term(const struct filter_term *term, char *out, size_t cap, size_t *n) {
    const char *text = pattern_text(term->pattern);
    append(out, cap, n, text);
    if (term->op == FILTER_MATCHES && text[strlen(text) - 1] != '/')
        append(out, cap, n, "/");
}

size_t filter_print(const struct filter *filter, char *out, size_t cap) {
    size_t n = 0;
    if (cap > 0)
        out[0] = '\0';
    for (size_t i = 0; i < filter->terms.n; i++) {
        if (i > 0)
            append(out, cap, &n, " ");
        print_term(&filter->terms.v[i], out, cap, &n);
    }
    return n;
}
