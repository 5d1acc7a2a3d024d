/* draw_gutter.c - the columns left of the timeline: names of tracks, and a number at the right of
 * each.
 *
 * If both do not fit, the name is cut down to a few cells first. Then the number loses its leading
 * digits ("~4321"), or is left out. */
#include "ui/timeline/draw_gutter.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ui/timeline/track_ops.h"

#define NAME_CELLS 5 /* of a name that are shown before the id is */
#define ID_CELLS 4   /* digits of an id that are worth showing */
#define DEEP_ROWS 8  /* a track with more rows shows their depths ... */
#define DEPTH_STEP 5 /* ... of each fifth */

struct look draw_gutter_look(const struct timeline *timeline, const struct track *track,
                             uint32_t row) {
    return style_look(timeline->line == track->top + row ? ROLE_GUTTER_CURRENT : ROLE_GUTTER);
}

void draw_gutter(struct app *app, int y, int x, struct str name, const char *id, struct look look) {
    char end[48];
    int right = app->layout.gutter, n = (int)strlen(id), room = right - x - 1;
    bool number = strspn(id, "0123456789") == strlen(id);
    int least = NAME_CELLS + !number, short_name = name.n < (size_t)least ? (int)name.n : least;
    if (number && n > room - short_name && room - short_name > ID_CELLS) {
        snprintf(end, sizeof end, "~%s", id + n - (room - short_name - 1));
        id = end;
        n = room - short_name;
    } else if (n > room - short_name) {
        n = 0;
    }
    /* of a name like "process 98765432109": the end of the number is kept, too */
    size_t digits = 0;
    while (digits < name.n && isdigit((unsigned char)name.s[name.n - 1 - digits]))
        digits++;
    int word = (int)(name.n - digits);
    if (n == 0 && digits > 0 && (int)name.n > room + 1 && room - word > ID_CELLS) {
        snprintf(end, sizeof end, "%.*s~%.*s", word, name.s, room - word,
                 name.s + name.n - (size_t)(room - word));
        name = str_of(end);
    }
    grid_name(&app->grid, (struct grid_place){x, y, n > 0 ? right - n - 1 : right}, name, look,
              TEXT_TRACK);
    if (n > 0)
        grid_ztext(&app->grid, right - n, y, right, id, style_look(ROLE_DIM));
}

void draw_gutter_header(struct app *app, int y, const struct track *track, struct str name,
                        const char *id) {
    bool current = app->timeline.line == track->top;
    struct look look = style_look(current ? ROLE_GUTTER_CURRENT : ROLE_HEADER);
    bool folded = track_list_folded(&app->timeline.tracks, track->process);
    grid_put(&app->grid, 0, y, grid_glyph(&app->grid, folded ? GLYPH_OPEN : GLYPH_CLOSED), look);
    grid_put(&app->grid, 1, y, current ? '>' : ' ', look);
    draw_gutter(app, y, 2 + draw_gutter_indent(app, track), name, id, look);
}

void draw_gutter_deeper(struct app *app, int y, const struct track *track) {
    char text[24];
    int x = 2 + draw_gutter_indent(app, track);
    if (snprintf(text, sizeof text, "+%u deeper", track->deeper) > app->layout.gutter - x)
        text[strcspn(text, " ")] = 0;
    grid_ztext(&app->grid, x, y, app->layout.gutter, text, style_look(ROLE_DIM));
}

void draw_gutter_row(struct app *app, int y, const struct track *track, uint32_t row, bool top) {
    char buf[96], id[24] = "";
    uint32_t strip = track->strip, rows = track->height - strip;
    bool current = app->timeline.line == track->top + row,
         last = row + 1 == track->height && track->deeper > 0;
    if (row == 0 || !track->kind->rows)
        return;
    if (last)
        snprintf(id, sizeof id, "+%u", track->deeper);
    else if (row > strip && rows + track->deeper > DEEP_ROWS &&
             (top || current || (row - strip) % DEPTH_STEP == 0))
        snprintf(id, sizeof id, "%u", row - strip);
    if (top && track->kind->name) { /* the name takes the place of what the row has there itself */
        struct look look = draw_gutter_look(&app->timeline, track, row);
        grid_fill(&app->grid, 1, y, app->layout.gutter - 1, ' ', style_look(ROLE_GUTTER));
        draw_gutter(app, y, 1 + draw_gutter_indent(app, track),
                    track->kind->name(app->trace, track, buf), id, look);
    } else if (!last)
        grid_ztext(&app->grid, app->layout.gutter - (int)strlen(id), y, app->layout.gutter, id,
                   style_look(ROLE_DIM));
}
