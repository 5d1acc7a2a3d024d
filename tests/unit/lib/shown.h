/* shown.h - the interface over a whole trace, without a terminal: keys go in, rows of the screen
 * come out as ASCII.
 *
 * One at a time. Each function fails the test if it cannot do what it should. Texts of rows have no
 * trailing blanks. */
#ifndef FXTOP_SHOWN_H
#define FXTOP_SHOWN_H

#include "ui/app.h"

extern struct app shown;

/* All of the trace is read and all background work is done before the first frame. */
void shown_text(const char *text, int cols, int rows);    /* of a fixture's text (tracegen.h) */
void shown_fixture(const char *name, int cols, int rows); /* of tests/traces/NAME.txt */
void shown_close(void);

void shown_keys(const char *keys); /* as --keys takes them; then background work and a frame */
void shown_resize(int cols, int rows);

/* A row of the screen; valid until the fourth call after this one. */
const char *shown_row(int y);
/* The rows of the drawer below its tabs, each ends in LF; valid until the next call. */
const char *shown_drawer(void);
/* All lines of the page that is shown (view_page.h), each ends in LF; valid until the next call. */
const char *shown_page(void);
int shown_find(const char *text); /* the first row with the text; -1: none */
bool shown_has(const char *text); /* a row has the text */
const char *shown_selected(void); /* name of the selected slice or operation; "": none */
/* Selects the nth slice of that name, from 0, in the order of threads, rows and time. */
void shown_select(const char *name, int nth);

#endif
