/* pages.h - a trace file whose records do not cross its pages, so that it ends at a record wherever
 * writing is killed.
 *
 * The kernel lets a process die between two pages of a write(). So a record that would cross into
 * the next page begins there. Sections of the provider, records of one word that change nothing,
 * fill the page before it. A record that is longer than a page crosses. */
#ifndef FXTOP_PAGES_H
#define FXTOP_PAGES_H

#include "src/fxt/writer.h"

struct pages {
    uint64_t base;    /* of the writer's bytes in the file */
    uint32_t current; /* provider of the records */
};

/* Appends the first whole records of n words, as many as end at the writer's offset `limit` at
 * most. Returns their words, and adds their number. */
size_t pages_append(const struct pages *pages, struct writer *writer, const uint64_t *v, size_t n,
                    uint64_t limit, uint64_t *number);
/* Moves the records in memory from byte `from` on out of the way of pages. */
void pages_part(const struct pages *pages, struct writer *writer, size_t from);

#endif
