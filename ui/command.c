/* command.c - the table and what is made from it. */
#include "ui/command.h"

#include <string.h>

#include "ui/reload.h"
#include "ui/show.h"
#include "ui/timeline/find.h"
#include "ui/timeline/flow_nav.h"
#include "ui/timeline/move.h"
#include "ui/timeline/tracks.h"
#include "ui/views/view.h"
#include "ui/views/view_bytes.h"
#include "ui/views/view_lists.h"

#define T MODE_TIMELINE
#define D MODE_DRAWER
#define X MODE_TEXT
#define B MODE_TABLE
#define L MODE_LOG
#define ALL MODE_ANY

/* Hints are shown in this order as far as they fit; the help screen has the same order within each group. */
const struct command commands[] = {
    {"zoom-in", "w +", T, "Time", "zoom in at the time cursor", "w/s zoom", true, move_zoom_in},
    {"zoom-out", "s -", T, "Time", "zoom out at the time cursor", NULL, true, move_zoom_out},
    {"zoom-in-far", "W", T, "Time", "zoom in eight times", NULL, true, move_zoom_in_far},
    {"zoom-out-far", "S", T, "Time", "zoom out eight times", NULL, true, move_zoom_out_far},
    {"pan-left", "a", T, "Time", "pan left by a quarter of the window", "a/d pan", true, move_pan_left},
    {"pan-right", "d", T, "Time", "pan right by a quarter of the window", NULL, true, move_pan_right},
    {"page-left", "A", T, "Time", "pan left by a whole window", NULL, true, move_page_left},
    {"page-right", "D", T, "Time", "pan right by a whole window", NULL, true, move_page_right},
    {"cursor-left", "H", T, "Time", "move the time cursor a column left", NULL, false, move_cursor_left},
    {"cursor-right", "L", T, "Time", "move the time cursor a column right", NULL, false, move_cursor_right},
    {"whole", "0", T, "Time", "show the whole trace", NULL, true, move_whole},
    {"fit", "f", T, "Time", "centre the selected event; again: fit it to the window", NULL, true, move_fit},
    {"goto", "g", T, "Time", "go to a time: 1.5s, 250ms, +20us, 50%; gg: the start", NULL, false, show_goto},
    {"start", "<Home>", T, "Time", "go to the start of the trace", NULL, true, move_start},
    {"end", "G <End>", T, "Time", "go to the end of the trace", NULL, true, move_end},
    {"back", "< <BS>", T, "Time", "go back to the view before", NULL, false, move_back},
    {"forward", ">", T, "Time", "go forward again", NULL, false, move_forth},
    {"time-format", "T", T, "Time", "times from the start, by the wall clock, or the trace's own", NULL, false,
     show_time_format},
    {"previous", "h <Left> ,", T, "Events", "select the event before on this row", "h/l event", true, move_previous},
    {"next", "l <Right> .", T, "Events", "select the next event on this row", NULL, true, move_next},
    {"down", "j <Down>", T, "Rows", "go to the row below", "j/k row", false, move_row_down},
    {"up", "k <Up>", T, "Rows", "go to the row above", NULL, false, move_row_up},
    {"tab-next", "l <Right>", D, "Drawer", "show the next tab", "h/l tab", false, show_tab_next},
    {"tab-previous", "h <Left>", D, "Drawer", "show the tab before", NULL, false, show_tab_previous},
    {"drawer-down", "j <Down>", D, "Drawer", "scroll down", "j/k scroll", false, show_drawer_down},
    {"drawer-up", "k <Up>", D, "Drawer", "scroll up", NULL, false, show_drawer_up},
    {"text-down", "j <Down>", X, "Text", "scroll down a line", "j/k line", false, show_text_down},
    {"text-up", "k <Up>", X, "Text", "scroll up a line", NULL, false, show_text_up},
    {"text-page-down", "f <Space> <PgDn>", X, "Text", "scroll down a screen", "Space/b page", false,
     show_text_page_down},
    {"text-page-up", "b <PgUp>", X, "Text", "scroll up a screen", NULL, false, show_text_page_up},
    {"table-down", "j <Down>", B, "Tables", "go to the next row of the table", "j/k row", false, view_down},
    {"table-up", "k <Up>", B, "Tables", "go to the row before", NULL, false, view_up},
    {"table-enter", "<Enter>", B, "Tables", "show the row on the timeline, or what it stands for", "Enter show", false,
     view_enter},
    {"scope", "S", L, "Tables", "log of all, or of the selection's process, thread, slice, flow", "S scope", false,
     view_scope},
    {"silence", "s", L, "Tables", "show where the log was silent for long, or not", "s silence", false, view_silence},
    {"table-filter", "&", B, "Tables", "show only rows that match; nothing: all", "& filter", false, view_filter},
    {"find", "/", ALL, "Search", "find events by name: part of it, or /a regular expression/", "/ find", false,
     show_find},
    {"drawer", "<Tab>", T | D, "Views", "go to the drawer with the event's details, and back", "Tab details", false,
     show_drawer},
    {"help", "? <F1>", ALL, "Views", "show the keys", "? help", false, show_help},
    {"quit", "q", ALL, "Views", "close the drawer or view, then leave fxtop", "q quit", false, show_quit},
    {"command", ":", ALL, "Views", "run a command by its name; Tab completes", ": cmd", false, show_command},
    {"sort-next", ">", B, "Tables", "order by the next column", "<> sort", false, view_sort_next},
    {"sort-previous", "<", B, "Tables", "order by the column before", NULL, false, view_sort_previous},
    {"invert", "I", B, "Tables", "invert the order", "I invert", false, view_invert},
    {"page-down", "<PgDn>", T, "Rows", "go down a screen of rows", NULL, false, move_rows_down},
    {"page-up", "<PgUp>", T, "Rows", "go up a screen of rows", NULL, false, move_rows_up},
    {"next-track", "J", T, "Rows", "go to the next track", NULL, false, move_track_down},
    {"previous-track", "K", T, "Rows", "go to the previous track", NULL, false, move_track_up},
    {"next-process", "}", T, "Rows", "go to the next process", NULL, false, move_process_down},
    {"previous-process", "{", T, "Rows", "go to the previous process", NULL, false, move_process_up},
    {"row-center", "zz", T, "Rows", "scroll the current row to the middle", NULL, false, move_row_center},
    {"row-top", "zt", T, "Rows", "scroll the current row to the top", NULL, false, move_row_top},
    {"row-bottom", "zb", T, "Rows", "scroll the current row to the bottom", NULL, false, move_row_bottom},
    {"expand", "e", T, "Rows", "show more rows of depth of this thread", NULL, false, tracks_expand},
    {"collapse", "c", T, "Rows", "show fewer rows of depth of this thread", NULL, false, tracks_collapse},
    {"expand-all", "E", T, "Rows", "show all rows of depth of every thread", NULL, false, tracks_expand_all},
    {"collapse-all", "C", T, "Rows", "show one row of every thread", NULL, false, tracks_collapse_all},
    {"enter", "<Enter>", T, "Rows", "fold a process; select the event at the cursor", NULL, false, tracks_enter},
    {"parent", "u", T, "Events", "select the parent", "u/i parent/child", true, move_parent},
    {"child", "i", T, "Events", "select the longest child", NULL, true, move_child},
    {"flow-previous", "[", T | D, "Events", "go back along the flow", "[ ] flow", true, flow_nav_previous},
    {"flow-next", "]", T | D, "Events", "go on along the flow", NULL, true, flow_nav_next},
    {"flow-choose-previous", "(", T | D, "Events", "choose the flow before, of those through the slice", NULL, false,
     flow_nav_choose_previous},
    {"flow-choose-next", ")", T | D, "Events", "choose the next flow of those through the slice", NULL, false,
     flow_nav_choose_next},
    {"flows", "", T | D, "Events", "arrows drawn: chain, direct, all or off, or as in :flows all", NULL, false,
     flow_nav_mode},
    {"first", "^", T, "Events", "select the first event of the row", NULL, true, move_first},
    {"last", "$", T, "Events", "select the last event of the row", NULL, true, move_last},
    {"deselect", "<Esc>", T | D, "Events", "select nothing; leave the drawer", NULL, false, show_nothing},
    {"find-next", "n", T | D, "Search", "select the next hit", NULL, true, find_next},
    {"find-previous", "N", T | D, "Search", "select the previous hit", NULL, true, find_previous},
    {"same-next", "*", T | D, "Search", "select the next event of the same name", NULL, true, find_same_next},
    {"same-previous", "#", T | D, "Search", "select the previous event of the same name", NULL, true,
     find_same_previous},
    {"problem", "!", T | D, "Search", "go to the next problem of the trace", NULL, true, find_problem},
    {"order", "o", T, "Tracks", "order tracks as in the file, by start, by name, busiest first", NULL, false,
     tracks_order},
    {"pin", "p", T, "Tracks", "pin the track to the top, or let it go", NULL, false, tracks_pin},
    {"pin-pattern", "P", T, "Tracks", "pin all tracks whose names match; nothing: let all go", NULL, false, show_pin},
    {"track", "t", T, "Tracks", "go to the next track whose name matches", NULL, false, show_track},
    {"filter", "& <F4>", T, "Tracks", "show only tracks whose names match, see x; nothing: all", NULL, false,
     show_filter},
    {"others", "x", T, "Tracks", "hide the tracks that the filter leaves out, dim them, or mark those it names", NULL,
     false, tracks_others},
    {"scale", "", T, "Tracks", "scale of a counter: fit, zero, log, or as in :scale 0..100", NULL, false, show_scale},
    {"value", "", T, "Tracks", "a counter's values, their differences, or changes by the second", NULL, false,
     show_value},
    {"stack", "", T, "Tracks", "arguments of a counter as a stack, or apart", NULL, false, show_stack},
    {"timeline", "1", ALL, "Views", "show the timeline", NULL, false, show_timeline},
    {"log", "5", ALL, "Views", "list the log records", NULL, false, view_open_log},
    {"flow-list", "6", ALL, "Views", "list the flows, with statistics of their hops", NULL, false, view_open_flows},
    {"counters", "7", ALL, "Views", "show counters and CPUs alone", NULL, false, show_counters},
    {"cpus", "8", ALL, "Views", "show CPUs and the states of threads alone", NULL, false, show_cpus},
    {"info", "9", ALL, "Views", "show what is known about the trace", NULL, false, show_info},
    {"information", "I", T | D | X, "Views", "the same as 9, where I does not invert", "I info", false, show_info},
    {"bytes", "X", ALL, "Views", "show the bytes of the event, or of the row of a list", NULL, false, bytes_show},
    {"problems", "", ALL, "Views", "list the problems; Enter goes to one", NULL, false, show_problems},
    {"objects", "", ALL, "Views", "list kernel and userspace objects", NULL, false, show_objects},
    {"blobs", "", ALL, "Views", "list blobs; Enter shows one", NULL, false, show_blobs},
    {"profile", "", ALL, "Views", "list modules, mappings and backtraces; Enter goes to one", NULL, false,
     show_profile},
    {"w", "", X, "Views", "write the blob to a file: :w FILE", NULL, false, show_write},
    {"w!", "", X, "Views", "write the blob over a file: :w! FILE", NULL, false, show_write_over},
    {"quit-now", "Q", ALL, "Views", "leave fxtop now", NULL, false, show_quit_now},
    {"suspend", "<C-z>", ALL, "Views", "suspend fxtop; fg comes back", NULL, false, show_suspend},
    {"reload", "R <F5>", ALL, "Views", "read the file again; view, selection and pins stay", NULL, false, reload_now},
    {"follow", "F", ALL, "Views", "follow a file that is still written, or stop", NULL, false, reload_follow},
    {"redraw", "<C-l>", ALL, "Views", "draw the screen anew", NULL, false, show_redraw},
    {"mouse", "<F2>", ALL, "Views", "mouse on and off", NULL, false, show_mouse},
    {"table-page-down", "f <Space> <PgDn>", B, "Tables", "go down a screen of the table", NULL, false, view_page_down},
    {"table-page-up", "b <PgUp>", B, "Tables", "go up a screen of the table", NULL, false, view_page_up},
    {"table-half-down", "d", B, "Tables", "go down half a screen", NULL, false, view_half_down},
    {"table-half-up", "u", B, "Tables", "go up half a screen", NULL, false, view_half_up},
    {"table-start", "g <Home>", B, "Tables", "go to the first row", NULL, false, view_start},
    {"table-end", "G <End>", B, "Tables", "go to the last row", NULL, false, view_end},
    {"table-next", "n", B, "Tables", "go to the next row found", NULL, false, view_find_next},
    {"table-previous", "N", B, "Tables", "go to the row found before", NULL, false, view_find_previous},
    {"table-back", "<Esc> <BS>", B, "Tables", "back to the list before, then to the timeline", NULL, false, view_back},
    {"text-half-down", "d", X, "Text", "scroll down half a screen", NULL, false, show_text_half_down},
    {"text-half-up", "u", X, "Text", "scroll up half a screen", NULL, false, show_text_half_up},
    {"text-start", "g <Home>", X, "Text", "go to the first line", NULL, false, show_text_start},
    {"text-end", "G <End>", X, "Text", "go to the last line", NULL, false, show_text_end},
    {"text-next", "n", X, "Text", "go to the next line found", NULL, false, show_text_next},
    {"text-previous", "N", X, "Text", "go to the line found before", NULL, false, show_text_previous},
    {"text-enter", "<Enter>", X, "Text", "go to what the line is about", NULL, false, show_text_enter},
    {"text-close", "<Esc>", X, "Text", "back to the timeline", NULL, false, show_timeline},
};
const size_t command_count = sizeof commands / sizeof *commands;

/* Is code one of the blank-separated key names? A two-key command like zz is known by both, in code: first << 32. */
static bool has_key(const char *keys, uint64_t code) {
    struct key k;
    while (*keys) {
        uint64_t value = 0;
        while (*keys && *keys != ' ') {
            if (!key_parse(&keys, &k)) {
                value = *keys == '<' ? '<' : 0; /* the key < itself */
                keys++;
                continue;
            }
            value = value << 32 | k.code;
        }
        if (value == code)
            return true;
        while (*keys == ' ')
            keys++;
    }
    return false;
}

static const struct command *find(uint64_t code, unsigned mode) {
    for (size_t i = 0; i < command_count; i++)
        if (commands[i].modes & mode && has_key(commands[i].keys, code))
            return &commands[i];
    return NULL;
}

const struct command *command_for_key(uint64_t code, unsigned mode) {
    return find(code, mode);
}

const struct command *command_by_name(const char *name, size_t n) {
    for (size_t i = 0; i < command_count; i++)
        if (strlen(commands[i].name) == n && memcmp(commands[i].name, name, n) == 0)
            return &commands[i];
    return n == 1 && *name == 'q' ? command_by_name("quit-now", 8) : NULL; /* vi's habit */
}

const char *command_complete(const char *stem, size_t n) {
    size_t size = strlen(stem);
    for (size_t i = 0; i < command_count; i++)
        if (strncmp(commands[i].name, stem, size) == 0 && n-- == 0)
            return commands[i].name;
    return NULL;
}

unsigned command_mode_of(const struct app *app) {
    if (view_is_table(app))
        return app->views.current == VIEW_LOG ? MODE_TABLE | MODE_LOG : MODE_TABLE;
    return app->views.current != VIEW_TIMELINE ? MODE_TEXT : app->drawer.focus ? MODE_DRAWER : MODE_TIMELINE;
}

void command_run(struct app *app, const struct command *command) {
    if (command->moves && app->timeline.last_command != command)
        move_remember(app);
    app->timeline.last_command = command->moves ? command : NULL;
    bool fitted = app->timeline.fitted;
    app->timeline.fitted = command->action == move_fit && fitted;
    if (app->views.current == VIEW_TIMELINE && command->action != bytes_show)
        app->find.problem_tag = 0;
    command->action(app);
}

void command_list(FILE *out) {
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "%s\t%s\t%s\n", commands[i].keys, commands[i].name, commands[i].help);
}

#define HELP_WIDE 64 /* columns, from which the text stands beside the keys */

void command_help(struct pager *page, int cols) {
    static const char *const groups[] = {"Time", "Events", "Rows", "Tracks", "Search", "Views", "Drawer", "Tables", "Text"};
    char line[200];
    size_t n = sizeof groups / sizeof *groups;
    for (size_t g = 0; g < n; g++) {
        pager_add(page, true, 0, "%s", groups[g]);
        for (size_t i = 0; i < command_count; i++)
            if (strcmp(groups[g], commands[i].group) == 0) {
                const struct command *c = &commands[i];
                if (cols >= HELP_WIDE) {
                    snprintf(line, sizeof line, "  %-16s %-20s %s", c->keys, c->name, c->help);
                    pager_wrap(page, cols, 37, line);
                    continue;
                }
                snprintf(line, sizeof line, "  %s  %s", c->keys, c->name);
                pager_wrap(page, cols, 4, line);
                snprintf(line, sizeof line, "    %s", c->help);
                pager_wrap(page, cols, 4, line);
            }
        pager_add(page, false, 0, "%s", "");
    }
    pager_add(page, true, 0, "Mouse");
    pager_wrap(page, cols, 2,
               "  click selects, the wheel zooms there, dragging pans; Shift+drag selects text as the "
               "terminal does");
}

/* From x on, the key before the blank in it; returns the column behind it, 0: there was no room. */
static int one_hint(struct grid *grid, int x, int y, const char *hint) {
    int n = (int)strlen(hint), space = (int)strcspn(hint, " ");
    if (x + n >= grid->cols)
        return 0;
    grid_ztext(grid, x, y, x + space, hint, style_look(ROLE_HINT_KEY));
    grid_ztext(grid, x + space, y, x + n, hint + space, style_look(ROLE_HINT));
    return x + n + 2;
}

void command_hints(struct grid *grid, int y, unsigned mode, bool counters) {
    static const char *const of_counters[] = {"e/c height", ":scale fit/zero/log", ":value value/delta/rate"};
    int x = 1;
    for (size_t i = 0; counters && x > 0 && i < sizeof of_counters / sizeof *of_counters; i++)
        x = one_hint(grid, x, y, of_counters[i]);
    for (size_t i = 0; x > 0 && i < command_count; i++) {
        const struct command *c = &commands[i];
        if (c->hint && (c->modes & mode))
            x = one_hint(grid, x, y, c->hint);
    }
}
