/* view.h - the views that are tables: 5 Log and 6 Flows. What their keys do, and the frame around a table: overview
 * above, rule, table, a pane with the whole of the current row, status. */
#ifndef FXTOP_VIEW_H
#define FXTOP_VIEW_H

#include "ui/app.h"
#include "ui/screen/table.h"

bool view_is_table(const struct app *app);
void view_free(struct app *app);
void view_update(struct app *app);                        /* the trace has read on */
bool view_idle(struct app *app);                          /* a little of the work that can wait; true: there is more */
bool view_record(struct app *app, uint64_t *offset);      /* of the current row; false: it is of none */
bool view_close(struct app *app);                         /* up from a flow to its list; false: the view itself ends */
void view_pointer(struct app *app, const struct key *key);
void view_draw(struct app *app);
bool view_csv(struct app *app, FILE *out); /* the table in view, once view_idle() has ended; false: there is none */
const char *view_title(const struct app *app); /* of the table's view, for the title: "[5 Log]" */

/* Actions of the command table. */
void view_open_log(struct app *app);
void view_open_flows(struct app *app);
void view_down(struct app *app);
void view_up(struct app *app);
void view_page_down(struct app *app);
void view_page_up(struct app *app);
void view_half_down(struct app *app);
void view_half_up(struct app *app);
void view_start(struct app *app);
void view_end(struct app *app);
void view_enter(struct app *app);
/* Shows the rows that match alone; "": all. */
void view_filter(struct app *app, const char *text);
const char *view_filter_text(struct app *app); /* as typed; NULL, and says why, if the view is no table */
void view_find(struct app *app, const char *text); /* the next event, row or line with the text in the current view */
void view_find_next(struct app *app);
void view_find_previous(struct app *app);
void view_sort_next(struct app *app);
void view_sort_previous(struct app *app);
void view_invert(struct app *app);
void view_back(struct app *app);
void view_silence(struct app *app);
void view_scope(struct app *app);

/* ---- for the views themselves ---- */

static inline int64_t view_since(int64_t from, int64_t to) { /* saturates */
    int64_t ns;
    return __builtin_sub_overflow(to, from, &ns) ? (to < from ? -INT64_MAX : INT64_MAX) : ns;
}

struct view_area { /* rows of the screen between overview and status */
    int y, rows;
};

/* A rule across the screen; what is written on it begins at the column returned. */
int view_rule(struct app *app, int y);
/* Text on a rule with a blank at both sides; returns the column behind it. */
int view_label(struct app *app, int x, int y, struct str text, enum role role);
/* A trace's text in rows of the screen from y on, broken where the screen ends and at line ends; returns how many it
 * takes in all. rows: draws no more; 0: only counts. */
int view_text(struct app *app, int y, int rows, struct str text, enum role role);
/* "main/2107" or "thread 2107": bytes as in the trace, into buf. */
struct str view_thread(struct trace *trace, uint32_t thread, bool id, char *buf, size_t cap);
struct str view_slice(struct trace *trace, uint32_t thread, int64_t time); /* the name of what is around it; "": nothing */
struct str view_join(char *buf, size_t cap, struct str a, const char *between, struct str b);
struct view_words { /* text of one look */
    enum role role;
    char text[80];
};
#define VIEW_FLOW_WORDS 5
/* What is known of a flow, for one line; returns how many of them there are. */
int view_flow_words(struct app *app, uint32_t flow, struct view_words words[VIEW_FLOW_WORDS]);
/* Selects it on the timeline, which is shown. */
void view_go(struct app *app, struct selection selection);

struct view_log;
struct view_log *view_log_new(struct app *app);
void view_log_free(struct view_log *log);
struct table *view_log_table(struct view_log *log);
void view_log_enter(struct view_log *log);
bool view_log_record(struct view_log *log, uint64_t *offset);
void view_log_scope(struct view_log *log);
void view_log_rescope(struct view_log *log); /* what is selected may have changed */
void view_log_draw(struct view_log *log, struct view_area area);

struct view_flows;
struct view_flows *view_flows_new(struct app *app);
void view_flows_free(struct view_flows *flows);
struct table *view_flows_table(struct view_flows *flows);
bool view_flows_step(struct view_flows *flows, struct budget *budget); /* true: there is more */
void view_flows_aim(struct view_flows *flows); /* leads to the flow that is followed */
void view_flows_update(struct view_flows *flows);
void view_flows_enter(struct view_flows *flows);
bool view_flows_record(struct view_flows *flows, uint64_t *offset);
bool view_flows_up(struct view_flows *flows);
void view_flows_draw(struct view_flows *flows, struct view_area area);

#endif
