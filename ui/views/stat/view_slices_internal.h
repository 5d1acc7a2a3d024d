/* view_slices_internal.h - the state of view 2, for its files alone. */
#ifndef FXTOP_VIEW_SLICES_INTERNAL_H
#define FXTOP_VIEW_SLICES_INTERNAL_H

#include "ui/views/stat/slices/stat_raster.h"
#include "ui/views/stat/slices/stat_spread.h"
#include "ui/views/stat/slices/stat_tab.h"
#include "ui/views/stat/view_slices.h"

#define SLICES_TABS 8

extern const struct stat_tab *const view_slices_tabs[SLICES_TABS];

struct slices_dropped { /* an answer that is not shown any more */
    const struct stat_tab *tab;
    void *data;
};

struct slices_view {
    struct app *app;
    struct stat_shown shown[SLICES_TABS + 1]; /* the last: instances */
    size_t tab;
    int tab_ends[SLICES_TABS + 1]; /* columns after the tabs as drawn last, and after w: Wake-ups; 0: not drawn */
    bool inside;                /* the instances of a row are shown */
    VEC(struct slices_dropped) dropped; /* to be freed in steps */
    struct filter *filter;      /* of events; NULL: none */
    struct filter_match *match; /* of it */
    struct filter *before;      /* that from before, while another one is typed: */
    bool typing;
    uint32_t changes;           /* of filter and pivot, counted */
    uint32_t entered;           /* rows whose instances were opened, counted */
    enum slice_group_by by;
    char argument[64];
    struct slice_group group; /* of the row that was entered */
    struct aggregate_key key;
    char title[200]; /* its text */
    unsigned kinds;
    /* the distribution of the current row, or of the instances: */
    struct spread spread, spread_next; /* shown; under way, or the same */
    struct slice_group spread_group;
    uint64_t spread_id;
    uint64_t spread_version;
    uint32_t spread_serial, spread_changes;
    size_t spread_of;
    bool spread_begun;
    uint32_t spreads; /* counted, so far */
    int chosen;            /* bucket; -1: none */
    struct raster *raster; /* r: in place of the table; NULL: the table is shown */
    struct raster *raster_next; /* the same, under way */
    uint32_t raster_of;         /* `spreads` when it was begun */
    bool raster_begun;          /* `raster` is of the row */
};

/* The tab that is shown, or the instances of a row of it. */
static inline const struct stat_tab *view_slices_tab(const struct slices_view *v) {
    return v->inside ? &stat_instances : view_slices_tabs[v->tab];
}

static inline struct stat_shown *view_slices_shown(struct slices_view *v) {
    return &v->shown[v->inside ? SLICES_TABS : v->tab];
}

/* Whether rows are names, which have instances. */
static inline bool view_slices_named(const struct slices_view *v) {
    return view_slices_tabs[v->tab] == &stat_names || view_slices_tabs[v->tab] == &stat_async;
}

/* Rows are of slices, or of async operations. */
static inline const char *view_slices_unit(const struct slices_view *v, uint64_t n) {
    bool operations = view_slices_tabs[v->tab] == &stat_async;
    return operations ? n == 1 ? "operation" : "operations" : n == 1 ? "slice" : "slices";
}

extern const char *const view_slices_pivots[]; /* the words of :pivot, by enum slice_group_by */

void view_slices_drop(struct slices_view *view);                  /* all answers */
bool view_slices_set_filter(struct view *view, const char *text); /* of events; false: the tab filters rows */
bool view_slices_type_filter(struct view *view, const char *text); /* while it is typed; NULL: no longer */
void view_slices_typed_words(struct slices_view *view, char *buf, size_t cap); /* "740 slices " meanwhile */
const char *view_slices_filter(struct view *view);                /* as it was typed; NULL: none */
void view_slices_filter_bucket(struct view *view);                /* adds the chosen bucket to it */
void view_slices_other(struct slices_view *view, size_t by);      /* so many tabs further */
void view_slices_open_row(struct view *view, uint32_t row);       /* the instances of a row of names */
void view_slices_keep(struct view *view, struct chars *out);
bool view_slices_put(struct view *view, const char *line);
void view_slices_draw(struct view *view);
void view_slices_pointer(struct view *view, const struct key *key); /* on tabs, too */

#endif
