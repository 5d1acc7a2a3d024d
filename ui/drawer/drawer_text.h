/* drawer_text.h - the text of the drawer: it wraps at the width of the screen, and lines follow
 * each other.
 *
 * All lines are counted, but only the visible ones are drawn: app->drawer.scroll is the number of
 * lines above the first row of the drawer. A struct drawer_text lasts for a frame. A dim label and
 * the word after it ("  avg " and "1.204 ms") are on one line. */
#ifndef FXTOP_DRAWER_TEXT_H
#define FXTOP_DRAWER_TEXT_H

#include "ui/drawer/drawer_link.h"
#include "ui/session.h"

#define DRAWER_TEXT_LINKS 128

struct drawer_text {
    struct app *app;
    int y, rows; /* first row of the screen, and number of rows */
    int line;    /* current line, from 0 */
    int x;       /* current column; lines begin at 1 */
    /* a label that waits for the word after it, which decides about its line; "": none */
    char label[32];
    struct drawer_link links[DRAWER_TEXT_LINKS]; /* of the text so far */
    int nlinks;
    int current; /* number of the link that Enter follows; -1: none */
};

/* Adds a link on the current line. Returns the role of its text: `role`, or another one if it is
 * the current link. */
enum role drawer_text_link(struct drawer_text *p, const struct drawer_link *link, enum role role);

void drawer_text_next_line(struct drawer_text *p);
bool drawer_text_visible(const struct drawer_text *p); /* the current line is on the screen */
void drawer_text_glyph(struct drawer_text *p, enum role role, uint32_t cp); /* a glyph of our own */
/* A square in the colour of a slice, and a blank; nothing without colours. */
void drawer_text_swatch(struct drawer_text *p, struct look look);
void drawer_text_say(struct drawer_text *p, enum role role, const char *text);
/* ", 3 slices", or ", 1 slice" */
void drawer_text_count(struct drawer_text *p, const char *before, uint64_t n, const char *noun);
/* A trace's text, wrapped at blanks if there are some, indented to the column where it begins. Only
 * the blank at the end of a line is left out, up to 2000 lines. */
void drawer_text_value(struct drawer_text *p, enum role role, struct str text);
/* its line ends are line ends here */
void drawer_text_text(struct drawer_text *p, struct str text);
/* Bytes, as text if they are readable, else in lines of drawer_text_hex(). */
void drawer_text_contents(struct drawer_text *p, struct str bytes);
/* "00000010  68 65 78 20 ...  hex ..." of up to 16 bytes; at: the offset of the first. Returns
 * text. */
#define DRAWER_TEXT_HEX 16
const char *drawer_text_hex(struct str bytes, size_t at, char text[96]);
/* Text on one line: in a field of `width` columns, cut if it is longer; or so that it ends before a
 * column. */
void drawer_text_field(struct drawer_text *p, enum role role, struct str text, int width);
void drawer_text_right(struct drawer_text *p, enum role role, const char *text, int column);
/* The arguments of the record at offset after a label: on one line, or (table) each on its own with
 * its type. Returns their number, the malformed rest counted as one. Without any, nothing is
 * drawn. */
unsigned drawer_text_arguments(struct drawer_text *p, uint64_t offset, const char *label,
                               bool table);
/* one of them, on the line */
void drawer_text_argument(struct drawer_text *p, const struct detail_argument *a);
/* The offset of the record that ends the selected slice; 0: it has none. */
uint64_t drawer_text_end_of(struct trace *trace, const struct timeline *timeline);

#endif
