/* help.h - the help screen: the legend, then the keys and commands by group, made from the command
 * table. */
#ifndef FXTOP_HELP_H
#define FXTOP_HELP_H

#include "ui/session.h"

/* Writes the page, wrapped at the grid's width. */
void help_write(struct pager *page, const struct app *app);

/* Actions of the command table. */
void help_open(struct app *app); /* at the keys of the view that it covers; in itself: at the top */
/* at a key or a command, else at the next line with the word */
void help_find(struct app *app, const char *word);

#endif
