/* view_table.h - what views that are tables have in common: their keys, their work, and the frame
 * around a table: overview above, rule, table, a pane with the whole of the current row, status.
 *
 * A view that is one relation and nothing else is a struct view_table_list: see view_objects.c. */
#ifndef FXTOP_VIEWS_TABLE_H
#define FXTOP_VIEWS_TABLE_H

#include "model/output/json.h"
#include "ui/views/view.h"

/* Functions for struct view_ops. */
/* filter, order, search of the current table */
bool view_table_step(struct view *view);
void view_table_pointer(struct view *view, const struct key *key);
void view_table_find(struct view *view, const char *text);
bool view_table_csv(struct view *view, FILE *out);

/* Gives a table that was not drawn so far rows to scroll by. */
void view_table_size(struct view *view);
/* The work that a key needs before it is answered. */
void view_table_work(struct view *view);
/* Whether an event is in the range: its time, and its thread if the range has tracks. */
bool view_table_in_range(const struct app *app, int64_t time, uint32_t thread);
/* "range 15.33 ms  3 of 48 tracks" on the rule of a table, if there is a range; returns the column
 * after it. */
int view_table_range_label(struct app *app, int x, int y);
/* False, after saying that the current row is of no record. */
bool view_table_no_record(struct app *app);

/* Actions of the command table; they say so if the current view is no table. */
void view_table_move(struct app *app, int64_t rows);
void view_table_down(struct app *app);
void view_table_up(struct app *app);
void view_table_page_down(struct app *app);
void view_table_page_up(struct app *app);
void view_table_half_down(struct app *app);
void view_table_half_up(struct app *app);
void view_table_start(struct app *app);
void view_table_end(struct app *app);
void view_table_filter(struct app *app, const char *text); /* "": shows all rows again */
/* The rows that a search finds are counted while it is typed. The view is a table. */
void view_table_find_typed(struct app *app, const char *text);
void view_table_find_cancelled(struct app *app);
/* The rows follow while the filter is typed; Esc brings the others back. */
void view_table_filter_typed(struct app *app, const char *text);
void view_table_filter_cancelled(struct app *app);
const char *view_table_prompt(struct app *app); /* "", or NULL outside of tables */
void view_table_find_next(struct app *app);
void view_table_find_previous(struct app *app);
void view_table_sort_next(struct app *app);
void view_table_sort_previous(struct app *app);
void view_table_invert(struct app *app);
void view_table_left(struct app *app); /* long texts sideways */
void view_table_right(struct app *app);
void view_table_back(struct app *app);

/* ---- drawing ---- */

struct view_area { /* rows of the screen between overview and status */
    int y, rows;
};
/* Draws the overview if there is space for it. */
struct view_area view_table_area(struct app *app);
/* Draws below the titles of an empty table why it is empty, if the area has a row for it. */
void view_table_empty(struct grid *grid, struct view_area area, const char *text);
/* Notes how many rows the filter or the search that is typed has, for the prompt. */
void view_table_typed(struct app *app, const struct table *table);
/* "NOUN 3/17", with a filter "   filter: x", and `right` at the right. */
void view_table_status(struct app *app, const struct table *table, const char *noun,
                       const char *right);
/* Rows of a pane below the table that shows `text` whole: more for a long text, up to half of the
 * area. */
int view_table_pane_rows(const struct grid *grid, struct view_area area, struct str text);
/* Text in rows of the screen from y on, broken at its line ends and at the right edge. Returns the
 * rows that it takes in all; draws at most `rows` of them. */
int view_table_text(struct grid *grid, int y, int rows, struct str text, enum role role);
/* The cell's value as a point in time in the user's format. */
void view_table_point(struct app *app, struct table_cell *cell);

/* ---- views that are one relation ---- */

struct view_table_list {
    struct app *app;
    struct table table;
    struct chars text;   /* of the last cell whose text is made up */
    const char *heading; /* on the rule: "Objects" */
    const char *hint;    /* on the rule, after the heading; NULL: none */
    const char *noun;    /* "object" */
    const char *none;    /* if there are no rows: "no objects in this trace" */
    int whole;           /* the column that the pane shows whole */
    bool ranged;         /* its rows are of the range, which the rule names */
};

/* The table's context is the list. */
void view_table_list_init(struct view_table_list *list, struct app *app,
                          const struct table_source *source);
/* "name=value; name=value" of a record's arguments as the cell's text; no value without any. */
void view_table_list_arguments(struct view_table_list *list, uint64_t offset,
                               struct relation_value *value);

/* Functions for struct view_ops. */
/* state: a struct view_table_list, or begins with one */
void view_table_list_free(struct view *view);
struct table *view_table_list_table(struct view *view);
bool view_table_list_update(struct view *view, bool renewed);
void view_table_list_draw(struct view *view);

/* Looks at rows that come: the first one early enough for a row on the screen within 100 ms, then
 * at most five a second. *looked is clock_now() of the last one, or of one left out because rows
 * were not in order yet. */
void view_table_look_first(int64_t *looked);
bool view_table_look(const struct table *table, int64_t *looked); /* true: it is time for one */

#endif
