/* file_names.h - completion of file names: those that a typed text may become, in order of their
 * bytes.
 *
 * A text is a path as open() takes it: relative to the working folder, and ~ is an ordinary
 * character. Folders end in /. Names that begin with a dot are offered if a dot is typed. Names
 * that no prompt takes are left out: those with control characters or bad UTF-8. Nothing but
 * folders is opened. */
#ifndef FXTOP_FILE_NAMES_H
#define FXTOP_FILE_NAMES_H

#include <stddef.h>

#include "src/base/vec.h"

#define FILE_NAMES_MOST 20000 /* entries of a folder that are looked at: a key waits for them */

struct file_names { /* zero-initialised: none */
    char *stem;     /* the text that the list is for; NULL: there is no list */
    VEC(char *) v;  /* names in the folder of the stem */
    VEC(char) line;
};

/* The n-th path that `stem` may become, valid until the next call; NULL after the last. The folder
 * is read once for a stem. */
const char *file_names_complete(struct file_names *names, const char *stem, size_t n);
size_t file_names_count(struct file_names *names, const char *stem);
/* at any time; the next call reads the folder again */
void file_names_free(struct file_names *names);

#endif
