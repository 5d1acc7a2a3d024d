/* marks.h - named places of the timeline: m a .. z, the quick mark, notes; jumps to them; the
 * distance between two.
 *
 * A mark is a time and a line. Times: ns relative to the reader's base. The quick mark is the place
 * before the last jump, or the one that m' set. Commands that cannot be done show a message. */
#ifndef FXTOP_UI_TIMELINE_RANGE_MARKS_H
#define FXTOP_UI_TIMELINE_RANGE_MARKS_H

#include "ui/session.h"

/* The second key of m and of ': a letter or '. */
void marks_set(struct app *app, uint32_t key);
void marks_jump(struct app *app, uint32_t key);
/* With the text of a command: a letter, a blank, and a time for :mark. */
void marks_type(struct app *app, const char *text);
void marks_type_jump(struct app *app, const char *text);
/* A note at the cursor; "": takes off the notes in the cursor's column. */
void marks_note(struct app *app, const char *text);
void marks_free(struct marks_state *marks);

/* "a to b 15.33 ms" or "from a 15.33 ms", or the note at the cursor; "": there is nothing to show.
 * Returns buf. */
const char *marks_text(const struct app *app, char buf[128]);
/* Letters, notes and the distance on the ruler, at row y. */
void marks_draw(struct app *app, int y);

#endif
