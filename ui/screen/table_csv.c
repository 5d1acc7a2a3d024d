/* table_csv.c - the rows a table shows, filtered and ordered, as RFC 4180: what is in its cells, whole. */
#include <inttypes.h>

#include "model/output/ndjson.h"
#include "ui/screen/table.h"

static void put(FILE *out, const struct table_cell *cell, const char *after) {
    if (cell->csv == CSV_NUMBER)
        fprintf(out, "%" PRId64 "%s", cell->number, after);
    else if (cell->csv == CSV_LINES)
        export_csv_lines(out, cell->whole, after);
    else if (cell->csv == CSV_NOTHING || cell->text.n == 0)
        fputs(after, out);
    else
        export_csv_text(out, cell->text, after);
}

void table_csv(const struct table *t, FILE *out) {
    struct table_cell cell;
    struct table_row row;
    const char *const *titles = t->source->csv;
    for (int c = 0; c < t->ncolumns; c++)
        export_csv_text(out, str_of(titles ? titles[c] : t->columns[c].title), c + 1 < t->ncolumns ? "," : "\r\n");
    for (uint32_t at = 0; at < table_count(t); at++) {
        if (!table_row(t, at, &row))
            continue;
        for (int c = 0; c < t->ncolumns; c++) {
            cell = (struct table_cell){.role = ROLE_TEXT};
            t->source->cell(t->ctx, row, c, &cell);
            put(out, &cell, c + 1 < t->ncolumns ? "," : "\r\n");
        }
    }
}
