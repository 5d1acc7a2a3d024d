/* keep_copy.h - copies: the current view as text (y, yy, :w), the command line that opens the same
 * view (Y), and both (Ctrl-Y).
 *
 * y copies the drawer's text on the timeline, all rows of a table, tab-separated, and the whole
 * text of a page. yy and Ctrl-Y copy one row of a table. Texts are made safe as on the screen. The
 * owner of the terminal takes the copied text from app->requests.copy, writes it to a file, and
 * sends it to the terminal. */
#ifndef FXTOP_KEEP_COPY_H
#define FXTOP_KEEP_COPY_H

#include "model/output/chars.h"
#include "ui/session.h"

#define KEEP_COPY_MOST 74994 /* bytes that terminals take by OSC 52 */

/* Appends the text of the table, page or drawer tab; nothing if there is none. */
void keep_copy_text(struct app *app, struct chars *out);

/* Actions of the command table. */
void keep_copy_current(struct app *app);
void keep_copy_row(struct app *app);
void keep_copy_command(struct app *app);
void keep_copy_both(struct app *app);
/* The commands :w and :w!, with a file; in a view of blobs they write the blob. */
void keep_copy_write(struct app *app, const char *path);
void keep_copy_write_over(struct app *app, const char *path);

/* The bytes that make a terminal copy a text. mux: the multiplexer between. tmux either takes them
 * itself, or passes them through, depending on its version and options: it gets both. */
enum keep_copy_mux { KEEP_COPY_PLAIN, KEEP_COPY_TMUX, KEEP_COPY_SCREEN };
void keep_copy_sequence(struct str text, enum keep_copy_mux mux, struct chars *out);
enum keep_copy_mux keep_copy_mux(void); /* the one that the environment names */
/* Writes the copied text to a file of the user, with a message; true: it is to be sent to the
 * terminal, too. */
bool keep_copy_file(struct app *app);

#endif
