/* term_builtin.c - descriptions of terminals inside the program, for machines that have none.
 *
 * term_builtin.sh makes the table of `make static` from the terminfo database of the machine that
 * builds. ncurses reads a description from the variable TERMINFO itself (b64:...), so that no file
 * is needed. */
#include "ui/terminal/builtin/term_builtin.h"

#include <stdlib.h>
#include <string.h>

static const struct description {
    const char *name, *text; /* the text is compiled terminfo in base64 */
} descriptions[] = {
#ifdef TERM_BUILTIN
#include "ui/terminal/builtin/term_builtin_table.h"
#endif
    {NULL, NULL},
};

static char *users; /* TERMINFO as the user set it */
static bool shown;

bool term_builtin_any(void) {
    return descriptions[0].name != NULL;
}

bool term_builtin_show(const char *name) {
    const struct description *d = descriptions;
    while (d->name != NULL && strcmp(d->name, name) != 0)
        d++;
    if (d->name == NULL)
        return false;
    const char *set = getenv("TERMINFO");
    if (!shown && set != NULL)
        users = strdup(set);
    shown = true;
    return setenv("TERMINFO", d->text, 1) == 0;
}

void term_builtin_hide(void) {
    if (shown && users != NULL)
        setenv("TERMINFO", users, 1);
    else if (shown)
        unsetenv("TERMINFO");
    free(users);
    users = NULL;
    shown = false;
}
