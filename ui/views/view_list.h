/* view_list.h - all views, one row each. To add a view: write ui/views/view_NAME.c, and its row
 * here.
 *
 * The including file defines VIEW(ops, command, keys, help, hint, effects) for views with a
 * command, and SUBVIEW(ops) for those that another view opens. view.h declares the ops, view.c has
 * the array of all views, and command_table.c the commands, in this order. */
SUBVIEW(view_help)
SUBVIEW(view_described)
VIEW(view_timeline, "timeline", "1", "show the timeline", NULL, 0)
VIEW(view_slices, "slices", "2",
     "show slices by name, states, CPUs, counters, gaps and logs in numbers", NULL, 0)
VIEW(view_flame, "flame", "3", "show self times by path: a flame graph of the range", NULL, 0)
VIEW(view_sandwich, "sandwich", "4", "show callers and callees of a name, by time", NULL, 0)
VIEW(view_log, "log", "5", "list the log records", NULL, 0)
VIEW(view_flows, "flow-list", "6", "list the flows with statistics of their hops", NULL, 0)
VIEW(view_counters, "counters", "7", "show only counters and CPUs", NULL, 0)
VIEW(view_cpus, "cpus", "8", "show only CPUs and thread states", NULL, 0)
VIEW(view_hits, "hits", "z/", "list the hits of the search, longest first; Enter goes to one", NULL,
     0)
VIEW(view_info, "info", "9", "show information about the trace", NULL, 0)
VIEW(view_bytes, "bytes", "X", "show the bytes of the selected event or row", NULL,
     COMMAND_KEEPS_PROBLEM)
VIEW(view_problems, "problems", "", "list the problems; Enter goes to one", NULL, 0)
VIEW(view_objects, "objects", "", "list kernel and userspace objects", NULL, 0)
VIEW(view_blobs, "blobs", "", "list blobs; Enter shows one", NULL, 0)
SUBVIEW(view_blob)
VIEW(view_critical, "critical", "B", "show the critical path of the selection; again: of the range",
     NULL, 0)
VIEW(view_wakeups, "wakeups", "", "show wake-up latency, waits by waker and idle CPUs of the range",
     NULL, 0)
SUBVIEW(view_compare)
SUBVIEW(view_traces)
SUBVIEW(view_sql)
VIEW(view_profile, "profile", "", "list modules, mappings and backtraces; Enter goes to one", NULL,
     0)
VIEW(view_tree, "tree", "", "list the processes of a recording as a tree; Enter goes to one", NULL,
     0)
