/* absent_names.h - the names that a trace has not and a source knows, as blobs `symbols` that it
 * would have (doc/IMPORT.md). */
#ifndef FXTOP_ABSENT_NAMES_H
#define FXTOP_ABSENT_NAMES_H

#include "src/import/profiles/symbols.h"
#include "src/io/file.h"

struct absent_names { /* zero-initialised: none */
    VEC(char) text;   /* all blobs */
    VEC(size_t) ends; /* of each */
    uint64_t found;   /* addresses with a name */
};

/* Reads all of a file. */
void absent_names_find(struct absent_names *names, struct file *file,
                       const struct symbols_source *source);
struct str absent_names_blob(const struct absent_names *names, size_t n);
void absent_names_free(struct absent_names *names);

#endif
