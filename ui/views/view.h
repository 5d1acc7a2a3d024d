/* view.h - what fills the screen: the timeline, a table or a page of text; and which of them is
 * current.
 *
 * A view is one file that defines a `const struct view_ops`, and one row of view_list.h, which
 * gives it its command. Most views share their functions: those of tables come from view_table.h,
 * those of pages from view_page.h. A view's state is its own: made when it is opened first, freed
 * with the app. Nothing outside asks which view is current: it asks the current view's ops. */
#ifndef FXTOP_UI_VIEWS_VIEW_H
#define FXTOP_UI_VIEWS_VIEW_H

#include "ui/screen/table.h"
#include "ui/session.h"

/* Which commands there are; rows of the command table name several. */
enum view_mode {
    MODE_TIMELINE = 1,
    MODE_DRAWER = 2,
    MODE_TEXT = 4,
    MODE_TABLE = 8,
    MODE_LOG = 16,
    MODE_SLICES = 32,
    MODE_FLAME = 64,
    MODE_SQL = 128,
    MODE_ANY = 255
};

struct view {
    const struct view_ops *ops;
    struct app *app;
    void *state;       /* of ops->make; NULL: not opened so far */
    struct view *back; /* the view that q goes to; NULL: the timeline */
};

struct view_record {
    uint64_t offset;   /* in bytes */
    uint64_t end;      /* of the record that ends the same slice; 0: none */
    char heading[256]; /* of a problem; "": none */
};

struct view_ops {
    const char *title; /* in the first row of the screen: "[5 Log]" */
    /* enum view_mode; MODE_TIMELINE becomes MODE_DRAWER while the drawer has the focus */
    unsigned modes;
    /* go before those of the command table; ends with NULL; may be NULL */
    const char *const *hints;
    /* the same in the current state; NULL: `hints` */
    const char *const *(*hints_here)(struct view *view);

    /* draw and find are always set, table and step in tables; the others may be NULL. */
    void *(*make)(struct view *view);
    void (*free)(struct view *view);
    /* Called whenever the user opens the view, while the previous one is current. May set
     * view->back. False, with a message, if it cannot be opened. */
    bool (*open)(struct view *view);
    bool (*up)(struct view *view); /* q inside the view: one level up; false: the view closes */
    void (*draw)(struct view *view);
    void (*resize)(struct view *view); /* the screen has another size */
    /* The trace has read on; renewed: it was read again from its begin. False: what the view shows
     * is gone. */
    bool (*update)(struct view *view, bool renewed);
    /* background work; true: there is more */
    bool (*step)(struct view *view);
    void (*pointer)(struct view *view, const struct key *key);
    void (*other)(struct view *view); /* Tab: the other table of the view */
    /* Enter on the current row or line; not asked in the timeline */
    void (*enter)(struct view *view);
    /* rows are slices: W shows why the current one was slow */
    bool (*lists_slices)(struct view *view);
    void (*show)(struct view *view); /* selects the slice of the current row on the timeline */
    void (*find)(struct view *view, const char *text); /* "": the search before */
    /* The record of the current row; false, with a message, if there is none. NULL: the timeline's
     * selection. */
    bool (*record)(struct view *view, struct view_record *record);
    bool (*csv)(struct view *view, FILE *out); /* false: writing failed; errno is set */
    struct table *(*table)(struct view *view); /* the current table */
    /* A view whose & is about events instead of rows: sets that filter ("": none), the same while
     * it is typed (NULL: no longer), and the text of the current one. False: rows are filtered
     * here. */
    bool (*set_filter)(struct view *view, const char *text);
    bool (*type_filter)(struct view *view, const char *text);
    const char *(*filter)(struct view *view);
    bool (*sideways)(struct view *view, int direction); /* h and l; false: texts are scrolled */
    /* All lines as text, as y copies them, or the current one, as yy does; NULL: the table, the
     * page or the drawer. */
    void (*copy)(struct view *view, bool one, struct chars *out);
    /* The place in the view as lines, and one of them put back (view_place.h); false: it names
     * nothing that is here. */
    void (*keep)(struct view *view, struct chars *out);
    bool (*put)(struct view *view, const char *line);
};

#define VIEW(ops, ...) extern const struct view_ops ops;
#define SUBVIEW(ops) extern const struct view_ops ops;
#include "ui/views/view_list.h"
#undef VIEW
#undef SUBVIEW

void view_init(struct app *app); /* the timeline is current */
void view_free(struct view_state *views);

struct view *view_of(const struct view_state *views, const struct view_ops *ops);
/* the current view has one of these modes */
bool view_is(const struct view_state *views, unsigned modes);
unsigned view_modes(const struct app *app);

void view_open(struct app *app, const struct view_ops *ops);
/* q: up in the view, or back; false: there is nothing to go back to */
bool view_leave(struct app *app);
void view_open_timeline(struct app *app);
/* Shows the timeline and selects an event there. */
void view_go(struct app *app, struct selection selection);

/* The filter that hides something in the current view, as it was typed; NULL: nothing is hidden. */
const char *view_filter(struct app *app);
void view_draw(struct view_state *views);
void view_resize(struct view_state *views);
void view_update(struct app *app, bool renewed);
bool view_step(struct app *app);
void view_pointer(struct view_state *views, const struct key *key);
bool view_record(struct view_state *views, struct view_record *record);
bool view_has_csv(const struct view_state *views);
bool view_csv(struct view_state *views, FILE *out);

/* Actions of the command table. */
void view_enter(struct app *app);
/* the tab Why of the drawer, in a list of that of the current row */
void view_why(struct app *app);
bool view_has_why(const struct app *app);
void view_other(struct app *app);
void view_find(struct app *app, const char *text);

/* ---- pieces of which views are drawn ---- */

/* A rule across the screen. Returns the column at which view_label() begins. */
int view_rule(struct grid *grid, int y);
/* Text on a rule between two blanks; returns the column after it. */
int view_label(struct grid *grid, int x, int y, struct str text, enum role role);

#endif
