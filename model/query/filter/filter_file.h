/* filter_file.h - terms about the files of a set: trace=NAME.
 *
 * With one file `trace` is no field: such a term is about an argument, or text. */
#ifndef FXTOP_FILTER_FILE_H
#define FXTOP_FILTER_FILE_H

#include "model/query/filter.h"
#include "model/trace/trace.h"

/* Whether a term is about files. */
bool filter_file_asks(const struct filter_term *term, const struct trace *trace);
/* Whether it holds for the file of a record; for a thread or a process: those that wrote it. */
bool filter_file_record(const struct filter_term *term, const struct trace *trace, uint64_t offset);
bool filter_file_thread(const struct filter_term *term, const struct trace *trace,
                        const struct thread *thread);
bool filter_file_process(const struct filter_term *term, const struct trace *trace,
                         const struct process *process);
/* For the files of a world. */
bool filter_file_world(const struct filter_term *term, const struct trace *trace, uint16_t world);

#endif
