/* view_slices_filter.c - 2 Slices: the filter of events, also while it is typed. In tabs whose rows
 * are no slices the filter is of rows (ui/views/view_table.h). */
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/views/stat/slices/stat_filter.h"
#include "ui/views/stat/view_slices_internal.h"
#include "ui/views/view_table.h"

static bool is_filter(const struct slices_view *v, const char *text) {
    return v->filter ? strcmp(filter_text(v->filter), text) == 0 : *text == 0;
}

/* Bare words find what the rows are about. */
static enum filter_owner owner_of(const struct slices_view *v) {
    if (v->by == GROUP_BY_NAME_THREAD || v->by == GROUP_BY_THREAD)
        return FILTER_OWNER_THREAD;
    return v->by == GROUP_BY_PROCESS ? FILTER_OWNER_PROCESS : FILTER_NO_OWNER;
}

/* Takes the filter over; all tables are asked again. */
static void put(struct view *view, struct filter *filter) {
    struct slices_view *v = view->state;
    view_slices_drop(v); /* the answers borrow the match */
    filter_match_free(v->match);
    if (v->filter != v->before)
        filter_free(v->filter);
    v->filter = filter;
    if (filter)
        filter->owner = owner_of(v);
    v->match = filter ? filter_match_new(v->app->trace, filter) : NULL;
    v->changes++;
    v->chosen = -1;
    for (size_t i = 0; i <= SLICES_TABS; i++)
        table_renew(&v->shown[i].table);
    view_table_work(view);
}

static struct filter *end_typing(struct slices_view *v) {
    struct filter *before = v->before;
    v->before = NULL;
    v->typing = false;
    return before;
}

bool view_slices_type_filter(struct view *view, const char *text) {
    struct slices_view *v = view->state;
    struct err err;
    if (!view_slices_named(v))
        return false;
    if (text == NULL && v->typing) {
        struct filter *before = end_typing(v);
        put(view, before);
    }
    if (text == NULL || is_filter(v, text))
        return true;
    struct filter *filter = *text ? filter_new(text, false, &err) : NULL;
    if (*text && filter == NULL)
        return true;
    if (!v->typing)
        v->before = v->filter;
    v->typing = true;
    put(view, filter);
    return true;
}

bool view_slices_set_filter(struct view *view, const char *text) {
    struct slices_view *v = view->state;
    struct err err;
    if (!view_slices_named(v))
        return false;
    if (v->typing && is_filter(v, text)) { /* its slices are counted already, or in part */
        filter_free(end_typing(v));
        return true;
    }
    view_slices_type_filter(view, NULL);
    struct filter *filter = *text ? filter_new(text, false, &err) : NULL;
    if (*text && filter == NULL)
        session_say(v->app, true, "%s", err.text);
    else
        put(view, filter);
    return true;
}

void view_slices_match_again(struct slices_view *v) {
    if (v->filter == NULL || v->filter->owner == owner_of(v))
        return;
    view_slices_drop(v);
    filter_match_free(v->match);
    v->filter->owner = owner_of(v);
    v->match = filter_match_new(v->app->trace, v->filter);
}

void view_slices_typed_words(struct slices_view *v, char *buf, size_t cap) {
    const struct stat_shown *s = view_slices_shown(v);
    char n[32];
    if (!v->typing || v->filter == NULL || !view_slices_named(v) || s->answer.shown == NULL)
        return;
    const struct names_table *names =
        v->inside ? NULL : &((const struct stat_names *)s->answer.shown)->table;
    uint64_t slices =
        names ? names->slices : ((const struct stat_instances *)s->answer.shown)->list.count;
    if (names && !names->lived)
        snprintf(buf, cap, "counting %u%% ", names_table_counted(names));
    else
        snprintf(buf, cap, "%s%s %s ", units_count(slices, false, n),
                 s->answer.done || names ? "" : " ...", view_slices_unit(v, slices));
}

const char *view_slices_filter(struct view *view) {
    struct slices_view *v = view->state;
    const struct filter *filter =
        view_slices_named(v) ? v->filter : view_slices_shown(v)->table.filter;
    return filter ? filter_text(filter) : NULL;
}

void view_slices_filter_bucket(struct view *view) {
    struct slices_view *v = view->state;
    char bucket[80], text[400];
    stat_spread_filter(v->chosen, bucket);
    snprintf(text, sizeof text, "%s%s%s", v->filter ? filter_text(v->filter) : "",
             v->filter ? " " : "", bucket);
    view_slices_set_filter(view, text);
    session_say(v->app, false, "only slices with %s; & changes the filter", bucket);
}
