/* tab_why.c - why the selected slice is longer or shorter than the median of its name.
 *
 * A sentence on top has the greatest differences in own time of the names inside, at any depth.
 * Below are those by child name and by state, which sum to the difference. Then come the arguments
 * that the slowest slices have in common. The states are at the right if the screen is wide enough,
 * else below. */
#include "ui/drawer/compare/tab_why.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/stat/slice/why.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/drawer/tab_name.h"

#define WIDE 100      /* columns from which on the states are at the right */
#define STATE_THIS 20 /* columns of a state and its time: "not running 26688 d" */
#define ROWS 200      /* children that are listed */
#define ARGUMENTS 6

bool tab_why_step(struct app *app) {
    struct answer *answer = &app->drawer.why;
    const struct selection *now = &app->timeline.selection;
    const struct aggregate_row *same = tab_name_stats(app);
    if (!selection_is_slice(now) || same == NULL)
        return false;
    if (!answer_is_of(answer, app->trace, now->offset)) {
        struct why *why = answer_ask(answer, &why_ops, app->trace, now->offset);
        why_init(why, app->trace, now->of, now->row, now->i, same);
    }
    return session_work(app, answer);
}

/* ---- the sentence ---- */

struct words {
    struct drawer_text *p;
    const struct why *why;
    int64_t difference;
};

static const char *duration(const struct drawer_text *p, int64_t ns, char buf[32]) {
    return units_duration(ns, p->app->grid.ascii, buf);
}

static const char *state_name(const struct words *w, size_t state) {
    static const char *const names[WHY_STATES] = {"running", "runnable", "blocked", "other"};
    return state == WHY_BLOCKED ? trace_state_name(w->p->app->trace, SCHED_BLOCKED) : names[state];
}

/* A difference in the direction of the whole one, else 0: always positive. */
static int64_t towards(const struct words *w, int64_t this, int64_t median) {
    int64_t d = units_since(median, this);
    if (w->difference < 0)
        d = -d;
    return d > 0 ? d : 0;
}

static int64_t part_towards(const struct words *w, const struct why_part *part) {
    return towards(w, part->ns[WHY_THIS], part->ns[WHY_MEDIAN]);
}

static int64_t whole(const struct words *w) {
    return w->difference < 0 ? -w->difference : w->difference;
}

/* Names of a trace are safe in a sentence, and not long. */
static void say_name(const struct words *w, uint32_t name) {
    char safe[64];
    text_plain(safe, sizeof safe, trace_name(w->why->trace, name),
               w->p->app->grid.ascii ? TEXT_ASCII : 0);
    drawer_text_say(w->p, ROLE_VALUE, safe);
}

/* " (10 calls, median 5)": nothing if both have one call. */
static void say_calls(const struct words *w, const struct why_part *part) {
    char text[120], this[32], median[32];
    uint32_t n = part->n[WHY_THIS], before = part->n[WHY_MEDIAN];
    if (n == 1 && before == 1)
        return;
    units_count(n, false, this);
    units_count(before, false, median);
    if (n == before)
        snprintf(text, sizeof text, " (%s calls)", this);
    else
        snprintf(text, sizeof text, " (%s call%s, median %s)", this, n == 1 ? "" : "s", median);
    drawer_text_say(w->p, ROLE_TEXT, text);
}

/* "9.92 ms in Measure (10 calls, median 5)", "90 us in itself": of own time. */
static void say_part(const struct words *w, const struct why_part *part) {
    char buf[32];
    bool itself = part->name == w->why->name && part->n[WHY_THIS] == 1;
    drawer_text_say(w->p, ROLE_HEADER, duration(w->p, part_towards(w, part), buf));
    drawer_text_say(w->p, ROLE_TEXT, itself ? " in itself" : " in ");
    if (itself)
        return;
    say_name(w, part->name);
    say_calls(w, part);
}

/* "; all running", or "; 7.41 ms blocked, 1.2 ms running". */
static void say_states(const struct words *w) {
    const struct why *why = w->why;
    char text[64], buf[32];
    const char *between = "; ";
    if (!why->scheduled[WHY_THIS] || !why->scheduled[WHY_MEDIAN])
        return;
    for (int state = 0; state < WHY_STATES; state++)
        if (towards(w, why->states[state][WHY_THIS], why->states[state][WHY_MEDIAN]) >=
            whole(w) / 100 * 97) {
            snprintf(text, sizeof text, "; all %s", state_name(w, (size_t)state));
            drawer_text_say(w->p, ROLE_TEXT, text);
            return;
        }
    for (int state = 0; state < WHY_STATES; state++) {
        int64_t ns = towards(w, why->states[state][WHY_THIS], why->states[state][WHY_MEDIAN]);
        if (ns == 0 || ns < whole(w) / 10)
            continue;
        snprintf(text, sizeof text, "%s%s %s", between, duration(w->p, ns, buf),
                 state_name(w, (size_t)state));
        drawer_text_say(w->p, ROLE_TEXT, text);
        between = ", ";
    }
}

/* "15.30 ms slower than the median, in own time: 13.80 ms in Measure (4 calls); all running" */
static void sentence(const struct words *w) {
    const struct why *why = w->why;
    char text[64], buf[32];
    if (w->difference == 0) {
        drawer_text_say(w->p, ROLE_HEADER,
                        why->side[WHY_THIS].offset == why->side[WHY_MEDIAN].offset
                            ? "this is the median of its name"
                            : "as long as the median");
        drawer_text_next_line(w->p);
        return;
    }
    snprintf(text, sizeof text,
             "%s %s than the median, in own time: ", duration(w->p, whole(w), buf),
             w->difference > 0 ? "slower" : "faster");
    drawer_text_say(w->p, ROLE_HEADER, text);
    bool said = false;
    for (size_t k = 0, n = 0; k < why->own.v.n && n < 3; k++) {
        const struct why_part *part = &why->own.v.v[k];
        if (part_towards(w, part) == 0 || (said && part_towards(w, part) < whole(w) / 10))
            continue;
        if (said)
            drawer_text_say(w->p, ROLE_TEXT, ", ");
        say_part(w, part);
        said = true;
        n++;
    }
    say_states(w);
    drawer_text_next_line(w->p);
}

/* "this 8.800 ms   median 1.204 ms (at +1.204318 s, of 742)   rank 6 of 742 (p99.3)" */
static void which(const struct words *w) {
    struct drawer_text *p = w->p;
    const struct why_slice *median = &w->why->side[WHY_MEDIAN];
    const struct aggregate_row *same = tab_name_shown(p->app);
    const struct slice *s = selection_slice(p->app->trace, &p->app->timeline.selection);
    const struct drawer_link link = {
        .kind = DRAWER_LINK_SLICE, .of = median->thread, .row = median->row, .i = median->i};
    char text[96], buf[48], n[32];
    drawer_text_say(p, ROLE_DIM, "this ");
    drawer_text_say(p, ROLE_VALUE, duration(p, w->why->side[WHY_THIS].dur, buf));
    drawer_text_say(p, ROLE_DIM, slice_open(s) ? " so far  " : "  ");
    /* else it may have another place */
    bool now = answer_holds(&p->app->drawer.why, p->app->trace);
    enum role role = now ? drawer_text_link(p, &link, ROLE_VALUE) : ROLE_VALUE;
    drawer_text_say(p, role, "median ");
    drawer_text_say(p, role, duration(p, median->dur, buf));
    snprintf(text, sizeof text, " (at %s, of %s)  ",
             session_point(p->app, median->start, session_resolution(p->app->trace), buf),
             units_count(w->why->slow + w->why->others, false, n));
    drawer_text_say(p, ROLE_DIM, text);
    if (same && !slice_open(s))
        drawer_text_say(p, ROLE_TEXT, phrase_rank(&same->durations, slice_dur(s), text));
    drawer_text_next_line(p);
}

/* ---- tables ---- */

/* Three times and a bar, the last of them with its sign; x: the column after the first. */
static void numbers(const struct words *w, int64_t this, int64_t median, int x, int bar) {
    struct drawer_text *p = w->p;
    char text[40], buf[32];
    int64_t d = units_since(median, this);
    drawer_text_right(p, ROLE_TEXT, duration(p, this, text), x);
    drawer_text_right(p, ROLE_DIM, duration(p, median, text), x + 10);
    snprintf(text, sizeof text, "%s%s", d > 0 ? "+" : "", duration(p, d, buf));
    drawer_text_right(p, d == 0 ? ROLE_DIM : ROLE_VALUE, text, x + 21);
    p->x = x + 22;
    double part = whole(w) > 0 ? (double)towards(w, this, median) / (double)whole(w) : 0;
    int eighths = units_cells(part * bar * 8, bar * 8);
    for (int k = 0; k < eighths; k += 8)
        drawer_text_glyph(p, ROLE_DENSITY,
                          grid_left(&p->app->grid, eighths - k < 8 ? eighths - k : 8));
}

static void titles(struct drawer_text *p, const char *first, int from, int x) {
    p->x = from;
    drawer_text_say(p, ROLE_DIM, first);
    drawer_text_right(p, ROLE_DIM, "this", x);
    drawer_text_right(p, ROLE_DIM, "median", x + 10);
    drawer_text_right(p, ROLE_DIM, "difference", x + 21);
}

static bool states_known(const struct why *why) {
    return why->scheduled[WHY_THIS] && why->scheduled[WHY_MEDIAN];
}

/* Row k of the states: the sum is the last one. */
static void state_row(const struct words *w, size_t k, int from) {
    struct drawer_text *p = w->p;
    if (k > WHY_STATES)
        return;
    p->x = from;
    drawer_text_say(p, k == WHY_STATES ? ROLE_HEADER : ROLE_TEXT,
                    k == WHY_STATES ? "sum" : state_name(w, k));
    if (k == WHY_STATES)
        numbers(w, w->why->side[WHY_THIS].dur, w->why->side[WHY_MEDIAN].dur, from + STATE_THIS, 0);
    else
        numbers(w, w->why->states[k][WHY_THIS], w->why->states[k][WHY_MEDIAN], from + STATE_THIS,
                0);
}

static void part_row(const struct words *w, size_t k, size_t n, int x, int bar) {
    struct drawer_text *p = w->p;
    const struct why *why = w->why;
    char text[24] = "";
    if (k > n)
        return;
    if (k == n) {
        drawer_text_say(p, ROLE_HEADER, "sum");
        numbers(w, why->side[WHY_THIS].dur, why->side[WHY_MEDIAN].dur, x, 0);
        return;
    }
    const struct why_part *part = &why->parts.v.v[k];
    bool self = part->name == WHY_SELF;
    if (!self && (part->n[WHY_THIS] != 1 || part->n[WHY_MEDIAN] != 1))
        snprintf(text, sizeof text, " %" PRIu32 "/%" PRIu32, part->n[WHY_THIS],
                 part->n[WHY_MEDIAN]);
    drawer_text_field(p, self ? ROLE_DIM : ROLE_TEXT,
                      self ? STR("self") : trace_name(why->trace, part->name),
                      x - 12 - (int)strlen(text));
    drawer_text_say(p, ROLE_DIM, text);
    numbers(w, part->ns[WHY_THIS], part->ns[WHY_MEDIAN], x, bar);
}

static void tables(const struct words *w) {
    struct drawer_text *p = w->p;
    const struct why *why = w->why;
    int cols = p->app->grid.cols, x = cols < 80 ? 24 : 30, right = x + 22 + 7;
    bool beside = cols >= WIDE && states_known(why);
    int rest = cols - x - 23 > 0 ? cols - x - 23 : 0, bar = beside ? 5 : rest;
    size_t n = why->parts.v.n < ROWS ? why->parts.v.n : ROWS;
    titles(p, "child", 1, x);
    if (beside)
        titles(p, "state", right, right + STATE_THIS);
    drawer_text_next_line(p);
    for (size_t k = 0; k <= n || (beside && k <= WHY_STATES); k++) {
        part_row(w, k, n, x, bar);
        if (beside)
            state_row(w, k, right);
        drawer_text_next_line(p);
    }
    if (beside || !states_known(why))
        return;
    titles(p, "state", 1, 1 + STATE_THIS);
    drawer_text_next_line(p);
    for (size_t k = 0; k <= WHY_STATES; k++) {
        state_row(w, k, 1);
        drawer_text_next_line(p);
    }
}

/* "arguments of the slowest 5 % (37): level=7 in 36 of 37, in 2 % of the others" */
static void arguments(const struct words *w) {
    const struct why *why = w->why;
    struct drawer_text *p = w->p;
    char text[96], n[32];
    if (why->slow == 0)
        return;
    snprintf(text, sizeof text, "arguments of the slowest 5 %% (%s): %s",
             units_count(why->slow, false, n),
             why->arguments.n == 0 ? "none is more frequent than elsewhere" : "");
    drawer_text_say(p, ROLE_DIM, text);
    for (size_t k = 0; k < why->arguments.n && k < ARGUMENTS; k++) {
        const struct why_argument *a = &why->arguments.v[k];
        if (k > 0)
            drawer_text_say(p, ROLE_DIM, ";  ");
        drawer_text_value(p, ROLE_TEXT, a->name);
        drawer_text_say(p, ROLE_DIM, "=");
        drawer_text_value(p, ROLE_VALUE, a->value);
        snprintf(text, sizeof text, " in %" PRIu32 " of %" PRIu32 ", in %.0f %% of the others",
                 a->slow, why->slow_read,
                 why->others_read > 0 ? (double)a->others / why->others_read * 100 : 0.0);
        drawer_text_say(p, ROLE_TEXT, text);
    }
    if (why->arguments.n > 0 && (why->slow > why->slow_read || why->others > why->others_read))
        drawer_text_say(p, ROLE_DIM, "  (of a sample)");
    drawer_text_next_line(p);
}

void tab_why_draw(struct drawer_text *p) {
    const struct app *app = p->app;
    const struct why *why =
        answer_about(&app->drawer.why, app->trace, app->timeline.selection.offset);
    const char *text = NULL;
    if (!selection_is_slice(&app->timeline.selection))
        text = "select a slice";
    else if (why == NULL)
        text = "comparing";
    else if (!why->has_median)
        text = "none of this name has ended: there is no median";
    else if (why->slow + why->others == 1 &&
             why->side[WHY_THIS].offset == why->side[WHY_MEDIAN].offset)
        text = "the only one of its name: there is nothing to compare it with";
    if (text || why == NULL) {
        drawer_text_say(p, ROLE_DIM, text ? text : "");
        drawer_text_next_line(p);
        return;
    }
    const struct words w = {p, why, why_difference(why)};
    sentence(&w);
    which(&w);
    tables(&w);
    arguments(&w);
    if (states_known(why) && why->states[WHY_BLOCKED][WHY_THIS] > why->side[WHY_THIS].dur / 10) {
        drawer_text_say(p, ROLE_DIM,
                        "b goes to what woke it from its longest wait, B shows its critical path");
        drawer_text_next_line(p);
    }
}
