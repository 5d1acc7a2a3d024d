/* filter_print.c - a filter as text of its grammar: the inverse of the parser, quoting what it
 * would read otherwise. */
#include <string.h>

#include "model/query/filter_internal.h"

struct printer {
    char *out;
    size_t cap, n;
};

static void append(struct printer *p, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++, p->n++)
        if (p->n + 1 < p->cap)
            p->out[p->n] = text[i];
}

static void print_text(struct printer *p, const char *text, bool quoted) {
    if (!quoted) {
        append(p, text, strlen(text));
        return;
    }
    append(p, "\"", 1);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            append(p, "\\", 1);
        append(p, text, 1);
    }
    append(p, "\"", 1);
}

/* Whether the parser would read the text otherwise without quotes. bare: it stands without an
 * operator. */
static bool needs_quotes(const char *text, bool bare) {
    size_t n = strlen(text);
    if (n == 0 || text[0] == '/' || text[0] == '\'' || text[n - 1] == '\'')
        return true;
    if (strpbrk(text, " ,\""))
        return true;
    const struct filter_row *field = bare ? filter_row_named(text) : NULL;
    if (bare && filter_is_joint(text, n))
        return true;
    return bare && (strpbrk(text, "=~<>!") || (field && field->values == FILTER_WORD));
}

/* The name of an argument or a column. An argument that cannot be a literal has quotes or arg.
 * before it. */
static void print_left(struct printer *p, const struct filter_term *term) {
    bool odd = term->left[0] == '\0' || term->left[0] == '\'' || strpbrk(term->left, " ,\"=~<>!/");
    if (term->field == FILTER_ARGUMENT && term->literal == NULL && !odd)
        append(p, "arg.", 4);
    print_text(p, term->left, odd && term->literal == NULL);
}

static void print_term(struct printer *p, const struct filter_term *term) {
    bool bare = term->field == FILTER_TEXT;
    const struct filter_row *field = filter_row_of(term->field);
    append(p, "!", term->negated);
    if (field && field->values == FILTER_WORD) {
        append(p, field->name, strlen(field->name));
        return;
    }
    if (field)
        append(p, field->name, strlen(field->name));
    else if (!bare)
        print_left(p, term);
    if (!bare)
        append(p, filter_operators[term->op], strlen(filter_operators[term->op]));
    for (size_t i = 0; i < term->values.n; i++) {
        const struct filter_value *v = &term->values.v[i];
        append(p, ",", i > 0);
        print_text(p, v->text, !v->is_regex && needs_quotes(v->text, bare));
    }
}

size_t filter_print(const struct filter *filter, char *out, size_t cap) {
    struct printer p = {out, cap, 0};
    for (size_t i = 0; i < filter->terms.n; i++) {
        append(&p, " ", i > 0);
        print_term(&p, &filter->terms.v[i]);
    }
    if (cap > 0)
        out[p.n < cap ? p.n : cap - 1] = '\0';
    return p.n;
}

size_t filter_print_term(const struct filter_term *term, char *out, size_t cap) {
    struct printer p = {out, cap, 0};
    print_term(&p, term);
    if (cap > 0)
        out[p.n < cap ? p.n : cap - 1] = '\0';
    return p.n;
}

char *filter_typed(const struct filter *filter) {
    if (!filter->exact)
        return err_copy(filter->text, strlen(filter->text));
    size_t n = filter_print(filter, NULL, 0);
    char *text = err_malloc(n + 1);
    filter_print(filter, text, n + 1);
    return text;
}
