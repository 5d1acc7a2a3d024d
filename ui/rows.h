/* rows.h - :row and :20: the row of a number, or as many rows on. */
#ifndef FXTOP_UI_ROWS_H
#define FXTOP_UI_ROWS_H

#include "ui/session.h"

/* "20", "+20", "-20", "20j", "20k" or "$" as typed after the colon; also in tables and texts. */
bool rows_typed(const char *text);
void rows_go(struct app *app, const char *text);

#endif
