/* as_track.c - asks questions in turn, and makes tracks of their rows.
 *
 * A question is text: SQL runs on a thread (sql/answer.h), while the trace does not step
 * (turns.held_rows); a filter is counted by a search. Rows go to the maker some thousands at a
 * time, so keys are answered meanwhile. The track is on the screen from the command on, without
 * rows. */
#include "ui/as_track.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "model/query/detail.h"
#include "model/query/search.h"
#include "model/store/row_track.h"
#include "model/store/sched_life.h"
#include "sql/answer/answer.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"
#include "ui/views/sql/view_sql.h"
#include "ui/views/view.h"

#define PIECE 8192      /* rows at a time */
#define TEXT_BYTES 4096 /* of a name */
#define WAIT_NS 2000000 /* for the query, between two looks at the keyboard */
#define WAIT_UNITS 100000
#define ROW_UNITS 20

enum kind { KIND_SQL, KIND_RANGES, KIND_FILTER };

/* Whether the text begins with the word, in any case. */
static bool begins(const char *text, const char *word) {
    size_t n = strlen(word);
    return strncasecmp(text, word, n) == 0 && (text[n] == 0 || strchr(" \t\n(", text[n]));
}

static enum kind kind_of(const char *text) {
    if (begins(text, "select") || begins(text, "with") || begins(text, "values"))
        return KIND_SQL;
    return begins(text, "ranges") ? KIND_RANGES : KIND_FILTER;
}

/* ---- the rows of SQL ---- */

enum { TS, DUR, NAME, TRACK, VALUE, COLOUR, MEANINGS };

static void find_columns(const struct as_track_state *s, const struct sql_answer_ops *ops,
                         int columns, int of[MEANINGS]) {
    static const struct {
        const char *name;
        int meaning;
    } names[] = {{"ts", TS},       {"dur", DUR},       {"name", NAME},   {"track", TRACK},
                 {"value", VALUE}, {"colour", COLOUR}, {"color", COLOUR}};
    for (int m = 0; m < MEANINGS; m++)
        of[m] = -1;
    for (int c = columns - 1; c >= 0; c--)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strcasecmp(ops->column(s->answer, c), names[i].name) == 0)
                of[names[i].meaning] = c;
}

static bool number_of(const struct query_cell *cell, int64_t *n) {
    if (cell->type == QUERY_REAL && cell->real > -9e18 && cell->real < 9e18)
        *n = (int64_t)cell->real;
    else if (cell->type == QUERY_INTEGER)
        *n = cell->integer;
    else
        return false;
    return true;
}

static struct str text_of(const struct query_cell *cell, char buf[40]) {
    if (cell->type == QUERY_TEXT)
        return (struct str){cell->text.s, (size_t)str_head(cell->text, TEXT_BYTES)};
    buf[0] = 0;
    if (cell->type == QUERY_INTEGER)
        snprintf(buf, 40, "%" PRId64, cell->integer);
    else if (cell->type == QUERY_REAL)
        snprintf(buf, 40, "%.12g", cell->real);
    return str_of(buf);
}

static struct str text_at(struct app *app, int column, uint64_t row, char buf[40]) {
    if (column < 0)
        return STR("");
    struct query_cell cell = app->answers->cell(app->as_track.answer, row, column);
    return text_of(&cell, buf);
}

/* ns of the trace's clock as a time of the reader: as the tables of SQL have them. */
static int64_t time_of(struct trace *trace, int64_t ts) {
    struct wide origin = trace_origin_wide(trace);
    uint64_t clock = origin.hi > 0 || origin.lo > INT64_MAX ? INT64_MAX : origin.lo;
    return (int64_t)((uint64_t)ts - clock + (uint64_t)trace_origin(trace));
}

static bool add_row(struct app *app, const int of[MEANINGS], uint64_t row) {
    struct as_track_state *s = &app->as_track;
    const struct sql_answer_ops *ops = app->answers;
    char buf[4][40];
    int64_t ts = 0, dur = 0;
    struct query_cell cell = ops->cell(s->answer, row, of[TS]);
    bool timed = number_of(&cell, &ts);
    if (of[DUR] >= 0) {
        cell = ops->cell(s->answer, row, of[DUR]);
        number_of(&cell, &dur);
    }
    struct row_texts texts = {.name = text_at(app, of[NAME], row, buf[0]),
                              .value = text_at(app, of[VALUE], row, buf[1]),
                              .colour = text_at(app, of[COLOUR], row, buf[2]),
                              .track = text_at(app, of[TRACK], row, buf[3])};
    if (of[NAME] < 0 && of[VALUE] < 0)
        texts.name = str_of(s->v.v[s->asked - 1].name);
    return row_track_maker_add(s->rows, timed, time_of(app->trace, ts), dur, &texts);
}

/* Fails the question; false. */
static bool fail(struct as_track_state *s, const char *why) {
    err_set(&s->fault, ERR_NO_OFFSET, "%s", why);
    s->failed = true;
    return false;
}

/* Takes rows of the query; true: there are more. */
static bool take_sql(struct app *app) {
    struct as_track_state *s = &app->as_track;
    const struct sql_answer_ops *ops = app->answers;
    if (!task_pauses(app->work))
        ops->wait(s->answer, INT64_MAX);
    else
        ops->wait(s->answer, WAIT_NS);
    task_spend(app->work, WAIT_UNITS);
    app->turns.held_rows = ops->busy(s->answer);
    if (app->turns.held_rows)
        return true;
    struct answer_look look = ops->look(s->answer);
    int of[MEANINGS];
    if (look.state == ANSWER_FAILED)
        return fail(s, look.err->text);
    if (look.state == ANSWER_STOPPED)
        return fail(s, "the query was stopped");
    find_columns(s, ops, look.columns, of);
    if (of[TS] < 0)
        return fail(s, "it has no column ts: a track has ts, dur, name, track, value, colour");
    uint64_t to = look.rows - s->next > PIECE ? s->next + PIECE : look.rows;
    s->full = look.state == ANSWER_FULL;
    for (; s->next < to && !s->full; s->next++)
        s->full = !add_row(app, of, s->next);
    for (; s->next < to && look.state == ANSWER_FULL; s->next++)
        add_row(app, of, s->next);
    return s->next < look.rows && (look.state == ANSWER_FULL || !s->full);
}

/* ---- the hits of a filter ---- */

static struct str name_of_hit(struct trace *trace, const struct slice_series *series,
                              const struct hit *hit, struct detail *d) {
    if (series->kind == SLICE_ITER_STATES) {
        const struct sched_thread *t =
            sched_thread_at(trace_sched(trace), series->track - SLICE_ITER_STATE_TRACK);
        const char *state = trace_state_name(trace, sched_life_state(t, hit->i));
        return str_of(state ? state : "unknown");
    }
    if (series->lane)
        return trace_slice_name(trace, lane_at(series->lane, hit->i));
    if (!detail_open(d, trace, slice_iter_offset(series, hit->i)))
        return STR("");
    return series->logs ? d->record.payload : d->name;
}

static bool add_hit(struct app *app, const struct hit *hit, const struct slice_series *series) {
    struct detail d;
    struct str name = name_of_hit(app->trace, series, hit, &d);
    int64_t dur = 0;
    name.n = (size_t)str_head(name, TEXT_BYTES);
    if (series->lane) {
        const struct slice *slice = lane_at(series->lane, hit->i);
        dur = slice_open(slice) ? -1 : slice_dur(slice);
    }
    return row_track_maker_add(app->as_track.rows, true, hit->time, dur,
                               &(struct row_texts){.name = name});
}

/* Takes hits; true: there are more. */
static bool take_hits(struct app *app) {
    struct as_track_state *s = &app->as_track;
    struct slice_series series;
    struct hit hit;
    uint64_t n;
    char line[FILTER_FAULT];
    if (!search_count(s->search, app->work, &n))
        return true;
    if (n == 0 && search_fault(s->search, line))
        return fail(s, line);
    uint64_t to = n - s->next > PIECE ? s->next + PIECE : n;
    for (; s->next < to && !s->full && search_at(s->search, s->next, &hit, &series); s->next++)
        s->full = !add_hit(app, &hit, &series);
    task_spend(app->work, PIECE * ROW_UNITS);
    return s->next < n && s->next == to && !s->full;
}

/* ---- ranges ---- */

/* The next word of a list; false: there is none. */
static bool next_word(const char **text, char word[120]) {
    *text += strspn(*text, " ,");
    size_t n = strcspn(*text, " ,");
    if (n == 0 || n >= 120)
        return false;
    memcpy(word, *text, n);
    word[n] = 0;
    *text += n;
    return true;
}

static void take_ranges(struct app *app, const char *text) {
    struct as_track_state *s = &app->as_track;
    struct range range = {0};
    char word[120], number[24];
    const char *rest = text + strlen("ranges");
    for (unsigned n = 1; !s->failed && next_word(&rest, word); n++) {
        struct err err;
        if (!session_typed_range(app, word, &range, &err)) {
            fail(s, err.text);
            return;
        }
        snprintf(number, sizeof number, "%u", n);
        row_track_maker_add(s->rows, true, range.from, units_since(range.from, range.to),
                            &(struct row_texts){.name = str_of(number)});
    }
}

/* ---- asking ---- */

static void forget_asked(struct app *app) {
    struct as_track_state *s = &app->as_track;
    if (s->answer) {
        app->answers->stop(s->answer);
        app->answers->wait(s->answer, INT64_MAX);
    }
    app->turns.held_rows = false;
    search_free(s->search);
    s->search = NULL;
    if (s->rows)
        row_track_maker_free(s->rows);
    free(s->rows);
    s->rows = NULL;
    s->asked = 0;
}

/* The list of tracks has changed. A row that was selected may be of another track now. */
static void show(struct app *app) {
    struct selection *now = &app->timeline.selection;
    if (now->kind == &track_rows_row && !selection_find(app->trace, now))
        *now = (struct selection){0};
    tracks_update(app->trace, &app->timeline);
    app->timeline.remade++;
    session_fit_drawer(app);
    app->dirty = true;
}

static void say_made(struct app *app, const struct as_track_question *q, uint64_t rows,
                     uint64_t left_out) {
    char name[96], n[32], out[32];
    text_plain(name, sizeof name, str_of(q->name), app->grid.ascii ? TEXT_ASCII : 0);
    if (app->as_track.full)
        session_say(app, false, "%s: the first %s rows; there are more", name,
                    units_count(rows, false, n));
    else if (left_out > 0)
        session_say(app, false, "%s: %s %s; %s without a time left out", name,
                    units_count(rows, false, n), rows == 1 ? "row" : "rows",
                    units_count(left_out, false, out));
    else
        session_say(app, false, "%s: %s %s as a track; :no-track %s takes it away", name,
                    units_count(rows, false, n), rows == 1 ? "row" : "rows", name);
}

static void drop(struct app *app, size_t i) {
    struct as_track_state *s = &app->as_track;
    row_tracks_remove(trace_row_tracks(app->trace), s->v.v[i].name);
    free(s->v.v[i].name);
    free(s->v.v[i].text);
    s->v.n--;
    memmove(s->v.v + i, s->v.v + i + 1, (s->v.n - i) * sizeof *s->v.v);
}

/* Makes the track of the question that was asked, or shows why there is none. */
static void end_asked(struct app *app) {
    struct as_track_state *s = &app->as_track;
    struct as_track_question *q = &s->v.v[s->asked - 1];
    bool first = !q->known;
    uint64_t rows = s->rows->rows.n, left_out = s->rows->left_out;
    q->known = true;
    q->version = trace_version(app->trace);
    if (!s->failed && !row_tracks_put(trace_row_tracks(app->trace), q->name, s->rows, &s->fault))
        s->failed = true;
    if (s->failed) {
        char name[96];
        text_plain(name, sizeof name, str_of(q->name), app->grid.ascii ? TEXT_ASCII : 0);
        session_say(app, true, "%s: %s", name, s->fault.text);
        drop(app, s->asked - 1);
    } else if (first) {
        say_made(app, q, rows, left_out);
    }
    forget_asked(app);
    show(app);
}

/* Begins to ask a question. */
static void ask(struct app *app, size_t i) {
    struct as_track_state *s = &app->as_track;
    const struct as_track_question *q = &s->v.v[i];
    s->asked = i + 1;
    s->next = 0;
    s->full = s->failed = false;
    s->generation = trace_generation(app->trace);
    s->rows = err_calloc(1, sizeof *s->rows);
    row_track_maker_init(s->rows);
    switch (kind_of(q->text)) {
    case KIND_SQL:
        if (s->answer == NULL)
            s->answer = app->answers->make(app->trace, app->query_memory);
        app->answers->ask(s->answer, str_of(q->text));
        app->turns.held_rows = true;
        break;
    case KIND_RANGES:
        take_ranges(app, q->text);
        break;
    case KIND_FILTER:
        s->search = search_new(app->trace, q->text, false, &s->fault);
        s->failed = s->search == NULL;
        break;
    }
}

/* The first question that is to be asked; v.n: there is none. */
static size_t first_open(const struct app *app) {
    const struct as_track_state *s = &app->as_track;
    bool complete = trace_state(app->trace) == TRACE_COMPLETE;
    size_t i = 0;
    while (i < s->v.n && s->v.v[i].known &&
           (!complete || s->v.v[i].version == trace_version(app->trace)))
        i++;
    return i;
}

bool as_track_step(struct app *app) {
    struct as_track_state *s = &app->as_track;
    if (s->v.n == 0 || trace_state(app->trace) == TRACE_LOADING || trace_unflushed(app->trace))
        return false;
    if (s->asked && s->generation != trace_generation(app->trace))
        forget_asked(app); /* it is asked again */
    if (s->asked == 0) {
        size_t i = first_open(app);
        if (i == s->v.n)
            return false;
        ask(app, i);
    }
    bool more = false;
    if (!s->failed && s->search)
        more = take_hits(app);
    else if (!s->failed && kind_of(s->v.v[s->asked - 1].text) == KIND_SQL)
        more = take_sql(app);
    if (!more)
        end_asked(app);
    return true;
}

void as_track_halt(struct app *app) {
    struct as_track_state *s = &app->as_track;
    forget_asked(app);
    if (s->answer)
        app->answers->halt(s->answer);
}

void as_track_free(struct app *app) {
    struct as_track_state *s = &app->as_track;
    forget_asked(app);
    if (s->answer)
        app->answers->free(s->answer);
    while (s->v.n > 0)
        drop(app, s->v.n - 1);
    vec_free(&s->v);
}

const char *as_track_fault(const struct app *app) {
    return app->as_track.failed ? app->as_track.fault.text : NULL;
}

/* ---- questions about the current line ---- */

#define QUESTION "SELECT ts, dur, 'gap' AS name FROM gap WHERE "

static void gaps_text(struct app *app, struct chars *out) {
    const struct track *track = session_track(&app->timeline);
    if (track && track->kind == &track_thread)
        chars_format(out, QUESTION "utid = %" PRIu32, track->of + 1);
    else if (track && track->kind == &track_cpu)
        chars_format(out, QUESTION "cpu = %" PRIu32,
                     sched_cpu(trace_sched(app->trace), track->of)->number);
    else
        chars_text(out, QUESTION "utid IS NULL AND cpu IS NULL");
}

static bool critical_text(struct app *app, struct chars *out) {
    const struct selection *now = &app->timeline.selection;
    if (!selection_is_slice(now)) {
        session_say(app, true, "critical is the path of a selected slice: h, l or Enter selects");
        return false;
    }
    chars_format(out,
                 "SELECT c.ts, c.dur, coalesce(t.name, 'thread ' || t.tid) AS name, c.state AS "
                 "value, c.utid AS colour FROM critical_path((SELECT id FROM slice WHERE \"offset\""
                 " = %" PRIu64 ")) c LEFT JOIN thread t USING (utid)",
                 now->offset);
    return true;
}

static uint64_t since_begin(const struct app *app, int64_t t) {
    int64_t begin = trace_begin(app->trace);
    return t > begin ? (uint64_t)t - (uint64_t)begin : 0;
}

static void add_range(struct app *app, const struct range *range, struct chars *out) {
    int64_t from = range_begin(range, app->trace), to = range_end(range, app->trace);
    chars_format(out, " %" PRIu64 "ns..%" PRIu64 "ns", since_begin(app, from),
                 since_begin(app, to));
}

/* Ranges as typed, or the kept and the current one. */
static bool ranges_text(struct app *app, const char *typed, struct chars *out) {
    struct range range = {0};
    char word[120];
    struct err err;
    chars_text(out, "ranges");
    const char *rest = typed + strlen("ranges");
    if (rest[strspn(rest, " ,")] == 0) {
        if (session_kept_range(app) && session_kept_range(app)->timed)
            add_range(app, session_kept_range(app), out);
        if (session_range(app)->timed)
            add_range(app, session_range(app), out);
    }
    while (next_word(&rest, word)) {
        if (!session_typed_range(app, word, &range, &err)) {
            session_say(app, true, "%s", err.text);
            return false;
        }
        add_range(app, &range, out);
    }
    if (out->n > strlen("ranges"))
        return true;
    session_say(app, true, "no range: v makes one; or :as-track NAME ranges 1s..2s 3s..4s");
    return false;
}

/* The question that the view shows. */
static bool shown_text(struct app *app, struct chars *out) {
    const char *sql = view_is(&app->views, MODE_SQL) ? view_sql_typed(app) : NULL;
    if (sql && *sql) {
        chars_text(out, sql);
        return true;
    }
    if (app->find.search) {
        char *typed = search_typed(app->find.search);
        chars_text(out, typed);
        free(typed);
        return true;
    }
    if (app->timeline.only) {
        chars_text(out, filter_lanes_text(app->timeline.only));
        return true;
    }
    session_say(
        app, true,
        ":as-track NAME select ts, dur, name from ...; or gaps, critical, ranges, a filter");
    return false;
}

/* The text that is asked, without what depends on the current line. */
static bool question_text(struct app *app, const char *typed, struct chars *out) {
    if (*typed == 0)
        return shown_text(app, out);
    if (strcmp(typed, "gaps") == 0)
        gaps_text(app, out);
    else if (strcmp(typed, "critical") == 0)
        return critical_text(app, out);
    else if (begins(typed, "ranges"))
        return ranges_text(app, typed, out);
    else
        chars_text(out, typed);
    return true;
}

/* ---- commands ---- */

static size_t find_question(const struct app *app, const char *name) {
    size_t i = 0;
    while (i < app->as_track.v.n && strcmp(app->as_track.v.v[i].name, name) != 0)
        i++;
    return i;
}

/* Adds the question, or takes the place of the one of that name; its track has no rows so far. */
static void put(struct app *app, const char *name, const char *text) {
    struct as_track_state *s = &app->as_track;
    struct row_track_maker none;
    struct err err;
    forget_asked(app);
    size_t i = find_question(app, name);
    if (i == s->v.n) {
        row_track_maker_init(&none);
        if (!row_tracks_put(trace_row_tracks(app->trace), name, &none, &err)) {
            session_say(app, true, "%s", err.text);
            return;
        }
        vec_push(&s->v, (struct as_track_question){.name = err_copy(name, strlen(name))});
    }
    struct as_track_question *q = &s->v.v[i];
    free(q->text);
    q->text = err_copy(text, strlen(text));
    q->known = false;
    show(app);
}

/* Works as long as the key has time: a small question is answered at once. */
static bool work(struct app *app) {
    while (!task_over(app->work) && as_track_step(app)) {
    }
    return false;
}

void as_track_type(struct app *app, const char *text) {
    struct chars question = {0};
    char name[ROW_TRACK_NAME];
    struct err err;
    text += strspn(text, " ");
    size_t n = strcspn(text, " ");
    if (n == 0 || n >= sizeof name) {
        session_say(app, true, "the name of a track has 1 to %u bytes", ROW_TRACK_NAME - 1);
        return;
    }
    memcpy(name, text, n);
    name[n] = 0;
    text += n + strspn(text + n, " ");
    bool done = question_text(app, text, &question);
    chars_add(&question, (struct str){"", 1});
    if (done && kind_of(question.v) == KIND_SQL && app->answers == NULL) {
        session_say(app, true, "SQL needs SQLite, which this fxtop was built without");
        done = false;
    }
    if (done && kind_of(question.v) == KIND_FILTER) {
        struct search *search = search_new(app->trace, question.v, false, &err);
        done = search != NULL;
        if (!done)
            session_say(app, true, "%s", err.text);
        search_free(search);
    }
    if (done)
        put(app, name, question.v);
    vec_free(&question);
    session_within(app, &app->key, work);
}

void as_track_list(struct app *app) {
    const struct as_track_state *s = &app->as_track;
    char all[160] = "", name[96];
    for (size_t i = 0; i < s->v.n; i++) {
        size_t n = strlen(all);
        text_plain(name, sizeof name, str_of(s->v.v[i].name), app->grid.ascii ? TEXT_ASCII : 0);
        snprintf(all + n, sizeof all - n, "%s%s", n > 0 ? ", " : "", name);
    }
    if (s->v.n > 0)
        session_say(app, false, "tracks of questions: %s", all);
    else
        session_say(app, false, "none so far: :as-track NAME QUESTION makes a track of its rows");
}

static void unpin(struct app *app) {
    struct track_list *list = &app->timeline.tracks;
    for (size_t i = list->pins.n; i > 0; i--) {
        const struct track_list_pin pin = list->pins.v[i - 1];
        if (pin.kind == &track_rows && row_tracks_at(trace_row_tracks(app->trace), pin.of) == NULL)
            track_list_pin(list, pin.kind, pin.of);
    }
}

void as_track_remove(struct app *app, const char *text) {
    char name[ROW_TRACK_NAME];
    snprintf(name, sizeof name, "%s", text);
    size_t i = find_question(app, name);
    char safe[96];
    text_plain(safe, sizeof safe, str_of(name), app->grid.ascii ? TEXT_ASCII : 0);
    if (i == app->as_track.v.n) {
        session_say(app, true, "no question is called %s: :as-track lists them", safe);
        return;
    }
    forget_asked(app);
    drop(app, i);
    unpin(app);
    show(app);
    session_say(app, false, "%s is no track any more", safe);
}

void as_track_remove_current(struct app *app) {
    const struct track *track = session_track(&app->timeline);
    const struct row_track *of = NULL;
    if (track && track->kind == &track_rows)
        of = row_tracks_at(trace_row_tracks(app->trace), track->of);
    if (of)
        as_track_remove(app, of->question);
    else
        session_say(app, true, "this is no track of a question: :no-track NAME");
}
