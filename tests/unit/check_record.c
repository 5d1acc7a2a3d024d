/* check_record.c - recording: the provider library and the manager; linked with these and with
 * src. */
#include "tests/lib/suites.h"

int main(void) {
    static Suite *(*const suites[])(void) = {
        suite_buffers,        suite_lines,       suite_manager,
        suite_watch_numbers,  suite_output,      suite_place,
        suite_provider_names, suite_readout,     suite_sample,
        suite_switches,       suite_unseen,      suite_recover,
        suite_ticks,          suite_tracee,      suite_wire,
        suite_write,          suite_write_model, 0,
    };
    return suites_run(suites);
}
