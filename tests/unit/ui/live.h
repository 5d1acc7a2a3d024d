/* live.h - an application of 100 by 30 cells on a trace whose file changes, for suite_reload and
 * suite_growing.
 *
 * Every function fails the calling test if it cannot do its work. */
#ifndef FXTOP_LIVE_H
#define FXTOP_LIVE_H

#include "tests/lib/scratch.h"
#include "ui/app.h"

extern char live_path[SCRATCH_PATH];
extern struct app live_app;
extern struct trace *live_trace;

/* Writes a text's records to the file, which is opened as fopen() is. */
void live_put(const char *how, const char *text);

/* Likewise slices of 1 us with the numbers from `from` to `to`, one each 10 us, on each of two
 * threads. */
void live_calls(const char *how, int from, int to);

void live_keys(const char *text);

/* Makes the file, of 500 slices on each thread or of a text, and opens it. live_start() reads it to
 * its end. */
void live_start(bool follow);
void live_begin(const char *text);

/* Reads, updates and draws until all is read, as the loop of the screen does. */
void live_read_on(void);

/* Draws; whether a row of the screen has the text. */
bool live_shows(const char *text);

void live_stop(void);

#endif
