/* table_internal.h - parts of a table that table.c and table_draw.c share. Lines are positions and
 * the silences between them. */
#ifndef FXTOP_TABLE_INTERNAL_H
#define FXTOP_TABLE_INTERNAL_H

#include "ui/screen/table.h"

uint64_t table_line_count(const struct table *t);
/* The position on a line; if the line is a silence, the one below it. */
uint32_t table_position_on(const struct table *t, uint64_t line, bool *silence);
/* Keeps the current row in the list, and on the screen. */
void table_clamp(struct table *t);
/* The cell as it is shown; its text is valid until the relation is asked again. */
void table_get_cell(const struct table *t, struct relation_row row, int column,
                    struct table_cell *cell);

#endif
