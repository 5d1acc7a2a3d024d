/* table_csv.c - the rows a table shows, filtered and ordered, as RFC 4180: what is in its cells, whole. */
#include "model/export.h"
#include "ui/table.h"

void table_csv(const struct table *t, FILE *out) {
    struct table_cell cell;
    struct table_row row;
    for (int c = 0; c < t->ncolumns; c++)
        export_csv_text(out, str_of(t->columns[c].title), c + 1 < t->ncolumns ? "," : "\r\n");
    for (uint32_t at = 0; at < table_count(t); at++) {
        if (!table_row(t, at, &row))
            continue;
        for (int c = 0; c < t->ncolumns; c++) {
            cell = (struct table_cell){.role = ROLE_TEXT};
            t->source->cell(t->ctx, row, c, &cell);
            export_csv_text(out, cell.text, c + 1 < t->ncolumns ? "," : "\r\n");
        }
    }
}
