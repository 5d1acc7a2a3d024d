/* verbs.h - the verbs of the command line: fxtop top FILE is fxtop --top FILE (fxtop(1), VERBS). */
#ifndef FXTOP_VERBS_H
#define FXTOP_VERBS_H

#include "src/command_line.h"

/* The modes that a row may name are those of app/mode.h. */
struct command_line_verbs verbs_table(void);
/* The verb of that name; NULL: it is none. */
const struct command_line_verb *verbs_find(const char *name);
/* The verb that was probably meant; NULL: none is near. */
const struct command_line_verb *verbs_near(const char *typed);

/* The value of the option among so many words, which is the first; NULL: there is none. */
const char *verbs_value(const struct command_line_verb *verb, int words, const char *first);

#endif
