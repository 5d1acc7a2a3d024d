/* compared.h - the columns of a comparison on the screen: of two ranges, and of two traces. */
#ifndef FXTOP_COMPARED_H
#define FXTOP_COMPARED_H

#include "model/output/between/between_relation.h"
#include "ui/screen/table.h"
#include "ui/session.h"

extern const struct relation_column compared_relation_columns[COMPARED_PROCESS];
extern const struct table_column compared_columns[COMPARED_PROCESS];

/* The tabs leave out rows by their verdict, or by the side that lacks them. */
enum compared_tab {
    COMPARED_CHANGED,
    COMPARED_ALL,
    COMPARED_ONLY_A,
    COMPARED_ONLY_B,
    COMPARED_TABS
};

struct compared_tabs {
    enum compared_tab current;
    size_t rows[COMPARED_TABS];
};

bool compared_in_tab(const struct between_row *row, enum compared_tab tab);
/* Counts the rows of a new answer, so that no frame does; NULL: there are none. */
void compared_count(struct compared_tabs *tabs, const struct between *between);
/* A rule with the tabs; known: with their rows. Returns the first column after them. */
int compared_draw_tabs(struct grid *g, const struct compared_tabs *tabs, bool known, int y);

/* A cell of a row, once it is judged: changes are texts, that of the total a time. */
void compared_format(const struct between *between, const struct between_row *row, int column,
                     bool ascii, struct table_cell *cell);
/* Changes by their size, probabilities the surest first, verdicts the worst first; unknown ones
 * last. */
int64_t compared_key(const struct between *between, const struct between_row *row, int column);
/* "2 slower  1 new of 420 names" */
void compared_status(const struct between *between, char *text, size_t size);
/* Why no row is shown; changed: of those that changed. Returns buf. */
const char *compared_none(const struct between *between, bool changed, char buf[160]);
/* A sentence above the rows: why verdicts are not sure, or how lengths differ; NULL: there is
 * none. */
const char *compared_note(const struct between *between, bool ascii,
                          char buf[SLICE_ITER_OPEN_TEXT]);
/* A rule with the reason of the change of a row. */
void compared_rule(struct app *app, const struct between *between, const struct between_row *row,
                   int y);

#endif
