/* percentile.c - exact percentiles as aggregates, and deviations.
 *
 * The values of a group are kept as doubles, in memory that SQLite's limit counts, and the two around the percentile are
 * selected without sorting. p is that of the group's first row. Deviations need no values: the mean and the sum of
 * squares around it are corrected by each (Welford). */
#include "sql/percentile.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct kind { /* of an aggregate */
    const char *name;
    int args;
    double whole; /* the second argument of the greatest value; 0: there is none */
    double fixed; /* percent, without a second argument */
};

static const struct kind kinds[] = {
    {"percentile", 2, 100, 0}, {"quantile", 2, 1, 0}, {"percentile_cont", 2, 1, 0}, {"median", 1, 0, 50},
    {"p50", 1, 0, 50},         {"p90", 1, 0, 90},     {"p99", 1, 0, 99},
};

struct values {
    double *v;
    sqlite3_uint64 n, cap;
    double p;
    int begun, failed;
};

static void step(sqlite3_context *out, int n, sqlite3_value **v) {
    struct values *values = sqlite3_aggregate_context(out, sizeof *values);
    const struct kind *kind = sqlite3_user_data(out);
    if (values == NULL || values->failed || sqlite3_value_type(v[0]) == SQLITE_NULL)
        return;
    if (!values->begun) {
        values->begun = 1;
        values->p = n > 1 ? sqlite3_value_double(v[1]) / kind->whole * 100 : kind->fixed;
    }
    if (values->n == values->cap) {
        sqlite3_uint64 cap = values->cap + values->cap / 2 + 16;
        double *grown = sqlite3_realloc64(values->v, cap * sizeof *grown);
        if (grown == NULL) {
            values->failed = 1;
            sqlite3_result_error_nomem(out);
            return;
        }
        values->v = grown;
        values->cap = cap;
    }
    values->v[values->n++] = sqlite3_value_double(v[0]);
}

static double middle(double a, double b, double c) {
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

/* The k-th value; those before it are not greater, those after it not less. */
static double selected(double *v, size_t n, size_t k) {
    size_t from = 0, to = n; /* it is in [from, to) */
    while (to - from > 1) {
        double pivot = middle(v[from], v[from + (to - from) / 2], v[to - 1]);
        size_t less = from, at = from, more = to; /* [from, less) < pivot, [less, at) = pivot, [more, to) > pivot */
        while (at < more) {
            double x = v[at];
            if (x < pivot) {
                v[at++] = v[less];
                v[less++] = x;
            } else if (x > pivot) {
                v[at] = v[--more];
                v[more] = x;
            } else {
                at++;
            }
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

/* The percentile of the values so far. */
static void value(sqlite3_context *out) {
    struct values *values = sqlite3_aggregate_context(out, 0);
    if (values == NULL || values->failed || values->n == 0)
        return;
    if (!(values->p >= 0 && values->p <= 100)) {
        const struct kind *kind = sqlite3_user_data(out);
        sqlite3_result_error(out, kind->whole > 1 ? "percentile wants a second argument from 0 to 100"
                                                  : "quantile wants a second argument from 0 to 1", -1);
    } else {
        double at = (double)(values->n - 1) * values->p / 100, whole = floor(at);
        size_t k = (size_t)whole;
        double low = selected(values->v, values->n, k), high = low;
        if (at > whole) { /* the least of those after it */
            high = INFINITY;
            for (size_t i = k + 1; i < values->n; i++)
                high = values->v[i] < high ? values->v[i] : high;
        }
        sqlite3_result_double(out, at > whole ? low + (high - low) * (at - whole) : low);
    }
}

/* A value leaves the frame of a window. */
static void inverse(sqlite3_context *out, int n, sqlite3_value **v) {
    struct values *values = sqlite3_aggregate_context(out, 0);
    (void)n;
    if (values == NULL || values->failed || sqlite3_value_type(v[0]) == SQLITE_NULL)
        return;
    double x = sqlite3_value_double(v[0]);
    for (sqlite3_uint64 i = 0; i < values->n; i++)
        if (values->v[i] == x) {
            values->v[i] = values->v[--values->n];
            return;
        }
}

static void final(sqlite3_context *out) {
    struct values *values = sqlite3_aggregate_context(out, 0);
    value(out);
    if (values)
        sqlite3_free(values->v);
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
        status = sqlite3_create_window_function(db, kinds[i].name, kinds[i].args, flags, (void *)(uintptr_t)&kinds[i], step,
                                                final, value, inverse, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_create_function_v2(db, "variance", 1, flags, NULL, NULL, step_spread, final_variance, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_create_function_v2(db, "stddev", 1, flags, NULL, NULL, step_spread, final_deviation, NULL);
    return status;
}
