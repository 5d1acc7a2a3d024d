/* percentile.c - exact percentiles as aggregates, and deviations.
 *
 * Answers are those of SQLite's own percentile() to the bit: the place is P / 100 * (n - 1),
 * rounded as doubles are, and the value is on the line between its neighbours. The values of a
 * group are kept as doubles, in memory that SQLite's limit counts, and the two around the place are
 * selected without sorting. Once a window asks before its end, or a value leaves it, they are kept
 * in order (ordered.h). Deviations need no values: the mean and the sum of squares around it are
 * corrected by each (Welford). */
#include "sql/aggregate/percentile.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "sql/aggregate/ordered.h"

struct kind { /* of an aggregate */
    const char *name;
    int args;
    double whole; /* the second argument of the greatest value; 0: there is none */
    double fixed; /* the part, without a second argument */
    int discrete; /* the value before the place */
};

static const struct kind kinds[] = {
    {"percentile", 2, 100, 0, 0},    {"quantile", 2, 1, 0, 0}, {"percentile_cont", 2, 1, 0, 0},
    {"percentile_disc", 2, 1, 0, 1}, {"median", 1, 0, 0.5, 0}, {"p50", 1, 0, 0.5, 0},
    {"p90", 1, 0, 0.9, 0},           {"p99", 1, 0, 0.99, 0},
};

struct values {
    double *v;
    sqlite3_uint64 n, cap;
    struct ordered ordered; /* instead of v, in a window */
    double part;            /* 0 to 1 */
    int begun, failed, in_window;
};

static void fail(sqlite3_context *out, struct values *values, const char *why) {
    const struct kind *kind = sqlite3_user_data(out);
    char *text = sqlite3_mprintf("%s %s", kind->name, why);
    values->failed = 1;
    if (text)
        sqlite3_result_error(out, text, -1);
    else
        sqlite3_result_error_nomem(out);
    sqlite3_free(text);
}

static void no_memory(sqlite3_context *out, struct values *values) {
    values->failed = 1;
    sqlite3_result_error_nomem(out);
}

/* The second argument, which is the same in all rows. False: it is not. */
static int take_part(sqlite3_context *out, struct values *values, int n, sqlite3_value **v) {
    const struct kind *kind = sqlite3_user_data(out);
    int type = n > 1 ? sqlite3_value_numeric_type(v[1]) : SQLITE_FLOAT;
    double part = n > 1 ? sqlite3_value_double(v[1]) / kind->whole : kind->fixed;
    if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !(part >= 0 && part <= 1)) {
        fail(out, values,
             kind->whole > 1 ? "wants a second argument from 0 to 100"
                             : "wants a second argument from 0 to 1");
        return 0;
    }
    if (!values->begun)
        values->part = part;
    values->begun = 1;
    if (fabs(values->part - part) > 0.001) {
        fail(out, values, "wants the same second argument in all rows");
        return 0;
    }
    return 1;
}

static void step(sqlite3_context *out, int n, sqlite3_value **v) {
    struct values *values = sqlite3_aggregate_context(out, sizeof *values);
    if (values == NULL || values->failed || !take_part(out, values, n, v))
        return;
    int type = sqlite3_value_type(v[0]);
    if (type == SQLITE_NULL)
        return;
    double x = sqlite3_value_double(v[0]);
    if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !isfinite(x)) {
        fail(out, values, "wants finite numbers");
        return;
    }
    if (values->in_window) {
        if (!ordered_add(&values->ordered, x))
            no_memory(out, values);
        return;
    }
    if (values->n == values->cap) {
        sqlite3_uint64 cap = values->cap + values->cap / 2 + 16;
        double *grown = sqlite3_realloc64(values->v, cap * sizeof *grown);
        if (grown == NULL) {
            no_memory(out, values);
            return;
        }
        values->v = grown;
        values->cap = cap;
    }
    values->v[values->n++] = x;
}

static double middle(double a, double b, double c) {
    double low = a < b ? a : b, high = a < b ? b : a;
    if (c < low)
        return low;
    return c < high ? c : high;
}

static void swap(double *a, double *b) {
    double x = *a;
    *a = *b;
    *b = x;
}

/* Sorts in place, whatever the order was. */
static void sort(double *v, size_t n) {
    for (size_t built = n / 2, end = n; end > 1;) {
        if (built > 0)
            built--;
        else
            swap(&v[0], &v[--end]);
        for (size_t at = built, child; (child = 2 * at + 1) < end; at = child) {
            child += child + 1 < end && v[child + 1] > v[child];
            if (v[at] >= v[child])
                break;
            swap(&v[at], &v[child]);
        }
    }
}

#define ROUNDS 100 /* of halves; values that are divided badly so often are sorted */

/* The k-th value; those before it are not greater, those after it not less. */
static double selected(double *v, size_t n, size_t k) {
    size_t from = 0, to = n; /* it is in [from, to) */
    for (int round = 0; to - from > 1; round++) {
        if (round == ROUNDS) {
            sort(v + from, to - from);
            break;
        }
        double pivot = middle(v[from], v[from + (to - from) / 2], v[to - 1]);
        /* [from, less) < pivot, [less, at) = pivot, [more, to) > pivot */
        size_t less = from, at = from, more = to;
        while (at < more) {
            if (v[at] < pivot)
                swap(&v[at++], &v[less++]);
            else if (v[at] > pivot)
                swap(&v[at], &v[--more]);
            else
                at++;
        }
        if (k < less)
            to = less;
        else if (k >= more)
            from = more;
        else
            return pivot;
    }
    return v[k];
}

static double least(const double *v, size_t n) {
    double x = v[0];
    for (size_t i = 1; i < n; i++)
        x = v[i] < x ? v[i] : x;
    return x;
}

/* The percentile of the values so far. */
static void give(sqlite3_context *out, struct values *values) {
    const struct kind *kind = sqlite3_user_data(out);
    size_t n = values->in_window ? values->ordered.n : values->n;
    if (values->failed || n == 0)
        return;
    double at = values->part * (double)(n - 1), whole = floor(at);
    size_t k = (size_t)whole;
    double low = values->in_window ? ordered_at(&values->ordered, k) : selected(values->v, n, k),
           high = low;
    if (at > whole && !kind->discrete)
        high = values->in_window ? ordered_at(&values->ordered, k + 1)
                                 : least(values->v + k + 1, n - k - 1);
    sqlite3_result_double(out, low + (high - low) * (at - whole));
}

/* The values are those of the frame of a window, which goes on. */
static void keep_in_order(sqlite3_context *out, struct values *values) {
    if (values->in_window || values->failed)
        return;
    values->in_window = 1;
    sort(values->v, values->n);
    for (sqlite3_uint64 i = 0; i < values->n && !values->failed; i++)
        if (!ordered_add(&values->ordered, values->v[i]))
            no_memory(out, values);
    sqlite3_free(values->v);
    values->v = NULL;
    values->n = values->cap = 0;
}

static void value(sqlite3_context *out) {
    struct values *values = sqlite3_aggregate_context(out, 0);
    if (values == NULL)
        return;
    keep_in_order(out, values);
    give(out, values);
}

/* A value leaves the frame of a window. */
static void inverse(sqlite3_context *out, int n, sqlite3_value **v) {
    struct values *values = sqlite3_aggregate_context(out, 0);
    (void)n;
    if (values == NULL || values->failed || sqlite3_value_type(v[0]) == SQLITE_NULL)
        return;
    keep_in_order(out, values);
    ordered_remove(&values->ordered, sqlite3_value_double(v[0]));
}

static void final(sqlite3_context *out) {
    struct values *values = sqlite3_aggregate_context(out, 0);
    if (values == NULL)
        return;
    give(out, values);
    sqlite3_free(values->v);
    ordered_free(&values->ordered);
}

/* ---- deviations ---- */

struct spread {
    sqlite3_int64 n;
    double mean, squares;
};

static void step_spread(sqlite3_context *out, int n, sqlite3_value **v) {
    struct spread *s = sqlite3_aggregate_context(out, sizeof *s);
    (void)n;
    if (s == NULL || sqlite3_value_type(v[0]) == SQLITE_NULL)
        return;
    double x = sqlite3_value_double(v[0]), off = x - s->mean;
    s->mean += off / (double)++s->n;
    s->squares += off * (x - s->mean);
}

/* The values are a sample; of fewer than two the deviation is not known. */
static void final_variance(sqlite3_context *out) {
    const struct spread *s = sqlite3_aggregate_context(out, 0);
    if (s && s->n > 1)
        sqlite3_result_double(out, s->squares / (double)(s->n - 1));
}

static void final_deviation(sqlite3_context *out) {
    const struct spread *s = sqlite3_aggregate_context(out, 0);
    if (s && s->n > 1)
        sqlite3_result_double(out, sqrt(s->squares / (double)(s->n - 1)));
}

int percentile_register(sqlite3 *db) {
    int flags = SQLITE_UTF8 | SQLITE_INNOCUOUS, status = SQLITE_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == SQLITE_OK; i++)
        status = sqlite3_create_window_function(db, kinds[i].name, kinds[i].args, flags,
                                                (void *)(uintptr_t)&kinds[i], step, final, value,
                                                inverse, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_create_function_v2(db, "variance", 1, flags, NULL, NULL, step_spread,
                                            final_variance, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_create_function_v2(db, "stddev", 1, flags, NULL, NULL, step_spread,
                                            final_deviation, NULL);
    return status;
}
