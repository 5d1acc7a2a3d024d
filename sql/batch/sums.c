/* sums.c - count, sum, total, avg, min and max of a database of batches.
 *
 * An aggregate gets one batch, the whole group. A second one is refused, because doubles that are
 * added in another order may differ: the statement is then asked row by row (query.c). Results are
 * made as SQLite makes them of single values. */
#include "sql/batch/sums.h"

#include <stdio.h>
#include <string.h>

#include "sql/batch/batch.h"

struct state {
    struct batch_sum sum;
    bool begun;
};

static struct state *state_of(sqlite3_context *out) {
    struct state *state = sqlite3_aggregate_context(out, sizeof *state);
    if (state && state->begun) {
        sqlite3_result_error(out, "a group has two batches", -1);
        return NULL;
    }
    if (state)
        state->begun = true;
    return state;
}

static void step(sqlite3_context *out, int n, sqlite3_value **v) {
    struct source *source = sqlite3_user_data(out);
    struct state *state = state_of(out);
    const struct batch_sum *sum = n > 0 ? sqlite3_value_pointer(v[0], BATCH_SUM) : NULL;
    if (state == NULL)
        return;
    if (sum)
        state->sum = *sum;
    else if (n == 0)
        state->sum.n = source->batch;
}

static const struct batch_sum *whole(sqlite3_context *out) {
    const struct state *state = sqlite3_aggregate_context(out, 0);
    return state && state->sum.n > 0 ? &state->sum : NULL;
}

static void final_count(sqlite3_context *out) {
    const struct batch_sum *sum = whole(out);
    sqlite3_result_int64(out, sum ? (sqlite3_int64)sum->n : 0);
}

static void final_sum(sqlite3_context *out) {
    const struct batch_sum *sum = whole(out);
    if (sum && sum->reals)
        sqlite3_result_double(out, sum->real);
    else if (sum && sum->overflow)
        sqlite3_result_error(out, "integer overflow", -1);
    else if (sum)
        sqlite3_result_int64(out, sum->sum);
}

static void final_total(sqlite3_context *out) {
    const struct batch_sum *sum = whole(out);
    sqlite3_result_double(out, sum ? sum->real : 0);
}

static void final_avg(sqlite3_context *out) {
    const struct batch_sum *sum = whole(out);
    if (sum)
        sqlite3_result_double(out, sum->real / (double)sum->n);
}

static void final_min(sqlite3_context *out) {
    const struct batch_sum *sum = whole(out);
    if (sum && sum->reals)
        sqlite3_result_double(out, sum->real_least);
    else if (sum)
        sqlite3_result_int64(out, sum->least);
}

static void final_max(sqlite3_context *out) {
    const struct batch_sum *sum = whole(out);
    if (sum && sum->reals)
        sqlite3_result_double(out, sum->real_most);
    else if (sum)
        sqlite3_result_int64(out, sum->most);
}

static const struct {
    const char *name;
    int args;
    void (*final)(sqlite3_context *out);
    bool real; /* a sum of doubles */
} functions[] = {
    {"count", 0, final_count, false}, {"count", 1, final_count, false},
    {"sum", 1, final_sum, false},     {"total", 1, final_total, true},
    {"avg", 1, final_avg, true},      {"min", 1, final_min, false},
    {"max", 1, final_max, false},
};
#define FUNCTIONS (sizeof functions / sizeof *functions)

/* The others are SQLite's own, which a statement with batches must not call. */
static bool is_made(size_t i) {
    return !functions[i].real || batch_adds_reals();
}

bool sums_has(const char *function) {
    char name[16];
    for (size_t i = 0; i < FUNCTIONS; i++) {
        snprintf(name, sizeof name, "%s(%d)", functions[i].name, functions[i].args);
        if (strcmp(name, function) == 0)
            return is_made(i);
    }
    return false;
}

int sums_register(sqlite3 *db, struct source *source) {
    int status = SQLITE_OK;
    for (size_t i = 0; i < FUNCTIONS && status == SQLITE_OK; i++)
        if (is_made(i))
            status = sqlite3_create_function_v2(db, functions[i].name, functions[i].args,
                                                SQLITE_UTF8 | SQLITE_INNOCUOUS, source, NULL, step,
                                                functions[i].final, NULL);
    return status;
}
