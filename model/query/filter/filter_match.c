/* filter_match.c - prepares a filter for a trace: sorts its terms by cost, matches names, looks for
 * arguments.
 *
 * Terms on names alone become one array of bytes, indexed by the number of the name.
 *
 * A left side that may be an argument is looked for in the records until one has it, or all were
 * read. */

#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "model/query/filter/filter_file.h"
#include "model/query/filter/filter_match_internal.h"
#include "model/trace/trace_problems.h"
#include "src/base/text.h"

/* ---- new and free ---- */

enum filter_match_cost filter_match_cost_of(const struct filter_term *term) {
    switch (term->field) {
    case FILTER_KIND:
    case FILTER_THREAD:
    case FILTER_PROCESS:
    case FILTER_PID:
    case FILTER_TID:
        return FILTER_COST_TRACK;
    case FILTER_TEXT:
    case FILTER_NAME:
        return FILTER_COST_NAME;
    case FILTER_DURATION:
    case FILTER_TIME:
    case FILTER_OPEN:
        return FILTER_COST_WORDS;
    case FILTER_CATEGORY:
        return FILTER_COST_TEXT;
    case FILTER_ARGUMENT:
        return FILTER_COST_RECORD;
    default:
        return FILTER_COST_NEIGHBOURS;
    }
}

static bool needs_names(const struct filter_term *term) {
    return term->field == FILTER_TEXT || term->field == FILTER_NAME || term->field == FILTER_IN ||
           term->field == FILTER_PARENT || term->field == FILTER_HAS ||
           term->field == FILTER_FLOW || term->literal;
}

/* The kinds that the terms allow. */
static unsigned kinds_of(const struct filter *filter) {
    unsigned kinds = 0;
    bool asked = false, hop = false;
    for (unsigned kind = 1; kind <= FILTER_STATES; kind *= 2) {
        bool holds = true;
        for (size_t k = 0; k < filter->terms.n; k++) {
            const struct filter_term *term = &filter->terms.v[k];
            hop = hop || (term->field == FILTER_HOP && !term->negated);
            if (term->field != FILTER_KIND)
                continue;
            asked = true;
            bool fits = false;
            for (size_t i = 0; i < term->values.n; i++)
                fits = fits || term->values.v[i].number.u & kind;
            holds = holds && filter_term_result(term, fits, true);
        }
        kinds |= holds ? kind : 0;
    }
    if (asked)
        return kinds;
    return hop ? (unsigned)FILTER_FLOWS : (unsigned)FILTER_USUAL;
}

struct filter_match *filter_match_new(struct trace *trace, const struct filter *filter) {
    struct filter_match *m = err_calloc(1, sizeof *m);
    size_t n = filter->terms.n;
    m->trace = trace;
    m->filter = filter;
    m->names = err_calloc(n + 1, sizeof *m->names);
    m->version = m->series_version = m->asked_version = UINT64_MAX;
    m->generation = trace_generation(trace);
    m->kinds = kinds_of(filter);
    for (size_t k = 0; k < n; k++) {
        const struct filter_term *term = &filter->terms.v[k];
        enum filter_reading reading =
            term->field == FILTER_ARGUMENT ? FILTER_READING_UNKNOWN : FILTER_READING_ARGUMENT;
        vec_push(&m->readings, filter_file_asks(term, trace) ? FILTER_READING_FILE : reading);
        m->asks_problem = m->asks_problem || term->field == FILTER_PROBLEM;
    }
    for (enum filter_match_cost cost = FILTER_COST_TRACK; cost <= FILTER_COST_RECORD; cost++)
        for (size_t k = 0; k < n; k++)
            if (filter_match_cost_of(&filter->terms.v[k]) == cost)
                vec_push(&m->order, k);
    return m;
}

static void free_sets(struct filter_match *m) {
    if (m->has_sets)
        filter_sets_free(&m->sets);
    m->has_sets = false;
}

void filter_match_free(struct filter_match *m) {
    if (m == NULL)
        return;
    task_free(m->making);
    free_sets(m);
    for (size_t k = 0; k <= m->filter->terms.n; k++)
        vec_free(&m->names[k].has);
    free(m->names);
    vec_free(&m->order);
    vec_free(&m->readings);
    vec_free(&m->problems);
    free(m);
}

/* ---- arguments of the trace ---- */

#define ALL_KINDS                                                                                  \
    (SLICE_ITER_SLICES | SLICE_ITER_INSTANTS | SLICE_ITER_OPERATIONS | SLICE_ITER_ASYNC_INSTANTS | \
     SLICE_ITER_COUNTERS | SLICE_ITER_FLOWS | SLICE_ITER_STATES)

/* Marks the terms whose argument the record has; false: all terms are decided. */
static bool look_at_record(struct filter_match *m, uint64_t offset) {
    struct detail d;
    struct detail_argument a;
    bool more = false;
    if (offset == 0 || !detail_open(&d, m->trace, offset))
        return true;
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &a))
        for (size_t k = 0; k < m->readings.n; k++)
            if (m->readings.v[k] == FILTER_READING_UNKNOWN &&
                filter_term_names(&m->filter->terms.v[k], a.name))
                m->readings.v[k] = FILTER_READING_ARGUMENT;
    for (size_t k = 0; k < m->readings.n; k++)
        more = more || m->readings.v[k] == FILTER_READING_UNKNOWN;
    return more;
}

uint64_t filter_match_end(const struct filter_match *m, const struct slice_series *s, uint32_t i) {
    if (s->kind & SLICE_ITER_SLICES)
        return trace_end_record(m->trace, lane_at(s->lane, i));
    return s->kind & SLICE_ITER_OPERATIONS
               ? slice_extra_end_offset(trace_slice_extra(m->trace), lane_at(s->lane, i))
               : 0;
}

/* Until each term is known to name an argument, to be text, or to name nothing. */
static bool look_for_arguments(struct task *task, struct filter_match *m) {
    struct slice_series series;
    uint32_t track = 0, row = 0;
    bool more = false;
    for (size_t k = 0; k < m->readings.n; k++)
        more = more || m->readings.v[k] == FILTER_READING_UNKNOWN;
    while (more && slice_iter_series(m->trace, ALL_KINDS, &track, &row, &series))
        for (uint32_t i = 0; more && i < series.n; i++) {
            if (!task_spend(task, FILTER_RECORD_UNITS * 2))
                return false;
            more = look_at_record(m, slice_iter_offset(&series, i)) &&
                   look_at_record(m, filter_match_end(m, &series, i));
        }
    for (size_t k = 0; k < m->readings.n; k++)
        if (m->readings.v[k] == FILTER_READING_UNKNOWN)
            m->readings.v[k] =
                m->filter->terms.v[k].literal ? FILTER_READING_TEXT : FILTER_READING_NOTHING;
    return true;
}

/* ---- preparing ---- */

static void name_one(struct filter_match *m, struct str name) {
    bool all = true;
    for (size_t k = 0; k < m->filter->terms.n; k++) {
        const struct filter_term *term = &m->filter->terms.v[k];
        if (!needs_names(term))
            continue;
        bool text = m->readings.v[k] == FILTER_READING_TEXT;
        bool fits = text ? pattern_matches(term->literal, name) : filter_term_fits(term, name);
        vec_push(&m->names[k].has, fits);
        if (filter_match_is_name(m, k))
            all = all && (text ? fits != term->negated : filter_term_result(term, fits, true));
    }
    vec_push(&m->names[m->filter->terms.n].has, all);
}

static bool match_names(struct task *task, struct filter_match *m) {
    const struct names *names = reader_names(trace_reader(m->trace));
    for (uint32_t n = names_count(names); m->named < n; m->named++) {
        if (!task_spend(task, filter_cost(m->filter)))
            return false;
        name_one(m, names_str(names, m->named));
    }
    return true;
}

/* "xx=": a word with an operator and nothing after it. */
static bool lacks_value(const struct filter_term *term) {
    const char *text =
        term->field == FILTER_TEXT && term->values.n == 1 ? term->values.v[0].text : "";
    size_t n = strlen(text),
           word = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    return word > 0 && word < n && word + strspn(text + word, "=!<>~") == n;
}

/* The left side that names nothing, or the whole term that has no value. *argument: it is arg. and
 * that. */
static const char *unknown_term(const struct filter_match *m, bool *argument) {
    for (size_t k = 0; k < m->filter->terms.n; k++) {
        const struct filter_term *term = &m->filter->terms.v[k];
        bool text = m->readings.v[k] == FILTER_READING_TEXT && term->literal, fits = false;
        *argument = m->readings.v[k] == FILTER_READING_NOTHING;
        if (*argument)
            return term->left;
        if (!text && (!lacks_value(term) || strchr(filter_text(m->filter), '"')))
            continue;
        for (size_t i = 0; i < m->names[k].has.n && !fits; i++)
            fits = m->names[k].has.v[i];
        if (!fits)
            return text ? term->left : term->values.v[0].text;
    }
    return NULL;
}

/* Whether terms contradict each other, and the line about that. */
static bool contradicts(const struct filter *filter, char line[FILTER_FAULT]) {
    size_t at[2];
    char typed[40], safe[2][40];
    if (!filter_contradiction(filter, at))
        return false;
    const struct filter_term *a = &filter->terms.v[at[0]], *b = &filter->terms.v[at[1]];
    bool either = a->field == b->field && a->op == FILTER_EQUALS && b->op == FILTER_EQUALS;
    for (size_t i = 0; i < 2; i++) {
        filter_print_term(&filter->terms.v[at[i]], typed, sizeof typed);
        text_plain(safe[i], sizeof safe[i], str_of(typed), TEXT_ASCII);
    }
    if (a == b)
        snprintf(line, FILTER_FAULT, "nothing fits %s", safe[0]);
    else
        snprintf(line, FILTER_FAULT, "nothing fits both %s and %s%s", safe[0], safe[1],
                 either ? ": commas in a value mean or" : "");
    return true;
}

const char *filter_match_fault(const struct filter_match *m, char line[FILTER_FAULT]) {
    bool argument = false;
    const char *unknown = unknown_term(m, &argument);
    char safe[80];
    if (unknown == NULL)
        return contradicts(m->filter, line) ? line : NULL;
    text_plain(safe, sizeof safe, str_of(unknown), TEXT_ASCII);
    /* "operator=": text, because nothing is after it */
    if (!argument && strpbrk(safe, "=<>~"))
        snprintf(line, FILTER_FAULT, "no name has '%s', and a term has a value: dur>1ms", safe);
    else
        snprintf(line, FILTER_FAULT, "'%s%s' is no field and no argument of this trace",
                 argument ? "arg." : "", safe);
    return line;
}

static int by_number(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void collect_problems(struct filter_match *m) {
    m->problems.n = 0;
    for (int kind = 0; m->asks_problem && kind < PROBLEM_KINDS; kind++) {
        const struct problem *p = &trace_problems(m->trace)->kinds[kind];
        for (size_t i = 0; i < problem_case_count(p); i++)
            if (problem_case(p, i)->offset > 0)
                vec_push(&m->problems, problem_case(p, i)->offset);
    }
    if (m->problems.n > 0)
        qsort(m->problems.v, m->problems.n, sizeof *m->problems.v, by_number);
}

/* Whether the names decide alone, now that arguments are known. */
static bool names_decide(const struct filter_match *m) {
    for (size_t k = 0; k < m->filter->terms.n; k++)
        if (!filter_match_is_name(m, k))
            return false;
    return true;
}

static void make(struct task *task, void *ctx) {
    struct filter_match *m = ctx;
    if (!look_for_arguments(task, m) || !match_names(task, m))
        return;
    m->names_alone = names_decide(m);
    if (m->names_alone)
        return;
    filter_sets_init(&m->sets, m->trace, m->filter, m->names);
    m->has_sets = true;
    filter_sets_make(task, &m->sets);
}

static void begin_again(struct filter_match *m) {
    task_free(m->making); /* it may be filling the sets */
    free_sets(m);
    if (m->generation != trace_generation(m->trace)) {
        m->generation = trace_generation(m->trace);
        for (size_t k = 0; k <= m->filter->terms.n; k++)
            m->names[k].has.n = 0;
        m->named = 0;
    }
    for (size_t k = 0; k < m->readings.n; k++) /* more records may have the argument */
        if (m->readings.v[k] >= FILTER_READING_TEXT) {
            m->readings.v[k] = FILTER_READING_UNKNOWN;
            m->named = 0;
        }
    for (size_t k = 0; m->named == 0 && k <= m->filter->terms.n; k++)
        m->names[k].has.n = 0;
    m->version = trace_version(m->trace);
    collect_problems(m);
    m->making = task_new(trace_tasks(m->trace), make, m);
}

bool filter_match_step(struct filter_match *m, struct task *task) {
    if (m->version != trace_version(m->trace) || task_is_lost(m->making))
        begin_again(m);
    return task_step(m->making, task);
}

int64_t filter_match_self(const struct filter_match *m, uint32_t thread, uint32_t row, uint32_t i) {
    return filter_sets_self(&m->sets, thread, row, i);
}

uint32_t filter_match_depth(const struct filter_match *m, uint32_t thread, uint32_t row,
                            uint32_t i) {
    return filter_sets_depth(&m->sets, thread, row, i);
}

unsigned filter_match_kinds(const struct filter_match *m) {
    static const unsigned series[] = {
        SLICE_ITER_SLICES, SLICE_ITER_INSTANTS, SLICE_ITER_OPERATIONS | SLICE_ITER_ASYNC_INSTANTS,
        SLICE_ITER_FLOWS,  SLICE_ITER_COUNTERS, SLICE_ITER_LOGS,
        SLICE_ITER_STATES};
    unsigned kinds = 0;
    for (size_t i = 0; i < sizeof series / sizeof *series; i++)
        kinds |= m->kinds >> i & 1 ? series[i] : 0;
    return kinds;
}

const unsigned char *filter_match_names(const struct filter_match *m, size_t *n) {
    *n = m->named;
    return m->names_alone ? m->names[m->filter->terms.n].has.v : NULL;
}

bool filter_match_none(const struct filter_match *m) {
    const struct filter_names *all = &m->names[m->filter->terms.n];
    return (m->kinds & (FILTER_LOG | FILTER_STATES)) == 0 &&
           memchr(all->has.v, 1, all->has.n) == NULL;
}
