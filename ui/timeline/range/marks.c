/* marks.c - sets marks, jumps to them, and draws them on the ruler.
 *
 * The two marks that were set last are those whose distance is shown; while there is one, its
 * distance from the time cursor. */
#include "ui/timeline/range/marks.h"

#include <stdio.h>
#include <string.h>

#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/timeline/move.h"

void marks_free(struct marks_state *marks) {
    for (size_t i = 0; i < marks->notes.n; i++)
        free(marks->notes.v[i].text);
    vec_free(&marks->notes);
    *marks = (struct marks_state){0};
}

/* ---- setting and jumping ---- */

static struct mark here(const struct app *app) {
    return (struct mark){.any = true, .time = app->timeline.cursor, .line = app->timeline.line};
}

static int place_of(uint32_t key) {
    if (key == '\'')
        return MARK_QUICK;
    return key >= 'a' && key <= 'z' ? (int)(key - 'a') : -1;
}

static void set(struct app *app, int place, struct mark mark) {
    struct marks_state *marks = &app->marks;
    marks->v[place] = mark;
    if (place == MARK_QUICK || marks->last[0] == place + 1)
        return;
    marks->last[1] = marks->last[0];
    marks->last[0] = place + 1;
}

void marks_set(struct app *app, uint32_t key) {
    int place = place_of(key);
    char when[48];
    if (place < 0) {
        session_say(app, false, "marks are a to z and ': ma sets a, 'a goes there");
        return;
    }
    set(app, place, here(app));
    session_say(app, false, "mark %c at %s: '%c goes there", (int)key,
                session_point(app, app->timeline.cursor, session_resolution(app->trace), when),
                (int)key);
}

void marks_jump(struct app *app, uint32_t key) {
    int place = place_of(key);
    if (place < 0 || !app->marks.v[place].any) {
        if (place == MARK_QUICK)
            session_say(app, false, "no jump to go back from; m' sets what '' visits");
        else
            session_say(app, false, "no such mark: m and a letter sets one");
        return;
    }
    struct mark to = app->marks.v[place];
    move_remember(&app->timeline);
    app->marks.v[MARK_QUICK] = here(app);
    if (to.line < app->timeline.tracks.lines)
        app->timeline.line = to.line;
    move_to_time(app, to.time, false);
    move_to_line(app, app->timeline.line);
}

void marks_type(struct app *app, const char *text) {
    int64_t t = app->timeline.cursor;
    int place = place_of((unsigned char)text[0]);
    char why[320];
    if (place < 0 || (text[1] != 0 && text[1] != ' ')) {
        session_say(app, true, "marks are a to z and ': try :mark a, :mark a 1.5s");
        return;
    }
    if (text[1] && !session_time(app, text + 2, &t)) {
        session_say(app, true, "%s", session_not_a_time(app, text + 2, why));
        return;
    }
    struct mark mark = here(app);
    mark.time = t;
    set(app, place, mark);
}

void marks_type_jump(struct app *app, const char *text) {
    marks_jump(app, text[1] == 0 ? (unsigned char)text[0] : 0);
}

/* ---- notes ---- */

void marks_note(struct app *app, const char *text) {
    struct marks_state *marks = &app->marks;
    const struct window *w = &app->timeline.window;
    int column = window_column(w, app->timeline.cursor);
    size_t kept = 0;
    for (size_t i = 0; i < marks->notes.n; i++) {
        struct mark_note note = marks->notes.v[i];
        bool replaced =
            *text ? note.time == app->timeline.cursor : window_column(w, note.time) == column;
        if (replaced)
            free(note.text);
        else
            marks->notes.v[kept++] = note;
    }
    bool gone = kept < marks->notes.n;
    marks->notes.n = kept;
    if (*text) {
        struct mark_note note = {app->timeline.cursor, err_malloc(strlen(text) + 1)};
        memcpy(note.text, text, strlen(text) + 1);
        vec_push(&marks->notes, note);
    }
    if (*text)
        session_say(app, false, "note at the time cursor; M and Enter takes it off");
    else
        session_say(app, false, gone ? "the note is gone" : "no note here: M and a text makes one");
}

/* ---- showing ---- */

/* The marks whose distance is shown: letters 1 to 26, 0 for the cursor. False: there is none. */
static bool pair(const struct app *app, int *a, int *b) {
    const int *last = app->marks.last;
    if (last[0] == 0)
        return false;
    *a = last[1] ? last[1] : last[0];
    *b = last[1] ? last[0] : 0;
    return true;
}

static int64_t time_of(const struct app *app, int mark) {
    return mark == 0 ? app->timeline.cursor : app->marks.v[mark - 1].time;
}

static int64_t distance(const struct app *app, int a, int b) {
    int64_t from = time_of(app, a), to = time_of(app, b);
    return from < to ? units_since(from, to) : units_since(to, from);
}

const char *marks_text(const struct app *app, char buf[128]) {
    char length[32];
    int a, b, column = window_column(&app->timeline.window, app->timeline.cursor);
    buf[0] = 0;
    for (size_t i = 0; i < app->marks.notes.n; i++)
        if (window_column(&app->timeline.window, app->marks.notes.v[i].time) == column) {
            char safe[80];
            text_plain(safe, sizeof safe, str_of(app->marks.notes.v[i].text),
                       app->grid.ascii ? TEXT_ASCII : 0);
            snprintf(buf, 128, "note: %s", safe);
            return buf;
        }
    if (!pair(app, &a, &b))
        return buf;
    units_duration(distance(app, a, b), app->grid.ascii, length);
    if (b)
        snprintf(buf, 128, "%c to %c %s", 'a' + a - 1, 'a' + b - 1, length);
    else if (distance(app, a, b) > 0)
        snprintf(buf, 128, "from %c %s", 'a' + a - 1, length);
    return buf;
}

static void put(struct app *app, int y, int64_t time, uint32_t glyph) {
    int c = window_column(&app->timeline.window, time);
    if (c >= 0 && c < app->timeline.window.columns)
        grid_put(&app->grid, app->layout.lane + c, y, glyph, style_look(ROLE_HIT));
}

/* "15.33 ms" between two marks, if it has space there. */
static void draw_distance(struct app *app, int y) {
    const struct window *w = &app->timeline.window;
    char length[32];
    int a, b;
    if (!pair(app, &a, &b))
        return;
    int from = window_column(w, time_of(app, a)), to = window_column(w, time_of(app, b));
    if (from > to) {
        int c = from;
        from = to;
        to = c;
    }
    from = from < 0 ? -1 : from;
    to = to > w->columns ? w->columns : to;
    units_duration(distance(app, a, b), app->grid.ascii, length);
    int width = (int)text_width(str_of(length), 0, 32);
    if (to - from - 1 < width + 2)
        return;
    int x = app->layout.lane + from + 1 + (to - from - 1 - width) / 2;
    int left = app->layout.lane + from + 1,
        right = app->layout.lane + (to < w->columns ? to : w->columns);
    /* no half of a tick's label is left */
    grid_fill(&app->grid, left, y, right - left, ' ', style_look(ROLE_RULER));
    grid_ztext(&app->grid, x, y, x + width, length, style_look(ROLE_WINDOW_MARK));
}

void marks_draw(struct app *app, int y) {
    const struct marks_state *marks = &app->marks;
    draw_distance(app, y);
    for (size_t i = 0; i < marks->notes.n; i++)
        put(app, y, marks->notes.v[i].time, app->grid.ascii ? '"' : 0xB6);
    for (int k = 0; k < MARK_QUICK; k++)
        if (marks->v[k].any)
            put(app, y, marks->v[k].time, (uint32_t)('a' + k));
}
