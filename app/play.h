/* play.h - --at, --window and --keys on a trace, without a terminal. */
#ifndef FXTOP_PLAY_H
#define FXTOP_PLAY_H

#include "app/options.h"
#include "ui/app.h"

/* Plays them on a loaded trace until no work is left. False: they are wrong; it was reported. */
bool play_keys(struct app *app, struct trace *trace, const struct options *o);

/* Runs the program that keys asked for. In text modes its output goes before ours. False: there is
 * none. */
bool play_program(struct app *app);

#endif
