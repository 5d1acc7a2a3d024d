/* check_src.c - the floor of bytes and format; linked with it alone. */
#include "tests/lib/suites.h"

int main(void) {
    static Suite *(*const suites[])(void) = {
        suite_state_file, /* first: without fork() the inodes of files read before may come again */
        suite_budget,
        suite_units,
        suite_err,
        suite_wide,
        suite_sum,
        suite_lower_bound,
        suite_pattern,
        suite_text,
        suite_bulk,
        suite_index_table,
        suite_file,
        suite_foreign,
        suite_inflate,
        suite_spool,
        suite_program,
        suite_quote,
        suite_watch,
        suite_command_line,
        suite_convert,
        suite_json_scan,
        suite_json_read,
        suite_options,
        suite_writer,
        suite_reader,
        suite_reader_fast,
        suite_hash,
        suite_record_layout,
        suite_u64map,
        suite_map,
        suite_thread,
        suite_vec,
        suite_str,
        suite_quantiles,
        suite_names,
        suite_threads,
        suite_cache,
        suite_record,
        suite_tracegen,
        0,
    };
    return suites_run(suites);
}
