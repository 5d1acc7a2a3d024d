/* hints.h - the last line of the screen: the keys that matter now; and the answer to a key without
 * a meaning. */
#ifndef FXTOP_HINTS_H
#define FXTOP_HINTS_H

#include "ui/session.h"

/* Fills the hint line: of the prompt, else of the keys that may follow a prefix, else of the state
 * and the mode. */
void hints_draw(struct app *app);
/* Shows a message for a key, or prefix << 32 | key, that means nothing here; it names the keys that
 * are near. */
void hints_unknown_key(struct app *app, uint64_t code);

#endif
