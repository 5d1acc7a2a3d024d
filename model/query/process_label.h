/* process_label.h - names that distinguish recorded processes: the command, then the first argument
 * that differs from that of others ("cc1 m7.c"), or its options ("make -j2").
 *
 * The command line is an argument of the instant "exec" that `fxtop record` writes. A label costs a
 * few records that are decoded, so that a frame can ask for those that it shows. */
#ifndef FXTOP_PROCESS_LABEL_H
#define FXTOP_PROCESS_LABEL_H

#include "model/query/detail.h"

#define PROCESS_LABEL 96

/* Returns the length of the label; 0: no command line is known, or it has no arguments. The text is
 * that of the trace: not safe to print as it is. */
size_t process_label(struct trace *trace, uint32_t process, char buf[PROCESS_LABEL]);

/* The command line of the last exec of a process; n = 0: none is known. Valid while detail is. */
struct str process_label_command(struct trace *trace, uint32_t process, struct detail *detail,
                                 struct detail_argument *argument);
/* Whether the first instant of a thread (a number) is an exec, as `fxtop record` writes it. */
bool process_label_begun(struct trace *trace, uint32_t thread);
/* Whether a group of async operations (a number) is of lives of processes, as it writes them. */
bool process_label_life(struct trace *trace, uint32_t group);
/* The number of the parent of such a life; false: the group is none, or has no number. */
bool process_label_parent(struct trace *trace, uint32_t group, uint64_t *pid);

#endif
