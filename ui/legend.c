/* legend.c - the glyphs and colours of the timeline.
 *
 * Each item is a small sample, drawn with the looks that the timeline uses, and its meaning. Items
 * follow each other on a line as far as it goes; a meaning wraps between its words. A line is drawn
 * into a grid of one row, whose cells the page keeps. */
#include "ui/legend.h"

#include <stdio.h>
#include <string.h>

#include "src/base/text.h"
#include "ui/timeline/colors.h"

#define LABEL_WIDE 64 /* columns; narrower screens have the label of a part on a line of its own */
#define INDENT 12     /* of the items right of their label */
#define HUE 4         /* a number for the colour of the sample */

enum sample_kind { SAMPLE_ROLE, SAMPLE_SLICE, SAMPLE_BAR, SAMPLE_HIT, SAMPLE_SELECTED };

struct legend_item {
    const char *part; /* label of the part that begins here, or NULL */
    const char *sample;
    const char *ascii; /* the same with ASCII alone; NULL: as grid_ztext() has it */
    const char *mono;  /* without colours; NULL: the same */
    enum sample_kind kind;
    enum role role; /* SAMPLE_ROLE */
    const char *text;
};

static const struct legend_item items[] = {
    {"slices", " Frame ", NULL, "[Frame]", SAMPLE_SLICE, 0,
     "one slice; the heaviest names have colours of their own, others muted ones"},
    {NULL, "▂▅█", ".=#", "|", SAMPLE_BAR, 0, "within one column"},
    {NULL, "▂▅█", ".=#", NULL, SAMPLE_ROLE, ROLE_DENSITY,
     "several; the height is the time they cover, the colour that of the name with most of it"},
    {NULL, "‹", "<", "⟨", SAMPLE_SLICE, 0, "begins left of the window"},
    {NULL, " ╌", " ~", "[ ╌", SAMPLE_SLICE, 0, "never ended"},
    {NULL, "▲Frame", "!Frame", "[▲Frame]", SAMPLE_SLICE, 0, "with a damaged time"},
    {NULL, " Frame ", NULL, "{Frame}", SAMPLE_SELECTED, 0, "selected"},
    {NULL, " Frame ", NULL, "[*Frame]", SAMPLE_HIT, 0, "hit of the search"},
    {NULL, "▂▅*", ".=*", "*", SAMPLE_ROLE, ROLE_HIT_BAR, "hit within a column"},
    {"instants", "◆", "!", NULL, SAMPLE_ROLE, ROLE_INSTANT, "instant"},
    {NULL, "◇", "p", NULL, SAMPLE_ROLE, ROLE_INSTANT, "of the process"},
    {NULL, "●", "g", NULL, SAMPLE_ROLE, ROLE_INSTANT, "global"},
    {NULL, "3", NULL, NULL, SAMPLE_ROLE, ROLE_INSTANT, "so many, + more than 9"},
    {NULL, "▁▃▅█", ".-+#", NULL, SAMPLE_ROLE, ROLE_DENSITY, "1, 2, 4, 10 and more, next to others"},
    {NULL, "■", "b", NULL, SAMPLE_ROLE, ROLE_INSTANT, "blob"},
    {NULL, "·", NULL, NULL, SAMPLE_ROLE, ROLE_INSTANT, "log or profiler record"},
    {NULL, "▂▅", ".=", NULL, SAMPLE_ROLE, ROLE_GROUND, "instants in a column of slices"},
    {"states", "━━", NULL, NULL, SAMPLE_ROLE, ROLE_RUNNING, "running"},
    {NULL, "╌╌", "~~", NULL, SAMPLE_ROLE, ROLE_RUNNABLE, "runnable"},
    {NULL, "··", NULL, NULL, SAMPLE_ROLE, ROLE_BLOCKED, "blocked, not running"},
    {NULL, "──", NULL, NULL, SAMPLE_ROLE, ROLE_BLOCKED, "suspended"},
    {NULL, "n", NULL, NULL, SAMPLE_ROLE, ROLE_BLOCKED, "new"},
    {NULL, "x", NULL, NULL, SAMPLE_ROLE, ROLE_BLOCKED, "dying"},
    {NULL, "?", NULL, NULL, SAMPLE_ROLE, ROLE_BLOCKED, "unknown"},
    {NULL, "┘", "'", NULL, SAMPLE_ROLE, ROLE_DIM, "the end, how long a command lived"},
    {NULL, "━╌", "=~", NULL, SAMPLE_ROLE, ROLE_DENSITY, "the longest of several in a column"},
    {NULL, "▂▅█", ".=#", NULL, SAMPLE_BAR, 0, "without slices: the time that it ran in a column"},
    {"counters", "▂▅█", ".=#", NULL, SAMPLE_ROLE, ROLE_CURVE, "the greatest value of a column"},
    {NULL, "▒", ":", NULL, SAMPLE_ROLE, ROLE_CURVE, "from the least to the greatest value"},
    {"headers", "▁▄█", ".=#", NULL, SAMPLE_ROLE, ROLE_DENSITY,
     "how busy the threads are on the average"},
    {NULL, "··", "__", NULL, SAMPLE_ROLE, ROLE_DIM, "alive, not running"},
    {NULL, "▾", "v", NULL, SAMPLE_ROLE, ROLE_HEADER, "unfolded"},
    {NULL, "▸", ">", NULL, SAMPLE_ROLE, ROLE_HEADER, "folded"},
    {NULL, "+3", NULL, NULL, SAMPLE_ROLE, ROLE_DIM, "deeper rows"},
    {"marks", ">", NULL, NULL, SAMPLE_ROLE, ROLE_GUTTER_CURRENT, "current row"},
    {NULL, "┊", ":", NULL, SAMPLE_ROLE, ROLE_CURSOR, "time cursor"},
    {NULL, "^", NULL, NULL, SAMPLE_ROLE, ROLE_GUTTER, "pinned"},
    {NULL, "░", "%", NULL, SAMPLE_ROLE, ROLE_WARN, "records lost, or damage"},
    {NULL, "▲", "!", NULL, SAMPLE_ROLE, ROLE_WARN,
     "the same on the overview; in the title: problems"},
    {NULL, "╰──▶", "+-->", NULL, SAMPLE_ROLE, ROLE_ARROW, "a hop of the flow"},
};

static struct look look_of(const struct legend_item *item) {
    struct look look = style_depth() == COLOR_MONO ? style_look(ROLE_TEXT) : style_hashed(HUE);
    switch (item->kind) {
    case SAMPLE_SLICE:
        return look;
    case SAMPLE_BAR:
        return style_depth() == COLOR_MONO ? look : (struct look){look.bg, LOOK_DEFAULT, 0};
    case SAMPLE_SELECTED:
        return style_selected(look);
    case SAMPLE_HIT:
        look.attr |= ATTR_BOLD | ATTR_UNDERLINE;
        return style_depth() == COLOR_MONO ? style_look(ROLE_HIT) : look;
    default:
        return style_look(item->role);
    }
}

static const char *sample_of(const struct legend_item *item, bool ascii) {
    if (style_depth() == COLOR_MONO && item->mono)
        return item->mono;
    return ascii && item->ascii ? item->ascii : item->sample;
}

/* A line that is being written. */
struct writer {
    struct pager *page;
    struct grid line; /* one row */
    int x, indent;
    bool empty;
};

static void end_line(struct writer *w) {
    if (!w->empty)
        pager_add_cells(w->page, &w->line);
    grid_clear(&w->line, style_look(ROLE_TEXT));
    w->x = w->indent;
    w->empty = true;
}

/* Writes a word or a sample `blanks` columns after the line so far, or on a new line. */
static void put(struct writer *w, const char *text, int blanks, struct look look) {
    int width = (int)text_width(str_of(text), 0, 100);
    if (!w->empty && w->x + blanks + width >= w->line.cols - 1)
        end_line(w);
    w->x = grid_ztext(&w->line, w->x + (w->empty ? 0 : blanks), 0, w->line.cols, text, look);
    w->empty = false;
}

/* Columns of a meaning's first word: it stays with its sample. */
static int first_word(const char *text) {
    return (int)strcspn(text, " ") + 1;
}

static void write_item(struct writer *w, const struct legend_item *item) {
    const char *sample = sample_of(item, w->line.ascii), *text = item->text;
    int width = (int)text_width(str_of(sample), 0, 100);
    if (!w->empty && w->x + 3 + width + first_word(text) >= w->line.cols - 1)
        end_line(w);
    put(w, sample, 3, look_of(item));
    while (*text) {
        char word[32];
        size_t n = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        put(w, word, 1, style_look(ROLE_TEXT));
        text += n + strspn(text + n, " ");
    }
}

static void begin_part(struct writer *w, const char *part) {
    end_line(w);
    bool wide = w->line.cols >= LABEL_WIDE;
    grid_ztext(&w->line, 2, 0, w->line.cols, part, style_look(ROLE_LABEL));
    w->empty = false;
    if (!wide)
        end_line(w);
    w->x = w->indent;
    w->empty = true; /* the first item needs no blanks before it */
}

/* The heaviest values of the key of colours. */
static void write_colors(struct writer *w, const struct app *app) {
    const struct colors *colors = &app->timeline.colors;
    char key[COLORS_ARGUMENT + 8], by[COLORS_ARGUMENT + 12], safe[COLORS_ARGUMENT + 12];
    if (colors->ntop == 0 || style_depth() == COLOR_MONO)
        return;
    begin_part(w, "colours");
    snprintf(by, sizeof by, "by %s:", colors_key(&app->timeline, key));
    text_plain(safe, sizeof safe, str_of(by), w->line.ascii ? TEXT_ASCII : 0);
    put(w, safe, 0, style_look(ROLE_LABEL));
    for (uint32_t i = 0; i < colors->ntop; i++) {
        const char *text = colors->top[i].text;
        int width = (int)text_width(str_of(text), 0, 100);
        if (!w->empty && w->x + 4 + width >= w->line.cols - 1)
            end_line(w);
        put(w, w->line.ascii ? "#" : "■", 2,
            (struct look){style_slice(colors->top[i].hash).bg, LOOK_DEFAULT, 0});
        put(w, text, 1, style_look(ROLE_TEXT));
    }
}

void legend_write(struct pager *page, const struct app *app) {
    const struct grid *grid = &app->grid;
    struct writer w = {
        .page = page, .indent = grid->cols >= LABEL_WIDE ? INDENT : 4, .empty = true};
    grid_init(&w.line, grid->cols > 1 ? grid->cols - 1 : 1, 1, grid->ascii);
    pager_add(page, true, 0, "Legend");
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        if (items[i].part)
            begin_part(&w, items[i].part);
        write_item(&w, &items[i]);
    }
    write_colors(&w, app);
    end_line(&w);
    pager_wrap(page, grid->cols, 2, "  ; on the timeline explains the cell at the time cursor");
    grid_free(&w.line);
}
