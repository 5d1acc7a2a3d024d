/* view_place.h - the place in a view as lines of text, and back: the tab, what was opened, filter,
 * order, current row.
 *
 * The lines are arguments of the command ":place in"; sessions and Y have them
 * (ui/keep/keep_state.h). A view writes its own part (view_ops.keep) and takes one line back
 * (view_ops.put); of tables, order, filter, search and row are written here. A line waits until the
 * view's work is done, because rows must be known before one is current. */
#ifndef FXTOP_VIEW_PLACE_H
#define FXTOP_VIEW_PLACE_H

#include "ui/views/view.h"

/* Appends the lines of the current view, each with LF. */
void view_place_write(struct app *app, struct chars *out);
/* One line, without "place in". It is put back by view_place_step(). */
void view_place_put(struct app *app, const char *line);
/* Puts one waiting line back; false: there is none. */
bool view_place_step(struct app *app);
void view_place_forget(struct app *app); /* the lines that wait */

/* ---- for views ---- */

/* Appends a line of a command: its words, a text of any bytes (src/io/quote.h), and LF. */
void view_place_command(struct chars *out, const char *words, struct str text);
/* Appends "place in " and the text as printf() makes it, and LF. */
void view_place_line(struct chars *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Makes the row of a number current; false: it is no number, or of no row. */
bool view_place_row(struct table *table, const char *text);
/* N of a line "tab N" if it is less than `tabs`, else -1. */
int view_place_tab(const char *line, int tabs);
/* A line of a word and a text that was typed. */
void view_place_typed(struct chars *out, const char *word, const char *text);
/* A line of a word and a name of the trace: bytes but printable ASCII, '\' and '/' are \xNN. */
void view_place_named(struct chars *out, const char *word, struct str name);
void view_place_name(struct chars *out, struct str name); /* without "place in " and LF */
/* Whether a name is written as a text. */
bool view_place_is_name(struct str name, const char *text, size_t n);
/* Order, filter and current row of a table that is not the current one. */
void view_place_table(struct table *table, struct chars *out);

#endif
