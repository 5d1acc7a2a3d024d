/* between.c - two traces, or two sets of runs, compared by name.
 *
 * Rows are the names of all runs, once each. Tests need all rows, as the correction of Benjamini
 * and Hochberg ranks their probabilities. */
#include "model/query/stat/between/between.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/stat/two_samples.h"
#include "src/base/units.h"

#define SURE_RUNS 0.05
#define SURE_DEVIATIONS 2.5758 /* of a normal distribution, two-sided, for 0.01 */
#define SCALE 1e9              /* of rates and shares as integers for the test */

void between_free(struct between *b) {
    vec_free(&b->v);
    for (int side = 0; side < BETWEEN_SIDES; side++) {
        for (size_t i = 0; i < b->runs[side].n; i++)
            trace_names_free(&b->runs[side].v[i]);
        vec_free(&b->runs[side]);
    }
}

const char *between_word(enum between_verdict verdict) {
    static const char *const words[BETWEEN_VERDICTS] = {
        [BETWEEN_SAME] = "same", [BETWEEN_CHANCE] = "may be chance", [BETWEEN_FEW] = "few",
        [BETWEEN_GONE] = "gone", [BETWEEN_FEWER] = "fewer",          [BETWEEN_FASTER] = "faster",
        [BETWEEN_NEW] = "new",   [BETWEEN_MORE_OF] = "more",         [BETWEEN_SLOWER] = "slower"};
    return words[verdict];
}

const char *between_said(const struct between_row *row, char buf[32]) {
    static const char *const numbers[BETWEEN_NUMBERS] = {
        [BETWEEN_OF_SPAN] = "share", [BETWEEN_P99] = "p99", [BETWEEN_LONGEST] = "longest"};
    const char *by = numbers[row->decided];
    snprintf(buf, 32, by ? "%s (%s)" : "%s", between_word(row->verdict), by);
    return buf;
}

const char *between_lengths(const struct between *b) {
    int64_t least = INT64_MAX, most = 0;
    for (int side = 0; side < BETWEEN_SIDES; side++)
        for (size_t i = 0; i < b->runs[side].n; i++) {
            int64_t span = b->runs[side].v[i].span;
            least = span < least ? span : least;
            most = span > most ? span : most;
        }
    return (double)most <= (double)least * (1 + BETWEEN_LENGTHS)
               ? NULL
               : "lengths differ: counts are compared per second, totals by their share";
}

const char *between_unsure(const struct between *b, bool ascii, char buf[SLICE_ITER_OPEN_TEXT]) {
    const struct between_row *row = b->unsure > 0 ? &b->v.v[b->unsure - 1] : NULL;
    if (row == NULL || row->verdict >= BETWEEN_NEW)
        return NULL;
    struct str name = {row->like->name, row->like->n};
    return slice_iter_open_text("slice", name, row->open[BETWEEN_B].n, &row->open[BETWEEN_B].lasted,
                                ascii, buf);
}

const char *between_left_out(const struct between *b, char buf[SLICE_ITER_OPEN_TEXT]) {
    char said[120];
    for (int side = 0; side < BETWEEN_SIDES; side++)
        for (size_t i = 0; i < b->runs[side].n; i++) {
            struct left_out n = b->runs[side].v[i].left_out;
            if (!left_out_any(n))
                continue;
            snprintf(buf, SLICE_ITER_OPEN_TEXT, "%c: %s", "AB"[side],
                     slice_iter_left_out_text(n, said));
            return buf;
        }
    return NULL;
}

bool between_change(const struct between_row *row, enum between_number number, double *change) {
    double a = row->values[number][BETWEEN_A], b = row->values[number][BETWEEN_B];
    bool has_total = row->like->kind != SLICE_ITER_INSTANTS ||
                     (number != BETWEEN_TOTAL && number != BETWEEN_OF_SPAN);
    bool timed = number != BETWEEN_P50 && number != BETWEEN_P99;
    *change = a > 0 ? (b - a) / a : 0;
    return a > 0 && row->has[BETWEEN_B] && has_total &&
           (timed || (row->ended[BETWEEN_A] > 0 && row->ended[BETWEEN_B] > 0));
}

static bool large(const struct between *b, const struct between_row *row,
                  enum between_number number) {
    double change, a = row->values[number][BETWEEN_A], other = row->values[number][BETWEEN_B];
    bool duration = number == BETWEEN_P50 || number == BETWEEN_P99;
    if (!between_change(row, number, &change))
        return false;
    if (duration)
        return fabs(change) >= b->threshold && fabs(other - a) >= BETWEEN_LEAST_NS;
    return fabs(change) >= (b->threshold > BETWEEN_MORE ? b->threshold : BETWEEN_MORE);
}

/* ---- values ---- */

static double value_of(const struct trace_names *run, const struct trace_names_row *row,
                       enum between_number number) {
    switch (number) {
    case BETWEEN_COUNT:
        return (double)row->count;
    case BETWEEN_RATE:
        return (double)row->count / (double)run->span;
    case BETWEEN_TOTAL:
        return row->total;
    case BETWEEN_SELF:
        return row->self;
    case BETWEEN_OF_SPAN:
        return row->total / (double)run->span;
    case BETWEEN_P50:
        return (double)row->p50;
    case BETWEEN_LONGEST:
        return (double)row->longest;
    default:
        return (double)row->p99;
    }
}

static const struct trace_names_row *row_of_run(const struct between *b,
                                                const struct between_row *row, int side,
                                                size_t run) {
    return between_of_runs(b) ? trace_names_find(&b->runs[side].v[run], row->like) : row->of[side];
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The values of the runs of a side: 0 for runs without the name, but for durations, which these do
 * not have. */
static size_t values_of(const struct between *b, const struct between_row *row, int side,
                        enum between_number number, double *v) {
    size_t n = 0;
    for (size_t i = 0; i < b->runs[side].n; i++) {
        const struct trace_names *run = &b->runs[side].v[i];
        const struct trace_names_row *own = row_of_run(b, row, side, i);
        bool duration = number == BETWEEN_P50 || number == BETWEEN_P99;
        if (own && (!duration || own->ended > 0))
            v[n++] = value_of(run, own, number);
        else if (!duration)
            v[n++] = 0;
    }
    return n;
}

static double median(double *v, size_t n) {
    if (n == 0)
        return 0;
    qsort(v, n, sizeof *v, by_value);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static double greatest(const double *v, size_t n) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = v[i] > most ? v[i] : most;
    return most;
}

static void add_open(struct between_open *open, const struct trace_names_row *own) {
    open->most = own->most > open->most ? own->most : open->most;
    if (own->open == 0 || (open->n > 0 && own->lasted <= open->lasted))
        return;
    open->n = own->open;
    open->lasted = own->lasted;
}

static void fill(const struct between *b, struct between_row *row) {
    size_t most =
        b->runs[BETWEEN_A].n > b->runs[BETWEEN_B].n ? b->runs[BETWEEN_A].n : b->runs[BETWEEN_B].n;
    double *v = err_calloc(most + 1, sizeof *v);
    for (int side = 0; side < BETWEEN_SIDES; side++) {
        for (int number = 0; number < BETWEEN_NUMBERS; number++) {
            size_t n = values_of(b, row, side, (enum between_number)number, v);
            row->values[number][side] = number == BETWEEN_LONGEST ? greatest(v, n) : median(v, n);
        }
        for (size_t i = 0; i < b->runs[side].n; i++) {
            const struct trace_names_row *own = row_of_run(b, row, side, i);
            row->has[side] = row->has[side] || own;
            row->ended[side] += own ? own->ended : 0;
            if (own)
                add_open(&row->open[side], own);
        }
    }
    free(v);
}

/* ---- tests ---- */

static void test_durations(struct between_row *row) {
    const struct trace_names_row *const *of = row->of;
    const int64_t *v[2];
    uint64_t n[2];
    for (int side = 0; side < BETWEEN_SIDES; side++) {
        if (of[side] == NULL)
            return;
        v[side] = of[side]->sample.v;
        n[side] = of[side]->sample.n;
    }
    if (two_samples_least(n[BETWEEN_A], n[BETWEEN_B]) >= BETWEEN_SURE)
        return; /* whatever the durations, chance could do it */
    struct two_samples samples;
    two_samples_test(&samples, v, n);
    row->tested = samples.tested;
    row->p = samples.p;
    const struct two_samples_side *a = &samples.side[BETWEEN_A], *c = &samples.side[BETWEEN_B];
    row->sure_p99 = of[0]->ended >= BETWEEN_ENOUGH_P99 && of[1]->ended >= BETWEEN_ENOUGH_P99 &&
                    ((a->has_high && c->has_low && a->high < c->low) ||
                     (c->has_high && a->has_low && c->high < a->low));
}

/* Whether the runs of both sides differ in a number; *enough: they can be tested. */
static bool runs_differ(const struct between *b, const struct between_row *row,
                        enum between_number number, bool *enough, double *p) {
    int64_t *v[2];
    uint64_t n[2];
    double scale = number == BETWEEN_RATE || number == BETWEEN_OF_SPAN ? SCALE : 1;
    scale *= number == BETWEEN_RATE ? SCALE : 1;
    for (int side = 0; side < BETWEEN_SIDES; side++) {
        double *values = err_calloc(b->runs[side].n + 1, sizeof *values);
        v[side] = err_calloc(b->runs[side].n + 1, sizeof *v[side]);
        n[side] = values_of(b, row, side, number, values);
        for (uint64_t i = 0; i < n[side]; i++)
            v[side][i] = values[i] * scale < 9e18 ? (int64_t)(values[i] * scale) : INT64_MAX;
        free(values);
    }
    *enough = n[0] >= BETWEEN_RUNS && n[1] >= BETWEEN_RUNS;
    *p = 1;
    if (*enough) {
        struct two_samples samples;
        two_samples_test(&samples, (const int64_t *const[]){v[0], v[1]}, n);
        *p = samples.p;
    }
    free(v[0]);
    free(v[1]);
    return *enough && *p < SURE_RUNS;
}

static int by_p(const void *a, const void *b) {
    const struct between_row *x = *(struct between_row *const *)a,
                             *y = *(struct between_row *const *)b;
    return (x->p > y->p) - (x->p < y->p);
}

/* Benjamini and Hochberg: the p of rank k of n becomes the least p n / k from there on. */
static void correct(struct task *task, struct between *b) {
    VEC(struct between_row *) order = {0};
    for (size_t i = 0; i < b->v.n && !between_of_runs(b); i++)
        if (b->v.v[i].tested)
            vec_push(&order, &b->v.v[i]);
    if (sort_items(task, order.v, order.n, sizeof *order.v, by_p)) {
        double least = 1, n = (double)order.n;
        for (size_t k = order.n; k > 0; k--) {
            double p = order.v[k - 1]->p * n / (double)k;
            least = p < least ? p : least;
            order.v[k - 1]->p = least;
        }
    }
    vec_free(&order);
}

/* Whether counts differ by more than chance would make them, if slices came independently. */
static bool counts_differ(const struct between *b, const struct between_row *row) {
    double ta = (double)b->runs[BETWEEN_A].v[0].span, tb = (double)b->runs[BETWEEN_B].v[0].span;
    double n = row->values[BETWEEN_COUNT][BETWEEN_A] + row->values[BETWEEN_COUNT][BETWEEN_B],
           part = tb / (ta + tb);
    double far = fabs(row->values[BETWEEN_COUNT][BETWEEN_B] - n * part);
    return n > 0 && far > SURE_DEVIATIONS * sqrt(n * part * (1 - part));
}

/* ---- verdicts ---- */

/* The verdict of a large change of a number; FEW: it could not be tested. */
static enum between_verdict verdict_of(const struct between *b, const struct between_row *row,
                                       enum between_number number) {
    double change, p = 1;
    bool enough = row->tested, sure = row->tested && row->p < BETWEEN_SURE;
    if (!large(b, row, number))
        return BETWEEN_SAME;
    if (between_of_runs(b)) {
        sure = runs_differ(b, row, number, &enough, &p);
    } else if (number == BETWEEN_P99) {
        enough = row->ended[0] >= BETWEEN_ENOUGH_P99 && row->ended[1] >= BETWEEN_ENOUGH_P99;
        sure = row->sure_p99;
    } else if (number == BETWEEN_RATE) {
        enough = true;
        sure = counts_differ(b, row);
    }
    if (!sure && !enough)
        return number == BETWEEN_P99 ? BETWEEN_SAME : BETWEEN_FEW;
    if (!sure)
        return number == BETWEEN_RATE ? BETWEEN_SAME : BETWEEN_CHANCE;
    between_change(row, number, &change);
    if (number == BETWEEN_RATE)
        return change > 0 ? BETWEEN_MORE_OF : BETWEEN_FEWER;
    return change > 0 ? BETWEEN_SLOWER : BETWEEN_FASTER;
}

/* The verdict of a name that one side alone has. Its share has to be large enough; for instants
 * their number. */
static enum between_verdict verdict_alone(const struct between *b, const struct between_row *row,
                                          int side) {
    bool large_enough = row->values[BETWEEN_OF_SPAN][side] >= BETWEEN_SHARE, enough;
    double p;
    if (row->like->kind == SLICE_ITER_INSTANTS)
        large_enough = between_of_runs(b) ? runs_differ(b, row, BETWEEN_RATE, &enough, &p)
                                          : counts_differ(b, row);
    if (!large_enough)
        return BETWEEN_SAME;
    return side == BETWEEN_A ? BETWEEN_GONE : BETWEEN_NEW;
}

/* The verdict of the longest slice alone. */
static enum between_verdict verdict_of_longest(const struct between *b,
                                               const struct between_row *row) {
    double by = between_by(row, BETWEEN_LONGEST), sign = by < 0 ? -1 : 1;
    int with = by < 0 ? BETWEEN_A : BETWEEN_B; /* the side that has it */
    double shorter = row->values[BETWEEN_LONGEST][1 - with],
           total = row->values[BETWEEN_TOTAL][1 - with];
    bool far = row->values[BETWEEN_LONGEST][with] >= BETWEEN_FAR * shorter &&
               by * sign >= BETWEEN_LEAST_NS;
    if (!far || by * sign < BETWEEN_SHARE * (double)b->runs[with].v[0].span ||
        by * sign < BETWEEN_MORE * total)
        return BETWEEN_SAME;
    /* the median of several runs hides the outlier of one */
    if (!between_of_runs(b) && between_by(row, BETWEEN_TOTAL) * sign <= 0)
        return BETWEEN_SAME;
    return by < 0 ? BETWEEN_FASTER : BETWEEN_SLOWER;
}

/* Whether one slice is why the traces differ in length: then slices a time say nothing. */
static bool makes_lengths(const struct between *b, const struct between_row *row) {
    double spans = (double)b->runs[BETWEEN_B].v[0].span - (double)b->runs[BETWEEN_A].v[0].span;
    double by = between_by(row, BETWEEN_LONGEST);
    return by * spans > 0 && fabs(by) * 2 >= fabs(spans);
}

/* Whether the lengths of the traces made a change of a number that is in relation to them. */
static bool by_lengths(const struct between *b, const struct between_row *row,
                       enum between_number number) {
    double relative, whole;
    enum between_number of = number == BETWEEN_RATE ? BETWEEN_COUNT : BETWEEN_TOTAL;
    if (number != BETWEEN_RATE && number != BETWEEN_OF_SPAN)
        return false;
    return !large(b, row, of) || (between_change(row, number, &relative) &&
                                  between_change(row, of, &whole) && relative > 0 && whole < 0);
}

/* Whether a slice of B without an end has lasted much longer than all that ended of the name, and
 * none of A has. */
static bool is_unsure(const struct between *b, const struct between_row *row) {
    const struct between_open *a = &row->open[BETWEEN_A], *other = &row->open[BETWEEN_B];
    int64_t most = a->most > other->most ? a->most : other->most;
    double by = (double)(other->lasted - most);
    return row->has[BETWEEN_A] && other->n > 0 && by >= BETWEEN_LEAST_NS &&
           by >= b->threshold * (double)most && a->lasted <= a->most;
}

static enum between_verdict verdict(const struct between *b, struct between_row *row) {
    static const enum between_number numbers[] = {BETWEEN_P50, BETWEEN_P99, BETWEEN_OF_SPAN,
                                                  BETWEEN_RATE};
    enum between_verdict worst = BETWEEN_SAME;
    for (int side = 0; side < BETWEEN_SIDES; side++)
        if (!row->has[side])
            return verdict_alone(b, row, 1 - side);
    enum between_verdict longest = verdict_of_longest(b, row);
    double p50 = 0;
    between_change(row, BETWEEN_P50, &p50);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (by_lengths(b, row, numbers[i]) ||
            (numbers[i] == BETWEEN_RATE && longest != BETWEEN_SAME && makes_lengths(b, row)))
            continue;
        enum between_verdict own = verdict_of(b, row, numbers[i]);
        /* their number made the share */
        if (numbers[i] == BETWEEN_OF_SPAN && own == BETWEEN_SLOWER && p50 < 0)
            own = BETWEEN_MORE_OF;
        if (numbers[i] == BETWEEN_OF_SPAN && own == BETWEEN_FASTER && p50 > 0)
            own = BETWEEN_FEWER;
        bool is_of_p = numbers[i] == BETWEEN_OF_SPAN && !between_of_runs(b);
        if (own > worst && (own == BETWEEN_SLOWER || own == BETWEEN_FASTER))
            row->decided = is_of_p ? BETWEEN_P50 : numbers[i];
        worst = own > worst ? own : worst;
    }
    if (longest > worst)
        row->decided = BETWEEN_LONGEST;
    return longest > worst ? longest : worst;
}

/* ---- rows ---- */

static int by_name(const void *a, const void *b) {
    return trace_names_order(*(const struct trace_names_row *const *)a,
                             *(const struct trace_names_row *const *)b);
}

static int by_change(const void *a, const void *b) {
    const struct between_row *x = a, *y = b;
    double p = fabs(x->values[BETWEEN_TOTAL][BETWEEN_B] - x->values[BETWEEN_TOTAL][BETWEEN_A]);
    double q = fabs(y->values[BETWEEN_TOTAL][BETWEEN_B] - y->values[BETWEEN_TOTAL][BETWEEN_A]);
    if (p != q)
        return p > q ? -1 : 1;
    return trace_names_order(x->like, y->like);
}

struct between_names {
    VEC(const struct trace_names_row *) v;
};

/* The names of all runs, in order, so that those of both sides meet. */
static void gather(struct task *task, const struct between *b, struct between_names *names) {
    for (int side = 0; side < BETWEEN_SIDES; side++)
        for (size_t i = 0; i < b->runs[side].n; i++)
            for (size_t k = 0; k < b->runs[side].v[i].v.n; k++)
                vec_push(&names->v, &b->runs[side].v[i].v.v[k]);
    sort_items(task, names->v.v, names->v.n, sizeof *names->v.v, by_name);
}

void between_count(struct between *b) {
    memset(b->counts, 0, sizeof b->counts);
    for (size_t i = 0; i < b->v.n; i++)
        b->counts[b->v.v[i].verdict]++;
}

/* Numbers and tests of one row. */
static void test_row(struct between *b, struct between_row *row) {
    double p = 1;
    fill(b, row);
    if (between_of_runs(b)) {
        runs_differ(b, row, BETWEEN_P50, &row->tested, &p);
        row->p = row->tested ? p : 1;
    } else {
        test_durations(row);
    }
}

#define TEST_UNITS 64 /* two samples of TRACE_NAMES_SAMPLE durations take 4 ms */
#define JUDGE_UNITS 16

/* The side of a row of one trace; several runs do not ask. */
static int side_of(const struct between *b, const struct trace_names_row *row) {
    const struct trace_names *a = &b->runs[BETWEEN_A].v[0];
    bool of_a = a->v.n > 0 && row >= a->v.v && row <= &a->v.v[a->v.n - 1];
    return of_a ? BETWEEN_A : BETWEEN_B;
}

/* A row for each name. */
static void test_names(struct task *task, struct between *b, const struct between_names *names) {
    const struct trace_names_row *const *v = names->v.v;
    size_t n = names->v.n;
    vec_reserve(&b->v, n); /* a key would wait for a copy of all rows */
    for (size_t i = 0, end; i < n; i = end) {
        vec_push(&b->v, ((struct between_row){.like = v[i], .because = BETWEEN_NO_ROW}));
        struct between_row *row = &b->v.v[b->v.n - 1];
        for (end = i; end < n && trace_names_order(v[i], v[end]) == 0; end++)
            row->of[side_of(b, v[end])] = v[end];
        test_row(b, row);
        b->percent = units_percent(end, n) * 9 / 10;
        uint64_t ended = row->ended[BETWEEN_A] + row->ended[BETWEEN_B];
        if (!task_spend(task, TEST_UNITS + (uint32_t)(ended < BUDGET_UNITS ? ended : BUDGET_UNITS)))
            return;
    }
}

static void judge(struct task *task, struct between *b) {
    for (size_t i = 0; i < b->v.n; i++) {
        struct between_row *row = &b->v.v[i];
        row->verdict = verdict(b, row);
        if (row->verdict < BETWEEN_NEW && is_unsure(b, row) &&
            (b->unsure == 0 ||
             row->open[BETWEEN_B].lasted > b->v.v[b->unsure - 1].open[BETWEEN_B].lasted))
            b->unsure = i + 1;
        if (!task_spend(task, JUDGE_UNITS))
            return;
    }
    between_count(b);
}

void between_make(struct task *task, struct between *b) {
    struct between_names names = {{0}};
    gather(task, b, &names);
    if (!task_over(task))
        test_names(task, b, &names);
    vec_free(&names.v);
    b->percent = 95;
    if (!task_over(task))
        correct(task, b);
    if (!task_over(task) && sort_items(task, b->v.v, b->v.n, sizeof *b->v.v, by_change))
        judge(task, b);
}

static void make(struct task *task, void *between) {
    between_make(task, between);
}

void between_compare(struct between *b) {
    make(NULL, b);
}
