/* table.c - making the list of rows in a task, and moving in it; table_draw.c draws it.
 *
 * The list has the rows that filter and keeps() leave, then their order by the keys of the sorted
 * column, then the silences. All rows in the relation's order need no list at all. While it is made
 * again, the current row is remembered by its number and found when the order is known. A search
 * asks row after row from the current one on, around the end. */
#include "ui/screen/table_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "src/base/lower_bound.h"
#include "src/base/sort.h"
#include "src/base/units.h"

#define ROW_UNITS 4 /* of work: a row is asked for a value or a text */

void table_init(struct table *t, const struct table_source *source, void *ctx, bool ascii) {
    int n = source->relation->ncolumns;
    assert(n <= TABLE_COLUMNS);
    *t = (struct table){.source = source,
                        .ctx = ctx,
                        .ncolumns = n,
                        .ascii = ascii,
                        .sort = -1,
                        .sort_at_first = -1};
    memcpy(t->columns, source->columns, (size_t)n * sizeof *t->columns);
    table_renew(t);
}

void table_free(struct table *t) {
    filter_free(t->filter);
    filter_free(t->search);
    filter_free(t->before);
    filter_free(t->typed);
    task_free(t->making);
    vec_free(&t->kept);
    vec_free(&t->breaks);
    quantiles_free(&t->order);
    *t = (struct table){.sort = -1};
}

/* ---- which rows, in which order ---- */

static bool all_kept(const struct table *t) {
    return t->filter == NULL && !t->selects;
}

static uint32_t kept_count(const struct table *t) {
    return all_kept(t) ? t->counted : (uint32_t)t->kept.n;
}

static uint32_t kept_row(const struct table *t, uint32_t at) {
    return all_kept(t) ? at : t->kept.v[at];
}

static struct relation_row kept_at(const struct table *t, uint32_t at) {
    return (struct relation_row){kept_row(t, at), at > 0 ? kept_row(t, at - 1) : RELATION_NO_ROW};
}

static bool is_ordered(const struct table *t) {
    return t->sort >= 0 && t->ordered;
}

uint32_t table_count(const struct table *t) {
    return kept_count(t);
}

/* The position of the first kept row that is not less than `row`, in the relation's order. */
static uint32_t kept_from(const struct table *t, uint32_t row) {
    uint32_t at = 0, n = kept_count(t);
    if (all_kept(t))
        return row < n ? row : n;
    lower_bound(at, n, i, t->kept.v[i] < row);
    return at;
}

bool table_row(const struct table *t, uint32_t at, struct relation_row *row) {
    uint32_t n = kept_count(t);
    if (at >= n)
        return false;
    if (is_ordered(t)) {
        at = kept_from(t, t->order.v.v[t->inverted ? n - 1 - at : at].id);
    } else if (t->inverted && t->sort < 0) {
        at = n - 1 - at;
    }
    row->row = kept_row(t, at);
    row->before = at > 0 ? kept_row(t, at - 1) : RELATION_NO_ROW;
    return true;
}

bool table_current(const struct table *t, struct relation_row *row) {
    uint32_t n = kept_count(t); /* a list that has become shorter is clamped when it is drawn */
    return n > 0 && table_row(t, t->at < n ? t->at : n - 1, row);
}

uint32_t table_percent(const struct table *t) {
    uint32_t n = kept_count(t);
    if (t->ready)
        return t->seek == SEEK_GOES_ON && n > 0 ? (uint32_t)((uint64_t)(n - t->seek_left) * 99 / n)
                                                : 100;
    uint64_t part = t->counted > 0 ? (uint64_t)t->done * 100 / t->counted : 100;
    return (uint32_t)(part < 99 ? part : 99);
}

/* ---- lines: silences among the rows ---- */

/* Number of silences up to a position, with the one right before it. */
static uint32_t breaks_to(const struct table *t, uint32_t at) {
    uint32_t n = 0;
    lower_bound(n, t->breaks.n, i, t->breaks.v[i] <= at);
    return n;
}

static uint64_t track_line_of(const struct table *t, uint32_t at) {
    return (uint64_t)at + breaks_to(t, at);
}

uint64_t table_line_count(const struct table *t) {
    return (uint64_t)kept_count(t) + t->breaks.n;
}

uint32_t table_position_on(const struct table *t, uint64_t line, bool *silence) {
    uint32_t at = 0, n = kept_count(t);
    lower_bound(at, n, i, track_line_of(t, (uint32_t)i) < line);
    *silence = at < n && track_line_of(t, at) != line;
    return at;
}

void table_clamp(struct table *t) {
    uint32_t n = kept_count(t);
    if (t->at >= n)
        t->at = n > 0 ? n - 1 : 0;
    uint64_t line = track_line_of(t, t->at), rows = t->rows > 0 ? (uint64_t)t->rows : 1,
             all = table_line_count(t);
    uint32_t breaks_before = t->at > 0 ? breaks_to(t, t->at - 1) : 0;
    bool breaks = line > 0 && breaks_to(t, t->at) > breaks_before;
    uint64_t first = breaks ? line - 1 : line;
    if (t->top > (rows > 1 ? first : line)) /* with the silence above it */
        t->top = rows > 1 ? first : line;
    if (line >= t->top + rows)
        t->top = line - rows + 1;
    if (t->top + rows > all)
        t->top = all > rows ? all - rows : 0;
}

/* ---- making the list ---- */

static bool has_order(const struct table *t) {
    return t->sort >= 0 || t->inverted;
}

/* Before the order is known the first row is only the first that was found: not a row to stay
 * at. */
static bool has_place(const struct table *t) {
    return t->counted > 0 && !(has_order(t) && !t->ordered && t->at == 0);
}

/* Remembers the current row by its number, until its position in the new list is known. */
static void remember_row(struct table *t) {
    struct relation_row row;
    if (t->replace || !has_place(t) || !table_current(t, &row))
        return;
    t->replace = true;
    t->row = (uint32_t)row.row;
}

/* Does so for rows that change. In an order the greatest one stays the current one, whichever it
 * is. */
static void keep_place(struct table *t) {
    if (!has_order(t) || t->at > 0)
        remember_row(t);
}

void table_keep(struct table *t) {
    keep_place(t);
    if (!t->replace || t->by_id || t->source->id == NULL ||
        t->row >= t->source->relation->rows(t->ctx))
        return;
    t->by_id = true;
    t->id = t->source->id(t->ctx, t->row);
}

static uint32_t source_count(const struct table *t) {
    uint64_t n = t->source->relation->rows(t->ctx);
    return n < TABLE_NONE ? (uint32_t)n : TABLE_NONE - 1;
}

/* A column's number against the term; times count from the trace's begin. */
static bool number_fits(const struct table *t, const struct filter_term *term,
                        const struct relation_value *value) {
    enum relation_unit unit = t->source->relation->columns[term->column].unit;
    if (value->type == RELATION_REAL || value->type == RELATION_DIGITS)
        return filter_term_fits_number(term, filter_real(value->real));
    if (value->type != RELATION_INTEGER)
        return false;
    if (unit == RELATION_SHARE) /* as percent, as it is shown */
        return filter_term_fits_number(term, filter_real((double)value->integer / 1e6));
    if (unit >= RELATION_BYTES)
        return filter_term_fits_number(term, filter_unsigned((uint64_t)value->integer));
    return filter_term_fits_number(term, filter_signed(unit == RELATION_TIME
                                                           ? units_since(t->origin, value->integer)
                                                           : value->integer));
}

static bool column_fits(struct table *t, const struct filter_term *term, struct relation_row row) {
    struct relation_value value;
    struct table_cell cell;
    relation_get(t->source->relation, t->ctx, row, term->column, &value);
    bool present = value.type != RELATION_NULL;
    bool fits = present && number_fits(t, term, &value);
    /* a number is not less than another one because its digits are */
    bool textual = value.type == RELATION_TEXT || term->op < FILTER_LESS;
    if (present && !fits && textual) {
        table_get_cell(t, row, term->column, &cell);
        fits = term->values.v[0].pattern && filter_term_fits(term, cell.text);
    }
    return filter_term_result(term, fits, present);
}

/* A bare word: the text of the row, or of one cell: a name or an id, but no digits of times. */
static bool text_fits(struct table *t, const struct filter_term *term, struct relation_row row) {
    struct table_cell cell;
    bool fits = t->source->text && filter_term_fits(term, t->source->text(t->ctx, row.row));
    for (int c = 0; c < t->ncolumns && !fits && t->source->text == NULL; c++) {
        table_get_cell(t, row, c, &cell);
        fits = !relation_is_time(t->source->relation->columns[c].unit) &&
               filter_term_fits(term, cell.text);
    }
    return filter_term_result(term, fits, true);
}

static bool text_matches(struct table *t, const struct filter *filter, struct relation_row row) {
    for (size_t k = 0; k < filter->terms.n; k++) {
        const struct filter_term *term = &filter->terms.v[k];
        if (!(term->field == FILTER_COLUMN ? column_fits : text_fits)(t, term, row))
            return false;
    }
    return true;
}

static bool keeps(struct table *t, uint32_t row) {
    if (t->selects && !t->source->keeps(t->ctx, row))
        return false;
    struct relation_row r = {row, row > 0 ? row - 1 : RELATION_NO_ROW};
    return t->filter == NULL || text_matches(t, t->filter, r);
}

/* The rows after `done`. */
static bool keep_rows(struct task *task, struct table *t) {
    for (; t->done < t->counted; t->done++) {
        if (keeps(t, t->done))
            vec_push(&t->kept, t->done);
        if (!task_spend(task, ROW_UNITS + (t->filter ? filter_cost(t->filter) : 0)))
            return false;
    }
    return true;
}

/* The sort key of the current column: unsigned values keep their order, null is least. */
static int64_t key_of(const struct table *t, struct relation_row row) {
    struct relation_value value;
    if (t->source->key)
        return t->source->key(t->ctx, row, t->sort);
    relation_get(t->source->relation, t->ctx, row, t->sort, &value);
    if (value.type != RELATION_INTEGER)
        return INT64_MIN;
    bool is_unsigned = t->source->relation->columns[t->sort].unit >= RELATION_BYTES;
    return is_unsigned ? (int64_t)((uint64_t)value.integer ^ UINT64_C(1) << 63) : value.integer;
}

/* The position of a row; false: it is not shown. */
static bool position_of(const struct table *t, uint32_t row, uint32_t *position) {
    uint32_t n = kept_count(t), at = kept_from(t, row);
    if (at == n || kept_row(t, at) != row)
        return false;
    if (is_ordered(t)) {
        const struct quantiles_value *v = t->order.v.v;
        int64_t key = key_of(t, kept_at(t, at));
        at = 0;
        lower_bound(at, n, i, v[i].value < key || (v[i].value == key && v[i].id < row));
    }
    *position = t->inverted ? n - 1 - at : at;
    return true;
}

/* The row with the remembered id; false: it has not come so far. */
static bool find_id(struct table *t) {
    for (uint32_t row = 0; row < t->counted; row++)
        if (t->source->id(t->ctx, row) == t->id) {
            t->row = row;
            return true;
        }
    return false;
}

/* Goes to the remembered row, or in the relation's order to the next one that is shown. A row that
 * is known by its id is waited for, as rows come one by one. */
static void place_again(struct table *t) {
    if (!t->replace || (t->by_id && !find_id(t)))
        return;
    t->replace = t->by_id = false;
    if (!position_of(t, t->row, &t->at) && !is_ordered(t) && !t->inverted)
        t->at = kept_from(t, t->row);
    table_clamp(t);
}

static bool sort_rows(struct task *task, struct table *t) {
    for (uint32_t i = 0, n = kept_count(t); i < n; i++) {
        struct relation_row row = kept_at(t, i);
        quantiles_add(&t->order, key_of(t, row), (uint32_t)row.row);
        if (!task_spend(task, ROW_UNITS))
            return false;
    }
    return quantiles_sort(&t->order, task);
}

static int by_position(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* A silence is a gap over TABLE_SILENCE times the median, so that less than half of the gaps
 * are. */
static void break_gaps(struct task *task, struct table *t, const struct quantiles *gaps) {
    size_t n = gaps->v.n;
    int64_t median = quantiles_at(gaps, 500), much;
    if (n == 0 || __builtin_mul_overflow(median, TABLE_SILENCE, &much))
        return;
    t->longest = gaps->v.v[n - 1].value;
    while (n > 0 && gaps->v.v[n - 1].value > much && task_spend(task, 1))
        vec_push(&t->breaks, gaps->v.v[--n].id);
    if (!sort_items(task, t->breaks.v, t->breaks.n, sizeof *t->breaks.v, by_position))
        t->breaks.n = 0;
}

static void find_silences(struct task *task, struct table *t) {
    struct quantiles gaps = {0};
    uint32_t i = 1, n = kept_count(t);
    while (i < n && task_spend(task, ROW_UNITS)) {
        quantiles_add(&gaps, t->source->gap(t->ctx, kept_at(t, i)), i);
        i++;
    }
    if (i >= n && quantiles_sort(&gaps, task))
        break_gaps(task, t, &gaps);
    quantiles_free(&gaps);
}

static bool has_silences(const struct table *t) {
    return t->silences && t->sort < 0 && !t->inverted;
}

static void make(struct task *task, void *ctx) {
    struct table *t = ctx;
    if (!all_kept(t) && !keep_rows(task, t))
        return;
    if (t->sort >= 0 && !sort_rows(task, t))
        return;
    t->ordered = true;
    place_again(t); /* silences do not change it */
    if (has_silences(t))
        find_silences(task, t);
    if (task_over(task))
        return;
    t->ready = true;
    table_clamp(t);
}

/* A list that needs no work is complete at once. */
static void begin(struct table *t) {
    task_free(t->making);
    t->making = NULL;
    t->ordered = t->ready = false;
    t->seek = SEEK_NONE;
    t->counted = source_count(t);
    if (all_kept(t))
        t->done = t->counted;
    if (t->done == t->counted && t->sort < 0 && !has_silences(t))
        make(NULL, t);
    else
        t->making = task_new(&t->tasks, make, t);
}

static void begin_again(struct table *t) {
    task_free(t->making);
    t->making = NULL;
    t->done = 0;
    t->kept.n = 0;
    t->breaks.n = 0;
    quantiles_free(&t->order);
    t->longest = 0;
    t->typed_at = t->typed_found = 0;
    begin(t);
}

void table_renew(struct table *t) {
    keep_place(t);
    begin_again(t);
}

void table_select(struct table *t, bool selects) {
    keep_place(t);
    t->selects = selects;
    begin_again(t);
}

void table_grow(struct table *t) {
    if (source_count(t) < t->done || t->sort >= 0 || t->silences || t->inverted)
        table_renew(t);
    else
        begin(t);
}

static void seek_step(struct table *t, struct task *task) {
    uint32_t n = kept_count(t);
    struct relation_row row;
    if (t->seek != SEEK_GOES_ON)
        return;
    for (; t->seek_left > 0 && n > 0; t->seek_left--) {
        if (task_over(task))
            return;
        task_spend(task, ROW_UNITS + filter_cost(t->search));
        if (t->seek_direction > 0)
            t->seek_at = t->seek_at + 1 < n ? t->seek_at + 1 : 0;
        else
            t->seek_at = t->seek_at > 0 ? t->seek_at - 1 : n - 1;
        t->seek_wrapped |= t->seek_at == (t->seek_direction > 0 ? 0 : n - 1);
        if (table_row(t, t->seek_at, &row) && text_matches(t, t->search, row)) {
            t->at = t->seek_at;
            t->seek = SEEK_FOUND;
            table_clamp(t);
            return;
        }
    }
    t->seek = SEEK_NOT_FOUND;
}

static void count_step(struct table *t, struct task *task) {
    for (; t->typed && t->typed_at < kept_count(t) && !task_over(task); t->typed_at++) {
        task_spend(task, ROW_UNITS + filter_cost(t->typed));
        t->typed_found += text_matches(t, t->typed, kept_at(t, t->typed_at));
    }
}

bool table_step(struct table *t, struct task *task) {
    if (t->ready || task_step(t->making, task)) {
        seek_step(t, task);
        count_step(t, task);
    }
    return !t->ready || t->seek == SEEK_GOES_ON || (t->typed && t->typed_at < kept_count(t));
}

/* ---- moving ---- */

void table_go(struct table *t, uint32_t at) {
    t->at = at;
    t->replace = t->by_id = false; /* the user has moved meanwhile */
    t->seek = SEEK_NONE;
    table_clamp(t);
}

/* False: the row is left out. */
static bool find_row(struct table *t, uint32_t row) {
    struct relation_row now;
    t->replace = true;
    t->by_id = false;
    t->row = row;
    if (!t->ordered)
        return true; /* when the order is known */
    place_again(t);
    return table_current(t, &now) && now.row == row;
}

void table_show(struct table *t, uint32_t row) {
    if (find_row(t, row))
        return;
    table_filter(t, NULL);
    find_row(t, row);
}

void table_move(struct table *t, int64_t rows) {
    int64_t at = (int64_t)t->at + rows, last = (int64_t)kept_count(t) - 1;
    if (at > last)
        at = last;
    table_go(t, at > 0 ? (uint32_t)at : 0);
}

void table_scroll_sideways(struct table *t, int columns) {
    t->shift = t->shift + columns < 0 ? 0 : t->shift + columns;
}

void table_scroll(struct table *t, int64_t lines) {
    uint64_t rows = t->rows > 0 ? (uint64_t)t->rows : 1, all = table_line_count(t),
             most = all > rows ? all - rows : 0;
    bool silence;
    if (lines < 0)
        t->top = t->top > (uint64_t)-lines ? t->top - (uint64_t)-lines : 0;
    else
        t->top = t->top < most && most - t->top > (uint64_t)lines ? t->top + (uint64_t)lines : most;
    uint32_t first = table_position_on(t, t->top, &silence),
             last = table_position_on(t, t->top + rows - 1, &silence);
    if (silence && last > 0)
        last--;
    if (t->at < first)
        t->at = first;
    else if (t->at > last)
        t->at = last;
    table_clamp(t);
}

bool table_click(struct table *t, int line) {
    bool silence;
    if (line < 0 || line >= t->rows || t->top + (uint64_t)line >= table_line_count(t))
        return false;
    uint32_t at = table_position_on(t, t->top + (uint64_t)line, &silence);
    if (silence)
        return false;
    table_go(t, at);
    return true;
}

void table_filter(struct table *t, struct filter *filter) {
    remember_row(t);
    filter_free(t->filter);
    t->filter = filter;
    begin_again(t);
}

void table_try(struct table *t, struct filter *filter) {
    struct relation_row row;
    if (!t->tries) {
        t->tries = true;
        if (t->replace)
            t->row_before = t->row;
        else if (has_place(t) && table_current(t, &row))
            t->row_before = (uint32_t)row.row;
        else
            t->row_before = TABLE_NONE;
        t->before = t->filter;
        t->filter = NULL;
    }
    filter_free(t->filter);
    t->filter = filter;
    t->by_id = false;
    /* near the row from before, not near that of the last letter */
    t->replace = t->row_before != TABLE_NONE;
    t->row = t->row_before;
    begin_again(t);
}

void table_try_end(struct table *t, bool takes) {
    if (!t->tries)
        return;
    t->tries = false;
    struct filter *before = t->before;
    t->before = NULL;
    if (takes) {
        filter_free(before);
        return;
    }
    filter_free(t->filter);
    t->filter = before;
    t->by_id = false;
    t->replace = t->row_before != TABLE_NONE;
    t->row = t->row_before;
    begin_again(t);
}

void table_drop_search(struct table *t) {
    filter_free(t->search);
    t->search = NULL;
    t->seek = SEEK_NONE;
}

void table_type_search(struct table *t, struct filter *filter) {
    filter_free(t->typed);
    t->typed = filter;
    t->typed_at = t->typed_found = 0;
}

uint32_t table_typed(const struct table *t, bool *known) {
    *known = t->ready && t->typed_at >= kept_count(t);
    return t->typed_found;
}

void table_search(struct table *t, struct filter *filter, int direction) {
    if (filter) {
        filter_free(t->search);
        t->search = filter;
    }
    t->seek = t->search ? SEEK_GOES_ON : SEEK_NONE;
    t->seek_direction = direction;
    t->seek_at = t->at;
    t->seek_left = kept_count(t);
    t->seek_wrapped = false;
}

void table_sort_by(struct table *t, int column) {
    t->sort = column;
    t->inverted = column >= 0; /* sorting by a number is for the greatest, which becomes current */
    t->at = 0;
    t->replace = t->by_id = false;
    begin_again(t);
}

void table_sort_first(struct table *t, int column) {
    t->sort_at_first = column;
    table_sort_by(t, column);
}

void table_sort(struct table *t, int direction) {
    do
        t->sort += direction;
    while (t->sort >= 0 && t->sort < t->ncolumns && !t->columns[t->sort].sorts);
    if (t->sort < -1) {
        t->sort = t->ncolumns - 1;
        while (t->sort >= 0 && !t->columns[t->sort].sorts)
            t->sort--;
    } else if (t->sort >= t->ncolumns) {
        t->sort = -1;
    }
    table_sort_by(t, t->sort);
}

bool table_ascends(const struct table *t) {
    bool text = t->sort >= 0 && t->source->relation->columns[t->sort].type == RELATION_TEXT;
    return t->inverted == (text && t->source->a_to_z);
}

void table_invert(struct table *t) {
    t->inverted = !t->inverted;
    t->at = 0;
    t->replace = t->by_id = false;
    begin_again(t);
}
