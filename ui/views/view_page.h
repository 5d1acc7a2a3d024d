/* view_page.h - what views that are pages of text have in common: their keys, and making the text
 * again.
 *
 * A view's state begins with a struct view_page; its fill() writes the text. It is called when the
 * view opens, the size of the screen changes, and the trace has been read to its end or again. The
 * line stays. */
#ifndef FXTOP_VIEWS_PAGE_H
#define FXTOP_VIEWS_PAGE_H

#include "ui/views/view.h"

struct view_page {
    struct pager pager;
    void (*fill)(struct view *view);
    size_t typed_lines; /* lines that match a search while it is typed */
    uint32_t serial;    /* of view_page_is_of() */
    bool partial;       /* the text describes a trace that was still being read */
};

/* Functions for struct view_ops, and pieces of them. */
void view_page_free(struct view *view);
bool view_page_open(struct view *view); /* from the first line */
/* the same over the current view, to which q goes back */
bool view_page_open_over(struct view *view);
bool view_page_update(struct view *view, bool renewed);
void view_page_resize(struct view *view);
void view_page_draw(struct view *view);
void view_page_pointer(struct view *view, const struct key *key);
void view_page_find(struct view *view, const char *text);
/* the next line with a text; false: there is none */
bool view_page_seek(struct view *view, const char *text);
void view_page_go(struct view *view, size_t line); /* that line becomes the first on the screen */
struct pager *view_page_pager(struct view *view);

/* Makes the text again if the serial has changed; new lines are above the current one, unless that
 * is the first. */
void view_page_is_of(struct view *view, uint32_t serial);

/* A page without any state but its text. */
struct view_page *view_page_new(void (*fill)(struct view *view));
/* The tag of the current line of a list; 0: none. */
uint64_t view_page_tag(struct view *view);

/* Lines are counted and marked while a search is typed. The view is a page. */
void view_page_find_typed(struct app *app, const char *text);
void view_page_find_cancelled(struct app *app);

/* Actions of the command table; nothing in other views. */
void view_page_move(struct app *app, int64_t lines);
void view_page_down(struct app *app);
void view_page_up(struct app *app);
void view_page_screen_down(struct app *app);
void view_page_screen_up(struct app *app);
void view_page_half_down(struct app *app);
void view_page_half_up(struct app *app);
void view_page_section_down(struct app *app); /* to the next heading */
void view_page_section_up(struct app *app);
void view_page_start(struct app *app);
void view_page_end(struct app *app);
void view_page_find_next(struct app *app);
void view_page_find_previous(struct app *app);

#endif
