/* view_slices_internal.h - the state of view 2, for its files alone. */
#ifndef FXTOP_VIEW_SLICES_INTERNAL_H
#define FXTOP_VIEW_SLICES_INTERNAL_H

#include "ui/views/stat/slices/stat_raster.h"
#include "ui/views/stat/slices/stat_spread.h"
#include "ui/views/stat/slices/stat_tab.h"
#include "ui/views/stat/view_slices.h"

#define SLICES_TABS_ONE(name) +1
#define SLICES_TABS (0 STAT_TABS(SLICES_TABS_ONE))

extern const struct stat_tab *const view_slices_tabs[SLICES_TABS];

/* data of two answers: how long the slices of a row are, and the same over time */
struct slices_lengths {
    struct slice_group group;
    struct instances_query query;
    struct spread spread;
};

struct slices_raster {
    struct slice_group group;
    struct instances_query query;
    int columns;
    struct raster raster;
};

struct slices_view {
    struct app *app;
    struct stat_shown shown[SLICES_TABS + 1]; /* the last: instances */
    size_t tab;
    bool tab_chosen; /* by a person or a session */
    /* columns after the tabs as drawn last, and after w: Wake-ups; 0: not drawn */
    int tab_ends[SLICES_TABS + 1];
    bool inside;                /* the instances of a row are shown */
    struct filter *filter;      /* of events; NULL: none */
    struct filter_match *match; /* of it */
    struct filter *before;      /* that from before, while another one is typed: */
    bool typing;
    uint32_t changes; /* of filter and pivot, counted */
    uint32_t entered; /* rows whose instances were opened, counted */
    enum slice_group_by by;
    char argument[64];
    struct slice_group group; /* of the row that was entered */
    struct aggregate_key key;
    struct chars title;       /* its text */
    char by_argument[80];     /* a hint: the argument by which its slices differ */
    const char *of_slices[7]; /* the hints with it */
    unsigned kinds;
    struct answer lengths; /* of the current row, or of the instances */
    int chosen;            /* bucket of them; -1: none */
    struct answer raster;  /* r: in place of the table */
    bool rastered;         /* it is asked for */
};

/* The tab that is shown, or the instances of a row of it. */
static inline const struct stat_tab *view_slices_tab(const struct slices_view *v) {
    return v->inside ? &stat_instances : view_slices_tabs[v->tab];
}

static inline struct stat_shown *view_slices_shown(struct slices_view *v) {
    return &v->shown[v->inside ? SLICES_TABS : v->tab];
}

/* The tab that Tab goes on from. */
static inline size_t view_slices_chosen(const struct slices_view *v) {
    return v->tab_chosen ? v->tab : 0;
}

/* Whether rows are names, which have instances. */
static inline bool view_slices_named(const struct slices_view *v) {
    return view_slices_tabs[v->tab] == &stat_names || view_slices_tabs[v->tab] == &stat_async;
}

/* How long the slices of the current row are, once that is known; NULL until then. */
/* Whether the current row, or the list inside, is of a profiler's frames. */
bool view_slices_sampled(struct slices_view *v);

static inline const struct spread *view_slices_lengths(const struct slices_view *v) {
    return answer_is_complete(&v->lengths)
               ? &((const struct slices_lengths *)v->lengths.shown)->spread
               : NULL;
}

/* Rows are of slices, or of async operations. */
static inline const char *view_slices_unit(const struct slices_view *v, uint64_t n) {
    bool operations = view_slices_tabs[v->tab] == &stat_async;
    if (operations)
        return n == 1 ? "operation" : "operations";
    return n == 1 ? "slice" : "slices";
}

extern const char *const view_slices_pivots[]; /* the words of :pivot, by enum slice_group_by */

void view_slices_drop(struct slices_view *view); /* all answers */
/* of events; false: the tab filters rows */
bool view_slices_set_filter(struct view *view, const char *text);
/* while it is typed; NULL: no longer */
bool view_slices_type_filter(struct view *view, const char *text);
/* after rows are about something else, which bare words find */
void view_slices_match_again(struct slices_view *view);
/* "740 slices " meanwhile */
void view_slices_typed_words(struct slices_view *view, char *buf, size_t cap);
const char *view_slices_filter(struct view *view);           /* as it was typed; NULL: none */
void view_slices_filter_bucket(struct view *view);           /* adds the chosen bucket to it */
void view_slices_other(struct slices_view *view, size_t by); /* so many tabs further */
void view_slices_open_row(struct view *view, uint32_t row);  /* the instances of a row of names */
void view_slices_keep(struct view *view, struct chars *out);
bool view_slices_put(struct view *view, const char *line);
void view_slices_draw(struct view *view);
void view_slices_pointer(struct view *view, const struct key *key); /* on tabs, too */

#endif
