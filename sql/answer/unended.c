/* unended.c - slices and states that have no end, among those whose durations an answer has read.
 *
 * Tables and functions report them as they read them (source_read_open()). Slices of the table
 * slice come one by one, and are judged here by the longest that ended of their name. */
#include "sql/answer/unended.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/source.h"
#include "sql/tables/analysis.h"
#include "src/base/text.h"
#include "src/base/units.h"

/* By name, those of one table in a row. */
static int by_name(const void *a, const void *b) {
    const struct source_open *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    int state = strcmp(x->state ? x->state : "", y->state ? y->state : "");
    if (state != 0)
        return state;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (x->operations != y->operations)
        return x->operations < y->operations ? -1 : 1;
    return (x->judged > y->judged) - (x->judged < y->judged);
}

/* Whether the longest has lasted longer than all that ended. */
static void judge(struct source *source, struct source_open *open) {
    struct analysis_names *names =
        open->operations ? analysis_operations_of(source) : analysis_names_of(source);
    uint32_t row = AGGREGATE_ANY;
    if (names)
        row = analysis_names_row(names, (struct aggregate_key){.name = open->name});
    const struct aggregate_row *r =
        row == AGGREGATE_ANY ? NULL : names_table_row(&names->numbers, row);
    open->unsure = r == NULL || r->count == r->open || open->lasted > r->most;
}

/* Joins the slices of the table slice by their names, and states. */
static size_t join(struct source_open *v, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        struct source_open *last = kept > 0 ? &v[kept - 1] : NULL;
        bool single = !v[i].judged || v[i].state ||
                      v[i].kind == SOURCE_OPEN_BEFORE; /* else all of its name */
        if (last && single && by_name(last, &v[i]) == 0) {
            last->n += v[i].n;
            last->lasted = v[i].lasted > last->lasted ? v[i].lasted : last->lasted;
        } else {
            v[kept++] = v[i];
        }
    }
    return kept;
}

static const char *noun_of(const struct source_open *open) {
    if (open->kind == SOURCE_OPEN_FLOWS)
        return "flow";
    return open->state ? "state" : "slice";
}

struct unended unended_take(struct source *source) {
    struct unended open = {.names = 0};
    struct source_open *v = source->open.v;
    if (source->open.n > 1)
        qsort(v, source->open.n, sizeof *v, by_name);
    size_t n = join(v, source->open.n);
    for (size_t i = 0; i < n; i++) {
        if (!v[i].judged)
            judge(source, &v[i]);
        if (v[i].joined && !source->slice_times)
            continue; /* nothing was measured */
        open.names += i == 0 || v[i].name != v[i - 1].name || v[i].kind != v[i - 1].kind;
        if (open.n > 0 && (v[i].unsure != open.unsure ? open.unsure : v[i].lasted <= open.lasted))
            continue;
        open.kind = v[i].kind;
        open.unsure = v[i].unsure;
        open.noun = noun_of(&v[i]);
        open.name = v[i].state ? str_of(v[i].state) : trace_name(source->trace, v[i].name);
        open.n = v[i].n;
        open.lasted = v[i].lasted;
    }
    source_forget_open(source);
    return open;
}

/* "2 flows of f have not arrived and ...". */
static void flows_text(const struct unended *open, bool ascii, char buf[SLICE_ITER_OPEN_TEXT]) {
    const char *s = open->n == 1 ? "" : "s", *have = open->n == 1 ? "has" : "have";
    char safe[160], number[32], time[32];
    text_plain(safe, sizeof safe, open->name, TEXT_TRACK | (ascii ? TEXT_ASCII : 0));
    units_count(open->n, false, number);
    units_duration(open->lasted, ascii, time);
    if (open->unsure)
        snprintf(buf, SLICE_ITER_OPEN_TEXT,
                 "%s flow%s of %s %s not arrived, after %s%s: longer than all that arrived", number,
                 s, safe, have, open->n == 1 ? "" : "up to ", time);
    else
        snprintf(buf, SLICE_ITER_OPEN_TEXT,
                 "%s flow%s of %s %s not arrived: gaps are of those that arrived", number, s, safe,
                 have);
}

static void before_text(const struct unended *open, bool ascii, char buf[SLICE_ITER_OPEN_TEXT]) {
    char number[32], time[32];
    snprintf(buf, SLICE_ITER_OPEN_TEXT,
             "%s run%s from before the first record of the CPU lasted %s%s and %s no row: longer "
             "than all that ended",
             units_count(open->n, false, number), open->n == 1 ? "" : "s",
             open->n == 1 ? "" : "up to ", units_duration(open->lasted, ascii, time),
             open->n == 1 ? "is" : "are");
}

const char *unended_text(const struct unended *open, bool ascii, char buf[SLICE_ITER_OPEN_TEXT]) {
    if (open->kind == SOURCE_OPEN_FLOWS)
        flows_text(open, ascii, buf);
    else if (open->kind == SOURCE_OPEN_BEFORE)
        before_text(open, ascii, buf);
    else
        slice_iter_open_text(open->noun, open->name, open->n, open->unsure ? &open->lasted : NULL,
                             ascii, buf);
    return buf;
}
