/* view_problems.c - the list of problems, by kind, with the cases that are known of each. Enter
 * goes to a case.
 *
 * A line's tag is kind << 32 | (number of the case + 1); a kind's heading has that of its first
 * case. */
#include "ui/views/view_problems.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/trace/trace_problems.h"
#include "ui/timeline/find.h"
#include "ui/timeline/move.h"
#include "ui/views/view_page.h"

/* The text of a line under the heading of its kind: the place in the source, and the reason of a
 * fault of that. */
static const char *case_text(const struct trace *trace, const struct problem_case *one,
                             char buf[TRACE_PLACE_TEXT]) {
    if (one->why)
        return one->why;
    size_t n = strlen(trace_place_text(trace, one->offset, buf));
    if (n > 0)
        buf[n - 2] = '\0'; /* no sentence follows the colon */
    return buf;
}

static void add_kind(struct view *view, int kind, const struct problem *p) {
    struct app *app = view->app;
    struct pager *pager = view_page_pager(view);
    char buf[TRACE_PROBLEM_TEXT], when[48];
    pager_add(pager, true, (uint64_t)kind << 32 | 1, "%s %" PRIu64 "%s: %s", problem_name(kind),
              p->count, problem_is_note(kind) ? " (note)" : "",
              trace_problem_message(app->trace, kind, p, buf));
    for (size_t i = 0; i < problem_case_count(p); i++) {
        const struct problem_case *one = problem_case(p, i);
        const char *said = case_text(app->trace, one, buf);
        bool timed = one->time != PROBLEM_NO_TIME;
        pager_add(pager, false, (uint64_t)kind << 32 | (i + 1), "  %20s  byte %" PRIu64 "%s%s",
                  timed ? session_point(app, one->time, session_resolution(app->trace), when)
                        : "no time",
                  one->offset, *said ? "  " : "", said);
    }
    if (p->count > problem_case_count(p))
        pager_add(pager, false, 0, "  and %" PRIu64 " more", p->count - problem_case_count(p));
}

static void fill(struct view *view) {
    const struct problems *all = trace_problems(view->app->trace);
    struct pager *pager = view_page_pager(view);
    pager->choose = true;
    for (int kind = problem_next_kind(PROBLEM_KINDS); kind < PROBLEM_KINDS;
         kind = problem_next_kind(kind))
        if (all->kinds[kind].count > 0)
            add_kind(view, kind, &all->kinds[kind]);
    if (pager->lines.n == 0)
        pager_add(pager, false, 0, "No problems found.");
}

static void *make(struct view *view) {
    (void)view;
    return view_page_new(fill);
}

static void enter(struct view *view) {
    struct app *app = view->app;
    uint64_t tag = view_page_tag(view);
    if (tag == 0)
        return;
    app->find.problem_kind = tag >> 32;
    app->find.problem_at = (tag & UINT32_MAX) - 1;
    view_open_timeline(app);
    move_remember(&app->timeline);
    find_problem(app);
}

bool view_problems_record(struct app *app, uint64_t tag, struct view_record *record) {
    int kind = (int)(tag >> 32);
    uint64_t i = (tag & UINT32_MAX) - 1;
    const struct problem *p =
        kind < PROBLEM_KINDS ? &trace_problems(app->trace)->kinds[kind] : NULL;
    if (tag == 0 || p == NULL || i >= problem_case_count(p)) {
        session_say(app, false, "select a problem with a byte offset");
        return false;
    }
    struct problem one = problem_alone(problem_case(p, i));
    char buf[TRACE_PROBLEM_TEXT];
    const char *message = one.why || one.first_offset == p->first_offset
                              ? trace_problem_message(app->trace, kind, &one, buf)
                              : case_text(app->trace, problem_case(p, i), buf);
    snprintf(record->heading, sizeof record->heading, "%s%s%s", problem_name(kind),
             *message ? ": " : "", message);
    record->offset = one.first_offset;
    return true;
}

static bool record(struct view *view, struct view_record *record) {
    return view_problems_record(view->app, view_page_tag(view), record);
}

static const char *const hints[] = {"Enter go", "X bytes", NULL};

const struct view_ops view_problems = {
    .title = "[Problems]",
    .modes = MODE_TEXT,
    .hints = hints,
    .make = make,
    .free = view_page_free,
    .open = view_page_open,
    .draw = view_page_draw,
    .resize = view_page_resize,
    .update = view_page_update,
    .pointer = view_page_pointer,
    .enter = enter,
    .find = view_page_find,
    .record = record,
};
