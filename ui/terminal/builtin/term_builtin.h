/* term_builtin.h - descriptions of terminals inside the program, for machines that have none. */
#ifndef FXTOP_TERM_BUILTIN_H
#define FXTOP_TERM_BUILTIN_H

#include <stdbool.h>

/* Lets setupterm() and newterm() find the terminal type `name`; false: the program has no
 * description of it. It sets TERMINFO until term_builtin_hide(). Only the static program has
 * descriptions. */
bool term_builtin_show(const char *name);
/* Programs that fxtop starts must see the TERMINFO that the user set. */
void term_builtin_hide(void);
/* Whether there are descriptions at all. */
bool term_builtin_any(void);

#endif
