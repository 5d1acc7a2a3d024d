/* table_copy.c - rows of a table as text: cells as they are shown, whole, with tabs between them. */
#include "ui/screen/table_internal.h"

#define CELL_MOST 4096 /* bytes of a cell */

static void add_cell(struct chars *out, struct str text, bool first) {
    char safe[CELL_MOST];
    if (!first)
        chars_add(out, STR("\t"));
    text_plain(safe, sizeof safe, text, TEXT_TRACK);
    chars_add(out, str_of(safe));
}

void table_copy_titles(const struct table *t, struct chars *out) {
    for (int c = 0; c < t->ncolumns; c++)
        add_cell(out, str_of(table_title(t, c)), c == 0);
    chars_add(out, STR("\n"));
}

void table_copy_row(struct table *t, uint32_t at, struct chars *out) {
    struct relation_row row;
    struct table_cell cell;
    if (!table_row(t, at, &row))
        return;
    for (int c = 0; c < t->ncolumns; c++) {
        table_get_cell(t, row, c, &cell);
        add_cell(out, cell.text, c == 0);
    }
    chars_add(out, STR("\n"));
}
