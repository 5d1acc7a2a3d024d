/* view_slices_filter.c - 2 Slices: the filter of events; in tabs whose rows are no slices, that of rows. */
#include <stdio.h>

#include "ui/views/stat/slices/stat_filter.h"
#include "ui/views/stat/view_slices_internal.h"
#include "ui/views/view_table.h"

/* In tabs without slices the filter is of rows. */
static void filter_rows(struct view *view, const char *text) {
    struct slices_view *v = view->state;
    struct table *t = &view_slices_shown(v)->table;
    struct err err;
    t->origin = trace_begin(v->app->trace);
    struct filter *filter = *text ? table_filter_new(t, text, &err) : NULL;
    if (*text && filter == NULL)
        session_say(v->app, true, "%s", err.text);
    else
        table_filter(t, filter);
    view_table_work(view);
}

void view_slices_set_filter(struct view *view, const char *text) {
    struct slices_view *v = view->state;
    struct err err;
    if (!view_slices_named(v)) {
        filter_rows(view, text);
        return;
    }
    struct filter *filter = *text ? filter_new(text, false, &err) : NULL;
    if (*text && filter == NULL) {
        session_say(v->app, true, "%s", err.text);
        return;
    }
    view_slices_drop(v); /* the answers borrow the match */
    v->spread_begun = false;
    filter_match_free(v->match);
    filter_free(v->filter);
    v->filter = filter;
    v->match = filter ? filter_match_new(v->app->trace, filter) : NULL;
    v->changes++;
    v->chosen = -1;
    for (size_t i = 0; i <= VIEW_SLICES_TABS; i++)
        table_renew(&v->shown[i].table);
    view_table_work(view);
}

const char *view_slices_filter(struct view *view) {
    struct slices_view *v = view->state;
    const struct filter *filter = view_slices_named(v) ? v->filter : view_slices_shown(v)->table.filter;
    return filter ? filter_text(filter) : NULL;
}

void view_slices_filter_bucket(struct view *view) {
    struct slices_view *v = view->state;
    char bucket[80], text[400];
    stat_spread_filter(v->chosen, bucket);
    snprintf(text, sizeof text, "%s%s%s", v->filter ? filter_text(v->filter) : "", v->filter ? " " : "", bucket);
    view_slices_set_filter(view, text);
    session_say(v->app, false, "only slices with %s; & changes the filter", bucket);
}
