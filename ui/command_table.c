/* command_table.c - the commands: one row each. See command.h for the columns.
 *
 * The hint line shows hints in this order as far as they fit; the help screen keeps the order
 * within each group. */
#include "ui/command.h"

#include <string.h>

#include "ui/app.h"
#include "ui/as_track.h"
#include "ui/config/keymap.h"
#include "ui/config/settings.h"
#include "ui/config/theme.h"
#include "ui/describe_view.h"
#include "ui/drawer/compare/slowest.h"
#include "ui/drawer/describe.h"
#include "ui/drawer/drawer.h"
#include "ui/help.h"
#include "ui/keep/keep_copy.h"
#include "ui/keep/keep_run.h"
#include "ui/keep/keep_session.h"
#include "ui/keep/keep_state.h"
#include "ui/offsets.h"
#include "ui/rows.h"
#include "ui/timeline/colors.h"
#include "ui/timeline/filters/track_filter.h"
#include "ui/timeline/filters/track_only.h"
#include "ui/timeline/find.h"
#include "ui/timeline/flow_nav.h"
#include "ui/timeline/kinds/curve.h"
#include "ui/timeline/move.h"
#include "ui/timeline/range/marks.h"
#include "ui/timeline/range/ranges.h"
#include "ui/timeline/track_hand.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"
#include "ui/timeline/waits/waker.h"
#include "ui/views/sql/view_sql.h"
#include "ui/views/stat/view_compare.h"
#include "ui/views/stat/view_critical.h"
#include "ui/views/stat/view_flame.h"
#include "ui/views/stat/view_flows.h"
#include "ui/views/stat/view_slices.h"
#include "ui/views/view.h"
#include "ui/views/view_blobs.h"
#include "ui/views/view_log.h"
#include "ui/views/view_page.h"
#include "ui/views/view_table.h"
#include "ui/views/view_timeline.h"

#define T MODE_TIMELINE
#define D MODE_DRAWER
#define X MODE_TEXT
#define B MODE_TABLE
#define L MODE_LOG
#define V MODE_SLICES
#define FL MODE_FLAME
#define Q MODE_SQL
#define ALL MODE_ANY
#define M COMMAND_MOVES
#define FIRST COMMAND_HINTS_FIRST

/* Marks and counts what matches while a pattern is typed. */
static void find_as_typed(struct app *app, const char *text) {
    if (view_is(&app->views, T | D))
        find_typed(app, text);
    else if (view_is(&app->views, B))
        view_table_find_typed(app, text);
    else if (view_is(&app->views, X))
        view_page_find_typed(app, text);
    else if (view_is(&app->views, FL))
        view_flame_find_typed(app, text);
}

static void find_typed_cancelled(struct app *app) {
    find_cancelled(app);
    if (view_is(&app->views, B))
        view_table_find_cancelled(app);
    else if (view_is(&app->views, X))
        view_page_find_cancelled(app);
    else if (view_is(&app->views, FL))
        view_flame_find_cancelled(app);
}

static void show_settings(struct app *app) {
    help_find(app, "settings");
}

static void set(struct app *app, const char *text) {
    (strcmp(text, "all") == 0 ? help_find
                              : settings_type)(app, strcmp(text, "all") == 0 ? "settings" : text);
}

/* Examples of the terms that a prompt takes (model/query/filter.h), in the looks of hints. */
static const char *const event_hints[] = {"dur>5ms long",  "in=Frame inside", "thread=ui on ui",
                                          "!text without", "/re/ regex",      NULL};
static const char *const track_hints[] = {"name or pid", "dur>5ms longer slices", "!text without",
                                          "/re/ regex", NULL};
static const char *const row_hints[] = {"!text without", "/re/ regex", NULL};
static const char *const name_hints[] = {"/re/ regex", NULL};
static const char *const text_hints[] = {NULL}; /* a text is searched for each typed letter */
static const char *const shell_hints[] = {"less", "cut -f1 | sort | uniq -c", "cat >FILE", NULL};
static const char *const sql_hints[] = {"Tab tables and columns", "Up history", NULL};
static const char *const time_hints[] = {"1.5s", "+20us from the cursor", "end-20us", "1s..2s",
                                         NULL};

static const char *const *find_hints(const struct app *app) {
    unsigned modes = app->views.current->ops->modes;
    if (modes & MODE_TEXT)
        return text_hints;
    if (modes & MODE_TABLE)
        return row_hints;
    return modes & MODE_FLAME ? name_hints : event_hints;
}

static const char *const *table_filter_hints(const struct app *app) {
    return app->views.current->ops->set_filter ? event_hints : row_hints;
}

static bool searches(const struct app *app) {
    return app->find.search != NULL;
}

/* Whether n has a hit to go to, or one may be found yet. */
static bool has_hits(const struct app *app) {
    return searches(app) && !(app->find.hits_known && app->find.hits == 0);
}

static bool has_flows(const struct app *app) {
    return flow_count(trace_flows(app->trace)) > 0;
}

static bool has_states(const struct app *app) {
    return sched_thread_count(trace_sched(app->trace)) > 0;
}

static bool searches_table(const struct app *app) {
    const struct view *view = app->views.current;
    return view->ops->table && view->ops->table(app->views.current)->search;
}

static bool searches_text(const struct app *app) {
    return view_page_pager(app->views.current)->pattern != NULL;
}

static bool searches_in_view(const struct app *app) {
    unsigned modes = app->views.current->ops->modes;
    if (modes & MODE_TEXT)
        return searches_text(app);
    if (modes & MODE_TABLE)
        return searches_table(app);
    return modes & MODE_FLAME ? view_flame_searches(app) : searches(app);
}

static const char *enter_drops_search(const struct app *app) {
    return searches_in_view(app) ? "drop search" : NULL;
}

static const char *enter_drops_rows(const struct app *app) {
    return view_filter((struct app *)app) ? "all rows" : NULL;
}

static const char *enter_drops_slices(const struct app *app) {
    return view_filter((struct app *)app) ? "all slices" : NULL;
}

static const char *enter_unpins(const struct app *app) {
    return app->timeline.tracks.pins.n > 0 ? "unpin all" : NULL;
}

static const char *enter_drops_filter(const struct app *app) {
    return app->timeline.filter ? "all tracks" : NULL;
}

static const struct command_prompt goto_prompt = {"goto ", HISTORY_TIMES, .again = "start",
                                                  .enter = "go", .hints = time_hints};
static const struct command_prompt table_filter_prompt = {"&",
                                                          HISTORY_SEARCHES,
                                                          .initial = view_table_prompt,
                                                          .enter = "filter",
                                                          .enter_empty = enter_drops_rows,
                                                          .hints_here = table_filter_hints,
                                                          .typed = view_table_filter_typed,
                                                          .cancelled = view_table_filter_cancelled};
static const struct command_prompt flame_filter_prompt = {"&",
                                                          HISTORY_SEARCHES,
                                                          .enter = "count",
                                                          .enter_empty = enter_drops_slices,
                                                          .hints = event_hints,
                                                          .typed = view_flame_filter_typed,
                                                          .cancelled = view_flame_filter_cancelled};
static const struct command_prompt find_prompt = {.label = "/",
                                                  .history = HISTORY_SEARCHES,
                                                  .enter = "find",
                                                  .enter_empty = enter_drops_search,
                                                  .hints_here = find_hints,
                                                  .typed = find_as_typed,
                                                  .cancelled = find_typed_cancelled};
static const struct command_prompt command_prompt = {
    ":", HISTORY_COMMANDS, .complete = command_complete_line, .enter = "run"};
static const struct command_prompt pin_pattern_prompt = {.label = "pin tracks ",
                                                         .history = HISTORY_TRACKS,
                                                         .enter = "pin",
                                                         .enter_empty = enter_unpins,
                                                         .hints = track_hints};
static const struct command_prompt track_prompt = {
    .label = "track ", .history = HISTORY_TRACKS, .enter = "go", .hints = track_hints};
static const struct command_prompt pipe_prompt = {
    .label = "| ", .history = HISTORY_SHELL, .enter = "run", .hints = shell_hints};
static const struct command_prompt sql_prompt = {.label = "sql ",
                                                 .history = HISTORY_SQL,
                                                 .enter = "run",
                                                 .hints = sql_hints,
                                                 .initial = view_sql_typed,
                                                 .complete = view_sql_complete};
static const struct command_prompt set_prompt = {
    .label = "set ", .history = HISTORY_COMMANDS, .enter = "set", .complete = settings_complete};
static const struct command_prompt note_prompt = {
    .label = "note ", .history = HISTORY_COMMANDS, .enter = "write"};
static const struct command_prompt filter_prompt = {"&",
                                                    HISTORY_TRACKS,
                                                    .enter = "filter",
                                                    .enter_empty = enter_drops_filter,
                                                    .hints = track_hints,
                                                    .typed = track_filter_typed,
                                                    .cancelled = track_filter_cancelled};

/* ---- states in which a hint matters ---- */

static bool enters(const struct app *app) {
    return app->views.current->ops->enter != NULL;
}

static bool filters(const struct app *app) {
    return app->timeline.filter != NULL || app->timeline.only != NULL;
}

static bool has_range(const struct app *app) {
    return range_any(session_range(app));
}

static bool selects_slice(const struct app *app) {
    return selection_is_slice(&app->timeline.selection);
}

static bool selects_named(const struct app *app) {
    return selection_is_named(&app->timeline.selection);
}

static bool shares_screen(const struct app *app) {
    return !app->layout.drawer_alone;
}

static bool on_link(const struct app *app) {
    return app->drawer.on_link;
}

static bool on_header(const struct app *app) {
    const struct track *track = session_track(&app->timeline);
    return track && (track->kind->header || track->kind == &track_ended);
}

/* An action for each view. */
#define VIEW(ops, ...)                                                                             \
    static void open_##ops(struct app *app) {                                                      \
        view_open(app, &ops);                                                                      \
    }
#define SUBVIEW(ops)
#include "ui/views/view_list.h"
#undef VIEW
#undef SUBVIEW

const struct command commands[] = {
    {"zoom-in", "w +", T, GROUP_TIME, M, "zoom in at the time cursor", .hint = "w/s zoom",
     .action = move_zoom_in},
    {"zoom-out", "s -", T, GROUP_TIME, M, "zoom out at the time cursor", .action = move_zoom_out},
    {"zoom-in-far", "W", T, GROUP_TIME, M, "zoom in eight times", .action = move_zoom_in_far},
    {"zoom-out-far", "S", T, GROUP_TIME, M, "zoom out eight times", .action = move_zoom_out_far},
    {"pan-left", "a", T, GROUP_TIME, M, "pan left by a quarter of the window", .hint = "a/d pan",
     .action = move_pan_left},
    {"pan-right", "d", T, GROUP_TIME, M, "pan right by a quarter of the window",
     .action = move_pan_right},
    {"page-left", "A", T, GROUP_TIME, M, "pan left by a whole window", .action = move_page_left},
    {"page-right", "D", T, GROUP_TIME, M, "pan right by a whole window", .action = move_page_right},
    {"cursor-left", "H", T, GROUP_TIME, 0, "move the time cursor a column left",
     .action = move_cursor_left},
    {"cursor-right", "L", T, GROUP_TIME, 0, "move the time cursor a column right",
     .action = move_cursor_right},
    {"whole", "0", T, GROUP_TIME, M, "show the whole trace; again: with times far from most",
     .action = move_whole},
    {"fit", "f", T, GROUP_TIME, M | COMMAND_FITS,
     "centre the selected event; again: fit it to the window", .hint = "f fit",
     .when = selects_slice, .action = tracks_fit},
    {"goto", "g", T, GROUP_TIME, 0, "go to a time or a range: 1.5s, +20us, 1s..2s; gg: the start",
     .argument = "TIME", .run = find_time, .prompt = &goto_prompt},
    {"window", "", T, GROUP_TIME, 0, "show so much time around the cursor: 20us",
     .argument = "DUR|A..B", .run = find_window},
    {"start", "<Home>", T, GROUP_TIME, M, "go to the start of the trace", .action = move_start},
    {"end", "G <End>", T, GROUP_TIME, M, "go to the end of the trace", .action = move_end},
    {"back", "< <BS>", T, GROUP_TIME, 0, "go back to the previous view", .action = move_back},
    {"forward", ">", T, GROUP_TIME, 0, "go forward to the next view", .action = move_forth},
    {"time-format", "T", T | D | X | B | L | V | FL | Q, GROUP_TIME, 0,
     "switch times: from the start, wall clock, trace clock", .action = view_timeline_time_format},
    {"range-start", "v", T, GROUP_TIME, 0,
     "start a range at the time cursor; motions extend it; v or Enter keeps it",
     .action = ranges_start},
    {"range-selection", "r", T, GROUP_TIME, 0, "make the selected event the range, on its track",
     .action = ranges_selection},
    {"range-window", "%", T, GROUP_TIME, 0, "make the window the range", .action = ranges_window},
    {"range-tag", "<Space>", T, GROUP_TRACKS, 0,
     "tag the track or process for the range, or take the tag off", .action = ranges_tag},
    {"range-zoom", "Z", T, GROUP_TIME, M, "zoom to the range", .hint = "Z zoom to range",
     .when = has_range, .action = ranges_zoom},
    {"range-keep", "=", T, GROUP_TIME, 0, "keep the range for a comparison",
     .action = ranges_compare},
    {"range", "", ALL, GROUP_TIME, 0,
     "set the range: A..B, window, selection or off, e.g. :range 1.2s..1.3s",
     .argument = "window|selection|off|A..B", .run = ranges_type},
    {"compare", "", ALL, GROUP_TIME, 0,
     "compare the range kept by = with this one; half: its halves; median: a slice with the median "
     "of its name; "
     "threads: two tagged threads; FILE: another trace with this one",
     .action = view_compare_kept, .argument = "kept|half|median|threads|FILE",
     .run = view_compare_type},
    {"sql", "", ALL, GROUP_VIEWS, 0,
     "ask in SQL: :sql select name, dur from slice order by dur desc limit 10", .argument = "QUERY",
     .run = view_sql_ask, .prompt = &sql_prompt},
    {"tables", "", ALL, GROUP_VIEWS, 0, "list the tables and columns that :sql can ask for",
     .action = view_sql_tables},
    {"each", "", ALL, GROUP_VIEWS, 0,
     "list the slices of a name, the slowest first, and what each was made of", .argument = "NAME",
     .action = view_sql_each_selected, .run = view_sql_each},
    {"mark", "m", T, GROUP_TIME, 0,
     "set a mark at the time cursor: ma to mz; m' sets the one that '' visits",
     .argument = "LETTER TIME", .run = marks_type},
    {"jump", "'", T, GROUP_TIME, 0, "go to a mark: 'a to 'z; '' goes back to before the last jump",
     .argument = "LETTER", .run = marks_type_jump},
    {"note", "M", T, GROUP_TIME, 0, "write a note at the time cursor; empty: take it off",
     .argument = "TEXT", .run = marks_note, .prompt = &note_prompt},
    {"describe", ";", T, GROUP_ROWS, 0, "explain the cell at the time cursor",
     .action = describe_cursor},
    {"previous", "h <Left> ,", T, GROUP_EVENTS, M, "select the previous event on this row",
     .hint = "h/l event", .action = move_previous},
    {"next", "l <Right> .", T, GROUP_EVENTS, M, "select the next event on this row",
     .action = move_next},
    {"down", "j <Down>", T, GROUP_ROWS, 0, "go to the row below", .hint = "j/k row",
     .action = move_row_down},
    {"up", "k <Up>", T, GROUP_ROWS, 0, "go to the row above", .action = move_row_up},
    {"tab-next", "l <Right>", D, GROUP_DRAWER, 0, "show the next tab", .hint = "h/l tab",
     .action = drawer_tab_next},
    {"tab-previous", "h <Left>", D, GROUP_DRAWER, 0, "show the previous tab",
     .action = drawer_tab_previous},
    {"slowest", "s", D, GROUP_DRAWER, M, "go to the slowest slice of this name",
     .hint = "s slowest", .when = selects_named, .action = slowest_go},
    {"next-slowest", "S", D, GROUP_DRAWER, M, "go to the next slowest slice of this name",
     .action = slowest_next},
    {"why", "W", D | B, GROUP_DRAWER, 0,
     "show why the slice is longer than the median of its name; in a list: that of the row",
     .hint = "W why", .when = view_has_why, .action = view_why},
    {"drawer-taller", "+", D, GROUP_DRAWER, 0, "make the drawer half as high again",
     .action = drawer_taller},
    {"drawer-shorter", "-", D, GROUP_DRAWER, 0, "make the drawer lower by a third",
     .hint = "+/- height", .when = shares_screen, .action = drawer_shorter},
    {"drawer-down", "j <Down>", D, GROUP_DRAWER, 0,
     "go to the next link on the screen, or scroll down", .hint = "j/k scroll",
     .action = drawer_down},
    {"drawer-up", "k <Up>", D, GROUP_DRAWER, 0,
     "go to the previous link on the screen, or scroll up", .action = drawer_up},
    {"link", "<Enter>", D, GROUP_DRAWER, M,
     "go to the thread, process, object or stop that is linked", .hint = "Enter go",
     .when = on_link, .action = view_timeline_link},
    {"text-down", "j <Down>", X, GROUP_TEXT, 0, "scroll down a line", .hint = "j/k line",
     .action = view_page_down},
    {"text-up", "k <Up>", X, GROUP_TEXT, 0, "scroll up a line", .action = view_page_up},
    {"text-page-down", "f <Space> <PgDn>", X, GROUP_TEXT, 0, "scroll down a screen",
     .hint = "Space/b page", .action = view_page_screen_down},
    {"text-page-up", "b <PgUp>", X, GROUP_TEXT, 0, "scroll up a screen",
     .action = view_page_screen_up},
    {"table-down", "j <Down>", B, GROUP_TABLES, 0, "go to the next row of the table",
     .hint = "j/k row", .action = view_table_down},
    {"table-up", "k <Up>", B, GROUP_TABLES, 0, "go to the previous row of the table",
     .action = view_table_up},
    {"table-left", "h <Left>", B, GROUP_TABLES, 0, "scroll long texts back to the left",
     .action = view_table_left},
    {"table-right", "l <Right>", B, GROUP_TABLES, 0, "scroll long texts to the right",
     .action = view_table_right},
    {"table-enter", "<Enter>", B, GROUP_TABLES, 0, "show the row on the timeline, or open it",
     .hint = "Enter show", .when = enters, .action = view_enter},
    {"stretch-zoom", "Z", B, GROUP_TABLES, 0,
     "zoom to the stretch of a critical path; again: to the whole path",
     .action = view_critical_zoom},
    {"other-table", "<Tab>", B, GROUP_TABLES, 0,
     "show the view's other table: flows or hops of a name", .action = view_other},
    {"flow-ladder", "L", B, GROUP_TABLES, 0,
     "show the stops of the flow as a ladder, with its hops", .hint = "L ladder",
     .when = view_flows_lists, .action = view_flows_ladder},
    {"other-table-back", "<S-Tab>", V, GROUP_TABLES, 0, "show the tab before",
     .action = view_slices_back},
    {"pivot", "t", V, GROUP_TABLES, 0,
     "rows by name, name and thread, thread, process, category, or :pivot ARGUMENT",
     .hint = "t pivot", .when = view_slices_has_lengths, .action = view_slices_pivot,
     .argument = "name|pattern|name-thread|thread|process|category|ARGUMENT",
     .run = view_slices_pivot_by},
    {"fold-names", "p", V, GROUP_TABLES, 0,
     "names that differ in numbers or quoted parts alone are one row, and back",
     .hint = "p pattern", .when = view_slices_has_lengths, .action = view_slices_fold_names},
    {"raster", "r", V, GROUP_TABLES, 0,
     "show how long the slices of the row are over time, or the table again", .hint = "r raster",
     .when = view_slices_has_lengths, .action = view_slices_raster},
    {"slices-wakeups", "w", V, GROUP_TABLES, 0, "show wake-up latency of the range; q comes back",
     .hint = "w wake-ups", .when = has_states, .action = view_slices_wakeups},
    {"slices-compare", "=", V, GROUP_TABLES, 0,
     "compare the kept range with this one, or else its halves", .hint = "= compare",
     .action = view_slices_compare},
    {"only-these", "x", V, GROUP_TABLES, 0, "show only the slices of this row on the timeline",
     .hint = "x only these", .when = view_slices_has_lengths, .action = view_slices_only},
    {"scope", "S", L, GROUP_TABLES, 0, "switch the scope: all, process, thread, slice or flow",
     .hint = "S scope", .action = view_log_scope},
    {"silence", "s", L, GROUP_TABLES, 0, "show or hide long silences in the log",
     .hint = "s silence", .action = view_log_silence},
    {"table-filter", "&", B, GROUP_TABLES, 0, "show only matching rows; empty: all rows",
     .hint = "& filter", .argument = "TEXT", .run = view_table_filter,
     .prompt = &table_filter_prompt},
    {"find", "/", ALL, GROUP_SEARCH, 0,
     "find events by a filter (:help filters); empty: drop the search", .hint = "/ find",
     .argument = "TEXT", .run = view_find, .prompt = &find_prompt},
    {"drawer", "<Tab>", T | D, GROUP_VIEWS, 0, "switch between the timeline and the details drawer",
     .hint = "Tab details", .action = drawer_toggle},
    {"help", "? <F1>", ALL, GROUP_VIEWS, 0,
     "show the keys; with a key or a word: about it, e.g. :help zd", .hint = "? help",
     .action = help_open, .argument = "WORD", .run = help_find},
#define VIEW(ops, name, keys, help, hint_text, effects)                                            \
    {name, keys, ALL, GROUP_VIEWS, effects, help, .hint = (hint_text), .action = open_##ops},
#define SUBVIEW(ops)
#include "ui/views/view_list.h"
#undef VIEW
#undef SUBVIEW
    {"quit", "q", ALL, GROUP_VIEWS, 0, "close the drawer or view, or quit", .hint = "q quit",
     .action = app_quit},
    {"command", ":", ALL, GROUP_VIEWS, 0, "run a command by name; Tab completes", .hint = ": cmd",
     .argument = "COMMAND", .run = command_line, .prompt = &command_prompt},
    {"sort-next", ">", B, GROUP_TABLES, 0, "sort by the next column", .hint = "<> sort",
     .action = view_table_sort_next},
    {"sort-previous", "<", B, GROUP_TABLES, 0, "sort by the previous column",
     .action = view_table_sort_previous},
    {"invert", "I", B, GROUP_TABLES, 0, "reverse the sort order", .hint = "I invert",
     .action = view_table_invert},
    {"page-down", "<PgDn>", T, GROUP_ROWS, 0, "go down a screen of rows", .action = move_rows_down},
    {"page-up", "<PgUp>", T, GROUP_ROWS, 0, "go up a screen of rows", .action = move_rows_up},
    {"half-down", "<C-d>", T, GROUP_ROWS, 0, "go down half a screen of rows",
     .action = move_half_down},
    {"half-up", "<C-u>", T, GROUP_ROWS, 0, "go up half a screen of rows", .action = move_half_up},
    {"row", "", T, GROUP_ROWS, 0,
     "go to a row, or so many rows on; :20, :+20 and :$ are short for it", .argument = "N|+N|-N|$",
     .run = rows_go},
    {"next-track", "J", T, GROUP_ROWS, 0, "go to the next track", .action = move_track_down},
    {"previous-track", "K", T, GROUP_ROWS, 0, "go to the previous track", .action = move_track_up},
    {"next-process", "}", T, GROUP_ROWS, 0, "go to the next process", .action = move_process_down},
    {"previous-process", "{", T, GROUP_ROWS, 0, "go to the previous process",
     .action = move_process_up},
    {"row-center", "zz", T, GROUP_ROWS, 0, "scroll the current row to the middle",
     .hint = "zz middle", .action = move_row_center},
    {"row-top", "zt", T, GROUP_ROWS, 0, "scroll the current row to the top", .hint = "zt top",
     .action = move_row_top},
    {"row-bottom", "zb", T, GROUP_ROWS, 0, "scroll the current row to the bottom",
     .hint = "zb bottom", .action = move_row_bottom},
    {"row-deepest", "zd", T, GROUP_ROWS, 0,
     "go to the innermost slice at the cursor; again: to the deepest row", .hint = "zd deepest",
     .action = tracks_deepest},
    {"fold-all", "zM", T, GROUP_ROWS, 0, "fold all processes", .hint = "zM fold all",
     .action = tracks_fold_all},
    {"unfold-all", "zR", T, GROUP_ROWS, 0, "unfold all processes", .hint = "zR unfold all",
     .action = tracks_unfold_all},
    {"expand", "e", T, GROUP_ROWS, 0, "more rows; of a command its samples",
     .action = tracks_expand},
    {"collapse", "c", T, GROUP_ROWS, 0, "show half as many rows; fold a process",
     .action = tracks_collapse},
    {"expand-all", "E", T, GROUP_ROWS, 0, "show all rows of every thread",
     .action = tracks_expand_all},
    {"collapse-all", "C", T, GROUP_ROWS, 0, "show one row per thread",
     .action = tracks_collapse_all},
    {"enter", "<Enter>", T, GROUP_ROWS, FIRST,
     "fold or unfold a process; select the event at the cursor", .hint = "Enter fold",
     .when = on_header, .action = tracks_enter},
    {"parent", "u", T, GROUP_EVENTS, M, "select the parent", .hint = "u/i parent/child",
     .when = selects_slice, .action = move_parent},
    {"child", "i", T, GROUP_EVENTS, M, "select the longest child", .action = move_child},
    {"flow-previous", "[", T | D, GROUP_EVENTS, M, "follow the flow backward", .hint = "[ ] flow",
     .when = has_flows, .action = flow_nav_previous},
    {"flow-next", "]", T | D, GROUP_EVENTS, M, "follow the flow forward", .action = flow_nav_next},
    {"flow-choose-previous", "(", T | D, GROUP_EVENTS, 0,
     "choose the previous flow through the slice", .action = flow_nav_choose_previous},
    {"flow-choose-next", ")", T | D, GROUP_EVENTS, 0, "choose the next flow through the slice",
     .action = flow_nav_choose_next},
    {"flows", "\\", T | D, GROUP_EVENTS, 0,
     "flow arrows: chain, direct, all or off, e.g. :flows all", .action = flow_nav_mode,
     .argument = "chain|direct|all|off", .run = flow_nav_set_mode},
    {"waker", "b", T | D, GROUP_EVENTS, M, "go to the thread and slice that woke this one",
     .hint = "b waker", .when = has_states, .action = waker_go},
    {"first", "^", T, GROUP_EVENTS, M, "select the first event of the row", .action = move_first},
    {"last", "$", T, GROUP_EVENTS, M, "select the last event of the row", .action = move_last},
    {"deselect", "<Esc>", T | D, GROUP_EVENTS, 0,
     "leave the drawer, clear the selection, drop the range", .action = drawer_deselect},
    {"find-next", "n", T | D, GROUP_SEARCH, M | FIRST, "select the next hit", .hint = "n/N hit",
     .when = has_hits, .action = find_next},
    {"find-previous", "N", T | D, GROUP_SEARCH, M, "select the previous hit",
     .action = find_previous},
    {"same-next", "*", T | D, GROUP_SEARCH, M, "select the next event with the same name",
     .action = find_same_next},
    {"same-previous", "#", T | D, GROUP_SEARCH, M, "select the previous event with the same name",
     .action = find_same_previous},
    {"problem", "!", T | D, GROUP_SEARCH, M, "go to the next problem of the trace; notes come last",
     .action = find_problem},
    {"problem-kind", "z!", T, GROUP_SEARCH, M, "go to the next kind of problem",
     .hint = "z! next kind", .action = find_problem_kind},
    {"order", "o", T, GROUP_TRACKS, 0, "order of tracks: file, start, name, CPU time, covered",
     .action = tracks_order},
    {"move-down", "zJ", T, GROUP_TRACKS, 0, "move the thread or process below the next one",
     .hint = "zJ/zK move", .action = track_hand_down},
    {"move-up", "zK", T, GROUP_TRACKS, 0, "move the thread or process above the previous one",
     .action = track_hand_up},
    {"move-back", "", T, GROUP_TRACKS, 0, "forget what was moved: tracks are in their order again",
     .action = track_hand_back},
    {"offset", "", ALL, GROUP_TRACKS, 0, "show the offset of a trace, or move it: client +12ms",
     .argument = "NAME", .run = offsets_type},
    {"align", "", ALL, GROUP_TRACKS, 0, "move a trace by its flows, by two marks or a filter",
     .argument = "NAME", .run = offsets_align},
    {"offset-back", "", ALL, GROUP_TRACKS, 0,
     "take back the last move of a trace; right after it: u", .action = offsets_back},
    {"same-host", "", ALL, GROUP_TRACKS, 0,
     "let all traces be of one host, or these: server,kernel; off: each of its own",
     .argument = "NAMES", .run = offsets_same_host},
    {"pin", "p", T, GROUP_TRACKS, 0, "pin or unpin the track", .action = tracks_pin},
    {"pin-pattern", "P", T, GROUP_TRACKS, 0, "pin all matching tracks; empty: unpin all",
     .argument = "TEXT", .run = tracks_pin_pattern, .prompt = &pin_pattern_prompt},
    {"track", "t", T, GROUP_TRACKS, 0, "go to the next matching track", .argument = "TEXT",
     .run = tracks_find, .prompt = &track_prompt},
    {"as-track", "", ALL, GROUP_TRACKS, 0,
     "show the rows of a question as a track; without one: of the query, search or :only",
     .argument = "NAME QUESTION", .action = as_track_list, .run = as_track_type},
    {"no-track", "", ALL, GROUP_TRACKS, 0,
     "take a track of :as-track away; without a name: the current one", .argument = "NAME",
     .action = as_track_remove_current, .run = as_track_remove},
    {"filter", "& <F4>", T, GROUP_TRACKS, 0, "show only matching tracks; empty: all tracks",
     .argument = "TEXT", .run = track_filter_set, .prompt = &filter_prompt},
    {"only", "", T, GROUP_TRACKS, 0, "show only events that a filter holds for; without one: all",
     .argument = "FILTER", .action = track_only_all, .run = track_only_set},
    {"others", "x", T, GROUP_TRACKS, FIRST, "hide or dim what does not match, or mark what does",
     .hint = "x others", .when = filters, .action = track_filter_others},
    {"color", "~", ALL, GROUP_TRACKS, 0,
     "colours of slices by name, category, thread, process, an argument or Chrome's cname",
     .action = colors_next, .argument = "name|category|thread|process|arg.NAME|trace",
     .run = colors_type},
    {"scale", "_", T, GROUP_TRACKS, 0,
     "counter scale: fit, zero, log, shared or a range, e.g. :scale 0..100",
     .action = curve_next_scale, .argument = "fit|zero|log|shared|LO..HI", .run = curve_set_scale},
    {"value", "V", T, GROUP_TRACKS, 0, "counter values: value, delta or rate (change per second)",
     .action = curve_next_mode, .argument = "value|delta|rate", .run = curve_set_mode},
    {"stack", "U", T, GROUP_TRACKS, 0, "stack or separate the arguments of a counter",
     .action = curve_stack},
    {"information", "I", T | D | X, GROUP_VIEWS, 0, "show information about the trace, like 9",
     .hint = "I info", .action = open_view_info},
    {"describe-view", "<F3>", ALL, GROUP_VIEWS, 0, "describe the view in sentences",
     .action = describe_view_open},
    {"copy", "y", ALL, GROUP_VIEWS, 0, "copy the details, or all rows of the table",
     .action = keep_copy_current},
    {"copy-row", "yy", ALL, GROUP_VIEWS, 0, "copy only this row of the table",
     .action = keep_copy_row},
    {"copy-command", "Y", ALL, GROUP_VIEWS, 0, "copy the command line that opens this view again",
     .action = keep_copy_command},
    {"copy-both", "<C-y>", ALL, GROUP_VIEWS, 0, "copy both: what yy and Y copy, for a ticket",
     .action = keep_copy_both},
    {"w", "", ALL, GROUP_VIEWS, 0, "write what y copies, or the blob, to a file: :w FILE",
     .argument = "FILE", .run = keep_copy_write},
    {"w!", "", ALL, GROUP_VIEWS, 0, "overwrite a file with that: :w! FILE", .argument = "FILE",
     .run = keep_copy_write_over},
    {"pipe", "|", ALL, GROUP_VIEWS, 0, "pipe what y copies to a shell command",
     .argument = "COMMAND", .run = keep_run_pipe, .prompt = &pipe_prompt},
    {"edit", "O", ALL, GROUP_VIEWS, 0,
     "open the source file that the event or frame names in $VISUAL or $EDITOR",
     .action = keep_run_editor},
    {"place", "", ALL, GROUP_VIEWS, 0, "put back a part of a session, e.g. :place order name",
     .argument =
         "cursor|window|line|select|fold|unfold|rows|curve|move|pin|tag|drawer|order|others|"
         "times|color|in",
     .run = keep_state_place},
    {"session", "", ALL, GROUP_VIEWS, 0,
     "write the session to a file; off: forget it; on: keep it after all",
     .argument = "off|on|FILE", .run = keep_session_type},
    {"set", "", ALL, GROUP_VIEWS, 0,
     "change a setting, e.g. :set keys azerty; without a value: show it",
     .argument = "keys|theme|mouse|ascii|cursor|link|session|order|times|flows|all",
     .action = show_settings, .run = set, .prompt = &set_prompt},
    {"map", "", ALL, GROUP_VIEWS, 0,
     "make a key, or two, run a command: :map <F6> order; alone: list them",
     .argument = "KEY COMMAND", .action = show_settings, .run = keymap_type},
    {"unmap", "", ALL, GROUP_VIEWS, 0, "take back what :map made of a key", .argument = "KEY",
     .run = keymap_unmap},
    {"theme", "", ALL, GROUP_VIEWS, 0,
     "choose the looks: auto, dark, light, contrast, mono, or your own",
     .argument = "auto|dark|light|contrast|mono|NAME", .run = theme_type},
    {"style", "", ALL, GROUP_VIEWS, 0, "change one look, e.g. :style title #ffffff on 24 bold",
     .argument = "ROLE COLOUR", .run = theme_style},
    {"quit-now", "Q", ALL, GROUP_VIEWS, 0, "quit at once", .action = app_quit_now},
    {"suspend", "<C-z>", ALL, GROUP_VIEWS, 0, "suspend fxtop; fg resumes it",
     .action = app_suspend},
    {"reload", "R <F5>", ALL, GROUP_VIEWS, 0, "reload the file; keeps view, selection and pins",
     .action = app_reload},
    {"follow", "F", ALL, GROUP_VIEWS, 0, "follow a growing file, or stop following",
     .action = app_follow},
    {"redraw", "<C-l>", ALL, GROUP_VIEWS, 0, "redraw the screen", .action = app_redraw},
    {"mouse", "<F2>", ALL, GROUP_VIEWS, 0, "turn the mouse on or off", .action = app_mouse},
    {"table-page-down", "f <Space> <PgDn>", B, GROUP_TABLES, 0, "go down a screen of the table",
     .action = view_table_page_down},
    {"table-page-up", "b <PgUp>", B, GROUP_TABLES, 0, "go up a screen of the table",
     .action = view_table_page_up},
    {"table-half-down", "d <C-d>", B, GROUP_TABLES, 0, "go down half a screen",
     .action = view_table_half_down},
    {"table-half-up", "u <C-u>", B, GROUP_TABLES, 0, "go up half a screen",
     .action = view_table_half_up},
    {"table-start", "g <Home>", B, GROUP_TABLES, 0, "go to the first row",
     .action = view_table_start},
    {"table-end", "G <End>", B, GROUP_TABLES, 0, "go to the last row", .action = view_table_end},
    {"table-next", "n", B, GROUP_TABLES, FIRST, "go to the next matching row", .hint = "n/N match",
     .when = searches_table, .action = view_table_find_next},
    {"table-previous", "N", B, GROUP_TABLES, 0, "go to the previous matching row",
     .action = view_table_find_previous},
    {"sql-stop", "<Esc>", Q, GROUP_TABLES, 0,
     "stop the query of :sql; again: go back to the timeline", .action = view_sql_escape},
    {"sql-edit", "e", Q, GROUP_TABLES, 0, "edit the query of :sql", .hint = "e edit",
     .argument = "QUERY", .run = view_sql_ask, .prompt = &sql_prompt},
    {"sql-again", "r", Q, GROUP_TABLES, 0, "run the query of :sql again", .hint = "r again",
     .action = view_sql_again},
    {"each-aligned", "a", Q, GROUP_TABLES, 0,
     "show the iterations of :each as strips aligned at their begins, or the columns again",
     .hint = "a aligned", .when = view_sql_lists_each, .action = view_sql_align},
    {"table-back", "<Esc> <BS>", B, GROUP_TABLES, 0,
     "go back to the previous table, then to the timeline", .action = view_table_back},
    {"range-toggle", "v", B | X | FL, GROUP_TABLES, 0,
     "show all again: drop the range; again: bring it back", .hint = "v whole trace",
     .when = has_range, .action = ranges_toggle},
    {"flame-left", "h <Left>", FL, GROUP_FLAME, 0,
     "go to the frame on the left; sandwich: to the other side", .action = view_flame_left},
    {"flame-right", "l <Right>", FL, GROUP_FLAME, 0,
     "go to the frame on the right; sandwich: to the other side", .action = view_flame_right},
    {"flame-up", "k <Up>", FL, GROUP_FLAME, 0,
     "go to the frame around this one; sandwich: a row up", .action = view_flame_up},
    {"flame-down", "j <Down>", FL, GROUP_FLAME, 0,
     "go to the first frame inside this one; sandwich: a row down", .action = view_flame_down},
    {"flame-zoom", "<Enter>", FL, GROUP_FLAME, 0,
     "zoom in to the frame; sandwich: put the name in the middle", .action = view_flame_enter},
    {"flame-out", "<BS>", FL, GROUP_FLAME, 0,
     "zoom out by a frame; sandwich: back to the name before", .action = view_flame_out},
    {"flame-all", "0 g <Home>", FL, GROUP_FLAME, 0, "zoom out to all frames",
     .action = view_flame_all},
    {"flame-bottom-up", "i", FL, GROUP_FLAME, 0,
     "switch between paths from outside and names with their callers",
     .action = view_flame_bottom_up},
    {"flame-weight", "W", FL, GROUP_FLAME, 0,
     "switch the weight: wall, running, calls, processes, samples, off-CPU",
     .action = view_flame_weight},
    {"flame-recursion", "r", FL, GROUP_FLAME, 0, "fold recursion, or show it",
     .action = view_flame_recursion},
    {"flame-covered", "c", FL, GROUP_FLAME, 0, "leave out the time in no slice, or show it",
     .action = view_flame_covered},
    {"flame-filter", "&", FL, GROUP_FLAME, 0,
     "count only slices that a filter holds for; empty: all", .argument = "FILTER",
     .run = view_flame_filter, .prompt = &flame_filter_prompt},
    {"flame-same", "*", FL, GROUP_FLAME, 0, "go to the next frame of the same name",
     .action = view_flame_same},
    {"flame-next", "n", FL, GROUP_FLAME, 0, "go to the next frame that / marks",
     .action = view_flame_next},
    {"flame-previous", "N", FL, GROUP_FLAME, 0, "go to the previous frame that / marks",
     .action = view_flame_previous},
    {"flame-close", "<Esc>", FL, GROUP_FLAME, 0, "go back to the timeline",
     .action = view_open_timeline},
    {"text-section-down", "J", X, GROUP_TEXT, 0, "go to the next heading: the next kind of problem",
     .action = view_page_section_down},
    {"text-section-up", "K", X, GROUP_TEXT, 0, "go to the previous heading",
     .action = view_page_section_up},
    {"text-half-down", "d <C-d>", X, GROUP_TEXT, 0, "scroll down half a screen",
     .action = view_page_half_down},
    {"text-half-up", "u <C-u>", X, GROUP_TEXT, 0, "scroll up half a screen",
     .action = view_page_half_up},
    {"text-start", "g <Home>", X, GROUP_TEXT, 0, "go to the first line", .action = view_page_start},
    {"text-end", "G <End>", X, GROUP_TEXT, 0, "go to the last line", .action = view_page_end},
    {"text-next", "n", X, GROUP_TEXT, FIRST, "go to the next matching line", .hint = "n/N match",
     .when = searches_text, .action = view_page_find_next},
    {"text-previous", "N", X, GROUP_TEXT, 0, "go to the previous matching line",
     .action = view_page_find_previous},
    {"text-enter", "<Enter>", X, GROUP_TEXT, 0, "go to the event or problem of the line",
     .action = view_enter},
    {"text-close", "<Esc>", X, GROUP_TEXT, 0, "go back to the timeline",
     .action = view_open_timeline},
};
const size_t command_count = sizeof commands / sizeof *commands;
