/* tracegen.h - text -> bytes of a trace: fixtures that can be read in a diff, damage included.
 *
 * One record a line; `#` starts a comment; tokens are separated by blanks. Numbers: decimal,
 * hexadecimal, negative.
 *   STRING   "text" inline (\n \t \e \" \\ \xNN), s5 by index, "" and s0 the empty string, i"" the empty inline one
 *   THREAD   t1 by index, 5/6 inline process and thread, 5/- the process alone
 *   BYTES    "text", or fill:N for N bytes 0, 1, 2 ...
 *   ARGS     name=i32:-5 u32: i64: u64: f64: ptr: koid: bool: blob:BYTES null typeN (no contents) name=STRING
 *            the name is a bare word, "quoted" or an index s7; f64 takes nan, inf, -inf and -0 too
 *
 *   big_endian                                     first line: all words in the other byte order
 *   magic | provider ID "name" | section ID | provider_event ID EVENT | trace_info TYPE DATA
 *   init TICKS_PER_SECOND [BASE_TICK BASE_UNIX_NS] | string INDEX "text" | thread INDEX PID TID
 *   instant TS THREAD CATEGORY NAME [ARGS] [scope=N]
 *   begin, end (the same without scope) | complete ... end=TICKS
 *   counter, async_begin, async_instant, async_end, flow_begin, flow_step, flow_end ... id=N
 *   blob NAME TYPE BYTES | userspace_object POINTER THREAD NAME [ARGS] | kernel_object TYPE KOID NAME [ARGS]
 *   switch TS CPU OUT_TID STATE IN_TID [ARGS] | wakeup TS CPU TID [ARGS]
 *   switch_legacy TS CPU OUT STATE IN OUT_PRIORITY IN_PRIORITY
 *   log TS THREAD "message" | module TS THREAD ID "name" BYTES | mmap TS THREAD ID FLAGS START SIZE ADDRESS
 *   backtrace TS THREAD PC... | large_event TS THREAD CATEGORY NAME BYTES [ARGS] | large_attachment CATEGORY NAME BYTES
 *
 *   word W...        raw words                     bytes 01 ff ...  raw bytes
 *   zeros N          words of zeros                cut N            drops the last N bytes
 *   size N           the last record claims N words, its contents stay
 *   poke I W         word I of the last record becomes W
 *   flip OFFSET BIT  damages one bit of one byte */
#ifndef FXTOP_TRACEGEN_H
#define FXTOP_TRACEGEN_H

#include <stddef.h>

#include "src/base/err.h"

struct trace_bytes {
    unsigned char *v; /* malloc'ed: free it; NULL where the text is wrong */
    size_t n;
};

/* err->at is the line where the text is wrong. */
struct trace_bytes tracegen(const char *text, struct err *err);

/* The file tests/traces/NAME of the source tree, NUL-terminated: free it. NULL where there is
 * none. */
char *tracegen_text(const char *name, struct err *err);

/* The fixture tests/traces/NAME.txt as a trace. */
struct trace_bytes tracegen_load(const char *name, struct err *err);

#endif
