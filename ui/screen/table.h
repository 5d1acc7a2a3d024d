/* table.h - a list of rows under a header, asked of a source for what it shows: a frame costs its rows x columns,
 * however many rows there are. What looks at every row (filter, order, search, silences) goes on in table_step().
 *
 * Rows are the source's numbers from 0 on; positions count the rows shown, as filtered and ordered; lines are positions
 * and the silences between them. Text goes to the screen through grid_text() alone. */
#ifndef FXTOP_TABLE_H
#define FXTOP_TABLE_H

#include "src/base/pattern.h"
#include "src/base/quantiles.h"
#include "ui/screen/grid.h"

#define TABLE_TEXT 400
#define TABLE_COLUMNS 12
#define TABLE_NONE UINT32_MAX
#define TABLE_SILENCE 10 /* times the median gap, and longer */

struct table_row {
    uint32_t row;
    uint32_t before; /* the one above it where rows stand in the source's order; TABLE_NONE: it is the first */
};

struct table_cell {
    struct str text;      /* a trace's or made up; lasts until the source is asked again */
    char mark[16];        /* shown behind the text, however short it is cut; "": none */
    enum role role;       /* ROLE_TEXT where the source says nothing */
    /* What CSV has instead of the text: a number, as it is; more of it, with line ends; nothing. */
    enum table_csv { CSV_TEXT, CSV_NUMBER, CSV_LINES, CSV_NOTHING } csv;
    int64_t number;
    struct str whole;
    char buf[TABLE_TEXT]; /* for text that is made up */
};

struct table_column {
    const char *title;
    int width; /* of it and its text at least */
    int most;  /* at most; 0: whatever is left */
    int rank;  /* where there is no room the greatest goes first */
    bool right;
    bool sorts;
};

struct table_source {
    uint32_t (*count)(void *ctx);
    void (*cell)(void *ctx, struct table_row row, int column, struct table_cell *cell);
    /* What / and & look at; NULL: all cells. */
    struct str (*text)(void *ctx, uint32_t row);
    bool (*keeps)(void *ctx, uint32_t row); /* asked while table.selects */
    int64_t (*key)(void *ctx, struct table_row row, int column); /* of columns that sort */
    int64_t (*gap)(void *ctx, struct table_row row); /* to `before`, which is one; NULL: no silences */
    const char *const *csv;                          /* titles of the columns there; NULL: as on the screen */
};

struct table {
    const struct table_source *source;
    void *ctx;
    struct table_column columns[TABLE_COLUMNS];
    int ncolumns;
    uint32_t at;  /* the current position */
    uint64_t top; /* the first line shown */
    int y, rows;  /* lines of the screen below the header, as drawn last */
    struct pattern *filter, *search;
    bool selects; /* the source's keeps() may say no */
    int sort;     /* column, or -1: the source's order */
    bool inverted, silences;
    /* how far the list is made */
    enum table_stage { TABLE_KEEP, TABLE_KEYS, TABLE_SORT, TABLE_GAPS, TABLE_MEDIAN, TABLE_BREAKS, TABLE_READY } stage;
    uint32_t done, counted; /* rows looked at, of so many */
    VEC(uint32_t) kept;     /* rows; not made where all are */
    struct quantiles order; /* ids: rows */
    struct quantiles gaps;  /* ids: positions */
    VEC(uint32_t) breaks;   /* positions with a silence before them */
    int64_t longest;        /* gap */
    bool replace;           /* the current position is to be found again, by the row it was on */
    uint32_t row;
    enum table_seek { SEEK_NONE, SEEK_GOES_ON, SEEK_FOUND, SEEK_NOT_FOUND } seek;
    int seek_direction;
    uint32_t seek_at, seek_left;
    bool seek_wrapped;
};

void table_init(struct table *table, const struct table_source *source, void *ctx, const struct table_column *columns,
                int ncolumns);
void table_free(struct table *table);

/* After the rows of the source have changed; the current row stays where it can. */
void table_renew(struct table *table);
/* Whether the source's keeps() is asked; after its answers have changed, too. */
void table_select(struct table *table, bool selects);
/* After rows were added at the end: goes on where it stood, as far as order and silences allow. */
void table_grow(struct table *table);
/* Works until the budget is spent. True while there is more to do. */
bool table_step(struct table *table, struct budget *budget);

uint32_t table_count(const struct table *table); /* positions */
bool table_row(const struct table *table, uint32_t at, struct table_row *row);
bool table_current(const struct table *table, struct table_row *row);
uint32_t table_percent(const struct table *table); /* how far filter and order are; 100: ready */

void table_move(struct table *table, int64_t rows);
void table_go(struct table *table, uint32_t at);
/* To a row, once it is made; false: it is not shown. */
bool table_find(struct table *table, uint32_t row);
void table_scroll(struct table *table, int64_t lines); /* the current row stays on the screen */
bool table_click(struct table *table, int line);       /* the row on that line of the screen; false: there is none */

/* NULL or "": shows all again. Takes the pattern over. */
void table_filter(struct table *table, struct pattern *pattern);
/* The next row that matches, round again from the other end; NULL: what was searched for last, which table->search
 * tells. How it went is in table->seek. */
void table_search(struct table *table, struct pattern *pattern, int direction);
/* By the next column that sorts, greatest first, behind the last one in the source's own order; -1: by the one before.
 * The first row becomes the current one. */
void table_sort(struct table *table, int direction);
void table_invert(struct table *table);

/* The header at row y and below it rows - 1 lines, over the whole width of the grid. */
void table_draw(struct table *table, struct grid *grid, int y, int rows);

/* Its rows, as they are filtered and ordered, under a line of titles (RFC 4180); numbers plain, times in ns. */
void table_csv(const struct table *table, FILE *out);

#endif
