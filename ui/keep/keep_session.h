/* keep_session.h - the session of a trace: its state, kept from one run to the next.
 *
 * A session is a text file of commands (keep_state.h) under the trace's path (src/io/state_file.h).
 * It is taken up when all of the trace is read. If the file has other first 4 KiB than when it was
 * kept, only order and folds are. */
#ifndef FXTOP_KEEP_SESSION_H
#define FXTOP_KEEP_SESSION_H

#include "ui/session.h"

struct keep_paths { /* of a trace: one file, or those of a set in their order */
    const char *const *v;
    size_t n;
};

/* Reads the session of a trace, to be taken up when the trace is read; nothing happens if there is
 * none. */
void keep_session_take(struct app *app, const struct keep_paths *trace);
/* The text of the session that a set has, or that of -S FILE, for keep_set_read() before the set is
 * opened; free() it. NULL: there is none, or the files are others than they were. */
char *keep_session_text(const struct keep_paths *trace, const char *file);
/* Reads the session in a file, as -S does. False: it cannot be read. */
bool keep_session_from(struct app *app, const char *file, struct err *err);
/* Takes up the session that was read, with a message. */
void keep_session_apply(struct app *app);
/* Writes the session of a trace, unless no key was pressed, or removes it after :session off.
 * False: writing failed. */
bool keep_session_save(struct app *app, const struct keep_paths *trace, struct err *err);
/* The command :session, with "off", "on", or a file to write. */
void keep_session_type(struct app *app, const char *text);

#endif
