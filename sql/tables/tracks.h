/* tracks.h - the tables of tracks: track, thread_track, process_track, counter_track,
 * process_counter_track. */
#ifndef FXTOP_SQL_TABLES_TRACKS_H
#define FXTOP_SQL_TABLES_TRACKS_H

#include "sql/table.h"

extern const struct table tracks_table, tracks_of_threads, tracks_of_processes, tracks_of_counters,
    tracks_of_process_counters;

#endif
