/* view_sql.c - :sql, the rows of a query as a table.
 *
 * The query runs on a thread of its own (sql/answer.h), which main hands down as app.answers. A
 * step looks at what it has so far; the table grows with it. The trace is not read meanwhile
 * (app.turns.held), and a question waits until the trace is read, or reading pauses. The relation
 * of the table is made when the columns are known. A column that is sorted by anything but integers
 * is ranked by the thread first. h and l scroll by columns, then long texts. */
#include "ui/views/sql/view_sql.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/clock.h"
#include "src/base/units.h"
#include "ui/views/sql/sql_each.h"
#include "ui/views/sql/sql_go.h"
#include "ui/views/sql/sql_words.h"
#include "ui/views/sql/view_sql_internal.h"
#include "ui/views/view_place.h"

#define NEWS_NS 100000000 /* between two frames while the query runs */
#define WAIT_NS 2000000   /* for the query, between two looks at the keyboard */
#define MEASURED 2000     /* rows that make the columns wider */
#define WIDE 40           /* columns of a text that is not scrolled */
#define LEAST 12          /* of a long text */

/* ---- the relation ---- */

static uint64_t row_count(void *ctx) {
    return ((struct view_sql *)ctx)->rows;
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    struct view_sql *v = ctx;
    struct query_cell cell = v->ops->cell(v->answer, row.row, column);
    switch (cell.type) {
    case QUERY_INTEGER:
        relation_set_integer(value, cell.integer);
        break;
    case QUERY_REAL:
        relation_set_real(value, cell.real);
        break;
    case QUERY_TEXT:
        relation_set_text(value, cell.text);
        break;
    case QUERY_BLOB: {
        size_t n = (size_t)snprintf(value->buf, sizeof value->buf, "x'");
        for (size_t i = 0; i < cell.text.n && n + 4 < sizeof value->buf; i++)
            n += (size_t)snprintf(value->buf + n, 4, "%02x", (unsigned char)cell.text.s[i]);
        value->buf[n++] = '\'';
        relation_set_text(value, (struct str){value->buf, n});
        break;
    }
    default:
        break;
    }
}

static const char *real_text(double x, bool duration, bool ascii, char buf[48]) {
    if (duration && x >= 0 && x < 9e18)
        return units_duration((int64_t)x, ascii, buf);
    snprintf(buf, 48, "%.12g", x);
    return buf;
}

static void format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    struct view_sql *v = ctx;
    (void)row;
    if (cell->value.type == RELATION_NULL) {
        cell->text = v->app->grid.ascii ? STR("-") : STR("\xc2\xb7");
        cell->role = ROLE_DIM;
    } else if (cell->value.type == RELATION_REAL) {
        bool duration = v->columns[column].unit == RELATION_DURATION;
        char buf[48];
        snprintf(cell->buf, sizeof cell->buf, "%s",
                 real_text(cell->value.real, duration, v->app->grid.ascii, buf));
        cell->text = str_of(cell->buf);
    } else if (cell->value.type == RELATION_INTEGER && cell->value.integer < 0 &&
               v->columns[column].unit == RELATION_DURATION) { /* it has not ended */
        snprintf(cell->buf, sizeof cell->buf, "%" PRId64, cell->value.integer);
        cell->text = str_of(cell->buf);
    }
}

/* Numbers by their value, the greatest first; texts from A to Z. */
static int64_t key(void *ctx, struct relation_row row, int column) {
    struct view_sql *v = ctx;
    if (!v->ops->is_integer(v->answer, column)) {
        int64_t rank = v->ops->rank(v->answer, column, row.row);
        return v->ops->is_number(v->answer, column) ? rank : -rank;
    }
    struct query_cell cell = v->ops->cell(v->answer, row.row, column);
    return cell.type == QUERY_INTEGER ? cell.integer : INT64_MIN;
}

/* dur, self_dur, total_ns, sum(dur): shown with a unit. */
static bool is_duration(const char *name) {
    size_t n = strlen(name), in = strcspn(name, "(");
    if (n >= in + 5 && in <= 10 && strcasecmp(name + n - 4, "dur)") == 0)
        return strncasecmp(name, "count", in) != 0 && strspn(name + in + 1, "(s.tl") == n - in - 5;
    return strcasecmp(name, "dur") == 0 || (n > 4 && strcasecmp(name + n - 4, "_dur") == 0) ||
           (n > 3 && strcasecmp(name + n - 3, "_ns") == 0);
}

static const struct relation_column no_columns[1];
static const struct table_column no_looks[1];

static void free_columns(struct view_sql *v) {
    table_free(&v->table);
    free(v->columns);
    free(v->looks);
    free(v->titles);
    v->columns = NULL;
    v->looks = NULL;
    v->titles = NULL;
    v->rows = 0;
    v->first = 0;
}

/* A table without columns, or with those of the answer. */
static void make_columns(struct view_sql *v, int n) {
    int rows = v->table.rows;
    free_columns(v);
    v->relation = (struct relation){"row", no_columns, 0, false, row_count, get};
    v->source = (struct table_source){.relation = &v->relation,
                                      .asked = true,
                                      .columns = no_looks,
                                      .format = format,
                                      .key = key,
                                      .a_to_z = true};
    if (n > TABLE_COLUMNS)
        n = TABLE_COLUMNS;
    if (n > 0) {
        v->columns = err_calloc((size_t)n, sizeof *v->columns);
        v->looks = err_calloc((size_t)n, sizeof *v->looks);
        v->titles = err_calloc((size_t)n, sizeof *v->titles);
        v->relation.columns = v->columns;
        v->relation.ncolumns = n;
        v->source.columns = v->looks;
    }
    for (int c = 0; c < n; c++) {
        const char *name = v->ops->column(v->answer, c);
        text_plain(v->titles[c], sizeof v->titles[c], str_of(name),
                   v->app->grid.ascii ? TEXT_ASCII : 0);
        int width = (int)text_width(str_of(v->titles[c]), 0, WIDE);
        v->columns[c] =
            (struct relation_column){v->titles[c], v->titles[c], RELATION_TEXT,
                                     is_duration(name) ? RELATION_DURATION : RELATION_NONE, true};
        v->looks[c] =
            (struct table_column){.width = width + 1, .most = width + 1, .rank = c, .sorts = true};
    }
    table_init(&v->table, &v->source, v, v->app->grid.ascii);
    v->table.rows = rows;
}

/* Types and widths by the rows [from, to). */
static void measure(struct view_sql *v, uint64_t from, uint64_t to) {
    struct table_cell cell;
    for (int c = 0; c < v->relation.ncolumns; c++) {
        struct table_column *look = &v->table.columns[c];
        bool number = v->ops->is_number(v->answer, c), integer = v->ops->is_integer(v->answer, c);
        int most = v->looks[c].most;
        v->columns[c].type = number ? RELATION_REAL : RELATION_TEXT;
        if (integer)
            v->columns[c].type = RELATION_INTEGER;
        look->right = number;
        for (uint64_t row = from; row < to; row++) {
            struct relation_row r = {row, RELATION_NO_ROW};
            cell.text = STR("");
            relation_get(&v->relation, v, r, c, &cell.value);
            cell.text = relation_text(&v->columns[c], &cell.value, v->app->grid.ascii, cell.buf);
            format(v, r, c, &cell);
            int width = (int)text_width(cell.text, TEXT_TRACK, WIDE + 1);
            most = width > most ? width : most;
        }
        v->looks[c].most = most;
        look->most = most > WIDE ? 0 : most;
        look->width = number || most < LEAST ? most : LEAST;
        if (c < v->first || (v->aligned && v->each && c > 1))
            look->width = 0; /* strips are there */
        if (look->width > 0 && look->width < (int)strlen(v->titles[c]) && look->width < 2 * LEAST)
            look->width =
                (int)strlen(v->titles[c]) < 2 * LEAST ? (int)strlen(v->titles[c]) + 1 : 2 * LEAST;
        if (look->most != 0 && look->most < look->width)
            look->most = look->width;
    }
}

/* ---- the query ---- */

static struct view_sql *state_of(struct app *app) {
    struct view *view = view_of(&app->views, &view_sql);
    if (view->state == NULL)
        view->state = view->ops->make(view);
    return view->state;
}

/* Whether the trace may be asked now. */
static bool readable(const struct app *app) {
    return trace_state(app->trace) != TRACE_LOADING && !trace_unflushed(app->trace);
}

static bool has_ended(enum answer_state state) {
    return state > ANSWER_RUNNING;
}

/* Takes in what the query has so far; true: the screen changes. */
static bool take(struct view_sql *v) {
    struct answer_look look = v->ops->look(v->answer);
    int64_t now = clock_now();
    bool ended = has_ended(look.state);
    if (!v->growing || (!ended && now - v->shown < NEWS_NS))
        return false;
    v->shown = now;
    v->growing = !ended;
    if (look.columns > 0 && v->relation.ncolumns == 0)
        make_columns(v, look.columns);
    uint64_t before = v->rows;
    bool orders = v->table.sort >= 0 || v->table.inverted;
    if (look.columns > 0 && (ended || !orders)) {
        v->rows = look.rows;
        if (before < MEASURED || ended)
            measure(v, before < MEASURED ? before : MEASURED,
                    v->rows < MEASURED ? v->rows : MEASURED);
        (ended && orders ? table_renew : table_grow)(&v->table);
    }
    return true;
}

/* Begins the question when the trace can be asked, and takes its rows; true: there is more. */
static bool drive(struct view_sql *v) {
    struct app *app = v->app;
    if (v->answer == NULL)
        return false;
    if (v->waits && readable(app) && !v->ops->busy(v->answer)) {
        v->waits = v->stale = false;
        v->asked = true;
        make_columns(v, 0);
        v->growing = true;
        v->generation = trace_generation(app->trace);
        v->ops->ask(v->answer, str_of(v->sql));
    }
    if (!task_pauses(app->work))
        v->ops->wait(v->answer, INT64_MAX);
    app->dirty = take(v) || app->dirty;
    app->turns.held = v->ops->busy(v->answer);
    return app->turns.held;
}

bool view_sql_step(struct app *app) {
    struct view *view = view_of(&app->views, &view_sql);
    struct view_sql *v = view->state;
    if (v == NULL || !(drive(v) || (v->waits && readable(app))))
        return false;
    if (app->work != &app->key && task_pauses(app->work))
        v->ops->wait(v->answer, WAIT_NS);
    return true;
}

static bool step(struct view *view) {
    struct view_sql *v = view->state;
    struct table *t = &v->table;
    bool more = drive(v);
    if (t->sort >= 0 && !v->growing && !t->ready && !v->ops->is_integer(v->answer, t->sort)) {
        bool known = v->ops->ranked(v->answer, t->sort);
        if (!known && !task_pauses(v->app->work)) {
            v->ops->wait(v->answer, INT64_MAX);
            known = v->ops->ranked(v->answer, t->sort);
        }
        v->app->turns.held = v->ops->busy(v->answer);
        if (!known)
            return true;
    }
    return view_table_step(view) || more;
}

static void end_query(struct view_sql *v) {
    v->waits = false;
    if (v->answer)
        v->ops->stop(v->answer);
    v->app->dirty = true;
}

bool view_sql_stop(struct app *app) {
    struct view_sql *v = view_of(&app->views, &view_sql)->state;
    if (v == NULL || (!v->waits && !v->growing))
        return false;
    if (v->waits && v->sql)
        session_say(app, false, "the query was not run: r runs it");
    end_query(v);
    return true;
}

void view_sql_halt(struct app *app) {
    struct view_sql *v = view_of(&app->views, &view_sql)->state;
    if (v == NULL || v->answer == NULL)
        return;
    v->ops->halt(v->answer);
    v->shown = 0;
    take(v);
    app->turns.held = false;
}

/* ---- commands ---- */

static bool known(struct app *app) {
    if (app->answers == NULL)
        session_say(app, true,
                    ":sql needs SQLite, which this fxtop was built without (libsqlite3-dev)");
    return app->answers != NULL;
}

/* tables: it is :tables; each: it is :each of this name, or NULL. */
static void run(struct app *app, const char *text, bool tables, const char *each) {
    struct view_sql *v = state_of(app);
    if (v->waits || v->growing)
        end_query(v);
    char *sql = err_copy(text, strlen(text)), *name = each ? err_copy(each, strlen(each)) : NULL;
    if (v->sql && strcmp(v->sql, sql) != 0) { /* the rows are those of another query */
        make_columns(v, 0);
        v->asked = v->growing = false;
    }
    free(v->sql);
    free(v->each);
    v->sql = sql;
    v->each = name;
    v->tables = tables;
    v->waits = true;
    if (v->answer == NULL)
        v->answer = v->ops->make(app->trace, app->query_memory);
    view_open(app, &view_sql);
    view_table_work(app->views.current);
}

void view_sql_ask(struct app *app, const char *text) {
    if (known(app))
        run(app, text, false, NULL);
}

void view_sql_each(struct app *app, const char *name) {
    struct chars sql = {0};
    if (!known(app))
        return;
    sql_each_query(&sql, str_of(name));
    chars_add(&sql, (struct str){"", 1});
    run(app, sql.v, false, name);
    vec_free(&sql);
}

void view_sql_each_selected(struct app *app) {
    enum slice_iter_kind kind;
    uint32_t name;
    if (!selection_name(app->trace, &app->timeline.selection, &kind, &name)) {
        session_say(app, true, "no slice is selected: :each NAME lists the slices of a name");
        return;
    }
    struct chars text = {0};
    chars_add(&text, trace_name(app->trace, name));
    chars_add(&text, (struct str){"", 1});
    view_sql_each(app, text.v);
    vec_free(&text);
}

static const char *words_of(struct app *app) {
    struct view_sql *v = state_of(app);
    if (v->words == NULL)
        v->words = v->ops->words(app->trace);
    return v->words;
}

/* A row a table, with its columns in one text: the words as constants. */
void view_sql_tables(struct app *app) {
    struct chars sql = {0};
    bool first = true, after = false;
    if (!known(app))
        return;
    chars_text(&sql, "WITH t(\"table\", columns) AS (VALUES");
    for (const char *s = words_of(app), *end; *s; s = end + 1) {
        size_t n = strcspn(s, " ");
        end = strchr(s, '\n');
        if (s + n + 1 == end) /* the table itself */
            chars_format(&sql, "%s('%.*s', '", first ? " " : "'), ", (int)n, s);
        else
            chars_format(&sql, "%s%.*s", after ? ", " : "", (int)(end - s) - (int)n - 1, s + n + 1);
        after = s + n + 1 != end;
        first = false;
    }
    chars_text(&sql, "')) SELECT * FROM t");
    chars_add(&sql, (struct str){"", 1});
    run(app, sql.v, true, NULL);
    vec_free(&sql);
}

void view_sql_again(struct app *app) {
    struct view_sql *v = known(app) ? state_of(app) : NULL;
    if (v && v->sql)
        run(app, v->sql, v->tables, v->each);
}

void view_sql_escape(struct app *app) {
    if (!view_sql_stop(app))
        view_table_back(app);
}

const char *view_sql_typed(struct app *app) {
    struct view_sql *v = known(app) ? state_of(app) : NULL;
    if (v == NULL)
        return NULL;
    return v->sql && !v->tables ? v->sql : "";
}

const char *view_sql_complete(struct app *app, const char *stem, size_t n) {
    if (app->answers == NULL)
        return NULL;
    return sql_words_complete(&state_of(app)->completion, words_of(app), stem, n);
}

/* ---- keys ---- */

static void enter(struct view *view) {
    struct view_sql *v = view->state;
    struct relation_row row;
    if (!table_current(&v->table, &row))
        return;
    struct query_place place = v->ops->place(v->answer, row.row);
    sql_go(v->app, &place, v->generation != trace_generation(v->app->trace));
}

static bool record(struct view *view, struct view_record *record) {
    struct view_sql *v = view->state;
    struct relation_row row;
    if (!table_current(&v->table, &row))
        return view_table_no_record(v->app);
    struct query_place place = v->ops->place(v->answer, row.row);
    if (place.kind < PLACE_SLICE || place.kind > PLACE_OPERATION_INSTANT)
        return view_table_no_record(v->app);
    record->offset = place.offset;
    return true;
}

/* Whether columns are left out at the right. */
static bool too_wide(const struct view_sql *v) {
    int need = 1;
    for (int c = v->first; c < v->relation.ncolumns; c++)
        need += v->table.columns[c].width + 2;
    return need - 2 > v->app->grid.cols;
}

static bool sideways(struct view *view, int direction) {
    struct view_sql *v = view->state;
    if (direction > 0 ? !too_wide(v) : v->table.shift > 0 || v->first == 0)
        return false;
    v->first += direction > 0 ? 1 : -1;
    measure(v, 0, 0);
    return true;
}

static bool update(struct view *view, bool renewed) {
    struct view_sql *v = view->state;
    (void)renewed;
    v->stale = v->stale || (v->asked && !v->waits);
    return true;
}

static struct table *table(struct view *view) {
    return &((struct view_sql *)view->state)->table;
}

bool view_sql_lists_each(const struct app *app) {
    const struct view_sql *v = view_is(&app->views, MODE_SQL) ? app->views.current->state : NULL;
    return v && v->each;
}

void view_sql_align(struct app *app) {
    struct view_sql *v = state_of(app);
    if (v->each == NULL) {
        session_say(app, true, "only iterations are aligned: :each NAME lists those of a name");
        return;
    }
    v->aligned = !v->aligned;
    v->first = 0;
    measure(v, 0, 0);
    app->dirty = true;
}

/* Takes back the line that keep() wrote. */
static bool put(struct view *view, const char *line) {
    struct view_sql *v = view->state;
    if (strcmp(line, "aligned") != 0)
        return false;
    v->aligned = true;
    measure(v, 0, 0);
    return true;
}

static void keep(struct view *view, struct chars *out) {
    struct view_sql *v = view->state;
    if (v->sql && v->tables)
        chars_text(out, "tables\n");
    else if (v->each)
        view_place_command(out, "each", str_of(v->each));
    else if (v->sql)
        view_place_command(out, "sql", str_of(v->sql));
    if (v->each && v->aligned)
        view_place_line(out, "aligned");
}

/* ---- the view ---- */

static void *make(struct view *view) {
    struct view_sql *v = err_calloc(1, sizeof *v);
    v->app = view->app;
    v->ops = view->app->answers;
    make_columns(v, 0);
    return v;
}

static void release(struct view *view) {
    struct view_sql *v = view->state;
    if (v->ops)
        v->ops->free(v->answer);
    view->app->turns.held = false;
    free_columns(v);
    free(v->sql);
    free(v->each);
    free(v->words);
    sql_words_free(&v->completion);
    vec_free(&v->pane);
    free(v);
}

const struct view_ops view_sql = {
    .title = "[SQL]",
    .modes = MODE_TABLE | MODE_SQL,
    .make = make,
    .free = release,
    .draw = view_sql_draw,
    .update = update,
    .step = step,
    .pointer = view_table_pointer,
    .enter = enter,
    .find = view_table_find,
    .record = record,
    .csv = view_table_csv,
    .table = table,
    .sideways = sideways,
    .keep = keep,
    .put = put,
};
