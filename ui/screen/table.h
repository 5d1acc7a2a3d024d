/* table.h - a relation (model/output/relation.h) on the screen: rows under a header, filtered,
 * ordered and searched.
 *
 * A frame asks for the cells that it shows, however many rows there are. Work on every row (filter,
 * order, search, silences) is done in steps by table_step().
 *
 * Rows are the relation's numbers from 0 on; a table shows the first TABLE_NONE of them. Positions
 * count the rows shown, as filtered and ordered; lines are positions and the silences between them.
 * Text reaches the screen through grid_text() alone. */
#ifndef FXTOP_UI_SCREEN_TABLE_H
#define FXTOP_UI_SCREEN_TABLE_H

#include "model/output/chars.h"
#include "model/output/relation.h"
#include "model/query/filter.h"
#include "src/base/quantiles.h"
#include "src/base/task.h"
#include "ui/screen/grid.h"

#define TABLE_TEXT RELATION_TEXT_MAX
#define TABLE_COLUMNS 200
#define TABLE_NONE UINT32_MAX
#define TABLE_SILENCE 10 /* a silence is longer than so many median gaps */

struct table_cell {
    struct relation_value value;
    struct str text; /* valid until the relation is asked again */
    char mark[16];   /* drawn after the text, however short that is cut; "": none */
    bool swatch;     /* a square of `color` is before the text, or blanks if that is LOOK_DEFAULT */
    struct look color;
    enum role role;
    char buf[TABLE_TEXT]; /* for a text that is made up */
};

struct table_column {
    /* on an ASCII screen instead of the relation's title; NULL: the same */
    const char *ascii_title;
    int width;  /* columns for title and text at least */
    int most;   /* columns at most; 0: what its texts take */
    int rank;   /* on a narrow screen the column of the greatest rank goes first */
    bool right; /* aligned */
    bool sorts;
};

#define TABLE_GIVES 5 /* the least rank of a column that goes before a text is cut */
#define TABLE_BAR_TAKES 6

struct table_source {
    const struct relation *relation; /* its columns have titles */
    const struct table_column *columns;
    /* Changes how a cell looks, which shows its relation_text() already; NULL: all cells are fine
     * so. */
    void (*format)(void *ctx, struct relation_row row, int column, struct table_cell *cell);
    /* searched by / and &; NULL: the text of all cells */
    struct str (*text)(void *ctx, uint64_t row);
    bool (*keeps)(void *ctx, uint64_t row); /* asked while table.selects */
    /* of columns that sort; NULL: the integer */
    int64_t (*key)(void *ctx, struct relation_row row, int column);
    /* ns since `before`, which exists; NULL: no silences */
    int64_t (*gap)(void *ctx, struct relation_row row);
    /* the same in later answers; NULL: rows keep their numbers */
    uint64_t (*id)(void *ctx, uint64_t row);
    int bar;       /* a column that a bar follows, as long as its integer is great; 0: none */
    int bar_takes; /* numbers of this rank or a greater one give way to the bar; 0: none does */
    bool asked;  /* a person named the columns: none gives way to a text, or because it is empty */
    bool a_to_z; /* keys of texts are greatest for A: sorted by one, the table begins there */
};

struct table {
    const struct table_source *source;
    void *ctx;
    struct table_column columns[TABLE_COLUMNS];
    /* columns that texts without a limit are scrolled; and those that are hidden at the right */
    int shift, hidden;
    int ncolumns;
    /* of the first screen of rows and of those shown: by column the widest text, 0 if all are
     * empty; the greatest integer of the column with a bar */
    int widest[TABLE_COLUMNS];
    int64_t greatest;
    /* of durations, by column: the least > 0; the unit that suits all, in ns, or 0 */
    int64_t least[TABLE_COLUMNS], unit[TABLE_COLUMNS];
    bool ascii;
    uint32_t at;  /* the current position */
    uint64_t top; /* the first line shown */
    int y, rows;  /* of the screen, below the header, as drawn last */
    struct filter *filter, *search;
    bool tries; /* `filter` is only typed so far; from before: */
    struct filter *before;
    uint32_t row_before; /* TABLE_NONE: none was current */
    int64_t origin;      /* times in filters count from it */
    bool selects;        /* rows without keeps() are left out */
    int sort;            /* column, or -1: the relation's order */
    int sort_at_first;   /* the one that the view chose */
    bool inverted;
    bool silences; /* long gaps get a line of their own, in the relation's order */
    /* Making the list; see table.c. */
    struct tasks tasks; /* the relation may change between two steps, the list may not */
    struct task *making;
    bool ordered;           /* positions are known */
    bool ready;             /* silences are, too */
    uint32_t done, counted; /* rows examined by filter and keeps(); rows in all */
    VEC(uint32_t) kept;     /* rows that are left; not used if all are */
    struct quantiles order; /* of `kept` by sort keys; ids: rows */
    VEC(uint32_t) breaks;   /* positions with a silence before them, sorted */
    int64_t longest;        /* gap in ns */
    bool replace;           /* `at` will become the position of `row` */
    uint32_t row;
    bool by_id; /* the row with this id, which table_keep() has seen */
    uint64_t id;
    /* Searching. */
    enum table_seek { SEEK_NONE, SEEK_GOES_ON, SEEK_FOUND, SEEK_NOT_FOUND } seek;
    int seek_direction;
    uint32_t seek_at, seek_left;
    bool seek_wrapped;
    struct filter *typed; /* a search that is only typed so far, or NULL; its rows are counted: */
    uint32_t typed_at, typed_found; /* rows of the list examined; those that match */
};

/* Whether rows of an earlier answer stay on the screen until the new ones are in order. */
static inline bool table_holds(const struct table *table) {
    return table->by_id && !table->ready;
}

void table_init(struct table *table, const struct table_source *source, void *ctx, bool ascii);
void table_free(struct table *table);

/* Whether the table is sorted from the least to the greatest, or from A to Z. */
bool table_ascends(const struct table *table);
/* To be called before rows get other numbers: table_renew() will find the current row again,
 * however late it comes. */
void table_keep(struct table *table);
/* To be called after rows of the relation have changed; the current row stays if it still exists.
 * In an order the first position stays the current one, whichever row comes there: the greatest
 * one. */
void table_renew(struct table *table);
/* Sets whether keeps() leaves out rows; to be called after its answers have changed, too. */
void table_select(struct table *table, bool selects);
/* To be called after rows were added at the end: examines only these, unless the table is sorted or
 * has silences. */
void table_grow(struct table *table);
/* A step of the work; true while there is more. */
bool table_step(struct table *table, struct task *task);

uint32_t table_count(const struct table *table); /* positions */
/* The row at a position; false: there is none. */
bool table_row(const struct table *table, uint32_t at, struct relation_row *row);
bool table_current(const struct table *table, struct relation_row *row);
/* progress of filter and order, then of a search; 100: ready */
uint32_t table_percent(const struct table *table);

void table_move(struct table *table, int64_t rows);
void table_go(struct table *table, uint32_t at);
/* Goes to a row, as soon as its position is known; drops a filter that hides it. */
void table_show(struct table *table, uint32_t row);
/* Scrolls the texts of columns without a limit sideways; drawing clamps it. */
void table_scroll_sideways(struct table *table, int columns);
void table_scroll(struct table *table, int64_t lines); /* the current row stays on the screen */
/* the row on that line of the screen; false: there is none */
bool table_click(struct table *table, int line);
/* The column whose title is at x on a screen of so many columns; -1: there is none. */
int table_column_at(const struct table *table, int cols, int x);

/* A filter whose fields are the columns; NULL: a fault, with one line in err. */
struct filter *table_filter_new(const struct table *table, const char *text, struct err *err);
/* NULL: shows all again. Takes the filter over. */
void table_filter(struct table *table, struct filter *filter);
/* The same while it is typed: the filter and the current row from before are kept for
 * table_try_end(). */
void table_try(struct table *table, struct filter *filter);
/* takes: the filter tried last stays; else all is as before. Without a trial it does nothing. */
void table_try_end(struct table *table, bool takes);
/* Goes to the next row that matches, and wraps at the end. NULL: the last search, table->search.
 * The result is in table->seek. */
void table_search(struct table *table, struct filter *filter, int direction);
void table_drop_search(struct table *table);
/* Counts the rows that match while a search is typed. Takes the filter over; NULL: it is typed no
 * longer. */
void table_type_search(struct table *table, struct filter *filter);
/* The rows counted so far; *known: all. */
uint32_t table_typed(const struct table *table, bool *known);
/* Sorts by the next column that sorts, greatest first; after the last one in the source's own
 * order. -1: by the previous column. The first row becomes the current one. */
void table_sort(struct table *table, int direction);
/* By this column, greatest first; -1: in the source's own order. */
void table_sort_by(struct table *table, int column);
/* Sorts a new table so. */
void table_sort_first(struct table *table, int column);
void table_invert(struct table *table);

/* The header at row y and below it rows - 1 lines, over the whole width of the grid. */
void table_draw(struct table *table, struct grid *grid, int y, int rows);

/* Appends the titles, or a row as it is shown but whole, with tabs between the cells and LF at the
 * end. */
void table_copy_titles(const struct table *table, struct chars *out);
void table_copy_row(struct table *table, uint32_t at, struct chars *out);
/* The rows as filtered and ordered, as relation_csv() prints them. */
void table_csv(const struct table *table, FILE *out, int64_t origin);
/* The title of a column, as on the screen. */
const char *table_title(const struct table *table, int column);

#endif
