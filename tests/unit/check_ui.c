/* check_ui.c - the floor of what it looks like, without a terminal. */
#include "tests/lib/suites.h"

int main(void) {
    static Suite *(*const suites[])(void) = {
        suite_grid,
        suite_style,
        suite_key,
        suite_pager,
        suite_window,
        suite_wrap,
        suite_layout,
        suite_prompt,
        suite_command,
        suite_table,
        suite_track_ops,
        suite_reload,
        suite_draw_curve,
        suite_play,
        suite_move,
        suite_selection,
        suite_track_list,
        suite_tracks,
        suite_curve,
        suite_draw_stack,
        suite_find,
        suite_flow_nav,
        suite_session,
        suite_status,
        suite_counters,
        suite_details,
        suite_drawer,
        suite_drawer_text,
        suite_tab_flow,
        suite_tab_name,
        0,
    };
    return suites_run(suites);
}
