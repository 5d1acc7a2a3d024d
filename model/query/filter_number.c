/* filter_number.c - numbers, times, kinds and states as they are typed in a filter; comparisons of
 * values.
 *
 * Whole numbers are compared to the last bit, whatever their sign; a number with a fraction as a
 * double. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/filter_internal.h"
#include "model/store/sched.h"
#include "src/base/units.h"

/* ---- typed values ---- */

static const char *const kinds[] = {"slice", "instant", "async", "flow", "counter", "log", "state"};
#define KIND_COUNT (sizeof kinds / sizeof *kinds)

bool filter_whole(const char *text, struct filter_number *number) {
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    errno = 0;
    uint64_t u = strtoull(text, &end, hex ? 16 : 10);
    *number = filter_unsigned(u);
    return *end == '\0' && errno == 0;
}

/* "12", "-3", "0x1f", "1.5", "4k", "2Mi": k M G T are powers of 1000, with i of 1024; a B may
 * follow. */
bool filter_number(const char *text, struct filter_number *number) {
    static const char prefixes[] = "kMGT";
    char *end;
    if (filter_whole(text, number))
        return true;
    if (*text == '\0' || strspn(text, "+-.0123456789") == 0 || strpbrk(text, "xXnN"))
        return false;
    if (strspn(text + 1, "0123456789") == strlen(text + 1) && *text == '-') {
        errno = 0;
        *number = filter_signed(strtoll(text, &end, 10));
        if (errno == 0)
            return *end == '\0' && end > text + 1;
    }
    double value = strtod(text, &end), base = 1000;
    if (end == text)
        return false;
    const char *prefix = *end ? strchr(prefixes, *end) : NULL;
    if (*end == 'K')
        prefix = prefixes;
    if (prefix) {
        base = end[1] == 'i' ? 1024 : 1000;
        end += 1 + (end[1] == 'i');
        for (const char *q = prefixes; q <= prefix; q++)
            value *= base;
        end += *end == 'B';
    }
    *number = filter_real(value);
    return *end == '\0';
}

bool filter_percentile(const char *text, struct filter_number *number) {
    char *end;
    if (text[0] != 'p' || text[1] < '0' || text[1] > '9')
        return false;
    *number = (struct filter_number){.type = FILTER_PERCENTILE, .d = strtod(text + 1, &end)};
    return *end == '\0' && number->d <= 100;
}

bool filter_time(const char *text, struct filter_number *number) {
    size_t n = strlen(text);
    bool unit = n > 0 && ((text[n - 1] >= 'a' && text[n - 1] <= 'z') || strcmp(text, "0") == 0);
    number->type = FILTER_SIGNED;
    return unit && units_parse(text, n, &number->i);
}

bool filter_kind(const char *text, struct filter_number *number) {
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i], text) == 0) {
            *number = filter_unsigned(UINT64_C(1) << i);
            return true;
        }
    return false;
}

bool filter_state(const char *text, struct filter_number *number) {
    if (strcmp(text, SCHED_NOT_RUNNING) == 0) /* as it is called without wakeups */
        text = sched_state_name(SCHED_BLOCKED);
    for (uint32_t i = 0; i < 32; i++)
        if (sched_state_name(i) && strcmp(sched_state_name(i), text) == 0) {
            *number = filter_unsigned(UINT64_C(1) << i);
            return true;
        }
    if (!filter_whole(text, number) || number->u >= 32)
        return false;
    *number = filter_unsigned(UINT64_C(1) << number->u);
    return true;
}

const char *filter_value_name(enum filter_values values, size_t n) {
    if (values == FILTER_KINDS)
        return n < KIND_COUNT ? kinds[n] : NULL;
    for (uint32_t i = 0; i < 32 && values == FILTER_STATE_SETS; i++)
        if (sched_state_name(i) && n-- == 0)
            return sched_state_name(i);
    return NULL;
}

/* ---- comparisons ---- */

static double real_of(struct filter_number n) {
    if (n.type == FILTER_SIGNED)
        return (double)n.i;
    return n.type == FILTER_UNSIGNED ? (double)n.u : n.d;
}

static bool is_below_zero(struct filter_number n) {
    return n.type == FILTER_SIGNED && n.i < 0;
}

static uint64_t magnitude(struct filter_number n) {
    return n.type == FILTER_SIGNED ? (uint64_t)n.i : n.u;
}

int filter_compare(struct filter_number a, struct filter_number b) {
    if (a.type == FILTER_NO_NUMBER || b.type == FILTER_NO_NUMBER)
        return 2;
    if (a.type == FILTER_REAL || b.type == FILTER_REAL) {
        double x = real_of(a), y = real_of(b);
        if (x < y)
            return -1;
        if (x > y)
            return 1;
        return x == y ? 0 : 2;
    }
    if (is_below_zero(a) != is_below_zero(b))
        return is_below_zero(a) ? -1 : 1;
    /* both negative: two's complement keeps the order */
    uint64_t x = magnitude(a), y = magnitude(b);
    return x < y ? -1 : x > y;
}

bool filter_compares(enum filter_operator op, int order) {
    switch (op) {
    case FILTER_EQUALS:
    case FILTER_NOT_EQUALS:
        return order == 0;
    case FILTER_LESS:
        return order == -1;
    case FILTER_AT_MOST:
        return order == -1 || order == 0;
    case FILTER_MORE:
        return order == 1;
    case FILTER_AT_LEAST:
        return order == 1 || order == 0;
    case FILTER_CONTAINS:
    case FILTER_NOT_CONTAINS:
        break;
    }
    return false;
}

static int text_order(struct str a, struct str b) {
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n > 0 ? memcmp(a.s, b.s, n) : 0;
    if (order != 0)
        return order < 0 ? -1 : 1;
    return a.n < b.n ? -1 : a.n > b.n;
}

static bool is_ordered(enum filter_operator op) {
    return FILTER_BIT(op) & FILTER_ORDER_OPS;
}

bool filter_term_names(const struct filter_term *term, struct str argument) {
    return strcmp(term->left, "*") == 0 || str_eq(argument, str_of(term->left));
}

bool filter_term_fits(const struct filter_term *term, struct str text) {
    bool ordered = is_ordered(term->op);
    for (size_t i = 0; i < term->values.n; i++) {
        const struct filter_value *v = &term->values.v[i];
        if (ordered ? filter_compares(term->op, text_order(text, str_of(v->text)))
                    : v->pattern && pattern_matches(v->pattern, text))
            return true;
    }
    return false;
}

bool filter_term_fits_number(const struct filter_term *term, struct filter_number number) {
    for (size_t i = 0; i < term->values.n; i++)
        if (filter_compares(term->op, filter_compare(number, term->values.v[i].number)))
            return true;
    return false;
}

bool filter_term_result(const struct filter_term *term, bool fits, bool present) {
    bool unequal = term->op == FILTER_NOT_EQUALS || term->op == FILTER_NOT_CONTAINS;
    return (present && fits != unequal) != term->negated;
}

/* ---- terms that exclude each other ---- */

static bool is_below(enum filter_operator op) {
    return op == FILTER_LESS || op == FILTER_AT_MOST;
}

/* Whether no number fits both terms, a least and a most one. */
static bool apart(const struct filter_term *a, const struct filter_term *b) {
    struct filter_number x = a->values.v[0].number, y = b->values.v[0].number;
    int order = filter_compare(x, y);
    bool strict = a->op == FILTER_LESS || a->op == FILTER_MORE || b->op == FILTER_LESS ||
                  b->op == FILTER_MORE;
    if (order == 2 || !is_ordered(a->op) || !is_ordered(b->op) ||
        is_below(a->op) == is_below(b->op))
        return false;
    return (is_below(a->op) ? order < 0 : order > 0) || (order == 0 && strict);
}

/* Whether texts that differ from a value in case alone may be another matter to a term. */
static bool minds_case(const struct filter_term *term) {
    bool whole = term->op == FILTER_EQUALS || term->op == FILTER_NOT_EQUALS;
    for (size_t i = 0; i < term->values.n; i++)
        if (term->values.v[i].is_regex ||
            (!whole && strpbrk(term->values.v[i].text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")))
            return true;
    return false;
}

/* Whether no value of a term that asks for equal ones fits another term of its field. */
static bool no_value_fits(const struct filter_term *a, const struct filter_term *b, bool numbers) {
    if (a->op != FILTER_EQUALS || a->negated || (!numbers && (minds_case(a) || minds_case(b))))
        return false;
    for (size_t i = 0; i < a->values.n; i++) {
        const struct filter_value *v = &a->values.v[i];
        bool fits =
            numbers ? filter_term_fits_number(b, v->number) : filter_term_fits(b, str_of(v->text));
        if (filter_term_result(b, fits, true))
            return false;
    }
    return true;
}

static bool has_percentile(const struct filter_term *term) {
    for (size_t i = 0; i < term->values.n; i++)
        if (term->values.v[i].number.type == FILTER_PERCENTILE)
            return true;
    return false;
}

static bool numbers_apart(const struct filter_term *a, const struct filter_term *b) {
    if (has_percentile(a) || has_percentile(b))
        return false;
    if (no_value_fits(a, b, true) || no_value_fits(b, a, true))
        return true;
    return !a->negated && !b->negated && a->values.n == 1 && b->values.n == 1 && apart(a, b);
}

/* A value also matches texts in other cases, so those of both terms have to fit the other one. */
static bool names_apart(const struct filter_term *a, const struct filter_term *b) {
    bool a_asks = a->op == FILTER_EQUALS && !a->negated,
         b_asks = b->op == FILTER_EQUALS && !b->negated;
    return (a_asks || b_asks) && (!a_asks || no_value_fits(a, b, false)) &&
           (!b_asks || no_value_fits(b, a, false));
}

/* Whether one term is the other with a !. */
static bool opposed(const struct filter_term *a, const struct filter_term *b) {
    if (a->negated == b->negated || a->op != b->op || a->values.n != b->values.n)
        return false;
    for (size_t i = 0; i < a->values.n; i++)
        if (a->values.v[i].is_regex != b->values.v[i].is_regex ||
            strcmp(a->values.v[i].text, b->values.v[i].text) != 0)
            return false;
    return true;
}

/* The kinds of events for which a term may hold. */
static uint64_t kinds_for(const struct filter_term *term) {
    uint64_t asked = 0;
    if (term->negated)
        return UINT64_MAX;
    switch (term->field) {
    case FILTER_KIND:
        for (size_t i = 0; i < term->values.n; i++)
            asked |= term->values.v[i].number.u;
        return term->op == FILTER_EQUALS ? asked : ~asked;
    case FILTER_DURATION:
        return FILTER_SLICE | FILTER_ASYNC | FILTER_STATES;
    case FILTER_DEPTH:
    case FILTER_OPEN:
        return FILTER_SLICE | FILTER_ASYNC;
    case FILTER_SELF:
    case FILTER_HAS:
        return FILTER_SLICE;
    case FILTER_HOP:
        return FILTER_FLOWS;
    default:
        return UINT64_MAX;
    }
}

/* Whether a self time would be longer than the slice. */
static bool self_exceeds(const struct filter_term *self, const struct filter_term *dur) {
    return self->field == FILTER_SELF && dur->field == FILTER_DURATION && !self->negated &&
           !dur->negated && self->values.n == 1 && dur->values.n == 1 && is_below(dur->op) &&
           !has_percentile(dur) && apart(self, dur);
}

/* Whether a term asks for a number below zero, which no field of an event has. */
static bool is_negative(const struct filter_term *term) {
    bool number =
        term->field >= FILTER_PID && term->field <= FILTER_HOP && term->field != FILTER_KIND;
    if (!number || term->negated ||
        !(FILTER_BIT(term->op) &
          (FILTER_BIT(FILTER_LESS) | FILTER_BIT(FILTER_AT_MOST) | FILTER_BIT(FILTER_EQUALS))))
        return false;
    for (size_t i = 0; i < term->values.n; i++) {
        struct filter_number v = term->values.v[i].number;
        int order = v.type == FILTER_PERCENTILE ? 1 : filter_compare(v, filter_unsigned(0));
        if (order > 0 || (order == 0 && term->op != FILTER_LESS))
            return false;
    }
    return true;
}

/* Values of fields that an event has once. */
static bool exclude(const struct filter_term *a, const struct filter_term *b) {
    if (!(kinds_for(a) & kinds_for(b)) || self_exceeds(a, b) || self_exceeds(b, a))
        return true;
    if (a->field != b->field)
        return false;
    switch (a->field) {
    case FILTER_ARGUMENT:
    case FILTER_COLUMN:
        return false;
    case FILTER_NAME:
    case FILTER_CATEGORY:
        return names_apart(a, b) || opposed(a, b);
    case FILTER_PID:
    case FILTER_TID:
    case FILTER_DEPTH:
    case FILTER_KIND:
    case FILTER_DURATION:
    case FILTER_SELF:
    case FILTER_TIME:
        return numbers_apart(a, b) || opposed(a, b);
    default:
        return opposed(a, b);
    }
}

#define COMPARED 16 /* terms, each with all others */

bool filter_contradiction(const struct filter *filter, size_t terms[2]) {
    size_t n = filter->terms.n < COMPARED ? filter->terms.n : COMPARED;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k < n; k++) {
            const struct filter_term *a = &filter->terms.v[i], *b = &filter->terms.v[k];
            terms[0] = i;
            terms[1] = k;
            if (i == k ? is_negative(a) : exclude(a, b))
                return true;
        }
    return false;
}
