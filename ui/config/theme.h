/* theme.h - :theme and :style: the looks of all roles, chosen as a whole or one by one. */
#ifndef FXTOP_THEME_H
#define FXTOP_THEME_H

#include "ui/session.h"

/* The setting "theme": auto, dark, light, contrast, mono, or the name of a file of :style lines in
 * the folder themes of the configuration. False: there is none, or a line of it is wrong; a message
 * names it. */
bool theme_choose(struct app *app, const char *name);
const char *theme_chosen(const struct app *app);
/* The command :style: "ROLE COLOUR [on COLOUR] [bold] [dim] [reverse] [underline]". */
void theme_style(struct app *app, const char *text);
void theme_type(struct app *app, const char *text); /* :theme NAME */

#endif
