/* texts.h - texts by number, and each as a name of a record. */
#ifndef FXTOP_TEXTS_H
#define FXTOP_TEXTS_H

#include "src/base/map.h"
#include "src/import/import_lines.h"

struct texts_entry { /* bytes of `text` */
    size_t at, n;
};

struct texts {
    VEC(struct texts_entry) v;
    VEC(char) text;
    struct map by_text;
};

/* The number of a text; that of the empty one is 0. */
uint32_t texts_number(struct texts *t, struct str text);
/* Valid until a text is added. */
struct str texts_get(const struct texts *t, uint32_t number);
void texts_free(struct texts *t);

#endif
